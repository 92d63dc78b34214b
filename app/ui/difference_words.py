"""The place where two answers part, explained."""

from PySide6.QtCore import QCoreApplication

from app.core.experiment import FirstDifference
from app.core.verdict import Sameness, Verdict

_LONGEST_TOKEN = 24  # characters that are shown


def difference_text(
    verdict: Verdict, first: FirstDifference, left: str, right: str, *, logits: bool = True
) -> str:
    """Which token it is, and what either side has there. `left` and `right` are the sides' names."""
    other, judged = (left, right) if verdict.judged_is_right else (right, left)
    return _tr(
        "The answers part at token {number}: {other} goes on with {expected}, {judged} with {found}."
    ).format(
        number=f"{first.position + 1:,}",
        other=other,
        judged=judged,
        expected=_candidate(first.expected, first.expected_text, first.expected_logit if logits else None),
        found=_candidate(first.found, first.found_text, first.found_logit if logits else None),
    )


def reason_text(verdict: Verdict, first: FirstDifference) -> str:
    """Why they part, as far as the figures tell."""
    if verdict.sameness is Sameness.RESAMPLED:
        return _tr(
            "Rejection sampling draws its own tokens from the model's probabilities: another text, "
            "just as likely."
        )
    if verdict.lossy_variants:
        return _tr("The acceptance rule keeps guesses that the model alone would not have chosen.")
    if first.near_tie:
        return _tr(
            "A near-tie: the model finds both about equally likely, and checking several tokens at once "
            "rounds a little differently, so that either can come first."
        )
    if first.near_tie is False:
        return _tr("That is no near-tie: rounding alone does not explain it.")
    return _tr("How near the two tokens were to each other is not known.")


def _candidate(token: int | None, text: str | None, logit: float | None) -> str:
    if token is None:
        return _tr("its end")
    shown = _tr("another token") if text is None else f"“{_visible(text)}”"
    return (
        shown if logit is None else _tr("{token} (logit {logit})").format(token=shown, logit=f"{logit:.2f}")
    )


def _visible(text: str) -> str:
    """A token's text in one line; what has no picture of its own gets one."""
    made = text.replace("\n", "⏎").replace("\t", "⇥").replace(" ", "\N{NO-BREAK SPACE}")
    made = "".join(each if each.isprintable() or each == "\N{NO-BREAK SPACE}" else "�" for each in made)
    return made if len(made) <= _LONGEST_TOKEN else made[: _LONGEST_TOKEN - 1] + "…"


def _tr(text: str) -> str:
    return QCoreApplication.translate("DifferenceWords", text)
