"""Widgets under each other."""

from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.ui.column import Column, Growing


class Box(Growing):
    """Needs a height that shrinks with its width, and counts how often it was asked."""

    def __init__(self, area: int) -> None:
        super().__init__()
        self.area = area
        self.asked = 0

    def height_at(self, width: int) -> int:
        self.asked += 1
        return self.area // width

    def grow(self, area: int) -> None:
        self.area = area
        self.height_changed.emit()


def places(column: Column) -> list[tuple[int, int, int, int]]:
    return [widget.geometry().getRect() for widget in column.widgets]  # type: ignore[misc]


def test_each_is_below_the_one_before(qtbot: QtBot) -> None:
    column = Column()
    qtbot.addWidget(column)
    column.add(Box(1000), gap=10)
    column.add(Box(2000), gap=10)
    column.add(Box(900), gap=5, indent=10)
    assert column.height_at(100) == 10 + 10 + 20 + 5 + 10
    assert places(column) == [(0, 0, 100, 10), (0, 20, 100, 20), (10, 45, 90, 10)]


def test_what_has_not_changed_is_not_measured_again(qtbot: QtBot) -> None:
    column, first, second = Column(), Box(1000), Box(1000)
    qtbot.addWidget(column)
    column.add(first)
    column.add(second)
    column.height_at(100)
    asked = first.asked
    second.grow(3000)
    assert places(column)[1] == (0, 10, 100, 30)
    assert first.asked == asked
    column.height_at(50)
    assert first.asked == asked + 1


def test_a_change_inside_is_told_outside(qtbot: QtBot) -> None:
    outer, inner, box, below = Column(), Column(), Box(1000), Box(1000)
    qtbot.addWidget(outer)
    outer.add(inner)
    outer.add(below)
    inner.add(box)
    outer.height_at(100)
    with qtbot.waitSignal(outer.height_changed):
        box.grow(5000)
    assert outer.height() == 60
    assert below.y() == 50


def test_what_is_hidden_takes_no_room(qtbot: QtBot) -> None:
    column, first = Column(), Box(1000)
    qtbot.addWidget(column)
    column.add(first)
    column.add(Box(1000), gap=10)
    first.hide()
    assert column.height_at(100) == 10


def test_what_is_removed_is_gone(qtbot: QtBot) -> None:
    column, first = Column(), Box(1000)
    qtbot.addWidget(column)
    column.add(first)
    column.add(Box(2000))
    column.height_at(100)
    column.remove(first)
    column.settle()
    assert places(column) == [(0, 0, 100, 20)]


def test_measuring_in_steps_comes_to_the_same(qtbot: QtBot) -> None:
    outer, inner = Column(), Column()
    qtbot.addWidget(outer)
    boxes = [Box(1000 * number) for number in range(1, 9)]
    for box in boxes[:4]:
        inner.add(box)
    outer.add(inner)
    for box in boxes[4:]:
        outer.add(box, gap=3)
    outer.height_at(100)
    last: list[QWidget] = [boxes[-1]]
    steps = outer.measuring(50, last)
    next(steps)
    assert boxes[-1].asked == 2 and boxes[0].asked == 1
    for _ in steps:
        pass
    measured = places(outer), places(inner)
    other = outer.height_at(50)
    assert (places(outer), places(inner)) == measured
    assert outer.height() == other
