"""What automatic drafting is held to in automatic_speed.py, and how it stands to that. Figures in and out."""

import statistics
from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct

from app.core.compare import geometric_mean
from app.core.deviations import first_difference
from app.core.experiment import FirstDifference, ModelIdentity, Run
from app.core.pass_costs import PassCosts
from app.core.prompts import Prompt

OFF, AUTO, LOOKUP = "off", "auto", "lookup"
UNREAD = "unread"  # automatic, where the draft model has not read the prompt
AGAINST_OFF = 0.98
AGAINST_BEST_FIXED = 0.97


class Series(Struct, frozen=True):
    """One pair at one temperature: what was measured, every way by its name."""

    target: ModelIdentity
    draft: ModelIdentity
    costs: PassCosts  # measured before the first answer
    temperature: float
    runs: tuple[Run, ...]
    differences: dict[str, FirstDifference]  # by prompt: where automatic leaves what off says

    @property
    def title(self) -> str:
        """For people."""
        return f"{self.target.title} + {self.draft.title}, temperature {self.temperature:g}"

    def is_of(self, other: "Series") -> bool:
        """True for the same pair at the same temperature."""
        one, two = ((each.target, each.draft, each.temperature) for each in (self, other))
        return one == two


class PromptVerdict(Struct, frozen=True):
    """One prompt. Ratios are medians over the repeats of the ratio within each: what drifts cancels out."""

    prompt: str
    suite: str
    speeds: dict[str, float]  # median tok/s by way
    against_off: dict[str, float]  # by way
    best_fixed: str
    against_best_fixed: float
    whole: float  # of UNREAD: the time from the question to the last token, that of off divided by it
    off_scatter: float  # of off: by which share its fastest run was faster than its slowest
    difference: FirstDifference | None

    def missed(self) -> list[str]:
        """Sentences, one for every bound that does not hold."""
        found = []
        if self.against_off[AUTO] < AGAINST_OFF:
            found.append(f"{self.prompt}: {self.against_off[AUTO]:.3f} of off, not {AGAINST_OFF}")
        if self.whole < AGAINST_OFF:
            found.append(f"{self.prompt}: {self.whole:.3f} of off in the whole time, not {AGAINST_OFF}")
        if self.against_best_fixed < AGAINST_BEST_FIXED:
            ratio = f"{self.against_best_fixed:.3f} of {self.best_fixed}"
            found.append(f"{self.prompt}: {ratio}, not {AGAINST_BEST_FIXED}")
        if self.difference is not None:
            found.append(f"{self.prompt}: another answer than off's, {place_of(self.difference)}")
        return found


class Reach(Struct, frozen=True):
    """The most that drafts of one length could give, every guess being right."""

    speedup: float
    length: int  # tokens drafted; 0 where none can gain


def judged(series: Series, prompt: Prompt) -> PromptVerdict | None:
    """How a prompt went; None where there is no repeat in which every way has a speed."""
    runs = [run for run in series.runs if run.prompt == prompt.id]
    rates = _by_repeat(runs, lambda run: run.stats.tok_per_s)
    return _verdict(series, prompt, rates, _by_repeat(runs, _whole_s)) if rates else None


def reach(costs: PassCosts, draft_s: float, longest: int) -> Reach:
    """max over k of (k+1) T(1) / (T(k+1) + k d): no policy that drafts k tokens a round can be faster."""
    gains = [
        ((length + 1) * costs.step_s / (costs.pass_s(length + 1) + length * draft_s), length)
        for length in range(1, longest + 1)
    ]
    speedup, length = max(gains)
    return Reach(speedup, length) if speedup > 1.0 else Reach(1.0, 0)


def means(verdicts: Sequence[PromptVerdict]) -> dict[str, float]:
    """Every way against off: geometric mean over the suites of those over their prompts."""
    suites = dict.fromkeys(verdict.suite for verdict in verdicts)
    ways = verdicts[0].against_off if verdicts else {}
    return {
        way: _mean(
            _mean(each.against_off[way] for each in verdicts if each.suite == suite) for suite in suites
        )
        for way in ways
    }


