"""The downloads panel: a row for each, with what can be done about it, by mouse and by keyboard."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from app.models.download import DownloadRequest, Failed, Finished, Paused, Retrying
from app.models.hub_problems import HubError, HubProblem
from app.ui.download_row import DownloadRow
from app.ui.downloads_panel import DownloadsPanel
from app.ui.icons import Icons
from app.ui.theme import Theme
from app.ui.track import Segment, Track
from app.ui.widgets import ElidedLabel, column
from tests.fakes.children import child
from tests.fakes.download_window import DownloadWindow
from tests.fakes.scripted_transfer import request_for

A = request_for("a.gguf", title="Alpha Q4_K_M")
B = request_for("b.gguf", title="Beta Q4_K_M")
C = request_for("c.gguf", title="Gamma Q4_K_M")
D = request_for("d.gguf", title="Delta Q4_K_M")
GATED = HubError(HubProblem.GATED, "Accept the licence on its page.", address="https://hub.example/a")


class Opened(DownloadWindow):
    """The panel on the screen."""

    def __init__(self, qtbot: QtBot, theme: Theme, icons: Icons) -> None:
        super().__init__(qtbot)
        self.shown_in_folder: list[Path] = []
        self.panel = DownloadsPanel(
            theme, icons, self.service, clock=self.clock, show_in_folder=self.shown_in_folder.append
        )
        self.page = QWidget()
        self.page.setLayout(column(self.panel, None))
        self.page.resize(900, 600)
        qtbot.addWidget(self.page)
        self.page.show()
        self.page.activateWindow()

    def rows(self) -> list[DownloadRow]:
        """From top to bottom, as they were laid out."""
        QApplication.processEvents()
        found = [row for row in self.panel.findChildren(DownloadRow) if row.isVisible()]
        return sorted(found, key=lambda row: row.y())

    def shown(self, request: DownloadRequest) -> DownloadRow:
        """A download's row."""
        return next(row for row in self.rows() if row.download.key == request.key)

    def text(self, request: DownloadRequest) -> str:
        """Its figures."""
        return child(self.shown(request), ElidedLabel, "download_figures").whole_text

    def buttons(self, request: DownloadRequest) -> list[str]:
        """Those that can be seen, from left to right."""
        found = [made for made in self.shown(request).findChildren(QAbstractButton) if made.isVisible()]
        return [made.text() or made.toolTip() for made in sorted(found, key=lambda made: made.x())]

    def press(self, request: DownloadRequest, name: str) -> None:
        """Presses one."""
        self.qtbot.mouseClick(child(self.shown(request), QAbstractButton, name), Qt.MouseButton.LeftButton)

    def focus(self, request: DownloadRequest, name: str) -> QAbstractButton:
        """Puts the focus on one."""
        made = child(self.shown(request), QAbstractButton, name)
        made.setFocus()
        assert self.focused() == name
        return made

    def focused(self) -> str:
        """The name of what has the focus."""
        widget = QApplication.focusWidget()
        return "" if widget is None else widget.objectName()

    def has_focus(self, request: DownloadRequest) -> bool:
        """Whether the focus is in a download's row."""
        widget = QApplication.focusWidget()
        return widget is not None and self.shown(request).isAncestorOf(widget)

    def fail(self, request: DownloadRequest, error: HubError) -> None:
        """Lets one fail."""
        self.scripted.running(request.files[0].path).fail(error)
        self.wait_for_state(request, Failed)

    def finish(self, request: DownloadRequest) -> None:
        """Lets one come to its end."""
        self.scripted.running(request.files[0].path).finish()
        self.wait_for_state(request, Finished)


@pytest.fixture
def opened(qtbot: QtBot, theme: Theme, icons: Icons) -> Iterator[Opened]:
    made = Opened(qtbot, theme, icons)
    yield made
    made.page.hide()
    made.close()


def hold(opened: Opened, request: DownloadRequest, count: int) -> None:
    """So many bytes have come, and it is told."""
    opened.scripted.running(request.files[0].path).hold(count)
    opened.settle()


