"""The conversation on the screen."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, QRectF, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QScrollArea, QStackedLayout, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from app.core.chat import AnswerState, DraftSpan, Role
from app.core.protocol import Round, TextPiece
from app.core.stats import DraftSource, RoundStats
from app.settings import ThemeChoice
from app.ui.answer_message import AnswerMessage
from app.ui.icons import Icons
from app.ui.notice import Notice
from app.ui.prose_view import ProseView
from app.ui.reading_order import ReadingOrder
from app.ui.theme import Theme
from app.ui.transcript import Transcript
from app.ui.user_message import UserMessage
from tests.fakes.children import child
from tests.fakes.tasks import ImmediateTasks
from tests.ui.answers import answer_of, answered, said, stats_of
from tests.ui.markdown_samples import ANSWER

PARAGRAPHS = "\n\n".join(f"Paragraph {number}." for number in range(60))


@pytest.fixture
def transcript(
    theme: Theme, icons: Icons, immediate_tasks: ImmediateTasks, qtbot: QtBot
) -> Iterator[Transcript]:
    made = Transcript(theme, icons, immediate_tasks)
    qtbot.addWidget(made)
    made.resize(700, 400)
    made.show()
    yield made
    made.finish_work()


def round_of(*texts: str, drafted: bool = False) -> Round:
    pieces = tuple(
        TextPiece(text, drafted, number if drafted else 0, None) for number, text in enumerate(texts, 1)
    )
    return Round((), pieces, RoundStats(DraftSource.NONE, 0, 0, 0, len(texts), 0.0, 0.0, 0.0))


def begin(transcript: Transcript, number: int = 2) -> None:
    transcript.begin_answer(answered(number, "", answer_of(AnswerState.RUNNING)))


def answer(transcript: Transcript) -> AnswerMessage:
    last = transcript.messages[-1]
    assert isinstance(last, AnswerMessage)
    return last


def position(transcript: Transcript) -> tuple[int, int]:
    bar = child(transcript, QScrollArea, "transcript_area").verticalScrollBar()
    return bar.value(), bar.maximum()


def scroll_to(transcript: Transcript, value: int) -> None:
    child(transcript, QScrollArea, "transcript_area").verticalScrollBar().setValue(value)


def jump(transcript: Transcript) -> QPushButton:
    return child(transcript, QPushButton, "jump_to_latest_button")


# Messages


def test_a_conversation_is_shown(transcript: Transcript) -> None:
    transcript.show_messages([said(1, "Hello?"), answered(2, "**Hi.**"), said(3, "Bye.")])
    transcript.finish_work()
    first, second, third = transcript.messages
    assert isinstance(first, UserMessage) and first.shown_text == "Hello?"
    assert isinstance(second, AnswerMessage) and second.body.shown_text == "Hi."
    assert isinstance(third, UserMessage) and third.shown_text == "Bye."
    assert first.y() < second.y() < third.y()


def test_another_conversation_takes_its_place(transcript: Transcript) -> None:
    transcript.show_messages([said(1, "Hello?"), answered(2, "Hi.")])
    transcript.show_messages([said(3, "Other")])
    transcript.finish_work()
    assert [message.message.id for message in transcript.messages] == [3]
    transcript.show_messages([])
    transcript.finish_work()
    assert transcript.messages == []


def test_what_the_system_was_told_is_not_shown(transcript: Transcript) -> None:
    message = said(1, "Be kind.")
    system = type(message)(1, None, Role.SYSTEM, "Be kind.", 0.0)
    transcript.show_messages([system, said(2, "Hello?")])
    transcript.finish_work()
    assert [message.message.id for message in transcript.messages] == [2]


def test_only_the_last_answer_can_be_asked_for_again(transcript: Transcript, qtbot: QtBot) -> None:
    transcript.show_messages([said(1, "a"), answered(2, "b"), said(3, "c"), answered(4, "d")])
    transcript.finish_work()
    offered = [
        child(message, QToolButton, "regenerate_button").isVisibleTo(message)
        for message in transcript.messages
    ]
    assert offered == [False, False, False, True]
    with qtbot.waitSignal(transcript.regenerate_requested) as asked:
        child(transcript.messages[3], QToolButton, "regenerate_button").click()
    assert asked.args == [4]


@pytest.mark.parametrize("place", [0, 1])
def test_any_message_can_be_deleted(transcript: Transcript, qtbot: QtBot, place: int) -> None:
    transcript.show_messages([said(1, "a"), answered(2, "b")])
    transcript.finish_work()
    with qtbot.waitSignal(transcript.delete_requested) as asked:
        child(transcript.messages[place], QToolButton, "delete_message_button").click()
    assert asked.args == [place + 1]


# An answer while it is given


def test_an_answer_arrives(transcript: Transcript, qtbot: QtBot) -> None:
    transcript.add_message(said(1, "Hello?"))
    begin(transcript)
    transcript.show_measuring(1, 2)
    assert answer(transcript).note == "Measuring what drafts cost here… 50 %"
    transcript.show_prefill(45, 100)
    assert answer(transcript).note == "Reading the prompt… 45 %"
    transcript.add_round(round_of("Hi", " the"), 1)
    transcript.add_round(round_of("re", drafted=True), 2)
    qtbot.waitUntil(lambda: answer(transcript).body.shown_text == "Hi there")
    transcript.end_answer(answered(2, "Hi there."))
    transcript.finish_work()
    assert answer(transcript).body.shown_text == "Hi there."
    assert answer(transcript).footer.text != ""


def test_nothing_runs_while_nothing_happens(transcript: Transcript, qtbot: QtBot) -> None:
    begin(transcript)
    transcript.add_round(round_of("Hi"), 1)
    qtbot.waitUntil(lambda: answer(transcript).body.shown_text == "Hi")
    transcript.finish_work()
    assert not any(timer.isActive() for timer in transcript.findChildren(QTimer))


def test_rounds_without_an_answer_are_dropped(transcript: Transcript) -> None:
    transcript.add_round(round_of("x"), 1)
    transcript.show_measuring(1, 2)
    transcript.show_prefill(1, 2)
    transcript.end_answer(answered(2, "x"))
    transcript.finish_work()
    assert transcript.messages == []


def test_a_conversation_that_is_left_gets_no_more_text(transcript: Transcript) -> None:
    begin(transcript)
    transcript.add_round(round_of("old"), 1)
    transcript.show_messages([said(7, "new")])
    transcript.add_round(round_of("old"), 2)
    transcript.finish_work()
    [message] = transcript.messages
    assert isinstance(message, UserMessage) and message.shown_text == "new"


def test_a_failure_keeps_what_there_is(transcript: Transcript) -> None:
    begin(transcript)
    transcript.add_round(round_of("So f"), 1)
    transcript.end_answer(answered(2, "So f", answer_of(AnswerState.FAILED, problem="It stopped.")))
    transcript.finish_work()
    assert answer(transcript).body.shown_text == "So f"
    assert answer(transcript).problem == "It stopped."


def test_text_from_the_draft_is_marked_live_and_stored(transcript: Transcript) -> None:
    transcript.set_visualize(True)
    transcript.add_message(
        answered(1, "abcd", answer_of(stats=stats_of(), spans=(DraftSpan(1, 2, 1, 1, None),)))
    )
    begin(transcript)
    transcript.add_round(round_of("own "), 1)
    transcript.add_round(round_of("dra", "ft", drafted=True), 2)
    transcript.finish_work()
    stored, live = (message.findChildren(ProseView)[0] for message in transcript.messages)
    assert list(stored.marks) == [(1, 3, 0)]
    assert [mark[:2] for mark in live.marks] == [(4, 7), (7, 9)]
    assert live.origin_at(5) == "Round 2 · position 1"
    transcript.set_visualize(False)
    transcript.finish_work()
    assert live.origin_at(5) == ""


# With the keyboard


def focused_by_tab(transcript: Transcript, steps: int, *, forward: bool = True) -> list[QWidget]:
    """Where the focus goes from where it is now, in the window's order."""
    seen: list[QWidget] = []
    for _ in range(steps):
        assert ReadingOrder((transcript,)).go(forward=forward)
        focus = transcript.window().focusWidget()
        assert focus is not None
        seen.append(focus)
    return seen


