"""The options' values in words."""

from PySide6.QtCore import QCoreApplication

from app.core.options import AcceptanceRule, CacheType, DraftLength, SpeculationMode, Switch

translate = QCoreApplication.translate


def switch_text(switch: Switch) -> str:
    """A setting that may be left to the program."""
    match switch:
        case Switch.AUTOMATIC:
            return translate("Options", "Automatic")
        case Switch.ON:
            return translate("Options", "On")
        case Switch.OFF:
            return translate("Options", "Off")


def cache_text(kind: CacheType) -> str:
    """The number format of a cache, as llama.cpp's users write it."""
    return kind.value.upper()


def mode_text(mode: SpeculationMode) -> str:
    """Where drafts come from."""
    match mode:
        case SpeculationMode.OFF:
            return translate("Options", "Off")
        case SpeculationMode.DRAFT_MODEL:
            return translate("Options", "Draft Model")
        case SpeculationMode.PROMPT_LOOKUP:
            return translate("Options", "Prompt Lookup")


def mode_meaning(mode: SpeculationMode) -> str:
    """What the choice means, in a sentence or two."""
    match mode:
        case SpeculationMode.OFF:
            return translate("Options", "Every token is the model's own work, one after the other.")
        case SpeculationMode.DRAFT_MODEL:
            return translate(
                "Options",
                "Another model, best a much smaller one, guesses ahead, and this one checks its guesses in "
                "one pass. It needs memory and processor time of its own.",
            )
        case SpeculationMode.PROMPT_LOOKUP:
            return translate(
                "Options",
                "Guesses are copied from the conversation so far. It needs no second model, and helps where "
                "text repeats: code, lists, quotations.",
            )


def draft_length_text(length: DraftLength) -> str:
    """Who decides how many tokens are drafted."""
    match length:
        case DraftLength.AUTOMATIC:
            return translate("Options", "Automatic")
        case DraftLength.FIXED:
            return translate("Options", "Fixed")


def draft_length_meaning(length: DraftLength, mode: SpeculationMode) -> str:
    """What the choice means where drafts come from such a source, in a sentence or two."""
    if length is DraftLength.FIXED:
        return translate("Options", "Every draft keeps to these numbers, whether it pays or not.")
    if mode is SpeculationMode.DRAFT_MODEL:
        return translate(
            "Options",
            "Each round drafts as much as pays here, by the model or by prompt lookup, or nothing.",
        )
    return translate("Options", "Each round drafts as much as pays here, or nothing.")


def rule_text(rule: AcceptanceRule) -> str:
    """Which drafted tokens are kept."""
    match rule:
        case AcceptanceRule.MATCH:
            return translate("Options", "Sample and match")
        case AcceptanceRule.REJECTION:
            return translate("Options", "Rejection sampling")
        case AcceptanceRule.DIFFERENCE:
            return translate("Options", "Difference")
        case AcceptanceRule.RATIO:
            return translate("Options", "Ratio")
        case AcceptanceRule.TOP_K:
            return translate("Options", "Top-k")


def rule_meaning(rule: AcceptanceRule) -> str:
    """What a rule does. p is the target's probability of a token, q the draft's."""
    match rule:
        case AcceptanceRule.MATCH:
            return translate(
                "Options",
                "The model draws as it would alone, and drafted tokens are kept while they are what it drew. "
                "With the same seed the text is the same, word for word.",
            )
        case AcceptanceRule.REJECTION:
            return translate(
                "Options",
                "A drafted token is kept with probability min(1, p/q), else another is drawn from what the "
                "draft left out. The text may be another one, but as likely as without a draft.",
            )
        case AcceptanceRule.DIFFERENCE:
            return translate("Options", "A drafted token is kept if |p − q| is below the limit.")
        case AcceptanceRule.RATIO:
            return translate("Options", "A drafted token is kept if p / q is above the limit.")
        case AcceptanceRule.TOP_K:
            return translate("Options", "A drafted token is kept if it is among the model's k likeliest.")
