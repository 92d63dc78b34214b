"""How much of an answer was drafted."""

import pytest

from app.core.drafting_totals import DraftingTotals, totals_of
from app.core.protocol import Round
from app.core.stats import StatsRecorder, StopReason
from tests.fakes.scripted_rounds import FIRST, drafted_round, paused_round


def totals(*rounds: Round) -> DraftingTotals:
    recorder = StatsRecorder(0.0, prompt_tokens=5)
    for number, round_ in enumerate((FIRST, *rounds)):
        recorder.add(round_.stats, 0.1 * number)
    return totals_of(recorder.finish(StopReason.END_OF_GENERATION, 0))


def test_the_round_that_reading_the_prompt_gives_is_none_that_paused() -> None:
    found = totals(drafted_round(4), drafted_round(2))
    assert found == DraftingTotals(rounds=2, drafting=2, tested=6)
    assert found.mean_length == 3.0
    assert found.paused_share == 0.0


def test_lengths_are_of_rounds_that_drafted_and_shares_of_all() -> None:
    found = totals(paused_round(), drafted_round(6), paused_round(), paused_round())
    assert found.mean_length == 6.0
    assert found.paused_share == 0.75


def test_an_answer_without_drafts_has_no_length() -> None:
    found = totals(paused_round())
    assert found.mean_length is None
    assert found.paused_share == 1.0


@pytest.mark.parametrize("found", [DraftingTotals(), totals()])
def test_an_answer_of_one_token_has_no_shares(found: DraftingTotals) -> None:
    assert found.mean_length is None
    assert found.paused_share is None
