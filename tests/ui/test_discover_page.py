"""Discover, as a person uses it: found, chosen, downloaded, loaded."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.models.hub_problems import HubError, HubProblem
from app.ui.files_table import FileColumn
from app.ui.icons import Icons
from app.ui.search_panel import SearchPanel
from app.ui.theme import Theme
from tests.fakes.children import child
from tests.fakes.held_tasks import HeldTasks
from tests.fakes.library_places import Places
from tests.fakes.local_models import local_model
from tests.fakes.opened_discover_page import (
    CODER,
    CODER_MODEL,
    DRAFT,
    DRAFT_MODEL,
    GEMMA,
    GEMMA_MODEL,
    OpenedDiscoverPage,
)


class TestFinding:
    def test_nothing_is_asked_before_the_page_is_shown(self, discover: OpenedDiscoverPage) -> None:
        discover.page.search_for("gemma")
        assert discover.hub.calls == []
        discover.show()
        assert discover.results[0] == "gemma-3-4b-it-GGUF"

    def test_a_result_that_is_clicked_is_opened(self, discover: OpenedDiscoverPage) -> None:
        discover.show()
        assert discover.is_shown("nothing_chosen")
        discover.page.search_for("coder")
        discover.click_result(0)
        assert discover.text("repository_name") == "Qwen2.5-Coder-7B-Instruct-GGUF"
        assert discover.text("repository_facts").startswith("Qwen · Apache-2.0 · qwen2 · 7.6B")
        assert discover.column(FileColumn.FILE) == ["Q4_K_M", "Q8_0"]
        assert not discover.is_shown("nothing_chosen")

    def test_a_name_leads_to_its_repository(self, discover: OpenedDiscoverPage) -> None:
        discover.show()
        discover.field().setText(f"{CODER}:q8_0")
        discover.qtbot.keyClick(discover.field(), Qt.Key.Key_Return)
        assert discover.text("repository_name") == "Qwen2.5-Coder-7B-Instruct-GGUF"
        assert discover.files.currentIndex().row() == 1

    def test_the_address_of_a_file_selects_it(self, discover: OpenedDiscoverPage) -> None:
        discover.show()
        discover.field().setText(f"https://huggingface.co/{CODER}/blob/main/coder-Q8_0.gguf")
        discover.qtbot.keyClick(discover.field(), Qt.Key.Key_Return)
        assert discover.files.currentIndex().row() == 1

    def test_the_page_is_as_it_was_when_one_comes_back(self, discover: OpenedDiscoverPage) -> None:
        discover.show()
        discover.page.search_for("coder")
        discover.click_result(0)
        asked = len(discover.hub.calls)
        discover.page.hide()
        discover.page.show()
        assert discover.text("repository_name") == "Qwen2.5-Coder-7B-Instruct-GGUF"
        assert discover.field().text() == "coder"
        assert len(discover.hub.calls) == asked

    def test_an_answer_about_another_that_comes_late_is_not_shown(
        self, places: Places, theme: Theme, icons: Icons, qtbot: QtBot
    ) -> None:
        tasks = HeldTasks()
        discover = OpenedDiscoverPage(places, theme, icons, tasks, qtbot)
        discover.add(CODER_MODEL, DRAFT_MODEL, GEMMA_MODEL)
        discover.show()
        for repo in (GEMMA, CODER):
            discover.open(repo)
        assert discover.text("repository_name") == "Qwen2.5-Coder-7B-Instruct-GGUF"
        assert discover.text("no_files") == "Reading what is in it…"
        tasks.release_all()
        assert discover.column(FileColumn.FILE) == ["Q4_K_M", "Q8_0"]
        assert discover.hub.asked("describe")[0] == CODER
        discover.close()

    def test_a_new_search_leaves_a_repository_that_could_not_be_opened(
        self, discover: OpenedDiscoverPage
    ) -> None:
        discover.show()
        for method in ("search", "describe"):
            discover.hub.fail(method, HubError(HubProblem.HIDDEN, "nobody/nothing does not exist."))
        discover.field().setText("nobody/nothing")
        discover.qtbot.keyClick(discover.field(), Qt.Key.Key_Return)
        assert discover.text("repository_trouble_title") == "Not found, or private"
        assert not discover.is_shown("search_trouble"), "once is enough"
        discover.page.search_for("coder")
        assert not discover.is_shown("repository_trouble")
        assert discover.is_shown("nothing_chosen")
        discover.click_result(0)
        assert discover.text("repository_name") == "Qwen2.5-Coder-7B-Instruct-GGUF"

    def test_a_new_search_leaves_what_is_open_as_it_is(self, discover: OpenedDiscoverPage) -> None:
        discover.show()
        discover.open(CODER)
        discover.page.search_for("gemma")
        assert discover.text("repository_name") == "Qwen2.5-Coder-7B-Instruct-GGUF"


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
        discover, tasks = held
        places = [discover.results.index(repo.rpartition("/")[2]) for repo in (GEMMA, DRAFT, CODER)]
        for place in places:
            discover.click_result(place)
            for _ in range(min(answers, tasks.waiting)):
                tasks.release()
        assert discover.text("repository_name") == "Qwen2.5-Coder-7B-Instruct-GGUF"
        tasks.release_all()

        assert discover.text("repository_name") == "Qwen2.5-Coder-7B-Instruct-GGUF"
        assert discover.column(FileColumn.FILE) == ["Q4_K_M", "Q8_0"]
        assert set(discover.column(FileColumn.MACHINE)) <= {"fits", "fits without draft"}
        assert "Qwen2.5-Coder-0.5B-Instruct" in discover.text("draft_offer_line")
        if not answers:
            assert discover.hub.asked("describe")[0] == CODER, "of the others nobody wants to know any more"
            assert not any(GEMMA in subject for subject in discover.hub.asked("header"))


class TestDraftsForAModel:
    def test_they_are_shown_with_the_search_already_made(self, discover: OpenedDiscoverPage) -> None:
        discover.show()
        discover.page.find_drafts_for(local_model("Qwen2.5-Coder 7B Instruct", parameters=7_600_000_000))
        assert discover.is_shown("draft_finder")
        assert "Qwen2.5-Coder" in discover.field().text()
        assert "Qwen2.5-Coder-0.5B-Instruct-GGUF" in discover.results

    def test_one_is_downloaded_or_looked_at_and_there_is_a_way_back(
        self, discover: OpenedDiscoverPage
    ) -> None:
        discover.show()
        discover.page.find_drafts_for(local_model("Qwen2.5-Coder 7B Instruct", parameters=7_600_000_000))
        discover.click("see_draft_button_0")
        assert discover.text("repository_name") == "Qwen2.5-Coder-0.5B-Instruct-GGUF"
        assert not discover.is_shown("draft_finder")
        discover.click("back_to_drafts_button")
        assert discover.is_shown("draft_finder")
        discover.click("download_draft_button_0")
        assert [request.repo for request in discover.requests()] == [DRAFT]
        [(target, _)] = discover.pairs
        assert target == local_model("Qwen2.5-Coder 7B Instruct", parameters=7_600_000_000).path

    def test_the_way_back_is_gone_once_another_model_is_chosen(self, discover: OpenedDiscoverPage) -> None:
        discover.show()
        discover.page.find_drafts_for(local_model("Qwen2.5-Coder 7B Instruct", parameters=7_600_000_000))
        discover.open(DRAFT)
        assert discover.is_shown("back_to_drafts_button")
        discover.open(CODER)
        assert not discover.is_shown("back_to_drafts_button")

    def test_nothing_more_is_asked_about_the_repository_that_was_open(
        self, places: Places, theme: Theme, icons: Icons, qtbot: QtBot
    ) -> None:
        tasks = HeldTasks()
        discover = OpenedDiscoverPage(places, theme, icons, tasks, qtbot)
        discover.add(CODER_MODEL, GEMMA_MODEL)
        discover.show()
        discover.open(GEMMA)
        tasks.release_all()
        asked = len(discover.hub.calls)
        discover.page.find_drafts_for(local_model("Qwen2.5-Coder 7B Instruct", parameters=7_600_000_000))
        tasks.release_all()
        assert not [call for call in discover.hub.calls[asked:] if "gemma" in call.subject.casefold()]
        discover.close()


class TestTrouble:
    def test_without_a_network_it_says_so_and_goes_on_when_tried_again(
        self, discover: OpenedDiscoverPage
    ) -> None:
        discover.hub.fail("search")
        discover.show()
        assert discover.text("search_trouble_title") == "No connection to Hugging Face"
        discover.click("search_trouble_retry_button")
        assert len(discover.results) > 2

    def test_trying_again_on_one_side_tries_on_both(self, discover: OpenedDiscoverPage) -> None:
        discover.hub.fail("search", times=2)
        discover.hub.fail("describe", times=2)
        discover.show()
        discover.open(CODER)
        assert discover.is_shown("repository_trouble")
        discover.click("repository_trouble_retry_button")
        assert discover.is_shown("repository_trouble")
        assert child(discover.page, SearchPanel, "search_panel").has_failed
        discover.click("search_trouble_retry_button")
        assert discover.column(FileColumn.FILE) == ["Q4_K_M", "Q8_0"]
        assert not child(discover.page, SearchPanel, "search_panel").has_failed

    def test_coming_back_tries_again(self, discover: OpenedDiscoverPage) -> None:
        discover.show()
        discover.hub.fail("describe")
        discover.open(CODER)
        discover.page.hide()
        discover.page.show()
        assert discover.column(FileColumn.FILE) == ["Q4_K_M", "Q8_0"]

    def test_where_the_hub_asked_to_wait_coming_back_is_no_reason_to_ask(
        self, discover: OpenedDiscoverPage
    ) -> None:
        discover.hub.fail("describe", HubError(HubProblem.RATE_LIMITED, "Wait.", wait_seconds=600))
        discover.show()
        discover.open(CODER)
        discover.page.hide()
        discover.page.show()
        assert discover.hub.asked("describe").count(CODER) == 1
        discover.click("repository_trouble_retry_button")
        assert discover.column(FileColumn.FILE) == ["Q4_K_M", "Q8_0"]

    def test_a_gate_leads_to_the_settings(self, discover: OpenedDiscoverPage) -> None:
        error = HubError(HubProblem.GATED, "Accept its licence.", address="https://huggingface.co/x")
        discover.hub.fail("describe", error)
        discover.show()
        discover.open(CODER)
        assert discover.text("repository_trouble_sentence") == "Accept its licence."
        discover.click("repository_trouble_settings_button")
        assert discover.settings_requests == 1

    def test_a_repository_that_does_not_exist_is_not_asked_for_again_by_itself(
        self, discover: OpenedDiscoverPage
    ) -> None:
        discover.show()
        discover.open("nobody/nothing")
        assert discover.text("repository_trouble_title") == "Not found"
        discover.page.hide()
        discover.page.show()
        assert discover.hub.asked("describe").count("nobody/nothing") == 1

    def test_a_header_that_cannot_be_read_leaves_a_reckoning_by_size(
        self, discover: OpenedDiscoverPage
    ) -> None:
        discover.hub.headers.clear()
        discover.show()
        discover.open(CODER)
        assert "checking…" not in discover.column(FileColumn.MACHINE)


def test_where_downloads_go_follows_the_settings(discover: OpenedDiscoverPage, tmp_path: Path) -> None:
    discover.show()
    discover.open(DRAFT)
    discover.places.managed = tmp_path / "elsewhere"
    discover.press(0)
    assert (
        discover.requests()[0].folder == tmp_path / "elsewhere" / "Qwen" / "Qwen2.5-Coder-0.5B-Instruct-GGUF"
    )
