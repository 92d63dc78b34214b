"""Carrying out a comparison, with engines that are real processes and obey as told."""

from pathlib import Path

import pytest
from msgspec.structs import replace
from pytestqt.qtbot import QtBot

from app.core.compare import schedule
from app.core.experiment import Experiment, FirstDifference, ModelIdentity
from app.core.options import SpeculationMode, SpeculationOptions
from app.ui.comparison_state import ComparisonState, Phase
from tests.fakes import fake_engine, pretended_trials
from tests.fakes.tiny_gguf import write_llama
from tests.fakes.watched_comparison import Compare, Models, drafted, listed, lookup, off, plan_of, setup_of

STORY = "Once upon a time"


def test_the_plan_is_carried_out_in_its_order(qtbot: QtBot, compare: Compare, comparable: Models) -> None:
    watched, sides = compare(), [off(), drafted(comparable.draft)]
    watched.load(qtbot, setup_of(comparable.target, comparable.draft))
    watched.begin(sides, "hello", STORY, repeats=3)
    plan = watched.comparison.plan
    assert plan is not None
    found = watched.experiment(qtbot)

    assert watched.began == schedule(plan)
    assert [(run.variant, run.prompt, run.repeat) for run in found.runs] == [
        (planned.variant, planned.prompt, planned.repeat) for planned in schedule(plan)
    ]
    assert found.runs == tuple(watched.runs)
    assert found.is_complete
    assert not watched.session.is_measuring
    assert watched.problems == []


def test_runs_have_the_tokens_and_the_text_of_their_rounds(
    qtbot: QtBot, compare: Compare, comparable: Models
) -> None:
    watched = compare()
    watched.load(qtbot, setup_of(comparable.target, comparable.draft))
    watched.begin([off(), drafted(comparable.draft)])
    found = watched.experiment(qtbot)

    assert {run.tokens for run in found.runs} == {(pretended_trials.WORD,) * 5}
    assert {run.text for run in found.runs} == {"word " * 5}
    assert [run.stats.accepted for run in found.runs] == [0, 2]
    assert [planned.variant for planned in watched.rounds] == ["off"] * 5 + ["draft"] * 3


def test_warm_ups_come_first_and_do_not_count(qtbot: QtBot, compare: Compare, comparable: Models) -> None:
    watched = compare()
    watched.load(qtbot, setup_of(comparable.target, comparable.draft))
    watched.begin([off(), drafted(comparable.draft), drafted(comparable.draft, 5, "longer")])
    watched.experiment(qtbot)
    warm = [state.planned for state in watched.states if state.phase is Phase.WARMING_UP and state.planned]

    assert [planned.variant for planned in warm] == ["off", "draft"]  # one for each source of drafts
    assert [planned.variant for planned in watched.began] == ["off", "draft", "longer"]
    assert watched.phases() == [Phase.WARMING_UP, Phase.RUNNING, Phase.IDLE]


def test_progress_names_the_run_and_the_time_left(qtbot: QtBot, compare: Compare, comparable: Models) -> None:
    watched = compare()
    watched.load(qtbot, setup_of(comparable.target))
    watched.begin([off(), lookup()], repeats=2)
    watched.experiment(qtbot)
    running = [state for state in watched.states if state.phase is Phase.RUNNING]

    assert [(state.done, state.of) for state in running] == [(0, 4), (1, 4), (2, 4), (3, 4)]
    assert [state.planned for state in running] == watched.began
    assert running[0].seconds_left is None
    assert all(state.seconds_left is not None for state in running[1:])


def test_a_draft_model_that_is_not_in_memory_is_loaded_once_and_goes_again(
    qtbot: QtBot, compare: Compare, comparable: Models
) -> None:
    watched = compare()
    watched.load(qtbot, setup_of(comparable.target, comparable.draft))
    sides = [
        drafted(comparable.draft),
        drafted(comparable.other, 2, "two"),
        drafted(comparable.other, 4, "four"),
    ]
    watched.begin(sides)
    found = watched.experiment(qtbot)

    assert watched.phases()[:3] == [Phase.WARMING_UP, Phase.LOADING_DRAFT, Phase.WARMING_UP]
    assert [state.phase for state in watched.states].count(Phase.LOADING_DRAFT) == 1
    assert found.memory.draft_bytes == {
        "draft": 100,  # as the load said
        "two": pretended_trials.DRAFT_BYTES,
        "four": pretended_trials.DRAFT_BYTES,
    }
    trials = watched.session.begin_trials()
    assert trials is not None
    with qtbot.waitSignal(trials.event_received) as told:
        trials.measure_costs(1, comparable.other.path)
    assert "is not there" in told.args[0].sentence


