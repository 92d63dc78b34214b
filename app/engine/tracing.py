"""Recording what each drafted token was worth, before the target's sampler moves on."""

from app.core.errors import GrammarError
from app.core.stats import RoundStats
from app.core.trace import TracedRound, TracedToken
from app.engine.acceptance import Draft, TargetSampler, Verdict
from app.engine.noise import Purpose
from app.engine.tokens import Logits, TokenTable

Traced = tuple[TracedToken, ...]


def traced_tokens(sampler: TargetSampler, table: TokenTable, rows: Logits, draft: Draft) -> Traced:
    """Every drafted token, judged as if those before it had been kept; `rows` are those of `verify`.

    The sampler stays where it is. Where a grammar rules a token out, what was drafted behind it is left
    out: it could follow nothing.
    """
    traced: list[TracedToken] = []
    with sampler.ahead() as ahead:
        for position, token in enumerate(draft.tokens):
            try:
                traced.append(_traced(ahead, table, rows[position], draft, position))
            except GrammarError:  # a dead end that the answer itself may never come to
                break
            if not ahead.allows(token):
                break
            ahead.accept(token)
    return tuple(traced)


def traced_round(table: TokenTable, tested: Traced, verdict: Verdict, stats: RoundStats) -> TracedRound:
    """A round with its verdict and figures."""
    own = verdict.next_token
    return TracedRound(tested, verdict.accepted, own, _text(table, own), stats)


def _traced(
    sampler: TargetSampler, table: TokenTable, row: Logits, draft: Draft, position: int
) -> TracedToken:
    token = draft.tokens[position]
    target = sampler.likelihood(row)
    probability = target.probability(token)
    return TracedToken(
        token=token,
        text=_text(table, token),
        draft_probability=draft.own_probability(position),
        drawn_probability=draft.drawn_probability(position),
        target_probability=probability,
        target_rank=target.rank(probability),
        luck=sampler.noise.uniform(Purpose.ACCEPTANCE, sampler.step),
        matches=sampler.choose(row) == token,
        target_is_greedy=sampler.is_greedy,
    )


def _text(table: TokenTable, token: int) -> str:
    return table.piece(token).decode("utf-8", errors="replace")
