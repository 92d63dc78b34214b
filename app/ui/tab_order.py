"""The order in which Tab goes through a widget: as it is read, whatever was made first."""

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QWidget


def tab_stops(whole: QWidget) -> list[QWidget]:
    """What Tab stops at inside of a widget, from the top. What is equally high comes as it was made."""
    stops = [
        widget for widget in whole.findChildren(QWidget) if widget.focusPolicy() & Qt.FocusPolicy.TabFocus
    ]
    return sorted(stops, key=lambda stop: stop.mapTo(whole, QPoint(0, 0)).y())


def order_tabs(whole: QWidget, before: QWidget) -> QWidget:
    """Puts the stops of a widget behind `before`; the last of them, or `before` if it has none."""
    for stop in tab_stops(whole):
        QWidget.setTabOrder(before, stop)
        before = stop
    return before
