"""How comparisons end before their time, with engines that are real processes and misbehave as told."""

import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QTimer
from pytestqt.qtbot import QtBot

from app.core.experiment import Experiment
from app.ui import comparison, measurement
from app.ui.comparison_state import Phase
from app.ui.engine_client import GracePeriods
from app.ui.session_state import EngineLost, Running
from tests.fakes.tiny_gguf import write_llama
from tests.fakes.watched_comparison import Compare, Models, drafted, listed, lookup, off, setup_of

SHORT = GracePeriods(stop=50, close=50, terminate=50)

unix_only = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signal")


def fail(*_: object, **__: object) -> None:
    raise ZeroDivisionError("by nothing")


def test_stop_keeps_what_had_ended(qtbot: QtBot, compare: Compare, comparable: Models) -> None:
    watched = compare()
    watched.load(qtbot, setup_of(comparable.target, comparable.draft))
    watched.comparison.run_began.connect(
        lambda _: watched.comparison.stop() if len(watched.began) == 2 else None
    )
    watched.begin([off(), drafted(comparable.other)], repeats=5)
    found = watched.experiment(qtbot)

    assert [run.variant for run in found.runs] == ["off"]
    assert not found.is_complete
    assert found.repeats == 5
    assert watched.phases()[-2:] == [Phase.STOPPING, Phase.IDLE]
    assert watched.problems == []
    assert not watched.session.is_measuring


def test_stop_before_anything_has_ended_gives_nothing(
    qtbot: QtBot, compare: Compare, comparable: Models
) -> None:
    watched = compare()
    watched.load(qtbot, setup_of(comparable.target))
    watched.begin([off(), lookup()], "wait")
    qtbot.waitUntil(lambda: watched.states[-1].planned is not None)
    watched.comparison.stop()

    assert watched.end(qtbot) == ""
    assert watched.began == []
    assert isinstance(watched.session.state, Running)


def test_stop_at_once_gives_nothing(qtbot: QtBot, compare: Compare, comparable: Models) -> None:
    watched = compare()
    watched.load(qtbot, setup_of(comparable.target))
    watched.begin([off(), lookup()])
    watched.comparison.stop()
    watched.comparison.stop()
    assert watched.end(qtbot) == ""
    QCoreApplication.processEvents()  # the facts come too late

    assert watched.ends == []
    watched.begin([off(), lookup()])
    assert watched.experiment(qtbot).is_complete


def test_stop_from_whoever_hears_of_a_run_is_no_trouble(
    qtbot: QtBot, compare: Compare, comparable: Models
) -> None:
    watched = compare()
    watched.load(qtbot, setup_of(comparable.target))
    watched.comparison.run_ended.connect(lambda _: watched.comparison.stop())
    watched.begin([off(), lookup()], repeats=2)

    assert [run.variant for run in watched.experiment(qtbot).runs] == ["off"]


def test_stop_while_differences_are_looked_at_leaves_a_whole_experiment(
    qtbot: QtBot, compare: Compare, comparable: Models
) -> None:
    watched = compare("weigh:wait")
    watched.load(qtbot, setup_of(comparable.target))
    watched.begin([off(), lookup()], "differ")
    qtbot.waitUntil(lambda: watched.comparison.state.phase is Phase.WEIGHING)
    watched.comparison.stop()
    found = watched.experiment(qtbot)

    assert found.is_complete
    difference = found.summary[1].first_difference
    assert difference is not None
    assert (difference.position, difference.expected_logit, difference.near_tie) == (4, None, None)


def test_ejecting_in_the_middle_keeps_what_had_ended_and_says_so(
    qtbot: QtBot, compare: Compare, comparable: Models
) -> None:
    watched = compare()
    watched.load(qtbot, setup_of(comparable.target))
    watched.comparison.run_ended.connect(lambda _: watched.session.eject())
    watched.begin([off(), lookup()])
    found = watched.experiment(qtbot)

    assert len(found.runs) == 1
    assert not found.is_complete
    assert watched.problems == ["The model was unloaded before the comparison had ended."]


def test_ejecting_after_the_last_step_is_nothing_to_speak_of(
    qtbot: QtBot, compare: Compare, comparable: Models
) -> None:
    watched = compare()
    watched.load(qtbot, setup_of(comparable.target))
    watched.comparison.run_ended.connect(
        lambda _: QTimer.singleShot(0, watched.session.eject) if len(watched.runs) == 2 else None
    )
    watched.begin([off(), drafted(comparable.draft)])  # which has to go again
    found = watched.experiment(qtbot)

    assert found.is_complete
    assert watched.problems == []


def test_loading_another_model_before_anything_has_ended(
    qtbot: QtBot, compare: Compare, comparable: Models
) -> None:
    watched = compare()
    watched.load(qtbot, setup_of(comparable.target))
    watched.begin([off(), lookup()], "wait")
    watched.session.load(setup_of(comparable.other))

    assert watched.end(qtbot) == "The model was unloaded before the comparison had ended."
    assert watched.problems == []


