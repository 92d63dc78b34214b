"""A target and its drafters made of chances, on a clock that counts what passes would take.

For proofs about policies: every policy meets the same text, of which is settled beforehand at which places
each drafter would be right. Seconds are plain steps unless a machine says otherwise.
"""

from collections.abc import Callable, Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from app.core.drafting_state import Pause
from app.core.stats import DraftSource
from app.engine.automatic_policy import AutomaticPolicy
from app.engine.automatic_round import Fate, Outcome
from app.engine.drafting import lookup_confidence
from app.engine.round_costs import RoundCosts

LEAST_AGREEMENT = 2  # tokens, from which a lookup finds something

Chances = NDArray[np.float64]
Confidence = Callable[[Chances], Chances]


class Machine(Struct, frozen=True):
    """What passes take, in seconds."""

    checks: tuple[float, ...]  # target passes over 1, 2, 3 ... tokens
    step: float  # drafting one token
    feed: float = 0.0  # that a pass of the draft takes longer for each token more that it missed
    begin: float = 0.0  # that the first token of a draft takes longer

    @property
    def plain_s(self) -> float:
        """A plain step."""
        return self.checks[0]

    def best_case(self) -> float:
        """The speed-up of the best length if every guess of the draft model were right."""
        lengths = range(1, len(self.checks))
        return max((k + 1) * self.plain_s / (self.checks[k] + self.drafting(k)) for k in lengths)

    def drafting(self, length: int) -> float:
        """Drafting so many tokens."""
        return self.begin + length * self.step if length else 0.0


class VirtualText(Struct, frozen=True):
    """What each drafter has to say at each place, given that all before it is as in the text."""

    right: Sequence[bool]  # the draft model's token is the text's
    confidences: Sequence[float]  # what the draft model says of it
    copied: Sequence[bool]  # the token that a lookup finds is the text's
    agreements: Sequence[int]  # tokens that agree before the place it is found at; 0: it finds nothing

    def followed_by(self, other: "VirtualText") -> "VirtualText":
        """One text and then another."""
        return VirtualText(
            [*self.right, *other.right],
            [*self.confidences, *other.confidences],
            [*self.copied, *other.copied],
            [*self.agreements, *other.agreements],
        )

    def found(self, place: int, most: int) -> list[float]:
        """The confidences of the tokens that a lookup finds for a place and those behind it."""
        agreement = self.agreements[place] if place < len(self.agreements) else 0
        most = min(most, len(self.copied) - place)
        return [lookup_confidence(agreement)] * most if agreement else []


def text_of(
    chances: Chances,
    seed: int,
    *,
    says: Confidence = lambda chances: chances,
    copies: Sequence[range] = (),
    likenesses: float = 0.0,
) -> VirtualText:
    """A text in which the draft model is right with these chances, and says what `says` makes of them.

    `copies` are the stretches that repeat an earlier one, `likenesses` the share of other places at which a
    lookup finds something though the text goes on in another way.
    """
    drawn = np.random.default_rng(seed)
    copied = [False] * len(chances)
    agreements = [LEAST_AGREEMENT if drawn.random() < likenesses else 0 for _ in chances]
    for stretch in copies:
        for agreement, place in enumerate(stretch):
            copied[place] = True
            agreements[place] = agreement if agreement >= LEAST_AGREEMENT else 0
        if stretch.stop < len(chances):  # the earlier text went on, and this one leaves it
            agreements[stretch.stop] = len(stretch)
    right = drawn.random(len(chances)) < chances
    return VirtualText(right.tolist(), says(chances).tolist(), copied, agreements)


class VirtualRound(Struct, frozen=True):
    """One round as it was made."""

    place: int  # of its first token
    source: DraftSource
    drafted: int  # by the draft model
    tested: int
    emitted: int
    seconds: float
    pause: Pause | None = None  # why a policy did not draft


class Timeline(Struct, frozen=True):
    """An answer: its rounds, one after the other."""

    rounds: tuple[VirtualRound, ...]

    def seconds(self, first: int = 0, last: int | None = None) -> float:
        """The time of the rounds that begin from one place on, before another."""
        return sum(each.seconds for each in self._within(first, last))

    def rate(self, first: int = 0, last: int | None = None) -> float:
        """Tokens per second, of the same rounds."""
        return sum(each.emitted for each in self._within(first, last)) / self.seconds(first, last)

    def drafting_rounds(self, first: int = 0, last: int | None = None) -> int:
        """How many of them the draft model took part in."""
        return sum(each.drafted > 0 for each in self._within(first, last))

    def _within(self, first: int, last: int | None) -> list[VirtualRound]:
        return [each for each in self.rounds if first <= each.place and (last is None or each.place < last)]


