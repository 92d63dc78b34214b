"""Tooltips with words of strangers."""

import pytest
from PySide6.QtGui import QTextDocument

from app.ui.plain_tip import plain_tip


def test_usual_names_stay_as_they_are(qapp: object) -> None:
    assert plain_tip("model-Q4_K_M.gguf\n1 < 2 & 3 > 2") == "model-Q4_K_M.gguf\n1 < 2 & 3 > 2"


@pytest.mark.parametrize("text", ["<b>bold</b>", "<img src='/etc/x.png'> &amp;", "a <i>b</i>\nc"])
def test_markup_is_shown_and_not_obeyed(text: str, qapp: object) -> None:
    shown = QTextDocument()
    shown.setHtml(plain_tip(text))
    assert shown.toPlainText() == text
