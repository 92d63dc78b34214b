"""What is said about drafting."""

import pytest

from app.core.drafting_state import Pause
from app.core.drafting_totals import DraftingTotals
from app.core.protocol import Round
from app.core.recent_drafting import Course, DraftingReading, LatelyDrafted
from app.core.stats import DraftSource
from app.ui.drafting_words import drafting_sentence, gains, rounds_text, speedup_text
from tests.fakes.scripted_rounds import drafted_round, paused_round, undrafted_round

MODEL, LOOKUP = DraftSource.DRAFT_MODEL, DraftSource.PROMPT_LOOKUP


def sentence(
    course: Course,
    typical: Round | None = None,
    *,
    lengths: tuple[int, int] = (0, 0),
    sources: tuple[DraftSource, ...] = (MODEL,),
    by_model: bool = True,
) -> str:
    state = typical.drafting if typical is not None else None
    reading = DraftingReading(lately=LatelyDrafted(course, sources, *lengths, state))
    return drafting_sentence(reading, by_model=by_model)


def test_before_there_is_anything_to_tell_nothing_is_said() -> None:
    assert drafting_sentence(DraftingReading()) == ""


def test_drafting_tells_length_source_and_costs() -> None:
    assert sentence(Course.STEADY, drafted_round(5), lengths=(4, 7)) == (
        "Drafting 4 to 7 tokens from the draft model. "
        "Checking 6 tokens costs 1.5 plain steps here, drafts included."
    )


def test_copies_cost_nothing_but_their_check() -> None:
    assert (
        sentence(Course.STEADY, drafted_round(8, source=LOOKUP), lengths=(8, 8), sources=(LOOKUP,))
        == "Drafting 8 tokens from prompt lookup. Checking 9 tokens costs 1.8 plain steps here."
    )


@pytest.mark.parametrize(
    ("sources", "words"),
    [
        ((MODEL, LOOKUP), "Drafting 1 token from the draft model and lookup."),
        ((LOOKUP, MODEL), "Drafting 1 token from lookup and the draft model."),
    ],
)
def test_both_sources_are_named_the_commoner_first(sources: tuple[DraftSource, ...], words: str) -> None:
    assert sentence(Course.STEADY, lengths=(1, 1), sources=sources) == words


def test_drafts_now_and_then_come_with_the_reason_in_short() -> None:
    pause = paused_round(Pause.NOTHING_FOUND)
    assert sentence(Course.AT_TIMES, pause, lengths=(3, 9), sources=(LOOKUP,)) == (
        "Now and then 3 to 9 tokens from prompt lookup. In between, there is nothing to copy."
    )
    assert sentence(Course.AT_TIMES, lengths=(3, 3)) == ("Now and then 3 tokens from the draft model.")


def test_a_pause_that_nothing_could_end_says_what_a_round_costs() -> None:
    assert sentence(Course.PAUSED, paused_round(Pause.TOO_DEAR, checked=4, steps=4.26)) == (
        "Paused: checking 4 tokens costs 4.3 plain steps here, drafts included. "
        "Even right guesses would lose."
    )


def test_a_pause_for_wrong_guesses_says_how_many_right_ones_it_takes() -> None:
    pause = paused_round(Pause.TOO_OFTEN_WRONG, steps=2.6, acceptance=0.41, needed=0.62)
    assert sentence(Course.PAUSED, pause) == (
        "Paused: 41\N{NO-BREAK SPACE}% of guesses would be right, and it takes 62\N{NO-BREAK SPACE}%. "
        "Checking 4 tokens costs 2.6 plain steps here, drafts included."
    )


@pytest.mark.parametrize("pause", [Pause.TOO_DEAR, Pause.TOO_OFTEN_WRONG])
def test_with_lookup_alone_a_pause_spares_no_passes_of_a_draft_model(pause: Pause) -> None:
    words = "hecking 4 tokens costs 2.6 plain steps here."
    told = sentence(Course.PAUSED, paused_round(pause, checked=4, steps=2.6), by_model=False)
    assert words in told
    assert words not in sentence(Course.PAUSED, paused_round(pause, checked=4, steps=2.6))


