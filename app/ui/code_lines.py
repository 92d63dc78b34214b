"""The lines of a block of code, in views of bounded length that scroll sideways together."""

from collections.abc import Iterator, Sequence
from itertools import chain

import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCharFormat
from PySide6.QtWidgets import QScrollBar, QWidget

from app.ui.code_colours import Colouring
from app.ui.code_view import CodeView
from app.ui.column import Growing
from app.ui.draft_marks import DraftMarks
from app.ui.markdown_parts import Line
from app.ui.theme import Theme

VIEW_LINES = 250  # in one view: what Qt does for a change grows with the lines below it


class CodeLines(Growing):
    """Shows lines; more can be added, and the last ones replaced."""

    def __init__(
        self, theme: Theme, marks: DraftMarks, accessible: str, parent: QWidget | None = None
    ) -> None:
        """`accessible` says what code it is."""
        super().__init__(parent)
        self._accessible = accessible
        self._theme = theme
        self._marks = marks
        self.look: QTextCharFormat | None = None  # of what the draft supplied, in new lines
        self._views: list[CodeView] = []
        self._bar = QScrollBar(Qt.Orientation.Horizontal, self)
        self._bar.setObjectName("code_scroll_bar")
        self._bar.setSingleStep(20)
        self._bar.valueChanged.connect(self._scroll)
        self._bar.hide()

    @property
    def views(self) -> Sequence[CodeView]:
        """What it is made of."""
        return self._views

    @property
    def lines(self) -> list[Line]:
        """What it shows."""
        return list(chain.from_iterable(view.lines for view in self._views))

    @property
    def count(self) -> int:
        """How many lines it shows."""
        return (len(self._views) - 1) * VIEW_LINES + len(self._views[-1].lines) if self._views else 0

    def put_lines(self, at: int, lines: Sequence[Line]) -> None:
        """Shows these lines in place of all from the one with number `at` on."""
        number, within = divmod(at, VIEW_LINES)
        while lines:
            if number == len(self._views):
                self._views.append(self._new_view())
            some, lines = lines[: VIEW_LINES - within], lines[VIEW_LINES - within :]
            self._views[number].put_lines(within, some)
            number, within = number + 1, 0
        if within and number < len(self._views):
            self._views[number].put_lines(within, [])
            number += 1
        for view in self._views[number:]:
            view.hide()
            view.deleteLater()
        del self._views[number:]

    def colour_lines(self, first: int, colours: Sequence[list[Colouring]]) -> None:
        """Gives lines their colours, from number `first` on."""
        number, within = divmod(first, VIEW_LINES)
        while colours and number < len(self._views):
            some, colours = colours[: VIEW_LINES - within], colours[VIEW_LINES - within :]
            self._views[number].colour_lines(within, some)
            number, within = number + 1, 0

    def showing_marks(self, look: QTextCharFormat | None) -> Iterator[None]:
        """Colours what the draft supplied, or nothing; with pauses."""
        self.look = look
        for view in list(self._views):
            if shiboken6.isValid(view):
                view.show_marks(look)
            yield

    def forget_looks(self) -> None:
        """Takes the colours of another theme with the next `showing_marks`."""
        for view in self._views:
            view.forget_looks()

    def height_at(self, width: int) -> int:
        """All lines, and a scroll bar if one of them is too wide."""
        top = 0
        for view in self._views:
            height = view.heightForWidth(width)
            view.setGeometry(0, top, width, height)
            top += height
        widest = max((view.document().idealWidth() for view in self._views), default=0.0)
        self._bar.setVisible(widest > width)
        if widest <= width:
            return top
        self._bar.setRange(0, int(widest - width + 1))
        self._bar.setPageStep(width)
        height = self._bar.sizeHint().height()
        self._bar.setGeometry(0, top, width, height)
        return top + height

    def _new_view(self) -> CodeView:
        view = CodeView(self._theme, self._marks, self)
        view.setAccessibleName(self._accessible)
        view.show_marks(self.look)
        view.show()
        bar = view.horizontalScrollBar()
        bar.valueChanged.connect(self._bar.setValue)  # a selection that is drawn beyond the edge scrolls
        return view

    def _scroll(self, value: int) -> None:
        for view in self._views:
            view.horizontalScrollBar().setValue(min(value, view.horizontalScrollBar().maximum()))
