"""Which drafts are worth a risk, by what steps take."""

import pytest

from app.core.expectation import expected_tokens
from app.engine.round_costs import DraftOdds, RoundCosts, acceptance_for

GENTLE = RoundCosts((1.0, 1.1, 1.2, 1.3, 1.4), 0.2)
DEAR = RoundCosts((1.0, 1.8, 2.6, 3.4), 0.3)
CLIFF = RoundCosts((1.0, 1.9, 1.95, 2.0), 0.15)  # a second token is dear, two more are nearly free


def test_a_round_is_its_drafts_and_their_check() -> None:
    assert GENTLE.longest == 4
    assert GENTLE.plain_s == 1.0
    assert GENTLE.round(0) == GENTLE.plain_s
    assert GENTLE.round(3) == pytest.approx(1.3 + 3 * 0.2)


def test_guesses_that_are_all_right_give_their_tokens_and_one_more() -> None:
    assert GENTLE.factor_if_right(0) == 1.0
    assert GENTLE.factor_if_right(4) == pytest.approx(5 / 2.2)


class TestDraftOdds:
    def test_where_even_right_guesses_lose_there_is_none(self) -> None:
        assert max(map(DEAR.factor_if_right, range(1, 4))) < 1.0
        assert DraftOdds(DEAR).best() == 0

    def test_a_short_draft_risks_least_for_what_it_gains(self) -> None:
        assert DraftOdds(GENTLE).best() == 1

    def test_it_looks_past_a_dear_step_to_a_cheap_one(self) -> None:
        assert CLIFF.factor_if_right(1) < 1.0
        assert DraftOdds(CLIFF).best() == 3

    def test_nothing_is_risked_beyond_what_may_be_lost(self) -> None:
        assert DraftOdds(CLIFF).best(CLIFF.round(3) - 0.01) == 2
        assert DraftOdds(CLIFF).best(CLIFF.round(2) - 0.01) == 0

    def test_drafts_that_cost_nothing_are_no_risk(self) -> None:
        assert DraftOdds(RoundCosts((1.0, 1.0, 1.0), 0.0)).best() == 2


class TestAcceptanceNeeded:
    @pytest.mark.parametrize(("steps", "drafted"), [(1.5, 1), (2.2, 4), (4.9, 7)])
    def test_it_is_that_from_which_a_round_gives_as_many_tokens(self, steps: float, drafted: int) -> None:
        needed = acceptance_for(steps, drafted)
        assert needed is not None
        assert expected_tokens(needed, drafted) == pytest.approx(steps, rel=0.01)

    def test_no_acceptance_pays_for_more_than_all_tokens(self) -> None:
        assert acceptance_for(3.1, 2) is None
