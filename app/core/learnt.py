"""What automatic drafting learns about a pair of models, and keeps from one load to the next."""

from msgspec import Struct


class LearntSource(Struct, frozen=True):
    """How far a source of drafts is to be believed.

    `weights` are those of the curves in engine/calibration.py. `first` and `later` are the confidences, as
    logits, of the last first tokens of drafts, and of the last ones behind a first one.
    """

    weights: tuple[float, ...] = ()
    first: tuple[float, ...] = ()
    later: tuple[float, ...] = ()


class Learnt(Struct, frozen=True):
    """Of a pair; None before its draft model has drafted."""

    draft_model: LearntSource | None = None
