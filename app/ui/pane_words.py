"""The figures under one side of a comparison, in words."""

from PySide6.QtCore import QCoreApplication

from app.core.drafting_totals import DraftingTotals, totals_of
from app.core.stats import GenerationStats, StopReason
from app.figures import duration_text, round_bytes_text, share_text
from app.ui.answer_words import accepted
from app.ui.drafting_words import mean_text

translate = QCoreApplication.translate

_LEAST_TOKENS = 8  # below these a speed is hardly one


def figures_of(
    stats: GenerationStats,
    time_to_first_token_s: float | None,
    draft_bytes: int,
    *,
    is_automatic: bool = False,
) -> list[str]:
    """Tokens, time to first token, acceptance, memory of the engine and what of it is the draft's.

    The time is given apart: it may be the median of several runs. Of an automatic draft length the lengths
    are told that it chose.
    """
    words = [_length(stats)]
    if stats.tok_per_s is not None and stats.generated_tokens < _LEAST_TOKENS:
        words.append(translate("Pane", "so few are hardly a speed"))
    if time_to_first_token_s is not None:
        words.append(
            translate("Pane", "{time} to first token").format(time=duration_text(time_to_first_token_s))
        )
    if stats.tested:
        words.append(
            translate("Pane", "accepted {accepted} of {tested}").format(
                accepted=f"{accepted(stats):,}", tested=f"{stats.tested:,}"
            )
        )
    if is_automatic and stats.rounds > 1:
        words.append(_lengths(totals_of(stats)))
    if stats.peak_rss_bytes:
        engine = translate("Pane", "engine {size}, draft {draft} of it")
        if not draft_bytes:
            engine = translate("Pane", "engine {size}")
        sizes = round_bytes_text(stats.peak_rss_bytes), round_bytes_text(draft_bytes)
        words.append(engine.format(size=sizes[0], draft=sizes[1]))
    return words


def _lengths(totals: DraftingTotals) -> str:
    """How long the drafts were, and how often there was none."""
    if not totals.drafting:
        return translate("Pane", "drafting paused throughout")
    if not totals.paused_share:
        return translate("Pane", "drafts of {tokens}").format(tokens=mean_text(totals))
    return translate("Pane", "drafts of {tokens}, paused in {share} of the rounds").format(
        tokens=mean_text(totals), share=share_text(totals.paused_share)
    )


def _length(stats: GenerationStats) -> str:
    """How long the answer is, and why no longer, unless that was asked for."""
    tokens = (
        translate("Pane", "1 token")
        if stats.generated_tokens == 1
        else translate("Pane", "{count} tokens").format(count=f"{stats.generated_tokens:,}")
    )
    match stats.stop_reason:
        case StopReason.CONTEXT_FULL:
            return translate("Pane", "ended after {tokens}: the context is full").format(tokens=tokens)
        case StopReason.END_OF_GENERATION:
            return translate("Pane", "{tokens}, then the model ended it").format(tokens=tokens)
        case StopReason.STOP_STRING:
            return translate("Pane", "{tokens}, then a stop string ended it").format(tokens=tokens)
    return tokens