def test_the_experiment_says_what_it_was_made_with(
    qtbot: QtBot, compare: Compare, comparable: Models
) -> None:
    watched = compare()
    setup = setup_of(comparable.target, comparable.draft)
    watched.load(qtbot, setup)
    guess = ModelIdentity("guessed", "", "", 0)
    side = drafted(comparable.draft)
    side = replace(side, variant=replace(side.variant, draft=guess))
    watched.begin([off(), side])
    found = watched.experiment(qtbot)

    assert found.target.name == comparable.target.name
    assert found.target.file == "target.gguf"
    assert len(found.target.header_digest) == 64
    assert found.variant("off").draft is None
    drafts = found.variant("draft").draft
    assert drafts is not None
    assert (drafts.name, drafts.file) == (comparable.draft.name, "draft.gguf")
    assert found.load == setup.config.load
    assert found.sampling.seed == 7
    assert found.machine.engine_version == fake_engine.READY.engine_version
    assert found.memory.target_bytes == 1000
    assert found.memory.peak_rss_bytes == pretended_trials.TARGET_BYTES + pretended_trials.DRAFT_BYTES


def test_a_model_that_is_gone_from_the_disk_can_still_be_compared(
    qtbot: QtBot, compare: Compare, tmp_path: Path
) -> None:
    watched = compare()
    target = listed(write_llama(tmp_path / "gone.gguf"))
    watched.load(qtbot, setup_of(target))
    target.path.unlink()
    watched.begin([off(), lookup()])

    assert watched.experiment(qtbot).target == ModelIdentity(
        target.name, target.info.quantisation, "gone.gguf", target.info.total_bytes
    )


def test_where_outputs_differ_the_target_is_asked_about_both_tokens(
    qtbot: QtBot, compare: Compare, comparable: Models
) -> None:
    watched = compare()
    watched.load(qtbot, setup_of(comparable.target, comparable.draft))
    watched.begin([off(), drafted(comparable.draft)], "differ", repeats=2)
    found = watched.experiment(qtbot)

    assert watched.phases() == [Phase.WARMING_UP, Phase.RUNNING, Phase.WEIGHING, Phase.IDLE]
    weighing = [state for state in watched.states if state.phase is Phase.WEIGHING]
    assert weighing == [ComparisonState(Phase.WEIGHING, None, 4, 4)]
    summary = found.summary_of("draft", "differ")
    assert summary is not None
    assert summary.identical is False
    assert summary.first_difference == FirstDifference(
        position=4,
        expected=pretended_trials.WORD,
        found=pretended_trials.OTHER_WORD,
        expected_text="word ",
        found_text="work ",
        expected_logit=10.0,
        found_logit=9.5,
        near_tie=True,
        text_position=20,
        margin=0.5 * 0.8,  # the engine knows the temperature
    )


def test_two_at_once_are_refused(qtbot: QtBot, compare: Compare, comparable: Models) -> None:
    watched, sides = compare(), [off(), lookup()]
    watched.load(qtbot, setup_of(comparable.target))
    watched.begin(sides)

    assert watched.comparison.start(plan_of(sides), sides) == "Another comparison is running."
    assert watched.experiment(qtbot).is_complete


def test_the_next_can_begin_as_soon_as_one_is_finished(
    qtbot: QtBot, compare: Compare, comparable: Models
) -> None:
    watched = compare()
    watched.load(qtbot, setup_of(comparable.target))
    sides = [off(), lookup()]
    said: list[str] = []

    def again(_: Experiment) -> None:
        if not said:
            said.append(watched.comparison.start(plan_of(sides), sides))

    watched.comparison.finished.connect(again)
    watched.begin(sides)
    qtbot.waitUntil(lambda: len(watched.ends) == 2)

    assert said == [""]


def test_each_variant_needs_its_side(qtbot: QtBot, compare: Compare) -> None:
    with pytest.raises(ValueError, match="side"):
        compare().comparison.start(plan_of([off(), lookup()]), [lookup(), off()])


def test_speculation_that_cannot_be_is_refused_at_once(
    qtbot: QtBot, compare: Compare, comparable: Models
) -> None:
    watched = compare()
    watched.load(qtbot, setup_of(comparable.target))
    speculation = SpeculationOptions(SpeculationMode.PROMPT_LOOKUP, lookup_shortest=5, lookup_longest=3)
    sides = [off(), replace(lookup(), variant=replace(lookup().variant, speculation=speculation))]

    assert watched.comparison.start(plan_of(sides), sides) == (
        "The lookup sizes must be between 1 and 16, shortest first."
    )
    assert not watched.session.is_measuring
