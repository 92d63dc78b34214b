"""The files of a repository: which to take, and their downloads."""

from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from app.models.hub import Gate, HubModel
from app.models.hub_problems import HubError, HubProblem
from app.ui.files_table import FileColumn
from app.ui.files_view import FilesView
from tests.fakes.children import child
from tests.fakes.opened_discover_page import (
    CODER,
    CODER_MODEL,
    DRAFT,
    DRAFT_MODEL,
    GEMMA,
    OpenedDiscoverPage,
)
from tests.fakes.scripted_hub import found_model, hub_model, remote_model


class TestChoosing:
    def test_the_recommended_row_is_marked_and_selected(self, discover: OpenedDiscoverPage) -> None:
        discover.show()
        discover.open(CODER)
        assert discover.column(FileColumn.QUALITY) == ["good, recommended", "near original"]
        assert discover.files.currentIndex().row() == 0

    def test_every_row_says_whether_it_fits(self, discover: OpenedDiscoverPage) -> None:
        discover.show()
        discover.open(CODER)
        assert set(discover.column(FileColumn.MACHINE)) <= {"fits", "fits without draft"}

    def test_memory_that_has_gone_is_seen_when_one_comes_back(self, discover: OpenedDiscoverPage) -> None:
        discover.show()
        discover.open(CODER)
        before = discover.column(FileColumn.MACHINE)
        discover.page.hide()
        discover.free_memory = 1_000_000
        discover.page.show()
        assert "fits" in before[0]
        assert not any("fits" in word for word in discover.column(FileColumn.MACHINE))

    def test_a_choice_made_by_hand_stays(self, discover: OpenedDiscoverPage) -> None:
        discover.show()
        discover.open(CODER)
        discover.files.selectRow(1)
        discover.page.hide()
        discover.page.show()
        assert discover.files.currentIndex().row() == 1

    def test_a_licence_to_be_accepted_is_said(self, discover: OpenedDiscoverPage) -> None:
        discover.show()
        discover.open(GEMMA)
        assert discover.notice("gate_notice").startswith("google decides who may download this.")
        discover.click("gate_settings_button")
        assert discover.settings_requests == 1
        discover.open(CODER)
        assert discover.notice("gate_notice") == ""

    def test_the_licence_is_not_spoken_of_once_a_file_comes(self, discover: OpenedDiscoverPage) -> None:
        discover.show()
        discover.open(GEMMA)
        discover.press(0)
        coming = discover.transfers.running("gemma-Q4_0.gguf")
        assert discover.notice("gate_notice"), "nothing has come yet"
        coming.hold(1_000_000_000)
        discover.qtbot.waitUntil(lambda: discover.notice("gate_notice") == "")
        discover.open(CODER)
        discover.open(GEMMA)
        assert discover.notice("gate_notice") == ""

    def test_nor_where_one_is_here(self, discover: OpenedDiscoverPage) -> None:
        path = discover.places.put("someone/gated/model-Q8_0.gguf")
        row = remote_model("Q8_0", path.stat().st_size)
        discover.add(hub_model(found_model("someone/gated", gate=Gate.AUTOMATIC), row))
        discover.places.library.refresh()
        discover.show()
        discover.open("someone/gated")
        assert discover.column(FileColumn.MACHINE) == ["in My Models"]
        assert discover.notice("gate_notice") == ""

    def test_but_still_where_the_hub_refuses(self, discover: OpenedDiscoverPage) -> None:
        discover.show()
        discover.open(GEMMA)
        discover.press(0)
        discover.transfers.running("gemma-Q4_0.gguf").fail(HubError(HubProblem.GATED, "Accept it first."))
        discover.qtbot.waitUntil(lambda: discover.column(FileColumn.ACTION) == ["Retry"])
        assert discover.notice("gate_notice")

    def test_pieces_that_were_cut_up_are_named_with_how_to_join_them(
        self, discover: OpenedDiscoverPage
    ) -> None:
        discover.show()
        discover.open(GEMMA)
        text = discover.text("unjoined_pieces")
        assert text.startswith(
            "big.gguf was cut into pieces that cannot be used as they are: big.gguf.part1of2"
        )
        assert "cat PIECE1 PIECE2 > big.gguf" in text

    def test_projectors_stand_apart_until_they_are_wanted(self, discover: OpenedDiscoverPage) -> None:
        discover.show()
        discover.open(GEMMA)
        assert not discover.is_shown("projectors")
        discover.click("projectors_button")
        assert discover.is_shown("projectors")
        discover.press(0, "projectors_table")
        assert [request.files[0].name for request in discover.requests()] == ["mmproj-F16.gguf"]
        discover.open(CODER)
        assert not discover.is_shown("projectors_button")

    def test_a_repository_without_files_for_us_says_so(self, discover: OpenedDiscoverPage) -> None:
        discover.add(HubModel(found_model("x/empty"), "c0ffee", None, (), (), ()))
        discover.show()
        discover.open("x/empty")
        assert "no GGUF files" in discover.text("no_files")
        assert not discover.files.isVisible()

    def test_the_model_card_opens(self, discover: OpenedDiscoverPage) -> None:
        discover.hub.cards[CODER] = "# About it"
        discover.show()
        discover.open(CODER)
        discover.click("model_card_button")
        card = discover.card()
        card.view.finish_work()
        assert card.view.text == "About it"
        card.close()


