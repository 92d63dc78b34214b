"""The conversation on the screen."""

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QScrollArea, QWidget

from app.core.chat import ChatMessage, Role
from app.core.protocol import Round
from app.ui.answer_message import AnswerMessage
from app.ui.answer_tools import AnswerTools
from app.ui.icons import Icons
from app.ui.message_column import MessageColumn
from app.ui.stream_buffer import StreamBuffer
from app.ui.tasks import Tasks
from app.ui.theme import Theme
from app.ui.user_message import UserMessage
from app.ui.widgets import button

_NEAR = 12  # pixels from the end at which the view follows it
_GAP = 20  # between messages

MessageWidget = UserMessage | AnswerMessage


class Transcript(QWidget):
    """Shows messages, and an answer while it is given.

    Everything long is done in slices, the newest message first. The view follows the end while the reader is
    there; otherwise what is read stays where it is, and a button leads to the end.
    """

    regenerate_requested = Signal(int)  # the message's id
    delete_requested = Signal(int)

    def __init__(self, theme: Theme, icons: Icons, tasks: Tasks, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icons = icons
        self.setObjectName("transcript")
        self.setAccessibleName(self.tr("Conversation"))
        self._tools = AnswerTools(theme, icons, tasks, self)
        self._buffer = StreamBuffer(self)
        self._buffer.due.connect(self._take)
        self._answer: AnswerMessage | None = None  # being given
        self._follows = True
        self._adjusting = False
        self._column_width = 0
        self._area = QScrollArea(self)
        self._area.setObjectName("transcript_area")
        self._area.setAccessibleName(self.tr("Conversation"))
        self._area.setFrameShape(QScrollArea.Shape.NoFrame)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._area.verticalScrollBar().setSingleStep(40)
        self._area.verticalScrollBar().valueChanged.connect(self._scrolled)
        self._area.viewport().installEventFilter(self)
        self._content = MessageColumn()
        self._area.setWidget(self._content)
        self._column = self._content.column
        self._column.height_changed.connect(self._fit)
        self._anchor: QWidget = self._column  # what stays where it is while the reader is elsewhere
        self._anchor_offset = 0  # from the top of the view
        self._jump = button(self.tr("Jump to latest"), "jump_to_latest_button", small=True)
        self._jump.setIcon(icons.icon("down", "text"))
        self._jump.setParent(self)
        self._jump.clicked.connect(self.jump_to_latest)
        self._jump.hide()
        theme.changed.connect(self._restyle)

    @property
    def messages(self) -> list[MessageWidget]:
        """The messages as they are shown, from the first that is shown already."""
        return [widget for widget in self._column.widgets if isinstance(widget, (UserMessage, AnswerMessage))]

    @property
    def follows(self) -> bool:
        """Whether the view stays at the end when more text comes."""
        return self._follows

    def show_messages(self, messages: Sequence[ChatMessage]) -> None:
        """Shows a conversation in place of another. An answer that was under way is let go."""
        self._buffer.start(0)
        self._answer = None
        for widget in self._column.widgets:
            self._column.remove(widget)
        self._column.settle()
        self._follows = True
        self._fit()
        self._tools.slices.start(self, "messages", self._showing(list(messages)))
        self._tools.slices.run()

    def add_message(self, message: ChatMessage) -> None:
        """A message at the end; after one of the user's own the end is shown."""
        widget = self._new(message, len(self._column.widgets))
        if isinstance(widget, AnswerMessage):
            self._tools.slices.start(widget, "show", widget.showing())
        self._offer_actions()
        self._column.settle()
        if message.role is Role.USER:
            self.jump_to_latest()

    def begin_answer(self, message: ChatMessage) -> None:
        """The answer to what was said last is asked for."""
        widget = self._new(message, len(self._column.widgets))
        self._buffer.start(len(message.text))
        if isinstance(widget, AnswerMessage):
            self._answer = widget
            widget.begin()
        self._offer_actions()
        self._column.settle()

    def show_measuring(self, done: int, of: int) -> None:
        """So much of what must be known before an answer is drafted has been timed."""
        if self._answer is not None:
            self._answer.show_measuring(done, of)

    def show_prefill(self, done: int, of: int) -> None:
        """So many tokens of the prompt are read."""
        if self._answer is not None:
            self._answer.show_prefill(done, of)

    def add_round(self, round: Round, number: int) -> None:
        """More of the answer; rounds count from 1."""
        if self._answer is not None:
            self._buffer.add(round.pieces, number)

    def end_answer(self, message: ChatMessage) -> None:
        """The answer has ended, for whatever reason; `message` is what is kept of it."""
        self._buffer.flush()
        answer, self._answer = self._answer, None
        if answer is not None:
            answer.end(message)
        self._offer_actions()
        self._column.settle()

    def set_visualize(self, shown: bool) -> None:
        """Whether text that a draft supplied is coloured. Nothing moves."""
        if shown == self._tools.visualizes:
            return
        self._tools.set_visualize(shown)
        for widget in self._by_sight():
            if isinstance(widget, AnswerMessage):
                self._tools.slices.start(widget, "marks", widget.body.showing_marks())
        self._tools.slices.run()

    def jump_to_latest(self) -> None:
        """Shows the end, and follows it."""
        self._follows = True
        self._fit()

    def finish_work(self) -> None:
        """Does now what is being done in slices."""
        self._buffer.flush()
        self._tools.slices.finish()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follows the size of the view."""
        if watched is self._area.viewport() and event.type() == QEvent.Type.Resize:
            self._take_width()
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The area takes all room."""
        super().resizeEvent(event)
        self._area.setGeometry(self.rect())
        self._take_width()
        self._place_jump()

    def _take(self, text: str, spans: object) -> None:
        if self._answer is not None and isinstance(spans, tuple):
            self._answer.take(text, spans)

    def _showing(self, messages: list[ChatMessage]) -> Iterator[None]:
        """The newest first: it is what is looked at."""
        for message in reversed(messages):
            if message.role is Role.SYSTEM:
                continue
            widget = self._new(message, 0)
            self._offer_actions()
            if isinstance(widget, AnswerMessage):
                yield from widget.showing()
            self._column.settle()
            yield

    def _new(self, message: ChatMessage, index: int) -> MessageWidget:
        made: MessageWidget
        if message.role is Role.ASSISTANT:
            made = AnswerMessage(self._tools, message)
            made.regenerate_requested.connect(self.regenerate_requested)
        else:
            made = UserMessage(self._tools, message)
        made.delete_requested.connect(self.delete_requested)
        self._column.insert(index, made, gap=_GAP)
        return made

    def _offer_actions(self) -> None:
        """Only the last answer can be asked for again."""
        messages = self.messages
        for number, widget in enumerate(messages):
            last = number == len(messages) - 1 and isinstance(widget, AnswerMessage)
            widget.buttons.offer(regenerate=last)

    def _in_sight(self) -> list[MessageWidget]:
        """The messages that can be seen."""
        top = self._area.verticalScrollBar().value() - self._column.y()
        bottom = top + self._area.viewport().height()
        return [
            widget for widget in self.messages if widget.y() + widget.height() > top and widget.y() < bottom
        ]

    def _by_sight(self) -> list[MessageWidget]:
        """All messages, those first that can be seen."""
        seen = self._in_sight()
        return seen + [widget for widget in self.messages if widget not in seen]

    def _restyle(self) -> None:
        self._jump.setIcon(self._icons.icon("down", "text"))
        for widget in self._by_sight():
            self._tools.slices.start(widget, "style", widget.restyling())

    # Where the view is

    def _take_width(self) -> None:
        width = MessageColumn.column_width(self.width())
        if width != self._column_width:
            self._column_width = width
            self._tools.slices.start(self, "width", self._column.measuring(width, self._in_sight()))
            self._tools.slices.run()
        self._fit()

    def _fit(self) -> None:
        """Gives the content the size that it has now; what is read stays where it is."""
        bar = self._area.verticalScrollBar()
        self._adjusting = True
        viewport = self._area.viewport()
        self._content.fit(self.width(), viewport.width(), viewport.height())
        if self._follows:
            bar.setValue(bar.maximum())
        elif self._anchor in self._column.widgets:
            bar.setValue(self._anchor.y() - self._anchor_offset)
        self._adjusting = False
        self._show_jump()

    def _scrolled(self, value: int) -> None:
        """The reader has gone somewhere."""
        if self._adjusting:
            return
        self._follows = value >= self._area.verticalScrollBar().maximum() - _NEAR
        self._anchor = next(iter(self._in_sight()), self._column)
        self._anchor_offset = self._anchor.y() - value
        self._show_jump()

    def _show_jump(self) -> None:
        self._jump.setVisible(not self._follows)
        if not self._follows:
            self._place_jump()

    def _place_jump(self) -> None:
        hint = self._jump.sizeHint()
        left = (self._area.viewport().width() - hint.width()) // 2
        self._jump.setGeometry(left, self.height() - hint.height() - 12, hint.width(), hint.height())
        self._jump.raise_()
