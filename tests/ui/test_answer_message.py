"""An answer, stored or while it is given."""

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QToolButton
from pytestqt.qtbot import QtBot

from app.core.chat import AnswerState, ChatMessage, DraftSpan
from app.core.stats import StopReason
from app.ui.answer_message import AnswerMessage
from app.ui.answer_tools import AnswerTools
from app.ui.icons import Icons
from app.ui.theme import Theme
from tests.fakes.children import child
from tests.fakes.tasks import ImmediateTasks
from tests.ui.answers import answer_of, answered, stats_of


@pytest.fixture
def tools(theme: Theme, icons: Icons, immediate_tasks: ImmediateTasks) -> AnswerTools:
    return AnswerTools(theme, icons, immediate_tasks)


def stored(tools: AnswerTools, qtbot: QtBot, message: ChatMessage) -> AnswerMessage:
    made = AnswerMessage(tools, message)
    qtbot.addWidget(made)
    made.height_at(600)
    for _ in made.showing():
        pass
    return made


def running(tools: AnswerTools, qtbot: QtBot) -> AnswerMessage:
    made = AnswerMessage(tools, answered(2, "", answer_of(AnswerState.RUNNING)))
    qtbot.addWidget(made)
    made.height_at(600)
    made.begin()
    return made


def test_a_finished_answer(tools: AnswerTools, qtbot: QtBot) -> None:
    message = stored(tools, qtbot, answered(2, "It is **so**."))
    assert message.body.shown_text == "It is so."
    assert message.note == message.problem == ""
    assert message.footer.text.startswith("18.3 tok/s")


def test_a_failed_answer_keeps_its_text_and_says_why(tools: AnswerTools, qtbot: QtBot) -> None:
    answer = answer_of(AnswerState.FAILED, problem="The engine ran out of memory.")
    message = stored(tools, qtbot, answered(2, "So far", answer))
    assert message.body.shown_text == "So far"
    assert message.problem == "The engine ran out of memory."


def test_a_failure_without_words_gets_some(tools: AnswerTools, qtbot: QtBot) -> None:
    assert stored(tools, qtbot, answered(2, "", answer_of(AnswerState.FAILED))).problem != ""


def test_an_answer_that_the_user_ended_is_no_failure(tools: AnswerTools, qtbot: QtBot) -> None:
    problem = "The model was ejected while it answered."
    answer = answer_of(AnswerState.INTERRUPTED, problem=problem)
    message = stored(tools, qtbot, answered(2, "So far", answer))
    assert message.body.shown_text == "So far"
    assert message.note == problem
    assert message.problem == ""


def test_an_interruption_in_many_words_is_wrapped(tools: AnswerTools, qtbot: QtBot) -> None:
    low = stored(tools, qtbot, answered(2, "So", answer_of(AnswerState.INTERRUPTED, problem="Ended.")))
    many = "The model was ejected while it answered. " * 6
    high = stored(tools, qtbot, answered(2, "So", answer_of(AnswerState.INTERRUPTED, problem=many)))
    assert high.height_at(600) > low.height_at(600)


def test_a_stop_while_the_prompt_is_read_is_not_called_an_empty_answer(
    tools: AnswerTools, qtbot: QtBot
) -> None:
    stats = stats_of(generated=0, accepted=0, tested=0, drafted=0, tok_per_s=None, reason=StopReason.STOPPED)
    message = running(tools, qtbot)
    message.show_prefill(45, 100)
    message.end(answered(2, "", answer_of(stats=stats)))
    assert message.note == "Stopped before the answer began."
    assert message.footer.text == ""


@pytest.mark.parametrize("text", ["", "  \n\t"])
def test_an_answer_without_text_says_so(tools: AnswerTools, qtbot: QtBot, text: str) -> None:
    message = stored(tools, qtbot, answered(2, text))
    assert message.note == "The model gave an empty answer."
    assert message.body.widgets == []


def test_an_answer_that_the_program_did_not_see_the_end_of(tools: AnswerTools, qtbot: QtBot) -> None:
    message = stored(tools, qtbot, answered(2, "So", answer_of(AnswerState.RUNNING)))
    assert message.body.shown_text == "So"
    assert message.note == "This answer was interrupted."


def test_copy_copies_the_text_as_the_model_gave_it(tools: AnswerTools, qtbot: QtBot) -> None:
    text = "# A\n\n**b**\r\n```py\nc\n```\n"
    message = stored(tools, qtbot, answered(2, text))
    child(message, QToolButton, "copy_message_button").click()
    assert QGuiApplication.clipboard().text() == text


def test_the_prompt_is_read_before_there_is_text(tools: AnswerTools, qtbot: QtBot) -> None:
    message = running(tools, qtbot)
    assert message.note == "Waiting for the model…"
    message.show_prefill(45, 100)
    assert message.note == "Reading the prompt… 45 %"
    message.show_prefill(0, 0)
    assert message.note == "Reading the prompt…"
    message.take("Yes", ())
    tools.slices.finish()
    assert message.note == ""
    message.show_prefill(100, 100)
    assert message.note == ""


def test_what_is_measured_before_an_answer_is_told(tools: AnswerTools, qtbot: QtBot) -> None:
    message = running(tools, qtbot)
    message.show_measuring(9, 24)
    assert message.note == "Measuring what drafts cost here… 37 %"
    message.show_prefill(45, 100)
    assert message.note == "Reading the prompt… 45 %"
    message.take("Yes", ())
    tools.slices.finish()
    message.show_measuring(24, 24)
    assert message.note == ""


def test_buttons_come_with_the_end(tools: AnswerTools, qtbot: QtBot) -> None:
    message = running(tools, qtbot)
    message.take("Ye", ())
    tools.slices.finish()
    assert message.buttons.isHidden()
    message.end(answered(2, "Yes."))
    tools.slices.finish()
    assert not message.buttons.isHidden()
    assert message.body.shown_text == "Yes."
    assert message.footer.text != ""


def test_text_that_was_held_back_is_marked_too(tools: AnswerTools, qtbot: QtBot) -> None:
    message = running(tools, qtbot)
    message.take("ab", (DraftSpan(0, 2, 1, 1, None),))
    tools.slices.finish()
    spans = (DraftSpan(0, 2, 1, 1, None), DraftSpan(3, 2, 2, 1, None))
    message.end(answered(2, "abcde", answer_of(stats=stats_of(), spans=spans)))
    tools.slices.finish()
    [view] = message.body.widgets
    assert [mark[:2] for mark in view.marks] == [(0, 2), (3, 5)]  # type: ignore[attr-defined]


def test_what_is_kept_counts_even_if_it_is_another_text(tools: AnswerTools, qtbot: QtBot) -> None:
    message = running(tools, qtbot)
    message.take("abc", ())
    tools.slices.finish()
    message.end(answered(2, "xyz"))
    tools.slices.finish()
    assert message.body.shown_text == "xyz"
    assert message.body.text == "xyz"