class TestDownloading:
    def test_download_wants_all_files_of_a_row(self, discover: OpenedDiscoverPage) -> None:
        discover.show()
        discover.open(CODER)
        discover.press(0)
        (request,) = discover.requests()
        assert (request.repo, request.commit, len(request.files)) == (CODER, CODER_MODEL.commit, 2)
        assert request.folder == discover.places.managed / "Qwen" / "Qwen2.5-Coder-7B-Instruct-GGUF"
        assert request.title == "Qwen2.5-Coder-7B-Instruct Q4_K_M"
        assert discover.is_shown("downloads_panel")

    def test_enter_does_the_same(self, discover: OpenedDiscoverPage) -> None:
        discover.show()
        discover.open(CODER)
        discover.files.setFocus()
        discover.qtbot.keyClick(discover.files, Qt.Key.Key_Down)
        discover.qtbot.keyClick(discover.files, Qt.Key.Key_Return)
        assert [request.files[0].name for request in discover.requests()] == ["coder-Q8_0.gguf"]

    def test_its_progress_stands_in_the_row(self, discover: OpenedDiscoverPage) -> None:
        discover.show()
        discover.open(DRAFT)
        discover.press(0)
        discover.transfers.running("draft-Q4_K_M.gguf").hold(491_000_000 // 2)
        discover.qtbot.waitUntil(lambda: discover.column(FileColumn.ACTION) == ["50 %"])
        discover.press(0)
        assert len(discover.requests()) == 1

    def test_a_paused_one_goes_on_from_its_row(self, discover: OpenedDiscoverPage) -> None:
        discover.show()
        discover.open(DRAFT)
        discover.press(0)
        discover.transfers.running("draft-Q4_K_M.gguf")
        discover.downloads.pause_all()
        discover.qtbot.waitUntil(lambda: discover.column(FileColumn.ACTION) == ["Resume"])
        discover.press(0)
        discover.transfers.running("draft-Q4_K_M.gguf", 2)

    def change(self, discover: OpenedDiscoverPage, size: int) -> None:
        """The file that is being downloaded becomes another one on the hub, which is found out."""
        changed = hub_model(DRAFT_MODEL.found, remote_model("Q4_K_M", size, stem="draft"))
        discover.add(replace(changed, commit="decade"))
        error = HubError(HubProblem.CHANGED, "It is another file now.")
        discover.transfers.running("draft-Q4_K_M.gguf").fail(error)
        discover.qtbot.waitUntil(lambda: discover.column(FileColumn.ACTION) == ["Retry"])

    def test_of_a_file_that_has_changed_the_new_one_is_fetched(self, discover: OpenedDiscoverPage) -> None:
        discover.show()
        discover.open(DRAFT)
        discover.press(0)
        self.change(discover, 500_000_000)
        discover.press(0)
        discover.transfers.running("draft-Q4_K_M.gguf", 2)
        [request] = discover.requests()
        assert (request.commit, request.total_bytes) == ("decade", 500_000_000)
        assert discover.column(FileColumn.SIZE) == ["500 MB"]

    def test_the_panel_leads_to_what_has_become_of_it(self, discover: OpenedDiscoverPage) -> None:
        discover.show()
        discover.open(DRAFT)
        discover.press(0)
        self.change(discover, 500_000_000)
        discover.open(CODER)
        discover.click("show_repository_button")
        assert discover.text("repository_name") == "Qwen2.5-Coder-0.5B-Instruct-GGUF"
        assert discover.column(FileColumn.SIZE) == ["500 MB"]
        assert discover.requests()[0].commit == DRAFT_MODEL.commit, "nothing is fetched unasked"
        asked = len(discover.hub.asked("describe"))
        discover.press(0)
        discover.transfers.running("draft-Q4_K_M.gguf", 2)
        assert discover.requests()[0].commit == "decade"
        assert len(discover.hub.asked("describe")) == asked, "it has been read already"

    def test_a_result_that_is_open_is_read_anew_by_a_click(self, discover: OpenedDiscoverPage) -> None:
        discover.show()
        discover.page.search_for("coder")
        discover.click_result(0)
        before = discover.hub.asked("describe").count(CODER)
        discover.click_result(0)
        assert discover.hub.asked("describe").count(CODER) == before + 1
        assert discover.column(FileColumn.FILE) == ["Q4_K_M", "Q8_0"]

    def test_what_has_come_can_be_loaded_and_once_deleted_fetched_again(
        self, discover: OpenedDiscoverPage
    ) -> None:
        folder = discover.places.managed / "someone" / "tiny"
        path = discover.places.put("someone/tiny/model-Q8_0.gguf")
        discover.add(hub_model(found_model("someone/tiny"), remote_model("Q8_0", path.stat().st_size)))
        discover.places.library.refresh()
        discover.show()
        discover.open("someone/tiny")
        assert (discover.column(FileColumn.MACHINE), discover.column(FileColumn.ACTION)) == (
            ["in My Models"],
            ["Load"],
        )
        discover.press(0)
        assert (discover.loads, discover.requests()) == ([path], [])
        path.unlink()
        discover.places.library.refresh()
        assert discover.column(FileColumn.ACTION) == ["Download"]
        discover.press(0)
        assert [request.folder for request in discover.requests()] == [folder]

    def test_a_name_that_cannot_be_a_folder_is_refused_in_words(self, discover: OpenedDiscoverPage) -> None:
        discover.add(hub_model(found_model("someone/con"), remote_model("Q8_0", 10)))
        discover.show()
        discover.open("someone/con")
        discover.press(0)
        assert "cannot be the name of a file" in discover.notice("repository_notice")
        assert discover.requests() == []

    def test_download_both_takes_the_pair(self, discover: OpenedDiscoverPage) -> None:
        discover.show()
        discover.open(CODER)
        discover.click("download_both_button")
        assert [request.repo for request in discover.requests()] == [CODER, DRAFT]
        [(target, draft)] = discover.pairs
        assert target.parent == discover.requests()[0].folder
        assert draft.parent == discover.requests()[1].folder

    def test_the_reason_of_the_recommendation_is_said(self, discover: OpenedDiscoverPage) -> None:
        discover.show()
        discover.open(CODER)
        assert "is recommended: " in discover.text("files_advice")

    def test_what_is_squeezed_too_hard_is_not_recommended(self, discover: OpenedDiscoverPage) -> None:
        discover.add(hub_model(found_model("someone/squeezed-7B-GGUF"), remote_model("Q2_K", 1000)))
        discover.show()
        discover.open("someone/squeezed-7B-GGUF")
        assert "a smaller model would answer better" in discover.text("files_advice")

    def test_a_repository_without_such_files_leads_to_those_that_have_some(
        self, discover: OpenedDiscoverPage
    ) -> None:
        name = "Qwen/Qwen2.5-Coder-0.5B-Instruct"
        discover.add(HubModel(found_model(name), "c0ffee", None, (), (), ()))
        discover.show()
        discover.open(name)
        discover.click("search_gguf_button")
        assert discover.field().text() == "Qwen2.5-Coder-0.5B-Instruct"
        assert "Qwen2.5-Coder-0.5B-Instruct-GGUF" in discover.results

    def test_the_files_keep_their_height_in_a_tall_window(self, discover: OpenedDiscoverPage) -> None:
        discover.show()
        discover.page.resize(1200, 3000)
        discover.open(CODER)
        QApplication.processEvents()
        files = child(discover.page, FilesView, "files_table")
        card = files.parentWidget()
        assert card is not None
        assert card.height() < files.content_height + 20
