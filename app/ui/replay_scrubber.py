"""A whole answer as columns, one for each round, to be moved along."""

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QAbstractSlider, QSizePolicy, QWidget

from app.core.trace import TracedRound
from app.ui.theme import Theme

_HEIGHT, _WIDEST, _GAP = 40, 26, 2  # pixels
_LEAST = 3


class ReplayScrubber(QAbstractSlider):
    """Columns are as high as the tokens that a round gave; what came from the draft is in colour."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._heights: tuple[tuple[int, int], ...] = ()  # tokens of the draft, tokens in all
        self.setObjectName("replay_scrubber")
        self.setAccessibleName(self.tr("Round"))
        self.setOrientation(Qt.Orientation.Horizontal)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def show_rounds(self, rounds: Sequence[TracedRound]) -> None:
        """The columns of another answer."""
        self._heights = tuple((min(each.accepted, each.stats.emitted), each.stats.emitted) for each in rounds)
        before = self.blockSignals(True)
        self.setRange(0, max(len(rounds) - 1, 0))
        self.setSingleStep(1)
        self.setPageStep(max(len(rounds) // 10, 1))
        self.blockSignals(before)
        self.update()

    def show_round(self, number: int) -> None:
        """Marks a round, without a signal."""
        before = self.blockSignals(True)
        self.setValue(number)
        self.blockSignals(before)
        self.update()

    def sizeHint(self) -> QSize:
        """Any width will do."""
        return QSize(240, _HEIGHT)

    def minimumSizeHint(self) -> QSize:
        """Still to be hit."""
        return QSize(120, _HEIGHT)

    def round_at(self, x: float) -> int:
        """The round whose column is there, or the nearest."""
        return min(max(int(x / self._step), 0), self.maximum())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Goes to the round under the pointer."""
        if event.button() == Qt.MouseButton.LeftButton:
            self.setValue(self.round_at(event.position().x()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """And follows it."""
        if event.buttons() & Qt.MouseButton.LeftButton:
            self.setValue(self.round_at(event.position().x()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Nothing more; but it was meant for this widget."""
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Down the page is on in the answer, as in a text."""
        actions = QAbstractSlider.SliderAction
        keys: dict[int, QAbstractSlider.SliderAction] = {
            Qt.Key.Key_PageDown: actions.SliderPageStepAdd,
            Qt.Key.Key_PageUp: actions.SliderPageStepSub,
            Qt.Key.Key_Down: actions.SliderSingleStepAdd,
            Qt.Key.Key_Up: actions.SliderSingleStepSub,
        }
        action = keys.get(event.key())
        if action is None:
            super().keyPressEvent(event)
        else:
            self.triggerAction(action)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leaves the wheel to the page."""
        event.ignore()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paints the columns, the present one brightest."""
        colours = self._theme.colours
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, self._step > _GAP + 2)
        painter.setPen(Qt.PenStyle.NoPen)
        highest = max((tokens for _, tokens in self._heights), default=1) or 1
        room = self.height() - 8
        width = max(self._step - _GAP, min(self._step, 1.0))
        present = QRectF(self.value() * self._step - 1, 1, max(width, 3.0) + 2, self.height() - 2)
        painter.setBrush(colours.raised)
        painter.drawRoundedRect(present, 3, 3)
        for index, (drafted, tokens) in enumerate(self._heights):
            left = index * self._step
            is_behind = index > self.value()
            painter.setOpacity(0.45 if is_behind else 1.0)
            whole, own = room * tokens / highest, room * drafted / highest
            base = self.height() - 4.0
            painter.fillRect(
                QRectF(left, base - max(whole, _LEAST), width, max(whole, _LEAST)), colours.faint
            )
            painter.fillRect(QRectF(left, base - own, width, own), colours.accent)
        painter.setOpacity(1.0)
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(colours.accent)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        painter.end()

    @property
    def _step(self) -> float:
        """From one column to the next, in pixels."""
        return min(_WIDEST + _GAP, self.width() / max(len(self._heights), 1))
