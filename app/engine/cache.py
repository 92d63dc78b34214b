"""One owner per KV cache: the tokens a model has read, and how to make them others.

`CachedModel` serves the target and the draft alike. It knows which tokens its cache holds, so that the
next turn, a regenerated answer, an edited message and the rollback after a rejected draft are one
operation: `sync`. What really happens in memory (attention caches, sliding windows, recurrent states)
is behind four primitives that a subclass provides.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable

import numpy as np
from msgspec import Struct

from app.engine.stopping import StopSignal
from app.engine.tokens import Logits, Tokens

Progress = Callable[[int, int], None]  # so much is done, of so much

CHECKPOINTS_KEPT = 4


class Checkpoint(Struct, frozen=True):
    """A saved state of the parts of a cache that cannot be truncated, and the tokens it stands for."""

    length: int
    state: bytes


class CachedModel(ABC):
    """A model with the tokens in its cache. Lengths and positions are in tokens.

    `rollback_limit` is how many of the latest tokens `truncate` can drop at once: the whole context for
    attention caches, `n_rs_seq` for recurrent states with snapshots, 0 where no way back exists.
    """

    def __init__(
        self,
        *,
        vocabulary_size: int,
        context_length: int,
        batch_size: int,
        rollback_limit: int,
        keeps_checkpoints: bool,
    ) -> None:
        self.vocabulary_size = vocabulary_size
        self.context_length = context_length
        self.batch_size = batch_size
        self.rollback_limit = rollback_limit
        self.failed_truncations = 0  # how often a wanted prefix could not be kept
        self.kept = 0  # tokens that the last sync found in the cache
        self._keeps_checkpoints = keeps_checkpoints
        self._checkpoints: list[Checkpoint] = []
        self._tokens: Tokens = np.zeros(context_length, np.int32)
        self._length = 0

    @property
    def tokens(self) -> Tokens:
        """The tokens that the cache holds; a view, valid until the next call."""
        return self._tokens[: self._length]

    @property
    def length(self) -> int:
        """How many tokens the cache holds."""
        return self._length

    def sync(
        self, tokens: Tokens, on_progress: Progress | None = None, *, checkpoint: bool = False
    ) -> Logits:
        """Makes the cache hold exactly `tokens` and returns the logits after the last one.

        Keeps the common prefix, drops the rest, reads what is missing in chunks of `batch_size`. The
        last token is always read (again), since its logits are wanted; `checkpoint` saves the state
        before it, where this cache needs that, so that the same tokens can be come back to. Progress is that
        of the tokens held, the kept ones among them. Shape of the result: (vocabulary,); a view, valid
        until the next pass. At least one token must be given, at most `context_length`. Raises
        InterruptedPassError when stopped; what was read stays.
        """
        before_last = len(tokens) - 1
        self.truncate(self._shared(tokens))
        self.kept = self._length
        pause = before_last if checkpoint and self._keeps_checkpoints else len(tokens)
        while True:
            if self._length == pause:
                self._save_checkpoint()
                pause = len(tokens)
            chunk = tokens[self._length : min(self._length + self.batch_size, pause)]
            last: Logits = self._read(chunk, outputs=1)[-1]
            if on_progress is not None:
                on_progress(self._length, len(tokens))
            if self._length == len(tokens):
                return last

    def unread(self, tokens: Tokens) -> int:
        """How many of `tokens` a `sync` will have to read, the last one among them in any case."""
        keep = self._shared(tokens)
        if not self._can_keep(keep):
            saved = self._checkpoint_within(keep)
            keep = 0 if saved is None else saved.length
        return len(tokens) - keep

    def forward(self, tokens: Tokens) -> Logits:
        """Reads `tokens` after those in the cache; one row of logits for each: (tokens, vocabulary).

        The rows are a view, valid until the next pass. Raises InterruptedPassError when stopped.
        """
        return self._read(tokens, outputs=len(tokens))

    def truncate(self, length: int) -> None:
        """Keeps the first `length` tokens, or as many of them as the cache can still give.

        Recurrent states and sliding windows cannot go back any distance. Then the latest checkpoint
        within `length` is restored; without one the cache is emptied. Either way `length` afterwards
        says what is held, and a following `sync` reads the rest again.
        """
        if length >= self._length:
            return
        if length == 0:
            self.clear()
            return
        if self._remove_from(length):
            self._length = length
        else:
            self.failed_truncations += 1
            self._restore_within(length)
        self._checkpoints = [c for c in self._checkpoints if c.length <= self._length]

    def clear(self) -> None:
        """Empties the cache."""
        self._remove_all()
        self._checkpoints.clear()
        self._length = 0

    def _shared(self, tokens: Tokens) -> int:
        """How many leading tokens the cache has as well; the last one is wanted anew in any case."""
        return min(common_prefix(self.tokens, tokens), len(tokens) - 1)

    def _checkpoint_within(self, length: int) -> Checkpoint | None:
        return next((saved for saved in reversed(self._checkpoints) if saved.length <= length), None)

    def _can_keep(self, length: int) -> bool:
        """Whether `truncate` will keep so many tokens, rather than go back to a checkpoint."""
        return self._length - length <= self.rollback_limit

    def _read(self, tokens: Tokens, outputs: int) -> Logits:
        start = self._length
        try:
            rows = self._decode(tokens, start, outputs)
        except BaseException:
            self._length = self._valid_length()
            raise
        self._tokens[start : start + len(tokens)] = tokens
        self._length = start + len(tokens)
        return rows

    def _save_checkpoint(self) -> None:
        if self._length == 0 or (self._checkpoints and self._checkpoints[-1].length == self._length):
            return
        self._checkpoints.append(Checkpoint(self._length, self._save_state()))
        del self._checkpoints[:-CHECKPOINTS_KEPT]

    def _restore_within(self, length: int) -> None:
        saved = self._checkpoint_within(length)
        if saved is not None and self._restore_state(saved):
            self._length = saved.length
        else:
            self.clear()

    @abstractmethod
    def attach(self, stop: StopSignal) -> None:
        """Passes from now on end early once `stop` is set."""

    @abstractmethod
    def _decode(self, tokens: Tokens, start: int, outputs: int) -> Logits:
        """One pass over `tokens` at positions from `start`; logits of the last `outputs` of them."""

    @abstractmethod
    def _remove_from(self, length: int) -> bool:
        """Drops positions from `length` on. False, with nothing changed, where that is impossible."""

    @abstractmethod
    def _remove_all(self) -> None:
        """Empties the memory."""

    @abstractmethod
    def _valid_length(self) -> int:
        """After a failed pass: how many leading tokens are still sound in memory."""

    @abstractmethod
    def _save_state(self) -> bytes:
        """The parts of the memory that truncation cannot bring back."""

    @abstractmethod
    def _restore_state(self, checkpoint: Checkpoint) -> bool:
        """Brings a saved state back and drops what came after it; False where that failed."""


def common_prefix(left: Tokens, right: Tokens) -> int:
    """How many leading tokens are the same."""
    shorter = min(len(left), len(right))
    differing = np.flatnonzero(left[:shorter] != right[:shorter])
    return shorter if differing.size == 0 else int(differing[0])
