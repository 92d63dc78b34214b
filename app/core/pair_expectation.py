"""What a draft can be expected to gain for a target on this machine, before either is loaded."""

from enum import StrEnum

from msgspec import Struct

from app.core.cost_estimate import CostRange
from app.core.expectation import StepCosts, best_length, speedup
from app.core.gain import LEAST_CHANGE, LEAST_TOKENS
from app.core.options import LONGEST_DRAFT
from app.core.pair_record import AnsweredSpeedup
from app.core.typical_acceptance import TypicalAcceptance

_LEAST_ANSWERS = 3  # fewer say more about their texts than about the pair
_TRIMMED = 10  # from so many answers on, the least and the greatest are left out


class Grounds(StrEnum):
    """Where an expectation comes from, the surest first."""

    ANSWERS = "answers"  # what answers of this pair gained here
    COSTS = "costs"  # what passes of this pair take here; how often guesses are right is assumed
    FORMAT = "format"  # what passes take here with models of the same number format
    SIZES = "sizes"  # the sizes of the files and the speed of this machine

    @property
    def is_measured(self) -> bool:
        """True where this very pair was measured here."""
        return self in (Grounds.ANSWERS, Grounds.COSTS)


class DraftLengths(Struct, frozen=True):
    """How long drafts may be, in tokens: as long as pays up to `most`, or always that."""

    most: int = LONGEST_DRAFT
    is_fixed: bool = False


class ExpectedGain(Struct, frozen=True):
    """Between what speed-ups answers are likely to lie. Automatic drafting does not go below 1; fixed may."""

    low: float
    high: float
    grounds: Grounds
    answers: int = 0  # behind it

    @property
    def is_little(self) -> bool:
        """True where nobody would notice even the most of it."""
        return self.high < 1.0 + LEAST_CHANGE

    @property
    def is_loss(self) -> bool:
        """True where even the best of it would be noticed as slower."""
        return self.high < 1.0 - LEAST_CHANGE


class NoGain(Struct, frozen=True):
    """Even if every guess were right, drafting would lose.

    Of the draft length that loses least, or the fixed one: `check_steps` is what its check costs,
    `draft_steps` what drafting it costs, both in plain steps.
    """

    drafted: int
    check_steps: float
    draft_steps: float
    grounds: Grounds
    is_fixed: bool = False  # others may gain

    @property
    def checked(self) -> int:
        """Tokens in the pass that checks it."""
        return self.drafted + 1


class RuleOfThumb(Struct, frozen=True):
    """Nothing is known of passes on this machine: all there is to go by is `DraftSize`."""


_ANY_LENGTH = DraftLengths()

PairExpectation = ExpectedGain | NoGain | RuleOfThumb


def gain_from_answers(answers: tuple[AnsweredSpeedup, ...]) -> ExpectedGain | None:
    """What answers gained, from the least to the greatest but for those that stand alone; None of too few."""
    gains = sorted(answer.speedup for answer in answers if answer.tokens >= LEAST_TOKENS)
    if len(gains) < _LEAST_ANSWERS:
        return None
    away = len(gains) // _TRIMMED
    return ExpectedGain(gains[away], gains[-1 - away], Grounds.ANSWERS, len(gains))


def gain_from_costs(
    costs: CostRange, typical: TypicalAcceptance, grounds: Grounds, lengths: DraftLengths = _ANY_LENGTH
) -> ExpectedGain | NoGain:
    """Of hard and easy texts, at the worst and the best costs: the best that automatic drafting can make.

    Or what drafts of a fixed length make of them, which may be slower than plain steps.
    """
    most = lengths.most
    perfect = max(
        range(most if lengths.is_fixed else 1, most + 1),
        key=lambda drafted: speedup(costs.best, drafted, 1.0),
    )
    if speedup(costs.best, perfect, 1.0) < 1.0 + LEAST_CHANGE:
        step = costs.best.target
        checking, drafting = costs.best.check(perfect) / step, perfect * costs.best.draft / step
        return NoGain(perfect, checking, drafting, grounds, is_fixed=lengths.is_fixed)
    if lengths.is_fixed:
        tried = speedup(costs.worst, most, typical.low)
        low = 1.0 / (typical.tried / tried + 1.0 - typical.tried)
        return ExpectedGain(low, speedup(costs.best, most, typical.high), grounds)
    low, high = _best(costs.worst, typical.low, most), _best(costs.best, typical.high, most)
    return ExpectedGain(low, high, grounds)


def _best(costs: StepCosts, acceptance: float, most: int) -> float:
    return speedup(costs, best_length(costs, acceptance, most), acceptance)
