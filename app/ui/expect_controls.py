"""The figures that an expectation is worked out from: dragged, typed, measured or taken from a comparison."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.core.measured_assumptions import Assumptions
from app.core.options import LONGEST_DRAFT
from app.core.pass_costs import PassCosts
from app.ui.expect_figure_words import chance_meaning, check_meaning
from app.ui.form_parts import set_shown, show_line
from app.ui.slider_field import SliderField, SliderScale
from app.ui.widgets import Card, button, column, label

START = Assumptions(target_rate=10.0, draft_rate=30.0, drafted=5, acceptance=0.7)

_RATES = SliderScale(0.5, 500.0, 0.01, 100_000.0, even_factors=True)
_LENGTHS = SliderScale(1, LONGEST_DRAFT, 1, LONGEST_DRAFT, step=1.0)
_SHARES = SliderScale(0.0, 100.0, 0.0, 100.0, step=0.5)
_FACTORS = SliderScale(1.0, 8.0, 1.0, 100.0, step=0.01)  # a check makes a token too, so costs a step at least
_APART, _CLOSE = 10, 2  # pixels between the numbers, where there is room and where there is little


class ExpectControls(Card):
    """Five numbers. After a measurement the cost of a check follows the draft's length until it is set."""

    changed = Signal()  # also where a number became unusable, or usable again
    adoption_requested = Signal()  # of the last comparison's figures

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("expect_controls")
        self._measured: PassCosts | None = None
        self._is_followed = False
        per_second = self.tr("tok/s")
        self._target = SliderField(
            "target_rate_field",
            self.tr("Target speed"),
            per_second,
            _RATES,
            START.target_rate,
            self.tr("By itself, one token after the other."),
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
            self.tr("Draft length"),
            self.tr("tokens"),
            _LENGTHS,
            START.drafted,
            self.tr("Tokens drafted before each check."),
            single=self.tr("token"),
        )
        self._acceptance = SliderField(
            "acceptance_field", self.tr("Chance of each token"), "%", _SHARES, 100 * START.acceptance
        )
        self._factor = SliderField(
            "check_factor_field",
            self.tr("Verification cost"),
            self.tr("steps"),
            _FACTORS,
            START.check_factor,
            single=self.tr("step"),
        )
        self._fields = (self._target, self._draft, self._drafted, self._acceptance, self._factor)
        self._follow_button = button(self.tr("Use the measured cost"), "follow_costs_button", small=True)
        self._follow_button.clicked.connect(self._follow_again)
        self._adopt = button(self.tr("Use the last comparison's figures"), "adopt_figures_button", small=True)
        self._adopt.clicked.connect(self.adoption_requested)
        self._conversion = label(size="small", tone="muted", wrap=True)
        self._conversion.setObjectName("adopt_conversion_line")
        self._title = label(self.tr("What if …"), size="heading")
        self._room = column(self._title, spacing=_APART, margins=(16, 14, 16, 14))
        for part in (*self._fields, self._follow_button, self._adopt, self._conversion):
            self._room.addWidget(part)
        self._room.addStretch(1)
        self.setLayout(self._room)
        self._follow_button.hide()
        self.offer_adoption("")
        for part in (self._target, self._draft, self._acceptance):
            part.value_changed.connect(self._tell)
        for part in self._fields:
            part.problem_changed.connect(self._tell)
        self._drafted.value_changed.connect(self._length_changed)
        self._factor.value_changed.connect(self._factor_changed)
        self._explain()

    @property
    def figures(self) -> Assumptions:
        """What is set, the last usable number of each."""
        return Assumptions(
            target_rate=self._target.value,
            draft_rate=self._draft.value,
            drafted=int(self._drafted.value),
            acceptance=self._acceptance.value / 100,
            check_factor=self._factor.value,
        )

    @property
    def problem(self) -> str:
        """Why a number cannot be used; empty while all can."""
        return next((each.problem for each in self._fields if each.problem), "")

    @property
    def followed(self) -> PassCosts | None:
        """The measurement that gives the cost of a check; None where a person or a comparison gave it."""
        return self._measured if self._is_followed else None

    def show_figures(self, figures: Assumptions) -> None:
        """Takes other figures, in round numbers."""
        self._is_followed = False
        self._target.set_value(figures.target_rate)
        self._draft.set_value(figures.draft_rate)
        self._drafted.set_value(figures.drafted)
        self._acceptance.set_value(100 * figures.acceptance)
        self._factor.set_value(figures.check_factor)
        self._tell()

    def show_measured(self, costs: PassCosts) -> None:
        """Takes what was measured, as far as it tells the figures."""
        self._measured, self._is_followed = costs, True
        self._target.set_value(1 / costs.step_s)
        if costs.draft_s:
            self._draft.set_value(1 / costs.draft_s)
        self._follow()
        self._tell()

    def forget_measured(self) -> None:
        """The measurement was another model's; its figures stay as they are set."""
        self._measured, self._is_followed = None, False
        self._explain()

    def offer_adoption(self, conversion: str) -> None:
        """Offers a comparison's figures, with what becomes of its acceptance; empty where it has none."""
        set_shown(self._adopt, bool(conversion))
        show_line(self._conversion, conversion)

    def set_compact(self, compact: bool) -> None:
        """Whether there is little room: then what the numbers mean is left to their tooltips."""
        set_shown(self._title, not compact)
        self._room.setSpacing(_CLOSE if compact else _APART)
        for part in self._fields:
            part.set_explained(not compact)

    def take_focus(self) -> None:
        """Goes to the first number."""
        self._target.take_focus()

    def _tell(self) -> None:
        self._explain()
        self.changed.emit()

    def _explain(self) -> None:
        figures = self.figures
        self._acceptance.explain(chance_meaning(figures))
        self._factor.explain(check_meaning(figures, self.followed))
        set_shown(self._follow_button, self._measured is not None and not self._is_followed)

    def _length_changed(self) -> None:
        self._follow()
        self._tell()

    def _factor_changed(self) -> None:
        self._is_followed = False
        self._tell()

    def _follow_again(self) -> None:
        self._is_followed = True
        self._follow()
        self._tell()

    def _follow(self) -> None:
        """The check's cost is the measured one for the draft's length."""
        measured = self.followed
        if measured is not None:
            self._factor.set_value(measured.pass_s(int(self._drafted.value) + 1) / measured.step_s)
