"""The line of figures under an answer, the buttons beside it, and the details that a click opens."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QLabel, QWidget

from app.core.chat import Answer
from app.ui.answer_details import AnswerDetails
from app.ui.answer_tools import AnswerTools
from app.ui.answer_words import estimate, summary
from app.ui.column import Growing, needed_height
from app.ui.drafting_words import gains
from app.ui.flow import Flow
from app.ui.message_actions import SIZE, MessageActions
from app.ui.widgets import Tone, label

_GAP = 8  # pixels


class AnswerFooter(Growing):
    """Empty, but for the buttons, until `tell` gives it figures."""

    def __init__(self, tools: AnswerTools, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tools = tools
        self._answer: Answer | None = None
        self._details: AnswerDetails | None = None
        self.setObjectName("answer_footer")
        self._figures = _Figures(tools, self)
        self._figures.clicked.connect(self._toggle_details)
        self._figures.hide()
        self.buttons = MessageActions(tools.icons, 3, self)

    @property
    def text(self) -> str:
        """What the line says."""
        return self._figures.flow.text

    def tell(self, answer: Answer) -> None:
        """Shows the figures of an answer."""
        self._answer = answer
        words, stats = summary(answer), answer.stats
        self._figures.show_words(
            words,
            has_rate=stats is not None and stats.tok_per_s is not None,
            gain=estimate(stats) if stats is not None and gains(stats.estimated_speedup) else "",
        )
        self._figures.setVisible(bool(words))
        self._close_details()
        self.height_changed.emit()

    def restyle(self) -> None:
        """Takes the colours of another theme."""
        self.buttons.restyle()
        self.update()

    def height_at(self, width: int) -> int:
        """One line or more, and the details below."""
        room = max(SIZE, width - self.buttons.width() - _GAP)
        height = SIZE
        if not self._figures.isHidden():
            height = max(height, self._figures.height_at(room))
            self._figures.setGeometry(0, 0, room, height)
        self.buttons.move(width - self.buttons.width(), 0)
        if self._details is not None:
            self._details.fit(width)
            needed = needed_height(self._details, width)
            self._details.setGeometry(0, height + _GAP, width, needed)
            height += _GAP + needed
        return height

    def _toggle_details(self) -> None:
        if self._details is not None:
            self._close_details()
        elif self._answer is not None and self._answer.stats is not None:
            self._details = AnswerDetails(self._tools.theme, self._answer, self._answer.stats, self)
            self._details.show()
        self.height_changed.emit()

    def _close_details(self) -> None:
        if self._details is not None:
            self._details.hide()
            self._details.deleteLater()
            self._details = None


class _Figures(QAbstractButton):
    """The line itself, which can be pressed."""

    def __init__(self, tools: AnswerTools, parent: QWidget) -> None:
        super().__init__(parent)
        self._tools = tools
        self.setObjectName("answer_figures_button")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setToolTip(self.tr("Show or hide details"))
        self.flow = Flow(self)
        self.flow.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def show_words(self, words: list[str], *, has_rate: bool, gain: str) -> None:
        """The first word is the speed where there is one; `gain` is the word to stand out."""
        labels: list[QLabel] = []
        for number, word in enumerate(words):
            strong = has_rate and number == 0
            tone: Tone = "text" if strong else "accent" if word == gain else "muted"
            made = label(word, size="small", tone=tone, strong=strong)
            made.setMinimumWidth(0)
            labels.append(made)
        self.flow.show_labels(labels)
        self.setAccessibleName(self.flow.text)

    def height_at(self, width: int) -> int:
        height = self.flow.height_at(width)
        top = max(0, (SIZE - height) // 2)
        self.flow.setGeometry(0, top, width, height)
        return height + 2 * top

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.hasFocus():
            painter = QPainter(self)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(self._tools.theme.colours.accent, 1))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
            painter.end()