class TestWhatIsShown:
    def test_no_panel_without_downloads(self, opened: Opened) -> None:
        assert opened.panel.isHidden()
        opened.add(A)
        assert opened.panel.isVisible()
        opened.service.cancel(A.key, keep_part=True)
        assert opened.panel.isHidden()

    def test_a_row_for_each_in_order(self, opened: Opened) -> None:
        opened.add(A, B, C)
        names = [child(row, ElidedLabel, "download_name").whole_text for row in opened.rows()]
        assert names == ["Alpha Q4_K_M", "Beta Q4_K_M", "Gamma Q4_K_M"]
        assert opened.text(C) == "1.00 kB · waiting for its turn"

    def test_the_track_follows(self, opened: Opened) -> None:
        opened.add(A)
        hold(opened, A, 400)
        track = opened.shown(A).findChild(Track)
        assert track is not None
        assert track.segments == (Segment(0.4, "accent"),)
        opened.press(A, "pause_download_button")
        assert track.segments == (Segment(0.4, "faint"),)

    def test_all_of_them_in_a_line(self, opened: Opened) -> None:
        opened.add(A, B)
        hold(opened, A, 400)
        summary = child(opened.panel, ElidedLabel, "downloads_summary")
        assert summary.whole_text == "0.40 of 2.00 kB"

    def test_rows_stay_the_same_widgets(self, opened: Opened) -> None:
        opened.add(A, B, C, D)
        before = {row.download.key: row for row in opened.rows()}
        hold(opened, A, 400)
        opened.service.move(D.key, -1)
        assert [row.download.key for row in opened.rows()] == [A.key, B.key, D.key, C.key]
        assert {row.download.key: row for row in opened.rows()} == before

    @pytest.mark.parametrize("width", [320, 480, 1200])
    def test_long_names_and_sentences_fit_any_width(self, opened: Opened, width: int) -> None:
        long = request_for("l.gguf", title="Very-long-name-" * 20)
        opened.add(long)
        opened.fail(
            long, HubError(HubProblem.UNWRITABLE, "/some/folder/that/is/very/long" * 10 + " is read-only.")
        )
        area = QScrollArea()
        opened.qtbot.addWidget(area)
        area.setWidgetResizable(True)
        area.setWidget(opened.page)
        area.resize(width, 400)
        area.show()
        QApplication.processEvents()
        assert opened.page.width() <= area.viewport().width()
        problem = child(opened.panel, QLabel, "download_problem")
        assert problem.width() <= width
        assert problem.height() >= problem.heightForWidth(problem.width())
        area.takeWidget()

    def test_a_strangers_name_is_no_markup(self, opened: Opened) -> None:
        opened.add(request_for("x.gguf", title="<b>x</b>"))
        name = child(opened.panel, ElidedLabel, "download_name")
        assert name.textFormat() is Qt.TextFormat.PlainText