def missed_overall(verdicts: Sequence[PromptVerdict], least_gain: float | None) -> list[str]:
    """Sentences about the whole: automatic against the best single setting, and against a gain asked for."""
    if not verdicts:
        return ["no prompt was run in every way"]
    found = means(verdicts)
    best = max((way for way in found if is_fixed(way)), key=found.__getitem__)
    missed = []
    if found[AUTO] <= found[best]:
        missed.append(f"all suites: {found[AUTO]:.3f} x off, no more than the {found[best]:.3f} of {best}")
    if least_gain is not None and found[AUTO] < least_gain:
        missed.append(f"all suites: {found[AUTO]:.3f} x off, not {least_gain}")
    return missed


def is_fixed(way: str) -> bool:
    """True for a setting that a person could have picked in place of automatic."""
    return way not in (OFF, AUTO, UNREAD)


def deviating(runs: Sequence[Run], prompt: str) -> tuple[Run, Run] | None:
    """The first answer of off, and the first of automatic that is another one."""
    own = [run for run in runs if run.prompt == prompt]
    expected = next((run for run in own if run.variant == OFF), None)
    if expected is None:
        return None
    others = (run for run in own if run.variant == AUTO and run.tokens != expected.tokens)
    found = next(others, None)
    return None if found is None else (expected, found)


def place_of(difference: FirstDifference) -> str:
    """Where two answers part, for people."""
    texts = f"{difference.expected_text!r} or {difference.found_text!r}"
    if difference.near_tie is None:
        return f"from token {difference.position} on ({texts})"
    kind = "a near-tie" if difference.near_tie else "NO near-tie"
    return f"from token {difference.position} on ({texts}: {kind}, {difference.margin:.3f} logits)"


def _verdict(
    series: Series, prompt: Prompt, rates: Sequence[dict[str, float]], whole_s: Sequence[dict[str, float]]
) -> PromptVerdict:
    speeds = {way: statistics.median(each[way] for each in rates) for way in rates[0]}
    best = max((way for way in speeds if is_fixed(way)), key=speeds.__getitem__)
    difference = series.differences.get(prompt.id)
    if difference is None and (pair := deviating(series.runs, prompt.id)) is not None:
        difference = first_difference(pair[0].tokens, pair[1].tokens)
    return PromptVerdict(
        prompt=prompt.id,
        suite=prompt.suite or prompt.id,
        speeds=speeds,
        against_off={way: statistics.median(each[way] / each[OFF] for each in rates) for way in speeds},
        best_fixed=best,
        against_best_fixed=statistics.median(each[AUTO] / each[best] for each in rates),
        whole=statistics.median(each[OFF] / each[UNREAD] for each in whole_s),
        off_scatter=max(each[OFF] for each in rates) / min(each[OFF] for each in rates) - 1.0,
        difference=difference,
    )


def _whole_s(run: Run) -> float:
    """Of a token, since answers that part may be of different lengths."""
    return (run.stats.prompt_s + run.stats.decode_s) / run.stats.generated_tokens


def _by_repeat(runs: Sequence[Run], figure: Callable[[Run], float | None]) -> list[dict[str, float]]:
    """A figure by way, of every repeat in which all ways have one."""
    ways = dict.fromkeys(run.variant for run in runs)
    repeats: dict[int, dict[str, float]] = {}
    for run in runs:
        if run.stats.tok_per_s is not None and (found := figure(run)) is not None:
            repeats.setdefault(run.repeat, {})[run.variant] = found
    return [{way: found[way] for way in ways} for found in repeats.values() if len(found) == len(ways)]


def _mean(values: Iterable[float]) -> float:
    return geometric_mean(list(values)) or 0.0
