"""The calculator in words."""

import pytest
from msgspec.structs import replace

from app.core.measured_assumptions import Assumptions
from app.core.pass_costs import PassCosts
from app.ui.expect_words import (
    headline,
    measured_text,
    plain_sum,
    round_sum,
    share_text,
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


@pytest.mark.parametrize(
    ("share", "text"),
    [(0.0, "0 %"), (0.001, "<1 %"), (0.704, "70 %"), (0.999, ">99 %"), (1.0, "100 %")],
)
def test_only_never_is_nought_and_only_always_a_hundred(share: float, text: str) -> None:
    assert share_text(share) == text


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
        "Right in 30 % of the rounds: 1.16× as fast.",
    )


def test_what_the_standard_model_comes_to() -> None:
    assert standard_sum(FIGURES, FIGURES.costs) == (
        "A round gives 2.94 tokens on average, in 267 ms. As many plain steps: 294 ms."
    )
    assert headline(FIGURES, FIGURES.costs) == "1.10× as fast"


def test_what_has_to_be_true_to_gain() -> None:
    assert said() == (
        "Here a draft of 5 pays when more than 65 % are accepted; 70 % are assumed. "
        "A draft of 2 would be best: 1.31×."
    )


def test_the_best_length_is_left_as_it_is() -> None:
    assert said(drafted=2).endswith("No other length would be faster.")


def test_too_little_acceptance_is_told() -> None:
    words = said(acceptance=0.3)
    assert words.startswith("Here a draft of 5 pays only when more than 65 % are accepted; 30 % are assumed.")
    assert words.endswith("At this acceptance no draft pays, however short.")


def test_where_no_length_can_pay_that_is_told_with_the_reason() -> None:
    assert said(draft_rate=5.0) == (
        "No draft can pay here, not even when every token is accepted: a round with a draft of 5 takes "
        "1.10 s, and its 6 tokens as plain steps 600 ms."
    )


def test_where_only_another_length_can_pay_this_one_is_ruled_out() -> None:
    words = said(drafted=1, draft_rate=20.0, check_factor=1.6)
    assert words.startswith("A draft of 1 cannot pay here, not even when every token is accepted:")


def test_a_draft_for_nothing_always_pays() -> None:
    words = said(draft_rate=1e5, check_factor=0.5)
    assert words.startswith("Here a draft of 5 costs no more than a plain step: it always pays.")


def test_what_was_measured() -> None:
    costs = PassCosts((0.122, 0.13, 0.141, 0.15), 0.031, 64)
    assert measured_text(costs, 3) == (
        "Measured here: a plain step takes 122 ms, drafting a token 31.0 ms, checking 3 at once 150 ms."
    )
    assert "checking" not in measured_text(costs, 4)  # that was not measured


def test_without_a_draft_model_its_speed_is_said_to_be_a_guess() -> None:
    assert measured_text(PassCosts((0.122,), None, 64), 3) == (
        "Measured here: a plain step takes 122 ms. No draft model is loaded, so its speed stays as it is set."
    )
