"""An answer while it is being written."""

from app.core.chat import Answer, AnswerState, ChatMessage, DraftSpan, Role
from app.core.protocol import Done, Round, TextPiece
from app.core.stats import DraftSource, RoundStats
from app.ui.running_answer import RunningAnswer
from tests.fakes.session import totals

MESSAGE = ChatMessage(7, 6, Role.ASSISTANT, "", 0.0, Answer(AnswerState.RUNNING, "target", "draft"))
ROUND = Round(
    (1, 2),
    (TextPiece("Hel", True, 1, 0.9), TextPiece("lo", False, 0, None)),
    RoundStats(DraftSource.DRAFT_MODEL, 1, 1, 1, 2, 0.1, 0.1, 0.0),
)


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_text_and_spans_are_gathered_round_by_round() -> None:
    running = RunningAnswer(1, MESSAGE)
    running.add(ROUND)
    running.add(ROUND)
    partial = running.partial()
    assert partial.text == "HelloHello"
    assert partial.answer is not None
    assert partial.answer.state is AnswerState.RUNNING
    assert partial.answer.spans == (DraftSpan(0, 3, 1, 1, 0.9), DraftSpan(5, 3, 2, 1, 0.9))


def test_the_end_brings_text_that_was_held_back_and_the_figures() -> None:
    running = RunningAnswer(1, MESSAGE)
    running.add(ROUND)
    stats = totals(ROUND)
    done = running.finished(Done((TextPiece("!", False, 0, None),), stats))
    assert done.text == "Hello!"
    assert done.answer is not None and done.answer.stats == stats
    assert done.answer.state is AnswerState.FINISHED


def test_a_failure_keeps_the_text() -> None:
    running = RunningAnswer(1, MESSAGE)
    running.add(ROUND)
    failed = running.failed("The engine was killed.")
    assert failed.text == "Hello"
    assert failed.answer is not None and failed.answer.problem == "The engine was killed."


def test_saving_is_due_every_two_seconds() -> None:
    clock = Clock()
    running = RunningAnswer(1, MESSAGE, clock)
    assert not running.is_due
    clock.now += 2.0
    assert running.is_due
    assert not running.is_due
    clock.now += 1.9
    assert not running.is_due