class VirtualPair:
    """Answers with a text, in any way."""

    def __init__(self, machine: Machine, text: VirtualText, *, ceiling: int = 16, unread: int = 1) -> None:
        """`unread`: tokens that the draft model has to read at the beginning, at least one."""
        self._machine = machine
        self._text = text
        self._ceiling = ceiling
        self._unread_at_start = unread

    def plain(self) -> Timeline:
        """Without drafts."""
        return self.fixed(0)

    def fixed(self, length: int) -> Timeline:
        """With so many tokens of the draft model a round."""
        return self._answer(lambda place, room: self._fixed_round(place, min(length, room)))

    def looked_up(self, length: int) -> Timeline:
        """With so many tokens of a lookup a round, where it finds something."""
        return self._answer(lambda place, room: self._lookup_round(place, min(length, room)))

    def automatic(self, policy: AutomaticPolicy, *, can_draft: bool = True) -> Timeline:
        """As the policy decides."""
        return self._answer(_Automatic(self._machine, self._text, policy, self._unread_at_start, can_draft))

    def _answer(self, make_round: Callable[[int, int], VirtualRound]) -> Timeline:
        rounds: list[VirtualRound] = []
        place, end = 0, len(self._text.right)
        while place < end:
            room = min(self._ceiling, len(self._machine.checks) - 1, end - place - 1)
            rounds.append(make_round(place, room))
            place += rounds[-1].emitted
        return Timeline(tuple(rounds))

    def _fixed_round(self, place: int, length: int) -> VirtualRound:
        kept = leading(self._text.right[place : place + length])
        seconds = self._machine.checks[length] + self._machine.drafting(length)
        source = DraftSource.DRAFT_MODEL if length else DraftSource.NONE
        return VirtualRound(place, source, length, length, kept + 1, seconds)

    def _lookup_round(self, place: int, length: int) -> VirtualRound:
        length = len(self._text.found(place, length))
        kept = leading(self._text.copied[place : place + length])
        source = DraftSource.PROMPT_LOOKUP if length else DraftSource.NONE
        return VirtualRound(place, source, 0, length, kept + 1, self._machine.checks[length])


class _Automatic:
    """Rounds as a policy wants them, with a draft model that reads only when it is asked."""

    def __init__(
        self, machine: Machine, text: VirtualText, policy: AutomaticPolicy, unread: int, can_draft: bool
    ) -> None:
        self._machine = machine
        self._text = text
        self._policy = policy
        self._read = 1 - unread  # a place before which, but for one token, the draft model has read all
        self._can_draft = can_draft

    def __call__(self, place: int, room: int) -> VirtualRound:
        machine, text, policy = self._machine, self._text, self._policy
        catching_up = machine.feed * (place - self._read)
        costs = RoundCosts(machine.checks[: room + 1], machine.step, catching_up, machine.feed, machine.begin)
        lookup = text.found(place, room)
        opening = policy.open(costs, lookup, can_draft=self._can_draft)
        drafted, tested, seconds, extension = 0, opening.looked_up, 0.0, list[float]()
        if opening.source is DraftSource.DRAFT_MODEL:
            drafted = self._draft(place, room)
            seconds = catching_up + machine.drafting(drafted)
            extension = text.found(place + drafted, room - drafted)
            kept, extended = policy.close(extension)
            assert extended == 0 or kept == drafted, "an extension of tokens that are not verified"
            tested = kept + extended
        proposals = (
            text.copied[place : place + tested]
            if opening.source is DraftSource.PROMPT_LOOKUP
            else [*text.right[place : place + drafted], *text.copied[place + drafted :]][:tested]
        )
        assert tested <= room, "more than may be verified"
        emitted = leading(proposals) + 1
        seconds += machine.checks[tested]
        drafts = text.right[place : place + drafted]
        extended_fate = (
            _fate(text.copied, place + drafted, len(extension), emitted - drafted) if all(drafts) else Fate()
        )
        policy.observe(
            Outcome(
                seconds,
                emitted,
                _fate(text.right, place, drafted, emitted),
                _fate(text.copied, place, len(lookup), emitted),
                extended_fate,
            )
        )
        if drafted:  # it has read its own tokens but the last, and of these only the right ones stay
            self._read = place + min(leading(drafts), drafted - 1, emitted - 1) + 1
        return VirtualRound(place, opening.source, drafted, tested, emitted, seconds, opening.pause)

    def _draft(self, place: int, room: int) -> int:
        """Tokens that the model drafts before the policy wants no more of them."""
        for drafted in range(1, room + 1):
            wanted = self._policy.goes_on(self._text.confidences[place + drafted - 1])
            if not wanted:
                return drafted
        assert not wanted, "more is wanted than there is room for"
        return room


def leading(flags: Sequence[bool]) -> int:
    """How many of the first are true, before one is not."""
    return next((place for place, flag in enumerate(flags) if not flag), len(flags))


def _fate(right: Sequence[bool], place: int, proposed: int, emitted: int) -> Fate:
    """What the tokens that were emitted from a place on say about those proposed there."""
    judged = right[place : place + max(0, min(proposed, emitted))]
    kept = leading(judged)
    return Fate(min(kept + 1, len(judged)), kept)


def scattered(typical: float, length: int, seed: int) -> Chances:
    """Chances as of a real drafter: some tokens are all but sure, some a guess. Normal in the log-odds."""
    odds = np.log(typical / (1.0 - typical)) + np.random.default_rng(seed).normal(0.0, 1.5, length)
    return _chance(odds)


def distorted(offset: float, slope: float) -> Confidence:
    """Confidences that are off by a straight line on the log-odds."""
    return lambda chances: _chance(offset + slope * np.log(chances / (1.0 - chances)))


def always(confidence: float) -> Confidence:
    """One confidence for every token."""
    return lambda chances: np.full_like(chances, confidence)


def _chance(odds: Chances) -> Chances:
    return 1.0 / (1.0 + np.exp(-odds))
