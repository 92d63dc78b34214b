"""The order in which the Tab key goes through the window: as people read, not as widgets were made."""

from collections.abc import Sequence

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QWidget


class ReadingOrder:
    """Zones one after the other; in each from top to bottom, and from left to right in a row.

    Qt's own order is that of making, and messages are made long after what stands below them.
    """

    def __init__(self, zones: Sequence[QWidget]) -> None:
        self._zones = tuple(zones)

    def neighbour(self, current: QWidget | None, *, forward: bool) -> QWidget | None:
        """Where Tab, or Shift+Tab, leads from a widget; None where there is nowhere to go."""
        order = self.widgets()
        if not order:
            return None
        if current not in order:
            return order[0 if forward else -1]
        return order[(order.index(current) + (1 if forward else -1)) % len(order)]

    def widgets(self) -> list[QWidget]:
        """All that Tab can reach now."""
        return [widget for zone in self._zones for widget in _reachable(zone)]


def _reachable(zone: QWidget) -> list[QWidget]:
    found = [
        widget
        for widget in [zone, *zone.findChildren(QWidget)]
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        and widget.isVisible()
        and widget.isEnabled()
        and widget.focusProxy() is None
        and widget.window() is zone.window()
    ]
    return sorted(found, key=lambda widget: _place(widget, zone))


def _place(widget: QWidget, zone: QWidget) -> tuple[int, int]:
    """The middle counts: things in a row need not have the same height."""
    corner = widget.mapTo(zone, QPoint(0, 0)) if widget is not zone else QPoint(0, 0)
    return corner.y() + min(widget.height(), 40) // 2, corner.x()
