"""A row of the downloads panel: what it says while time passes, and how it is laid out."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QTimer
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.models.download import (
    Download,
    DownloadState,
    Finished,
    Paused,
    Queued,
    Retrying,
    Transferring,
    Verifying,
)
from app.models.hub_problems import HubProblem
from app.ui.download_row import DownloadRow
from app.ui.icons import Icons
from app.ui.theme import Theme
from app.ui.track import Track
from app.ui.widgets import QUIET_INSET, ElidedLabel, column
from tests.fakes.children import child
from tests.fakes.opened_downloads_panel import OpenedDownloadsPanel
from tests.fakes.scripted_transfer import request_for

A = request_for("a.gguf", title="Alpha Q4_K_M")
B = request_for("b.gguf", title="Beta Q4_K_M")
C = request_for("c.gguf", title="Gamma Q4_K_M")


@pytest.fixture
def opened(qtbot: QtBot, theme: Theme, icons: Icons) -> Iterator[OpenedDownloadsPanel]:
    made = OpenedDownloadsPanel(qtbot, theme, icons)
    yield made
    made.page.hide()
    made.close()


class TestCountdown:
    def timer(self, opened: OpenedDownloadsPanel) -> QTimer:
        found = opened.panel.findChild(QTimer)
        assert found is not None
        return found

    def test_a_wait_is_counted_down(self, opened: OpenedDownloadsPanel) -> None:
        opened.add(A)
        opened.scripted.running("a.gguf").wait(HubProblem.NO_NETWORK, 4.0, attempt=2)
        opened.wait_for_state(A, Retrying)
        assert opened.text(A) == "line dropped, trying again in 4 s (2 of 5)"
        opened.now += 1
        self.timer(opened).timeout.emit()
        assert opened.text(A) == "line dropped, trying again in 3 s (2 of 5)"
        opened.press(A, "pause_download_button")
        assert not self.timer(opened).isActive()

    def test_only_while_it_can_be_seen(self, opened: OpenedDownloadsPanel) -> None:
        assert not self.timer(opened).isActive()
        opened.add(A)
        opened.scripted.running("a.gguf").wait(HubProblem.NO_NETWORK, 9.0)
        opened.wait_for_state(A, Retrying)
        assert self.timer(opened).isActive()
        opened.page.hide()
        assert not self.timer(opened).isActive()
        opened.now += 5
        opened.page.show()
        assert self.timer(opened).isActive()
        assert opened.text(A) == "line dropped, trying again in 4 s (1 of 5)"


class TestTries:
    """What is seen while one try after the other fails."""

    def test_a_try_without_a_byte_changes_nothing(self, opened: OpenedDownloadsPanel) -> None:
        opened.add(A)
        transfer = opened.scripted.running("a.gguf")
        transfer.hold(400)
        transfer.wait(HubProblem.NO_NETWORK, 4.0, attempt=2)
        opened.wait_for_state(A, Retrying)
        before = opened.buttons(A)
        pause = child(opened.shown(A), QAbstractButton, "pause_download_button")
        place = pause.mapTo(opened.page, QPoint())
        now = child(opened.shown(A), QAbstractButton, "retry_download_now_button")
        assert now.isEnabled()

        opened.now += 4
        transfer.move()
        opened.service.move(A.key, 0)  # it is looked at again
        timer = opened.panel.findChild(QTimer)
        assert timer is not None
        timer.timeout.emit()
        assert opened.text(A) == "line dropped, trying again (2 of 5)"
        assert opened.buttons(A) == before
        assert pause.mapTo(opened.page, QPoint()) == place
        assert not now.isEnabled(), "it is being tried"

        transfer.wait(HubProblem.NO_NETWORK, 8.0, attempt=3)
        opened.qtbot.waitUntil(lambda: opened.text(A) == "line dropped, trying again in 8 s (3 of 5)")
        assert now.isEnabled()
        transfer.move()
        transfer.hold(500)
        opened.wait_for_state(A, Transferring)
        assert opened.text(A) == "0.50 of 1.00 kB"
        assert opened.buttons(A) == ["Pause", "Cancel"]
        assert pause.mapTo(opened.page, QPoint()) == place


class TestSilence:
    def tick(self, opened: OpenedDownloadsPanel, seconds: float) -> None:
        opened.now += seconds
        timer = opened.panel.findChild(QTimer)
        assert timer is not None
        assert timer.isActive()
        timer.timeout.emit()

    def test_it_is_said_that_nothing_comes(self, opened: OpenedDownloadsPanel) -> None:
        opened.add(A)
        opened.hold(A, 400)
        self.tick(opened, 4.9)
        assert opened.text(A) == "0.40 of 1.00 kB"
        self.tick(opened, 0.2)
        assert opened.text(A) == "0.40 of 1.00 kB · nothing comes"
        assert child(opened.shown(A), ElidedLabel, "download_figures").property("tone") == "muted"
        opened.hold(A, 500)
        assert opened.text(A) == "0.50 of 1.00 kB"

    def test_it_is_not_said_of_what_is_not_to_come(self, opened: OpenedDownloadsPanel) -> None:
        opened.add(A, B, C)
        opened.scripted.running("a.gguf").verify()
        opened.wait_for_state(A, Verifying)
        self.tick(opened, 60.0)
        assert opened.text(A) == "1.00 kB · checking"
        assert opened.text(B) == "0.00 of 1.00 kB · nothing comes"
        assert opened.text(C) == "1.00 kB · waiting for its turn"


class TestTheLook:
    STATES: tuple[DownloadState, ...] = (
        Queued(),
        Transferring(),
        Retrying(HubProblem.SERVER, "No answer.", 116.0, 2, 5),
        Verifying(),
        Paused(),
        Finished(Path("/models/a.gguf")),
    )

    @pytest.fixture
    def rows(
        self, opened: OpenedDownloadsPanel, theme: Theme, icons: Icons
    ) -> Iterator[tuple[DownloadRow, ...]]:
        """A row of each state."""
        made = []
        for number, state in enumerate(self.STATES):
            request = request_for(f"{number}.gguf", size=1_600_000_000, title="Qwen2.5-Coder-1.5B Q4_K_M")
            download = Download(request, state, 1_000_000_000, 42e6)
            row = DownloadRow(theme, icons, opened.service, download, opened.clock, lambda _: None)
            row.show_download(download, may_rise=True, may_sink=True)
            made.append(row)
        page = QWidget()
        page.setLayout(column(*made, None))
        opened.qtbot.addWidget(page)
        page.show()
        yield tuple(made)

    @pytest.mark.parametrize(("width", "lines"), [(400, 3), (517, 2), (755, 1), (1000, 1)])
    def test_the_width_alone_folds_a_row(self, rows: tuple[DownloadRow, ...], width: int, lines: int) -> None:
        """517 and 755 pixels are what there is in windows of 960 and of 1280."""
        page = rows[0].parentWidget()
        assert page is not None
        for row in rows:
            row.setFixedWidth(width)
        page.resize(1100, 900)
        QApplication.processEvents()
        assert len({row.height() for row in rows}) == 1
        for row in rows:
            figures = child(row, ElidedLabel, "download_figures")
            shown = [made for made in row.findChildren(QAbstractButton) if made.isVisible()]
            parts = (child(row, ElidedLabel, "download_name"), figures, shown[0])
            middles = {part.mapTo(row, part.rect().center()).y() for part in parts}
            assert len([one for one in middles if one - 1 not in middles]) == lines
            assert figures.text() == figures.whole_text

    def test_words_of_buttons_end_where_the_tracks_end(self, opened: OpenedDownloadsPanel) -> None:
        opened.add(A, B)
        opened.rows()
        track = opened.shown(A).findChild(Track)
        assert track is not None
        end = track.mapTo(opened.page, QPoint(track.width(), 0)).x()
        for made in (
            child(opened.shown(A), QAbstractButton, "cancel_download_button"),
            child(opened.panel, QAbstractButton, "pause_all_downloads_button"),
        ):
            words = made.mapTo(opened.page, QPoint(made.width(), 0)).x() - QUIET_INSET
            assert words == end
        opened.service.pause(A.key)
        summary = child(opened.panel, ElidedLabel, "downloads_summary")
        QApplication.processEvents()
        assert summary.mapTo(opened.page, QPoint(summary.width(), 0)).x() == end
