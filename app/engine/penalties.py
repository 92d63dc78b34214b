"""Penalties on what was said lately."""

from collections import Counter, deque

import numpy as np

from app.core.options import SamplingOptions
from app.engine.tokens import Logits, Tokens


class Penalties:
    """Repeat, presence and frequency penalties over the latest tokens."""

    def __init__(self, options: SamplingOptions, recent: Tokens) -> None:
        self._options = options
        self._window: deque[int] = deque(maxlen=options.penalty_window)
        self._counts: Counter[int] = Counter()
        for token in recent[max(0, len(recent) - options.penalty_window) :].tolist():
            self.accept(token)

    @property
    def active(self) -> bool:
        """False where no penalty changes any logit."""
        options = self._options
        if options.penalty_window == 0:
            return False
        additive = options.presence_penalty or options.frequency_penalty
        return bool(additive) or options.repeat_penalty != 1.0

    def accept(self, token: int) -> None:
        """The token is part of the text from now on."""
        if not self.active:
            return
        if len(self._window) == self._window.maxlen:
            oldest = self._window[0]
            self._counts[oldest] -= 1
            if not self._counts[oldest]:
                del self._counts[oldest]
        self._window.append(token)
        self._counts[token] += 1

    def applied(self, row: Logits) -> Logits:
        """The logits with the penalties; the row itself where there is nothing to do.

        A draft's row may be shorter than the target's vocabulary.
        """
        if not self.active or not self._counts:
            return row
        options = self._options
        ids = np.fromiter(self._counts.keys(), np.int64, len(self._counts))
        counts = np.fromiter(self._counts.values(), np.float32, len(self._counts))[ids < len(row)]
        ids = ids[ids < len(row)]
        changed = row.copy()
        logits = changed[ids]
        repeat = np.float32(options.repeat_penalty)
        logits = np.where(logits <= 0, logits * repeat, logits / repeat)
        logits -= counts * np.float32(options.frequency_penalty)
        changed[ids] = logits - np.float32(options.presence_penalty)
        return changed

    def copy(self) -> "Penalties":
        """The same state, for looking ahead."""
        twin = Penalties(self._options, np.zeros(0, np.int32))
        twin._window = self._window.copy()
        twin._counts = self._counts.copy()
        return twin
