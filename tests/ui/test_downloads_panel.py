"""The downloads panel: a row for each, with what can be done about it, by mouse and by keyboard."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QScrollArea
from pytestqt.qtbot import QtBot

from app.models.download import (
    Failed,
    Finished,
    Paused,
    Retrying,
    Transferring,
)
from app.models.hub_problems import HubError, HubProblem
from app.ui.download_row import DownloadRow
from app.ui.downloads_panel import DownloadsPanel
from app.ui.icons import Icons
from app.ui.theme import Theme
from app.ui.track import Segment, Track
from app.ui.widgets import ElidedLabel
from tests.fakes.children import child
from tests.fakes.download_window import DownloadWindow
from tests.fakes.opened_downloads_panel import OpenedDownloadsPanel
from tests.fakes.scripted_transfer import request_for

A = request_for("a.gguf", title="Alpha Q4_K_M")
B = request_for("b.gguf", title="Beta Q4_K_M")
C = request_for("c.gguf", title="Gamma Q4_K_M")
D = request_for("d.gguf", title="Delta Q4_K_M")
GATED = HubError(HubProblem.GATED, "Accept the licence on its page.", address="https://hub.example/a")


@pytest.fixture
def opened(qtbot: QtBot, theme: Theme, icons: Icons) -> Iterator[OpenedDownloadsPanel]:
    made = OpenedDownloadsPanel(qtbot, theme, icons)
    yield made
    made.page.hide()
    made.close()


class TestWhatIsShown:
    def test_no_panel_without_downloads(self, opened: OpenedDownloadsPanel) -> None:
        assert opened.panel.isHidden()
        opened.add(A)
        assert opened.panel.isVisible()
        opened.service.cancel(A.key, keep_part=True)
        assert opened.panel.isHidden()

    def test_a_row_for_each_in_order(self, opened: OpenedDownloadsPanel) -> None:
        opened.add(A, B, C)
        names = [child(row, ElidedLabel, "download_name").whole_text for row in opened.rows()]
        assert names == ["Alpha Q4_K_M", "Beta Q4_K_M", "Gamma Q4_K_M"]
        assert opened.text(C) == "1.00 kB · waiting for its turn"

    def test_the_track_follows(self, opened: OpenedDownloadsPanel) -> None:
        opened.add(A)
        opened.hold(A, 400)
        track = opened.shown(A).findChild(Track)
        assert track is not None
        assert track.segments == (Segment(0.4, "accent"),)
        opened.press(A, "pause_download_button")
        assert track.segments == (Segment(0.4, "faint"),)

    def test_all_of_them_in_a_line(self, opened: OpenedDownloadsPanel) -> None:
        opened.add(A, B)
        opened.hold(A, 400)
        summary = child(opened.panel, ElidedLabel, "downloads_summary")
        assert summary.whole_text == "0.40 of 2.00 kB"

    def test_rows_stay_the_same_widgets(self, opened: OpenedDownloadsPanel) -> None:
        opened.add(A, B, C, D)
        before = {row.download.key: row for row in opened.rows()}
        opened.hold(A, 400)
        opened.service.move(D.key, -1)
        assert [row.download.key for row in opened.rows()] == [A.key, B.key, D.key, C.key]
        assert {row.download.key: row for row in opened.rows()} == before

    @pytest.mark.parametrize("width", [320, 480, 1200])
    def test_long_names_and_sentences_fit_any_width(self, opened: OpenedDownloadsPanel, width: int) -> None:
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

    def test_a_strangers_name_is_no_markup(self, opened: OpenedDownloadsPanel) -> None:
        opened.add(request_for("x.gguf", title="<b>x</b>"))
        name = child(opened.panel, ElidedLabel, "download_name")
        assert name.textFormat() is Qt.TextFormat.PlainText


class TestActions:
    def test_by_state(self, opened: OpenedDownloadsPanel) -> None:
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
            (HubError(HubProblem.CHANGED, "It is another file now."), ["Show its files", "Cancel"]),
        ],
    )
    def test_of_a_failure(self, opened: OpenedDownloadsPanel, error: HubError, buttons: list[str]) -> None:
        opened.add(A)
        opened.fail(A, error)
        assert opened.buttons(A) == buttons
        assert child(opened.shown(A), QLabel, "download_problem").accessibleName() == str(error)
        assert child(opened.shown(A), QLabel, "download_problem").isVisible()

    def test_a_bad_name_is_not_tried_again(self, opened: OpenedDownloadsPanel) -> None:
        bad = request_for("../a.gguf")
        opened.add(bad)
        assert opened.buttons(bad) == ["Cancel"]

    def test_a_projector_is_not_loaded(self, opened: OpenedDownloadsPanel) -> None:
        projector = request_for("mmproj-F16.gguf")
        opened.add(projector)
        opened.finish(projector)
        assert opened.buttons(projector) == ["Show in folder", "Remove"]

    def test_they_do_what_they_say(self, opened: OpenedDownloadsPanel) -> None:
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

    def test_what_a_failure_needs_is_asked_for(self, opened: OpenedDownloadsPanel) -> None:
        opened.add(A)
        opened.fail(A, GATED)
        with opened.qtbot.waitSignal(opened.panel.address_requested) as address:
            opened.press(A, "open_download_page_button")
        assert address.args == ["https://hub.example/a"]
        with opened.qtbot.waitSignal(opened.panel.settings_requested):
            opened.press(A, "download_settings_button")

    def test_files_that_have_changed_are_looked_at_again(self, opened: OpenedDownloadsPanel) -> None:
        opened.add(A)
        opened.fail(A, HubError(HubProblem.CHANGED, "It is another file now."))
        with opened.qtbot.waitSignal(opened.panel.files_requested) as asked:
            opened.press(A, "show_repository_button")
        assert asked.args == [opened.row(A)]

    def test_the_order_is_changed(self, opened: OpenedDownloadsPanel) -> None:
        opened.add(A, B, C, D)
        opened.press(D, "move_download_up_button")
        assert [row.key for row in opened.service.downloads] == [A.key, B.key, D.key, C.key]
        assert not child(opened.shown(C), QAbstractButton, "move_download_down_button").isEnabled()
        opened.press(D, "move_download_down_button")
        assert [row.key for row in opened.service.downloads] == [A.key, B.key, C.key, D.key]

    def test_all_at_once(self, opened: OpenedDownloadsPanel) -> None:
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

    def test_their_names_tell_the_download(self, opened: OpenedDownloadsPanel) -> None:
        opened.add(A)
        names = {
            made.accessibleName()
            for made in opened.shown(A).findChildren(QAbstractButton)
            if made.isVisible()
        }
        assert names == {"Pause Alpha Q4_K_M", "Cancel Alpha Q4_K_M"}


class TestCancelling:
    @pytest.fixture
    def asked(self, opened: OpenedDownloadsPanel) -> OpenedDownloadsPanel:
        opened.add(A, B)
        opened.hold(A, 400)
        opened.press(A, "cancel_download_button")
        return opened

    def test_without_a_byte_nothing_is_asked(self, opened: OpenedDownloadsPanel) -> None:
        opened.add(A)
        opened.qtbot.waitUntil(lambda: opened.row(A).is_measured)
        opened.press(A, "cancel_download_button")
        assert opened.service.downloads == ()

    def test_what_nobody_has_looked_at_is_asked_about(self, opened: OpenedDownloadsPanel) -> None:
        opened.scripted.may_measure.clear()
        opened.add(A)
        opened.press(A, "cancel_download_button")
        sentence = child(opened.shown(A), QLabel, "cancel_download_sentence")
        assert sentence.text() == "Cancel this download?"
        assert opened.text(A) == "1.00 kB"
        opened.scripted.may_measure.set()
        opened.qtbot.waitUntil(lambda: opened.row(A).is_measured)
        assert sentence.text() == "Cancel this download? 0.00 of 1.00 kB have come."

    def test_it_asks_whether_to_keep_what_came(self, asked: OpenedDownloadsPanel) -> None:
        sentence = child(asked.shown(A), QLabel, "cancel_download_sentence")
        assert sentence.text() == "Cancel this download? 0.40 of 1.00 kB have come."
        assert asked.buttons(A) == ["Keep the part", "Delete the part", "Don't cancel"]
        assert asked.row(A).is_active

    def test_and_follows_what_comes_meanwhile(self, asked: OpenedDownloadsPanel) -> None:
        asked.hold(A, 700)
        sentence = child(asked.shown(A), QLabel, "cancel_download_sentence")
        assert sentence.text() == "Cancel this download? 0.70 of 1.00 kB have come."

    def test_what_is_kept_can_be_found_again(self, asked: OpenedDownloadsPanel) -> None:
        asked.press(A, "keep_part_button")
        assert (asked.row(A).state, asked.row(A).received_bytes) == (Paused(), 400)
        assert asked.buttons(A) == ["Resume", "Cancel"]
        asked.press(A, "cancel_download_button")
        assert asked.buttons(A) == ["Keep the part", "Delete the part"]
        asked.press(A, "keep_part_button")
        assert asked.buttons(A) == ["Resume", "Cancel"]
        assert asked.row(A).state == Paused()
        asked.service.close()
        assert asked.scripted.discarded == []

    def test_what_has_failed_is_kept_as_it_is(self, opened: OpenedDownloadsPanel) -> None:
        opened.add(A)
        opened.hold(A, 400)
        opened.fail(A, HubError(HubProblem.DISK_FULL, "The disk is full."))
        opened.press(A, "cancel_download_button")
        opened.press(A, "keep_part_button")
        assert opened.buttons(A) == ["Retry", "Cancel"]

    def test_one_that_is_paused_meanwhile_has_nothing_to_go_on_with(
        self, asked: OpenedDownloadsPanel
    ) -> None:
        assert asked.focused() == "go_on_button"
        asked.service.pause_all()
        assert asked.buttons(A) == ["Keep the part", "Delete the part"]
        assert asked.focused() == "keep_part_button"

    def test_deleted(self, asked: OpenedDownloadsPanel) -> None:
        asked.press(A, "delete_part_button")
        assert [row.key for row in asked.service.downloads] == [B.key]
        asked.service.close()
        assert asked.scripted.discarded == ["a.gguf"]

    def test_not_cancelled_after_all(self, asked: OpenedDownloadsPanel) -> None:
        asked.press(A, "go_on_button")
        assert asked.buttons(A) == ["Pause", "Cancel"]
        assert asked.focused() == "cancel_download_button"

    def test_escape_says_so_too(self, asked: OpenedDownloadsPanel) -> None:
        assert asked.focused() == "go_on_button"
        asked.qtbot.keyClick(child(asked.shown(A), QAbstractButton, "go_on_button"), Qt.Key.Key_Escape)
        assert asked.buttons(A) == ["Pause", "Cancel"]

    def test_the_question_ends_when_the_download_does(self, asked: OpenedDownloadsPanel) -> None:
        asked.finish(A)
        assert asked.buttons(A) == ["Load", "Show in folder", "Remove"]
        assert QApplication.focusWidget() is asked.shown(A)

    def test_and_leaves_the_focus_where_it_is(self, asked: OpenedDownloadsPanel) -> None:
        made = asked.focus(B, "pause_download_button")
        asked.finish(A)
        assert QApplication.focusWidget() is made


class TestFocus:
    def test_it_stays_in_the_row_when_the_button_goes(self, opened: OpenedDownloadsPanel) -> None:
        opened.add(A, B)
        made = opened.focus(B, "pause_download_button")
        opened.qtbot.keyClick(made, Qt.Key.Key_Space)
        assert opened.focused() == "resume_download_button"
        assert opened.has_focus(B)

    def test_it_stays_while_figures_change(self, opened: OpenedDownloadsPanel) -> None:
        opened.add(A, B)
        made = opened.focus(A, "cancel_download_button")
        opened.hold(A, 400)
        assert QApplication.focusWidget() is made

    def test_it_goes_with_a_row_that_moves(self, opened: OpenedDownloadsPanel) -> None:
        opened.add(A, B, C, D, request_for("e.gguf"))
        made = opened.focus(D, "move_download_up_button")
        opened.qtbot.keyClick(made, Qt.Key.Key_Space)
        assert QApplication.focusWidget() is made  # though it cannot go higher
        opened.qtbot.keyClick(made, Qt.Key.Key_Space)
        assert QApplication.focusWidget() is made

    def test_it_goes_to_the_neighbour_of_a_row_that_is_gone(self, opened: OpenedDownloadsPanel) -> None:
        opened.add(A, B, C)
        opened.hold(B, 10)
        opened.press(B, "cancel_download_button")
        opened.qtbot.keyClick(child(opened.shown(B), QAbstractButton, "delete_part_button"), Qt.Key.Key_Space)
        assert opened.has_focus(C)
        assert not isinstance(QApplication.focusWidget(), QAbstractButton), "the next key is not for it"
        opened.finish(A)
        opened.finish(C)
        opened.qtbot.keyClick(opened.focus(A, "remove_download_button"), Qt.Key.Key_Space)
        assert QApplication.focusWidget() is opened.shown(C)
        opened.service.remove(C.key)  # and the row itself can go with it

    def test_a_key_for_pause_does_not_load_what_has_just_come(self, opened: OpenedDownloadsPanel) -> None:
        opened.add(A)
        opened.focus(A, "pause_download_button")
        opened.finish(A)
        row = opened.shown(A)
        assert QApplication.focusWidget() is row
        with opened.qtbot.assertNotEmitted(opened.panel.load_requested):
            opened.qtbot.keyClick(row, Qt.Key.Key_Space)
        opened.qtbot.keyClick(row, Qt.Key.Key_Tab)
        assert opened.focused() == "load_downloaded_button"

    def test_nor_open_a_page_when_it_fails(self, opened: OpenedDownloadsPanel) -> None:
        opened.add(A)
        opened.focus(A, "pause_download_button")
        opened.fail(A, GATED)
        assert QApplication.focusWidget() is opened.shown(A)

    def test_nor_pause_what_was_to_be_tried_again(self, opened: OpenedDownloadsPanel) -> None:
        opened.add(A)
        transfer = opened.scripted.running("a.gguf")
        transfer.wait(HubProblem.SERVER, 8.0)
        opened.wait_for_state(A, Retrying)
        opened.focus(A, "retry_download_now_button")
        transfer.hold(1)
        transfer.move()
        opened.wait_for_state(A, Transferring)
        assert QApplication.focusWidget() is opened.shown(A)

    def test_nor_clear_the_list_when_the_last_one_ends(self, opened: OpenedDownloadsPanel) -> None:
        opened.add(A, B)
        child(opened.panel, QAbstractButton, "pause_all_downloads_button").setFocus()
        opened.finish(A)
        opened.finish(B)
        assert child(opened.panel, QAbstractButton, "remove_finished_downloads_button").isVisible()
        assert QApplication.focusWidget() is opened.shown(A)

    def test_the_row_that_has_it_shows_so(self, opened: OpenedDownloadsPanel, theme: Theme) -> None:
        opened.add(A)
        row = opened.shown(A)
        ring = QPoint(row.width() // 2, 0)
        assert row.grab().toImage().pixelColor(ring) != theme.colours.accent
        row.setFocus()
        assert row.grab().toImage().pixelColor(ring) == theme.colours.accent

    def test_pause_all_hands_it_to_resume_all(self, opened: OpenedDownloadsPanel) -> None:
        opened.add(A, B)
        made = child(opened.panel, QAbstractButton, "pause_all_downloads_button")
        made.setFocus()
        opened.qtbot.keyClick(made, Qt.Key.Key_Space)
        assert opened.focused() == "resume_all_downloads_button"


def test_it_shows_what_there_was_before_it(qtbot: QtBot, theme: Theme, icons: Icons) -> None:
    window = DownloadWindow(qtbot)
    window.add(A)
    panel = DownloadsPanel(theme, icons, window.service)
    qtbot.addWidget(panel)
    assert [row.download.key for row in panel.findChildren(DownloadRow)] == [A.key]
    window.close()
