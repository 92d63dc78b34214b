"""A block of code."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QTextDocument
from PySide6.QtWidgets import QPushButton, QScrollBar
from pytestqt.qtbot import QtBot

from app.settings import ThemeChoice
from app.ui.answer_tools import AnswerTools
from app.ui.code_block import CodeBlock
from app.ui.code_lines import VIEW_LINES
from app.ui.draft_marks import DraftMarks
from app.ui.icons import Icons
from app.ui.markdown_parts import Line
from app.ui.theme import Theme
from tests.fakes.children import child
from tests.fakes.tasks import ImmediateTasks


@pytest.fixture
def tools(theme: Theme, icons: Icons, immediate_tasks: ImmediateTasks) -> AnswerTools:
    return AnswerTools(theme, icons, immediate_tasks)


def lines(*texts: str) -> list[Line]:
    return [Line(text, None) for text in texts]


def block_of(tools: AnswerTools, qtbot: QtBot, language: str, *texts: str) -> CodeBlock:
    block = CodeBlock(tools, DraftMarks(), language)
    qtbot.addWidget(block)
    block.add_lines(lines(*texts))
    return block


def colours(document: QTextDocument, number: int) -> dict[str, str]:
    """Words of a line and the colours that they have."""
    block = document.findBlockByNumber(number)
    return {
        block.text()[stretch.start : stretch.start + stretch.length]: stretch.format.foreground()
        .color()
        .name()
        for stretch in block.layout().formats()
    }


def test_its_language_is_named(tools: AnswerTools, qtbot: QtBot) -> None:
    block = block_of(tools, qtbot, "python", "a = 1")
    assert block.accessibleName() == block.view.views[0].accessibleName() == "Code, python"
    assert block_of(tools, qtbot, "").accessibleName() == "Code, text"


def test_the_button_copies_the_code(tools: AnswerTools, qtbot: QtBot) -> None:
    block = block_of(tools, qtbot, "python", "a = 1", "", "  b = 2")
    copy = child(block, QPushButton, "copy_code_button")
    qtbot.mouseClick(copy, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == "a = 1\n\n  b = 2"
    assert copy.text() == "Copied"


def test_the_line_that_is_being_written_is_replaced(tools: AnswerTools, qtbot: QtBot) -> None:
    block = block_of(tools, qtbot, "", "one")
    block.add_lines([], Line("tw", None))
    assert block.code == "one\ntw"
    block.add_lines(lines("two"), Line("th", None))
    assert block.code == "one\ntwo\nth"
    block.add_lines([])
    assert block.code == "one\ntwo"
    block.add_lines(lines("three"))
    assert block.code == "one\ntwo\nthree"
    assert block.view.views[0].toPlainText() == "one\ntwo\nthree"


def test_lines_that_are_there_are_left_alone(tools: AnswerTools, qtbot: QtBot) -> None:
    block = block_of(tools, qtbot, "", "one", "two")
    changed: list[int] = []
    block.view.views[0].document().contentsChange.connect(lambda at, *_: changed.append(at))
    block.set_lines(lines("one", "two", "three"))
    assert block.code == "one\ntwo\nthree"
    assert min(changed) >= len("one\ntwo")
    block.set_lines(lines("one"))
    assert block.code == "one"
    assert block.view.views[0].toPlainText() == "one"


def test_words_are_coloured_while_they_arrive_and_in_the_end(tools: AnswerTools, qtbot: QtBot) -> None:
    block = block_of(tools, qtbot, "python", "def f():", "    return 'ü'")
    document = block.view.views[0].document()
    assert colours(document, 0) == {}
    block.colour_new()
    role = tools.theme.colours
    assert colours(document, 0) == {"def": role.code_keyword.name(), "f": role.code_function.name()}
    block.add_lines(lines("# end"))
    block.finish()
    tools.slices.finish()
    assert colours(document, 2) == {"# end": role.code_comment.name()}


def test_another_theme_has_other_colours(tools: AnswerTools, qtbot: QtBot) -> None:
    block = block_of(tools, qtbot, "python", "def f():")
    block.finish()
    tools.slices.finish()
    before = colours(block.view.views[0].document(), 0)
    tools.theme.choose(ThemeChoice.LIGHT)
    for _ in block.restyling():
        pass
    after = colours(block.view.views[0].document(), 0)
    assert after["def"] == tools.theme.colours.code_keyword.name() != before["def"]


def test_wide_lines_can_be_scrolled_together(tools: AnswerTools, qtbot: QtBot) -> None:
    block = block_of(tools, qtbot, "", *["x" * 5000] * (VIEW_LINES + 1))
    block.resize(400, block.height_at(400))
    block.show()
    bar = child(block, QScrollBar, "code_scroll_bar")
    assert bar.isVisible()
    bar.setValue(300)
    assert [view.horizontalScrollBar().value() for view in block.view.views] == [300, 300]


def test_narrow_lines_have_no_scroll_bar(tools: AnswerTools, qtbot: QtBot) -> None:
    block = block_of(tools, qtbot, "", "x")
    block.resize(400, block.height_at(400))
    block.show()
    assert not child(block, QScrollBar, "code_scroll_bar").isVisible()


def test_many_lines_are_in_several_views(tools: AnswerTools, qtbot: QtBot) -> None:
    texts = [f"line {number}" for number in range(3 * VIEW_LINES)]
    block = block_of(tools, qtbot, "", *texts)
    assert len(block.view.views) == 3
    assert block.code.split("\n") == texts
    block.set_lines(lines(*texts[: VIEW_LINES + 1]))
    assert len(block.view.views) == 2
    assert block.view.count == VIEW_LINES + 1


def test_height_grows_with_the_lines(tools: AnswerTools, qtbot: QtBot) -> None:
    one, three = block_of(tools, qtbot, "", "a"), block_of(tools, qtbot, "", "a", "b", "c")
    assert three.height_at(400) - one.height_at(400) == 2 * 19
