"""Discover, as a person uses it: found, chosen, downloaded, loaded."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QFontMetrics, QWheelEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QLineEdit, QScrollArea, QTableView, QWidget
from pytestqt.qtbot import QtBot

from app.models.hub import Gate, HubModel, RemoteFile
from app.models.hub_problems import HubError, HubProblem
from app.settings import ThemeChoice
from app.ui.files_delegate import FilesDelegate
from app.ui.files_table import FileColumn, FileRole
from app.ui.files_view import FilesView
from app.ui.icons import Icons
from app.ui.row_delegate import PADDING
from app.ui.search_panel import SearchPanel
from app.ui.theme import Theme
from tests.fakes.children import child
from tests.fakes.held_tasks import HeldTasks
from tests.fakes.library_places import Places
from tests.fakes.local_models import local_model
from tests.fakes.opened_discover_page import OpenedDiscoverPage
from tests.fakes.scripted_hub import found_model, hub_model, remote_model
from tests.fakes.tasks import ImmediateTasks

CODER = "Qwen/Qwen2.5-Coder-7B-Instruct-GGUF"
DRAFT = "Qwen/Qwen2.5-Coder-0.5B-Instruct-GGUF"
GEMMA = "google/gemma-3-4b-it-GGUF"

CODER_MODEL = hub_model(
    found_model(CODER, parameters=7_600_000_000),
    remote_model("Q4_K_M", 4_680_000_000, stem="coder", parts=2),
    remote_model("Q8_0", 8_100_000_000, stem="coder"),
    base_models=("Qwen/Qwen2.5-Coder-7B-Instruct",),
)
DRAFT_MODEL = hub_model(
    found_model(DRAFT, parameters=494_000_000),
    remote_model("Q4_K_M", 491_000_000, stem="draft"),
    base_models=("Qwen/Qwen2.5-Coder-0.5B-Instruct",),
)
GEMMA_MODEL = hub_model(
    found_model(GEMMA, gate=Gate.MANUAL, architecture="gemma3"),
    remote_model("Q4_0", 2_500_000_000, stem="gemma"),
    projectors=(remote_model("F16", 850_000_000, stem="mmproj"),),
    unjoined=(RemoteFile("big.gguf.part1of2", 10, None), RemoteFile("big.gguf.part2of2", 10, None)),
    base_models=("google/gemma-3-4b-it",),
)


@pytest.fixture
def opened(
    places: Places, theme: Theme, icons: Icons, immediate_tasks: ImmediateTasks, qtbot: QtBot
) -> Iterator[OpenedDiscoverPage]:
    """A page before a hub with three repositories, whose answers come at once."""
    made = OpenedDiscoverPage(places, theme, icons, immediate_tasks, qtbot)
    made.add(CODER_MODEL, DRAFT_MODEL, GEMMA_MODEL)
    yield made
    made.close()


class TestFinding:
    def test_nothing_is_asked_before_the_page_is_shown(self, opened: OpenedDiscoverPage) -> None:
        opened.page.search_for("gemma")
        assert opened.hub.calls == []
        opened.show()
        assert opened.results[0] == "gemma-3-4b-it-GGUF"

    def test_a_result_that_is_clicked_is_opened(self, opened: OpenedDiscoverPage) -> None:
        opened.show()
        assert opened.is_shown("nothing_chosen")
        opened.page.search_for("coder")
        opened.click_result(0)
        assert opened.text("repository_name") == "Qwen2.5-Coder-7B-Instruct-GGUF"
        assert opened.text("repository_facts").startswith("Qwen · Apache-2.0 · qwen2 · 7.6B")
        assert opened.column(FileColumn.FILE) == ["Q4_K_M", "Q8_0"]
        assert not opened.is_shown("nothing_chosen")

    def test_a_name_leads_to_its_repository(self, opened: OpenedDiscoverPage) -> None:
        opened.show()
        opened.field().setText(f"{CODER}:q8_0")
        opened.qtbot.keyClick(opened.field(), Qt.Key.Key_Return)
        assert opened.text("repository_name") == "Qwen2.5-Coder-7B-Instruct-GGUF"
        assert opened.files.currentIndex().row() == 1

    def test_the_address_of_a_file_selects_it(self, opened: OpenedDiscoverPage) -> None:
        opened.show()
        opened.field().setText(f"https://huggingface.co/{CODER}/blob/main/coder-Q8_0.gguf")
        opened.qtbot.keyClick(opened.field(), Qt.Key.Key_Return)
        assert opened.files.currentIndex().row() == 1

    def test_the_page_is_as_it_was_when_one_comes_back(self, opened: OpenedDiscoverPage) -> None:
        opened.show()
        opened.page.search_for("coder")
        opened.click_result(0)
        asked = len(opened.hub.calls)
        opened.page.hide()
        opened.page.show()
        assert opened.text("repository_name") == "Qwen2.5-Coder-7B-Instruct-GGUF"
        assert opened.field().text() == "coder"
        assert len(opened.hub.calls) == asked

    def test_an_answer_about_another_that_comes_late_is_not_shown(
        self, places: Places, theme: Theme, icons: Icons, qtbot: QtBot
    ) -> None:
        tasks = HeldTasks()
        opened = OpenedDiscoverPage(places, theme, icons, tasks, qtbot)
        opened.add(CODER_MODEL, DRAFT_MODEL, GEMMA_MODEL)
        opened.show()
        for repo in (GEMMA, CODER):
            opened.open(repo)
        assert opened.text("repository_name") == "Qwen2.5-Coder-7B-Instruct-GGUF"
        assert opened.text("no_files") == "Reading what is in it…"
        tasks.release_all()
        assert opened.column(FileColumn.FILE) == ["Q4_K_M", "Q8_0"]
        assert opened.hub.asked("describe")[0] == CODER
        opened.close()

    def test_a_new_search_leaves_a_repository_that_could_not_be_opened(
        self, opened: OpenedDiscoverPage
    ) -> None:
        opened.show()
        for method in ("search", "describe"):
            opened.hub.fail(method, HubError(HubProblem.HIDDEN, "nobody/nothing does not exist."))
        opened.field().setText("nobody/nothing")
        opened.qtbot.keyClick(opened.field(), Qt.Key.Key_Return)
        assert opened.text("repository_trouble_title") == "Not found, or private"
        assert not opened.is_shown("search_trouble"), "once is enough"
        opened.page.search_for("coder")
        assert not opened.is_shown("repository_trouble")
        assert opened.is_shown("nothing_chosen")
        opened.click_result(0)
        assert opened.text("repository_name") == "Qwen2.5-Coder-7B-Instruct-GGUF"

    def test_a_new_search_leaves_what_is_open_as_it_is(self, opened: OpenedDiscoverPage) -> None:
        opened.show()
        opened.open(CODER)
        opened.page.search_for("gemma")
        assert opened.text("repository_name") == "Qwen2.5-Coder-7B-Instruct-GGUF"


class TestChoosingQuickly:
    @pytest.fixture
    def held(
        self, places: Places, theme: Theme, icons: Icons, qtbot: QtBot
    ) -> Iterator[tuple[OpenedDiscoverPage, HeldTasks]]:
        """A page with three results, whose further questions wait."""
        tasks = HeldTasks()
        made = OpenedDiscoverPage(places, theme, icons, tasks, qtbot)
        made.add(CODER_MODEL, DRAFT_MODEL, GEMMA_MODEL)
        made.show()
        tasks.release_all()
        assert len(made.results) == 3
        yield made, tasks
        made.close()

    @pytest.mark.parametrize("answers", [0, 1, 2, 3])
    def test_the_last_of_several_results_is_shown_with_its_hints(
        self, held: tuple[OpenedDiscoverPage, HeldTasks], answers: int
    ) -> None:
        """However many answers about one come before the next is clicked."""
        opened, tasks = held
        places = [opened.results.index(repo.rpartition("/")[2]) for repo in (GEMMA, DRAFT, CODER)]
        for place in places:
            opened.click_result(place)
            for _ in range(min(answers, tasks.waiting)):
                tasks.release()
        assert opened.text("repository_name") == "Qwen2.5-Coder-7B-Instruct-GGUF"
        tasks.release_all()

        assert opened.text("repository_name") == "Qwen2.5-Coder-7B-Instruct-GGUF"
        assert opened.column(FileColumn.FILE) == ["Q4_K_M", "Q8_0"]
        assert set(opened.column(FileColumn.MACHINE)) <= {"fits", "fits without draft"}
        assert "Qwen2.5-Coder-0.5B-Instruct" in opened.text("draft_offer_line")
        if not answers:
            assert opened.hub.asked("describe")[0] == CODER, "of the others nobody wants to know any more"
            assert not any(GEMMA in subject for subject in opened.hub.asked("header"))


class TestChoosing:
    def test_the_recommended_row_is_marked_and_selected(self, opened: OpenedDiscoverPage) -> None:
        opened.show()
        opened.open(CODER)
        assert opened.column(FileColumn.QUALITY) == ["good, recommended", "near original"]
        assert opened.files.currentIndex().row() == 0

    def test_every_row_says_whether_it_fits(self, opened: OpenedDiscoverPage) -> None:
        opened.show()
        opened.open(CODER)
        assert set(opened.column(FileColumn.MACHINE)) <= {"fits", "fits without draft"}

    def test_memory_that_has_gone_is_seen_when_one_comes_back(self, opened: OpenedDiscoverPage) -> None:
        opened.show()
        opened.open(CODER)
        before = opened.column(FileColumn.MACHINE)
        opened.page.hide()
        opened.free_memory = 1_000_000
        opened.page.show()
        assert "fits" in before[0]
        assert not any("fits" in word for word in opened.column(FileColumn.MACHINE))

    def test_a_choice_made_by_hand_stays(self, opened: OpenedDiscoverPage) -> None:
        opened.show()
        opened.open(CODER)
        opened.files.selectRow(1)
        opened.page.hide()
        opened.page.show()
        assert opened.files.currentIndex().row() == 1

    def test_a_licence_to_be_accepted_is_said(self, opened: OpenedDiscoverPage) -> None:
        opened.show()
        opened.open(GEMMA)
        assert opened.notice("gate_notice").startswith("google decides who may download this.")
        opened.click("gate_settings_button")
        assert opened.settings_requests == 1
        opened.open(CODER)
        assert opened.notice("gate_notice") == ""

    def test_the_licence_is_not_spoken_of_once_a_file_comes(self, opened: OpenedDiscoverPage) -> None:
        opened.show()
        opened.open(GEMMA)
        opened.press(0)
        coming = opened.transfers.running("gemma-Q4_0.gguf")
        assert opened.notice("gate_notice"), "nothing has come yet"
        coming.hold(1_000_000_000)
        opened.qtbot.waitUntil(lambda: opened.notice("gate_notice") == "")
        opened.open(CODER)
        opened.open(GEMMA)
        assert opened.notice("gate_notice") == ""

    def test_nor_where_one_is_here(self, opened: OpenedDiscoverPage) -> None:
        path = opened.places.put("someone/gated/model-Q8_0.gguf")
        row = remote_model("Q8_0", path.stat().st_size)
        opened.add(hub_model(found_model("someone/gated", gate=Gate.AUTOMATIC), row))
        opened.places.library.refresh()
        opened.show()
        opened.open("someone/gated")
        assert opened.column(FileColumn.MACHINE) == ["in My Models"]
        assert opened.notice("gate_notice") == ""

    def test_but_still_where_the_hub_refuses(self, opened: OpenedDiscoverPage) -> None:
        opened.show()
        opened.open(GEMMA)
        opened.press(0)
        opened.transfers.running("gemma-Q4_0.gguf").fail(HubError(HubProblem.GATED, "Accept it first."))
        opened.qtbot.waitUntil(lambda: opened.column(FileColumn.ACTION) == ["Retry"])
        assert opened.notice("gate_notice")

    def test_pieces_that_were_cut_up_are_named_with_how_to_join_them(
        self, opened: OpenedDiscoverPage
    ) -> None:
        opened.show()
        opened.open(GEMMA)
        text = opened.text("unjoined_pieces")
        assert text.startswith(
            "big.gguf was cut into pieces that cannot be used as they are: big.gguf.part1of2"
        )
        assert "cat PIECE1 PIECE2 > big.gguf" in text

    def test_projectors_stand_apart_until_they_are_wanted(self, opened: OpenedDiscoverPage) -> None:
        opened.show()
        opened.open(GEMMA)
        assert not opened.is_shown("projectors")
        opened.click("projectors_button")
        assert opened.is_shown("projectors")
        opened.press(0, "projectors_table")
        assert [request.files[0].name for request in opened.requests()] == ["mmproj-F16.gguf"]
        opened.open(CODER)
        assert not opened.is_shown("projectors_button")

    def test_a_repository_without_files_for_us_says_so(self, opened: OpenedDiscoverPage) -> None:
        opened.add(HubModel(found_model("x/empty"), "c0ffee", None, (), (), ()))
        opened.show()
        opened.open("x/empty")
        assert "no GGUF files" in opened.text("no_files")
        assert not opened.files.isVisible()

    def test_the_model_card_opens(self, opened: OpenedDiscoverPage) -> None:
        opened.hub.cards[CODER] = "# About it"
        opened.show()
        opened.open(CODER)
        opened.click("model_card_button")
        card = opened.card()
        card.view.finish_work()
        assert card.view.text == "About it"
        card.close()


class TestDownloading:
    def test_download_wants_all_files_of_a_row(self, opened: OpenedDiscoverPage) -> None:
        opened.show()
        opened.open(CODER)
        opened.press(0)
        (request,) = opened.requests()
        assert (request.repo, request.commit, len(request.files)) == (CODER, CODER_MODEL.commit, 2)
        assert request.folder == opened.places.managed / "Qwen" / "Qwen2.5-Coder-7B-Instruct-GGUF"
        assert request.title == "Qwen2.5-Coder-7B-Instruct Q4_K_M"
        assert opened.is_shown("downloads_panel")

    def test_enter_does_the_same(self, opened: OpenedDiscoverPage) -> None:
        opened.show()
        opened.open(CODER)
        opened.files.setFocus()
        opened.qtbot.keyClick(opened.files, Qt.Key.Key_Down)
        opened.qtbot.keyClick(opened.files, Qt.Key.Key_Return)
        assert [request.files[0].name for request in opened.requests()] == ["coder-Q8_0.gguf"]

    def test_its_progress_stands_in_the_row(self, opened: OpenedDiscoverPage) -> None:
        opened.show()
        opened.open(DRAFT)
        opened.press(0)
        opened.transfers.running("draft-Q4_K_M.gguf").hold(491_000_000 // 2)
        opened.qtbot.waitUntil(lambda: opened.column(FileColumn.ACTION) == ["50 %"])
        opened.press(0)
        assert len(opened.requests()) == 1

    def test_a_paused_one_goes_on_from_its_row(self, opened: OpenedDiscoverPage) -> None:
        opened.show()
        opened.open(DRAFT)
        opened.press(0)
        opened.transfers.running("draft-Q4_K_M.gguf")
        opened.downloads.pause_all()
        opened.qtbot.waitUntil(lambda: opened.column(FileColumn.ACTION) == ["Resume"])
        opened.press(0)
        opened.transfers.running("draft-Q4_K_M.gguf", 2)

    def change(self, opened: OpenedDiscoverPage, size: int) -> None:
        """The file that is being downloaded becomes another one on the hub, which is found out."""
        changed = hub_model(DRAFT_MODEL.found, remote_model("Q4_K_M", size, stem="draft"))
        opened.add(replace(changed, commit="decade"))
        error = HubError(HubProblem.CHANGED, "It is another file now.")
        opened.transfers.running("draft-Q4_K_M.gguf").fail(error)
        opened.qtbot.waitUntil(lambda: opened.column(FileColumn.ACTION) == ["Retry"])

    def test_of_a_file_that_has_changed_the_new_one_is_fetched(self, opened: OpenedDiscoverPage) -> None:
        opened.show()
        opened.open(DRAFT)
        opened.press(0)
        self.change(opened, 500_000_000)
        opened.press(0)
        opened.transfers.running("draft-Q4_K_M.gguf", 2)
        [request] = opened.requests()
        assert (request.commit, request.total_bytes) == ("decade", 500_000_000)
        assert opened.column(FileColumn.SIZE) == ["500 MB"]

    def test_the_panel_leads_to_what_has_become_of_it(self, opened: OpenedDiscoverPage) -> None:
        opened.show()
        opened.open(DRAFT)
        opened.press(0)
        self.change(opened, 500_000_000)
        opened.open(CODER)
        opened.click("show_repository_button")
        assert opened.text("repository_name") == "Qwen2.5-Coder-0.5B-Instruct-GGUF"
        assert opened.column(FileColumn.SIZE) == ["500 MB"]
        assert opened.requests()[0].commit == DRAFT_MODEL.commit, "nothing is fetched unasked"
        asked = len(opened.hub.asked("describe"))
        opened.press(0)
        opened.transfers.running("draft-Q4_K_M.gguf", 2)
        assert opened.requests()[0].commit == "decade"
        assert len(opened.hub.asked("describe")) == asked, "it has been read already"

    def test_a_result_that_is_open_is_read_anew_by_a_click(self, opened: OpenedDiscoverPage) -> None:
        opened.show()
        opened.page.search_for("coder")
        opened.click_result(0)
        before = opened.hub.asked("describe").count(CODER)
        opened.click_result(0)
        assert opened.hub.asked("describe").count(CODER) == before + 1
        assert opened.column(FileColumn.FILE) == ["Q4_K_M", "Q8_0"]

    def test_what_has_come_can_be_loaded_and_once_deleted_fetched_again(
        self, opened: OpenedDiscoverPage
    ) -> None:
        folder = opened.places.managed / "someone" / "tiny"
        path = opened.places.put("someone/tiny/model-Q8_0.gguf")
        opened.add(hub_model(found_model("someone/tiny"), remote_model("Q8_0", path.stat().st_size)))
        opened.places.library.refresh()
        opened.show()
        opened.open("someone/tiny")
        assert (opened.column(FileColumn.MACHINE), opened.column(FileColumn.ACTION)) == (
            ["in My Models"],
            ["Load"],
        )
        opened.press(0)
        assert (opened.loads, opened.requests()) == ([path], [])
        path.unlink()
        opened.places.library.refresh()
        assert opened.column(FileColumn.ACTION) == ["Download"]
        opened.press(0)
        assert [request.folder for request in opened.requests()] == [folder]

    def test_a_name_that_cannot_be_a_folder_is_refused_in_words(self, opened: OpenedDiscoverPage) -> None:
        opened.add(hub_model(found_model("someone/con"), remote_model("Q8_0", 10)))
        opened.show()
        opened.open("someone/con")
        opened.press(0)
        assert "cannot be the name of a file" in opened.notice("repository_notice")
        assert opened.requests() == []

    def test_download_both_takes_the_pair(self, opened: OpenedDiscoverPage) -> None:
        opened.show()
        opened.open(CODER)
        opened.click("download_both_button")
        assert [request.repo for request in opened.requests()] == [CODER, DRAFT]
        [(target, draft)] = opened.pairs
        assert target.parent == opened.requests()[0].folder
        assert draft.parent == opened.requests()[1].folder

    def test_the_reason_of_the_recommendation_is_said(self, opened: OpenedDiscoverPage) -> None:
        opened.show()
        opened.open(CODER)
        assert "is recommended: " in opened.text("files_advice")

    def test_what_is_squeezed_too_hard_is_not_recommended(self, opened: OpenedDiscoverPage) -> None:
        opened.add(hub_model(found_model("someone/squeezed-7B-GGUF"), remote_model("Q2_K", 1000)))
        opened.show()
        opened.open("someone/squeezed-7B-GGUF")
        assert "a smaller model would answer better" in opened.text("files_advice")

    def test_a_repository_without_such_files_leads_to_those_that_have_some(
        self, opened: OpenedDiscoverPage
    ) -> None:
        name = "Qwen/Qwen2.5-Coder-0.5B-Instruct"
        opened.add(HubModel(found_model(name), "c0ffee", None, (), (), ()))
        opened.show()
        opened.open(name)
        opened.click("search_gguf_button")
        assert opened.field().text() == "Qwen2.5-Coder-0.5B-Instruct"
        assert "Qwen2.5-Coder-0.5B-Instruct-GGUF" in opened.results

    def test_the_files_keep_their_height_in_a_tall_window(self, opened: OpenedDiscoverPage) -> None:
        opened.show()
        opened.page.resize(1200, 3000)
        opened.open(CODER)
        QApplication.processEvents()
        files = child(opened.page, FilesView, "files_table")
        card = files.parentWidget()
        assert card is not None
        assert card.height() < files.content_height + 20


class TestDraftsForAModel:
    def test_they_are_shown_with_the_search_already_made(self, opened: OpenedDiscoverPage) -> None:
        opened.show()
        opened.page.find_drafts_for(local_model("Qwen2.5-Coder 7B Instruct", parameters=7_600_000_000))
        assert opened.is_shown("draft_finder")
        assert "Qwen2.5-Coder" in opened.field().text()
        assert "Qwen2.5-Coder-0.5B-Instruct-GGUF" in opened.results

    def test_one_is_downloaded_or_looked_at_and_there_is_a_way_back(self, opened: OpenedDiscoverPage) -> None:
        opened.show()
        opened.page.find_drafts_for(local_model("Qwen2.5-Coder 7B Instruct", parameters=7_600_000_000))
        opened.click("see_draft_button_0")
        assert opened.text("repository_name") == "Qwen2.5-Coder-0.5B-Instruct-GGUF"
        assert not opened.is_shown("draft_finder")
        opened.click("back_to_drafts_button")
        assert opened.is_shown("draft_finder")
        opened.click("download_draft_button_0")
        assert [request.repo for request in opened.requests()] == [DRAFT]
        [(target, _)] = opened.pairs
        assert target == local_model("Qwen2.5-Coder 7B Instruct", parameters=7_600_000_000).path

    def test_the_way_back_is_gone_once_another_model_is_chosen(self, opened: OpenedDiscoverPage) -> None:
        opened.show()
        opened.page.find_drafts_for(local_model("Qwen2.5-Coder 7B Instruct", parameters=7_600_000_000))
        opened.open(DRAFT)
        assert opened.is_shown("back_to_drafts_button")
        opened.open(CODER)
        assert not opened.is_shown("back_to_drafts_button")

    def test_nothing_more_is_asked_about_the_repository_that_was_open(
        self, places: Places, theme: Theme, icons: Icons, qtbot: QtBot
    ) -> None:
        tasks = HeldTasks()
        opened = OpenedDiscoverPage(places, theme, icons, tasks, qtbot)
        opened.add(CODER_MODEL, GEMMA_MODEL)
        opened.show()
        opened.open(GEMMA)
        tasks.release_all()
        asked = len(opened.hub.calls)
        opened.page.find_drafts_for(local_model("Qwen2.5-Coder 7B Instruct", parameters=7_600_000_000))
        tasks.release_all()
        assert not [call for call in opened.hub.calls[asked:] if "gemma" in call.subject.casefold()]
        opened.close()


class TestTrouble:
    def test_without_a_network_it_says_so_and_goes_on_when_tried_again(
        self, opened: OpenedDiscoverPage
    ) -> None:
        opened.hub.fail("search")
        opened.show()
        assert opened.text("search_trouble_title") == "No connection to Hugging Face"
        opened.click("search_trouble_retry_button")
        assert len(opened.results) > 2

    def test_trying_again_on_one_side_tries_on_both(self, opened: OpenedDiscoverPage) -> None:
        opened.hub.fail("search", times=2)
        opened.hub.fail("describe", times=2)
        opened.show()
        opened.open(CODER)
        assert opened.is_shown("repository_trouble")
        opened.click("repository_trouble_retry_button")
        assert opened.is_shown("repository_trouble")
        assert child(opened.page, SearchPanel, "search_panel").has_failed
        opened.click("search_trouble_retry_button")
        assert opened.column(FileColumn.FILE) == ["Q4_K_M", "Q8_0"]
        assert not child(opened.page, SearchPanel, "search_panel").has_failed

    def test_coming_back_tries_again(self, opened: OpenedDiscoverPage) -> None:
        opened.show()
        opened.hub.fail("describe")
        opened.open(CODER)
        opened.page.hide()
        opened.page.show()
        assert opened.column(FileColumn.FILE) == ["Q4_K_M", "Q8_0"]

    def test_where_the_hub_asked_to_wait_coming_back_is_no_reason_to_ask(
        self, opened: OpenedDiscoverPage
    ) -> None:
        opened.hub.fail("describe", HubError(HubProblem.RATE_LIMITED, "Wait.", wait_seconds=600))
        opened.show()
        opened.open(CODER)
        opened.page.hide()
        opened.page.show()
        assert opened.hub.asked("describe").count(CODER) == 1
        opened.click("repository_trouble_retry_button")
        assert opened.column(FileColumn.FILE) == ["Q4_K_M", "Q8_0"]

    def test_a_gate_leads_to_the_settings(self, opened: OpenedDiscoverPage) -> None:
        error = HubError(HubProblem.GATED, "Accept its licence.", address="https://huggingface.co/x")
        opened.hub.fail("describe", error)
        opened.show()
        opened.open(CODER)
        assert opened.text("repository_trouble_sentence") == "Accept its licence."
        opened.click("repository_trouble_settings_button")
        assert opened.settings_requests == 1

    def test_a_repository_that_does_not_exist_is_not_asked_for_again_by_itself(
        self, opened: OpenedDiscoverPage
    ) -> None:
        opened.show()
        opened.open("nobody/nothing")
        assert opened.text("repository_trouble_title") == "Not found"
        opened.page.hide()
        opened.page.show()
        assert opened.hub.asked("describe").count("nobody/nothing") == 1

    def test_a_header_that_cannot_be_read_leaves_a_reckoning_by_size(
        self, opened: OpenedDiscoverPage
    ) -> None:
        opened.hub.headers.clear()
        opened.show()
        opened.open(CODER)
        assert "checking…" not in opened.column(FileColumn.MACHINE)


class TestTheLook:
    MANY = tuple(remote_model(f"Q{bits}_K", 1000 + bits) for bits in range(30))

    def open_many(self, opened: OpenedDiscoverPage) -> QScrollArea:
        """Opens a repository whose table is higher than the page."""
        opened.add(hub_model(found_model("x/many"), *self.MANY))
        opened.show()
        opened.open("x/many")
        pane = child(opened.page, QScrollArea, "repository_pane")
        opened.qtbot.waitUntil(lambda: pane.verticalScrollBar().maximum() > 0)
        return pane

    def test_it_works_in_the_smallest_window(self, opened: OpenedDiscoverPage) -> None:
        opened.page.resize(896, 480)
        opened.show()
        opened.open(CODER)
        pane = child(opened.page, QScrollArea, "repository_pane")
        content = pane.widget()
        assert content is not None
        assert content.width() <= pane.viewport().width()
        model = opened.files.model()
        widths = [opened.files.columnWidth(column) for column in range(model.columnCount())]
        assert sum(widths) <= opened.files.viewport().width()
        opened.press(1)
        assert len(opened.requests()) == 1

    def test_the_word_on_quality_gives_way_first(self, opened: OpenedDiscoverPage) -> None:
        opened.show()
        opened.open(CODER)
        assert not opened.files.isColumnHidden(FileColumn.QUALITY)
        opened.page.resize(700, 480)
        assert opened.files.isColumnHidden(FileColumn.QUALITY)
        opened.page.resize(1216, 720)
        assert not opened.files.isColumnHidden(FileColumn.QUALITY)

    def test_recommended_is_left_out_where_it_would_be_cut(
        self, opened: OpenedDiscoverPage, theme: Theme, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """It is said above the table, and seen."""
        painted: list[tuple[str, int]] = []
        monkeypatch.setattr(
            FilesDelegate,
            "paint_text",
            lambda _self, _painter, place, text, *_, **__: painted.append((text, place.width())),
        )
        opened.show()
        opened.open(CODER)
        for width in range(800, 1216, 8):
            opened.page.resize(width, 720)
            opened.files.viewport().grab()
        words = [(text, room) for text, room in painted if text.startswith("good")]
        assert {text for text, _ in words} == {"good", "good, recommended"}
        metrics = QFontMetrics(theme.body_font())
        assert all(metrics.horizontalAdvance(text) <= room for text, room in words)

    @pytest.mark.parametrize("choice", [ThemeChoice.DARK, ThemeChoice.LIGHT])
    def test_the_empty_part_of_a_track_is_seen_in_a_marked_row(
        self, opened: OpenedDiscoverPage, theme: Theme, choice: ThemeChoice
    ) -> None:
        theme.choose(choice)
        opened.show()
        opened.open(DRAFT)
        opened.press(0)
        opened.transfers.running("draft-Q4_K_M.gguf").hold(491_000_000 // 2)
        opened.qtbot.waitUntil(lambda: opened.column(FileColumn.ACTION) == ["50 %"])
        assert opened.files.model().index(0, 0).data(FileRole.IS_RECOMMENDED)
        image = opened.files.viewport().grab().toImage()
        cell = opened.files.visualRect(opened.files.model().index(0, FileColumn.ACTION))
        end = cell.right() - PADDING
        middle = cell.center().y()
        row, empty, full = (image.pixelColor(end - back, middle).lightnessF() for back in (-4, 8, 48))
        assert abs(empty - row) > 0.1
        assert abs(empty - full) > 0.1

    def test_the_wheel_over_a_long_table_is_for_the_page(self, opened: OpenedDiscoverPage) -> None:
        self.open_many(opened)
        middle = QPointF(opened.files.viewport().rect().center())
        there = QPointF(opened.files.viewport().mapToGlobal(middle.toPoint()))
        turned = QWheelEvent(
            middle,
            there,
            QPoint(0, -120),
            QPoint(0, -120),
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(opened.files.viewport(), turned)
        assert not turned.isAccepted()  # so that it goes to what is around the table

    def test_the_keyboard_brings_rows_into_sight(self, opened: OpenedDiscoverPage) -> None:
        pane = self.open_many(opened)
        rows = self.MANY
        opened.files.setFocus()
        for _ in range(29):
            opened.qtbot.keyClick(opened.files, Qt.Key.Key_Down)
        place = opened.files.viewport().mapTo(pane.viewport(), opened.files.place_of(rows[29]).center())
        assert pane.viewport().rect().contains(place)

    def test_a_marked_row_and_its_button_are_painted_in_both_themes(
        self, opened: OpenedDiscoverPage, theme: Theme
    ) -> None:
        opened.show()
        opened.open(CODER)
        for choice in (ThemeChoice.DARK, ThemeChoice.LIGHT):
            theme.choose(choice)
            image = opened.files.viewport().grab().toImage()
            button = opened.files.button_place(0)
            ratio = image.devicePixelRatio()
            painted = image.pixelColor(
                (button.topLeft() + (button.center() - button.topLeft()) / 6).toPointF().toPoint() * ratio
            )
            assert painted == theme.colours.accent

    def test_every_control_has_a_name(self, opened: OpenedDiscoverPage) -> None:
        opened.show()
        opened.open(GEMMA)
        controls: list[QWidget] = [
            *opened.page.findChildren(QAbstractButton),
            *opened.page.findChildren(QLineEdit),
            *opened.page.findChildren(QTableView),
        ]
        foreign = ("QLineEditIconButton", "QTableCornerButton")
        own = [control for control in controls if not any(control.inherits(kind) for kind in foreign)]
        assert [made for made in own if not (made.objectName() and made.accessibleName())] == []

    def test_focus_goes_to_the_search_field(self, opened: OpenedDiscoverPage) -> None:
        opened.show()
        opened.page.activateWindow()
        opened.page.take_focus()
        opened.qtbot.waitUntil(opened.field().hasFocus)

    def test_the_downloads_are_brought_into_sight(self, opened: OpenedDiscoverPage) -> None:
        pane = self.open_many(opened)
        opened.press(0)
        opened.page.show_downloads()
        panel = child(opened.page, QWidget, "downloads_panel")
        assert pane.viewport().rect().contains(panel.mapTo(pane.viewport(), panel.rect().center()))


def test_where_downloads_go_follows_the_settings(opened: OpenedDiscoverPage, tmp_path: Path) -> None:
    opened.show()
    opened.open(DRAFT)
    opened.places.managed = tmp_path / "elsewhere"
    opened.press(0)
    assert opened.requests()[0].folder == tmp_path / "elsewhere" / "Qwen" / "Qwen2.5-Coder-0.5B-Instruct-GGUF"
