"""Text as it can be shown."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtGui import QTextCursor, QTextDocument
from PySide6.QtWidgets import QApplication

from app.ui.shown_text import cluster_end, shown, utf16_length

ANY_TEXT = st.text(st.characters(codec=None, categories=None), max_size=60)
FAMILY = "👨‍👩‍👧"


@given(ANY_TEXT)
def test_places_stay_what_they_are(text: str) -> None:
    assert len(shown(text)) == len(text)


@given(ANY_TEXT)
def test_a_document_takes_it_as_it_is(qapp: QApplication, text: str) -> None:
    document = QTextDocument()
    cursor = QTextCursor(document)
    cursor.insertText(shown(text))
    assert document.toRawText().replace("\u2029", "\n") == shown(text)
    assert cursor.position() == utf16_length(shown(text))


@pytest.mark.parametrize("text", ["plain", "ä ö", "日本", "a\tb\nc"])
def test_ordinary_text_is_left_alone(text: str) -> None:
    assert shown(text) == text


@pytest.mark.parametrize(
    ("text", "place", "end"),
    [
        ("abc", 1, 1),
        (FAMILY, 1, len(FAMILY)),
        (FAMILY, 0, 0),
        ("xe\u0301y", 2, 3),
        ("xe\u0301y", 1, 1),
        ("a", 1, 1),
    ],
)
def test_the_end_of_a_character_of_several_code_points(text: str, place: int, end: int) -> None:
    assert cluster_end(text, place) == end


def test_a_character_without_end_is_cut_somewhere() -> None:
    text = "e" + "\u0301" * 1000
    assert 500 <= cluster_end(text, 500) <= 600
