"""The speed of a download: of the last moments, and nothing once nothing moves."""

import pytest

from app.models.rate_window import RateWindow


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def window(clock: Clock) -> RateWindow:
    return RateWindow(clock)


def test_a_steady_line_has_its_speed(clock: Clock, window: RateWindow) -> None:
    for _ in range(100):
        clock.now += 0.05
        window.add(50)
    assert window.rate() == pytest.approx(1000, rel=0.05)


def test_there_is_no_figure_before_two_seconds_of_movement(clock: Clock, window: RateWindow) -> None:
    for _ in range(39):
        clock.now += 0.05
        window.add(50)
        assert window.rate() == 0
    for _ in range(3):
        clock.now += 0.05
        window.add(50)
    assert window.rate() == pytest.approx(1000)


@pytest.mark.parametrize("silence", [1.0, 60.0])
def test_the_time_before_the_first_bytes_does_not_count(
    clock: Clock, window: RateWindow, silence: float
) -> None:
    """A line that takes long to be connected is no slow one."""
    for _ in range(2):
        clock.now += silence + 2.5
        for _ in range(45):
            clock.now += 0.05
            window.add(50)
        assert window.rate() == pytest.approx(1000, rel=0.05)


def test_the_first_bytes_alone_say_nothing(clock: Clock, window: RateWindow) -> None:
    clock.now += 0.001
    window.add(1_000_000)
    clock.now += 2.1
    assert window.rate() == 0


def test_it_falls_to_nothing_within_three_seconds(clock: Clock, window: RateWindow) -> None:
    for _ in range(100):
        clock.now += 0.05
        window.add(50)
    before = window.rate()
    clock.now += 1.5
    assert 0 < window.rate() < before
    clock.now += 1.4
    assert window.rate() == 0


def test_a_change_is_seen_whole_after_the_same_time(clock: Clock, window: RateWindow) -> None:
    for size in (50, 500):
        for _ in range(60):
            clock.now += 0.05
            window.add(size)
    assert window.rate() == pytest.approx(10_000, rel=0.05)


def test_pieces_that_come_seldom_keep_their_mean(clock: Clock, window: RateWindow) -> None:
    rates = []
    for _ in range(20):
        clock.now += 1.0
        window.add(1000)
        rates.append(window.rate())
    assert all(500 <= rate <= 1500 for rate in rates[3:])
