"""Runs as they are generated."""

from app.core.chat import DraftSpan
from app.core.experiment import PlannedRun, Run
from app.core.protocol import Done, Round, TextPiece
from app.core.run_record import RunRecord
from app.core.stats import DraftSource, RoundStats, StatsRecorder, StopReason

FIGURES = RoundStats(DraftSource.DRAFT_MODEL, 1, 1, 1, 2, 0.1, 0.2, 0.3)
TOTALS = StatsRecorder(0.0, 5).finish(StopReason.END_OF_GENERATION, 1)


def test_rounds_become_a_run() -> None:
    record = RunRecord(PlannedRun("draft", "story", 2))
    record.add(Round((7,), (TextPiece("Once ", False, 0, None),), FIGURES))
    record.add(Round((8, 9), (TextPiece("upon", True, 1, 0.5), TextPiece(" a", False, 0, None)), FIGURES))

    spans = (DraftSpan(5, 4, 2, 1, 0.5),)
    assert record.end(Done((), TOTALS)) == Run("draft", "story", 2, (7, 8, 9), "Once upon a", TOTALS, spans)


def test_text_that_was_held_back_belongs_to_the_last_round() -> None:
    record = RunRecord(PlannedRun("draft", "story", 0))
    record.add(Round((7,), (), FIGURES))
    run = record.end(Done((TextPiece("…", True, 1, None),), TOTALS))

    assert (run.text, run.spans) == ("…", (DraftSpan(0, 1, 1, 1, None),))


def test_an_answer_may_be_empty() -> None:
    run = RunRecord(PlannedRun("off", "story", 0)).end(Done((), TOTALS))
    assert (run.tokens, run.text, run.spans) == ((), "", ())