class TestActions:
    def test_by_state(self, opened: Opened) -> None:
        opened.add(A, B, C, D)
        assert opened.buttons(A) == ["Pause", "Cancel"]
        assert opened.buttons(C) == ["Move up", "Move down", "Pause", "Cancel"]
        opened.service.pause(D.key)
        assert opened.buttons(C) == ["Pause", "Cancel"]  # alone it has nowhere to go
        assert opened.buttons(D) == ["Resume", "Cancel"]
        opened.scripted.running("b.gguf").wait(HubProblem.SERVER, 8.0)
        opened.wait_for_state(B, Retrying)
        assert opened.buttons(B) == ["Retry now", "Pause", "Cancel"]
        opened.finish(A)
        assert opened.buttons(A) == ["Load", "Show in folder", "Remove"]

    @pytest.mark.parametrize(
        ("error", "buttons"),
        [
            (GATED, ["Open page", "Settings", "Retry", "Cancel"]),
            (HubError(HubProblem.UNAUTHORISED, "No token."), ["Settings", "Retry", "Cancel"]),
            (HubError(HubProblem.DISK_FULL, "The disk is full."), ["Retry", "Cancel"]),
        ],
    )
    def test_of_a_failure(self, opened: Opened, error: HubError, buttons: list[str]) -> None:
        opened.add(A)
        opened.fail(A, error)
        assert opened.buttons(A) == buttons
        assert child(opened.shown(A), QLabel, "download_problem").accessibleName() == str(error)
        assert child(opened.shown(A), QLabel, "download_problem").isVisible()

    def test_a_bad_name_is_not_tried_again(self, opened: Opened) -> None:
        bad = request_for("../a.gguf")
        opened.add(bad)
        assert opened.buttons(bad) == ["Cancel"]

    def test_a_projector_is_not_loaded(self, opened: Opened) -> None:
        projector = request_for("mmproj-F16.gguf")
        opened.add(projector)
        opened.finish(projector)
        assert opened.buttons(projector) == ["Show in folder", "Remove"]

    def test_they_do_what_they_say(self, opened: Opened) -> None:
        opened.add(A)
        opened.press(A, "pause_download_button")
        assert opened.row(A).state == Paused()
        opened.press(A, "resume_download_button")
        assert opened.row(A).is_active
        opened.scripted.running("a.gguf", 2).wait(HubProblem.SERVER, 60.0)
        opened.wait_for_state(A, Retrying)
        opened.press(A, "retry_download_now_button")
        opened.scripted.running("a.gguf", 3).fail(HubError(HubProblem.SERVER, "It does not answer."))
        opened.wait_for_state(A, Failed)
        opened.press(A, "retry_download_button")
        opened.scripted.running("a.gguf", 4).finish()
        opened.wait_for_state(A, Finished)

        path = A.folder / "a.gguf"
        with opened.qtbot.waitSignal(opened.panel.load_requested) as load:
            opened.press(A, "load_downloaded_button")
        assert load.args == [path]
        opened.press(A, "show_downloaded_button")
        assert opened.shown_in_folder == [path]
        opened.press(A, "remove_download_button")
        assert opened.service.downloads == ()

    def test_what_a_failure_needs_is_asked_for(self, opened: Opened) -> None:
        opened.add(A)
        opened.fail(A, GATED)
        with opened.qtbot.waitSignal(opened.panel.address_requested) as address:
            opened.press(A, "open_download_page_button")
        assert address.args == ["https://hub.example/a"]
        with opened.qtbot.waitSignal(opened.panel.settings_requested):
            opened.press(A, "download_settings_button")

    def test_the_order_is_changed(self, opened: Opened) -> None:
        opened.add(A, B, C, D)
        opened.press(D, "move_download_up_button")
        assert [row.key for row in opened.service.downloads] == [A.key, B.key, D.key, C.key]
        assert not child(opened.shown(C), QAbstractButton, "move_download_down_button").isEnabled()
        opened.press(D, "move_download_down_button")
        assert [row.key for row in opened.service.downloads] == [A.key, B.key, C.key, D.key]

    def test_all_at_once(self, opened: Opened) -> None:
        opened.add(A, B)
        pause, resume, clear = (
            child(opened.panel, QAbstractButton, f"{name}_downloads_button")
            for name in ("pause_all", "resume_all", "remove_finished")
        )
        assert [made.isVisible() for made in (pause, resume, clear)] == [True, False, False]
        pause.click()
        assert [made.isVisible() for made in (pause, resume, clear)] == [False, True, False]
        resume.click()
        opened.scripted.running("a.gguf", 2).finish()
        opened.scripted.running("b.gguf", 2).finish()
        opened.wait_for_state(A, Finished)
        opened.wait_for_state(B, Finished)
        assert [made.isVisible() for made in (pause, resume, clear)] == [False, False, True]
        clear.click()
        assert opened.panel.isHidden()

    def test_their_names_tell_the_download(self, opened: Opened) -> None:
        opened.add(A)
        names = {
            made.accessibleName()
            for made in opened.shown(A).findChildren(QAbstractButton)
            if made.isVisible()
        }
        assert names == {"Pause Alpha Q4_K_M", "Cancel Alpha Q4_K_M"}


class TestCancelling:
    @pytest.fixture
    def asked(self, opened: Opened) -> Opened:
        opened.add(A, B)
        hold(opened, A, 400)
        opened.press(A, "cancel_download_button")
        return opened

    def test_without_a_byte_nothing_is_asked(self, opened: Opened) -> None:
        opened.add(A)
        opened.qtbot.waitUntil(lambda: opened.row(A).is_measured)
        opened.press(A, "cancel_download_button")
        assert opened.service.downloads == ()

    def test_what_nobody_has_looked_at_is_asked_about(self, opened: Opened) -> None:
        opened.scripted.may_measure.clear()
        opened.add(A)
        opened.press(A, "cancel_download_button")
        sentence = child(opened.shown(A), QLabel, "cancel_download_sentence")
        assert sentence.text() == "Keep what has come?"
        assert opened.text(A) == "1.00 kB"
        opened.scripted.may_measure.set()
        opened.qtbot.waitUntil(lambda: opened.row(A).is_measured)
        assert sentence.text() == "Keep what has come (0 bytes)?"

    def test_it_asks_whether_to_keep_what_came(self, asked: Opened) -> None:
        sentence = child(asked.shown(A), QLabel, "cancel_download_sentence")
        assert sentence.text() == "Keep what has come (400 bytes)?"
        assert asked.buttons(A) == ["Keep", "Delete", "Go on"]
        assert asked.row(A).is_active

    def test_and_follows_what_comes_meanwhile(self, asked: Opened) -> None:
        hold(asked, A, 700)
        sentence = child(asked.shown(A), QLabel, "cancel_download_sentence")
        assert sentence.text() == "Keep what has come (700 bytes)?"

    def test_kept(self, asked: Opened) -> None:
        asked.press(A, "keep_part_button")
        assert [row.key for row in asked.service.downloads] == [B.key]
        asked.service.close()
        assert asked.scripted.discarded == []

    def test_deleted(self, asked: Opened) -> None:
        asked.press(A, "delete_part_button")
        assert [row.key for row in asked.service.downloads] == [B.key]
        asked.service.close()
        assert asked.scripted.discarded == ["a.gguf"]

    def test_not_cancelled_after_all(self, asked: Opened) -> None:
        asked.press(A, "go_on_button")
        assert asked.buttons(A) == ["Pause", "Cancel"]
        assert asked.focused() == "cancel_download_button"

    def test_escape_says_so_too(self, asked: Opened) -> None:
        assert asked.focused() == "keep_part_button"
        asked.qtbot.keyClick(child(asked.shown(A), QAbstractButton, "keep_part_button"), Qt.Key.Key_Escape)
        assert asked.buttons(A) == ["Pause", "Cancel"]

    def test_the_question_ends_when_the_download_does(self, asked: Opened) -> None:
        asked.finish(A)
        assert asked.buttons(A) == ["Load", "Show in folder", "Remove"]


