"""What a speed-up comes to, in words: the same on the card of a prompt, of a suite, and of a sweep."""

from PySide6.QtCore import QCoreApplication

from app.core.experiment import Interval
from app.core.gain import LEAST_TOKENS, Gain, scatters
from app.figures import times_text

translate = QCoreApplication.translate

_ONE_DECIMAL = 1.195  # factors from here on need no second one in large letters
_TOO_WIDE = 4.0  # bounds so many times apart tell nothing


def headline_text(speedup: float | None, gain: Gain | None, *, scatters: bool) -> str:
    """The result in a few words: "2.0× as fast", "Slower: 0.91×", "No clear difference"."""
    if scatters:
        return translate("Gain", "Too noisy to tell")
    match gain:
        case Gain.FASTER:
            return translate("Gain", "{factor} as fast").format(factor=factor_text(speedup))
        case Gain.SLOWER:
            return translate("Gain", "Slower: {factor}").format(factor=factor_text(speedup))
        case Gain.EVEN:
            return translate("Gain", "No clear difference")
        case Gain.SHORT:
            return translate("Gain", "Too short to tell")
        case None:
            return translate("Gain", "Too short to compare")


def note_text(
    speedup: float | None, interval: Interval | None, runs: int, other_runs: int, tokens: int = LEAST_TOKENS
) -> str:
    """How sure that is: "1.9 to 2.1, median of 5", or why it is not. `tokens`: of the shorter answer."""
    if speedup is None:
        return translate("Gain", "a speed takes two tokens")
    if tokens < LEAST_TOKENS:
        return translate("Gain", "a speed over only {count} tokens").format(count=tokens)
    if interval is None:
        return caution_text(runs, other_runs)
    words = translate("Gain", "medians of {count} and {others} runs")
    bounds = bounds_text(speedup, interval)
    if runs == other_runs:
        words = translate("Gain", "{interval}, median of {count}")
        if not bounds:
            words = translate("Gain", "median of {count}")
    elif bounds:
        words = translate("Gain", "{interval}, medians of {count} and {others} runs")
    return words.format(interval=bounds, count=runs, others=other_runs)


def bounds_text(speedup: float, interval: Interval) -> str:
    """Where a speed-up lies, beside it; empty where that could be almost anywhere."""
    if not scatters(speedup, interval):
        return rounded_interval_text(speedup, interval)
    if interval.high > _TOO_WIDE * interval.low:
        return ""
    words = translate("Gain", "anything from {low} to {high}")
    return words.format(low=times_text(interval.low), high=times_text(interval.high))


def caution_text(runs: int, other_runs: int) -> str:
    """Said where there are too few runs to know the noise."""
    if runs == other_runs == 1:
        return translate("Gain", "one run each: repeat to be sure")
    return translate("Gain", "too few runs: repeat to be sure")


def factor_text(factor: float | None) -> str:
    """A factor in large letters, in as many digits as tell: "2.0×", "1.06×", "0.91×"."""
    if factor is None or factor < _ONE_DECIMAL:
        return times_text(factor)
    return f"{factor:.1f}×"


def interval_text(interval: Interval | None, digits: int = 2) -> str:
    """Where a speed-up lies: "1.92 to 2.10"; empty where it is not known."""
    if interval is None:
        return ""
    low, high = f"{interval.low:.{digits}f}", f"{interval.high:.{digits}f}"
    return translate("Gain", "{low} to {high}").format(low=low, high=high)


def rounded_interval_text(speedup: float, interval: Interval) -> str:
    """The same in as many digits as the factor beside it has."""
    return interval_text(interval, 2 if min(interval.low, speedup) < _ONE_DECIMAL else 1)