def test_tab_goes_from_the_oldest_message_to_the_newest(transcript: Transcript, qtbot: QtBot) -> None:
    transcript.show_messages([said(1, "a"), answered(2, "b\n```python\nc\n```\nd")])
    transcript.add_message(said(3, "e"))
    begin(transcript, 4)
    transcript.add_round(round_of("f\n\n"), 1)
    transcript.end_answer(answered(4, "f\n\ng"))
    transcript.finish_work()
    transcript.activateWindow()
    qtbot.waitUntil(transcript.isActiveWindow)
    area = child(transcript, QScrollArea, "transcript_area")
    area.setFocus(Qt.FocusReason.TabFocusReason)
    assert area.accessibleName() == "Conversation"
    seen = focused_by_tab(transcript, 18)
    names = [(widget.accessibleName(), getattr(widget, "toPlainText", str)()) for widget in seen]
    texts = [name for name in names if name[1]]
    assert texts == [
        ("Your message", "a"),
        ("Answer", "b"),
        ("Code, python", "c"),
        ("Answer", "d"),
        ("Your message", "e"),
        ("Answer", "f\ng"),
    ]
    assert [name for name, _ in names[:3]] == ["Copy", "Delete", "Your message"]  # left to right
    assert [name for name, _ in names[-3:]] == ["Copy", "Regenerate", "Delete"]
    back = focused_by_tab(transcript, 18, forward=False)
    assert back == [*reversed(seen[:-1]), area]


