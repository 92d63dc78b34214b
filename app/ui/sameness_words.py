"""Whether a text is the reference's, in words."""

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication

from app.core.experiment import FirstDifference, Variant
from app.core.sameness import Sameness
from app.ui.option_words import rule_text
from app.ui.sentence_parts import Emphasis, Part, parts_of
from app.ui.variant_words import variant_text

translate = QCoreApplication.translate


def sameness_parts(
    sameness: Sameness | None, difference: FirstDifference | None, tokens: int
) -> tuple[Part, ...]:
    """A sentence on a text of so many tokens; nothing where it was not compared."""
    if sameness is None:
        return ()
    number = f"{difference.position + 1:,}" if difference is not None else ""
    emphasis = Emphasis.WARNING if sameness is Sameness.DIFFERS else Emphasis.STRONG
    return parts_of(_template(sameness, difference, tokens), emphasis, number=number, count=f"{tokens:,}")


def _template(sameness: Sameness, difference: FirstDifference | None, tokens: int) -> str:
    match sameness:
        case Sameness.IDENTICAL if tokens == 1:
            return translate("Sameness", "**Output identical**, 1 of 1 token.")
        case Sameness.IDENTICAL:
            return translate("Sameness", "**Output identical**, {count} of {count} tokens.")
        case Sameness.NEAR_TIE:
            return translate("Sameness", "**Output differs from token {number} on**, at a near-tie.")
        case Sameness.RESAMPLED:
            return translate(
                "Sameness", "**Output differs from token {number} on**, as it may with rejection sampling."
            )
        case _ if difference is not None and difference.near_tie is False:
            return translate("Sameness", "**Output differs from token {number} on**, and not at a near-tie.")
    return translate("Sameness", "**Output differs from token {number} on**.")


def count_parts(sameness: Sameness | None, same: int, differing: int, prompts: int) -> tuple[Part, ...]:
    """A sentence on the texts of several prompts. `differing` are other texts, beyond near-ties."""
    match sameness:
        case None:
            return ()
        case Sameness.IDENTICAL:
            template = translate("Sameness", "**Output identical** on all of them.")
        case Sameness.NEAR_TIE:
            template = translate("Sameness", "**Output identical** on {same} of {all}, the rest near-ties.")
        case Sameness.RESAMPLED:
            template = translate(
                "Sameness",
                "**Output identical** on {same} of {all}, the rest drawn anew by rejection sampling.",
            )
        case Sameness.DIFFERS:
            template = translate("Sameness", "**Output differs** on {differing} of {all}.")
    emphasis = Emphasis.WARNING if sameness is Sameness.DIFFERS else Emphasis.STRONG
    return parts_of(template, emphasis, same=same, differing=differing, all=prompts)


def rule_cautions(lossy: Sequence[Variant]) -> tuple[str, ...]:
    """Sentences on the acceptance rules that may change the text, whether or not they did."""
    if len(lossy) == 1:
        words = translate("Sameness", "The acceptance rule ({rule}) may change the text.")
        return (words.format(rule=rule_text(lossy[0].speculation.acceptance)),)
    words = translate("Sameness", "The acceptance rule of “{variant}” ({rule}) may change the text.")
    return tuple(
        words.format(variant=variant_text(each), rule=rule_text(each.speculation.acceptance))
        for each in lossy
    )


def choice_text(sameness: Sameness | None) -> str:
    """In place of advice, where the faster way gives another text, or may do so."""
    if sameness is Sameness.IDENTICAL:
        return translate("Sameness", "The same text here, but this rule may change others.")
    if sameness is not Sameness.DIFFERS:
        return translate("Sameness", "Faster, but this rule may change the text: your choice.")
    return translate("Sameness", "Faster, but not the same text: your choice.")
