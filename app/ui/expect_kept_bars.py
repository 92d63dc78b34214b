"""How often each token of a draft is kept, as columns that grow shorter, and the target's own behind them."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.figures import share_text
from app.ui.theme import Theme

_FONT, _WORDS, _COLUMN, _GAP = 11, 16, 38, 4  # pixels
_WIDEST, _NARROWEST_FOR_SHARE, _NARROWEST_FOR_NUMBER = 44, 32, 20
_RADIUS = 3


class KeptBars(QWidget):
    """The columns' heights add up to the tokens that a round gives on average."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._shares: tuple[float, ...] = ()
        self.setObjectName("expect_kept_bars")
        self.setAccessibleName(self.tr("How often each token of a round is kept"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def show_acceptance(self, acceptance: float, drafted: int) -> None:
        """Draws another draft: its i-th token is kept where it and all before it are right."""
        shares = tuple(acceptance**number for number in range(1, drafted + 1))
        if shares != self._shares:
            self._shares = shares
            told = [f"{number}: {share_text(share)}" for number, share in enumerate(shares, 1)]
            self.setAccessibleDescription(", ".join([*told, self.tr("the target's own token: 100 %")]))
            self.update()

    def sizeHint(self) -> QSize:
        """Any width will do."""
        return QSize(240, _WORDS + _COLUMN + _WORDS)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draws the columns, their shares above and their numbers below."""
        colours = self._theme.colours
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._theme.body_font(_FONT))
        count = len(self._shares) + 1
        width = min(_WIDEST, (self.width() - (count - 1) * _GAP) / count)
        with_shares = width >= _NARROWEST_FOR_SHARE
        for index, share in enumerate((*self._shares, 1.0)):
            is_own = index == count - 1
            left = index * (width + _GAP)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colours.raised)
            painter.drawRoundedRect(QRectF(left, _WORDS, width, _COLUMN), _RADIUS, _RADIUS)
            painter.setBrush(colours.chart_2 if is_own else colours.accent)
            height = share * _COLUMN
            radius = min(_RADIUS, height / 2)
            painter.drawRoundedRect(QRectF(left, _WORDS + _COLUMN - height, width, height), radius, radius)
            painter.setPen(colours.muted)
            if with_shares:
                above = QRectF(left - _GAP, 0, width + 2 * _GAP, _WORDS)
                painter.drawText(above, Qt.AlignmentFlag.AlignCenter, share_text(share))
            name = self.tr("own") if is_own else str(index + 1)
            needed = painter.fontMetrics().horizontalAdvance(name)
            middle = min(left + width / 2, self.width() - needed / 2)  # the last may be wider than its column
            if index == count - 2 and width < _NARROWEST_FOR_NUMBER:
                continue  # makes room for the name behind it
            below = QRectF(middle - needed / 2, _WORDS + _COLUMN, needed, _WORDS)
            painter.drawText(below, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextDontClip, name)
        painter.end()
