"""What the fake engine says while an engine is lent for measuring."""

from pathlib import Path

from app.core.options import SpeculationMode, SpeculationOptions
from app.core.pass_costs import PassCosts
from app.core.protocol import Done, Obstacle, Refusal, Round, TextPiece, Weigh, Weighed
from app.core.stats import DraftSource, RoundStats, StatsRecorder, StopReason
from app.core.trace import TracedRound, TracedToken
from app.core.weighing import Weighing

WORD, OTHER_WORD = 5, 6
TEXTS = {WORD: "word ", OTHER_WORD: "work "}
TOKENS = 5  # in each answer
TARGET_BYTES, DRAFT_BYTES = 1_000_000, 100_000
COSTS = PassCosts((1, 2, 3, 4), (0.1, 0.11, 0.12, 0.13), 0.01, 32)

_SOURCES = {
    SpeculationMode.DRAFT_MODEL: DraftSource.DRAFT_MODEL,
    SpeculationMode.PROMPT_LOOKUP: DraftSource.PROMPT_LOOKUP,
}


def measured_rounds(speculation: SpeculationOptions, *, differs: bool, trace: bool) -> tuple[Round, ...]:
    """An answer of five tokens: one by one, or two rounds with two drafted tokens, of which the last falls.

    Where it `differs`, the last token of a drafted answer is another one.
    """
    source = _SOURCES.get(speculation.mode)
    if source is None:
        plain = RoundStats(DraftSource.NONE, 0, 0, 0, 1, 0.0, 0.1, 0.001)
        return tuple(_round((WORD,), plain, trace=trace) for _ in range(TOKENS))
    last = OTHER_WORD if differs else WORD
    return (
        _round((WORD,), RoundStats(DraftSource.NONE, 0, 0, 0, 1, 0.0, 0.0, 0.0), trace=trace),
        _round((WORD, WORD), RoundStats(source, 2, 2, 1, 2, 0.02, 0.11, 0.001), trace=trace),
        _round((WORD, last), RoundStats(source, 2, 2, 1, 2, 0.02, 0.11, 0.001), trace=trace),
    )


def measured(rounds: tuple[Round, ...], *, uses_draft: bool, reason: StopReason) -> Done:
    """Totals of these rounds, each of which took what it says: 0.1 s for the prompt and so on."""
    recorder = StatsRecorder(0.0, 7)
    moment = 0.1
    recorder.prompt_read(moment, 0)
    for number, each in enumerate(rounds):
        if number:
            moment += each.stats.draft_s + each.stats.verify_s + each.stats.sample_s
        recorder.add(each.stats, moment)
    return Done((), recorder.finish(reason, TARGET_BYTES + (DRAFT_BYTES if uses_draft else 0)))


def refusal_of(draft: Path | None) -> Refusal | None:
    """Why a draft model does not fit."""
    if draft is None or draft.name != "misfit.gguf":
        return None
    return Refusal(Obstacle.INCOMPATIBLE, "misfit.gguf does not fit.")


def weighed(request: Weigh) -> Weighed:
    """The later a candidate, the less likely it is; and every token before has five characters.

    The draw is nearer than the logits are, by its temperature.
    """
    logits = tuple(10.0 - 0.5 * place for place in range(len(request.candidates)))
    texts = tuple("<end>" if token is None else TEXTS.get(token, "wood ") for token in request.candidates)
    margin = 0.5 * request.sampling.temperature if len(logits) == 2 else None
    return Weighed(request.request_id, Weighing(logits, texts, 5 * len(request.answer), margin))


def _round(tokens: tuple[int, ...], stats: RoundStats, *, trace: bool) -> Round:
    pieces = []
    for position, token in enumerate(tokens, start=1):
        drafted = position <= stats.accepted
        probability = 0.9 if drafted and stats.source is DraftSource.DRAFT_MODEL else None
        pieces.append(TextPiece(TEXTS[token], drafted, position if drafted else 0, probability))
    return Round(tokens, tuple(pieces), stats, _traced(tokens[-1], stats) if trace else None)


def _traced(own: int, stats: RoundStats) -> TracedRound:
    tested = tuple(
        TracedToken(
            token=WORD if kept else OTHER_WORD + 1,
            text=TEXTS[WORD] if kept else "wood ",
            draft_probability=0.9 if stats.source is DraftSource.DRAFT_MODEL else None,
            drawn_probability=None,
            target_probability=0.8 if kept else 0.1,
            target_rank=0 if kept else 2,
            luck=0.5,
            matches=kept,
            target_is_greedy=True,
        )
        for kept in [position < stats.accepted for position in range(stats.tested)]
    )
    return TracedRound(tested, stats.accepted, own, TEXTS[own], stats)
