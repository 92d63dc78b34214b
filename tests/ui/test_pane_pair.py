"""Both sides of a comparison."""

from collections.abc import Iterator

import pytest
from msgspec.structs import replace
from pytestqt.qtbot import QtBot

from app.core.experiment import PlannedRun, Run, Variant
from app.core.protocol import Round, TextPiece
from app.core.verdict import verdict_of
from app.ui.pane_pair import PanePair
from app.ui.side import Side
from tests.fakes.compare_services import ComparePlace
from tests.fakes.experiments import CODE, DRAFTED, LOOKUP, OFF, auto_variant, prompt_experiment, run_of
from tests.fakes.measured_answers import measured_answer

SIDES = (Side(OFF), Side(DRAFTED))


@pytest.fixture
def pair(place: ComparePlace, qtbot: QtBot) -> Iterator[PanePair]:
    made = PanePair(place.services)
    qtbot.addWidget(made)
    made.resize(1100, 400)
    made.show()
    yield made
    made.clear()


def rounds(variant: Variant, run: Run) -> list[Round]:
    answer = measured_answer(variant.speculation, run.tokens, 10.0, 0.9)
    found = []
    for traced in answer.traced:
        kept = traced.tested[: traced.accepted]
        pieces = [
            TextPiece(token.text, True, number, token.draft_probability)
            for number, token in enumerate(kept, 1)
        ]
        pieces.append(TextPiece(traced.next_text, False, 0, None))
        found.append(
            Round((*(token.token for token in kept), traced.next_token), tuple(pieces), traced.stats)
        )
    return found


def answer(pair: PanePair, variant: Variant, rate: float, repeat: int = 0) -> None:
    planned = PlannedRun(variant.id, CODE.id, repeat)
    run = run_of(variant, rate, repeat=repeat)
    pair.begin_run(planned)
    for round_ in rounds(variant, run):
        pair.add_round(planned, round_)
    pair.end_run(run)


def test_before_anything_runs_the_panes_say_what_they_are_for(pair: PanePair) -> None:
    assert [pane.note for pane in pair.panes] == ["The answer appears here."] * 2
    assert [pane.dial.figure for pane in pair.panes] == ["–", "–"]
    assert [pane.dial.accessibleDescription() for pane in pair.panes] == ["no speed"] * 2


def test_the_side_that_answers_reads_and_streams_while_the_other_waits(pair: PanePair) -> None:
    pair.begin(SIDES, repeats=2)
    assert [pane.note for pane in pair.panes] == ["Waits for its turn."] * 2
    planned = PlannedRun("off", CODE.id, 0)
    pair.show_prefill(planned, 1, 10)  # of a warm-up: nobody has begun
    assert pair.left.note == "Waits for its turn."
    pair.begin_run(planned)
    assert pair.left.note == "Reading the prompt…"
    pair.show_prefill(planned, 6, 24)
    assert pair.left.note == "Reading the prompt… 25 %"
    assert pair.left.figures == "run 1 of 2"
    for round_ in rounds(OFF, run_of(OFF))[:3]:
        pair.add_round(planned, round_)
    pair.left.text.finish_work()
    assert pair.left.note == ""
    assert pair.left.text.text == "Certainly! Here"
    assert (pair.right.note, pair.right.text.text) == ("Waits for its turn.", "")


def test_an_ended_run_leaves_its_speed_and_figures(pair: PanePair) -> None:
    pair.begin(SIDES, repeats=1)
    answer(pair, OFF, 8.2)
    answer(pair, DRAFTED, 16.6)
    run = run_of(DRAFTED, 16.6)
    assert [pane.dial.figure for pane in pair.panes] == ["8.2", "16.6"]
    assert pair.left.figures == "96 tokens   300 ms to first token   engine 3.6 GB"
    assert pair.right.figures == (
        f"96 tokens   300 ms to first token   accepted {run.stats.accepted} of {run.stats.tested}   "
        "engine 4.1 GB"
    )


def test_of_an_automatic_length_the_pane_tells_what_it_chose(pair: PanePair) -> None:
    auto = auto_variant()
    pair.show_sides(Side(OFF), Side(auto))
    pair.begin(pair.sides, repeats=1)
    answer(pair, auto, 16.6)
    assert "drafts of" in pair.right.figures
    experiment = prompt_experiment(variants=(auto, DRAFTED))
    pair.show_variants(experiment.variants)
    pair.show_result(experiment, CODE.id, None)
    assert ["drafts of" in pane.figures for pane in pair.panes] == [True, False]


def test_both_dials_have_one_scale_that_only_grows_meanwhile(pair: PanePair) -> None:
    pair.begin(SIDES, repeats=2)
    scales = []
    for variant, rate in ((OFF, 8.2), (DRAFTED, 16.6)):
        answer(pair, variant, rate)
        scales.append({pane.dial.scale for pane in pair.panes})
    answer(pair, DRAFTED, 4.0, repeat=1)
    scales.append({pane.dial.scale for pane in pair.panes})
    assert scales == [{10}, {20}, {20}]


