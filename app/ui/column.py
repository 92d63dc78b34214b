"""Widgets under each other, placed by hand: only what has changed is measured again."""

from collections.abc import Iterator, Sequence
from time import perf_counter

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

_PAUSE_S = 0.003


class Growing(QWidget):
    """A widget that knows how high it must be, and says so when that changes."""

    height_changed = Signal()

    def height_at(self, width: int) -> int:
        """The height that is needed at a width, in pixels; places what is inside for it."""
        raise NotImplementedError


class _Item:
    """A widget in a column."""

    def __init__(self, widget: QWidget, gap: int, indent: int) -> None:
        self.widget = widget
        self.gap = gap
        self.indent = indent
        self.measured = -1  # the width for which `height` holds
        self.height = 0
        self.place = (-1, 0, 0, 0)


class Column(Growing):
    """Places its widgets from top to bottom, each as wide as itself and as high as it needs."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._items: list[_Item] = []
        self._width = 0

    @property
    def widgets(self) -> list[QWidget]:
        """What is in it, from the top."""
        return [item.widget for item in self._items]

    def insert(self, index: int, widget: QWidget, *, gap: int = 0, indent: int = 0) -> None:
        """Takes a widget, `gap` pixels below the one before. It is placed by the next `settle`."""
        widget.setParent(self)
        self._items.insert(index, _Item(widget, gap, indent))
        if isinstance(widget, Growing):
            widget.height_changed.connect(self._refit_sender)
        if self._width:
            widget.resize(self._width - indent, 1)  # text is laid out for this width from the start
            if isinstance(widget, Growing):
                widget.height_at(self._width - indent)
        widget.show()

    def add(self, widget: QWidget, *, gap: int = 0, indent: int = 0) -> None:
        """Takes a widget at the end."""
        self.insert(len(self._items), widget, gap=gap, indent=indent)

    def remove(self, widget: QWidget) -> None:
        """Lets a widget go; it is deleted."""
        del self._items[self._index(widget)]
        widget.hide()
        widget.deleteLater()

    def put(self, widget: QWidget, gap: int, indent: int) -> None:
        """Changes the room above a widget and to its left."""
        item = self._items[self._index(widget)]
        if item.indent != indent:
            item.measured = -1
        item.gap, item.indent = gap, indent

    def forget(self, widget: QWidget) -> None:
        """A widget has changed: it is measured again by the next `settle`."""
        self._items[self._index(widget)].measured = -1

    def refit(self, widget: QWidget) -> None:
        """A widget has another height now."""
        if isinstance(widget, Column) and widget.height():
            self._items[self._index(widget)].height = widget.height()  # it has measured itself
        else:
            self.forget(widget)
        self.settle()

    def _refit_sender(self) -> None:
        sender = self.sender()
        if isinstance(sender, QWidget):
            self.refit(sender)

    def settle(self) -> None:
        """Measures what has changed, places everything, and tells if that changed the height.

        What was measured for another width stays as it is: `measuring` or `height_at` sees to that.
        """
        if not self._width:
            return
        for item in self._items:
            if item.measured < 0:
                _measure(item, self._width)
        height = self._place()
        if height != self.height():
            self.resize(self._width, height)
            self.height_changed.emit()

    def height_at(self, width: int) -> int:
        """Measures what is not known for this width, and places all."""
        self._width = width
        for item in self._items:
            _measure(item, width)
        return self._place()

    def measuring(self, width: int, first: Sequence[QWidget] = ()) -> Iterator[None]:
        """Does what `height_at` does, with pauses, beginning with some of the widgets."""
        self._width = width
        settled = perf_counter()
        for item in sorted(self._items, key=lambda item: item.widget not in first):
            if isinstance(item.widget, Column) and item.measured != width:
                yield from item.widget.measuring(width - item.indent)
            _measure(item, width)
            if perf_counter() - settled > _PAUSE_S:
                self.settle()
                settled = perf_counter()
            yield
        self.settle()

    def _place(self) -> int:
        top = 0
        for item in self._items:
            if item.widget.isHidden():
                continue
            top += item.gap if top else 0
            width = (item.measured if item.measured >= 0 else self._width) - item.indent
            place = (item.indent, top, width, item.height)
            if place != item.place:
                item.place = place
                item.widget.setGeometry(*place)
            top += item.height
        return top

    def _index(self, widget: QWidget) -> int:
        return next(index for index, item in enumerate(self._items) if item.widget is widget)


def _measure(item: _Item, width: int) -> None:
    if item.measured == width:
        return
    item.height = needed_height(item.widget, width - item.indent)
    item.measured = width


def needed_height(widget: QWidget, width: int) -> int:
    """How high any widget wants to be at a width."""
    if isinstance(widget, Growing):
        return widget.height_at(width)
    layout = widget.layout()
    if layout is not None:
        layout.invalidate()
        layout.activate()  # else the layouts in it still know the words of before
    if widget.hasHeightForWidth():
        return widget.heightForWidth(width)
    return widget.sizeHint().height()
