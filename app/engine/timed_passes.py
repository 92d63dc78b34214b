"""Single passes with a clock beside them, all after the same short context."""

from collections.abc import Callable

import numpy as np

from app.engine.cache import CachedModel
from app.engine.distribution import probability_of
from app.engine.tokens import Tokens

Clock = Callable[[], float]  # the seconds that have passed

DRAFTED_IN_A_ROW = 4
_SLOW_S = (
    0.05  # a pass so long that the compute graph, which it builds unless it finds it, counts for nothing
)


class TimedPasses:
    """Passes of a target and perhaps a draft model, from caches that hold a context.

    Raises InterruptedPassError when the stop signal attached to the caches is set.
    """

    def __init__(
        self,
        target: CachedModel,
        draft: CachedModel | None,
        text: Tokens,
        most: int,
        context_tokens: int,
        clock: Clock,
    ) -> None:
        """`text` is read, again and again where it is short; `most` tokens at once, or as many as there is
        room for after at least one token of context.
        """
        models = [target] if draft is None else [target, draft]
        room = min(model.context_length for model in models)
        self.most = min(most, room - 1)
        self._target = target
        self._draft = draft
        self._clock = clock
        self._text = np.minimum(text, min(model.vocabulary_size for model in models) - 1)
        self._context = np.resize(self._text, min(context_tokens, room - max(self.most, DRAFTED_IN_A_ROW)))

    @property
    def most_fed(self) -> int:
        """How many tokens the draft model can read behind the context; 0 without one."""
        return 0 if self._draft is None else self._draft.context_length - len(self._context)

    @property
    def context_tokens(self) -> int:
        """How many tokens the caches hold before each pass."""
        return len(self._context)

    def read_context(self) -> None:
        """Makes the caches hold the context; what is timed then finds it there."""
        self._return_to_context(self._target)
        if self._draft is not None:
            self._return_to_context(self._draft)

    def target_s(self, length: int) -> float:
        """The time of a pass over so many tokens and of taking them back; of a quick one the better."""
        return self._better_of_two(self._target, self._target.forward, length)

    def feed_s(self, length: int) -> float:
        """The same of the draft model, which gives no more than the logits of the last token."""
        draft = self._draft
        assert draft is not None
        context = self._context
        return self._better_of_two(
            draft, lambda tokens: draft.sync(np.concatenate((context, tokens))), length
        )

    def drafting_s(self) -> float:
        """The mean time of reading a token and choosing the likeliest one after it, as drafting does.

        The mean of a short draft, since its first token always takes longest: the target's pass before it has
        left nothing of the draft model in the processor's caches.
        """
        draft = self._draft
        assert draft is not None
        self._return_to_context(draft)
        token = self._text[0]
        started = self._clock()
        for _ in range(DRAFTED_IN_A_ROW):
            row = draft.forward(np.array([token], np.int32))[0]
            token = int(row.argmax())
            probability_of(row, token)
        seconds = (self._clock() - started) / DRAFTED_IN_A_ROW
        draft.truncate(len(self._context))
        return seconds

    def _better_of_two(self, model: CachedModel, read: Callable[[Tokens], object], length: int) -> float:
        tokens = np.resize(self._text, length)
        least = float("inf")
        for _ in range(2):
            self._return_to_context(model)
            started = self._clock()
            read(tokens)
            model.truncate(len(self._context))
            least = min(least, self._clock() - started)
            if least > _SLOW_S:
                break
        return least

    def _return_to_context(self, model: CachedModel) -> None:
        """It is there already unless the model's state could not go back."""
        if not np.array_equal(model.tokens, self._context):
            model.sync(self._context)


def spread(times: list[float]) -> float:
    """By which share the second-least time is above the least; 0 of fewer than two."""
    least, second = sorted(times)[:2] if len(times) > 1 else (0.0, 0.0)
    return second / least - 1 if least > 0.0 else 0.0
