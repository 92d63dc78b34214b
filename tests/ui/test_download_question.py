"""The question whether to keep what has come of a download."""

import pytest
from PySide6.QtWidgets import QAbstractButton, QLabel
from pytestqt.qtbot import QtBot

from app.models.download import Download, DownloadState, Failed, Paused, Transferring
from app.models.hub_problems import HubProblem
from app.ui.download_question import DownloadQuestion
from app.ui.download_words import state_text
from app.ui.plain_tip import plain_tip
from app.ui.theme import Theme
from tests.fakes.children import child
from tests.fakes.scripted_transfer import request_for


def asked(qtbot: QtBot, state: DownloadState, title: str = "Q") -> DownloadQuestion:
    question = DownloadQuestion(title)
    qtbot.addWidget(question)
    question.ask(Download(request_for("q.gguf", size=60_000_000), state, 5_920_000))
    return question


def buttons(question: DownloadQuestion) -> list[str]:
    return [made.text() for made in question.findChildren(QAbstractButton) if made.isVisible()]


def test_a_name_with_markup_is_shown_as_it_is(theme: Theme, qtbot: QtBot) -> None:
    question = asked(qtbot, Transferring(), "<img src=x>")
    for name in ("keep_part_button", "delete_part_button", "go_on_button"):
        made = child(question, QAbstractButton, name)
        assert "<img src=x>" in made.accessibleName()
        assert made.toolTip() == plain_tip(made.accessibleName()) != made.accessibleName()


def test_it_tells_the_same_figure_as_the_row(theme: Theme, qtbot: QtBot) -> None:
    question = asked(qtbot, Transferring())
    sentence = child(question, QLabel, "cancel_download_sentence").text()
    assert sentence == "Cancel this download? 5.9 of 60.0 MB have come."
    row = state_text(Download(request_for("q.gguf", size=60_000_000), Paused(), 5_920_000), 0.0)
    assert row.partition(" ·")[0] in sentence


def test_to_keep_the_part_is_said_to_pause(theme: Theme, qtbot: QtBot) -> None:
    question = asked(qtbot, Transferring())
    assert buttons(question) == ["Keep the part", "Delete the part", "Don't cancel"]
    assert child(question, QAbstractButton, "keep_part_button").accessibleName().startswith("Pauses Q:")


@pytest.mark.parametrize("state", [Paused(), Failed(HubProblem.DISK_FULL, "The disk is full.")])
def test_what_does_not_move_anyway_is_kept_or_deleted(
    theme: Theme, qtbot: QtBot, state: DownloadState
) -> None:
    question = asked(qtbot, state)
    assert buttons(question) == ["Keep the part", "Delete the part"]
    keep = child(question, QAbstractButton, "keep_part_button")
    assert keep.accessibleName().startswith("Leaves Q as it is:")
