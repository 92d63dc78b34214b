"""A toy model whose passes move a clock that stands still otherwise."""

from app.engine.tokens import Logits, Tokens
from tests.fakes.toy_model import ToyModel

_DISTURBANCE_S = 0.02


class Clock:
    """Stands still by itself."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class TimedModel(ToyModel):
    """A pass takes `seconds` and a tenth of it more for each further token; the first passes take longer.

    `growing_s`: every pass takes so much longer than the one before it, as on a machine grown busy.
    """

    def __init__(
        self,
        clock: Clock,
        seconds: float,
        *,
        slow_passes: int = 0,
        growing_s: float = 0.0,
        vocabulary: int = 12,
        context_length: int = 64,
        rollback_limit: int | None = None,
    ) -> None:
        super().__init__(
            seed=1, vocabulary=vocabulary, context_length=context_length, rollback_limit=rollback_limit
        )
        self._clock = clock
        self._seconds = seconds
        self._slow_passes = slow_passes
        self._growing_s = growing_s
        self.timed_contexts: set[int] = set()

    def _decode(self, tokens: Tokens, start: int, outputs: int) -> Logits:
        rows = super()._decode(tokens, start, outputs)
        self._clock.now += self._seconds * (1 + 0.1 * (len(tokens) - 1))
        if outputs == len(tokens):
            self.timed_contexts.add(start)
        self._clock.now += self._growing_s * len(self.passes)
        if self._slow_passes:
            self._slow_passes -= 1
            self._clock.now += _DISTURBANCE_S
        return rows
