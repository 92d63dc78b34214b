"""What is known of a target and its draft on this machine from having run them."""

import statistics

from msgspec import Struct
from msgspec.structs import replace

from app.core.experiment import ModelIdentity
from app.core.gain import LEAST_CHANGE
from app.core.learnt import Learnt
from app.core.pass_costs import PassCosts

_ANSWERS_KEPT = 20
_LATEST = 4  # answers


class AnsweredSpeedup(Struct, frozen=True):
    """One answer's speed-up against plain generation, as estimated from what passes take."""

    speedup: float
    tokens: int
    prompt_tokens: int
    model_drafted: bool = True  # False: plain, or with lookups alone, which says nothing of the draft model


class PairRecord(Struct, frozen=True):
    """`costs` are those under the load settings that were asked about, None where they were not measured."""

    costs: PassCosts | None = None
    learnt: Learnt = Learnt()
    answers: tuple[AnsweredSpeedup, ...] = ()  # the latest, oldest first

    @property
    def drafted_answers(self) -> tuple[AnsweredSpeedup, ...]:
        """Those in which the draft model drafted; the others say nothing of it."""
        return tuple(answer for answer in self.answers if answer.model_drafted)

    @property
    def gains_nothing(self) -> bool:
        """Whether hardly any of the latest answers was faster than plain generation; False without any.

        Or faster by lookups alone, though there is a draft model: it may have looked too dear by mistake.
        """
        latest = self.answers[-_LATEST:]
        if len(latest) < _LATEST:
            return False
        has_draft = self.costs is not None and self.costs.draft_s is not None
        if has_draft and not any(answer.model_drafted for answer in latest):
            return True
        return statistics.median(answer.speedup for answer in latest) < 1.0 + LEAST_CHANGE

    def with_answer(self, answer: AnsweredSpeedup) -> "PairRecord":
        """The record with one more answer; only the latest are kept."""
        return replace(self, answers=(*self.answers, answer)[-_ANSWERS_KEPT:])


class MeasuredPair(Struct, frozen=True):
    """What passes cost with two models, or with the target alone, as it was measured here."""

    target: ModelIdentity
    draft: ModelIdentity | None
    costs: PassCosts