def test_a_text_that_tab_leads_to_comes_into_sight(transcript: Transcript, qtbot: QtBot) -> None:
    transcript.show_messages([said(1, "a"), answered(2, PARAGRAPHS)])
    transcript.finish_work()
    transcript.activateWindow()
    qtbot.waitUntil(transcript.isActiveWindow)
    child(transcript, QScrollArea, "transcript_area").setFocus(Qt.FocusReason.TabFocusReason)
    assert position(transcript)[0] > 0
    focused_by_tab(transcript, 1)  # to the question
    assert position(transcript)[0] < 40
    scroll_to(transcript, position(transcript)[1])
    focused_by_tab(transcript, 3)  # over its buttons to the answer
    assert position(transcript)[0] < 100


def test_keys_scroll_from_inside_of_a_text(transcript: Transcript, qtbot: QtBot) -> None:
    transcript.show_messages([answered(2, PARAGRAPHS)])
    transcript.finish_work()
    scroll_to(transcript, 0)
    transcript.activateWindow()
    qtbot.waitUntil(transcript.isActiveWindow)
    [view] = answer(transcript).findChildren(ProseView)
    view.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(view, Qt.Key.Key_PageDown)
    page = position(transcript)[0]
    assert page > 200
    QTest.keyClick(view, Qt.Key.Key_PageUp)
    assert position(transcript)[0] == 0
    QTest.keyClick(view, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)  # moves the cursor
    assert position(transcript)[0] > page


# Where the view is


def test_a_message_that_came_while_hidden_is_whole_when_it_is_shown(
    theme: Theme, icons: Icons, immediate_tasks: ImmediateTasks, qtbot: QtBot
) -> None:
    made = Transcript(theme, icons, immediate_tasks)
    around = QWidget()
    qtbot.addWidget(around)
    pages = QStackedLayout(around)
    pages.addWidget(QWidget())
    pages.addWidget(made)
    around.resize(900, 500)
    around.show()
    made.add_message(said(1, "Write a short numbered list of three fruits, please."))
    made.finish_work()
    pages.setCurrentWidget(made)
    around.resize(1000, 600)
    made.finish_work()
    [message] = made.messages
    [view] = message.findChildren(ProseView)
    assert isinstance(message, UserMessage)
    assert view.document().idealWidth() <= view.viewport().width()
    inside = QRectF(view.rect()).translated(view.mapTo(message, QPoint(0, 0)).toPointF())
    assert message.bubble.contains(inside)
    assert QRectF(message.rect()).contains(message.bubble)


def test_the_view_follows_the_end(transcript: Transcript) -> None:
    transcript.show_messages([said(1, "a"), answered(2, PARAGRAPHS)])
    transcript.finish_work()
    value, maximum = position(transcript)
    assert value == maximum > 0
    begin(transcript, 4)
    transcript.add_round(round_of(PARAGRAPHS), 1)
    transcript.finish_work()
    assert position(transcript)[0] == position(transcript)[1] > maximum
    assert not jump(transcript).isVisible()


def test_a_reader_elsewhere_is_left_alone(transcript: Transcript, qtbot: QtBot) -> None:
    transcript.show_messages([said(1, "a"), answered(2, PARAGRAPHS)])
    transcript.finish_work()
    begin(transcript, 4)
    scroll_to(transcript, 300)
    assert jump(transcript).isVisible()
    transcript.add_round(round_of(PARAGRAPHS), 1)
    transcript.finish_work()
    assert position(transcript)[0] == 300
    jump(transcript).click()
    assert position(transcript)[0] == position(transcript)[1]
    assert not jump(transcript).isVisible()
    transcript.add_round(round_of(PARAGRAPHS), 2)
    transcript.finish_work()
    assert position(transcript)[0] == position(transcript)[1]


def test_a_few_pixels_from_the_end_is_the_end(transcript: Transcript) -> None:
    transcript.show_messages([said(1, "a"), answered(2, PARAGRAPHS)])
    transcript.finish_work()
    maximum = position(transcript)[1]
    scroll_to(transcript, maximum - 5)
    assert transcript.follows
    scroll_to(transcript, maximum - 50)
    assert not transcript.follows


def test_what_one_says_oneself_is_shown(transcript: Transcript) -> None:
    transcript.show_messages([said(1, "a"), answered(2, PARAGRAPHS)])
    transcript.finish_work()
    scroll_to(transcript, 0)
    transcript.add_message(said(3, "More"))
    assert position(transcript)[0] == position(transcript)[1]


