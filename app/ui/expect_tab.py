"""What to expect: a calculator of speed-ups, also without a model, and with what was measured here."""

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QBoxLayout, QGraphicsOpacityEffect, QScrollArea, QSizePolicy, QWidget

from app.core.expectation import StepCosts
from app.core.experiment import Experiment, ModelIdentity
from app.core.machine import describe_machine
from app.core.measured_assumptions import (
    Assumptions,
    MeasuredPoint,
    measured_acceptance,
    measured_assumptions,
    measured_points,
)
from app.core.pass_costs import PassCosts
from app.ui.chart import Chart
from app.ui.compare_services import CompareServices
from app.ui.comparison_problems import engine_problem, follow_engine
from app.ui.cost_measurement import CostMeasurement
from app.ui.expect_controls import ExpectControls
from app.ui.expect_curves import Curves, curves
from app.ui.expect_figure_words import conversion_text, figures_text, here_text, measured_text
from app.ui.expect_headline import ExpectHeadline
from app.ui.expect_models import ExpectModels
from app.ui.expect_picture import ExpectPicture
from app.ui.expect_words import headline
from app.ui.identities import is_model
from app.ui.plan_parts import models_text
from app.ui.session_state import Running, Setup
from app.ui.theme import Theme
from app.ui.widgets import Card, column, row

translate = QCoreApplication.translate

