"""Drafters that know the answer, and use or misuse that knowledge."""

from collections.abc import Callable

from app.core.stats import DraftSource
from app.engine.acceptance import Draft, Verdict
from app.engine.tokens import Tokens


class ScriptedDrafter:
    """Proposes the plain answer's next tokens, changed by `spoil` (tokens, round number)."""

    def __init__(
        self, prompt_length: int, answer: list[int], spoil: Callable[[list[int], int], list[int]]
    ) -> None:
        self._start = prompt_length
        self._answer = answer
        self._spoil = spoil
        self.rounds = 0
        self.verdicts: list[Verdict] = []

    def propose(self, context: Tokens, limit: int) -> Draft:
        """What plain generation would say next, spoilt; never more than `limit`."""
        if limit == 0:
            return Draft(DraftSource.DRAFT_MODEL)
        done = len(context) - self._start
        self.rounds += 1
        tokens = self._spoil(self._answer[done : done + limit], self.rounds)[:limit]
        return Draft(DraftSource.DRAFT_MODEL, tuple(tokens), (0.5,) * len(tokens), (None,) * len(tokens))

    def observe(self, draft: Draft, verdict: Verdict) -> None:
        """Remembers what became of the draft."""
        self.verdicts.append(verdict)
