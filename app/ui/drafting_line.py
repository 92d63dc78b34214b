"""What drafting comes to while an answer is written: a gain, the last rounds, and a sentence."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from app.core.options import SpeculationMode, SpeculationOptions
from app.core.recent_drafting import DraftingReading
from app.core.stats import DraftSource
from app.ui.chart_legend import ChartLegend
from app.ui.drafting_words import drafting_sentence, gains, source_name, speedup_text
from app.ui.plain_tip import plain_tip
from app.ui.rounds_strip import LOOKUP_ROLE, MODEL_ROLE, RoundsStrip
from app.ui.theme import Theme
from app.ui.widgets import ElidedLabel, column, label, row, set_property

_SENTENCE = 48  # pixels: three lines, so that nothing below moves while an answer is written


class DraftingLine(QWidget):
    """Shows what the meters read of drafting."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("drafting_line")
        self.setAccessibleName(self.tr("Drafting"))
        self._speedup = ElidedLabel(size="small", tone="muted")
        self._speedup.setObjectName("estimated_speedup")
        self._speedup.setAlignment(Qt.AlignmentFlag.AlignRight)
        self._strip = RoundsStrip(theme)
        self._legend = ChartLegend(theme)
        self._legend.setObjectName("rounds_legend")
        self._legend.hide()
        self._sentence = label(size="small", tone="muted", wrap=True)
        self._sentence.setObjectName("drafting_sentence")
        self._sentence.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._sentence.setMinimumHeight(_SENTENCE)
        self._sentence.setToolTip(
            plain_tip(self.tr("A plain step is the target model alone: one token in one pass."))
        )
        heading = row(label(self.tr("Last rounds"), size="small", tone="muted"))
        heading.addWidget(self._speedup, 1)
        self.setLayout(column(heading, self._strip, self._legend, self._sentence, spacing=4))
        self._by_model = True
        self.show_reading(DraftingReading())

    @property
    def sentence(self) -> str:
        """What is said of the last rounds, or of the whole answer."""
        return self._sentence.text()

    @property
    def speedup(self) -> str:
        """The estimate in words; empty without one."""
        return self._speedup.whole_text

    @property
    def strip(self) -> RoundsStrip:
        """The rounds themselves."""
        return self._strip

    def show_options(self, options: SpeculationOptions) -> None:
        """Names the colours where an answer may have both. Words follow with the next reading."""
        self._by_model = options.mode is not SpeculationMode.PROMPT_LOOKUP
        both = options.is_automatic and options.mode is SpeculationMode.DRAFT_MODEL
        named = (
            (source_name(DraftSource.DRAFT_MODEL), MODEL_ROLE),
            (source_name(DraftSource.PROMPT_LOOKUP), LOOKUP_ROLE),
        )
        self._legend.show_items(named if both else ())

    def show_reading(self, reading: DraftingReading) -> None:
        """Shows other rounds. What stays the same is not touched."""
        self._strip.show_rounds(reading.rounds)
        text = drafting_sentence(reading, by_model=self._by_model) or self.tr(
            "Each bar will be a round: outlined what was drafted, filled what was accepted."
        )
        if text != self._sentence.text():
            self._sentence.setText(text)
        if reading.speedup is None:
            self._speedup.set_text("")
        else:
            set_property(self._speedup, "tone", "accent" if gains(reading.speedup) else "muted")
            self._speedup.set_text(speedup_text(reading.speedup))
        self.setAccessibleDescription(" ".join(word for word in (text, self.speedup) if word))
