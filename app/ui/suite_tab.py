"""Compare, a suite: prompts of several kinds with and without drafting, as what it gains depends on them."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

from app.core.experiment import Experiment, ExperimentKind, Run, Variant, reference_of
from app.core.growing_summaries import GrowingSummaries
from app.core.prompts import Prompt
from app.ui.compare_services import CompareServices
from app.ui.form_parts import show_line
from app.ui.measuring_tab import MeasuringTab
from app.ui.prompts_picker import PromptsPicker
from app.ui.run_watch import Work
from app.ui.side import Side, with_ids
from app.ui.suite_picture import SuitePicture
from app.ui.suite_results import SuiteFigures, SuiteResults
from app.ui.texts_dialog import TextsDialog
from app.ui.variant_picker import VariantPicker
from app.ui.widgets import column, label, row

_REPEATS = 1  # at first: many prompts take long enough
_SPACING, _HEIGHT = 12, 40  # pixels


class SuiteTab(MeasuringTab):
    """Runs a choice of prompts both ways, and shows each as soon as it has ended."""

    def __init__(self, services: CompareServices, parent: QWidget | None = None) -> None:
        super().__init__(services, ExperimentKind.SUITE, name="suite_", repeats=_REPEATS, parent=parent)
        self._so_far = GrowingSummaries(())
        self.prompts_picker = PromptsPicker(services, "suite_prompts_picker")
        self._left = VariantPicker(services, "suite_left_picker")
        self._right = VariantPicker(services, "suite_right_picker")
        self._amount = label(size="small", tone="muted")
        self._amount.setObjectName("suite_amount")
        self._results = SuiteResults(services)
        self.prompts_picker.prompts_chosen.connect(self._question_changed)
        self.prompts_picker.file_read.connect(self._results.add_title)
        self.prompts_picker.problem_occurred.connect(self._tell_problem)
        self._watch.run_ended.connect(self._show_run)
        self._results.remember_requested.connect(self.remember_requested)
        self._results.texts_requested.connect(self._show_texts)
        shortcut = QShortcut(
            QKeySequence("Ctrl+Return"), self, context=Qt.ShortcutContext.WidgetWithChildrenShortcut
        )
        shortcut.activated.connect(self._watch.start)
        self._set_up(self._content(), (self._left, self._right))

    @property
    def has_picture(self) -> bool:
        """Not while only plain generation was measured."""
        return self._experiment is not None and self._results.judged is not None

    def _content(self) -> QWidget:
        asking = row(spacing=8)
        for picker in (self.prompts_picker, self._left, self._right):
            picker.setFixedHeight(_HEIGHT)
        asking.addWidget(self.prompts_picker, 4)
        asking.addWidget(self._left, 2)
        asking.addWidget(label(self.tr("against"), tone="muted"))
        asking.addWidget(self._right, 3)
        asking.addWidget(self._bar)
        content = QWidget()
        whole = column(asking, self._amount, self._remark, spacing=_SPACING)
        whole.addWidget(self._results, 1)
        content.setLayout(whole)
        return content

    def _focus_question(self) -> None:
        self.prompts_picker.setFocus(Qt.FocusReason.OtherFocusReason)

    def _sides(self) -> tuple[Side, ...]:
        return with_ids(self._left.side, self._right.side)

    def _prompts(self) -> tuple[Prompt, ...]:
        return self.prompts_picker.prompts

    def _show_sides(self, plain: Side, drafting: Side) -> None:
        self._left.show_side(plain)
        self._right.show_side(drafting)

    def _show_question(self, experiment: Experiment) -> None:
        """The table has all of it."""

    def _show_begun(self, work: Work) -> None:
        self._so_far = GrowingSummaries(work.plan.variants)
        self._show(SuiteFigures(work.plan.prompts, work.plan.variants))

    def _show_run(self, run: Run) -> None:
        work = self._watch.work
        if work is not None:
            self._so_far.add(run)
            self._show(SuiteFigures(work.plan.prompts, work.plan.variants, self._so_far.summaries))

    def _show_result(self, experiment: Experiment) -> None:
        self._show(
            SuiteFigures(
                prompts=experiment.prompts,
                variants=experiment.variants,
                summaries=experiment.summary,
                is_over=True,
                is_complete=experiment.is_complete,
            )
        )

    def _show_offers(self, experiment: Experiment) -> None:
        self._show_result(experiment)

    def _show(self, figures: SuiteFigures) -> None:
        self._results.show_figures(figures, self._remembering)

    def _clear_result(self) -> None:
        self._results.clear()

    def _make_picture(self, experiment: Experiment) -> QWidget:
        result, judged = self._results.result(), self._results.judged
        assert result is not None and judged is not None
        return SuitePicture(self._services, experiment, judged, result, self)

    def _show_texts(self, prompt: str, judged: Variant) -> None:
        experiment = self._experiment
        if experiment is None:
            return
        asked = next(each for each in experiment.prompts if each.id == prompt)
        sides = reference_of(experiment.variants), judged
        dialog = TextsDialog(self._services, experiment, asked, sides, self.window())
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    def _show_amount(self, amount: str) -> None:
        show_line(self._amount, "" if self._remark.text else amount)

    def _set_locked(self, reason: str) -> None:
        super()._set_locked(reason)
        self.prompts_picker.setEnabled(not reason)
