"""One prompt, compared: what becomes of a result when the question or the model changes."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtWidgets import QPlainTextEdit
from pytestqt.qtbot import QtBot

from app.core.options import SpeculationMode, SpeculationOptions
from app.settings import ModelConfig
from app.ui.finding_card import FindingCard
from app.ui.session_state import Empty
from tests.fakes.compare_services import ComparePlace
from tests.fakes.local_models import local_model
from tests.fakes.opened_prompt_tab import Opened
from tests.fakes.setups import DRAFT, TARGET, drafted_setup


@pytest.fixture
def opened(place: ComparePlace, qtbot: QtBot) -> Iterator[Opened]:
    made = Opened(place, qtbot)
    yield made
    made.panes.clear()


@pytest.mark.parametrize("lost_first", [True, False])
def test_a_model_that_goes_midway_leaves_what_was_measured_and_the_reason(
    opened: Opened, lost_first: bool
) -> None:
    plan = opened.run()
    measured = replace(opened.measured(plan, (8.2, 8.1), (16.6, 16.4)), is_complete=False)
    if lost_first:
        opened.place.session.enter(Empty())
    opened.place.comparison.fail("The model was unloaded.", measured)
    opened.place.session.enter(Empty())
    assert opened.line("compare_remark_line") == "The model was unloaded."
    assert opened.sees(FindingCard)


def test_a_model_that_goes_before_anything_was_measured_leaves_the_reason(opened: Opened) -> None:
    opened.run()
    opened.place.session.enter(Empty())
    opened.place.comparison.fail("The model was unloaded.")
    assert opened.line("no_model_reason") == "The model was unloaded."
    opened.place.session.run(drafted_setup())
    assert opened.line("compare_remark_line") == "The model was unloaded."
    opened.run()
    opened.place.session.enter(Empty())
    opened.finish()
    assert opened.line("no_model_reason") == ""


def test_another_prompt_is_another_question(opened: Opened) -> None:
    opened.run()
    opened.finish()
    opened.box.changed.emit()
    assert opened.tab.experiment is None
    assert not opened.sees(FindingCard)
    assert opened.line("compare_remark_line") == (
        "The question has changed: its last result was cleared. History has it."
    )
    opened.box.changed.emit()
    assert opened.line("compare_remark_line") == "", "it is not about the next one"


def test_what_was_said_of_a_prompt_is_not_said_of_the_next(opened: Opened) -> None:
    opened.run()
    opened.place.comparison.fail("The prompt is too long.")
    opened.box.changed.emit()
    assert opened.line("compare_remark_line") == ""


def test_the_sides_over_a_result_stay_those_it_is_about(opened: Opened) -> None:
    opened.run()
    opened.finish()
    lookup = SpeculationOptions(mode=SpeculationMode.PROMPT_LOOKUP)
    opened.place.services.preferences.remember(TARGET.path, ModelConfig(speculation=lookup))
    assert opened.panes.sides[1].draft == DRAFT


def test_with_another_model_a_result_is_from_the_one_before(opened: Opened) -> None:
    opened.run()
    opened.finish()
    other = local_model("Other 3B", path=Path("/models/other3.gguf"))
    opened.place.session.run(replace(drafted_setup(), target=other))
    assert opened.line("compare_remark_line").startswith("Measured ")
    assert opened.panes.right.variant_words == "Draft Model · automatic"
    opened.button("compare_remark_button").click()
    assert opened.tab.experiment is None


def test_sides_that_are_the_same_are_told_before_a_run(opened: Opened) -> None:
    same = opened.panes.right.side
    opened.panes.left.picker.show_side(same)
    opened.panes.left.picker.side_chosen.emit(same)
    assert opened.line("compare_remark_line") == (
        "Both sides are the same: they will show how much the speed varies by itself."
    )
    opened.run()
    assert opened.line("compare_remark_line") == ""


@pytest.mark.parametrize(
    ("other", "is_told"),
    [({"max_draft_tokens": 7, "min_draft_tokens": 2}, True), ({"draft_ceiling": 4}, False)],
)
def test_automatic_sides_are_the_same_whatever_their_fixed_numbers(
    opened: Opened, other: dict[str, int], is_told: bool
) -> None:
    same = opened.panes.right.side
    assert same.variant.speculation.is_automatic
    variant = replace(same.variant, speculation=replace(same.variant.speculation, **other))
    opened.panes.left.picker.show_side(replace(same, variant=variant))
    opened.panes.left.picker.side_chosen.emit(opened.panes.left.side)
    assert opened.line("compare_remark_line").startswith("Both sides are the same") is is_told


def test_the_prompt_stays_while_it_is_asked(opened: Opened) -> None:
    opened.run()
    field = opened.tab.findChild(QPlainTextEdit, "prompt_field")
    assert isinstance(field, QPlainTextEdit)
    assert field.isReadOnly()
    opened.box.changed.emit()
    experiment = opened.finish()
    assert opened.tab.experiment is experiment
    assert not field.isReadOnly()
