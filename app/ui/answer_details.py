"""What a click on the line under an answer opens: how its tokens came about, and where the time went."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QGridLayout, QVBoxLayout, QWidget

from app.core.chat import Answer
from app.core.stats import GenerationStats
from app.figures import duration_text
from app.ui.accepted_positions import AcceptedPositions
from app.ui.answer_words import details, details_tips, times
from app.ui.bars import PositionBars, TimeBar, TimeKey
from app.ui.plain_tip import plain_tip
from app.ui.theme import Theme
from app.ui.widgets import Card, column, label, row

_WIDE = 480  # pixels; from here on both stand beside each other
_BETWEEN = 32


class AnswerDetails(Card):
    """A card with figures and bars; `fit` it to a width."""

    def __init__(
        self, theme: Theme, answer: Answer, stats: GenerationStats, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setObjectName("answer_details")
        self.setAccessibleName(self.tr("Details of the answer"))
        self._whole = row(spacing=_BETWEEN, margins=(16, 14, 16, 14))
        self._whole.addLayout(self._figures(answer, stats), 3)
        self._whole.addLayout(self._bars(stats), 2)
        self.setLayout(self._whole)

    def fit(self, width: int) -> None:
        """Puts the bars below the figures where a width has no room for both."""
        beside = width >= _WIDE
        across, down = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
        self._whole.setDirection(across if beside else down)
        self._whole.setSpacing(_BETWEEN if beside else _BETWEEN // 2)

    def _figures(self, answer: Answer, stats: GenerationStats) -> QVBoxLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(4)
        tips = details_tips(answer)
        for number, (name, figure) in enumerate(details(answer, stats)):
            named, told = label(name, size="small", tone="muted"), label(figure, size="small", wrap=True)
            for words in (named, told):
                words.setToolTip(plain_tip(tips.get(name, "")))
            grid.addWidget(named, number, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(told, number, 1)
        grid.setColumnStretch(1, 1)
        made = column(spacing=0)
        made.addLayout(grid)
        made.addStretch(1)
        return made

    def _bars(self, stats: GenerationStats) -> QVBoxLayout:
        made = column(spacing=8)
        if stats.tested_by_position:
            made.addWidget(label(self.tr("Accepted by position in the draft"), size="small", tone="muted"))
            positions = AcceptedPositions(stats.accepted_by_position, stats.tested_by_position)
            made.addWidget(PositionBars(self._theme, positions))
            made.addSpacing(4)
        spent = times(stats)
        made.addWidget(label(self.tr("Where the time went"), size="small", tone="muted"))
        made.addWidget(TimeBar(self._theme, [(seconds, role) for _, seconds, role in spent]))
        grid = QGridLayout()
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(2)
        for number, (name, seconds, role) in enumerate(spent):
            words = label(f"{name} {duration_text(seconds)}", size="small")
            grid.addLayout(row(TimeKey(self._theme, role), words, None, spacing=6), number // 2, number % 2)
        made.addLayout(grid)
        made.addStretch(1)
        return made
