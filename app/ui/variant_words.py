"""The ways to answer that are compared, in words."""

from PySide6.QtCore import QCoreApplication

from app.core.experiment import Variant
from app.core.options import AcceptanceRule, DraftLength, SpeculationMode, SpeculationOptions
from app.ui.option_words import mode_text, rule_text

translate = QCoreApplication.translate

_DEFAULTS = SpeculationOptions()


def variant_text(variant: Variant, *, with_draft: bool = False, with_length: bool = True) -> str:
    """A variant for headings and boxes: "Off", "Draft Model · automatic", "Prompt Lookup · max 3 · min 2".

    The length is told unless it is left out, as of one whose fixed length is swept; the other settings where
    they are not the defaults, and the draft model's name where `with_draft` asks for it.
    """
    speculation = variant.speculation
    parts = [mode_text(speculation.mode)]
    if speculation.mode is SpeculationMode.OFF:
        return parts[0]
    if with_length and speculation.is_automatic:
        parts += _automatic_texts(speculation)
    else:
        parts += _fixed_texts(speculation, with_most=with_length)
    if speculation.acceptance is not _DEFAULTS.acceptance:
        parts.append(acceptance_text(speculation))
    if with_draft and variant.draft is not None:
        parts.append(variant.draft.title)
    return " · ".join(parts)


def variant_id(speculation: SpeculationOptions) -> str:
    """A variant's name in tables and files, the same in every language: "off", "auto", "draft max 5"."""
    if speculation.mode is SpeculationMode.OFF:
        return speculation.mode.value
    if speculation.is_automatic:
        automatic = DraftLength.AUTOMATIC.value
        by_model = speculation.mode is SpeculationMode.DRAFT_MODEL
        return automatic if by_model else f"{speculation.mode.value} {automatic}"
    return f"{speculation.mode.value} max {speculation.max_draft_tokens}"


def full_variant_id(speculation: SpeculationOptions) -> str:
    """The same with every setting that is not the default, to tell variants apart: "draft max 5 min 2"."""
    parts = [variant_id(speculation)]
    if speculation.mode is SpeculationMode.OFF:
        return parts[0]
    if speculation.is_automatic:
        if speculation.draft_ceiling != _DEFAULTS.draft_ceiling:
            parts.append(f"max {speculation.draft_ceiling}")
    else:
        if speculation.min_draft_tokens != _DEFAULTS.min_draft_tokens:
            parts.append(f"min {speculation.min_draft_tokens}")
        if _has_cutoff(speculation):
            parts.append(f"probability {speculation.draft_probability:g}")
    if speculation.acceptance is not _DEFAULTS.acceptance:
        limit = _limit(speculation)
        parts.append(f"{speculation.acceptance.value} {limit}" if limit else speculation.acceptance.value)
    return " ".join(parts)


def _automatic_texts(speculation: SpeculationOptions) -> list[str]:
    parts = [translate("Variants", "automatic")]
    if speculation.draft_ceiling != _DEFAULTS.draft_ceiling:
        parts.append(translate("Variants", "max {count}").format(count=speculation.draft_ceiling))
    return parts


def _fixed_texts(speculation: SpeculationOptions, *, with_most: bool) -> list[str]:
    parts = []
    if with_most:
        parts.append(translate("Variants", "max {count}").format(count=speculation.max_draft_tokens))
    if speculation.min_draft_tokens != _DEFAULTS.min_draft_tokens:
        parts.append(translate("Variants", "min {count}").format(count=speculation.min_draft_tokens))
    if _has_cutoff(speculation):
        cutoff = f"{speculation.draft_probability:g}"
        parts.append(translate("Variants", "probability {cutoff}").format(cutoff=cutoff))
    return parts


def _has_cutoff(speculation: SpeculationOptions) -> bool:
    """Prompt lookup knows no probabilities."""
    is_other = speculation.draft_probability != _DEFAULTS.draft_probability
    return is_other and speculation.mode is SpeculationMode.DRAFT_MODEL


def acceptance_text(speculation: SpeculationOptions) -> str:
    """The acceptance rule with its limit: "Top-k 3"."""
    limit = _limit(speculation)
    return f"{rule_text(speculation.acceptance)} {limit}" if limit else rule_text(speculation.acceptance)


def _limit(speculation: SpeculationOptions) -> str:
    """The limit of the acceptance rule; empty where it has none."""
    match speculation.acceptance:
        case AcceptanceRule.DIFFERENCE:
            return f"{speculation.difference_limit:g}"
        case AcceptanceRule.RATIO:
            return f"{speculation.ratio_limit:g}"
        case AcceptanceRule.TOP_K:
            return f"{speculation.top_k_limit}"
        case _:
            return ""
