"""What an earlier run left unfinished is offered at the start."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton
from pytestqt.qtbot import QtBot

from app.models.download_store import DownloadStore
from app.ui.icons import Icons
from app.ui.notice import Notice
from app.ui.theme import Theme
from app.ui.unfinished_offer import UnfinishedOffer
from tests.fakes.children import child
from tests.fakes.download_window import DownloadWindow
from tests.fakes.scripted_transfer import request_for

A, B = request_for("a.gguf", title="Alpha"), request_for("b.gguf", title="Beta")


class Offered(DownloadWindow):
    """After a start with what is in the store."""

    def __init__(
        self,
        qtbot: QtBot,
        theme: Theme,
        icons: Icons,
        store: DownloadStore,
        left: dict[str, int],
        measures: bool,
    ) -> None:
        super().__init__(qtbot, store, left, measures=measures)
        self.notice = Notice(theme, icons)
        qtbot.addWidget(self.notice)
        self.offer = UnfinishedOffer(self.service, self.notice)

    def press(self, name: str) -> None:
        """Answers."""
        self.qtbot.mouseClick(child(self.notice, QAbstractButton, name), Qt.MouseButton.LeftButton)

    def close(self) -> None:
        """Ends it."""
        self.offer.deleteLater()
        super().close()


Start = Callable[..., Offered]


@pytest.fixture
def start(qtbot: QtBot, theme: Theme, icons: Icons, tmp_path: Path) -> Iterator[Start]:
    made: list[Offered] = []

    def begin(*requests: object, left: dict[str, int] | None = None, measures: bool = True) -> Offered:
        store = DownloadStore(tmp_path / "downloads.json")
        store.save(requests)  # type: ignore[arg-type]
        made.append(Offered(qtbot, theme, icons, store, left or {}, measures))
        return made[-1]

    yield begin
    for offered in made:
        offered.close()


def test_nothing_is_offered_where_nothing_is_left(start: Start) -> None:
    offered = start()
    assert offered.notice.sentence == ""
    offered.service.add(A)
    assert offered.notice.sentence == ""


def test_one_is_named_and_several_are_counted(start: Start) -> None:
    assert start(A).notice.sentence == "The download of Alpha was not finished."
    assert start(A, B).notice.sentence == "2 downloads were not finished."


def test_resuming(start: Start) -> None:
    offered = start(A, B)
    offered.press("resume_left_over_button")
    assert offered.service.active_count == 2
    assert offered.notice.isHidden()


@pytest.mark.parametrize("name", ["leave_left_over_button", "notice_close_button"])
def test_later(start: Start, name: str) -> None:
    offered = start(A, B)
    offered.press(name)
    assert offered.notice.isHidden()
    assert len(offered.service.downloads) == 2
    assert offered.service.active_count == 0
    offered.service.resume(A.key)
    assert offered.notice.isHidden()


def test_discarding_asks_before_it_deletes(start: Start) -> None:
    offered = start(A, B, left={"a.gguf": 400, "b.gguf": 100})
    offered.qtbot.waitUntil(lambda: sum(row.received_bytes for row in offered.service.downloads) == 500)
    offered.press("discard_left_over_button")
    assert offered.notice.sentence == "Delete what has come of them (500 bytes)?"
    offered.press("keep_left_over_button")
    assert offered.notice.sentence == "2 downloads were not finished."
    offered.press("discard_left_over_button")
    offered.press("delete_left_over_button")
    assert offered.service.downloads == ()
    assert offered.notice.isHidden()
    offered.service.close()
    assert offered.scripted.discarded == ["a.gguf", "b.gguf"]


def test_what_nobody_has_looked_at_is_asked_about_too(start: Start) -> None:
    offered = start(A, left={"a.gguf": 400}, measures=False)
    offered.press("discard_left_over_button")
    assert offered.notice.sentence == "Delete what has come of it?"
    assert len(offered.service.downloads) == 1
    offered.press("keep_left_over_button")
    offered.scripted.may_measure.set()
    offered.qtbot.waitUntil(lambda: offered.row(A).is_measured)
    offered.press("discard_left_over_button")
    assert offered.notice.sentence == "Delete what has come of it (400 bytes)?"


def test_where_nothing_came_there_is_nothing_to_ask(start: Start) -> None:
    offered = start(A)
    offered.qtbot.waitUntil(lambda: offered.row(A).is_measured)
    offered.press("discard_left_over_button")
    assert offered.service.downloads == ()


def test_the_offer_follows_what_is_done_elsewhere(start: Start) -> None:
    offered = start(A, B)
    offered.service.resume(A.key)
    assert offered.notice.sentence == "The download of Beta was not finished."
    offered.service.cancel(B.key, keep_part=True)
    assert offered.notice.isHidden()
