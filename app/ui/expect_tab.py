"""What to expect: a calculator of speed-ups, also without a model, and with what was measured here."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QScrollArea, QSizePolicy, QWidget

from app.core.experiment import Experiment
from app.core.measured_assumptions import (
    Assumptions,
    MeasuredPoint,
    measured_assumptions,
    measured_points,
)
from app.core.pass_costs import PassCosts
from app.ui.chart import Chart
from app.ui.compare_services import CompareServices
from app.ui.cost_measurement import CostMeasurement
from app.ui.expect_controls import ExpectControls
from app.ui.expect_curves import costs_of, curves
from app.ui.expect_headline import ExpectHeadline
from app.ui.expect_models import ExpectModels
from app.ui.expect_words import measured_text
from app.ui.session_state import Running, Setup
from app.ui.theme import Theme
from app.ui.widgets import Card, column, row

_CONTROLS = 308  # pixels
_GAP = 16
_CHART_HEIGHT = 208


class _LowChart(Chart):
    """Takes what height is left, and little where there is none."""

    def __init__(self, theme: Theme, x_title: str, y_title: str, name: str) -> None:
        super().__init__(theme, x_title, y_title, name)
        self.setMinimumHeight(_CHART_HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)

    def hasHeightForWidth(self) -> bool:
        """Else the height that it would like counts for more than the policy."""
        return False


class ExpectTab(QScrollArea):
    """The figures on the left; what they come to, and the curve over all draft lengths, on the right."""

    model_requested = Signal()

    def __init__(self, services: CompareServices, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = services.session
        self._measured: PassCosts | None = None
        self._measured_on: Setup | None = None
        self._points: tuple[MeasuredPoint, ...] = ()
        self._adoptable: Assumptions | None = None
        self._measurement = CostMeasurement(services.session, self)
        self.setObjectName("expect_tab")
        self.setAccessibleName(self.tr("What to expect"))
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._headline = ExpectHeadline()
        self._controls = ExpectControls()
        self._controls.setFixedWidth(_CONTROLS)
        self._models = ExpectModels(services.theme)
        self._chart = _LowChart(
            services.theme,
            self.tr("max draft tokens"),
            self.tr("times as fast as plain steps"),
            "expect_chart",
        )
        self._chart_card = Card()
        self._chart_card.setLayout(column(self._chart, margins=(16, 12, 16, 12)))
        right = column(self._models, self._chart_card, spacing=_GAP)
        right.setStretchFactor(self._chart_card, 1)
        body = row(self._controls, right, spacing=_GAP)
        body.setStretchFactor(right, 1)
        content = QWidget()
        content.setObjectName("scroll_content")
        whole = column(self._headline, body, spacing=_GAP)
        whole.setStretchFactor(body, 1)
        content.setLayout(whole)
        self.setWidget(content)
        self._connect(services)
        self._show()
        self._follow_session()

    def show_experiment(self, experiment: Experiment) -> None:
        """Puts what was measured on the chart."""
        self._points = measured_points(experiment)
        self._adoptable = measured_assumptions(experiment)
        self._controls.offer_adoption(self._adoptable is not None)
        self._show()

    def take_focus(self) -> None:
        """Goes to the first number."""
        self._controls.take_focus()

    def picture_widget(self) -> QWidget | None:
        """The chart."""
        return self._chart

    def _connect(self, services: CompareServices) -> None:
        self._controls.changed.connect(self._show)
        self._controls.adoption_requested.connect(self._adopt)
        self._headline.measure_requested.connect(self._measure)
        self._headline.stop_requested.connect(self._measurement.stop)
        self._headline.model_requested.connect(self.model_requested)
        self._measurement.measured.connect(self._take_costs)
        self._measurement.failed.connect(self._fail)
        services.session.state_changed.connect(self._follow_session)
        services.session.measuring_changed.connect(self._follow_session)

    def _show(self) -> None:
        figures, followed = self._controls.figures, self._controls.followed
        costs = figures.costs if followed is None else costs_of(figures, followed)
        self._headline.show_figures(figures, costs)
        self._models.show_figures(figures, costs)
        if self._measured is not None:
            self._headline.tell(measured_text(self._measured, figures.drafted))
        shown = curves(figures, costs, self._measured, self._points)
        self._chart.show_series(shown.series, shown.levels)

    def _adopt(self) -> None:
        if self._adoptable is not None:
            self._controls.show_figures(self._adoptable)

    def _follow_session(self) -> None:
        state = self._session.state
        setup = state.setup if isinstance(state, Running) else None
        self._headline.show_engine(
            is_loaded=setup is not None,
            is_lent=self._session.is_measuring,
            is_measuring=self._measurement.is_running,
        )
        if setup is not None and self._measured_on is not None and setup.target != self._measured_on.target:
            self._measured = self._measured_on = None  # another model is another matter
            self._controls.forget_measured()
            self._headline.tell("")
            self._show()

    def _measure(self) -> None:
        if self._measurement.start():
            self._headline.tell(
                self.tr("Measuring: target passes over 1, 2, 3 … tokens, and a draft's steps.")
            )
            self._follow_session()
        elif self._session.is_answering:
            self._headline.tell(self.tr("The chat is answering. Measure when it is done."))

    def _take_costs(self, costs: PassCosts) -> None:
        state = self._session.state
        self._measured = costs
        self._measured_on = state.setup if isinstance(state, Running) else None
        self._follow_session()
        self._controls.show_measured(costs)

    def _fail(self, sentence: str) -> None:
        self._headline.tell(sentence)
        self._follow_session()