def test_later_runs_show_their_speed_and_not_their_text(pair: PanePair) -> None:
    pair.begin(SIDES, repeats=2)
    answer(pair, OFF, 8.2)
    before = pair.left.text.text
    planned = PlannedRun("off", CODE.id, 1)
    pair.begin_run(planned)
    assert pair.left.figures.startswith("run 2 of 2   96 tokens")
    for round_ in rounds(OFF, run_of(OFF)):
        pair.add_round(planned, round_)
    pair.left.text.finish_work()
    assert pair.left.text.text == before
    assert pair.left.note == ""


def test_the_dial_moves_a_few_times_a_second(pair: PanePair, qtbot: QtBot) -> None:
    pair.begin(SIDES, repeats=1)
    planned = PlannedRun("off", CODE.id, 0)
    pair.begin_run(planned)
    assert pair.left.dial.figure == "0.0"
    first, second, *_ = rounds(OFF, run_of(OFF))
    pair.add_round(planned, first)
    qtbot.wait(5)
    pair.add_round(planned, second)
    assert pair.left.dial.figure == "0.0"
    qtbot.waitUntil(lambda: pair.left.dial.figure != "0.0", timeout=2000)
    assert pair.right.dial.figure == "–"


def test_the_result_has_medians_and_what_the_draft_takes(pair: PanePair) -> None:
    experiment = prompt_experiment()
    pair.show_result(experiment, CODE.id, verdict_of(experiment))
    assert [pane.dial.figure for pane in pair.panes] == ["8.2", "16.6"]
    assert pair.right.dial.accessibleDescription() == "16.6 tokens per second"
    assert pair.right.figures.endswith("engine 4.1 GB, draft 0.5 GB of it")
    assert {pane.dial.scale for pane in pair.panes} == {20}


def test_what_was_coloured_while_it_came_stays_coloured(pair: PanePair) -> None:
    pair.begin(SIDES, repeats=1)
    answer(pair, DRAFTED, 16.6)
    spans = list(pair.right.text.spans)
    assert spans
    judged = prompt_experiment((8.2,), (16.6,))
    pair.show_result(judged, CODE.id, verdict_of(judged))
    assert list(pair.right.text.spans) == spans


def test_one_from_the_history_is_coloured_as_it_was_then(pair: PanePair) -> None:
    experiment = prompt_experiment(identical=False)
    pair.show_result(experiment, CODE.id, verdict_of(experiment))
    drafted = experiment.runs_of(DRAFTED.id, CODE.id)[0]
    assert drafted.spans and list(pair.right.text.spans) == list(drafted.spans)
    assert list(pair.left.text.spans) == []


def test_a_difference_is_marked_on_both_sides(pair: PanePair) -> None:
    experiment = prompt_experiment(identical=False)
    pair.show_result(experiment, CODE.id, verdict_of(experiment))
    assert [pane.text.go_to_difference() for pane in pair.panes] == [True, True]
    identical = prompt_experiment()
    pair.clear()
    pair.show_result(identical, CODE.id, verdict_of(identical))
    assert [pane.text.go_to_difference() for pane in pair.panes] == [False, False]


def test_the_text_that_is_shown_is_the_one_that_differs(pair: PanePair) -> None:
    """The first answer was the same, a later one was not."""
    experiment = prompt_experiment((8.0, 8.0), (16.0, 16.0), identical=False)
    runs = tuple(
        run_of(DRAFTED, 16.0) if (run.variant, run.repeat) == ("draft", 0) else run for run in experiment.runs
    )
    experiment = replace(experiment, runs=runs)
    pair.show_result(experiment, CODE.id, verdict_of(experiment))
    assert " however" in pair.right.text.text


def test_a_side_that_never_answered_says_so(pair: PanePair) -> None:
    experiment = prompt_experiment(ended_runs=1)
    pair.show_result(experiment, CODE.id, verdict_of(experiment))
    assert pair.right.note == "It was stopped before it had answered."
    assert pair.right.dial.figure == "–"


def test_plain_generation_is_grey_and_two_that_draft_can_be_told_apart(pair: PanePair) -> None:
    assert roles(pair, OFF, DRAFTED) == ["muted", "accent"]
    assert roles(pair, DRAFTED, OFF) == ["accent", "muted"]
    assert roles(pair, LOOKUP, DRAFTED) == ["muted", "accent"]
    assert roles(pair, OFF, OFF) == ["muted", "accent"]


def roles(pair: PanePair, left: Variant, right: Variant) -> list[str]:
    pair.show_sides(Side(left), Side(right))
    return [pane.dial.role for pane in pair.panes]


def test_what_was_measured_elsewhere_has_words_in_place_of_choices(pair: PanePair) -> None:
    pair.show_variants((OFF, DRAFTED))
    assert not pair.left.picker.isVisible()
    assert pair.right.variant_words == "Draft Model · max 5"
    assert pair.right.draft_words == "drafted by Coder 0.5B Instruct · Q4_K_M"
    assert pair.left.draft_words == ""
    pair.show_variants(None)
    assert pair.left.picker.isVisible()
    assert pair.right.variant_words == ""


def test_the_draft_model_of_a_side_is_named_with_its_quantisation(pair: PanePair) -> None:
    pair.show_sides(Side(DRAFTED), Side(LOOKUP))
    assert pair.left.draft_words == "drafted by Coder 0.5B Instruct · Q4_K_M"
    assert pair.right.draft_words == ""
    pair.right.picker.side_chosen.emit(Side(DRAFTED))
    assert pair.right.draft_words == pair.left.draft_words
