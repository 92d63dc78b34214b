"""The figures under one side of a comparison, in words."""

from PySide6.QtCore import QCoreApplication

from app.core.stats import GenerationStats
from app.figures import duration_text
from app.ui.answer_words import accepted
from app.ui.verdict_words import memory_text


def figures_of(stats: GenerationStats, time_to_first_token_s: float | None, draft_bytes: int) -> list[str]:
    """Tokens, time to first token, acceptance, memory of the engine and what of it is the draft's.

    The time is given apart: it may be the median of several runs.
    """
    words = [
        _tr("1 token")
        if stats.generated_tokens == 1
        else _tr("{count} tokens").format(count=f"{stats.generated_tokens:,}")
    ]
    if time_to_first_token_s is not None:
        words.append(_tr("{time} to first token").format(time=duration_text(time_to_first_token_s)))
    if stats.tested:
        words.append(
            _tr("accepted {accepted} of {tested}").format(
                accepted=f"{accepted(stats):,}", tested=f"{stats.tested:,}"
            )
        )
    if stats.peak_rss_bytes:
        engine = _tr("engine {size}").format(size=memory_text(stats.peak_rss_bytes))
        if draft_bytes:
            engine = _tr("{engine}, draft {size} of it").format(engine=engine, size=memory_text(draft_bytes))
        words.append(engine)
    return words


def _tr(text: str) -> str:
    return QCoreApplication.translate("PaneWords", text)
