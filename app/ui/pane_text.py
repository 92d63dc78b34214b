"""The text of one side of a comparison: while it comes, and when it is whole."""

import re
from collections.abc import Iterable, Sequence

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtWidgets import QScrollArea, QWidget

from app.core.chat import DraftSpan
from app.core.experiment import FirstDifference
from app.core.protocol import TextPiece
from app.ui.answer_body import AnswerBody
from app.ui.answer_tools import AnswerTools
from app.ui.difference_place import difference_place, show_thoughts_with
from app.ui.icons import Icons
from app.ui.stream_buffer import StreamBuffer
from app.ui.tasks import Tasks
from app.ui.theme import Theme

_REPAINT_S = 0.25  # the engine that is being measured needs the processor
_NEAR = 12  # pixels from the end at which the view follows it
_WIDTH, _LEAST_HEIGHT = 240, 96  # pixels
_BELOW = 8  # pixels under the text
_ABOVE_MARK = 40  # pixels that are seen above a place that was gone to
_WORD = re.compile(r"\w+")


class PaneText(QScrollArea):
    """Shows an answer. While it comes, the view follows its end as long as the reader is there."""

    def __init__(
        self, theme: Theme, icons: Icons, tasks: Tasks, name: str, parent: QWidget | None = None
    ) -> None:
        """`name` is the object name."""
        super().__init__(parent)
        self._tools = AnswerTools(theme, icons, tasks, self, behind="panel")
        self._tools.set_visualize(True)
        self._buffer = StreamBuffer(self, shortest_pause_s=_REPAINT_S)
        self._buffer.due.connect(self._take)
        self._spans: list[DraftSpan] = []
        self._follows = True
        self._adjusting = False
        self.setObjectName(name)
        self.setAccessibleName(self.tr("Answer"))
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.verticalScrollBar().setSingleStep(40)
        self.verticalScrollBar().valueChanged.connect(self._scrolled)
        self._content = QWidget()
        self._content.setObjectName("scroll_content")
        self.setWidget(self._content)
        self._body = self._new_body()
        self.viewport().installEventFilter(self)
        theme.changed.connect(self._restyle)

    @property
    def text(self) -> str:
        """The answer so far, as the model gave it."""
        return self._body.text

    @property
    def body(self) -> AnswerBody:
        """What shows it."""
        return self._body

    @property
    def spans(self) -> Sequence[DraftSpan]:
        """What of it a draft supplied."""
        return self._spans

    def clear(self) -> None:
        """Shows nothing."""
        self._buffer.start(0)
        self._spans = []
        self._replace_body()
        self._follows = True
        self._fit()

    def add_pieces(self, pieces: Iterable[TextPiece], round_number: int) -> None:
        """More text; rounds count from 1."""
        self._buffer.add(pieces, round_number)

    def end(self, text: str) -> None:
        """The answer is whole, and this is all of it."""
        self._buffer.flush()
        known = self._body.text
        if not text.startswith(known):
            self.show_answer(text)
            return
        self._body.take(text[len(known) :], ())
        self._body.end()
        self._body.refresh()

    def show_answer(
        self, text: str, spans: Sequence[DraftSpan] = (), difference: tuple[int, int] | None = None
    ) -> None:
        """Shows a whole answer from its beginning, the place marked where it leaves another one."""
        self.clear()
        self._spans = list(spans)
        if difference is not None:
            self._body.mark_difference(*difference)
        self._follows = False
        self._body.take(text, self._spans)
        self._body.end()
        self._body.refresh()

    def show_start(self) -> None:
        """Goes back to the beginning, unless the reader has gone somewhere."""
        if self._follows:
            self._follows = False
            self.verticalScrollBar().setValue(0)

    def go_to_difference(self) -> bool:
        """Shows the marked place; False where it cannot be seen, since Markdown has no room for it."""
        show_thoughts_with(self._body)
        self._tools.slices.finish()
        self._fit()
        place = difference_place(self._body)
        if place is None:
            return False
        self._follows = False
        self.verticalScrollBar().setValue(max(0, place - _ABOVE_MARK))
        return True

    def finish_work(self) -> None:
        """Does now what is being done in slices."""
        self._buffer.flush()
        self._tools.slices.finish()

    def sizeHint(self) -> QSize:
        """As much as its owner gives: a long text does not ask for more."""
        return QSize(_WIDTH, _LEAST_HEIGHT)

    def minimumSizeHint(self) -> QSize:
        """A few lines."""
        return QSize(0, _LEAST_HEIGHT)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follows the size of the view."""
        if watched is self.viewport() and event.type() == QEvent.Type.Resize:
            self._take_width()
        return super().eventFilter(watched, event)

    def _new_body(self) -> AnswerBody:
        body = AnswerBody(self._tools, self._content)
        body.setAccessibleName(self.tr("Answer"))
        body.height_changed.connect(self._fit)
        body.show()
        return body

    def _replace_body(self) -> None:
        self._body.height_changed.disconnect(self._fit)
        self._body.hide()
        self._body.deleteLater()
        self._body = self._new_body()
        self._take_width()

    def _take(self, text: str, spans: object) -> None:
        if isinstance(spans, tuple):
            self._spans += spans
            self._body.take(text, spans)
            self._body.refresh()

    def _take_width(self) -> None:
        width = self.viewport().width()
        if width > 0:
            self._body.resize(width, self._body.height_at(width))
            self._fit()

    def _fit(self) -> None:
        """Gives the content the size of the text; the view stays, or follows the end."""
        bar = self.verticalScrollBar()
        self._adjusting = True
        height = max(self.viewport().height(), self._body.height() + _BELOW)
        self._content.resize(self.viewport().width(), height)
        if self._follows:
            bar.setValue(bar.maximum())
        self._adjusting = False

    def _scrolled(self, value: int) -> None:
        if not self._adjusting:
            self._follows = value >= self.verticalScrollBar().maximum() - _NEAR

    def _restyle(self) -> None:
        self._tools.slices.start(self._body, "style", self._body.restyling())


def marked_stretch(text: str, difference: FirstDifference, token: str | None) -> tuple[int, int] | None:
    """Which characters of an answer to mark where it leaves the other one with `token`.

    Where the token has nothing to see, the mark goes on to the end of the next word; where the answer ends
    there, it takes the last word. None where the place is not known.
    """
    start = difference.text_position
    if start is None or not text:
        return None
    start = min(start, len(text))
    end = start + len(token or "")
    if _WORD.search(text, start, end):
        return start, end
    following = _WORD.search(text, start)
    if following is not None:
        return start, following.end()
    before = list(_WORD.finditer(text, 0, start))
    return (before[-1].start(), len(text)) if before else (0, len(text))