class TestFocus:
    def test_it_stays_in_the_row_when_the_button_goes(self, opened: Opened) -> None:
        opened.add(A, B)
        made = opened.focus(B, "pause_download_button")
        opened.qtbot.keyClick(made, Qt.Key.Key_Space)
        assert opened.focused() == "resume_download_button"
        assert opened.has_focus(B)

    def test_it_stays_while_figures_change(self, opened: Opened) -> None:
        opened.add(A, B)
        made = opened.focus(A, "cancel_download_button")
        hold(opened, A, 400)
        assert QApplication.focusWidget() is made

    def test_it_goes_with_a_row_that_moves(self, opened: Opened) -> None:
        opened.add(A, B, C, D, request_for("e.gguf"))
        made = opened.focus(D, "move_download_up_button")
        opened.qtbot.keyClick(made, Qt.Key.Key_Space)
        assert QApplication.focusWidget() is made  # though it cannot go higher
        opened.qtbot.keyClick(made, Qt.Key.Key_Space)
        assert QApplication.focusWidget() is made

    def test_it_goes_to_the_neighbour_of_a_row_that_is_gone(self, opened: Opened) -> None:
        opened.add(A, B, C)
        hold(opened, B, 10)
        opened.press(B, "cancel_download_button")
        opened.qtbot.keyClick(child(opened.shown(B), QAbstractButton, "keep_part_button"), Qt.Key.Key_Space)
        assert opened.has_focus(C)

    def test_pause_all_hands_it_to_resume_all(self, opened: Opened) -> None:
        opened.add(A, B)
        made = child(opened.panel, QAbstractButton, "pause_all_downloads_button")
        made.setFocus()
        opened.qtbot.keyClick(made, Qt.Key.Key_Space)
        assert opened.focused() == "resume_all_downloads_button"


class TestCountdown:
    def timer(self, opened: Opened) -> QTimer:
        found = opened.panel.findChild(QTimer)
        assert found is not None
        return found

    def test_a_wait_is_counted_down(self, opened: Opened) -> None:
        opened.add(A)
        opened.scripted.running("a.gguf").wait(HubProblem.NO_NETWORK, 4.0, attempt=2)
        opened.wait_for_state(A, Retrying)
        assert opened.text(A) == "line dropped, trying again in 4 s (2 of 5)"
        opened.now += 1
        self.timer(opened).timeout.emit()
        assert opened.text(A) == "line dropped, trying again in 3 s (2 of 5)"
        opened.press(A, "pause_download_button")
        assert not self.timer(opened).isActive()

    def test_only_while_it_can_be_seen(self, opened: Opened) -> None:
        opened.add(A)
        assert not self.timer(opened).isActive()
        opened.scripted.running("a.gguf").wait(HubProblem.NO_NETWORK, 9.0)
        opened.wait_for_state(A, Retrying)
        assert self.timer(opened).isActive()
        opened.page.hide()
        assert not self.timer(opened).isActive()
        opened.now += 5
        opened.page.show()
        assert self.timer(opened).isActive()
        assert opened.text(A) == "line dropped, trying again in 4 s (1 of 5)"


def test_it_shows_what_there_was_before_it(qtbot: QtBot, theme: Theme, icons: Icons) -> None:
    window = DownloadWindow(qtbot)
    window.add(A)
    panel = DownloadsPanel(theme, icons, window.service)
    qtbot.addWidget(panel)
    assert [row.download.key for row in panel.findChildren(DownloadRow)] == [A.key]
    window.close()