_CONTROLS = 308  # pixels
_GAP = 16
_CHART_HEIGHT = 208
_LOW = 560  # of the page: below, it takes scrolling to see all
_STALE = 0.35  # opacity


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
        self._session, self._comparison = services.session, services.comparison
        self._measured: PassCosts | None = None
        self._measured_on: Setup | None = None
        self._loaded: Setup | None = None  # the last that was
        self._points_of: ModelIdentity | None = None  # the target that they were measured with
        self._points: tuple[MeasuredPoint, ...] = ()
        self._points_where = ""  # with which models, on which machine
        self._adoptable: Assumptions | None = None
        self._shown = Curves((), ())
        self._theme = services.theme
        self._picture: ExpectPicture | None = None
        self._measurement = CostMeasurement(services.session, self)
        self.setObjectName("expect_tab")
        self.setAccessibleName(self.tr("What to expect"))
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._headline = ExpectHeadline(services.theme)
        self._controls = ExpectControls()
        self._controls.setFixedWidth(_CONTROLS)
        self._models = ExpectModels(services.theme)
        self._chart = _LowChart(services.theme, *_axes(), "expect_chart")
        self._chart_card = Card()
        self._chart_card.setLayout(column(self._chart, margins=(16, 12, 16, 12)))
        self._stale = [_greying(part) for part in (self._models, self._chart_card)]
        self._right = column(self._models, self._chart_card, spacing=_GAP)
        self._right.setStretchFactor(self._chart_card, 1)
        body = row(self._controls, self._right, spacing=_GAP)
        body.setStretchFactor(self._right, 1)
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
        """Puts what was measured on the chart, until another model is loaded."""
        self._points_of = experiment.target
        self._points = measured_points(experiment)
        self._points_where = models_text(experiment)
        self._adoptable = measured_assumptions(experiment)
        accepted, adoptable = measured_acceptance(experiment), self._adoptable
        conversion = ""
        if accepted is not None and adoptable is not None:
            conversion = conversion_text(accepted, adoptable)
        self._controls.offer_adoption(conversion)
        self._show()

    def take_focus(self) -> None:
        """Goes to the first number."""
        self._controls.take_focus()

    def showEvent(self, event: QShowEvent) -> None:
        """The chat may be answering by now."""
        super().showEvent(event)
        self._follow_session()

    @property
    def has_picture(self) -> bool:
        """There is always a curve."""
        return True

    def picture_widget(self) -> QWidget | None:
        """The chart with what it was worked out from. The one before it goes."""
        if self._picture is not None:
            self._picture.deleteLater()
        figures, costs = self._controls.figures, self._costs
        where = [self._points_where] if self._points else []
        if self._measured is not None and self._measured_on is not None:
            where.append(here_text(self._measured_on, describe_machine("").processor))
        chart = Chart(self._theme, *_axes(), "expect_picture_chart")
        self._picture = ExpectPicture(
            headline(figures, costs),
            "\n".join(dict.fromkeys(where)),
            figures_text(figures),
            chart,
            self._shown,
            self,
        )
        return self._picture

    @property
    def _costs(self) -> StepCosts:
        """What is reckoned with: checks as measured, unless another cost was set."""
        figures, followed = self._controls.figures, self._controls.followed
        return figures.costs if followed is None else figures.costs_by(followed)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keeps the numbers and the chart on the screen together where it is low."""
        super().resizeEvent(event)
        is_low = event.size().height() < _LOW
        self._controls.set_compact(is_low)
        directions = QBoxLayout.Direction
        self._right.setDirection(directions.BottomToTop if is_low else directions.TopToBottom)

    def _connect(self, services: CompareServices) -> None:
        self._controls.changed.connect(self._show)
        self._controls.adoption_requested.connect(self._adopt)
        self._headline.measure_requested.connect(self._measure)
        self._headline.stop_requested.connect(self._measurement.stop)
        self._headline.model_requested.connect(self.model_requested)
        self._measurement.progressed.connect(self._headline.show_progress)
        self._measurement.measured.connect(self._take_costs)
        self._measurement.failed.connect(self._fail)
        follow_engine(services.session, self._follow_session)

    def _show(self) -> None:
        figures, costs, problem = self._controls.figures, self._costs, self._controls.problem
        self._headline.show_figures(figures, costs, problem)
        self._models.show_figures(figures, costs)
        if self._measured is not None and not self._measurement.is_running:
            self._headline.tell(measured_text(self._measured, figures.drafted))
        shown = self._shown = curves(figures, costs, self._measured, self._points, self._adoptable)
        self._chart.show_series(shown.series, shown.levels, x_range=shown.x_range)
        for effect in self._stale:
            effect.setEnabled(bool(problem))

    def _adopt(self) -> None:
        if self._adoptable is not None:
            self._controls.show_figures(self._adoptable)

    def _follow_session(self) -> None:
        state = self._session.state
        setup = state.setup if isinstance(state, Running) else None
        self._chart.put_off(self._session.is_measuring)
        self._headline.show_engine(
            is_loaded=setup is not None,
            is_measuring=self._measurement.is_running,
            problem=engine_problem(self._session, comparing=self._comparison.is_running),
        )
        if setup is not None and not _pass_alike(setup, self._loaded):
            self._loaded = setup
            self._forget_others(setup)

    def _forget_others(self, setup: Setup) -> None:
        """Another model is another matter: what was measured of the one before goes."""
        if self._measured_on is not None and not _pass_alike(setup, self._measured_on):
            self._measured = self._measured_on = None
            self._controls.forget_measured()
            self._headline.tell("")
        if self._points_of is not None and not is_model(setup.target, self._points_of):
            self._points_of, self._points, self._adoptable = None, (), None
            self._controls.offer_adoption("")
        self._show()

    def _measure(self) -> None:
        if self._measurement.start():
            self._headline.tell(
                self.tr("Measuring: target passes over 1, 2, 3 … tokens, and a draft's steps.")
            )
            self._follow_session()
        else:
            self._follow_session()

    def _take_costs(self, costs: PassCosts) -> None:
        state = self._session.state
        self._measured = costs
        self._measured_on = state.setup if isinstance(state, Running) else None
        self._follow_session()
        self._controls.show_measured(costs)

    def _fail(self, sentence: str) -> None:
        self._headline.tell(sentence)
        self._follow_session()


def _axes() -> tuple[str, str]:
    return translate("Expect", "draft length in tokens"), translate("Expect", "times as fast as plain steps")


def _greying(part: QWidget) -> QGraphicsOpacityEffect:
    """Shows that a part is not of what is typed, once it is enabled."""
    effect = QGraphicsOpacityEffect(part)
    effect.setOpacity(_STALE)
    effect.setEnabled(False)
    part.setGraphicsEffect(effect)
    return effect


def _pass_alike(one: Setup, other: Setup | None) -> bool:
    """Whether passes cost the same: the same models, loaded in the same way."""
    if other is None:
        return False
    return (one.target, one.draft, one.config.load) == (other.target, other.draft, other.config.load)
