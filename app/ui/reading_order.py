"""The order in which the Tab key goes through the window: as people read, not as widgets were made."""

from collections.abc import Iterator, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QScrollArea, QWidget

_LINE = 24  # pixels; what differs by less in height stands in one line
_TALL = 40  # pixels; of taller things the upper part decides


class ReadingOrder:
    """Zones one after the other; in each from top to bottom, and from left to right in a line.

    Qt's own order is that of making, and messages are made long after what stands below them.
    """

    def __init__(self, zones: Sequence[QWidget]) -> None:
        self._zones = tuple(zones)

    def go(self, *, forward: bool) -> bool:
        """Moves the focus as Tab does, or as Shift+Tab does; False where there is nowhere to go."""
        widget = self.neighbour(QApplication.focusWidget(), forward=forward)
        if widget is None:
            return False
        widget.setFocus(Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason)
        around = widget.parentWidget()
        while around is not None:
            if isinstance(around, QScrollArea):
                around.ensureWidgetVisible(widget)
            around = around.parentWidget()
        return True

    def neighbour(self, current: QWidget | None, *, forward: bool) -> QWidget | None:
        """Where Tab, or Shift+Tab, leads from a widget; None where there is nowhere to go."""
        order = self.widgets()
        if not order:
            return None
        if current not in order:
            return _near(current, order)[0 if forward else -1]
        return order[(order.index(current) + (1 if forward else -1)) % len(order)]

    def widgets(self) -> list[QWidget]:
        """All that Tab can reach now."""
        return [widget for zone in self._zones for widget in _reachable(zone)]


def _near(lost: QWidget | None, order: Sequence[QWidget]) -> Sequence[QWidget]:
    """Those closest to one that cannot be reached any more: what has gone leaves the focus nearby."""
    around = None if lost is None else lost.parentWidget()
    while around is not None:
        if inside := [widget for widget in order if around.isAncestorOf(widget)]:
            return inside
        around = around.parentWidget()
    return order


def _reachable(whole: QWidget) -> Iterator[QWidget]:
    """A widget, if Tab stops there, and what is in it."""
    if not whole.isVisible() or not whole.isEnabled():
        return
    if whole.focusPolicy() & Qt.FocusPolicy.TabFocus and whole.focusProxy() is None:
        yield whole
    children = whole.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)
    for child in sorted((child for child in children if not child.isWindow()), key=_place):
        yield from _reachable(child)


def _place(widget: QWidget) -> tuple[int, int]:
    """Line and column among its neighbours."""
    return (widget.y() + min(widget.height(), _TALL) // 2) // _LINE, widget.x()
