"""Timing passes, on a toy model with a clock that only its passes move."""

import numpy as np
import pytest

from app.engine.cost import (
    CONTEXT_TOKENS,
    ENOUGH_S,
    LEAST_SWEEPS,
    LENGTHS,
    MOST_SWEEPS,
    PATIENCE_S,
    measure_costs,
)
from app.engine.stopping import InterruptedPassError, StopSignal
from tests.fakes.timed_model import Clock, TimedModel

_CONTEXT_PASSES = 7  # the toy reads five tokens at once
TEXT = np.arange(1, 10, dtype=np.int32)


def test_every_length_and_a_drafted_token_have_their_time() -> None:
    clock = Clock()
    target, draft = TimedModel(clock, 0.02), TimedModel(clock, 0.003)
    costs = measure_costs(target, draft, TEXT, 4, clock)

    assert costs.target_s == pytest.approx((0.02, 0.022, 0.024, 0.026))
    assert costs.draft_s == pytest.approx(0.003)
    assert costs.context_tokens == CONTEXT_TOKENS


def test_without_a_draft_model_there_is_no_time_for_one() -> None:
    clock = Clock()
    assert measure_costs(TimedModel(clock, 0.02), None, TEXT, 1, clock).draft_s is None


def test_all_passes_follow_the_same_context() -> None:
    clock = Clock()
    target = TimedModel(clock, 0.02)
    measure_costs(target, None, TEXT, 4, clock)

    assert target.timed_contexts == {CONTEXT_TOKENS}


@pytest.mark.parametrize("slow_passes", [1, 8, 12])
def test_a_disturbance_does_not_count(slow_passes: int) -> None:
    clock = Clock()
    target = TimedModel(clock, 0.001, slow_passes=slow_passes)

    assert measure_costs(target, None, TEXT, 3, clock).target_s == pytest.approx((0.001, 0.0011, 0.0012))


def test_slow_passes_are_made_twice_and_no_more() -> None:
    clock = Clock()
    target = TimedModel(clock, 0.2)
    measure_costs(target, None, TEXT, 4, clock)

    assert target.passes[_CONTEXT_PASSES:] == [1, 2, 3, 4, 4, 3, 2, 1]


def test_quick_passes_are_made_twice_in_a_row_since_the_second_is_quicker() -> None:
    clock = Clock()
    target = TimedModel(clock, 0.01)
    measure_costs(target, None, TEXT, 3, clock)

    sweeps = target.passes[_CONTEXT_PASSES:]
    assert sweeps[:12] == [1, 1, 2, 2, 3, 3, 3, 3, 2, 2, 1, 1]


def test_fast_passes_are_repeated_but_not_for_ever() -> None:
    clock = Clock()
    target, draft = TimedModel(clock, 0.0001), TimedModel(clock, 0.0001)
    measure_costs(target, draft, TEXT, 3, clock)

    assert target.passes.count(3) == 2 * MOST_SWEEPS
    assert clock.now < ENOUGH_S


def test_between_the_two_the_time_is_bounded() -> None:
    clock = Clock()
    target, draft = TimedModel(clock, 0.01), TimedModel(clock, 0.001)
    measure_costs(target, draft, TEXT, 9, clock)

    assert 2 < target.passes.count(9) < 2 * MOST_SWEEPS
    assert clock.now < ENOUGH_S + 0.15  # and reading the context


def test_of_many_lengths_some_are_timed() -> None:
    clock = Clock()
    target = TimedModel(clock, 0.02)

    assert measure_costs(target, None, TEXT, 17, clock).lengths == LENGTHS
    assert measure_costs(target, None, TEXT, 8, clock).lengths == (1, 2, 3, 4, 6, 8)


def test_times_that_disagree_are_taken_again_until_they_have_come_out_twice() -> None:
    clock = Clock()
    calm, disturbed = TimedModel(clock, 0.06), TimedModel(clock, 0.06, slow_passes=2 + 12)
    measure_costs(calm, None, TEXT, 9, clock)
    costs = measure_costs(disturbed, None, TEXT, 9, clock)

    assert disturbed.passes.count(9) > calm.passes.count(9) == LEAST_SWEEPS + 1
    assert costs.target_s == pytest.approx([0.06 * (1 + 0.1 * (length - 1)) for length in costs.lengths])
    assert max(costs.target_spreads) < 0.1


def test_what_never_comes_out_twice_is_told_and_takes_no_more_patience() -> None:
    clock = Clock()
    target = TimedModel(clock, 0.06, growing_s=0.01)
    moments: list[float] = []
    costs = measure_costs(target, None, TEXT, 4, clock, lambda done, of: moments.append(clock.now))

    assert not costs.is_steady
    assert ENOUGH_S < clock.now - moments[0] < PATIENCE_S + 0.5


def test_progress_is_told_and_grows_where_more_is_needed() -> None:
    clock = Clock()
    told: list[tuple[int, int]] = []
    target = TimedModel(clock, 0.06, slow_passes=2 + 8)
    measure_costs(target, None, TEXT, 6, clock, lambda done, of: told.append((done, of)))

    assert [done for done, _ in told] == list(range(len(told)))
    assert told[0] == (0, 10)
    assert told[-1] == (14, 15)


@pytest.mark.parametrize("rollback", [0, 3])
def test_a_state_that_cannot_go_back_is_timed_too(rollback: int) -> None:
    clock = Clock()
    target = TimedModel(clock, 0.02, rollback_limit=rollback)
    costs = measure_costs(target, None, TEXT, rollback + 1, clock)

    assert costs.target_s == pytest.approx([0.02 * (1 + 0.1 * more) for more in range(rollback + 1)])
    assert target.timed_contexts == {CONTEXT_TOKENS}


def test_a_small_context_has_room_for_fewer_tokens() -> None:
    clock = Clock()
    target, draft = TimedModel(clock, 0.02), TimedModel(clock, 0.003, context_length=8)
    costs = measure_costs(target, draft, TEXT, 16, clock)

    assert costs.longest == 7
    assert costs.context_tokens == 1


def test_a_draft_model_reads_no_token_that_it_lacks() -> None:
    clock = Clock()
    target, draft = TimedModel(clock, 0.02), TimedModel(clock, 0.003, vocabulary=4)  # the toy sees to it

    assert measure_costs(target, draft, TEXT, 2, clock).draft_s == pytest.approx(0.003)


@pytest.mark.parametrize("passes", [0, 3, 7, 11, 20])
def test_it_can_be_stopped_anywhere_and_the_caches_stay_sound(passes: int) -> None:
    clock, stop = Clock(), StopSignal()
    target, draft = TimedModel(clock, 0.02), TimedModel(clock, 0.003)
    target.attach(stop)
    draft.attach(stop)
    target.passes_until_stop = passes
    with pytest.raises(InterruptedPassError):
        measure_costs(target, draft, TEXT, 4, clock)

    target.passes_until_stop = None
    for model in (target, draft):
        model.attach(StopSignal())
        assert model.sync(TEXT) == pytest.approx(model.logits_after(TEXT.tolist()))


def test_afterwards_the_caches_know_what_they_hold() -> None:
    clock = Clock()
    target, draft = TimedModel(clock, 0.02), TimedModel(clock, 0.003)
    measure_costs(target, draft, TEXT, 4, clock)

    for model in (target, draft):
        assert model.tokens.tolist() == np.resize(TEXT, CONTEXT_TOKENS).tolist()
        assert model.sync(TEXT) == pytest.approx(model.logits_after(TEXT.tolist()))
