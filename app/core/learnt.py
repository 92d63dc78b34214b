"""What automatic drafting learns about a pair of models, and keeps from one load to the next."""

from msgspec import Struct


class LearntSource(Struct, frozen=True):
    """How far one source of drafts is to be believed.

    A drafted token is kept with probability sigmoid(offset + slope x logit(confidence)). `information` are the
    three different entries of the matrix that says how sure that is; `typical` are the mean probabilities by
    position in the draft, with the weights behind them.
    """

    offset: float
    slope: float
    information: tuple[float, float, float]
    typical: tuple[float, ...] = ()
    weights: tuple[float, ...] = ()


class Learnt(Struct, frozen=True):
    """Of both sources, as far as they were in use."""

    draft_model: LearntSource | None = None
    prompt_lookup: LearntSource | None = None
