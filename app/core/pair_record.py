"""What is known of a target and its draft on this machine from having run them."""

from msgspec import Struct
from msgspec.structs import replace

from app.core.experiment import ModelIdentity
from app.core.learnt import Learnt
from app.core.pass_costs import PassCosts

_ANSWERS_KEPT = 20


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

    def with_answer(self, answer: AnsweredSpeedup) -> "PairRecord":
        """The record with one more answer; only the latest are kept."""
        return replace(self, answers=(*self.answers, answer)[-_ANSWERS_KEPT:])


class MeasuredPair(Struct, frozen=True):
    """What passes cost with two models, or with the target alone, as it was measured here."""

    target: ModelIdentity
    draft: ModelIdentity | None
    costs: PassCosts
