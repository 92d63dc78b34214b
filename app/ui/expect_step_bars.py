"""Plain steps and a round with a draft, drawn to one scale: the time is what is as wide."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.core.expectation import StepCosts
from app.ui.expect_words import plain_sum, round_sum
from app.ui.theme import Theme

_FONT, _WORDS, _BAR, _GAP = 12, 18, 18, 8  # pixels
_SEAM, _RADIUS = 2, 3


class StepBars(QWidget):
    """Two lines of boxes: as many plain steps as tokens are drafted; the drafts with their check."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._costs = StepCosts(3.0, 1.0)
        self._drafted = 5
        self.setObjectName("expect_step_bars")
        self.setAccessibleName(self.tr("Plain steps and a round with a draft, to scale"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def show_costs(self, costs: StepCosts, drafted: int) -> None:
        """Draws other steps."""
        if (costs, drafted) != (self._costs, self._drafted):
            self._costs, self._drafted = costs, drafted
            self.setAccessibleDescription("{}. {}.".format(*self.words))
            self.update()

    def sizeHint(self) -> QSize:
        """Any width will do."""
        return QSize(240, 2 * (_WORDS + _BAR) + _GAP)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draws both lines."""
        colours, costs = self._theme.colours, self._costs
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._theme.body_font(_FONT))
        plain = [(costs.target, colours.faint)] * self._drafted
        drafts = [(costs.draft, colours.accent)] * self._drafted
        check = [(costs.check(self._drafted), colours.chart_2)]
        longest = max(costs.plain(self._drafted), costs.round(self._drafted))
        above, below = self.words
        self._line(painter, 0, above, plain, longest)
        self._line(painter, _WORDS + _BAR + _GAP, below, drafts + check, longest)
        painter.end()

    @property
    def words(self) -> tuple[str, str]:
        """What stands over both lines."""
        return plain_sum(self._costs, self._drafted), round_sum(self._costs, self._drafted)

    def _line(
        self, painter: QPainter, top: int, words: str, boxes: list[tuple[float, QColor]], longest: float
    ) -> None:
        painter.setPen(self._theme.colours.text)
        left_aligned = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(QRectF(0, top, self.width(), _WORDS), left_aligned, words)
        painter.setPen(Qt.PenStyle.NoPen)
        left = 0.0
        for time, colour in boxes:
            width = self.width() * time / longest
            seam = min(_SEAM, width / 4)
            painter.setBrush(colour)
            box = QRectF(left, top + _WORDS, max(width - seam, 0.5), _BAR)
            radius = min(_RADIUS, box.width() / 2)
            painter.drawRoundedRect(box, radius, radius)
            left += width
