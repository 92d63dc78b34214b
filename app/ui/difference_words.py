"""The place where two answers part, explained."""

from PySide6.QtCore import QCoreApplication

from app.core.experiment import NEAR_TIE, FirstDifference
from app.core.sameness import Sameness
from app.ui.token_text import quoted

translate = QCoreApplication.translate


def difference_text(first: FirstDifference, other: str, judged: str, *, logits: bool = True) -> str:
    """Which token it is, and what either side has there. `other` and `judged` are the sides' names."""
    words = translate(
        "Difference",
        "The answers part at token {number}: {other} goes on with {expected}, {judged} with {found}.",
    )
    return words.format(
        number=f"{first.position + 1:,}",
        other=other,
        judged=judged,
        expected=_candidate(first.expected, first.expected_text, first.expected_logit if logits else None),
        found=_candidate(first.found, first.found_text, first.found_logit if logits else None),
    )


def reason_text(sameness: Sameness, first: FirstDifference, *, lossy: bool) -> str:
    """Why they part, as far as the figures tell. `lossy`: under a rule that may change the text."""
    if sameness is Sameness.RESAMPLED:
        return translate(
            "Difference",
            "Rejection sampling draws its own tokens from the model's probabilities: another text, "
            "just as likely.",
        )
    if lossy:
        return translate(
            "Difference", "The acceptance rule keeps guesses that the model alone would not have chosen."
        )
    if first.near_tie and _was_drawn(first):
        return translate(
            "Difference",
            "A near-tie: in the draw that was made here both came out about level, and checking several "
            "tokens at once rounds a little differently, so that either can come first.",
        )
    if first.near_tie:
        return translate(
            "Difference",
            "A near-tie: the model finds both about equally likely, and checking several tokens at once "
            "rounds a little differently, so that either can come first.",
        )
    if first.near_tie is False:
        return translate("Difference", "That is no near-tie: rounding alone does not explain it.")
    return translate("Difference", "How near the two tokens were to each other is not known.")


def _was_drawn(first: FirstDifference) -> bool:
    """True where the logits alone would be no near-tie, and chance brought the two together."""
    logits = (first.expected_logit, first.found_logit)
    return logits[0] is not None and logits[1] is not None and abs(logits[0] - logits[1]) > NEAR_TIE


def _candidate(token: int | None, text: str | None, logit: float | None) -> str:
    if token is None:
        shown = translate("Difference", "its end")
    else:
        shown = translate("Difference", "another token") if text is None else quoted(text)
    if logit is None:
        return shown
    return translate("Difference", "{token} (logit {logit})").format(token=shown, logit=f"{logit:.2f}")
