"""Both sides of a comparison beside each other, on one scale of speed."""

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget

from app.core.experiment import Experiment, PlannedRun, Run, Variant
from app.core.protocol import Round
from app.core.verdict import Verdict
from app.ui.compare_pane import ComparePane
from app.ui.compare_services import CompareServices
from app.ui.dial import fitting_scale
from app.ui.pane_text import marked_stretch
from app.ui.result_strips import roles_of
from app.ui.side import Side, with_ids
from app.ui.variant_picker import VariantPicker
from app.ui.widgets import row

_TICK_MS = 250  # the engine that is being measured needs the processor
_LEAST_SCALE = 5  # tok/s
_GAP = 16  # pixels


class PanePair(QWidget):
    """Hands on what happens in a comparison to the side that it concerns."""

    def __init__(self, services: CompareServices, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.left = ComparePane(services, "left", self.tr("Left side"))
        self.right = ComparePane(services, "right", self.tr("Right side"))
        self._by_variant: dict[str, ComparePane] = {}
        self._answering: ComparePane | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(_TICK_MS)
        self._timer.timeout.connect(self._tick)
        whole = row(spacing=_GAP)
        for pane in (self.left, self.right):
            pane.picker.side_chosen.connect(self._follow_sides)
            whole.addWidget(pane, 1)
        self.setLayout(whole)

    @property
    def sides(self) -> tuple[Side, Side]:
        """How both are to answer, with ids that tell them apart."""
        return with_ids(self.left.side, self.right.side)

    @property
    def pickers(self) -> tuple[VariantPicker, VariantPicker]:
        """Where that is chosen, left and right."""
        return self.left.picker, self.right.picker

    @property
    def panes(self) -> tuple[ComparePane, ComparePane]:
        """Left and right."""
        return self.left, self.right

    def show_sides(self, left: Side, right: Side) -> None:
        """Shows how both are to answer."""
        self.left.show_side(left)
        self.right.show_side(right)
        self._show_roles((left.variant, right.variant))

    def show_variants(self, variants: tuple[Variant, ...] | None) -> None:
        """Shows how both did answer, in words alone; None lets the person choose again."""
        for number, pane in enumerate(self.panes):
            pane.show_variant(variants[number] if variants is not None else None)
        self._show_roles(variants or (self.left.side.variant, self.right.side.variant))

    def clear(self) -> None:
        """Shows no texts and no figures."""
        self._end_run()
        for pane in self.panes:
            pane.clear()

    def begin(self, sides: tuple[Side, Side], repeats: int) -> None:
        """A comparison of these begins."""
        self._by_variant = {side.variant.id: pane for side, pane in zip(sides, self.panes, strict=True)}
        self._show_roles((sides[0].variant, sides[1].variant))
        self._set_scale(_LEAST_SCALE)
        for pane in self.panes:
            pane.begin(repeats)

    def begin_run(self, planned: PlannedRun) -> None:
        """One side answers."""
        self._answering = self._by_variant.get(planned.variant)
        if self._answering is not None:
            self._answering.begin_run(planned.repeat)
            self._timer.start()

    def show_prefill(self, planned: PlannedRun, done: int, of: int) -> None:
        """It has read so much of the prompt."""
        pane = self._by_variant.get(planned.variant)
        if pane is not None and pane is self._answering:  # and no warm-up
            pane.show_prefill(done, of)

    def add_round(self, planned: PlannedRun, round_: Round) -> None:
        """It has answered more."""
        pane = self._by_variant.get(planned.variant)
        if pane is not None:
            pane.add_round(round_)

    def end_run(self, run: Run) -> None:
        """It has answered."""
        self._end_run()
        pane = self._by_variant.get(run.variant)
        if pane is not None:
            self._grow_scale(run.stats.tok_per_s or 0.0)
            pane.end_run(run)

    def show_result(self, experiment: Experiment, prompt: str, verdict: Verdict | None) -> None:
        """What came of a comparison of two, on a prompt by its id."""
        self._end_run()
        summaries = [experiment.summary_of(variant.id, prompt) for variant in experiment.variants]
        speeds = [
            each.tok_per_s.median for each in summaries if each is not None and each.tok_per_s is not None
        ]
        self._set_scale(fitting_scale(_LEAST_SCALE, max(speeds, default=0.0)))
        for variant, summary, pane in zip(experiment.variants, summaries, self.panes, strict=True):
            run = _shown_run(experiment, prompt, variant, verdict)
            pane.show_result(
                run,
                summary,
                experiment.memory.draft_bytes.get(variant.id, 0),
                _mark(run, variant, verdict),
            )
        self._show_roles(experiment.variants)

    def go_to_difference(self) -> None:
        """Scrolls both texts to the place where they part."""
        for pane in self.panes:
            pane.text.go_to_difference()

    def _tick(self) -> None:
        if self._answering is not None:
            self._grow_scale(self._answering.speed)
            self._answering.tick()

    def _end_run(self) -> None:
        self._answering = None
        self._timer.stop()

    def _grow_scale(self, speed: float) -> None:
        if speed > self.left.dial.scale:
            self._set_scale(fitting_scale(self.left.dial.scale, speed))

    def _set_scale(self, scale: int) -> None:
        for pane in self.panes:
            pane.dial.set_scale(scale)

    def _show_roles(self, variants: tuple[Variant, ...]) -> None:
        for pane, role in zip(self.panes, roles_of(variants), strict=True):
            pane.set_role(role)

    def _follow_sides(self) -> None:
        self._show_roles((self.left.side.variant, self.right.side.variant))


def _shown_run(experiment: Experiment, prompt: str, variant: Variant, verdict: Verdict | None) -> Run | None:
    """A variant's first run; of the judged one, the first that leaves the other's text."""
    runs = experiment.runs_of(variant.id, prompt)
    if verdict is not None and verdict.difference is not None and variant.id == verdict.judged.id:
        expected = experiment.runs_of(verdict.other.id, prompt)[0].tokens
        return next((run for run in runs if run.tokens != expected), runs[0])
    return runs[0] if runs else None


def _mark(run: Run | None, variant: Variant, verdict: Verdict | None) -> tuple[int, int] | None:
    if run is None or verdict is None or verdict.difference is None:
        return None
    first = verdict.difference
    token = first.found_text if variant.id == verdict.judged.id else first.expected_text
    return marked_stretch(run.text, first, token)
