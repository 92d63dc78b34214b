"""Compare, a sweep: many draft lengths on one prompt, and which is fastest here."""

from PySide6.QtWidgets import QWidget

from app.core.experiment import Experiment, ExperimentKind, Run
from app.core.growing_summaries import GrowingSummaries
from app.core.prompts import Prompt
from app.ui.compare_services import CompareServices
from app.ui.form_parts import show_line
from app.ui.measuring_tab import MeasuringTab
from app.ui.plan_parts import models_text
from app.ui.prompt_box import PromptBox
from app.ui.run_watch import Work
from app.ui.side import Side
from app.ui.sweep_plan import sweep_sides
from app.ui.sweep_results import SweepFigures, SweepResults
from app.ui.variant_picker import VariantPicker
from app.ui.widgets import column, label, row

_REPEATS = 3  # at first: fewer say nothing about the spread
_SPACING = 12  # pixels
_PICKER_WIDTH = 260


class SweepTab(MeasuringTab):
    """What drafts, and all but the length, is chosen as for one side of a comparison."""

    def __init__(self, services: CompareServices, parent: QWidget | None = None) -> None:
        super().__init__(services, ExperimentKind.SWEEP, name="sweep_", repeats=_REPEATS, parent=parent)
        self._so_far = GrowingSummaries(())
        self._box = PromptBox(services.theme, services.icons, services.suites)
        self.picker = VariantPicker(services, "sweep_picker", length_is_swept=True)
        self._amount = label(size="small", tone="muted")
        self._amount.setObjectName("sweep_amount")
        self._results = SweepResults(services)
        self._box.run_requested.connect(self._watch.start)
        self._box.changed.connect(self._question_changed)
        self._watch.run_ended.connect(self._show_run)
        self._results.remember_requested.connect(self.remember_requested)
        self._set_up(self._content(), (self.picker,))

    def picture_widget(self) -> QWidget | None:
        """The chart with its caption, as it stands on the page."""
        return self._results.card if self.has_picture else None

    def _content(self) -> QWidget:
        asking = row(spacing=12)
        asking.addWidget(self._box, 1)
        asking.addWidget(self._bar)
        self.picker.setFixedWidth(_PICKER_WIDTH)
        drafting = row(self.picker, self._amount, None, spacing=12)
        content = QWidget()
        whole = column(asking, drafting, self._remark, spacing=_SPACING)
        whole.addWidget(self._results, 1)
        content.setLayout(whole)
        return content

    def _set_locked(self, reason: str) -> None:
        super()._set_locked(reason)
        self._box.set_locked(reason)

    def _focus_question(self) -> None:
        self._box.take_focus()

    def _sides(self) -> tuple[Side, ...]:
        return sweep_sides(self.picker.side)

    def _prompts(self) -> tuple[Prompt, ...]:
        prompt = self._box.prompt
        return () if prompt is None else (prompt,)

    def _show_sides(self, plain: Side, drafting: Side) -> None:
        self.picker.show_side(drafting)

    def _show_question(self, experiment: Experiment) -> None:
        self._box.set_prompt(experiment.prompts[0])

    def _show_begun(self, work: Work) -> None:
        self._so_far = GrowingSummaries(work.plan.variants)

    def _show_run(self, run: Run) -> None:
        work = self._watch.work
        if work is not None:
            self._so_far.add(run)
            self._show(SweepFigures(work.plan.prompts[0].id, work.plan.variants, self._so_far.summaries))

    def _show_result(self, experiment: Experiment) -> None:
        self._show(
            SweepFigures(
                prompt=experiment.prompts[0].id,
                variants=experiment.variants,
                summaries=experiment.summary,
                caption=models_text(experiment),
                is_over=True,
                is_complete=experiment.is_complete,
            )
        )

    def _show_offers(self, experiment: Experiment) -> None:
        self._show_result(experiment)

    def _show(self, figures: SweepFigures) -> None:
        self._results.show_figures(figures, self._remembering)

    def _clear_result(self) -> None:
        self._results.clear()

    def _show_amount(self, amount: str) -> None:
        words = self.tr("1 to 8 draft tokens, automatic and off: {amount}")
        if self.picker.side.draft is not None:
            words = self.tr("1 to 8 draft tokens, lookup, automatic and off: {amount}")
        show_line(self._amount, words.format(amount=amount) if amount else "")
