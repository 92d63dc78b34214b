"""What a suite of prompts came to: a row for each prompt, for each kind, and for all."""

from collections.abc import Sequence

from msgspec import Struct

from app.core.compare import geometric_mean
from app.core.experiment import FirstDifference, Interval, Summary, Variant
from app.core.gain import LEAST_TOKENS, Gain, gain_of, scatters
from app.core.prompts import Prompt
from app.core.sameness import Sameness, is_faithful, sameness_in, worst_of
from app.core.speedup_interval import mean_interval


class SuiteRow(Struct, frozen=True):
    """One prompt, or several together. Of several, rates and speed-ups are geometric means."""

    kind: str | None  # the suite's name; None for prompts of no suite, and for all kinds together
    prompt: str | None  # its id; None for several prompts
    prompts: int
    reference_rate: float | None  # tok/s
    rate: float | None
    speedup: float | None
    interval: Interval | None
    acceptance_rate: float | None
    sameness: Sameness | None  # the worst; None where it could not be compared yet
    difference: FirstDifference | None = None
    runs: int = 0  # of the side and prompt with the fewest
    tokens: int = 0  # of the judged side's first answer, and of one prompt alone
    fewest_tokens: int = LEAST_TOKENS  # of the shorter answer; of several prompts, where it is longest

    @property
    def gain(self) -> Gain | None:
        """What the speed-up comes to; None without one."""
        return None if self.speedup is None else gain_of(self.speedup, self.interval, self.fewest_tokens)


class SuiteResult(Struct, frozen=True):
    """All rows, and what they say together."""

    rows: tuple[SuiteRow, ...]  # as they are shown: kinds of several prompts with a total, then the whole
    kinds: tuple[SuiteRow, ...]  # one for each kind that has a speed-up to judge, the best first
    whole: SuiteRow
    faster: int  # prompts
    slower: int
    even: int
    short: int  # prompts whose answers are too short to tell
    same: int  # prompts whose text is identical
    differing: int  # prompts whose text is another one, beyond near-ties
    is_faithful: bool  # the judged variant can be chosen without getting another kind of text
    takes_memory: bool  # the judged variant has a draft model in memory that the reference does not need

    @property
    def compared(self) -> int:
        """Prompts that have a speed-up, and answers long enough to judge it."""
        return self.faster + self.slower + self.even

    @property
    def gain(self) -> Gain | None:
        """What it comes to on average: nothing, where no prompt shows a difference."""
        return Gain.EVEN if self.compared and self.compared == self.even else self.whole.gain

    @property
    def scatters(self) -> bool:
        """True where the runs are too unlike each other to tell."""
        whole = self.whole
        return (
            whole.speedup is not None and self.gain is Gain.EVEN and scatters(whole.speedup, whole.interval)
        )

    @property
    def depends_on_kind(self) -> bool:
        """True where the best kind of prompt gains more than the worst, beyond the noise."""
        if len(self.kinds) < 2:
            return False
        best, worst = self.kinds[0], self.kinds[-1]
        if not best.speedup or not worst.speedup:
            return False
        apart = None
        if best.interval is not None and worst.interval is not None:
            apart = Interval(best.interval.low / worst.interval.high, best.interval.high / worst.interval.low)
        return gain_of(best.speedup / worst.speedup, apart) is Gain.FASTER


def suite_result(
    prompts: Sequence[Prompt], judged: Variant | None, reference: Variant, summaries: Sequence[Summary]
) -> SuiteResult:
    """How `judged` did against `reference`, prompts in their order, as far as they were run.

    Without `judged` there are the rates of the reference alone.
    """
    by_place = {(each.variant, each.prompt): each for each in summaries}
    done: dict[str | None, list[SuiteRow]] = {}
    for prompt in prompts:
        own = None if judged is None else by_place.get((judged.id, prompt.id))
        other = by_place.get((reference.id, prompt.id))
        if own is not None or other is not None:
            done.setdefault(prompt.suite, []).append(_row(prompt, own, other, judged or reference, reference))
    rows: list[SuiteRow] = []
    kinds: list[SuiteRow] = []
    for kind, of_kind in done.items():
        total = _together(kind, of_kind, by_place, judged)
        rows += [*of_kind, total] if len(of_kind) > 1 else of_kind
        kinds.append(total)
    every = [row for of_kind in done.values() for row in of_kind]
    whole = _together(None, every, by_place, judged)
    if len(kinds) > 1:
        rows.append(whole)
    gains = [row.gain for row in every]
    texts = [row.sameness for row in every]
    return SuiteResult(
        rows=tuple(rows),
        kinds=tuple(sorted((kind for kind in kinds if kind.gain not in (None, Gain.SHORT)), key=_by_speedup)),
        whole=whole,
        faster=gains.count(Gain.FASTER),
        slower=gains.count(Gain.SLOWER),
        even=gains.count(Gain.EVEN),
        short=gains.count(Gain.SHORT),
        same=texts.count(Sameness.IDENTICAL),
        differing=texts.count(Sameness.DIFFERS),
        is_faithful=is_faithful(whole.sameness, judged or reference, reference),
        takes_memory=judged is not None and judged.draft is not None and reference.draft is None,
    )


def _row(
    prompt: Prompt, own: Summary | None, other: Summary | None, judged: Variant, reference: Variant
) -> SuiteRow:
    return SuiteRow(
        kind=prompt.suite,
        prompt=prompt.id,
        prompts=1,
        reference_rate=None if other is None or other.tok_per_s is None else other.tok_per_s.median,
        rate=None if own is None or own.tok_per_s is None else own.tok_per_s.median,
        speedup=None if own is None or other is None else own.speedup,
        interval=None if own is None else own.speedup_interval,
        acceptance_rate=None if own is None else own.acceptance_rate,
        sameness=None if own is None else sameness_in(own, judged, reference),
        difference=None if own is None else own.first_difference,
        runs=min(0 if each is None else each.runs for each in (own, other)),
        tokens=0 if own is None else own.generated_tokens,
        fewest_tokens=min((each.generated_tokens for each in (own, other) if each is not None), default=0),
    )


def _together(
    kind: str | None,
    rows: Sequence[SuiteRow],
    by_place: dict[tuple[str, str], Summary],
    judged: Variant | None,
) -> SuiteRow:
    """Only prompts with a speed-up count, so that its mean is that of the rates' means."""
    compared = [row for row in rows if judged is None or row.speedup is not None]
    own = [
        by_place[judged.id, row.prompt] for row in compared if judged is not None and row.prompt is not None
    ]
    tested = sum(each.tested for each in own)
    speedups = [row.speedup for row in compared if row.speedup]
    return SuiteRow(
        kind=kind,
        prompt=None,
        prompts=len(compared) or len(rows),
        reference_rate=geometric_mean([row.reference_rate for row in compared if row.reference_rate]),
        rate=geometric_mean([row.rate for row in compared if row.rate]),
        speedup=geometric_mean(speedups),
        interval=mean_interval(speedups, [row.interval for row in compared]),
        acceptance_rate=sum(each.accepted for each in own) / tested if tested else None,
        sameness=worst_of(row.sameness for row in rows if row.rate is not None or row.sameness is not None),
        runs=min((row.runs for row in compared), default=0),
        fewest_tokens=max((row.fewest_tokens for row in compared), default=0),
    )


def _by_speedup(row: SuiteRow) -> float:
    return -(row.speedup or 0.0)
