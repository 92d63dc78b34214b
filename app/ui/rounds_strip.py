"""The last rounds of an answer: how much was drafted in each, and how much of it was accepted."""

from collections.abc import Sequence

from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.core.stats import DraftSource, RoundStats
from app.ui.drafting_words import rounds_text
from app.ui.plain_tip import plain_tip
from app.ui.theme import Theme

MODEL_ROLE, LOOKUP_ROLE = "accent", "chart_5"  # of what drafts

_BARS, _GROUND = 32, 2  # pixels, high; the bars' height has room for 4, 8 and 16 tokens in whole pixels
_SCALES = (4, 8, 16)  # tokens of the highest bar
_BAR, _GAP = 2, 1  # pixels, wide: a hundred rounds in 299
_PALE = 0.3  # opacity of what was drafted, below its upper edge


class RoundsStrip(QWidget):
    """A bar for each round, the newest on the right: drafted as an outline, accepted filled.

    The colour tells what drafted. A round without a draft leaves a mark on the ground. Of the rounds as many
    are seen as have room.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._rounds: tuple[RoundStats, ...] = ()
        self.setObjectName("rounds_strip")
        self.setAccessibleName(self.tr("Drafts of the last rounds"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._describe()
        theme.changed.connect(self.update)

    @property
    def rounds(self) -> tuple[RoundStats, ...]:
        """What is seen, oldest first."""
        room = (self.width() + _GAP) // (_BAR + _GAP)
        return self._rounds[max(0, len(self._rounds) - room) :]

    @property
    def scale(self) -> int:
        """Tokens of a bar that is as high as the strip."""
        longest = max((stats.drafted for stats in self.rounds), default=0)
        return next((scale for scale in _SCALES if scale >= longest), longest)

    def show_rounds(self, rounds: Sequence[RoundStats]) -> None:
        """Shows other rounds, oldest first."""
        shown = tuple(rounds)
        if shown != self._rounds:
            self._rounds = shown
            self._describe()
            self.update()

    def sizeHint(self) -> QSize:
        """Any width will do."""
        return QSize(120, _BARS + _GROUND)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width has room for other rounds."""
        super().resizeEvent(event)
        self._describe()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paints the ground and the bars, all in whole pixels."""
        colours = self._theme.colours
        painter = QPainter(self)
        painter.fillRect(0, _BARS, self.width(), _GROUND, colours.raised)
        rounds, scale = self.rounds, self.scale
        left = self.width() + _GAP - len(rounds) * (_BAR + _GAP)
        for stats in rounds:
            role = LOOKUP_ROLE if stats.source is DraftSource.PROMPT_LOOKUP else MODEL_ROLE
            colour: QColor = getattr(colours, role)
            drafted, accepted = _BARS * stats.drafted // scale, _BARS * stats.accepted // scale
            if drafted:
                painter.fillRect(left, _BARS - drafted, _BAR, drafted, _faded(colour))
                painter.fillRect(left, _BARS - drafted, _BAR, 1, colour)
                painter.fillRect(left, _BARS - accepted, _BAR, accepted, colour)
            painter.fillRect(left, _BARS, _BAR, _GROUND, colour if drafted else colours.faint)
            left += _BAR + _GAP
        painter.end()

    def _describe(self) -> None:
        words = rounds_text(self.rounds)
        if words != self.accessibleDescription():
            self.setAccessibleDescription(words)
            self.setToolTip(plain_tip(words))


def _faded(colour: QColor) -> QColor:
    faded = QColor(colour)
    faded.setAlphaF(_PALE)
    return faded
