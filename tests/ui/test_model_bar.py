"""The bar on top shows what the session is doing."""

from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QProgressBar, QPushButton, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from app.core.options import SpeculationMode, SpeculationOptions
from app.core.protocol import Failed, FailureKind, Loaded, Obstacle, Refusal
from app.models.library import LocalModel
from app.settings import ModelConfig
from app.ui.engine_end import Activity, EndKind, EngineEnd
from app.ui.icons import Icons
from app.ui.model_bar import HEIGHT, ModelBar
from app.ui.session_state import Empty, EngineLost, LoadFailed, Loading, Running, Setup
from app.ui.theme import Theme
from app.ui.track import Track
from tests.fakes.children import child
from tests.fakes.local_models import local_model

TARGET = local_model("Qwen2.5-Coder 1.5B Instruct", quantisation="F16")
DRAFT = local_model("Qwen2.5-Coder 0.5B Instruct", path=Path("/models/draft.gguf"))
LONG = local_model("Meta-Llama-3.1-Uncensored 8B Instruct", quantisation="Q4_K_M")
LONG_DRAFT = local_model("Meta-Llama-3.2-Abliterated 1B Instruct", quantisation="IQ4_XS")
NARROW = 663  # pixels that a window of 960 leaves for the bar
DRAFTED = ModelConfig(speculation=SpeculationOptions(mode=SpeculationMode.DRAFT_MODEL), draft=DRAFT.path)


def loaded(*, has_draft: bool = True, refusal: Refusal | None = None) -> Loaded:
    return Loaded(
        request_id=1,
        context_length=4096,
        has_draft=has_draft,
        target_bytes=3_500_000_000,
        draft_bytes=500_000_000,
        load_s=1.5,
        refusal=None,
        draft_refusal=refusal,
        template_problem=None,
    )


@pytest.fixture
def bar(theme: Theme, icons: Icons, qtbot: QtBot) -> ModelBar:
    made = ModelBar(theme, icons)
    made.resize(1100, HEIGHT)
    qtbot.addWidget(made)
    return made


def shown(bar: ModelBar) -> set[str]:
    kinds = (QPushButton, QToolButton, QProgressBar, Track)
    return {w.objectName() for kind in kinds for w in bar.findChildren(kind) if not w.isHidden()}


def texts(bar: ModelBar) -> list[str]:
    return [label.text() for label in bar.findChildren(QLabel) if not label.isHidden()]


def test_nothing_loaded_offers_a_choice(bar: ModelBar) -> None:
    bar.show_state(Empty())
    assert shown(bar) == {"model_picker_button"}
    assert "Choose a model" in child(bar, QToolButton, "model_picker_button").text()


def test_loading_can_be_cancelled_and_shows_how_far_it_is(bar: ModelBar, qtbot: QtBot) -> None:
    bar.show_state(Loading(Setup(TARGET, DRAFT, DRAFTED)))
    bar.show_progress(0.425)
    assert shown(bar) == {"model_picker_button", "draft_button", "load_progress", "cancel_load_button"}
    assert child(bar, QProgressBar, "load_progress").value() == 425
    assert not child(bar, QToolButton, "draft_button").isEnabled(), "it is named, and not there yet"
    with qtbot.waitSignal(bar.cancel_requested):
        child(bar, QPushButton, "cancel_load_button").click()


def test_while_loading_the_targets_name_is_worth_more_than_the_drafts(bar: ModelBar) -> None:
    bar.show_state(Loading(Setup(LONG, LONG_DRAFT, DRAFTED)))
    bar.resize(NARROW, HEIGHT)
    bar.grab()
    assert "draft_button" not in shown(bar)
    bar.resize(3 * NARROW, HEIGHT)
    bar.grab()
    assert "draft_button" in shown(bar)


def test_loading_a_target_alone_names_no_draft(bar: ModelBar) -> None:
    bar.show_state(Loading(Setup(TARGET, None, DRAFTED)))
    assert shown(bar) == {"model_picker_button", "load_progress", "cancel_load_button"}


