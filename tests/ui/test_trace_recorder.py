"""Recording an answer round by round."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.core.experiment import ModelIdentity
from app.core.options import GenerationLimits, SamplingOptions
from app.core.protocol import (
    Done,
    DraftAdded,
    Failed,
    FailureKind,
    Finished,
    Obstacle,
    Refusal,
    Round,
    RoundFinished,
)
from app.core.stats import StopReason
from app.core.trace import Trace, TracedRound
from app.ui.icons import Icons
from app.ui.theme import Theme
from app.ui.trace_recorder import Recording, TraceRecorder, recording_of
from tests.fakes.compare_services import OTHER_DRAFT, ComparePlace, compare_place
from tests.fakes.experiments import CODE, DRAFTED, prompt_experiment, trace_of
from tests.fakes.scripted_trials import ScriptedTrials
from tests.fakes.session import totals
from tests.fakes.setups import DRAFT

GREEDY = SamplingOptions(temperature=0.0)
LIMITS = GenerationLimits(max_tokens=8)
TRACED = trace_of().rounds


def identity(model_name: str, size: int) -> ModelIdentity:
    return ModelIdentity("a model", "Q8_0", model_name, size)


class Bench:
    """A recorder before a scripted engine, and what it said."""

    def __init__(self, place: ComparePlace) -> None:
        self.place = place
        self.trials = ScriptedTrials(place.session)
        self.recorder = TraceRecorder(place.services.session, place.services.library)
        self.progress: list[int] = []
        self.recorded: list[Trace] = []
        self.failures: list[str] = []
        self.recorder.progressed.connect(self.progress.append)
        self.recorder.recorded.connect(self.recorded.append)
        self.recorder.failed.connect(self.failures.append)

    def recording(self, draft: ModelIdentity | None) -> Recording:
        return Recording(replace(DRAFTED, draft=draft), CODE, GREEDY, LIMITS)

    def give(self, *rounds: TracedRound) -> None:
        for each in rounds:
            self.trials.tell(RoundFinished(1, Round((1,), (), each.stats, each)))

    def finish(self, reason: StopReason = StopReason.MAX_TOKENS) -> None:
        self.trials.tell(Finished(1, Done((), totals(reason=reason))))


@pytest.fixture
def bench(theme: Theme, icons: Icons, tmp_path: Path, qtbot: QtBot, qapp: QApplication) -> Iterator[Bench]:
    made = Bench(compare_place(theme, icons, tmp_path))
    yield made
    made.recorder.deleteLater()
    made.place.close()


IN_MEMORY = identity(DRAFT.path.name, DRAFT.info.total_bytes)
ELSEWHERE = identity(OTHER_DRAFT.path.name, OTHER_DRAFT.info.total_bytes)


def test_the_answer_is_asked_for_as_it_was_measured(bench: Bench) -> None:
    assert bench.recorder.start(bench.recording(IN_MEMORY)) == ""
    assert bench.trials.drafts == []
    assert bench.trials.answers == [
        {
            "messages": CODE.messages,
            "sampling": GREEDY,
            "speculation": DRAFTED.speculation,
            "limits": LIMITS,
            "draft": None,
            "trace": True,
        }
    ]


def test_its_rounds_make_the_trace(bench: Bench) -> None:
    bench.recorder.start(bench.recording(IN_MEMORY))
    bench.give(*TRACED)
    bench.finish()
    assert bench.recorded == [Trace("draft", CODE.id, TRACED)]
    assert bench.trials.is_closed
    assert not bench.recorder.is_running


def test_a_draft_that_is_not_in_memory_is_added_first(bench: Bench) -> None:
    assert bench.recorder.start(bench.recording(ELSEWHERE)) == ""
    assert bench.trials.drafts == [OTHER_DRAFT.path]
    assert bench.trials.answers == []
    bench.trials.tell(DraftAdded(1, 1000, None))
    assert [answer["draft"] for answer in bench.trials.answers] == [OTHER_DRAFT.path]


def test_a_draft_that_does_not_fit_is_told(bench: Bench) -> None:
    bench.recorder.start(bench.recording(ELSEWHERE))
    bench.trials.tell(DraftAdded(1, 0, Refusal(Obstacle.INCOMPATIBLE, "It does not fit.")))
    assert bench.failures == ["It does not fit."]
    assert bench.trials.is_closed


def test_a_draft_that_is_not_here_is_named(bench: Bench) -> None:
    assert "a model · Q8_0" in bench.recorder.start(bench.recording(identity("gone.gguf", 1)))
    assert not bench.recorder.is_running


def test_an_engine_that_is_busy_is_told(bench: Bench) -> None:
    bench.place.session.is_answering = True
    assert "busy" in bench.recorder.start(bench.recording(None))


def test_progress_is_told_a_few_times_a_second(bench: Bench, qtbot: QtBot) -> None:
    bench.recorder.start(bench.recording(None))
    bench.give(*TRACED[:3])
    assert bench.progress == []
    qtbot.waitUntil(lambda: bool(bench.progress))
    assert bench.progress == [sum(each.stats.emitted for each in TRACED[:3])]
    bench.finish()


def test_a_part_of_an_answer_is_no_trace_of_it(bench: Bench) -> None:
    bench.recorder.start(bench.recording(None))
    bench.give(*TRACED[:2])
    bench.recorder.stop()
    assert bench.trials.stops == 1
    bench.finish(StopReason.STOPPED)
    assert (bench.recorded, bench.failures) == ([], [""])
    bench.recorder.start(bench.recording(None))
    bench.give(*TRACED)
    bench.finish()
    assert [trace.rounds for trace in bench.recorded] == [TRACED]


def test_a_stop_that_comes_too_late_takes_nothing_away(bench: Bench) -> None:
    bench.recorder.start(bench.recording(None))
    bench.give(*TRACED)
    bench.recorder.stop()
    bench.finish(StopReason.MAX_TOKENS)
    assert [trace.rounds for trace in bench.recorded] == [TRACED]


def test_a_stop_while_the_draft_is_loaded_is_heard(bench: Bench) -> None:
    """The draft may be in memory before the engine hears of the stop."""
    bench.recorder.start(bench.recording(ELSEWHERE))
    bench.recorder.stop()
    bench.trials.tell(DraftAdded(1, 1000, None))
    assert bench.trials.answers == []
    assert bench.failures == [""]
    assert bench.trials.is_closed
    assert bench.recorder.start(bench.recording(ELSEWHERE)) == ""  # which is not stopped
    bench.trials.tell(DraftAdded(1, 1000, None))
    assert len(bench.trials.answers) == 1


def test_an_engine_that_is_lost_after_the_end_is_not_told_again(bench: Bench) -> None:
    """It may crash while it gives the draft's memory back."""
    bench.recorder.start(bench.recording(ELSEWHERE))
    bench.trials.tell(DraftAdded(1, 1000, None))
    bench.give(*TRACED)
    bench.finish()
    bench.trials.lose()
    assert len(bench.recorded) == 1
    assert bench.failures == []


def test_stopped_before_anything_nothing_is_said(bench: Bench) -> None:
    bench.recorder.start(bench.recording(None))
    bench.trials.tell(Failed(1, FailureKind.CANCELLED, "Stopped."))
    assert (bench.recorded, bench.failures) == ([], [""])


def test_a_crash_is_told(bench: Bench) -> None:
    bench.recorder.start(bench.recording(None))
    bench.give(TRACED[0])
    bench.trials.lose()
    assert bench.recorded == []
    assert "crashed" in bench.failures[0]
    assert not bench.recorder.is_running


def test_the_answer_of_an_experiment() -> None:
    experiment = prompt_experiment()
    assert recording_of(experiment, "draft", CODE.id) == Recording(
        DRAFTED, CODE, experiment.sampling, experiment.limits
    )
    with pytest.raises(KeyError):
        recording_of(experiment, "draft", "another")