@pytest.mark.parametrize("needed", [None, 0.414, 0.2])
def test_figures_that_explain_nothing_are_left_out(needed: float | None) -> None:
    pause = paused_round(Pause.TOO_OFTEN_WRONG, acceptance=0.41, needed=needed)
    assert sentence(Course.PAUSED, pause).startswith("Paused: too few guesses would be right. Checking")


def test_a_draft_that_was_dropped_unchecked_has_no_costs_to_tell() -> None:
    dropped = paused_round(Pause.TOO_OFTEN_WRONG, checked=1)
    assert sentence(Course.STEADY, dropped, lengths=(1, 1)) == "Drafting 1 token from the draft model."
    assert sentence(Course.PAUSED, dropped) == "Paused: too few guesses would be right."


@pytest.mark.parametrize("pause", Pause)
def test_every_pause_has_words_of_its_own(pause: Pause) -> None:
    others = {sentence(Course.PAUSED, paused_round(other)) for other in Pause if other is not pause}
    told = sentence(Course.PAUSED, paused_round(pause))
    assert told.startswith("Paused: ")
    assert told.endswith(".")
    assert told not in others
    assert "In between, " in sentence(Course.AT_TIMES, paused_round(pause), lengths=(2, 3))


def test_a_fixed_length_that_found_nothing_is_not_paused() -> None:
    assert sentence(Course.PAUSED) == "Nothing to draft in the last rounds."


@pytest.mark.parametrize(
    ("totals", "words"),
    [
        (DraftingTotals(80, 80, 336), "Drafted 4.2 tokens in every round."),
        (
            DraftingTotals(80, 68, 68),
            "Drafted 1 token at a time, and nothing in 15\N{NO-BREAK SPACE}% of the rounds.",
        ),
        (
            DraftingTotals(80, 20, 40),
            "Drafted 2 tokens at a time, and nothing in 75\N{NO-BREAK SPACE}% of the rounds.",
        ),
    ],
)
def test_a_whole_answer(totals: DraftingTotals, words: str) -> None:
    lately = LatelyDrafted(Course.PAUSED, typical=paused_round(Pause.NO_ROOM).drafting)
    assert drafting_sentence(DraftingReading(lately=lately, whole=totals)) == words


def test_of_an_answer_that_drafted_nothing_the_reason_stays() -> None:
    lately = LatelyDrafted(Course.PAUSED, typical=paused_round().drafting)
    reading = DraftingReading(lately=lately, whole=DraftingTotals(30, 0, 0))
    assert drafting_sentence(reading).startswith("Paused: checking 4 tokens")


@pytest.mark.parametrize(
    ("speedup", "words", "is_gain"),
    [
        (1.62, "about 1.6× plain, estimated", True),
        (1.04, "about 1.0× plain, estimated", False),
        (0.949, "about 0.9× plain, estimated", False),
    ],
)
def test_the_estimate_is_marked_as_one(speedup: float, words: str, is_gain: bool) -> None:
    assert speedup_text(speedup) == words
    assert gains(speedup) is is_gain


def test_rounds_in_figures() -> None:
    rounds = [drafted_round(5, 3), drafted_round(8, 8, source=LOOKUP), drafted_round(2, 2), paused_round()]
    assert rounds_text([each.stats for each in rounds]) == (
        "The last 4 rounds\n"
        "Draft model: 7 tokens drafted, 5 accepted\n"
        "Prompt lookup: 8 tokens drafted, 8 accepted\n"
        "1 round without a draft"
    )
    assert rounds_text([undrafted_round().stats] * 2) == "The last 2 rounds\n2 rounds without a draft"
    assert rounds_text([]) == "No rounds yet"