@unix_only
def test_a_crash_in_the_middle_keeps_what_had_ended(
    qtbot: QtBot, compare: Compare, comparable: Models, tmp_path: Path
) -> None:
    crashed = tmp_path / "crashed"
    crashed.touch()
    watched = compare(f"prompt:abort@{crashed}")
    watched.load(qtbot, setup_of(comparable.target))
    watched.comparison.run_ended.connect(lambda _: crashed.unlink(missing_ok=True))
    watched.begin([off(), lookup()], repeats=2)
    found = watched.experiment(qtbot)

    assert len(found.runs) == 1
    assert not found.is_complete
    assert "crashed while it was reading the prompt" in watched.problems[0]
    assert isinstance(watched.session.state, EngineLost)


@unix_only
def test_an_engine_that_does_not_hear_stop_is_ended(
    qtbot: QtBot, compare: Compare, comparable: Models
) -> None:
    watched = compare("answer:hang", grace=SHORT)
    watched.load(qtbot, setup_of(comparable.target))
    watched.begin([off(), lookup()])
    qtbot.waitUntil(lambda: watched.states[-1].planned is not None)
    watched.comparison.stop()

    assert "did not react to Stop" in str(watched.end(qtbot))
    assert isinstance(watched.session.state, EngineLost)


def test_a_draft_model_that_does_not_fit_ends_it_with_the_reason(
    qtbot: QtBot, compare: Compare, comparable: Models, tmp_path: Path
) -> None:
    watched = compare()
    watched.load(qtbot, setup_of(comparable.target))
    watched.begin([off(), drafted(listed(write_llama(tmp_path / "misfit.gguf")))])

    assert watched.end(qtbot) == "misfit.gguf does not fit."
    assert watched.began == []
    assert not watched.session.is_measuring


def test_a_prompt_that_is_too_long_ends_it_with_the_reason(
    qtbot: QtBot, compare: Compare, comparable: Models
) -> None:
    watched = compare()
    watched.load(qtbot, setup_of(comparable.target))
    watched.begin([off(), lookup()], "refuse")

    assert watched.end(qtbot) == (
        "The prompt is longer than the context of 4,096 tokens. Shorten the prompt, or load the model with a "
        "longer context."
    )


def test_a_prompt_that_fails_later_keeps_what_the_others_gave(
    qtbot: QtBot, compare: Compare, comparable: Models
) -> None:
    watched = compare()
    watched.load(qtbot, setup_of(comparable.target))
    watched.begin([off(), lookup()], "hello", "refuse")
    found = watched.experiment(qtbot)

    assert watched.problems == [
        "The prompt “refuse” is longer than the context of 4,096 tokens. Leave it out, or load the model "
        "with a longer context."
    ]
    assert [run.prompt for run in found.runs] == ["hello", "hello"]
    assert not found.is_complete


def test_facts_that_cannot_be_found_end_it_with_the_reason(
    qtbot: QtBot, compare: Compare, comparable: Models, monkeypatch: pytest.MonkeyPatch
) -> None:
    watched = compare()
    watched.load(qtbot, setup_of(comparable.target))
    with monkeypatch.context() as patch:
        patch.setattr(comparison, "find_facts", fail)
        watched.begin([off(), lookup()])
        sentence = watched.end(qtbot)

    assert sentence == "The comparison ended with a fault of the program: ZeroDivisionError: by nothing"
    assert not watched.session.is_measuring
    watched.begin([off(), lookup()])
    assert watched.experiment(qtbot).is_complete


def test_an_experiment_that_cannot_be_put_together_ends_it_with_the_reason(
    qtbot: QtBot, compare: Compare, comparable: Models, monkeypatch: pytest.MonkeyPatch
) -> None:
    watched = compare()
    watched.load(qtbot, setup_of(comparable.target))
    monkeypatch.setattr(measurement, "experiment_of", fail)
    watched.begin([off(), lookup()])

    assert "ZeroDivisionError: by nothing" in str(watched.end(qtbot))
    assert not watched.session.is_measuring


def test_what_was_measured_is_kept_at_the_end_of_the_program(
    qtbot: QtBot, compare: Compare, comparable: Models
) -> None:
    watched = compare()
    watched.load(qtbot, setup_of(comparable.target))
    watched.begin([off(), lookup()], repeats=9)
    watched.wait_for_run(qtbot)
    watched.comparison.close()

    assert len(watched.ends) == 1
    assert isinstance(watched.ends[0], Experiment)
    watched.session.close()
    QCoreApplication.processEvents()
    assert len(watched.ends) == 1


def test_closing_without_a_comparison_is_silent(qtbot: QtBot, compare: Compare) -> None:
    watched = compare()
    watched.comparison.stop()
    watched.comparison.close()

    assert watched.ends == []
    assert watched.states == []
