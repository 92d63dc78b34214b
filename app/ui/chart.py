"""A chart with axes: lines of points, and levels across it."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QSizePolicy, QStackedLayout, QWidget

from app.ui.chart_legend import ChartLegend
from app.ui.chart_look import Plot
from app.ui.chart_series import Level, Series, tick_text, value_text
from app.ui.theme import Theme
from app.ui.widgets import column, label, row

__all__ = ["Chart", "Level", "Series"]

_LEAST_HEIGHT, _HEIGHT, _WIDTH = 160, 280, 480  # pixels
_MOST_TOLD = 16  # points, in words


class Chart(QWidget):
    """Values from 0 upwards over `x_title`. What it plots with is loaded when it is first shown.

    `name` is its object name; the figures are its accessible description.
    """

    def __init__(
        self, theme: Theme, x_title: str, y_title: str, name: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._x_title = x_title
        self._series: tuple[Series, ...] = ()
        self._levels: tuple[Level, ...] = ()
        self._x_range: tuple[float, float] | None = None
        self._plot: Plot | None = None
        self._is_put_off = False
        self.setObjectName(name)
        self.setAccessibleName(self.tr("{values} by {places}").format(values=y_title, places=x_title))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._empty = label(tone="muted", wrap=True)
        self._empty.setObjectName(f"{name}_empty_line")
        self._later = label(
            self.tr("The chart is drawn once the measuring is over."), tone="muted", wrap=True
        )
        self._later.setObjectName(f"{name}_later_line")
        for line in (self._empty, self._later):
            line.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._legend = ChartLegend(theme)
        self._y_title = label(y_title, size="small", tone="muted")
        self._filled = QWidget()
        head = row(self._y_title, spacing=20)
        head.addWidget(self._legend, 1)
        self._room = column(head, spacing=4)
        self._filled.setLayout(self._room)
        self._pages = QStackedLayout()
        self._pages.addWidget(self._empty)
        self._pages.addWidget(self._filled)
        self._pages.addWidget(self._later)
        self.setLayout(self._pages)
        theme.changed.connect(self._draw)

    @property
    def series(self) -> tuple[Series, ...]:
        """What is shown."""
        return self._series

    @property
    def levels(self) -> tuple[Level, ...]:
        """The lines across it."""
        return self._levels

    @property
    def is_empty(self) -> bool:
        """True while there is nothing to plot."""
        return not self._levels and not any(each.points for each in self._series)

    def put_off(self, wanted: bool) -> None:
        """Whether what it plots with may not be loaded now, which would disturb what is being timed."""
        self._is_put_off = wanted
        if self._plot is None:
            self._draw()
            QTimer.singleShot(0, self, self._load)

    def set_empty_text(self, text: str) -> None:
        """What stands here while there is nothing to plot."""
        self._empty.setText(text)
        self._describe()

    def show_series(
        self,
        series: Sequence[Series],
        levels: Sequence[Level] = (),
        *,
        x_range: tuple[float, float] | None = None,
    ) -> None:
        """Plots other figures. `x_range` are the ends of the x axis; None: those of the points."""
        wanted = (tuple(series), tuple(levels), x_range)
        if wanted == (self._series, self._levels, self._x_range):
            return
        self._series, self._levels, self._x_range = wanted
        entries = [(each.name, each.role) for each in self._series if each.points and each.name]
        entries += [(level.name, level.role) for level in self._levels if level.name]
        self._legend.show_items(tuple(entries))
        self._describe()
        self._draw()

    def showEvent(self, event: QShowEvent) -> None:
        """Loads what it plots with, once the frame is on the screen: better than in the middle of a run."""
        super().showEvent(event)
        if self._plot is None:
            QTimer.singleShot(0, self, self._load)

    def load(self) -> None:
        """Loads what it plots with at once, for a picture of a chart that is never shown."""
        if self._plot is None:
            self._plot = Plot(self._theme, self._x_title)
            self._plot.widget.setObjectName(f"{self.objectName()}_plot")
            self._room.addWidget(self._plot.widget, 1)
            self._draw()

    def sizeHint(self) -> QSize:
        """A chart of middling size."""
        return QSize(_WIDTH, _HEIGHT)

    def minimumSizeHint(self) -> QSize:
        """Still readable."""
        return QSize(_WIDTH // 2, _LEAST_HEIGHT)

    def _load(self) -> None:
        if self.isVisible() and not self._is_put_off:
            self.load()

    def _draw(self) -> None:
        is_waiting = self._plot is None and self._is_put_off
        filled = self._later if is_waiting else self._filled
        self._pages.setCurrentWidget(self._empty if self.is_empty else filled)
        if self._plot is not None and not self.is_empty:
            self._plot.draw(self._series, self._levels, self._x_range)

    def _describe(self) -> None:
        if self.is_empty:
            self.setAccessibleDescription(self._empty.text())
            return
        told = [self._told(each) for each in self._series if each.points]
        told += [f"{level.name}: {value_text(level.value)}" for level in self._levels]
        self.setAccessibleDescription(". ".join(told))

    def _told(self, series: Series) -> str:
        if len(series.points) <= _MOST_TOLD:
            figures = ", ".join(f"{tick_text(x)}: {value_text(y)}" for x, y in series.points)
            return f"{series.name}: {figures}"
        values = [y for _, y in series.points]
        words = self.tr("{name}: from {low} to {high}")
        return words.format(name=series.name, low=value_text(min(values)), high=value_text(max(values)))
