"""The card with a draft for the repository that is looked at."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QLabel, QMenu, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.core.compatibility import Incompatible, Rule
from app.models.download import Queued
from app.models.hub import HubModel
from app.models.library import Listing
from app.ui.draft_offer import DraftOffer
from app.ui.icons import Icons
from app.ui.theme import Theme
from app.ui.whereabouts import WhereaboutsService
from tests.fakes.advisor import FakeAdvisor
from tests.fakes.children import child
from tests.fakes.draft_hub import DRAFT, SECOND, TARGET, THIRD, DraftHub, repository
from tests.fakes.held_tasks import HeldTasks
from tests.fakes.listed_downloads import ListedDownloads
from tests.fakes.listed_models import ListedModels, library_of, preferences_in
from tests.fakes.local_models import local_model
from tests.fakes.scripted_hub import remote_model

UNFIT = Incompatible(Rule.TEXT, 152_064, 151_936, "a", "b", 139)
LINE = "Qwen2.5-Coder-0.5B-Instruct · Q4_K_M · 491 MB"


class Bench:
    """The card on a page, over a hub in memory."""

    def __init__(self, qtbot: QtBot, theme: Theme, icons: Icons, folder: Path) -> None:
        self.qtbot = qtbot
        self.hub = DraftHub(folder)
        self.advisor = FakeAdvisor()
        self.tasks = HeldTasks()
        self.models = ListedModels()
        self.library = library_of(self.models, preferences_in(folder), folder)
        self.downloads = ListedDownloads()
        self.page = QWidget()
        self.page.setLayout(QVBoxLayout())
        self.places = WhereaboutsService(self.library, self.downloads.service)
        self.offer = DraftOffer(theme, icons, self.hub, self.advisor, self.tasks, self.places)
        layout = self.page.layout()
        assert layout is not None
        layout.addWidget(self.offer)
        qtbot.addWidget(self.page)
        self.page.resize(800, 300)
        self.page.show()

    def show_for(self, model: HubModel = TARGET) -> None:
        self.offer.show_for(model, model.models[0])
        self.tasks.release_all()

    @property
    def line(self) -> str:
        return child(self.offer, QLabel, "draft_offer_line").text()

    @property
    def note(self) -> str:
        found = child(self.offer, QLabel, "draft_offer_note")
        return found.text() if found.isVisible() else ""

    @property
    def buttons(self) -> list[str]:
        """What can be pressed."""
        return [each.text() for each in self.offer.findChildren(QAbstractButton) if each.isVisible()]

    def press(self, name: str) -> None:
        self.qtbot.mouseClick(child(self.offer, QAbstractButton, name), Qt.MouseButton.LeftButton)


@pytest.fixture
def bench(qtbot: QtBot, theme: Theme, icons: Icons, tmp_path: Path) -> Iterator[Bench]:
    made = Bench(qtbot, theme, icons, tmp_path)
    yield made
    made.downloads.close()


def test_it_is_not_there_until_there_is_something_to_offer_for(bench: Bench) -> None:
    assert bench.offer.isHidden()
    bench.show_for()
    assert bench.offer.isVisible()
    bench.offer.clear()
    assert bench.offer.isHidden()


def test_it_looks_then_checks_then_offers_both(qtbot: QtBot, bench: Bench) -> None:
    bench.offer.show_for(TARGET, TARGET.models[0])
    assert bench.line == "Looking for a small model of its family…"
    assert bench.buttons == []

    bench.tasks.release()
    assert bench.line == f"{LINE} · likely the same vocabulary, checking…"

    bench.tasks.release_all()
    assert bench.line == f"{LINE} · same vocabulary, checked"
    with qtbot.waitSignal(bench.offer.pair_requested) as asked:
        bench.press("download_both_button")
    assert asked.args == [((TARGET, TARGET.models[0]), (DRAFT, DRAFT.models[0]))]


def test_another_row_of_the_repository_asks_nothing_anew_and_is_the_one_requested(
    qtbot: QtBot, bench: Bench
) -> None:
    bench.show_for()
    asked_before = len(bench.hub.calls)
    other = remote_model("Q8_0", 15_000_000_000)

    bench.offer.show_for(TARGET, other)

    assert len(bench.hub.calls) == asked_before
    with qtbot.waitSignal(bench.offer.pair_requested) as asked:
        bench.press("download_both_button")
    assert asked.args is not None
    assert asked.args[0][0] == (TARGET, other)


def test_what_does_not_fit_is_named_with_the_reason_and_the_next_is_offered(bench: Bench) -> None:
    bench.advisor.answers = {bench.hub.header_of(DRAFT): UNFIT}

    bench.show_for()

    assert bench.line == "Qwen2.5-Coder-0.5B-Instruct · Q4_K_M · 398 MB · same vocabulary, checked"
    pair, loss = bench.note.splitlines()
    assert pair == "Together with Q4_K_M: 9.39 GB."
    assert loss == "Qwen/Qwen2.5-Coder-0.5B-Instruct does not fit: differs at token 139: 'a' and 'b'"


def test_none_fits(bench: Bench) -> None:
    bench.advisor.answers = {bench.hub.header_of(model): UNFIT for model in (DRAFT, SECOND, THIRD)}

    bench.show_for()

    assert bench.line == "None of the small models of its family that were found fits."
    assert bench.note.count("does not fit") == 3
    assert bench.buttons == []


def test_none_is_found(bench: Bench) -> None:
    bench.show_for(repository("tiiuae/Falcon3-10B-Instruct-GGUF", 10.3, 6_000_000_000))

    assert bench.line == "No smaller model of its family was found on Hugging Face."
    assert bench.buttons == []


def test_a_model_that_is_quick_by_itself_needs_none(bench: Bench) -> None:
    bench.show_for(repository("Qwen/Qwen2.5-1.5B-Instruct-GGUF", 1.54, 1_120_000_000))

    assert "small and quick by itself" in bench.line
    assert bench.buttons == []


def test_that_is_one_faint_line_and_no_card(bench: Bench) -> None:
    heading = child(bench.offer, QLabel, "draft_offer_heading")
    line = child(bench.offer, QLabel, "draft_offer_line")

    def look() -> tuple[bool, object, object]:
        return heading.isVisible(), bench.offer.property("card"), line.property("tone")

    bench.show_for()
    as_card = bench.offer.heightForWidth(700)
    assert look() == (True, True, "muted")

    bench.show_for(repository("Qwen/Qwen2.5-1.5B-Instruct-GGUF", 1.54, 1_120_000_000))
    assert look() == (False, False, "faint")
    assert bench.offer.heightForWidth(700) < as_card / 2

    bench.show_for()
    assert look() == (True, True, "muted")
    assert bench.offer.heightForWidth(700) == as_card


def test_for_one_of_a_known_pair_it_is_offered_with_a_caution(bench: Bench) -> None:
    bench.show_for(repository("Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF", 1.54, 3_560_000_000))

    assert bench.line.startswith(LINE)
    assert "the gain may be small" in bench.note


def test_for_what_writes_no_text_there_is_no_card(bench: Bench) -> None:
    bench.show_for(repository("Qwen/Qwen3-Embedding-8B-GGUF", 8, 5_000_000_000))

    assert bench.offer.isHidden()


def test_without_the_network_it_says_so_and_tries_again_when_asked(bench: Bench) -> None:
    bench.hub.fail("search")
    bench.show_for()
    assert "cannot be reached" in bench.line
    assert bench.buttons == ["Retry"]

    bench.press("retry_draft_search_button")
    bench.tasks.release_all()
    assert bench.line == f"{LINE} · same vocabulary, checked"


def test_a_check_that_failed_leaves_it_likely_and_can_be_repeated(bench: Bench) -> None:
    bench.hub.fail("header")
    bench.show_for()
    assert bench.line == f"{LINE} · likely the same vocabulary"
    assert "could not be checked" in bench.note
    assert "Download both" in bench.buttons, "it is likely enough to be had all the same"

    bench.press("retry_draft_search_button")
    bench.tasks.release_all()
    assert bench.line == f"{LINE} · same vocabulary, checked"


def test_another_one_can_be_chosen(qtbot: QtBot, bench: Bench) -> None:
    bench.show_for()
    bench.press("other_drafts_button")
    menu = child(bench.offer, QMenu, "other_drafts_menu")
    texts = [action.text() for action in menu.actions()]
    assert [text.partition(" · ")[0] for text in texts] == [
        "Qwen2.5-Coder-0.5B-Instruct",
        "Qwen2.5-Coder-0.5B-Instruct",
        "Qwen2.5-Coder-1.5B-Instruct",
    ]
    menu.actions()[2].trigger()
    menu.close()
    bench.tasks.release_all()

    assert bench.line == "Qwen2.5-Coder-1.5B-Instruct · Q4_K_M · 1.12 GB · same vocabulary, checked"
    with qtbot.waitSignal(bench.offer.pair_requested) as asked:
        bench.press("download_both_button")
    assert asked.args is not None
    assert asked.args[0][1] == (THIRD, THIRD.models[0])


def test_with_the_target_here_the_draft_alone_is_offered(qtbot: QtBot, bench: Bench) -> None:
    row = TARGET.models[0]
    here = local_model(path=Path("/m") / row.files[0].name, size_bytes=row.total_bytes)
    bench.models.listing = Listing(models=(here,))
    bench.library.refresh()
    bench.show_for()

    assert "Download draft" in bench.buttons
    with qtbot.waitSignal(bench.offer.draft_requested) as asked:
        bench.press("download_both_button")
    assert asked.args == [(DRAFT, DRAFT.models[0])]


def test_a_draft_that_is_here_or_coming_is_said_to_be_and_not_offered_again(bench: Bench) -> None:
    bench.show_for()
    bench.downloads.tell((DRAFT, DRAFT.models[0], Queued()))
    assert bench.line.endswith("· being downloaded")
    assert "Download both" not in bench.buttons

    bench.downloads.tell()
    here = local_model(path=Path("/m") / DRAFT.models[0].files[0].name)
    bench.models.listing = Listing(models=(here,))
    bench.library.refresh()
    assert bench.line.endswith("· on this computer already")
    assert "Download both" not in bench.buttons


def test_it_tells_which_file_it_offers(bench: Bench) -> None:
    told: list[object] = []
    bench.offer.draft_changed.connect(told.append)

    bench.show_for()
    bench.offer.clear()

    assert told == [DRAFT.models[0], None]


def test_names_of_strangers_are_plain_text(bench: Bench) -> None:
    odd = repository("<img src=x>/Qwen2.5-Coder-0.5B-Instruct-GGUF", 0.494, 4 * 10**8, downloads=10**9)
    bench.hub.put(odd)
    bench.show_for()
    bench.press("other_drafts_button")
    menu = child(bench.offer, QMenu, "other_drafts_menu")
    place = [finding.suggestion.model for finding in bench.offer._search.findings].index(odd)
    menu.actions()[place].trigger()
    menu.close()
    bench.tasks.release_all()

    line = child(bench.offer, QLabel, "draft_offer_line")
    assert line.textFormat() is Qt.TextFormat.PlainText
    assert line.toolTip() == "<qt>&lt;img src=x&gt;/Qwen2.5-Coder-0.5B-Instruct-GGUF</qt>"
