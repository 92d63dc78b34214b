"""Comparisons with real engines and tiny models."""

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from pytestqt.qtbot import QtBot

from app.bootstrap import engine_command
from app.core.experiment import ExperimentKind
from app.core.options import LoadOptions
from app.core.protocol import CostsMeasured, CostsProgressed
from app.ui.comparison_state import Phase
from app.ui.session import Session
from app.ui.session_state import EngineLost, Running
from app.ui.tasks import Tasks
from tests.fakes.tiny_gguf import CHATML, write_llama, write_mamba
from tests.fakes.tiny_vocabulary import byte_vocabulary
from tests.fakes.watched_comparison import (
    PATIENCE_MS,
    Models,
    WatchedComparison,
    drafted,
    listed,
    lookup,
    off,
    plan_of,
    setup_of,
)

LOAD = LoadOptions(context_length=2048, batch_size=64, threads=1)
LONG = 100_000  # tokens; more than the context holds

unix_only = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signal")


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Models:
    """A target, and two that draft for it, the first one better."""
    folder = tmp_path_factory.mktemp("models")
    made = [
        write_llama(folder / f"{name}.gguf", context_length=2048, chat_template=CHATML, noise=noise)
        for name, noise in (("target", 0.0), ("draft", 0.01), ("other", 0.1))
    ]
    return Models(*map(listed, made))


@pytest.fixture
def compare(qtbot: QtBot, tasks: Tasks) -> Iterator[WatchedComparison]:
    """A comparison with a real engine."""
    session = Session(engine_command())
    made = WatchedComparison(session, tasks)
    yield made
    session.close()
    session.deleteLater()
    made.deleteLater()


def test_outputs_are_identical_and_the_draft_models_are_told_apart(
    qtbot: QtBot, compare: WatchedComparison, models: Models
) -> None:
    compare.load(qtbot, setup_of(models.target, models.draft, LOAD))
    sides = [off(), drafted(models.draft), drafted(models.other, id_="other"), lookup()]
    compare.begin(sides, "hello", "count to ten", repeats=3, max_tokens=40)
    found = compare.experiment(qtbot)

    assert found.is_complete
    assert len(found.runs) == 24
    assert len(found.summary) == 8
    assert {run.stats.cached_prompt_tokens for run in found.runs} == {0}
    for prompt in found.prompts:
        assert {len(run.tokens) for run in found.runs if run.prompt == prompt.id} == {40}
        summaries = {each.variant: each for each in found.summary if each.prompt == prompt.id}
        assert all(each.identical for each in summaries.values())
        better, worse = summaries["draft"].acceptance_rate, summaries["other"].acceptance_rate
        assert better is not None and worse is not None
        assert better > worse
        assert summaries["draft"].speedup_interval is not None
    assert set(found.memory.draft_bytes) == {"draft", "other"}
    assert found.memory.target_bytes > 0
    compare.session.generate(plan_of(sides).prompts[0].messages)  # the chat can go on
    assert compare.session.is_answering


def test_with_sampling_the_outputs_are_the_same_too(
    qtbot: QtBot, compare: WatchedComparison, models: Models
) -> None:
    compare.load(qtbot, setup_of(models.target, None, LOAD))
    sides = [off(), drafted(models.other)]
    plan = plan_of(sides, repeats=2, max_tokens=60)
    assert plan.sampling.temperature > 0.5
    assert compare.comparison.start(plan, sides) == ""
    found = compare.experiment(qtbot)

    assert [each.identical for each in found.summary] == [True, True]
    assert [each.repeats_differ for each in found.summary] == [False, False]


def test_a_draft_model_that_does_not_fit_is_refused_with_the_reason(
    qtbot: QtBot, compare: WatchedComparison, models: Models, tmp_path: Path
) -> None:
    short = write_llama(tmp_path / "short.gguf", vocabulary=byte_vocabulary()[:-200])
    compare.load(qtbot, setup_of(models.target, None, LOAD))
    compare.begin([off(), drafted(listed(short))])

    assert "short.gguf cannot draft for target.gguf" in str(compare.end(qtbot))


