"""What automatic drafting learns about a pair of models, and keeps from one load to the next."""

from msgspec import Struct
from msgspec.structs import replace


class LearntSource(Struct, frozen=True):
    """How far a source of drafts is to be believed.

    `weights` are those of the curves in engine/calibration.py. `first` and `later` are the confidences, as
    logits, of the last first tokens of drafts, and of the last ones behind a first one.
    """

    weights: tuple[float, ...] = ()
    first: tuple[float, ...] = ()
    later: tuple[float, ...] = ()


class Learnt(Struct, frozen=True):
    """Of a pair's draft model, None before it has drafted that way.

    Apart for the likeliest tokens and for those that are drawn, since confidence is another measure there.
    """

    draft_model: LearntSource | None = None
    drawn: LearntSource | None = None  # at temperatures above 0

    def of(self, *, draws: bool) -> LearntSource | None:
        """What is known for one way; where nothing is, the other way is the best guess."""
        return (self.drawn or self.draft_model) if draws else (self.draft_model or self.drawn)

    def added(self, source: LearntSource, *, draws: bool) -> "Learnt":
        """The same with what is now known for one way."""
        return replace(self, drawn=source) if draws else replace(self, draft_model=source)
