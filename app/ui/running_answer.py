"""An answer that is being written."""

from collections.abc import Callable
from time import monotonic

from msgspec.structs import replace
from PySide6.QtCore import QCoreApplication

from app.core.answer_text import AnswerText
from app.core.chat import Answer, AnswerState, ChatMessage
from app.core.options import SpeculationMode
from app.core.protocol import Done, Round
from app.core.stats import GenerationStats
from app.models.library import LocalModel
from app.ui.session_state import Running, SessionState

_SAVED_EVERY = 2.0  # seconds


def begun_answer(state: SessionState) -> Answer:
    """An answer that is about to be asked for, with the names of what will give it."""
    if not isinstance(state, Running):
        return Answer(AnswerState.RUNNING, "", None)
    setup, draft = state.setup, None
    match state.speculation:
        case SpeculationMode.DRAFT_MODEL if setup.draft is not None:
            draft = _name(setup.draft)
        case SpeculationMode.PROMPT_LOOKUP:
            draft = QCoreApplication.translate("RunningAnswer", "Prompt lookup")
    return Answer(AnswerState.RUNNING, _name(setup.target), draft)


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

    def interrupted(self, how: str) -> ChatMessage:
        """What there is, after an end that the user wanted."""
        return self._as(AnswerState.INTERRUPTED, problem=how)

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


def _name(model: LocalModel) -> str:
    return f"{model.name} · {model.info.quantisation}"