@pytest.mark.parametrize(("draft", "what"), [(DRAFT, "pair"), (None, "model")])
def test_measuring_is_told_where_loading_was(bar: ModelBar, draft: LocalModel | None, what: str) -> None:
    bar.show_state(Loading(Setup(TARGET, draft, DRAFTED)))
    bar.show_progress(1.0)
    bar.show_measuring(7, 20)

    progress = child(bar, QProgressBar, "load_progress")
    assert not progress.isHidden()
    assert progress.value() == 350
    assert f"Measuring this {what}… 35 %" in texts(bar)


def test_a_loaded_pair_is_named_with_its_quantisations(bar: ModelBar) -> None:
    bar.show_state(Running(Setup(TARGET, DRAFT, DRAFTED), loaded()))
    assert (
        child(bar, QToolButton, "model_picker_button").text().strip() == "Qwen2.5-Coder 1.5B Instruct  ·  F16"
    )
    assert child(bar, QToolButton, "draft_button").text().strip() == "Qwen2.5-Coder 0.5B Instruct  ·  Q4_K_M"
    assert shown(bar) >= {"draft_button", "eject_button", "context_meter"}


def test_a_refused_draft_is_not_named_as_drafting(bar: ModelBar) -> None:
    refusal = Refusal(Obstacle.INCOMPATIBLE, "It does not fit.")
    bar.show_state(Running(Setup(TARGET, DRAFT, DRAFTED), loaded(has_draft=False, refusal=refusal)))
    assert "draft_button" not in shown(bar)


def test_prompt_lookup_is_named(bar: ModelBar) -> None:
    config = ModelConfig(speculation=SpeculationOptions(mode=SpeculationMode.PROMPT_LOOKUP))
    bar.show_state(Running(Setup(TARGET, None, config), loaded(has_draft=False)))
    assert child(bar, QToolButton, "draft_button").text().strip() == "Prompt lookup"


@pytest.mark.parametrize(
    "state",
    [
        LoadFailed(Setup(TARGET, None, ModelConfig()), Failed(1, FailureKind.LOAD, "It could not be read.")),
        EngineLost(Setup(TARGET, None, ModelConfig()), EngineEnd(EndKind.KILLED, 9, Activity.ANSWERING)),
    ],
)
def test_a_lost_model_can_be_loaded_again(
    bar: ModelBar, qtbot: QtBot, state: LoadFailed | EngineLost
) -> None:
    bar.show_state(state)
    assert shown(bar) == {"model_picker_button", "reload_model_button"}
    with qtbot.waitSignal(bar.reload_requested):
        child(bar, QPushButton, "reload_model_button").click()


def test_the_context_meter_never_overflows(bar: ModelBar) -> None:
    bar.show_state(Running(Setup(TARGET, None, ModelConfig()), loaded()))
    bar.show_context(5000, 4096)
    assert [segment.share for segment in child(bar, Track, "context_meter").segments] == [1.0]


def test_drafting_that_is_switched_off_is_not_named_and_the_context_stays(bar: ModelBar) -> None:
    setup = Setup(TARGET, DRAFT, DRAFTED)
    bar.show_state(Running(setup, loaded()))
    bar.show_context(1204, 4096)
    off = ModelConfig(speculation=SpeculationOptions(mode=SpeculationMode.OFF), draft=DRAFT.path)
    bar.show_config(Running(Setup(TARGET, DRAFT, off), loaded()))
    assert "draft_button" not in shown(bar)
    assert "1,204" in child(bar, Track, "context_meter").accessibleDescription()


def pills(bar: ModelBar) -> tuple[QToolButton, QToolButton]:
    return child(bar, QToolButton, "model_picker_button"), child(bar, QToolButton, "draft_button")


def lookup_config() -> ModelConfig:
    return ModelConfig(speculation=SpeculationOptions(mode=SpeculationMode.PROMPT_LOOKUP))


