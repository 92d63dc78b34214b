"""Timing passes in the moments after a load, on a toy model with a clock that only its passes move."""

import numpy as np
import pytest

from app.engine.quick_costs import BUDGET_S, CONTEXT_TOKENS, MOST_SWEEPS, measure_quickly
from app.engine.stopping import InterruptedPassError, StopSignal
from tests.fakes.timed_model import Clock, TimedModel

TEXT = np.arange(1, 10, dtype=np.int32)
ALL_LENGTHS = (1, 2, 3, 4, 5, 6, 8, 12, 17)


def test_small_models_are_timed_at_every_length() -> None:
    clock = Clock()
    target, draft = TimedModel(clock, 0.002), TimedModel(clock, 0.001)
    costs = measure_quickly(target, draft, TEXT, 17, clock)

    assert costs.lengths == ALL_LENGTHS
    assert costs.target_s == pytest.approx([0.002 * (0.9 + 0.1 * length) for length in ALL_LENGTHS])
    assert costs.draft_s == pytest.approx(0.001)
    assert costs.feed_lengths == (1, 2, 4, 8, 17)
    assert costs.feed_times_s == pytest.approx((0.001, 0.0011, 0.0013, 0.0026, 0.0053)), (
        "it reads five at once"
    )
    assert costs.context_tokens == CONTEXT_TOKENS
    assert costs.is_steady


@pytest.mark.parametrize("seconds", [0.0001, 0.01, 0.04, 0.06, 0.12, 0.2, 0.3])
def test_it_keeps_to_its_time(seconds: float) -> None:
    clock = Clock()
    measure_quickly(TimedModel(clock, seconds), TimedModel(clock, seconds / 4), TEXT, 17, clock)

    assert clock.now <= BUDGET_S


def test_of_a_big_model_the_lengths_that_count_most_are_timed() -> None:
    clock = Clock()
    target, draft = TimedModel(clock, 0.2), TimedModel(clock, 0.03)
    costs = measure_quickly(target, draft, TEXT, 17, clock)

    assert costs.lengths == (1, 2, 3, 4)
    assert costs.feed_s(8) == pytest.approx(0.03 * 2.6), "timed before the target's rarer lengths"


def test_of_a_huge_one_a_line_is_known_and_its_step_twice() -> None:
    clock = Clock()
    target, draft = TimedModel(clock, 2.0), TimedModel(clock, 0.5)
    costs = measure_quickly(target, draft, TEXT, 17, clock)

    assert costs.lengths == (1, 4)
    assert target.passes.count(1) == 2
    assert costs.draft_s == pytest.approx(0.5)
    assert costs.feed_s(2) == pytest.approx(0.55), "no longer pass of the draft was timed: as the target's"


def test_a_step_that_was_disturbed_is_told() -> None:
    clock = Clock()
    target = TimedModel(clock, 1.0, growing_s=0.4)

    assert not measure_quickly(target, None, TEXT, 17, clock).is_steady


def test_a_disturbance_at_first_does_not_count_where_there_is_time() -> None:
    clock = Clock()
    target = TimedModel(clock, 0.002, slow_passes=6)
    costs = measure_quickly(target, None, TEXT, 4, clock)

    assert costs.target_s == pytest.approx((0.002, 0.0022, 0.0024, 0.0026))
    assert costs.is_steady


def test_times_that_never_agree_are_not_waited_for() -> None:
    clock = Clock()
    target = TimedModel(clock, 0.00001, growing_s=0.000001)
    costs = measure_quickly(target, None, TEXT, 4, clock)

    assert target.passes.count(2) <= 2 * MOST_SWEEPS
    assert costs.lengths == (1, 2, 3, 4)


def test_without_a_draft_model_there_are_no_times_of_one() -> None:
    clock = Clock()
    costs = measure_quickly(TimedModel(clock, 0.002), None, TEXT, 4, clock)

    assert costs.draft_s is None
    assert costs.feed_lengths == ()
    assert costs.feed_s(3) is None


@pytest.mark.parametrize("most", [1, 2, 7])
def test_no_more_tokens_are_timed_than_a_round_can_have(most: int) -> None:
    clock = Clock()
    target, draft = TimedModel(clock, 0.002), TimedModel(clock, 0.001)
    costs = measure_quickly(target, draft, TEXT, most, clock)

    assert costs.longest == most
    assert costs.step_s == pytest.approx(0.002)
    assert max(costs.feed_lengths) == 17, "what the draft model may have missed is no matter of rounds"


def test_what_a_prompt_costs_the_draft_model_is_timed_where_there_is_time_and_room() -> None:
    clock = Clock()
    small, big = (TimedModel(clock, seconds, context_length=256) for seconds in (0.001, 0.03))
    costs = measure_quickly(TimedModel(clock, 0.002), small, TEXT, 17, clock)
    assert costs.feed_lengths == (1, 2, 4, 8, 17, 64)
    assert costs.feed_times_s[-1] == pytest.approx(12 * 0.0014 + 0.0013)

    costs = measure_quickly(TimedModel(clock, 0.14), big, TEXT, 17, clock)
    assert max(costs.feed_lengths) < 64


def test_a_small_context_has_room_for_fewer_tokens() -> None:
    clock = Clock()
    target, draft = TimedModel(clock, 0.002), TimedModel(clock, 0.001, context_length=8)
    costs = measure_quickly(target, draft, TEXT, 17, clock)

    assert costs.longest == 7
    assert costs.context_tokens == 1


def test_it_ends_when_its_time_is_over_though_times_disagree() -> None:
    clock = Clock()
    told: list[tuple[int, int]] = []
    target = TimedModel(clock, 0.4, growing_s=0.05)
    measure_quickly(target, None, TEXT, 6, clock, lambda done, of: told.append((done, of)))

    assert len(target.passes) == 5, "the context, and what is always timed"
    assert told[-1] == (told[0][1],) * 2, "no more sweeps were begun"


def test_progress_goes_from_nothing_to_all() -> None:
    clock = Clock()
    told: list[tuple[int, int]] = []
    target = TimedModel(clock, 0.06, slow_passes=9)
    measure_quickly(target, None, TEXT, 6, clock, lambda done, of: told.append((done, of)))

    shares = [done / of for done, of in told]
    assert shares[0] == 0.0
    assert shares[-1] == 1.0
    assert all(done < of for done, of in told[:-1])
    assert [done for done, _ in told] == list(range(len(told)))


@pytest.mark.parametrize("passes", [0, 3, 7, 11, 20])
def test_it_can_be_stopped_anywhere_and_the_caches_stay_sound(passes: int) -> None:
    clock, stop = Clock(), StopSignal()
    target, draft = TimedModel(clock, 0.02), TimedModel(clock, 0.003)
    target.attach(stop)
    draft.attach(stop)
    target.passes_until_stop = passes
    with pytest.raises(InterruptedPassError):
        measure_quickly(target, draft, TEXT, 4, clock)

    target.passes_until_stop = None
    for model in (target, draft):
        model.attach(StopSignal())
        assert model.sync(TEXT) == pytest.approx(model.logits_after(TEXT.tolist()))


def test_afterwards_the_caches_know_what_they_hold() -> None:
    clock = Clock()
    target, draft = TimedModel(clock, 0.002), TimedModel(clock, 0.001)
    measure_quickly(target, draft, TEXT, 17, clock)

    for model in (target, draft):
        assert model.tokens.tolist() == TEXT[:CONTEXT_TOKENS].tolist()
        assert model.sync(TEXT) == pytest.approx(model.logits_after(TEXT.tolist()))
