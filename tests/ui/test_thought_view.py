"""What a model thought aloud."""

from PySide6.QtWidgets import QToolButton
from pytestqt.qtbot import QtBot

from app.ui.answer_tools import AnswerTools
from app.ui.draft_marks import DraftMarks
from app.ui.icons import Icons
from app.ui.markdown_parts import Line
from app.ui.plain_text import PlainText
from app.ui.theme import Theme
from app.ui.thought_view import ThoughtView
from tests.fakes.children import child
from tests.fakes.tasks import ImmediateTasks


def test_it_is_folded_until_someone_wants_to_read_it(
    theme: Theme, icons: Icons, immediate_tasks: ImmediateTasks, qtbot: QtBot
) -> None:
    tools = AnswerTools(theme, icons, immediate_tasks)
    thought = ThoughtView(tools, DraftMarks())
    qtbot.addWidget(thought)
    thought.height_at(500)
    toggle = child(thought, QToolButton, "thought_button")
    body = thought.findChildren(PlainText)[0]
    thought.add_lines([Line("Hm.", 7), Line("# So", 11)])
    assert toggle.text() == "Thinking…"
    assert body.isHidden() and body.text == ""
    thought.finish()
    assert toggle.text() == toggle.accessibleName() == "Thought for a while"
    low = thought.height_at(500)
    toggle.click()
    tools.slices.finish()
    assert body.text == "Hm.\n# So"
    assert thought.height() > low
    toggle.click()
    assert body.isHidden()
    assert thought.height() == low


def test_lines_that_come_while_it_is_open_are_shown(
    theme: Theme, icons: Icons, immediate_tasks: ImmediateTasks, qtbot: QtBot
) -> None:
    tools = AnswerTools(theme, icons, immediate_tasks)
    thought = ThoughtView(tools, DraftMarks())
    qtbot.addWidget(thought)
    thought.height_at(500)
    child(thought, QToolButton, "thought_button").click()
    thought.add_lines([Line(f"line {number}", None) for number in range(50)])
    tools.slices.finish()
    assert len(thought.findChildren(PlainText)[0].text.split("\n")) == 50
