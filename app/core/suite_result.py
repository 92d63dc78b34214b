"""What a suite of prompts came to: a row for each prompt, for each kind, and for all."""

from collections.abc import Sequence

from msgspec import Struct

from app.core.compare import geometric_mean
from app.core.experiment import FirstDifference, Interval, Summary, Variant
from app.core.gain import Gain, gain_of
from app.core.prompts import Prompt


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
    identical: bool | None  # None where it could not be compared yet
    difference: FirstDifference | None = None
    near_ties_only: bool = False  # where outputs differ, two tokens were about equally likely

    @property
    def gain(self) -> Gain | None:
        """What the speed-up comes to; None without one."""
        return None if self.speedup is None else gain_of(self.speedup, self.interval)


class SuiteResult(Struct, frozen=True):
    """All rows, and what they say together."""

    rows: tuple[SuiteRow, ...]  # as they are shown: kinds of several prompts with a total, then the whole
    kinds: tuple[SuiteRow, ...]  # one for each kind that has a speed-up, the best first
    faster: int  # prompts
    slower: int
    even: int
    speedup: float | None  # over all

    @property
    def compared(self) -> int:
        """Prompts that have a speed-up."""
        return self.faster + self.slower + self.even

    @property
    def gain(self) -> Gain | None:
        """What it comes to on average."""
        return None if self.speedup is None else gain_of(self.speedup)


def suite_result(
    prompts: Sequence[Prompt], judged: Variant, reference: Variant, summaries: Sequence[Summary]
) -> SuiteResult:
    """How `judged` did against `reference`, prompts in their order, as far as they were run."""
    by_place = {(each.variant, each.prompt): each for each in summaries}
    done: dict[str | None, list[SuiteRow]] = {}
    for prompt in prompts:
        own = by_place.get((judged.id, prompt.id))
        other = by_place.get((reference.id, prompt.id))
        if own is not None or other is not None:
            done.setdefault(prompt.suite, []).append(_row(prompt, own, other))
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
    return SuiteResult(
        rows=tuple(rows),
        kinds=tuple(sorted((kind for kind in kinds if kind.speedup is not None), key=_by_speedup)),
        faster=gains.count(Gain.FASTER),
        slower=gains.count(Gain.SLOWER),
        even=gains.count(Gain.EVEN),
        speedup=whole.speedup,
    )


def _row(prompt: Prompt, own: Summary | None, other: Summary | None) -> SuiteRow:
    return SuiteRow(
        kind=prompt.suite,
        prompt=prompt.id,
        prompts=1,
        reference_rate=None if other is None or other.tok_per_s is None else other.tok_per_s.median,
        rate=None if own is None or own.tok_per_s is None else own.tok_per_s.median,
        speedup=None if own is None or other is None else own.speedup,
        interval=None if own is None else own.speedup_interval,
        acceptance_rate=None if own is None else own.acceptance_rate,
        identical=None if own is None else own.identical,
        difference=None if own is None else own.first_difference,
        near_ties_only=own is not None
        and own.first_difference is not None
        and own.first_difference.near_tie is True,
    )


def _together(
    kind: str | None, rows: Sequence[SuiteRow], by_place: dict[tuple[str, str], Summary], judged: Variant
) -> SuiteRow:
    """Only prompts with a speed-up count, so that its mean is that of the rates' means."""
    compared = [row for row in rows if row.speedup is not None]
    own = [by_place[judged.id, row.prompt] for row in compared if row.prompt is not None]
    tested = sum(each.tested for each in own)
    same = [row.identical for row in rows if row.rate is not None or row.identical is not None]
    return SuiteRow(
        kind=kind,
        prompt=None,
        prompts=len(rows),
        reference_rate=geometric_mean([row.reference_rate for row in compared if row.reference_rate]),
        rate=geometric_mean([row.rate for row in compared if row.rate]),
        speedup=geometric_mean([row.speedup for row in compared if row.speedup]),
        interval=None,
        acceptance_rate=sum(each.accepted for each in own) / tested if tested else None,
        identical=False if False in same else None if not same or None in same else True,
        near_ties_only=False in same and all(row.near_ties_only for row in rows if row.identical is False),
    )


def _by_speedup(row: SuiteRow) -> float:
    return -(row.speedup or 0.0)
