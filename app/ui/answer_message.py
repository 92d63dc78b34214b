"""An answer: its text, what became of it, and its figures."""

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QEvent, Signal
from PySide6.QtGui import QEnterEvent, QGuiApplication
from PySide6.QtWidgets import QWidget

from app.core.chat import Answer, AnswerState, ChatMessage, DraftSpan
from app.core.stats import StopReason
from app.ui.answer_body import AnswerBody
from app.ui.answer_footer import AnswerFooter
from app.ui.answer_tools import AnswerTools
from app.ui.column import Column
from app.ui.notice import Notice
from app.ui.widgets import label

_GAP = 6  # pixels


class AnswerMessage(Column):
    """Shows a stored answer, or one while it is given."""

    regenerate_requested = Signal(int)  # the message's id
    delete_requested = Signal(int)

    def __init__(self, tools: AnswerTools, message: ChatMessage, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tools = tools
        self.message = message
        self.setObjectName("answer_message")
        self.setAccessibleName(self.tr("Answer"))
        self.body = AnswerBody(tools)
        self._note = label(tone="muted", wrap=True)
        self._note.setObjectName("answer_note")
        self._notice: Notice | None = None  # few answers fail, and every widget costs time in a new theme
        self.footer = AnswerFooter(tools)
        self.buttons = self.footer.buttons
        self.buttons.copied.connect(self._copy)
        self.buttons.regenerated.connect(self._ask_to_regenerate)
        self.buttons.deleted.connect(self._ask_to_delete)
        self.add(self.body)
        self.add(self._note, gap=_GAP)
        self.add(self.footer, gap=_GAP)
        self._say("")

    @property
    def note(self) -> str:
        """What is said in place of text, or about the lack of it."""
        return self._note.text() if not self._note.isHidden() else ""

    @property
    def problem(self) -> str:
        """Why the answer failed; empty if it did not."""
        return self._notice.sentence if self._notice is not None else ""

    def showing(self) -> Iterator[None]:
        """Shows a stored answer, with pauses."""
        answer = self.message.answer
        self.body.take(self.message.text, answer.spans if answer is not None else ())
        self.body.end()
        yield from self.body.working()
        self._show_end()

    def begin(self) -> None:
        """The answer is asked for and will come in pieces."""
        self.buttons.setVisible(False)
        self._say(self.tr("Waiting for the model…"))
        if self.message.text:
            self.take(self.message.text, self.message.answer.spans if self.message.answer else ())

    def show_measuring(self, done: int, of: int) -> None:
        """So many of the passes that must be timed first are timed."""
        if not self.body.text:
            percent = 100 * done // max(of, 1)
            self._say(self.tr("Measuring what drafts cost here… {percent} %").format(percent=percent))

    def show_prefill(self, done: int, of: int) -> None:
        """So many tokens of the prompt are read."""
        if self.body.text:
            return
        if of > 0:
            self._say(self.tr("Reading the prompt… {percent} %").format(percent=100 * done // of))
        else:
            self._say(self.tr("Reading the prompt…"))

    def take(self, text: str, spans: Sequence[DraftSpan]) -> None:
        """More text of the answer."""
        self._say("")
        self.body.take(text, spans)
        self.body.refresh()

    def end(self, message: ChatMessage) -> None:
        """The answer has ended, with this text."""
        self.message = message
        known = self.body.text
        spans = message.answer.spans if message.answer is not None else ()
        if message.text.startswith(known):
            rest = message.text[len(known) :]
            self.body.take(rest, [span for span in spans if span.start >= len(known)])
        else:
            self._replace_body(message.text, spans)
        self.body.end()
        self.body.refresh()
        self.buttons.setVisible(True)
        self._show_end()

    def restyling(self) -> Iterator[None]:
        """Takes the colours of another theme, with pauses."""
        self.footer.restyle()
        yield from self.body.restyling()

    def enterEvent(self, event: QEnterEvent) -> None:
        """The buttons appear."""
        self.buttons.reveal(True)
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        """The buttons go."""
        self.buttons.reveal(False)
        super().leaveEvent(event)

    def _replace_body(self, text: str, spans: Sequence[DraftSpan]) -> None:
        self.remove(self.body)
        self.body = AnswerBody(self._tools)
        self.insert(0, self.body)
        self.body.take(text, spans)

    def _show_end(self) -> None:
        answer = self.message.answer
        if answer is not None and answer.state is AnswerState.FAILED:
            self._tell_problem(answer.problem or self.tr("The answer could not be finished."))
        self._say(self._end_words(answer))
        if answer is not None:
            self.footer.tell(answer)
        self.settle()

    def _tell_problem(self, words: str) -> None:
        if self._notice is None:
            self._notice = Notice(self._tools.theme, self._tools.icons)
            self.insert(self.widgets.index(self.footer), self._notice, gap=_GAP)
        self._notice.tell(words, tone="bad")
        self.forget(self._notice)

    def _end_words(self, answer: Answer | None) -> str:
        """What is said calmly under the text, or in its place."""
        if answer is not None:
            if answer.state is AnswerState.FAILED:
                return ""
            if answer.state in (AnswerState.RUNNING, AnswerState.INTERRUPTED):
                return answer.problem or self.tr("This answer was interrupted.")
        if self.message.text.strip():
            return ""
        stats = answer.stats if answer is not None else None
        if stats is not None and stats.stop_reason is StopReason.STOPPED:
            return self.tr("Stopped before the answer began.")
        return self.tr("The model gave an empty answer.")

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.body.text)

    def _ask_to_regenerate(self) -> None:
        self.regenerate_requested.emit(self.message.id)

    def _ask_to_delete(self) -> None:
        self.delete_requested.emit(self.message.id)

    def _say(self, words: str) -> None:
        if words == self._note.text() and self._note.isHidden() != bool(words):
            return
        self._note.setText(words)
        self._note.setVisible(bool(words))
        self.forget(self._note)
        self.settle()
