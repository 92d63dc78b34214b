"""The speed of an answer: now, on average, in the last minute."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.rates import HISTORY_S, SAMPLES_PER_S, RateMeter, RateReading

# An answer as (seconds since the tokens before, tokens).
ROUNDS = st.lists(
    st.tuples(st.floats(0.0, 3.0, allow_subnormal=False), st.integers(0, 9)), min_size=1, max_size=60
)


def steady(rounds: int, *, every_s: float, tokens: int, start_s: float = 100.0) -> tuple[RateMeter, float]:
    """A meter that was fed evenly, and the moment of the last tokens."""
    meter = RateMeter()
    meter.begin(start_s)
    moment = start_s
    for number in range(rounds):
        moment = start_s + number * every_s
        meter.add(tokens, moment)
    return meter, moment


def test_nothing_has_no_speed_and_no_average() -> None:
    meter = RateMeter()
    assert meter.read(5.0) == RateReading()
    assert meter.read(5.0).peak == 0.0


def test_the_average_is_counted_from_the_first_token_to_the_last() -> None:
    meter = RateMeter()
    meter.begin(0.0)  # the wait for the first token does not count
    meter.add(1, 10.0)
    assert meter.average is None
    meter.add(3, 11.0)
    meter.add(4, 12.0)
    assert meter.average == pytest.approx((8 - 1) / 2.0)


def test_the_average_of_an_answer_that_came_at_once_is_unknown() -> None:
    meter = RateMeter()
    meter.begin(0.0)
    meter.add(5, 1.0)
    assert meter.average is None
    assert meter.now_rate(1.0) == 0.0


@pytest.mark.parametrize("share_of_a_round", [0.0, 0.3, 0.99])
@pytest.mark.parametrize(("every_s", "tokens"), [(0.122, 1), (0.2, 4), (0.005, 1), (0.9, 2)])
def test_an_even_stream_has_its_speed_whenever_it_is_asked(
    every_s: float, tokens: int, share_of_a_round: float
) -> None:
    meter, last = steady(int(3 / every_s) + 2, every_s=every_s, tokens=tokens)
    assert meter.now_rate(last + share_of_a_round * every_s) == pytest.approx(tokens / every_s)


def test_a_burst_counts_its_tokens_not_itself() -> None:
    one, last = steady(20, every_s=0.2, tokens=1)
    many, _ = steady(20, every_s=0.2, tokens=5)
    assert many.now_rate(last) == pytest.approx(5 * one.now_rate(last))


def test_the_first_second_is_measured_since_the_first_token() -> None:
    meter, last = steady(6, every_s=0.1, tokens=2)
    assert last == pytest.approx(100.5)
    assert meter.now_rate(last) == pytest.approx(20.0)


def test_two_tokens_in_quick_succession_are_no_speed_yet() -> None:
    meter = RateMeter()
    meter.begin(0.0)
    meter.add(1, 1.0)
    meter.add(1, 1.001)
    assert meter.now_rate(1.001) <= 4.0


def test_the_speed_falls_to_zero_when_nothing_comes() -> None:
    meter, last = steady(100, every_s=0.1, tokens=2)
    falling = [meter.now_rate(last + 0.1 * step) for step in range(1, 13)]
    assert falling == sorted(falling, reverse=True)
    assert falling[0] == pytest.approx(20.0)
    assert falling[6] < 10.0
    assert falling[-1] == pytest.approx(0.0, abs=1e-9)


def test_another_answer_starts_from_nothing_and_keeps_the_last_minute() -> None:
    meter, last = steady(60, every_s=0.1, tokens=2)
    meter.begin(last + 0.1)
    assert meter.now_rate(last + 0.1) == 0.0
    assert meter.average is None
    assert max(meter.history(last + 0.1)) == pytest.approx(20.0)


def test_the_last_minute_has_four_samples_a_second_and_nothing_older() -> None:
    meter, last = steady(60, every_s=0.1, tokens=2)
    history = meter.history(last)
    assert len(history) == HISTORY_S * SAMPLES_PER_S
    assert sum(value > 0.0 for value in history) == pytest.approx(5.9 * SAMPLES_PER_S, abs=1)
    assert history[-1] == pytest.approx(20.0)
    assert meter.history(last + HISTORY_S + 2) == RateReading().history


@given(ROUNDS, st.lists(st.floats(0.0, 100.0), max_size=20))
def test_how_often_the_last_minute_is_asked_for_changes_nothing(
    rounds: list[tuple[float, int]], asked: list[float]
) -> None:
    quiet, watched = RateMeter(), RateMeter()
    for meter in (quiet, watched):
        meter.begin(0.0)
    moment = 0.0
    for wait, tokens in rounds:
        for extra in sorted(question for question in asked if moment <= question <= moment + wait):
            watched.history(extra)
            watched.now_rate(extra)
        moment += wait
        quiet.add(tokens, moment)
        watched.add(tokens, moment)
    assert watched.read(moment + 1.0) == quiet.read(moment + 1.0)


@given(ROUNDS, st.floats(0.0, 5.0))
def test_no_speed_is_negative_or_more_than_its_tokens_allow(
    rounds: list[tuple[float, int]], later: float
) -> None:
    meter = RateMeter()
    meter.begin(0.0)
    moment = 0.0
    for wait, tokens in rounds:
        moment += wait
        meter.add(tokens, moment)
        assert 0.0 <= meter.now_rate(moment) <= 4 * sum(count for _, count in rounds) + 1e-6
    reading = meter.read(moment + later)
    assert reading.now >= 0.0
    assert min(reading.history) >= 0.0
    assert meter.now_rate(moment + 2.001) == pytest.approx(0.0, abs=1e-6)


@given(ROUNDS)
def test_the_average_does_not_depend_on_how_tokens_are_grouped(rounds: list[tuple[float, int]]) -> None:
    grouped, single = RateMeter(), RateMeter()
    moment = 0.0
    for wait, tokens in rounds:
        moment += wait
        grouped.add(tokens, moment)
        for _ in range(tokens):
            single.add(1, moment)
        if tokens == 0:
            single.add(0, moment)  # a round without tokens is told to both: time has passed
    assert grouped.average == single.average
    assert grouped.now_rate(moment) == pytest.approx(single.now_rate(moment))
