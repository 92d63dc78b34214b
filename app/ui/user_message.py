"""What the user wrote: a bubble on the right."""

from collections.abc import Iterator, Sequence
from math import ceil

from PySide6.QtCore import QEvent, QRectF, Qt, Signal
from PySide6.QtGui import QEnterEvent, QFontMetricsF, QGuiApplication, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from app.core.chat import ChatMessage
from app.ui.answer_tools import AnswerTools
from app.ui.column import Growing
from app.ui.draft_marks import DraftMarks
from app.ui.line_cutter import cut_lines
from app.ui.markdown_parts import Line
from app.ui.message_actions import SIZE, MessageActions
from app.ui.plain_text import PlainText
from app.ui.shown_text import shown
from app.ui.widgets import button

_WIDEST = 560  # pixels
_ACROSS, _ABOVE, _BELOW, _RADIUS = 14, 8, 12, 12  # more below: a line's own room is above its letters
_MOST_CHARACTERS = 1500  # shown at first
_MOST_LINES = 15
_AT_ONCE = 2000  # characters


class UserMessage(Growing):
    """Shows plain text; a long one only in part until "Show all" is pressed."""

    delete_requested = Signal(int)  # the message's id

    def __init__(self, tools: AnswerTools, message: ChatMessage, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tools = tools
        self.message = message
        self._text = shown(message.text)
        self._bubble = QRectF()
        self.setObjectName("user_message")
        self.setAccessibleName(self.tr("Your message"))
        self._widest_line = 0.0  # pixels, up to a little more than there ever is room for
        self._body = self._new_body()
        self.buttons = MessageActions(tools.icons, 2, self)
        self.buttons.copied.connect(self._copy)
        self.buttons.deleted.connect(self._ask_to_delete)
        self._all = button(self.tr("Show all"), "show_all_button", kind="quiet", small=True)
        self._all.setParent(self)
        self._all.clicked.connect(self._show_all)
        end = _first_part(self._text)
        self._add_lines(cut_lines(self._text, 0, end, last=True)[0])
        self._all.setVisible(end < len(self._text))

    @property
    def shown_text(self) -> str:
        """What can be read of it now."""
        return self._body.text

    @property
    def bubble(self) -> QRectF:
        """Where the bubble is, in pixels."""
        return self._bubble

    def restyling(self) -> Iterator[None]:
        """Takes the colours of another theme."""
        self.buttons.restyle()
        self.update()
        yield

    def height_at(self, width: int) -> int:
        """The bubble is as wide as its text, up to a limit; the buttons are to its left."""
        widest = min(_WIDEST, width - self.buttons.width() - 8) - 2 * _ACROSS
        inner = min(widest, ceil(self._widest_line) + 1)
        if not self._all.isHidden():
            inner = max(inner, self._all.sizeHint().width())
        height = self._body.height_at(inner)
        left = width - inner - _ACROSS
        self._body.setGeometry(left, _ABOVE, inner, height)
        height += _ABOVE + _BELOW
        if not self._all.isHidden():
            hint = self._all.sizeHint()
            self._all.setGeometry(left - 10, height - 4, hint.width(), hint.height())
            height += hint.height()
        self._bubble = QRectF(left - _ACROSS, 0, inner + 2 * _ACROSS, height)
        self.buttons.move(int(self._bubble.left()) - self.buttons.width() - 4, height - SIZE - 4)
        self.update()
        return height

    def paintEvent(self, event: QPaintEvent) -> None:
        """The bubble."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._tools.theme.colours.raised)
        painter.drawRoundedRect(self._bubble, _RADIUS, _RADIUS)
        painter.end()

    def enterEvent(self, event: QEnterEvent) -> None:
        """The buttons appear."""
        self.buttons.reveal(True)
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        """The buttons go."""
        self.buttons.reveal(False)
        super().leaveEvent(event)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.message.text)

    def _ask_to_delete(self) -> None:
        self.delete_requested.emit(self.message.id)

    def _show_all(self) -> None:
        self._all.hide()
        old, self._body = self._body, self._new_body()
        old.hide()
        old.deleteLater()
        self._body.show()
        self.height_changed.emit()
        self._tools.slices.start(self, "show", self._showing_all())

    def _showing_all(self) -> Iterator[None]:
        start, waiting = 0, list[Line]()
        while start < len(self._text):
            lines, start = cut_lines(self._text, start, len(self._text), last=True)
            for line in lines:
                waiting.append(line)
                if sum(len(each.text) + 40 for each in waiting) > _AT_ONCE:
                    self._add_lines(waiting)
                    waiting = []
                    self.height_changed.emit()
                    yield
        self._add_lines(waiting)
        self.height_changed.emit()

    def _new_body(self) -> PlainText:
        return PlainText(self._tools, DraftMarks(), self.tr("Your message"), self)

    def _add_lines(self, lines: Sequence[Line]) -> None:
        """Shows more lines. How wide they are is asked of the font: a hidden view is not laid out yet."""
        self._body.add_lines(lines)
        metrics = QFontMetricsF(self._tools.theme.body_font())
        for line in lines:
            if self._widest_line > _WIDEST:
                return
            text = line.text[:_WIDEST]
            width = _WIDEST + 1.0 if "\t" in text else metrics.horizontalAdvance(text)
            self._widest_line = max(self._widest_line, width)


def _first_part(text: str) -> int:
    """Where a text is cut that is too long to be shown at once: behind a line or a word."""
    end = -1
    for _ in range(_MOST_LINES):
        end = text.find("\n", end + 1)
        if end < 0:
            break
    limit = min(end if end >= 0 else len(text), _MOST_CHARACTERS)
    if limit >= len(text) or (end < 0 and len(text) - limit < _MOST_CHARACTERS // 5):
        return len(text)
    space = max(text.rfind(" ", limit // 2, limit), text.rfind("\n", limit // 2, limit))
    return limit if limit == end or space < 0 else space
