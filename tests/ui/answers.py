"""Messages and figures to test with."""

from app.core.chat import Answer, AnswerState, ChatMessage, DraftSpan, Role
from app.core.stats import GenerationStats, StopReason


def stats_of(
    *,
    generated: int = 96,
    tested: int = 83,
    accepted: int = 82,
    drafted: int = 90,
    tok_per_s: float | None = 18.3,
    reason: StopReason = StopReason.END_OF_GENERATION,
) -> GenerationStats:
    """Figures of an answer that a draft helped with."""
    return GenerationStats(
        generated_tokens=generated,
        prompt_tokens=1204,
        cached_prompt_tokens=1100,
        prompt_s=0.31,
        time_to_first_token_s=0.31,
        decode_s=5.2,
        tok_per_s=tok_per_s,
        rounds=15,
        drafted=drafted,
        tested=tested,
        ignored=drafted - tested,
        accepted=accepted,
        accepted_by_position=(15, 14) if tested else (),
        tested_by_position=(15, 15) if tested else (),
        acceptance_rate=accepted / tested if tested else None,
        share_from_draft=accepted / generated if generated else None,
        mean_accepted_length=1 + accepted / 15,
        draft_s=1.1,
        verify_s=3.7,
        sample_s=0.2,
        peak_rss_bytes=4_100_000_000,
        stop_reason=reason,
    )


def said(number: int, text: str) -> ChatMessage:
    """A message of the user's."""
    return ChatMessage(number, number - 1 or None, Role.USER, text, 0.0)


def answer_of(
    state: AnswerState = AnswerState.FINISHED,
    *,
    stats: GenerationStats | None = None,
    spans: tuple[DraftSpan, ...] = (),
    problem: str = "",
    draft: str | None = "Small 0.5B",
) -> Answer:
    """What is known of an answer."""
    return Answer(state, "Large 7B", draft, stats, spans, problem)


def answered(number: int, text: str, answer: Answer | None = None) -> ChatMessage:
    """A message of the assistant's."""
    return ChatMessage(
        number, number - 1 or None, Role.ASSISTANT, text, 0.0, answer or answer_of(stats=stats_of())
    )
