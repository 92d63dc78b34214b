"""Whether a text is the reference's, and whether it may be another: the same judgement everywhere."""

from collections.abc import Iterable
from enum import StrEnum

from app.core.experiment import FirstDifference, Summary, Variant
from app.core.options import AcceptanceRule


class Sameness(StrEnum):
    """How the judged side's text stands to the other's, from the best to the worst."""

    IDENTICAL = "identical"
    NEAR_TIE = "near_tie"  # it differs where two tokens were about equally likely
    RESAMPLED = "resampled"  # rejection sampling: other draws from the same distribution
    DIFFERS = "differs"


def sameness_of(difference: FirstDifference | None, judged: Variant, other: Variant) -> Sameness:
    """What a difference comes to under the acceptance rules of both sides.

    A rule that may change the text is no excuse, and a difference under it no near-tie.
    """
    if difference is None:
        return Sameness.IDENTICAL
    if lossy_of(judged, other):
        return Sameness.DIFFERS
    if any(
        side.drafts and side.speculation.acceptance is AcceptanceRule.REJECTION for side in (judged, other)
    ):
        return Sameness.RESAMPLED
    return Sameness.NEAR_TIE if difference.near_tie else Sameness.DIFFERS


def sameness_in(summary: Summary, judged: Variant, other: Variant) -> Sameness | None:
    """The same of a summary; None where its text was not compared."""
    return None if summary.identical is None else sameness_of(summary.first_difference, judged, other)


def worst_of(found: Iterable[Sameness | None]) -> Sameness | None:
    """What several texts come to. None, as one that was not compared, hides nothing but that all is well."""
    order = list(Sameness)
    texts = list(found)
    worst = max((each for each in texts if each is not None), key=order.index, default=None)
    return None if worst is Sameness.IDENTICAL and None in texts else worst


def lossy_of(judged: Variant, other: Variant) -> tuple[Variant, ...]:
    """The sides whose acceptance rule may change the text, whether or not it did here."""
    return tuple(
        side for side in (judged, other) if side.drafts and side.speculation.acceptance.changes_output
    )


def is_faithful(sameness: Sameness | None, judged: Variant, other: Variant) -> bool:
    """True where the judged side can be chosen without getting another kind of text."""
    return sameness is not Sameness.DIFFERS and not lossy_of(judged, other)
