"""The text of one side."""

from collections.abc import Iterator

import pytest
from PySide6.QtGui import QFontMetrics, QTextCursor
from pytestqt.qtbot import QtBot

from app.core.chat import DraftSpan
from app.core.experiment import FirstDifference
from app.core.protocol import TextPiece
from app.settings import ThemeChoice
from app.ui.icons import Icons
from app.ui.pane_text import PaneText, marked_stretch
from app.ui.text_view import TextView
from app.ui.theme import Theme
from tests.fakes.tasks import ImmediateTasks

LONG = "\n\n".join(f"Paragraph {number} of the answer." for number in range(60))


@pytest.fixture
def pane(theme: Theme, icons: Icons, immediate_tasks: ImmediateTasks, qtbot: QtBot) -> Iterator[PaneText]:
    made = PaneText(theme, icons, immediate_tasks, "left_text")
    qtbot.addWidget(made)
    made.resize(420, 160)
    made.show()
    qtbot.waitExposed(made)
    yield made
    made.clear()


def piece(text: str, position: int = 0) -> TextPiece:
    return TextPiece(text, position > 0, position, 0.5 if position else None)


def marked(pane: PaneText) -> list[str]:
    """The text at every mark of a difference."""
    found = []
    for view in pane.body.findChildren(TextView):
        if view.difference is not None:
            start, end = view.difference
            found.append(view.toPlainText()[start:end])
    return found


def test_text_comes_in_a_few_pieces_a_second(pane: PaneText, qtbot: QtBot) -> None:
    pane.add_pieces([piece("Certainly"), piece("!", 1)], 1)
    qtbot.waitUntil(lambda: pane.text == "Certainly!")
    for number in range(2, 6):
        pane.add_pieces([piece(" more")], number)
    assert pane.text == "Certainly!"  # a quarter of a second has not gone by
    pane.finish_work()
    assert pane.text == "Certainly! more more more more"
    assert pane.spans == [DraftSpan(9, 1, 1, 1, 0.5)]


def test_at_the_end_the_text_is_what_the_run_says(pane: PaneText) -> None:
    pane.add_pieces([piece("Certainly")], 1)
    pane.end("Certainly! And what was held back.")
    assert pane.text == "Certainly! And what was held back."
    pane.end("Quite another text.")
    pane.finish_work()
    assert pane.text == pane.body.shown_text == "Quite another text."


def test_the_view_follows_the_end_while_the_reader_is_there(pane: PaneText) -> None:
    bar = pane.verticalScrollBar()
    pane.add_pieces([piece(LONG)], 1)
    pane.finish_work()
    assert bar.maximum() > 0
    assert bar.value() == bar.maximum()
    bar.setValue(10)
    pane.add_pieces([piece("\n\nAnd more.")], 2)
    pane.finish_work()
    assert bar.value() == 10


def test_a_result_is_read_from_the_beginning_unless_the_reader_is_elsewhere(pane: PaneText) -> None:
    pane.add_pieces([piece(LONG)], 1)
    pane.finish_work()
    pane.show_start()
    assert pane.verticalScrollBar().value() == 0
    pane.verticalScrollBar().setValue(300)
    pane.show_start()
    assert pane.verticalScrollBar().value() == 300


def test_nothing_of_one_answer_is_left_in_the_next(pane: PaneText) -> None:
    pane.add_pieces([piece("One", 1)], 1)
    pane.finish_work()
    pane.add_pieces([piece(" that waits")], 2)
    pane.clear()
    pane.finish_work()
    assert (pane.text, list(pane.spans)) == ("", [])


def test_the_place_where_it_leaves_the_other_is_marked(pane: PaneText) -> None:
    pane.show_answer("A simple however here", [DraftSpan(0, 21, 1, 1, None)], (9, 16))
    pane.finish_work()
    assert marked(pane) == ["however"]
    assert pane.body.findChildren(TextView)[0].origin_at(10) == "Here the two answers part"
    assert pane.body.findChildren(TextView)[0].origin_at(3).startswith("Round 1")


def test_it_is_marked_in_code_as_well(pane: PaneText, theme: Theme) -> None:
    text = "So:\n\n```python\nx = 1\ny = 2\n```\n"
    pane.show_answer(text, [], (text.index("y = 2"), text.index("y = 2") + 5))
    pane.finish_work()
    assert marked(pane) == ["y = 2"]
    view = next(view for view in pane.body.findChildren(TextView) if view.difference is not None)
    looks = view.document().findBlockByNumber(1).layout().formats()
    assert theme.colours.warning in [look.format.foreground().color() for look in looks]
    theme.choose(ThemeChoice.LIGHT)
    pane.finish_work()
    looks = view.document().findBlockByNumber(1).layout().formats()
    assert theme.colours.warning in [look.format.foreground().color() for look in looks]


def test_one_can_go_to_the_mark(pane: PaneText) -> None:
    place = LONG.index("Paragraph 40")
    pane.show_answer(LONG, [], (place, place + 9))
    assert pane.go_to_difference()
    view = next(view for view in pane.body.findChildren(TextView) if view.difference is not None)
    assert view.difference is not None
    cursor = QTextCursor(view.document())
    cursor.setPosition(view.difference[0])
    top = view.viewport().mapTo(pane.viewport(), view.cursorRect(cursor).topLeft()).y()
    assert 0 <= top < pane.viewport().height()


def test_a_mark_in_a_thought_unfolds_it(pane: PaneText) -> None:
    text = "<think>\nFirst a thought.\n</think>\n\nThen the answer."
    pane.show_answer(text, [], (text.index("thought."), text.index("thought.") + 7))
    pane.finish_work()
    assert marked(pane) == []
    assert pane.go_to_difference()
    assert marked(pane) == ["thought"]


def test_wide_code_is_scrolled_to_the_mark(pane: PaneText) -> None:
    line = "value = " + " + ".join(f"number_{index}" for index in range(40))
    text = f"```\n{line}\n```\n"
    place = text.index("number_39")
    pane.show_answer(text, [], (place, place + 9))
    assert pane.go_to_difference()
    view = next(view for view in pane.body.findChildren(TextView) if view.difference is not None)
    assert view.horizontalScrollBar().value() > 10 * QFontMetrics(view.font()).averageCharWidth()


def test_without_a_mark_there_is_nowhere_to_go(pane: PaneText) -> None:
    pane.show_answer("A text.")
    assert not pane.go_to_difference()


def difference(position: int | None) -> FirstDifference:
    return FirstDifference(3, 1, 2, text_position=position)


@pytest.mark.parametrize(
    ("text", "position", "token", "expected"),
    [
        ("A simple however here", 8, " however", " however"),
        ("Line\n\nnext words", 4, "\n\n", "\n\nnext"),  # line ends have nothing to see
        ("Stop here", 9, None, "here"),  # it had ended
        ("…", 1, None, "…"),
        ("short", 99, "x", "short"),
    ],
)
def test_what_is_marked_can_be_seen(text: str, position: int, token: str | None, expected: str) -> None:
    stretch = marked_stretch(text, difference(position), token)
    assert stretch is not None
    assert text[slice(*stretch)] == expected


def test_an_unknown_place_is_not_marked() -> None:
    assert marked_stretch("A text", difference(None), "A") is None
    assert marked_stretch("", difference(0), None) is None
