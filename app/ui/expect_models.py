"""The two models of expectation side by side, with their arithmetic."""

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QVBoxLayout, QWidget

from app.core.expectation import StepCosts
from app.core.measured_assumptions import Assumptions
from app.ui.expect_kept_bars import KeptBars
from app.ui.expect_step_bars import StepBars
from app.ui.expect_words import (
    chance_text,
    simple_note,
    simple_results,
    standard_result,
    standard_sum,
)
from app.ui.theme import Theme
from app.ui.widgets import Card, column, label

translate = QCoreApplication.translate

_SIDE_BY_SIDE = 620  # pixels


class ExpectModels(QWidget):
    """One card for each; below each other where there is little room."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.simple = SimpleModelCard(theme)
        self.standard = StandardModelCard(theme)
        self._boxes = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._boxes.setContentsMargins(0, 0, 0, 0)
        self._boxes.setSpacing(16)
        self._boxes.addWidget(self.simple, 1)
        self._boxes.addWidget(self.standard, 1)
        self.setLayout(self._boxes)

    def show_figures(self, figures: Assumptions, costs: StepCosts) -> None:
        """Works out both."""
        self.simple.show_figures(figures, costs)
        self.standard.show_figures(figures, costs)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Puts them beside or below each other."""
        super().resizeEvent(event)
        beside = event.size().width() >= _SIDE_BY_SIDE
        directions = QBoxLayout.Direction
        self._boxes.setDirection(directions.LeftToRight if beside else directions.TopToBottom)


class _ModelCard(Card):
    """A title, what the model supposes, a picture; what it comes to is put below."""

    def __init__(self, name: str, title: str, picture: QWidget) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setAccessibleName(title)
        self.intro = label(size="small", tone="muted", wrap=True)
        self.room: QVBoxLayout = column(
            label(title, size="heading"),
            self.intro,
            4,
            picture,
            4,
            spacing=6,
            margins=(16, 14, 16, 14),
        )
        self.setLayout(self.room)


class SimpleModelCard(_ModelCard):
    """A draft is right as a whole, or of no use."""

    def __init__(self, theme: Theme) -> None:
        picture = StepBars(theme)
        super().__init__("simple_model_card", translate("Expect", "All or nothing"), picture)
        self._picture = picture
        self._always = label(strong=True)
        self._always.setObjectName("simple_always_line")
        self._often = label(strong=True, wrap=True)
        self._often.setObjectName("simple_often_line")
        for part in (self._always, self._often):
            self.room.addWidget(part)
        self.room.addStretch(1)
        self._note = label(size="small", tone="muted", wrap=True)
        self._note.setObjectName("simple_note_line")
        self.room.addWidget(self._note)
        self.intro.setText(self.tr("The simple model: a draft is right as a whole, or of no use."))

    def show_figures(self, figures: Assumptions, costs: StepCosts) -> None:
        """Works it out."""
        self._picture.show_costs(costs, figures.drafted)
        always, often = simple_results(figures, costs)
        self._always.setText(always)
        self._often.setText(often)
        self._note.setText(simple_note(figures, costs))


class StandardModelCard(_ModelCard):
    """Every drafted token has a chance of its own, and the first wrong one ends the round."""

    def __init__(self, theme: Theme) -> None:
        picture = KeptBars(theme)
        super().__init__("standard_model_card", translate("Expect", "Token by token"), picture)
        self._picture = picture
        self._sum = label(wrap=True)
        self._sum.setObjectName("standard_sum_line")
        self._result = label(strong=True)
        self._result.setObjectName("standard_result_line")
        self.room.addWidget(self._sum)
        self.room.addWidget(self._result)
        self.room.addStretch(1)
        note = self.tr("(1 − aⁿ⁺¹) / (1 − a) tokens a round: Leviathan et al., 2023.")
        self.room.addWidget(label(note, size="small", tone="muted", wrap=True))

    def show_figures(self, figures: Assumptions, costs: StepCosts) -> None:
        """Works it out."""
        self._picture.show_acceptance(figures.acceptance, figures.drafted)
        self.intro.setText(
            self.tr(
                "The standard model: each token is right in {share} of all cases, and the first wrong one "
                "ends the round."
            ).format(share=chance_text(figures.acceptance))
        )
        self._sum.setText(standard_sum(figures, costs))
        self._result.setText(standard_result(figures, costs))
