"""What a sweep came to: the finding, and the chart of speed against draft length."""

from msgspec import Struct
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.core.experiment import Spread, Summary, Variant
from app.core.options import SpeculationMode
from app.core.sweep_result import SweepPoint, SweepResult, sweep_result
from app.figures import rate_figure
from app.ui.chart import Chart
from app.ui.chart_series import Level, Series
from app.ui.compare_services import CompareServices
from app.ui.finding_card import FindingCard
from app.ui.form_parts import set_shown, show_line
from app.ui.offers import Remembering
from app.ui.option_words import mode_text
from app.ui.sweep_finding import sweep_finding
from app.ui.sweep_plan import LENGTHS
from app.ui.sweep_words import progress_text
from app.ui.variant_words import variant_text
from app.ui.widgets import Card, column, label

_ROLES = {SpeculationMode.DRAFT_MODEL: "accent", SpeculationMode.PROMPT_LOOKUP: "chart_5"}


class SweepFigures(Struct, frozen=True):
    """What is known of a sweep, be it under way or over."""

    prompt: str  # its id
    variants: tuple[Variant, ...]
    summaries: tuple[Summary, ...] = ()
    caption: str = ""  # which models
    is_over: bool = False
    is_complete: bool = False


class SweepResults(QWidget):
    """Fills while the sweep goes on."""

    remember_requested = Signal(object)  # Side

    def __init__(self, services: CompareServices, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._finding = FindingCard(services.theme, "sweep")
        self._finding.remember_requested.connect(self.remember_requested)
        self._caption = label(size="small", tone="muted", wrap=True)
        self._caption.setObjectName("sweep_caption")
        self._progress = label(size="small", tone="muted")
        self._progress.setObjectName("sweep_progress_line")
        self.chart = Chart(services.theme, self.tr("Max draft tokens"), self.tr("tok/s"), "sweep_chart")
        self.chart.set_empty_text(
            self.tr(
                "How many tokens to draft at once depends on the model, the draft and this machine. A sweep "
                "tries 1 to 8 and the automatic length, and shows which is fastest here."
            )
        )
        self.chart.put_off(services.session.is_measuring)
        services.session.measuring_changed.connect(self.chart.put_off)
        self.card = Card()
        inside = column(self._caption, self._progress, spacing=4, margins=(16, 12, 16, 12))
        inside.addWidget(self.chart, 1)
        self.card.setLayout(inside)
        whole = column(self._finding, spacing=12)
        whole.addWidget(self.card, 1)
        self.setLayout(whole)
        self.clear()

    def clear(self) -> None:
        """Shows nothing but what will be here."""
        set_shown(self._finding, False)
        for line in (self._caption, self._progress):
            show_line(line, "")
        self.chart.show_series(())

    def show_figures(self, figures: SweepFigures, remembering: Remembering) -> None:
        """Shows what is known, and offers what of it can be remembered."""
        result = sweep_result(figures.variants, figures.summaries, figures.prompt)
        finding = None
        if figures.is_over:
            finding = sweep_finding(result, remembering, is_complete=figures.is_complete)
        set_shown(self._finding, finding is not None)
        if finding is not None:
            self._finding.show_finding(finding)
        show_line(self._caption, figures.caption)
        show_line(self._progress, "" if figures.is_over else progress_text(result))
        self._plot(result, figures.variants)

    def _plot(self, result: SweepResult, variants: tuple[Variant, ...]) -> None:
        series, levels = [], []
        lengths = [
            each.speculation.max_draft_tokens
            for each in variants
            if each is not result.reference and not each.speculation.is_automatic
        ]
        if result.reference_speed is not None:
            levels.append(_level(variant_text(result.reference), result.reference_speed, "muted"))
        for point in result.automatic:
            levels.append(_level(variant_text(point.variant), point.speed, "chart_4"))
        for mode, role in _ROLES.items():
            points = result.of_mode(mode)
            if points:
                series.append(_series(mode_text(mode), points, role, result.best))
        ends = (float(min(lengths, default=LENGTHS[0])), float(max(lengths, default=LENGTHS[-1])))
        self.chart.show_series(series, levels, x_range=ends)


def _level(name: str, speed: Spread, role: str) -> Level:
    return Level(f"{name} · {rate_figure(speed.median)}", speed.median, role)


def _series(name: str, points: tuple[SweepPoint, ...], role: str, best: SweepPoint | None) -> Series:
    speeds = [point.speed for point in points]
    has_spread = any(speed.min < speed.max for speed in speeds)
    return Series(
        name=name,
        points=tuple((float(point.length), point.speed.median) for point in points),
        role=role,
        spread=tuple((speed.min, speed.max) for speed in speeds) if has_spread else (),
        best=points.index(best) if best is not None and best in points else None,
    )
