"""What a draft is expected to gain before loading, and on which grounds."""

import pytest

from app.core.cost_estimate import CostRange
from app.core.expectation import StepCosts
from app.core.pair_expectation import (
    DraftLengths,
    ExpectedGain,
    Grounds,
    NoGain,
    gain_from_answers,
    gain_from_costs,
)
from app.core.pair_record import AnsweredSpeedup
from app.core.typical_acceptance import LOOKUP, TypicalAcceptance

TYPICAL = TypicalAcceptance(0.5, 0.9)


def answers(*speedups: float, tokens: int = 100) -> tuple[AnsweredSpeedup, ...]:
    return tuple(AnsweredSpeedup(speedup, tokens, 20) for speedup in speedups)


def sure(target: float, draft: float, *checks: float) -> CostRange:
    costs = StepCosts(target, draft, checks=(target, *checks))
    return CostRange(costs, costs)


class TestAnswers:
    def test_give_the_range_they_lie_in(self) -> None:
        assert gain_from_answers(answers(1.8, 1.3, 1.5)) == ExpectedGain(1.3, 1.8, Grounds.ANSWERS, 3)

    def test_that_lost_are_told_as_well(self) -> None:
        found = gain_from_answers(answers(0.97, 0.99, 1.1))
        assert found is not None
        assert found.low == 0.97

    @pytest.mark.parametrize("few", [(), answers(2.0), answers(2.0, 1.0)])
    def test_too_few_say_nothing(self, few: tuple[AnsweredSpeedup, ...]) -> None:
        assert gain_from_answers(few) is None

    def test_short_ones_do_not_count(self) -> None:
        assert gain_from_answers(answers(1.2, 1.3) + answers(9.0, 9.0, tokens=5)) is None

    def test_of_many_the_odd_ones_are_left_out(self) -> None:
        found = gain_from_answers(answers(0.2, *[1.4] * 18, 7.0))
        assert found == ExpectedGain(1.4, 1.4, Grounds.ANSWERS, 20)


class TestCosts:
    def test_cheap_checks_gain_more_where_more_guesses_are_right(self) -> None:
        found = gain_from_costs(sure(1.0, 0.1, *[1.1] * 16), TYPICAL, Grounds.COSTS)

        assert isinstance(found, ExpectedGain)
        assert 1.0 < found.low < found.high < 17
        assert found.grounds is Grounds.COSTS

    def test_automatic_drafting_pauses_where_hard_texts_would_lose(self) -> None:
        found = gain_from_costs(sure(1.0, 0.3, 1.3, 1.6, 1.9), TYPICAL, Grounds.COSTS)

        assert isinstance(found, ExpectedGain)
        assert found.low == 1.0

    def test_no_gain_where_even_right_guesses_lose(self) -> None:
        checks = [1.8, 2.2, 2.6, *[4.0 + more for more in range(13)]]
        found = gain_from_costs(sure(1.0, 0.5, *checks), TYPICAL, Grounds.COSTS)

        assert isinstance(found, NoGain)
        assert (found.drafted, found.checked) == (3, 4), "the length that loses least"
        assert found.check_steps == pytest.approx(2.6)
        assert found.draft_steps == pytest.approx(1.5)

    def test_steps_are_plain_ones_whatever_the_unit(self) -> None:
        checks = [18.0 + 10 * more for more in range(16)]
        found = gain_from_costs(sure(10.0, 5.0, *checks), TYPICAL, Grounds.FORMAT)

        assert isinstance(found, NoGain)
        assert found.check_steps == pytest.approx(1.8 + found.drafted - 1)

    def test_what_might_gain_at_the_best_costs_is_not_written_off(self) -> None:
        cheap = StepCosts(1.0, 0.1, checks=(1.0, *[1.1] * 16))
        dear = StepCosts(1.0, 0.9, checks=tuple(1.0 + more for more in range(17)))
        found = gain_from_costs(CostRange(cheap, dear), TYPICAL, Grounds.SIZES)

        assert isinstance(found, ExpectedGain)
        assert found.low == 1.0
        assert found.high > 2.0

    def test_a_cheap_step_behind_a_dear_one_is_seen(self) -> None:
        found = gain_from_costs(sure(1.0, 0.0, 3.0, 3.0, 1.2), TypicalAcceptance(0.9, 0.95), Grounds.COSTS)

        assert isinstance(found, ExpectedGain)
        assert found.low > 2.0

    def test_a_fixed_length_may_lose_on_hard_texts(self) -> None:
        found = gain_from_costs(
            sure(1.0, 0.3, 1.3, 1.6, 1.9), TYPICAL, Grounds.COSTS, DraftLengths(3, is_fixed=True)
        )

        assert isinstance(found, ExpectedGain)
        assert found.low == pytest.approx((1 + 0.5 + 0.25 + 0.125) / 2.8)
        assert found.high == pytest.approx((1 + 0.9 + 0.81 + 0.729) / 2.8)

    def test_a_lookup_that_finds_nothing_costs_nothing(self) -> None:
        found = gain_from_costs(
            sure(1.0, 0.0, 1.3, 1.6, 2.0), LOOKUP, Grounds.COSTS, DraftLengths(3, is_fixed=True)
        )

        assert isinstance(found, ExpectedGain)
        assert found.low == pytest.approx(1.0 / (0.4 * 2.0 + 0.6)), (
            "in most rounds of a text without repetitions"
        )

    def test_one_whose_right_guesses_lose_does_not_help_whatever_others_do(self) -> None:
        found = gain_from_costs(
            sure(1.0, 0.1, 1.1, 5.0, 6.0), TYPICAL, Grounds.COSTS, DraftLengths(2, is_fixed=True)
        )

        assert isinstance(found, NoGain)
        assert (found.drafted, found.check_steps, found.is_fixed) == (2, 5.0, True)

    def test_what_a_ceiling_forbids_is_not_expected(self) -> None:
        costs = sure(1.0, 0.1, 1.95, 2.0, 2.0, 2.0)
        assert isinstance(gain_from_costs(costs, TYPICAL, Grounds.COSTS), ExpectedGain)
        found = gain_from_costs(costs, TYPICAL, Grounds.COSTS, DraftLengths(1))
        assert isinstance(found, NoGain)
        assert (found.drafted, found.is_fixed) == (1, False)

    def test_a_gain_that_nobody_notices_is_little(self) -> None:
        assert ExpectedGain(1.0, 1.02, Grounds.SIZES).is_little
        assert not ExpectedGain(1.0, 1.1, Grounds.SIZES).is_little

    def test_one_that_everybody_notices_is_a_loss(self) -> None:
        assert ExpectedGain(0.7, 0.9, Grounds.SIZES).is_loss
        assert not ExpectedGain(0.7, 1.0, Grounds.SIZES).is_loss
