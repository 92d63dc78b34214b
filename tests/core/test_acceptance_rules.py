"""The acceptance rules by themselves, and what each keeps of a recorded round."""

import pytest

from app.core.acceptance_rules import (
    drafted_probability,
    kept_by,
    seems_good,
    survives,
    used_draft_probability,
    used_target_probability,
)
from app.core.options import AcceptanceRule, SpeculationOptions
from app.core.trace import TracedToken

DIFFERENCE = SpeculationOptions(acceptance=AcceptanceRule.DIFFERENCE, difference_limit=0.2)
RATIO = SpeculationOptions(acceptance=AcceptanceRule.RATIO, ratio_limit=0.5)
TOP_K = SpeculationOptions(acceptance=AcceptanceRule.TOP_K, top_k_limit=2)


def token(
    p: float = 0.5,
    *,
    own: float | None = 0.5,
    drawn: float | None = None,
    rank: int = 0,
    luck: float = 0.5,
    matches: bool = False,
    greedy: bool = False,
) -> TracedToken:
    return TracedToken(5, "word", own, drawn, p, rank, luck, matches, greedy)


def test_rejection_sampling_keeps_with_probability_p_over_q() -> None:
    assert survives(0.2, 0.4, 0.49)
    assert not survives(0.2, 0.4, 0.5)
    assert survives(0.4, 0.2, 0.999), "what the target finds likelier is always kept"
    assert not survives(0.0, 0.4, 0.0), "what it never says is never kept"


@pytest.mark.parametrize("options", [DIFFERENCE, RATIO, TOP_K])
def test_no_rule_lets_a_token_through_that_was_filtered_out(options: SpeculationOptions) -> None:
    assert not seems_good(options, 0.0, 0.0, 0)


def test_difference_keeps_what_is_near() -> None:
    assert seems_good(DIFFERENCE, 0.5, 0.69, 9)
    assert not seems_good(DIFFERENCE, 0.5, 0.71, 0)


def test_ratio_keeps_where_the_target_is_nearly_as_sure() -> None:
    assert seems_good(RATIO, 0.3, 0.5, 9)
    assert not seems_good(RATIO, 0.2, 0.5, 0)


def test_top_k_keeps_the_targets_likeliest() -> None:
    assert seems_good(TOP_K, 0.01, 1.0, 1)
    assert not seems_good(TOP_K, 0.4, 0.4, 2)


@pytest.mark.parametrize("rule", [AcceptanceRule.MATCH, AcceptanceRule.REJECTION])
def test_the_lossless_rules_are_none_of_those(rule: AcceptanceRule) -> None:
    with pytest.raises(ValueError, match="not one of the rules"):
        seems_good(SpeculationOptions(acceptance=rule), 0.5, 0.5, 0)


def test_q_is_what_the_token_was_drawn_with_or_the_drafters_own_or_certain() -> None:
    assert drafted_probability(0.0, 0.7) == 0.0
    assert drafted_probability(None, 0.7) == 0.7
    assert drafted_probability(None, None) == 1.0


@pytest.mark.parametrize(
    ("own", "drawn", "by_rejection", "by_ratio"),
    [(0.7, 0.4, 0.4, 0.4), (0.7, None, 1.0, 0.7), (None, None, 1.0, 1.0)],
)
def test_to_rejection_sampling_a_token_that_was_not_drawn_is_certain(
    own: float | None, drawn: float | None, by_rejection: float, by_ratio: float
) -> None:
    one = token(own=own, drawn=drawn)
    rejection = SpeculationOptions(acceptance=AcceptanceRule.REJECTION)
    assert used_draft_probability(rejection, one) == by_rejection
    assert used_draft_probability(RATIO, one) == by_ratio


def test_to_rejection_sampling_a_greedy_target_has_all_on_one_token() -> None:
    rejection = SpeculationOptions(acceptance=AcceptanceRule.REJECTION)
    assert used_target_probability(rejection, token(0.4, matches=True, greedy=True)) == 1.0
    assert used_target_probability(rejection, token(0.4, greedy=True)) == 0.0
    assert used_target_probability(rejection, token(0.4, matches=True)) == 0.4
    assert used_target_probability(RATIO, token(0.4, matches=True, greedy=True)) == 0.4


class TestRounds:
    def test_matching_ends_at_the_first_that_does_not(self) -> None:
        tested = [token(matches=True), token(matches=False), token(matches=True)]

        assert kept_by(SpeculationOptions(), tested) == 1
        assert kept_by(SpeculationOptions(), tested[:1]) == 1
        assert kept_by(SpeculationOptions(), []) == 0

    def test_rejection_takes_an_undrawn_token_for_a_certain_one(self) -> None:
        options = SpeculationOptions(acceptance=AcceptanceRule.REJECTION)

        assert kept_by(options, [token(0.3, drawn=0.5, luck=0.59)]) == 1
        assert kept_by(options, [token(0.3, drawn=0.5, luck=0.61)]) == 0
        assert kept_by(options, [token(0.3, own=0.5, luck=0.31)]) == 0

    def test_rejection_against_a_greedy_target_is_matching(self) -> None:
        options = SpeculationOptions(acceptance=AcceptanceRule.REJECTION)

        assert kept_by(options, [token(0.4, luck=0.9, matches=True, greedy=True)]) == 1
        assert kept_by(options, [token(0.4, luck=0.1, matches=False, greedy=True)]) == 0

    def test_the_rules_that_change_the_output_do_not_ask_whether_it_matches(self) -> None:
        tested = [token(0.5, own=0.5), token(0.5, own=0.9, rank=1), token(0.1, own=0.9, rank=4)]

        assert kept_by(DIFFERENCE, tested) == 1
        assert kept_by(RATIO, tested) == 2
        assert kept_by(TOP_K, tested) == 2
