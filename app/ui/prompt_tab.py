"""Compare, one prompt: two ways to answer it side by side, and what it comes to."""

from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from app.core.experiment import Experiment, ExperimentKind
from app.core.prompts import Prompt
from app.core.verdict import Verdict, verdict_of
from app.settings import Settings, UserMode
from app.ui.compare_services import CompareServices
from app.ui.difference_card import DifferenceCard
from app.ui.finding_card import FindingCard
from app.ui.form_parts import set_shown
from app.ui.measuring_tab import MeasuringTab
from app.ui.pane_pair import PanePair
from app.ui.prompt_box import PromptBox
from app.ui.result_picture import ResultPicture
from app.ui.result_strips import ResultStrips
from app.ui.run_watch import Work
from app.ui.side import Side
from app.ui.variant_words import variant_text
from app.ui.verdict_finding import verdict_finding
from app.ui.widgets import column, row

_REPEATS = 5  # at first
_SPACING = 12  # pixels
_LEAST_PANES = 300  # pixels, high
_BAR_STRETCH, _BOX_STRETCH = 2, 5
_MOST_BAR = 360  # pixels, wide


class PromptTab(MeasuringTab):
    """Both texts come in as they are generated. One from elsewhere has its sides in words."""

    def __init__(self, services: CompareServices, parent: QWidget | None = None) -> None:
        super().__init__(services, ExperimentKind.PROMPT, name="", repeats=_REPEATS, parent=parent)
        self._verdict: Verdict | None = None  # on what is shown
        self._box = PromptBox(services.theme, services.icons, services.suites)
        self._card = FindingCard(services.theme, "result")
        self._difference = DifferenceCard()
        self._panes = PanePair(services)
        self._panes.setMinimumHeight(_LEAST_PANES)
        self._strips = ResultStrips(services.theme)
        self._area = self._scrolling()
        self._box.run_requested.connect(self._watch.start)
        self._box.changed.connect(self._question_changed)
        self._watch.run_began.connect(self._panes.begin_run)
        self._watch.prefilled.connect(self._panes.show_prefill)
        self._watch.round_received.connect(self._panes.add_round)
        self._watch.run_ended.connect(self._panes.end_run)
        self._card.remember_requested.connect(self.remember_requested)
        self._difference.shown_requested.connect(self._go_to_difference)
        services.preferences.changed.connect(self._follow_mode)
        self._follow_mode(services.preferences.settings)
        self._set_up(self._area, self._panes.pickers)

    @property
    def has_picture(self) -> bool:
        """Not before both sides have answered."""
        return self._verdict is not None

    def _scrolling(self) -> QScrollArea:
        asking = row(spacing=12)
        asking.addWidget(self._box, _BOX_STRETCH)
        asking.addWidget(self._bar, _BAR_STRETCH)
        self._bar.setMaximumWidth(_MOST_BAR)
        content = QWidget()
        content.setObjectName("scroll_content")
        inside = column(asking, self._remark, self._card, self._difference, spacing=_SPACING)
        inside.addWidget(self._panes, 1)
        inside.addWidget(self._strips)
        content.setLayout(inside)
        area = QScrollArea()
        area.setObjectName("prompt_tab_area")
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidgetResizable(True)
        area.setWidget(content)
        return area

    # What is asked

    def _set_locked(self, reason: str) -> None:
        super()._set_locked(reason)
        self._box.set_locked(reason)

    def _focus_question(self) -> None:
        self._box.take_focus()

    def _sides(self) -> tuple[Side, ...]:
        return self._panes.sides

    def _prompts(self) -> tuple[Prompt, ...]:
        prompt = self._box.prompt
        return () if prompt is None else (prompt,)

    def _show_sides(self, plain: Side, drafting: Side) -> None:
        self._panes.show_sides(plain, drafting)

    def _show_question(self, experiment: Experiment) -> None:
        self._box.set_prompt(experiment.prompts[0])
        self._panes.clear()
        self._panes.show_variants(experiment.variants)

    def _show_past(self, experiment: Experiment) -> None:
        self._panes.show_variants(experiment.variants)

    # What comes of it

    def _show_begun(self, work: Work) -> None:
        left, right = work.sides
        self._panes.begin((left, right), work.plan.repeats)

    def _show_result(self, experiment: Experiment) -> None:
        prompt = experiment.prompts[0].id
        self._verdict = verdict_of(experiment)
        self._panes.show_result(experiment, prompt, self._verdict)
        self._strips.show_experiment(experiment, prompt)
        set_shown(self._strips, True)
        left, right = (variant_text(each) for each in experiment.variants)
        self._difference.show_verdict(self._verdict, left, right)
        if self._verdict is None and not self._remark.text:
            self._tell(self.tr("It was stopped before both sides had answered."))
        self._show_offers(experiment)

    def _show_offers(self, experiment: Experiment) -> None:
        """The card; its buttons are for the model that it was measured on, while that is loaded."""
        set_shown(self._card, self._verdict is not None)
        if self._verdict is None:
            return
        self._card.show_finding(verdict_finding(self._verdict, self._remembering))

    def _clear_result(self) -> None:
        self._verdict = None
        self._panes.clear()
        self._panes.show_variants(None)
        self._difference.show_verdict(None, "", "")
        for part in (self._card, self._strips):
            set_shown(part, False)

    def _make_picture(self, experiment: Experiment) -> QWidget:
        assert self._verdict is not None
        return ResultPicture(self._services.theme, experiment, self._verdict, self)

    def _go_to_difference(self) -> None:
        self._panes.go_to_difference()
        self._area.ensureWidgetVisible(self._panes, 0, 0)

    def _follow_mode(self, settings: Settings) -> None:
        """Logits are for who wants them."""
        self._difference.set_logits(settings.mode is not UserMode.USER)