def test_a_target_that_cannot_roll_back_is_refused_at_once(
    qtbot: QtBot, compare: WatchedComparison, tmp_path: Path
) -> None:
    compare.load(qtbot, setup_of(listed(write_mamba(tmp_path / "mamba.gguf")), None, LOAD))
    sides = [off(), lookup()]

    assert "cannot take back rejected tokens" in compare.comparison.start(plan_of(sides), sides)


def test_a_prompt_that_is_too_long_is_refused_with_the_length_of_the_context(
    qtbot: QtBot, compare: WatchedComparison, models: Models
) -> None:
    compare.load(qtbot, setup_of(models.target, None, LOAD))
    compare.begin([off(), lookup()], "a boat " * 1000)

    assert "longer than the context of 2,048 tokens" in str(compare.end(qtbot))


def test_stop_in_the_middle_of_an_answer_keeps_what_had_ended(
    qtbot: QtBot, compare: WatchedComparison, models: Models
) -> None:
    compare.load(qtbot, setup_of(models.target, models.draft, LOAD))
    compare.begin([off(), drafted(models.other)], repeats=9, max_tokens=200)
    compare.wait_for_run(qtbot, 2)
    compare.comparison.stop()
    found = compare.experiment(qtbot)

    assert 2 <= len(found.runs) < 18
    assert not found.is_complete
    assert {len(run.tokens) for run in found.runs} == {200}
    assert isinstance(compare.session.state, Running)


def test_stop_while_a_draft_model_is_loaded(qtbot: QtBot, compare: WatchedComparison, models: Models) -> None:
    compare.load(qtbot, setup_of(models.target, None, LOAD))
    compare.comparison.state_changed.connect(
        lambda state: compare.comparison.stop() if state.phase is Phase.LOADING_DRAFT else None
    )
    compare.begin([off(), drafted(models.draft)])

    assert compare.end(qtbot) == ""
    assert isinstance(compare.session.state, Running)
    trials = compare.session.begin_trials()
    assert trials is not None
    with qtbot.waitSignal(
        trials.event_received,
        timeout=PATIENCE_MS,
        check_params_cb=lambda event: not isinstance(event, CostsProgressed),
    ) as told:
        trials.measure_costs(2)
    assert isinstance(told.args[0], CostsMeasured)
    assert told.args[0].costs.draft_s is None


def test_ejecting_in_the_middle_keeps_what_had_ended(
    qtbot: QtBot, compare: WatchedComparison, models: Models
) -> None:
    compare.load(qtbot, setup_of(models.target, None, LOAD))
    compare.begin([off(), lookup()], repeats=9, max_tokens=200)
    compare.wait_for_run(qtbot)
    compare.session.eject()
    found = compare.experiment(qtbot)

    assert 1 <= len(found.runs) < 18
    assert compare.problems == ["The model was unloaded before the comparison had ended."]
    qtbot.waitUntil(lambda: not psutil.Process().children(recursive=True), timeout=PATIENCE_MS)


@unix_only
def test_a_crash_in_the_middle_keeps_what_had_ended(
    qtbot: QtBot, compare: WatchedComparison, models: Models
) -> None:
    compare.load(qtbot, setup_of(models.target, None, LOAD))
    compare.begin([off(), lookup()], repeats=9, max_tokens=LONG)
    compare.wait_for_run(qtbot)
    assert compare.session.engine_pid is not None
    os.kill(compare.session.engine_pid, signal.SIGABRT)
    found = compare.experiment(qtbot)

    assert 1 <= len(found.runs) < 18
    assert not found.is_complete
    assert len(compare.problems) == 1
    assert "crashed" in compare.problems[0]
    assert isinstance(compare.session.state, EngineLost)


def test_a_sweep_over_many_lengths(qtbot: QtBot, compare: WatchedComparison, models: Models) -> None:
    compare.load(qtbot, setup_of(models.target, None, LOAD))
    sides = [off(), *[drafted(models.draft, most, f"draft {most}") for most in range(1, 9)]]
    plan = plan_of(sides, max_tokens=30, kind=ExperimentKind.SWEEP)
    assert compare.comparison.start(plan, sides) == ""
    found = compare.experiment(qtbot)

    assert [each.variant for each in found.summary] == [side.variant.id for side in sides]
    assert len(set(found.memory.draft_bytes.values())) == 1
    assert [each.identical for each in found.summary] == [True] * 9
