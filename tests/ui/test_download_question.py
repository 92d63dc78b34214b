"""The question whether to keep what has come of a download."""

from PySide6.QtWidgets import QAbstractButton
from pytestqt.qtbot import QtBot

from app.ui.download_question import DownloadQuestion
from app.ui.plain_tip import plain_tip
from app.ui.theme import Theme
from tests.fakes.children import child


def test_a_name_with_markup_is_shown_as_it_is(theme: Theme, qtbot: QtBot) -> None:
    question = DownloadQuestion("<img src=x>")
    qtbot.addWidget(question)
    for name in ("keep_part_button", "delete_part_button", "go_on_button"):
        made = child(question, QAbstractButton, name)
        assert "<img src=x>" in made.accessibleName()
        assert made.toolTip() == plain_tip(made.accessibleName()) != made.accessibleName()