def check_nothing_overlaps(bar: ModelBar) -> None:
    """Everything in the bar has its place, in order, and room for its words."""
    bar.show()
    parts = [
        part
        for part in bar.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)
        if part.isVisible()
    ]
    parts.sort(key=lambda part: part.x())
    for left, right in pairwise(parts):
        assert left.geometry().right() < right.x()
    assert parts[-1].geometry().right() < bar.width()
    for part in parts:
        if not isinstance(part, (Track, QProgressBar)):
            assert part.width() >= part.sizeHint().width()


@pytest.mark.parametrize("width", [NARROW, 840, 1143])
def test_long_names_stay_readable(bar: ModelBar, width: int) -> None:
    bar.resize(width, HEIGHT)
    bar.show_state(Running(Setup(LONG, LONG_DRAFT, DRAFTED), loaded()))

    check_nothing_overlaps(bar)
    for pill, model in zip(pills(bar), (LONG, LONG_DRAFT), strict=True):
        name, _, quantisation = pill.text().strip().partition("·")
        assert quantisation.strip() == model.info.quantisation
        assert len(name.strip()) >= 12
        assert name[:4] == model.name[:4]
        assert model.name in pill.toolTip()


def test_what_matters_least_goes_first(bar: ModelBar) -> None:
    bar.show_state(Running(Setup(TARGET, DRAFT, DRAFTED), loaded()))
    seen = []
    for width in range(1400, 500, -1):
        bar.resize(width, HEIGHT)
        bar.grab()  # sends the resize
        left = ("drafted by" in texts(bar), "context_meter" in shown(bar), "Context 0 / 4,096" in texts(bar))
        cut = any("…" in pill.text() for pill in pills(bar))
        if (*left, cut) not in seen:
            seen.append((*left, cut))
    assert seen == [
        (True, True, True, False),
        (False, True, True, False),
        (False, False, True, False),
        (False, False, False, False),
        (False, False, False, True),
    ]
    assert "0 / 4,096" in texts(bar)


def test_a_short_name_is_whole_beside_a_long_one(bar: ModelBar) -> None:
    bar.resize(NARROW, HEIGHT)
    bar.show_state(Running(Setup(LONG, None, lookup_config()), loaded(has_draft=False)))
    check_nothing_overlaps(bar)
    target, lookup = pills(bar)
    assert lookup.text().strip() == "Prompt lookup"
    assert len(target.text().strip()) > 24


def test_a_name_is_never_taken_for_a_shortcut(bar: ModelBar) -> None:
    odd = local_model("R&B 1B", quantisation="F16")
    bar.show_state(Running(Setup(odd, None, ModelConfig()), loaded(has_draft=False)))
    assert "R&&B" in pills(bar)[0].text()
    check_nothing_overlaps(bar)


@pytest.mark.parametrize("width", [NARROW, 840, 1143])
def test_nothing_moves_while_the_context_fills(bar: ModelBar, width: int) -> None:
    bar.resize(width, HEIGHT)
    bar.show_state(Running(Setup(LONG, LONG_DRAFT, DRAFTED), loaded()))
    bar.show()
    places = set()
    for used in (2, 99, 122, 1_000, 4_096):
        bar.show_context(used, 4096)
        bar.grab()
        places.add(
            tuple(
                part.geometry().getRect()
                for part in bar.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)
                if part.isVisible()
            )
        )
    assert len(places) == 1
    check_nothing_overlaps(bar)


def test_nothing_moves_while_loading(bar: ModelBar) -> None:
    bar.resize(NARROW, HEIGHT)
    bar.show_state(Loading(Setup(LONG, LONG_DRAFT, DRAFTED)))
    check_nothing_overlaps(bar)
    cancel = child(bar, QPushButton, "cancel_load_button")
    places = set()
    for percent in (0, 1, 100):
        bar.show_progress(percent / 100)
        bar.grab()
        check_nothing_overlaps(bar)
        places.add(cancel.x())
        bar.show_measuring(percent, 100)
        bar.grab()
        check_nothing_overlaps(bar)
        places.add(cancel.x())
    assert len(places) == 1
