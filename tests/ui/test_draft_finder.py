"""Drafts on the hub for a model on this computer."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QFrame, QLabel
from pytestqt.qtbot import QtBot

from app.core.compatibility import Incompatible, Rule
from app.models.hub_problems import HubError, HubProblem
from app.models.library import Listing
from app.ui.draft_finder import DraftFinder
from app.ui.icons import Icons
from app.ui.theme import Theme
from app.ui.whereabouts import WhereaboutsService
from tests.fakes.advisor import FakeAdvisor
from tests.fakes.children import child
from tests.fakes.draft_hub import DRAFT, SECOND, THIRD, DraftHub, repository
from tests.fakes.held_tasks import HeldTasks
from tests.fakes.listed_downloads import ListedDownloads
from tests.fakes.listed_models import ListedModels, library_of, preferences_in
from tests.fakes.local_models import local_model

UNFIT = Incompatible(Rule.TEXT, 152_064, 151_936, "a", "b", 139)
MODEL = local_model(
    "Qwen2.5 Coder 14B Instruct",
    path=Path("/m/Qwen/Qwen2.5-Coder-14B-Instruct-GGUF/qwen2.5-coder-14b-instruct-q4_k_m.gguf"),
    parameters=14_800_000_000,
    size_bytes=8_990_000_000,
)


class Bench:
    def __init__(self, qtbot: QtBot, theme: Theme, icons: Icons, folder: Path) -> None:
        self.qtbot = qtbot
        self.hub = DraftHub(folder)
        self.advisor = FakeAdvisor()
        self.tasks = HeldTasks()
        self.models = ListedModels()
        self.library = library_of(self.models, preferences_in(folder), folder)
        self.downloads = ListedDownloads()
        self.places = WhereaboutsService(self.library, self.downloads.service)
        self.finder = DraftFinder(theme, icons, self.hub, self.advisor, self.tasks, self.places)
        qtbot.addWidget(self.finder)
        self.finder.resize(700, 500)
        self.finder.show()

    def show_for_model(self) -> None:
        self.finder.show_for(MODEL)
        self.tasks.release_all()

    def text(self, name: str) -> str:
        found = child(self.finder, QLabel, name)
        return found.text() if found.isVisible() else ""

    def button(self, name: str) -> QAbstractButton:
        return child(self.finder, QAbstractButton, name)

    def press(self, name: str) -> None:
        self.qtbot.mouseClick(self.button(name), Qt.MouseButton.LeftButton)


@pytest.fixture
def bench(qtbot: QtBot, theme: Theme, icons: Icons, tmp_path: Path) -> Iterator[Bench]:
    made = Bench(qtbot, theme, icons, tmp_path)
    yield made
    made.downloads.close()


def test_every_suggestion_is_checked_against_the_file_on_this_computer(bench: Bench) -> None:
    bench.advisor.answers = {bench.hub.header_of(SECOND): UNFIT}

    bench.finder.show_for(MODEL)
    assert bench.text("draft_finder_title") == "Draft models for Qwen2.5 Coder 14B Instruct"
    assert bench.text("draft_finder_line") == "Looking on Hugging Face…"
    bench.tasks.release_all()

    assert bench.text("draft_finder_line") == ""
    assert [bench.text(f"found_draft_verdict_{n}") for n in range(3)] == [
        "same vocabulary, checked",
        "does not fit: differs at token 139: 'a' and 'b'",
        "same vocabulary, checked",
    ]
    assert bench.hub.asked("header") == [
        f"{model.repo}/{model.models[0].files[0].path}" for model in (DRAFT, SECOND, THIRD)
    ], "the target's own file is here"


def test_a_row_says_what_it_is(bench: Bench) -> None:
    bench.show_for_model()

    texts = [
        each.accessibleName() for each in child(bench.finder, QFrame, "found_draft_0").findChildren(QLabel)
    ]
    assert "Qwen2.5-Coder-0.5B-Instruct" in texts
    assert "494M · Q4_K_M · 491 MB · Qwen · known to go with it" in texts


def test_the_words_of_the_search_are_told(qtbot: QtBot, bench: Bench) -> None:
    with qtbot.waitSignal(bench.finder.query_known) as told:
        bench.finder.show_for(MODEL)

    assert told.args == ["Qwen2.5-Coder-0.5B"]
    bench.tasks.release_all()


def test_a_draft_is_downloaded_or_its_repository_seen(qtbot: QtBot, bench: Bench) -> None:
    bench.show_for_model()

    with qtbot.waitSignal(bench.finder.draft_requested) as asked:
        bench.press("download_draft_button_2")
    assert asked.args == [(THIRD, THIRD.models[0])]
    with qtbot.waitSignal(bench.finder.repository_requested) as seen:
        bench.press("see_draft_button_1")
    assert seen.args == [SECOND.repo]


def test_what_does_not_fit_or_is_here_cannot_be_downloaded(bench: Bench) -> None:
    bench.advisor.answers = {bench.hub.header_of(THIRD): UNFIT}
    here = local_model(path=Path("/m") / DRAFT.models[0].files[0].name)
    bench.models.listing = Listing(models=(here,))
    bench.library.refresh()

    bench.show_for_model()

    assert not bench.button("download_draft_button_0").isVisible()
    assert bench.text("found_draft_verdict_0").endswith("on this computer already")
    assert not bench.button("download_draft_button_2").isVisible()


def test_only_the_best_button_stands_out(bench: Bench) -> None:
    bench.show_for_model()

    kinds = [bench.button(f"download_draft_button_{n}").property("kind") for n in range(3)]
    assert kinds == ["primary", "plain", "plain"]


def test_none_is_found_or_needed(bench: Bench) -> None:
    bench.finder.show_for(
        local_model("Falcon3 10B", path=Path("/m/Falcon3-10B-Instruct.gguf"), parameters=10_300_000_000)
    )
    bench.tasks.release_all()
    assert bench.text("draft_finder_line") == "No smaller model of its family was found on Hugging Face."

    bench.finder.show_for(local_model("Tiny", path=Path("/m/Falcon3-1B.gguf"), parameters=1_000_000_000))
    assert "small and quick by itself" in bench.text("draft_finder_line")


def test_without_the_network_it_can_be_tried_again(bench: Bench) -> None:
    bench.hub.fail("search")
    bench.show_for_model()
    assert "cannot be reached" in bench.text("draft_finder_line")

    bench.press("retry_finder_button")
    bench.tasks.release_all()
    assert bench.text("found_draft_verdict_0") == "same vocabulary, checked"
    assert not bench.button("retry_finder_button").isVisible()


def test_another_model_clears_the_rows(bench: Bench) -> None:
    bench.show_for_model()
    bench.finder.show_for(local_model("Tiny", path=Path("/m/Falcon3-1B.gguf"), parameters=1_000_000_000))

    assert bench.finder.findChild(QAbstractButton, "download_draft_button_0") is None


def test_names_of_strangers_are_plain_text(bench: Bench) -> None:
    bench.hub.put(
        repository("<img src=x>/Qwen2.5-Coder-0.5B-Instruct-GGUF", 0.494, 4 * 10**8, downloads=10**9)
    )
    bench.show_for_model()

    tips = [bench.button(f"see_draft_button_{number}").toolTip() for number in range(3)]
    assert "<qt>&lt;img src=x&gt;/Qwen2.5-Coder-0.5B-Instruct-GGUF</qt>" in tips
    assert not any("<img" in tip for tip in tips)


def test_a_gated_draft_is_told_of_and_the_others_are_checked(bench: Bench) -> None:
    gated = f"{DRAFT.repo}/{DRAFT.models[0].files[0].path}"
    bench.hub.fail("header", HubError(HubProblem.GATED, "Accept its licence."), subject=gated)

    bench.show_for_model()

    assert [bench.text(f"found_draft_verdict_{number}") for number in range(3)] == [
        "The vocabulary could not be checked: Accept its licence.",
        "same vocabulary, checked",
        "same vocabulary, checked",
    ]
    assert bench.text("draft_finder_line") == "Not all of these could be checked."
    assert bench.button("retry_finder_button").isVisible()
