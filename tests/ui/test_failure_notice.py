"""A download that needs a person says so, wherever in the window that person is."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton
from pytestqt.qtbot import QtBot

from app.models.download import DownloadState, Failed, Transferring
from app.models.hub_problems import HubProblem
from app.ui.failure_notice import FailureNotice
from app.ui.icons import Icons
from app.ui.notice import Notice
from app.ui.theme import Theme
from tests.fakes.children import child
from tests.fakes.draft_hub import DRAFT, TARGET
from tests.fakes.listed_downloads import ListedDownloads

FAILED = Failed(HubProblem.CHECKSUM, "Its checksum is not the one. Try again.")


class Bench:
    def __init__(self, notice: Notice) -> None:
        self.notice = notice
        self.downloads = ListedDownloads()
        self.failures = FailureNotice(self.downloads.service, notice)

    def tell(self, first: DownloadState, second: DownloadState = Transferring()) -> None:  # noqa: B008
        self.downloads.tell((DRAFT, DRAFT.models[0], first), (TARGET, TARGET.models[0], second))


@pytest.fixture
def bench(theme: Theme, icons: Icons, qtbot: QtBot) -> Iterator[Bench]:
    notice = Notice(theme, icons)
    qtbot.addWidget(notice)
    made = Bench(notice)
    yield made
    made.downloads.close()


def test_it_says_which_and_why(bench: Bench) -> None:
    bench.tell(Transferring())
    assert bench.notice.sentence == ""
    bench.tell(FAILED)
    said = f"{DRAFT.found.name} could not be downloaded. Its checksum is not the one. Try again."
    assert bench.notice.sentence == said


def test_several_are_counted(bench: Bench) -> None:
    bench.tell(FAILED)
    bench.tell(FAILED, FAILED)
    assert bench.notice.sentence == "2 downloads failed."


def test_it_is_said_no_longer_once_it_goes_on(bench: Bench) -> None:
    bench.tell(FAILED)
    bench.tell(Transferring())
    assert bench.notice.sentence == ""


def test_what_was_read_is_not_said_again_by_news_of_others(bench: Bench) -> None:
    bench.tell(FAILED)
    bench.notice.dismissed.emit()
    bench.notice.clear()
    bench.tell(FAILED, Transferring())
    assert bench.notice.sentence == ""
    bench.tell(FAILED, FAILED)
    assert bench.notice.sentence.startswith(f"{TARGET.found.name} could not")


def test_it_leads_to_the_downloads(bench: Bench, qtbot: QtBot) -> None:
    bench.tell(FAILED)
    button = child(bench.notice, QAbstractButton, "show_failed_downloads_button")
    with qtbot.waitSignal(bench.failures.downloads_requested):
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert bench.notice.sentence == ""
