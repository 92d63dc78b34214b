"""A model made of arithmetic: logits are a function of the tokens before, computed with NumPy.

It goes through the same CachedModel as llama.cpp's contexts, so that what is proven with it (nothing is
lost, caches hold what they claim) is proven for the real loop and the real bookkeeping. Its "memory" is a
second list of tokens, kept by the primitives alone; where bookkeeping and memory fall apart, the logits
are wrong and a test fails.
"""

import numpy as np

from app.engine.cache import CachedModel, Checkpoint
from app.engine.stopping import InterruptedPassError, StopSignal
from app.engine.tokens import Logits, Tokens

END = 0  # the toy vocabulary's end-of-generation token


class ToyTable:
    """A vocabulary whose token n is the letter after n."""

    def __init__(self, size: int) -> None:
        self.size = size

    def piece(self, token: int) -> bytes:
        """One letter; nothing for the end token."""
        return b"" if token == END else bytes([96 + token])

    def special_text(self, token: int) -> str:
        """The same as text."""
        return self.piece(token).decode() or "<end>"

    def ends_generation(self, token: int) -> bool:
        """Only token 0 does."""
        return token == END

    @property
    def end_tokens(self) -> tuple[int, ...]:
        """That one."""
        return (END,)


class ToyModel(CachedModel):
    """Looks back on the last `sight` tokens; `seed` decides what it says."""

    def __init__(
        self,
        *,
        seed: int,
        vocabulary: int = 12,
        context_length: int = 64,
        batch_size: int = 5,
        rollback_limit: int | None = None,
        sight: int = 3,
        sharpness: float = 2.0,
        ends: bool = True,
    ) -> None:
        limit = context_length if rollback_limit is None else rollback_limit
        super().__init__(
            vocabulary_size=vocabulary,
            context_length=context_length,
            batch_size=batch_size,
            rollback_limit=limit,
            keeps_checkpoints=rollback_limit is not None,
        )
        self._seed = seed
        self._sight = sight
        self._sharpness = sharpness
        self._ends = ends
        self._memory: list[int] = []
        self._rolled_back = False
        self._stop: StopSignal | None = None
        self.passes: list[int] = []  # how many tokens each pass read
        self.passes_until_stop: int | None = None

    def logits_after(self, tokens: list[int]) -> Logits:
        """The logits after these tokens, from first principles."""
        key = [self._seed, *tokens[-self._sight :]]
        row = np.random.default_rng(key).standard_normal(self.vocabulary_size) * self._sharpness
        if not self._ends:
            row[END] = -100.0
        return row.astype(np.float32)

    def attach(self, stop: StopSignal) -> None:
        """Remembers the signal."""
        self._stop = stop

    def _decode(self, tokens: Tokens, start: int, outputs: int) -> Logits:
        assert start == len(self._memory), "the bookkeeping is out of step with the memory"
        assert start + len(tokens) <= self.context_length, "read past the context"
        assert tokens.max() < self.vocabulary_size, "read a token that the model does not know"
        if self.passes_until_stop is not None:
            self.passes_until_stop -= 1
            if self.passes_until_stop < 0 and self._stop is not None:
                self._stop.set()
        if self._stop is not None and self._stop.is_set:
            raise InterruptedPassError
        self.passes.append(len(tokens))
        self._rolled_back = False
        rows = []
        for token in tokens.tolist():
            self._memory.append(token)
            rows.append(self.logits_after(self._memory))
        return np.array(rows[len(rows) - outputs :], np.float32)

    def _remove_from(self, length: int) -> bool:
        dropped = len(self._memory) - length
        if self.rollback_limit < self.context_length and (self._rolled_back or dropped > self.rollback_limit):
            return False
        self._rolled_back = True
        del self._memory[length:]
        return True

    def _remove_all(self) -> None:
        self._memory.clear()

    def _valid_length(self) -> int:
        return len(self._memory)

    def _save_state(self) -> bytes:
        return np.array(self._memory, np.int32).tobytes()

    def _restore_state(self, checkpoint: Checkpoint) -> bool:
        self._memory = np.frombuffer(checkpoint.state, np.int32).tolist()
        return True
