"""What drafting comes to, in the meters."""

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from app.core.drafting_state import Pause
from app.core.options import DraftLength, SpeculationMode, SpeculationOptions
from app.core.recent_drafting import Course, DraftingReading, LatelyDrafted
from app.core.stats import DraftSource
from app.ui.chart_legend import ChartLegend
from app.ui.chat_sidebar import WIDTH
from app.ui.drafting_line import DraftingLine
from app.ui.theme import Theme
from app.ui.widgets import ElidedLabel
from tests.fakes.children import child
from tests.fakes.paint_counter import PaintCounter
from tests.fakes.scripted_rounds import drafted_round, paused_round

BOTH = (DraftSource.DRAFT_MODEL, DraftSource.PROMPT_LOOKUP)
DRAFTING = DraftingReading(
    rounds=(drafted_round().stats,),
    lately=LatelyDrafted(Course.STEADY, BOTH, 12, 16, drafted_round(14).drafting),
    speedup=1.62,
)


@pytest.fixture
def line(theme: Theme, qtbot: QtBot) -> DraftingLine:
    made = DraftingLine(theme)
    qtbot.addWidget(made)
    made.resize(WIDTH - 2 * 16, made.sizeHint().height())
    made.show()
    return made


def test_before_an_answer_it_says_what_will_be_seen(line: DraftingLine) -> None:
    assert line.sentence == "Each bar will be a round: outlined what was drafted, filled what was accepted."
    assert line.speedup == ""
    assert line.strip.rounds == ()


def test_it_shows_rounds_a_sentence_and_an_estimate(line: DraftingLine) -> None:
    line.show_reading(DRAFTING)
    assert line.strip.rounds == DRAFTING.rounds
    assert line.sentence.startswith("Drafting 12 to 16 tokens from the draft model and lookup.")
    assert line.speedup == "about 1.6× plain, estimated"
    assert line.accessibleDescription() == f"{line.sentence} {line.speedup}"
    line.show_reading(DraftingReading())
    assert line.speedup == ""


@pytest.mark.parametrize(("speedup", "tone"), [(1.62, "accent"), (1.01, "muted"), (0.9, "muted")])
def test_only_a_gain_stands_out(line: DraftingLine, speedup: float, tone: str) -> None:
    line.show_reading(DraftingReading(speedup=speedup))
    assert child(line, ElidedLabel, "estimated_speedup").property("tone") == tone


@pytest.mark.parametrize("pause", Pause)
@pytest.mark.parametrize("course", [Course.PAUSED, Course.AT_TIMES])
def test_nothing_moves_and_nothing_is_cut_whatever_is_said(
    line: DraftingLine, pause: Pause, course: Course
) -> None:
    sentence = child(line, QLabel, "drafting_sentence")
    height = line.heightForWidth(line.width())
    state = paused_round(pause, checked=17, steps=12.3, acceptance=0.41, needed=0.62).drafting
    line.show_reading(DraftingReading(lately=LatelyDrafted(course, BOTH, 12, 16, state), speedup=1.62))
    assert sentence.heightForWidth(line.width()) <= sentence.minimumHeight(), line.sentence
    assert line.heightForWidth(line.width()) == height
    shown = child(line, ElidedLabel, "estimated_speedup")
    assert shown.text() == shown.whole_text


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (SpeculationOptions(mode=SpeculationMode.DRAFT_MODEL), True),
        (SpeculationOptions(mode=SpeculationMode.DRAFT_MODEL, draft_length=DraftLength.FIXED), False),
        (SpeculationOptions(mode=SpeculationMode.PROMPT_LOOKUP), False),
    ],
)
def test_colours_are_named_where_an_answer_may_have_both(
    line: DraftingLine, options: SpeculationOptions, named: bool
) -> None:
    line.show_options(options)
    legend = child(line, ChartLegend, "rounds_legend")
    assert legend.isVisible() is named
    if named:
        assert legend.accessibleName() == "Draft model · Prompt lookup"


@pytest.mark.parametrize(
    ("mode", "with_drafts"), [(SpeculationMode.DRAFT_MODEL, True), (SpeculationMode.PROMPT_LOOKUP, False)]
)
def test_costs_include_drafts_where_a_model_makes_them(
    line: DraftingLine, mode: SpeculationMode, with_drafts: bool
) -> None:
    line.show_options(SpeculationOptions(mode=mode))
    line.show_reading(DraftingReading(lately=LatelyDrafted(Course.PAUSED, typical=paused_round().drafting)))
    assert ("drafts included" in line.sentence) is with_drafts


def test_the_same_reading_is_not_painted_again(line: DraftingLine, qtbot: QtBot) -> None:
    qtbot.waitExposed(line)
    line.show_reading(DRAFTING)
    counters = [PaintCounter(child(line, QLabel, "drafting_sentence")), PaintCounter(line.strip)]
    counters[0].take(), counters[1].take()
    line.show_reading(DRAFTING)
    assert [counter.take() for counter in counters] == [0, 0]
