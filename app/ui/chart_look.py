"""How a chart looks: a plot of pyqtgraph's, in the theme's colours and fonts.

Importing pyqtgraph takes about half a second, so that it is left to the first plot that is made. It has no
types; what is `Any` here goes no further.
"""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFontMetrics
from PySide6.QtWidgets import QWidget

from app.ui.chart_series import Level, Series, highest_value, point_ticks, tick_text, ticks, value_text
from app.ui.theme import Theme

_LINE, _DOT, _BEST, _RING = 2.0, 8, 13, 2.0  # pixels
_BEAM = 0.12  # of the distance between whole numbers
_HEADROOM, _WITH_WORDS = 1.12, 1.28  # times the highest value, the second with words above it
_BESIDE = 0.05  # of the width, beside the outer points
_VALUE_TICKS, _POINT_TICKS = 6, 8
_TICK_FONT, _TICK_OFFSET, _TICK_MARGIN = 12, 6, 4  # pixels


class Plot:
    """Axes with lines, dots and levels. The mouse does nothing here: the page scrolls as anywhere else."""

    def __init__(self, theme: Theme, x_title: str) -> None:
        import pyqtgraph  # type: ignore[import-untyped]

        self._theme = theme
        self._x_title = x_title
        self._graph: Any = pyqtgraph
        self._plot: Any = pyqtgraph.PlotWidget(background=None, enableMenu=False)
        self._items: list[Any] = []
        widget = self.widget
        widget.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        widget.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._plot.viewport().setAutoFillBackground(False)  # the card's colour is seen
        self._plot.setCacheMode(self._plot.CacheModeFlag.CacheNone)  # a cached background is no vector
        self._plot.setAntialiasing(True)
        self._plot.setMouseEnabled(x=False, y=False)
        self._plot.disableAutoRange()
        self._plot.hideButtons()
        self._plot.getPlotItem().setContentsMargins(0, 4, 8, 0)
        for side in ("left", "bottom"):
            self._plot.getAxis(side).setStyle(tickLength=0, tickTextOffset=_TICK_OFFSET, tickAlpha=0)

    @property
    def widget(self) -> QWidget:
        """What is put into a layout."""
        found: QWidget = self._plot
        return found

    def draw(
        self, series: Sequence[Series], levels: Sequence[Level], x_range: tuple[float, float] | None
    ) -> None:
        """Draws anew, in the colours of now. The x axis reaches over the points where no range is given."""
        for item in self._items:
            self._plot.removeItem(item)
        self._items.clear()
        self._dress()
        self._lay_out(series, levels, x_range)
        for level in levels:
            self._add_line_across(level.value, self._colour(level.role), Qt.PenStyle.DashLine, _LINE)
        for each in series:
            if each.points:
                self._add_series(each)

    def _dress(self) -> None:
        colours = self._theme.colours
        font = self._theme.body_font(_TICK_FONT)
        left, bottom = self._plot.getAxis("left"), self._plot.getAxis("bottom")
        for axis in (left, bottom):
            axis.setStyle(tickFont=font)
            axis.setTextPen(colours.muted)
        left.setPen(None)
        bottom.setPen(self._pen(colours.line, 1.0))
        bottom.label.setFont(font)
        bottom.setLabel(self._x_title, color=colours.muted.name(), **{"font-size": f"{_TICK_FONT}px"})

    def _lay_out(
        self, series: Sequence[Series], levels: Sequence[Level], x_range: tuple[float, float] | None
    ) -> None:
        places = [x for each in series for x, _ in each.points]
        low, high = x_range or (min(places, default=0.0), max(places, default=1.0))
        is_marked = any(each.best is not None for each in series)
        top = (highest_value(series, levels) or 1.0) * (_WITH_WORDS if is_marked else _HEADROOM)
        beside = (high - low) * _BESIDE if any(each.dots for each in series) else 0.0
        beside = beside or (0.0 if high > low else 0.5)
        self._plot.setXRange(low - beside, high + beside, padding=0)
        self._plot.setYRange(0.0, top, padding=0)
        across = ticks(0.0, top, _VALUE_TICKS)
        along = point_ticks(series, low, high, _POINT_TICKS)
        metrics = QFontMetrics(self._theme.body_font(_TICK_FONT))
        width = max(metrics.horizontalAdvance(tick_text(value)) for value in across)
        self._plot.getAxis("left").setWidth(width + _TICK_OFFSET + _TICK_MARGIN)  # else it jumps when painted
        self._plot.getAxis("bottom").setHeight(2 * metrics.height() + 2 * _TICK_OFFSET)
        self._plot.getAxis("left").setTicks([[(value, tick_text(value)) for value in across]])
        self._plot.getAxis("bottom").setTicks([[(value, tick_text(value)) for value in along]])
        for value in across[1:]:
            self._add_line_across(value, self._theme.colours.line, Qt.PenStyle.SolidLine, 1.0)

    def _add_series(self, series: Series) -> None:
        colour = self._colour(series.role)
        across = [x for x, _ in series.points]
        values = [y for _, y in series.points]
        if series.spread:
            self._add_spread(series, colour)
        if series.line and len(across) > 1:
            pen = self._pen(colour, _LINE)
            self._add(self._graph.PlotCurveItem(x=across, y=values, pen=pen, antialias=True))
        if series.dots:
            self._add_dots(across, values, colour, _DOT)
        if series.best is not None:
            x, y = series.points[series.best]
            top = max([y, *(high for _, high in series.spread[series.best : series.best + 1])])
            self._add_value(x, top, y)
            self._add_dots([x], [y], colour, _BEST)

    def _add_spread(self, series: Series, colour: QColor) -> None:
        from numpy import array

        faded = QColor(colour)
        faded.setAlphaF(0.6)
        values = array([y for _, y in series.points])
        low, high = array(series.spread).transpose()
        bars = self._graph.ErrorBarItem(
            x=array([x for x, _ in series.points]),
            y=values,
            bottom=values - low,
            top=high - values,
            beam=_BEAM,
            pen=self._pen(faded, 1.5),
        )
        self._add(bars)

    def _add_dots(self, across: list[float], values: list[float], colour: QColor, size: int) -> None:
        """Dots with a rim. Painted each time: from a cache they would be pixels in an SVG."""
        rim = self._pen(self._theme.colours.panel, _RING)
        dots = self._graph.ScatterPlotItem(
            x=across, y=values, size=size, brush=colour, pen=rim, useCache=False, antialias=True
        )
        self._add(dots)

    def _add_value(self, x: float, above: float, value: float) -> None:
        colours = self._theme.colours
        words = self._graph.TextItem(
            value_text(value), color=colours.text, fill=colours.panel, anchor=(0.5, 1.2)
        )
        words.setFont(self._theme.body_font(_TICK_FONT, strong=True))
        words.setPos(x, above)
        self._add(words)

    def _add_line_across(self, value: float, colour: QColor, style: Qt.PenStyle, width: float) -> None:
        line = self._graph.InfiniteLine(
            pos=value, angle=0, pen=self._pen(colour, width, style), movable=False
        )
        self._add(line)

    def _add(self, item: Any) -> None:
        self._plot.addItem(item, ignoreBounds=True)
        self._items.append(item)

    def _pen(self, colour: QColor, width: float, style: Qt.PenStyle = Qt.PenStyle.SolidLine) -> Any:
        return self._graph.mkPen(color=colour, width=width, style=style)

    def _colour(self, role: str) -> QColor:
        found: QColor = getattr(self._theme.colours, role)
        return found
