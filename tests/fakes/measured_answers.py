"""Answers on paper: rounds as the engine gives them, with the time that a given speed makes them take."""

import random
import re
from collections.abc import Sequence

from msgspec import Struct

from app.core.chat import DraftSpan
from app.core.options import SpeculationMode, SpeculationOptions
from app.core.stats import DraftSource, GenerationStats, RoundStats, StatsRecorder, StopReason
from app.core.trace import TracedRound, TracedToken

_TEXT = '''\
Certainly! Here is a simple implementation of quicksort:

```python
def quicksort(values: list[int]) -> list[int]:
    """Return the values in ascending order."""
    if len(values) <= 1:
        return values
    pivot, *rest = values
    smaller = [v for v in rest if v < pivot]
    larger = [v for v in rest if v >= pivot]
    return quicksort(smaller) + [pivot] + quicksort(larger)
```
'''
_LENGTH = 96  # tokens
_PROMPT_TOKENS = 24
_PROMPT_S = 0.3
_PIECES = tuple(re.findall(r" ?\w+|\s+|[^\w\s]", _TEXT))
_VOCABULARY = (*dict.fromkeys(_PIECES), " however")
_FIRST_ID = 100
_AUTOMATIC = (5, 0, 7, 3)  # tokens that are drafted in turn where the length is automatic
_SOURCES = {
    SpeculationMode.OFF: DraftSource.NONE,
    SpeculationMode.DRAFT_MODEL: DraftSource.DRAFT_MODEL,
    SpeculationMode.PROMPT_LOOKUP: DraftSource.PROMPT_LOOKUP,
}

ANSWER = tuple(_FIRST_ID + _VOCABULARY.index(piece) for piece in _PIECES[:_LENGTH])
OTHER_TOKEN = _FIRST_ID + len(_VOCABULARY) - 1  # " however", which the answer does not have
assert len(ANSWER) == _LENGTH


def text_of(tokens: Sequence[int]) -> str:
    """Tokens of `ANSWER`, and `OTHER_TOKEN`, as text."""
    return "".join(_VOCABULARY[token - _FIRST_ID] for token in tokens)


class MeasuredAnswer(Struct, frozen=True):
    """A whole answer. The first round is the token that reading the prompt gave."""

    traced: tuple[TracedRound, ...]
    seconds: float  # that each round after the first took

    @property
    def rounds(self) -> tuple[RoundStats, ...]:
        """The figures of each round."""
        return tuple(each.stats for each in self.traced)

    @property
    def spans(self) -> tuple[DraftSpan, ...]:
        """The stretches of its text that the draft supplied."""
        found: list[DraftSpan] = []
        start = 0
        for number, round_ in enumerate(self.traced, 1):
            for position, token in enumerate(round_.tested[: round_.accepted], 1):
                size = len(token.text)
                found.append(DraftSpan(start, size, number, position, token.draft_probability))
                start += size
            start += len(round_.next_text)
        return tuple(found)

    def stats(self, reason: StopReason, peak_rss_bytes: int) -> GenerationStats:
        """The totals, added up by the engine's own recorder."""
        recorder = StatsRecorder(0.0, _PROMPT_TOKENS)
        recorder.prompt_read(_PROMPT_S, 0)
        for number, round_ in enumerate(self.rounds):
            recorder.add(round_, _PROMPT_S + number * self.seconds)
        return recorder.finish(reason, peak_rss_bytes)


def measured_answer(
    options: SpeculationOptions, tokens: Sequence[int], rate: float, acceptance: float
) -> MeasuredAnswer:
    """An answer at `rate` tok/s, each drafted token kept with the probability `acceptance`."""
    numbers = random.Random(0)  # one seed: repeats give the same answer in the same rounds
    drafts = [_nothing(tokens)] if tokens else []
    given = 1
    while given < len(tokens):
        most = _longest(options, len(drafts))
        tested, kept = _draft(options, tokens[given:], most, acceptance, numbers)
        drafts.append((tested, kept, tokens[given + kept]))
        given += kept + 1
    seconds = (len(tokens) - 1) / rate / max(1, len(drafts) - 1)
    source = _SOURCES[options.mode]
    traced = tuple(
        TracedRound(
            tested,
            kept,
            following,
            text_of([following]),
            _stats(source, len(tested), kept, seconds if number else 0.0),
        )
        for number, (tested, kept, following) in enumerate(drafts)
    )
    return MeasuredAnswer(traced, seconds)


def _longest(options: SpeculationOptions, number: int) -> int:
    """The most tokens of a round's draft."""
    if options.mode is SpeculationMode.OFF:
        return 0
    most = _AUTOMATIC[number % len(_AUTOMATIC)] if options.is_automatic else options.longest
    return min(most, options.longest)


def _nothing(tokens: Sequence[int]) -> tuple[tuple[TracedToken, ...], int, int]:
    return (), 0, tokens[0]


def _draft(
    options: SpeculationOptions, right: Sequence[int], most: int, acceptance: float, numbers: random.Random
) -> tuple[tuple[TracedToken, ...], int]:
    """What is drafted where the tokens `right` come next, and how much of it is kept."""
    tested: list[TracedToken] = []
    kept = 0
    for token in right[: min(most, len(right) - 1)]:
        luck = numbers.random()
        matches = luck < acceptance
        if matches and kept == len(tested):
            kept += 1
        likely = 0.6 + 0.39 * numbers.random() if matches else 0.3 * numbers.random()
        shown = token if matches else OTHER_TOKEN
        by_model = options.mode is SpeculationMode.DRAFT_MODEL
        tested.append(
            TracedToken(
                token=shown,
                text=text_of([shown]),
                draft_probability=0.5 + 0.49 * numbers.random() if by_model else None,
                drawn_probability=None,
                target_probability=likely,
                target_rank=0 if matches else 1 + int(4 * numbers.random()),
                luck=luck,
                matches=matches,
            )
        )
    return tuple(tested), kept


def _stats(source: DraftSource, drafted: int, kept: int, seconds: float) -> RoundStats:
    drafts = drafted > 0
    return RoundStats(
        source=source if drafts else DraftSource.NONE,
        drafted=drafted,
        tested=drafted,
        accepted=kept,
        emitted=kept + 1,
        draft_s=0.3 * seconds if drafts and source is DraftSource.DRAFT_MODEL else 0.0,
        verify_s=0.65 * seconds,
        sample_s=0.05 * seconds,
    )
