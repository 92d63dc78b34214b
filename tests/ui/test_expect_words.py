"""The calculator in words."""

import pytest
from msgspec.structs import replace

from app.core.measured_assumptions import Assumptions
from app.core.pass_costs import PassCosts
from app.ui.expect_figure_words import measured_text
from app.ui.expect_words import (
    headline,
    plain_sum,
    round_sum,
    simple_note,
    simple_results,
    span_text,
    standard_sum,
    verdict,
)

FIGURES = Assumptions(target_rate=10.0, draft_rate=30.0, drafted=5, acceptance=0.7)


def said(**changes: object) -> str:
    figures = replace(FIGURES, **changes)
    return verdict(figures, figures.costs)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.0, "0 ms"),
        (0.0041, "4.10 ms"),
        (0.03333, "33.3 ms"),
        (0.09996, "100 ms"),
        (0.2667, "267 ms"),
        (0.9996, "1.00 s"),
        (12.34, "12.3 s"),
        (250.0, "250 s"),
    ],
)
def test_times_have_three_digits_so_that_sums_can_be_followed(seconds: float, text: str) -> None:
    assert span_text(seconds) == text


def test_the_sums_of_the_simple_model() -> None:
    costs = FIGURES.costs
    assert plain_sum(costs, 5) == "5 plain steps of 100 ms: 500 ms"
    assert round_sum(costs, 5) == "5 drafts of 33.3 ms and one check of 100 ms: 267 ms"
    assert plain_sum(costs, 1) == "One plain step: 100 ms"
    assert round_sum(costs, 1) == "One draft of 33.3 ms and one check of 100 ms: 133 ms"


def test_what_the_simple_model_comes_to() -> None:
    figures = replace(FIGURES, acceptance=0.3)
    assert simple_results(figures, figures.costs) == (
        "Always right: 1.88× as fast.",
        "Right in 30 % of the rounds, plain steps in the rest: 1.16× as fast.",
    )


def test_a_mixture_with_plain_steps_is_no_gain_where_drafts_lose() -> None:
    """Else 0.15× where all are right, and 0.20× where fewer are, reads as an improvement."""
    losing = replace(FIGURES, check_factor=10.0)
    assert "drafts lose even when they are right" in simple_note(losing, losing.costs)
    assert simple_note(FIGURES, FIGURES.costs).startswith("It leaves out what a wrong draft costs")


def test_what_the_standard_model_comes_to() -> None:
    assert standard_sum(FIGURES, FIGURES.costs) == (
        "A round gives 2.94 tokens on average, in 267 ms. As many plain steps: 294 ms."
    )
    assert headline(FIGURES, FIGURES.costs) == "1.10× as fast"


def test_what_has_to_be_true_to_gain() -> None:
    assert said() == (
        "Here a draft of 5 pays when each token has a chance of more than 65.4 %; it is 70 %. "
        "A draft of 2 would be best: 1.31×."
    )


def test_the_best_length_is_left_as_it_is() -> None:
    assert said(drafted=2).endswith("No other length would be faster.")


def test_too_little_acceptance_is_told() -> None:
    words = said(acceptance=0.3)
    assert words.startswith(
        "Here a draft of 5 pays only when each token has a chance of more than 65.4 %; it is 30 %."
    )
    assert words.endswith("At this chance no draft pays, however short.")


def test_where_no_length_can_pay_that_is_told_with_the_reason() -> None:
    assert said(draft_rate=5.0) == (
        "No draft can pay here, not even when every token is accepted: a round with a draft of 5 takes "
        "1.10 s, and its 6 tokens as plain steps 600 ms."
    )


def test_where_only_another_length_can_pay_this_one_is_ruled_out() -> None:
    figures = replace(FIGURES, drafted=1, draft_rate=50.0)
    costs = replace(figures.costs, checks=(0.1, 0.19, 0.19, 0.19))  # kernels that work in rows of four
    words = verdict(figures, costs)
    assert words.startswith("A draft of 1 cannot pay here, not even when every token is accepted:")


def test_a_draft_for_nothing_always_pays() -> None:
    words = said(draft_rate=1e5, check_factor=0.5)
    assert words.startswith("Here a draft of 5 costs no more than a plain step: it always pays.")


def test_what_was_measured() -> None:
    costs = PassCosts((1, 2, 3, 4), (0.122, 0.13, 0.141, 0.15), 0.031, 64)
    assert measured_text(costs, 3) == (
        "Measured here: 122 ms for a plain step, 31.0 ms for drafting a token, 150 ms for a check of 3."
    )
    assert "159 ms for a check of 4. That check is longer than those measured" in measured_text(costs, 4)


def test_without_a_draft_model_its_speed_is_said_to_be_a_guess() -> None:
    costs = PassCosts((1, 2), (0.122, 0.13), None, 64)
    assert measured_text(costs, 1) == (
        "Measured here: 122 ms for a plain step, 130 ms for a check of 1. "
        "No draft model is loaded, so its speed stays as it is set."
    )
