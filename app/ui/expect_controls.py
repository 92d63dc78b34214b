"""The figures that an expectation is worked out from: dragged, typed, measured or taken from a comparison."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.core.measured_assumptions import Assumptions
from app.core.options import LONGEST_DRAFT
from app.core.pass_costs import PassCosts
from app.ui.form_parts import set_shown
from app.ui.slider_field import SliderField, SliderScale
from app.ui.widgets import Card, button, column, label

START = Assumptions(target_rate=10.0, draft_rate=30.0, drafted=5, acceptance=0.7)

_RATES = SliderScale(0.5, 500.0, 0.01, 100_000.0, even_factors=True)
_LENGTHS = SliderScale(1, LONGEST_DRAFT, 1, LONGEST_DRAFT, step=1.0)
_SHARES = SliderScale(0.0, 100.0, 0.0, 100.0, step=0.5)
_FACTORS = SliderScale(0.5, 8.0, 0.01, 100.0, step=0.01)


class ExpectControls(Card):
    """Five numbers. After a measurement the cost of a check follows the draft's length until it is set."""

    changed = Signal()
    adoption_requested = Signal()  # of the last comparison's figures

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("expect_controls")
        self._measured: PassCosts | None = None
        per_second = self.tr("tok/s")
        self._target = SliderField(
            "target_rate_field",
            self.tr("Target speed"),
            per_second,
            _RATES,
            START.target_rate,
            self.tr("What the model does by itself, one token after the other."),
        )
        self._draft = SliderField(
            "draft_rate_field",
            self.tr("Draft speed"),
            per_second,
            _RATES,
            START.draft_rate,
            self.tr("How fast the draft model proposes tokens."),
        )
        self._drafted = SliderField(
            "drafted_field",
            self.tr("Max draft tokens"),
            self.tr("tokens"),
            _LENGTHS,
            START.drafted,
            self.tr("How many tokens are drafted before the target checks them."),
        )
        self._acceptance = SliderField(
            "acceptance_field",
            self.tr("Acceptance probability"),
            "%",
            _SHARES,
            100 * START.acceptance,
            self.tr("The chance that a drafted token is kept."),
        )
        self._factor = SliderField(
            "check_factor_field",
            self.tr("Verification cost"),
            self.tr("steps"),
            _FACTORS,
            START.check_factor,
            self.tr(
                "How many plain steps it costs to check a draft. 1: checking all its tokens takes no longer "
                "than making one. On a processor it is often more."
            ),
        )
        self._adopt = button(self.tr("Use the last comparison's figures"), "adopt_figures_button", small=True)
        self._adopt.clicked.connect(self.adoption_requested)
        whole = column(label(self.tr("What if …"), size="heading"), spacing=12, margins=(16, 14, 16, 14))
        for part in (self._target, self._draft, self._drafted, self._acceptance, self._factor):
            whole.addWidget(part)
        whole.addWidget(self._adopt)
        whole.addStretch(1)
        self.setLayout(whole)
        self._adopt.hide()
        for part in (self._target, self._draft, self._acceptance):
            part.value_changed.connect(self.changed)
        self._drafted.value_changed.connect(self._length_changed)
        self._factor.value_changed.connect(self._factor_changed)

    @property
    def figures(self) -> Assumptions:
        """What is set."""
        return Assumptions(
            target_rate=self._target.value,
            draft_rate=self._draft.value,
            drafted=int(self._drafted.value),
            acceptance=self._acceptance.value / 100,
            check_factor=self._factor.value,
        )

    @property
    def followed(self) -> PassCosts | None:
        """The measurement that gives the cost of a check; None where a person gave it."""
        return self._measured

    def show_figures(self, figures: Assumptions) -> None:
        """Takes other figures, in round numbers."""
        self._measured = None
        self._target.set_value(figures.target_rate)
        self._draft.set_value(figures.draft_rate)
        self._drafted.set_value(figures.drafted)
        self._acceptance.set_value(100 * figures.acceptance)
        self._factor.set_value(figures.check_factor)
        self.changed.emit()

    def show_measured(self, costs: PassCosts) -> None:
        """Takes what was measured, as far as it tells the figures."""
        self._measured = costs
        self._target.set_value(1 / costs.target_s[0])
        if costs.draft_s:
            self._draft.set_value(1 / costs.draft_s)
        self._follow()
        self.changed.emit()

    def forget_measured(self) -> None:
        """The measurement was another model's; its figures stay as they are set."""
        self._measured = None

    def offer_adoption(self, offered: bool) -> None:
        """Whether a comparison has figures to be taken."""
        set_shown(self._adopt, offered)

    def take_focus(self) -> None:
        """Goes to the first number."""
        self._target.take_focus()

    def _length_changed(self) -> None:
        self._follow()
        self.changed.emit()

    def _factor_changed(self) -> None:
        self._measured = None
        self.changed.emit()

    def _follow(self) -> None:
        """The check's cost is the measured one for the draft's length, where there is one."""
        drafted = int(self._drafted.value)
        if self._measured is not None and drafted < len(self._measured.target_s):
            self._factor.set_value(self._measured.target_s[drafted] / self._measured.target_s[0])
