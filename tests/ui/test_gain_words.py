"""What a speed-up comes to, in words."""

import pytest

from app.core.experiment import Interval
from app.core.gain import Gain
from app.ui.gain_words import factor_text, headline_text, interval_text, note_text


@pytest.mark.parametrize(
    ("speedup", "gain", "scatters", "words"),
    [
        (2.02, Gain.FASTER, False, "2.0× as fast"),
        (0.914, Gain.SLOWER, False, "Slower: 0.91×"),
        (1.01, Gain.EVEN, False, "No clear difference"),
        (1.24, Gain.EVEN, True, "Too noisy to tell"),
        (1.24, Gain.SHORT, False, "Too short to tell"),
        (None, None, False, "Too short to compare"),
    ],
)
def test_headlines(speedup: float | None, gain: Gain | None, scatters: bool, words: str) -> None:
    assert headline_text(speedup, gain, scatters=scatters) == words


@pytest.mark.parametrize(
    ("speedup", "interval", "runs", "words"),
    [
        (2.02, Interval(1.94, 2.11), (5, 5), "1.9 to 2.1, median of 5"),
        (1.18, Interval(1.11, 1.25), (3, 3), "1.11 to 1.25, median of 3"),
        (1.3, Interval(1.14, 1.5), (4, 3), "1.14 to 1.50, medians of 4 and 3 runs"),
        (1.1, Interval(0.8, 1.4), (5, 5), "anything from 0.80× to 1.40×, median of 5"),
        (1.1, Interval(0.06, 51.95), (3, 3), "median of 3"),
        (1.1, Interval(0.06, 51.95), (4, 3), "medians of 4 and 3 runs"),
        (2.0, None, (1, 1), "one run each: repeat to be sure"),
        (2.0, None, (2, 2), "too few runs: repeat to be sure"),
        (2.0, None, (2, 1), "too few runs: repeat to be sure"),
        (None, None, (5, 5), "a speed takes two tokens"),
    ],
)
def test_how_sure_it_is(
    speedup: float | None, interval: Interval | None, runs: tuple[int, int], words: str
) -> None:
    assert note_text(speedup, interval, *runs) == words


def test_how_few_tokens_there_were_comes_first() -> None:
    assert note_text(2.0, Interval(1.9, 2.1), 5, 5, 12) == "a speed over only 12 tokens"


@pytest.mark.parametrize(
    ("factor", "text"),
    [(2.02, "2.0×"), (1.2, "1.2×"), (1.19, "1.19×"), (1.03, "1.03×"), (0.914, "0.91×"), (None, "–")],
)
def test_factors_have_as_many_digits_as_tell(factor: float | None, text: str) -> None:
    assert factor_text(factor) == text


def test_intervals() -> None:
    assert interval_text(Interval(1.916, 2.1)) == "1.92 to 2.10"
    assert interval_text(None) == ""
