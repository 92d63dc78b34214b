"""What is to be expected, in large letters and a sentence, and the way to measure instead of guessing."""

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from app.core.expectation import StepCosts, speedup
from app.core.measured_assumptions import Assumptions
from app.ui.cost_measurement import CostProgress
from app.ui.expect_figure_words import progress_text
from app.ui.expect_words import headline, stale_text, verdict
from app.ui.form_parts import set_shown, show_line
from app.ui.plain_tip import plain_tip
from app.ui.theme import Theme
from app.ui.track import Segment, Track
from app.ui.widgets import Card, button, column, label, row, set_property

_FIGURE_WIDTH, _NARROW_FIGURE = 276, 176  # pixels: the sentence begins where the cards on the right do
_WIDE = 1000


class ExpectHeadline(Card):
    """A card across the page."""

    measure_requested = Signal()
    stop_requested = Signal()
    model_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("expect_headline")
        self._figure = label(size="title", tone="accent")
        self._figure.setObjectName("expected_speedup_line")
        self._sentence = label(wrap=True)
        self._sentence.setObjectName("expected_sentence")
        self._told = label(size="small", tone="muted", wrap=True)
        self._told.setObjectName("expect_measured_line")
        self._told.hide()
        self._measure = button(self.tr("Measure on this machine"), "measure_costs_button", kind="primary")
        self._measure.clicked.connect(self.measure_requested)
        self._stop = button(self.tr("Stop"), "stop_measuring_button")
        self._stop.clicked.connect(self.stop_requested)
        self._load = button(self.tr("Load a model"), "compare_load_model_button")
        self._load.setToolTip(self.tr("With a model loaded, these figures can be measured."))
        self._load.clicked.connect(self.model_requested)
        caption = label(self.tr("expected with these figures"), size="small", tone="muted")
        self._progress = Track(theme)
        self._progress.setObjectName("expect_progress")
        self._progress.setAccessibleName(self.tr("Progress of the measurement"))
        self._progress.hide()
        words = column(self._sentence, self._told, self._progress, spacing=4)
        words.insertStretch(0, 1)
        words.addStretch(1)
        whole = row(
            column(None, self._figure, caption, None, spacing=2),
            words,
            self._measure,
            self._stop,
            self._load,
            spacing=16,
            margins=(16, 12, 16, 12),
        )
        whole.setStretchFactor(words, 1)
        self.setLayout(whole)

    def show_figures(self, figures: Assumptions, costs: StepCosts, problem: str = "") -> None:
        """Works out what is to be expected; greyed with the `problem` where what is typed cannot be used."""
        self._figure.setText(headline(figures, costs))
        gains = speedup(costs, figures.drafted, figures.acceptance) > 1.0
        set_property(self._figure, "tone", "faint" if problem else "accent" if gains else "warning")
        self._sentence.setText(stale_text(problem) if problem else verdict(figures, costs))

    def show_engine(self, *, is_loaded: bool, is_measuring: bool, problem: str) -> None:
        """Offers what can be done: measuring takes a model, and that nothing is in the way."""
        set_shown(self._measure, is_loaded and not is_measuring)
        self._measure.setEnabled(not problem)
        self._measure.setToolTip(plain_tip(problem))
        set_shown(self._stop, is_measuring)
        set_shown(self._load, not is_loaded)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leaves more room to the sentence where there is little."""
        super().resizeEvent(event)
        self._figure.setFixedWidth(_FIGURE_WIDTH if event.size().width() >= _WIDE else _NARROW_FIGURE)

    def tell(self, sentence: str) -> None:
        """What was measured, or why it was not."""
        show_line(self._told, sentence)
        set_shown(self._progress, False)

    def show_progress(self, progress: CostProgress) -> None:
        """How far a measurement is."""
        show_line(self._told, progress_text(progress))
        self._progress.show_segments(Segment(progress.done / max(progress.of, 1), "accent"))
        set_shown(self._progress, True)
