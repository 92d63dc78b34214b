"""Tab goes through the window as people read it."""

import pytest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.ui.reading_order import ReadingOrder
from app.ui.theme import Theme
from app.ui.widgets import column, row


class Window(QWidget):
    """Two zones; the fields are made in another order than they stand."""

    def __init__(self) -> None:
        super().__init__()
        self.fields = {name: QLineEdit(name) for name in ("d", "b", "c", "a")}
        self.left, self.right = QWidget(), QWidget()
        self.left.setLayout(column(row(self.fields["a"], self.fields["b"]), self.fields["c"]))
        self.right.setLayout(column(QLabel("no place for Tab"), self.fields["d"]))
        self.setLayout(row(self.left, self.right))
        self.order = ReadingOrder((self.left, self.right))

    def names(self) -> list[str]:
        return [widget.text() for widget in self.order.widgets() if isinstance(widget, QLineEdit)]


@pytest.fixture
def window(theme: Theme, qtbot: QtBot) -> Window:
    made = Window()
    qtbot.addWidget(made)
    made.show()
    return made


def test_zone_by_zone_line_by_line(window: Window) -> None:
    assert window.names() == ["a", "b", "c", "d"]


def test_there_and_back_and_round(window: Window) -> None:
    fields = window.fields
    assert window.order.neighbour(fields["a"], forward=True) is fields["b"]
    assert window.order.neighbour(fields["b"], forward=False) is fields["a"]
    assert window.order.neighbour(fields["d"], forward=True) is fields["a"]
    assert window.order.neighbour(None, forward=True) is fields["a"]
    assert window.order.neighbour(None, forward=False) is fields["d"]


def test_what_cannot_be_used_is_left_out(window: Window) -> None:
    window.fields["b"].setEnabled(False)
    window.fields["c"].hide()
    assert window.names() == ["a", "d"]


def test_what_is_added_later_stands_where_it_is_seen(window: Window) -> None:
    layout = window.left.layout()
    assert isinstance(layout, QVBoxLayout)
    layout.insertWidget(0, QLineEdit("first"))
    QApplication.processEvents()
    assert window.names()[0] == "first"


def test_nowhere_to_go(theme: Theme, qtbot: QtBot) -> None:
    empty = QWidget()
    qtbot.addWidget(empty)
    assert ReadingOrder((empty,)).neighbour(None, forward=True) is None


def test_what_has_gone_leaves_the_focus_nearby(window: Window) -> None:
    """A button that disappears when it is pressed must not send the next press somewhere else."""
    layout, beside = window.right.layout(), QLineEdit("e")
    assert layout is not None
    layout.addWidget(beside)
    QApplication.processEvents()
    window.fields["d"].hide()
    assert window.order.neighbour(window.fields["d"], forward=True) is beside
    beside.hide()
    assert window.order.neighbour(window.fields["d"], forward=True) is window.fields["a"]
