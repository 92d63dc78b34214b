"""An answer that is being written."""

from collections.abc import Callable
from time import monotonic

from msgspec.structs import replace

from app.core.answer_text import AnswerText
from app.core.chat import Answer, AnswerState, ChatMessage
from app.core.protocol import Done, Round
from app.core.stats import GenerationStats

_SAVED_EVERY = 2.0  # seconds


class RunningAnswer:
    """Gathers the rounds of one answer; knows when its text is due on disk."""

    def __init__(
        self, conversation_id: int, message: ChatMessage, clock: Callable[[], float] = monotonic
    ) -> None:
        assert message.answer is not None
        self.conversation_id = conversation_id
        self.message = message
        self.rounds: list[Round] = []
        self._answer = message.answer
        self._text = AnswerText()
        self._clock = clock
        self._saved_at = clock()

    @property
    def text(self) -> str:
        """All of it so far."""
        return self._text.text

    def add(self, round_: Round) -> None:
        """Takes a round."""
        self.rounds.append(round_)
        self._text.add(round_.pieces, len(self.rounds))

    @property
    def is_due(self) -> bool:
        """True when the partial text should be written again; asking counts as writing."""
        now = self._clock()
        if now - self._saved_at < _SAVED_EVERY:
            return False
        self._saved_at = now
        return True

    def partial(self) -> ChatMessage:
        """As it is now."""
        return self._as(AnswerState.RUNNING)

    def finished(self, done: Done) -> ChatMessage:
        """With the text that was held back and the totals."""
        self._text.add(done.pieces, len(self.rounds))
        return self._as(AnswerState.FINISHED, stats=done.stats)

    def failed(self, problem: str) -> ChatMessage:
        """What there is, and why there is no more."""
        return self._as(AnswerState.FAILED, problem=problem)

    def _as(
        self, state: AnswerState, *, stats: GenerationStats | None = None, problem: str = ""
    ) -> ChatMessage:
        answer: Answer = replace(
            self._answer, state=state, stats=stats, spans=self._text.spans, problem=problem
        )
        return replace(self.message, text=self._text.text, answer=answer)
