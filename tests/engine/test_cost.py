"""Timing passes, on a toy model with a clock that only its passes move."""

import numpy as np
import pytest

from app.engine.cost import CONTEXT_TOKENS, ENOUGH_S, MOST_SWEEPS, measure_costs
from app.engine.stopping import InterruptedPassError, StopSignal
from app.engine.tokens import Logits, Tokens
from tests.fakes.toy_model import ToyModel

_DISTURBANCE_S = 0.02
TEXT = np.arange(1, 10, dtype=np.int32)


class Clock:
    """Stands still by itself."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class TimedModel(ToyModel):
    """A pass takes `seconds` and a tenth of it more for each further token; the first passes take longer."""

    def __init__(
        self,
        clock: Clock,
        seconds: float,
        *,
        slow_passes: int = 0,
        vocabulary: int = 12,
        context_length: int = 64,
        rollback_limit: int | None = None,
    ) -> None:
        super().__init__(
            seed=1, vocabulary=vocabulary, context_length=context_length, rollback_limit=rollback_limit
        )
        self._clock = clock
        self._seconds = seconds
        self._slow_passes = slow_passes
        self.timed_contexts: set[int] = set()

    def _decode(self, tokens: Tokens, start: int, outputs: int) -> Logits:
        rows = super()._decode(tokens, start, outputs)
        self._clock.now += self._seconds * (1 + 0.1 * (len(tokens) - 1))
        if outputs == len(tokens):
            self.timed_contexts.add(start)
        if self._slow_passes:
            self._slow_passes -= 1
            self._clock.now += _DISTURBANCE_S
        return rows


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
    target = TimedModel(clock, 0.1)
    measure_costs(target, None, TEXT, 9, clock)
    timed = target.passes[-18:]

    assert timed == [length for length in range(1, 10) for _ in range(2)]
    assert clock.now < 4.0


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

    assert len(costs.target_s) == 7
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