def test_colours_do_not_move_the_view(transcript: Transcript) -> None:
    spans = tuple(DraftSpan(start, 5, 1, 1, None) for start in range(0, 400, 9))
    transcript.show_messages(
        [said(1, "a"), answered(2, PARAGRAPHS, answer_of(stats=stats_of(), spans=spans))]
    )
    transcript.finish_work()
    scroll_to(transcript, 250)
    for shown in (True, False):
        transcript.set_visualize(shown)
        transcript.finish_work()
        assert position(transcript)[0] == 250


def test_another_theme_does_not_move_the_view(transcript: Transcript, theme: Theme) -> None:
    transcript.show_messages([said(1, "a"), answered(2, ANSWER + PARAGRAPHS)])
    transcript.finish_work()
    scroll_to(transcript, 250)
    theme.choose(ThemeChoice.LIGHT)
    transcript.finish_work()
    assert position(transcript)[0] == 250
    assert "Paragraph 3." in answer(transcript).body.shown_text


def test_another_width_keeps_the_message_that_is_read(transcript: Transcript, qtbot: QtBot) -> None:
    messages = [answered(number, "word " * 300) for number in range(1, 8)]
    transcript.show_messages(messages)
    transcript.finish_work()
    fourth = transcript.messages[3]
    column = fourth.parentWidget()
    assert column is not None
    scroll_to(transcript, fourth.y() + column.y())
    transcript.resize(420, 400)
    transcript.finish_work()
    assert abs(position(transcript)[0] - fourth.y()) <= column.y()
    assert fourth.width() == 420 - 64


def test_lines_are_not_too_long_to_be_read(transcript: Transcript) -> None:
    transcript.show_messages([answered(1, "word " * 300)])
    transcript.resize(1600, 400)
    transcript.finish_work()
    message = answer(transcript)
    assert message.width() == 720
    column = message.parentWidget()
    assert column is not None and column.x() == (1600 - 720) // 2


def test_a_long_conversation_is_shown_from_its_end(transcript: Transcript) -> None:
    """Before all of it is laid out, the newest message is there."""
    transcript.show_messages([answered(number, ANSWER * 5) for number in range(1, 60)])
    assert transcript.messages[-1].message.id == 59
    transcript.finish_work()
    assert len(transcript.messages) == 59
    assert position(transcript)[0] == position(transcript)[1]


@pytest.mark.parametrize("words", [8, 40, 90])
def test_a_problem_of_any_length_is_shown_whole(transcript: Transcript, words: int) -> None:
    """Its notice is made in the moment it is needed, and must not be measured before it is dressed."""
    begin(transcript, 2)
    transcript.add_round(round_of("So far"), 1)
    transcript.end_answer(answered(2, "So far", answer_of(AnswerState.FAILED, problem="killed " * words)))
    transcript.finish_work()
    QApplication.processEvents()
    notice = child(transcript, Notice, "notice")
    assert notice.height() >= notice.heightForWidth(notice.width())


def test_a_wish_that_is_met_already_recolours_nothing(
    transcript: Transcript, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every change of any setting tells the wish again."""
    transcript.show_messages([answered(2, "It is so.")])
    transcript.set_visualize(True)
    transcript.finish_work()
    recoloured: list[int] = []

    def count() -> Iterator[None]:
        recoloured.append(1)
        yield

    monkeypatch.setattr(answer(transcript).body, "showing_marks", count)
    transcript.set_visualize(True)
    transcript.finish_work()
    assert recoloured == []
    transcript.set_visualize(False)
    transcript.finish_work()
    assert recoloured == [1]


@pytest.mark.parametrize("width", [358, 460])
def test_a_message_that_came_after_a_hidden_view_was_narrowed_is_whole(
    transcript: Transcript, qtbot: QtBot, width: int
) -> None:
    """It is laid out for the width of before: the new one is told when it is shown."""
    pages = QWidget()
    qtbot.addWidget(pages)
    stack = QStackedLayout(pages)
    stack.addWidget(transcript)
    stack.addWidget(QWidget())
    pages.resize(1144, 400)
    pages.show()
    stack.setCurrentIndex(1)
    pages.resize(width, 400)
    QApplication.processEvents()
    transcript.add_message(said(1, "Write a short story about a lighthouse keeper and a fox."))
    stack.setCurrentIndex(0)
    transcript.finish_work()
    view = child(transcript, ProseView, "prose")
    assert view.document().size().height() > view.fontMetrics().lineSpacing() * 1.5
    assert view.document().size().height() <= view.height()
    assert view.verticalScrollBar().value() == 0
    transcript.setParent(None)  # its fixture ends it
