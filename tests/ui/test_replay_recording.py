"""How it works: recording an answer to be watched."""

from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtWidgets import QToolButton
from pytestqt.qtbot import QtBot

from app.core.experiment import ModelIdentity
from app.core.protocol import Done, DraftAdded, Finished, Round, RoundFinished
from app.core.stats import StopReason
from app.core.trace import TracedRound
from app.ui.icons import Icons
from app.ui.theme import Theme
from tests.fakes.children import child
from tests.fakes.compare_services import ComparePlace, compare_place
from tests.fakes.experiments import prompt_experiment, suite_experiment, trace_of
from tests.fakes.opened_replay_tab import OpenedReplayTab, here
from tests.fakes.session import totals
from tests.fakes.setups import drafted_setup


@pytest.fixture
def opened(place: ComparePlace, qtbot: QtBot) -> OpenedReplayTab:
    return OpenedReplayTab(place, qtbot)


def give(opened: OpenedReplayTab, *rounds: TracedRound) -> None:
    for each in rounds:
        opened.trials.tell(RoundFinished(1, Round((1,), (), each.stats, each)))


def test_before_anything_it_tells_how_a_round_goes(opened: OpenedReplayTab) -> None:
    assert not opened.is_replaying()
    assert "After a comparison its answers can be watched here." in opened.text("replay_line")
    assert opened.button("record_trace_button").text() == "Record an example"
    assert opened.tab.picture_widget() is None


def test_without_a_model_one_can_be_loaded(theme: Theme, icons: Icons, tmp_path: Path, qtbot: QtBot) -> None:
    place = compare_place(theme, icons, tmp_path, loaded=False)
    opened = OpenedReplayTab(place, qtbot)
    assert "Load a model" in opened.text("replay_line")
    assert not opened.button("record_trace_button").isVisible()
    with qtbot.waitSignal(opened.tab.model_requested):
        opened.button("compare_load_model_button").click()
    place.close()


def test_an_example_is_recorded_with_the_saved_settings_and_kept_to_itself(
    opened: OpenedReplayTab, qtbot: QtBot
) -> None:
    with qtbot.assertNotEmitted(opened.tab.trace_recorded):
        opened.button("record_trace_button").click()
        asked = opened.trials.answers[0]
        assert asked["speculation"] == drafted_setup().config.speculation
        assert asked["limits"].max_tokens == 64
        opened.record(trace_of())
    assert opened.is_replaying()
    assert opened.button("record_trace_button").text() == "Record again"


def test_an_answer_that_is_not_recorded_can_be(opened: OpenedReplayTab, qtbot: QtBot) -> None:
    opened.tab.show_experiment(here(prompt_experiment()))
    assert not opened.is_replaying()
    with qtbot.waitSignal(opened.tab.trace_recorded) as recorded:
        opened.button("record_trace_button").click()
        assert opened.button("stop_recording_button").isVisible()
        assert opened.trials.answers[0]["sampling"].temperature == 0.0
        opened.record(trace_of())
    assert recorded.args == [trace_of()]
    assert opened.text("replay_round_line") == f"Round 1 of {len(trace_of().rounds)}"


def test_while_it_is_recorded_a_figure_tells_how_far_it_is(opened: OpenedReplayTab, qtbot: QtBot) -> None:
    opened.tab.show_experiment(here(prompt_experiment()))
    opened.button("record_trace_button").click()
    rounds = trace_of().rounds[:4]
    give(opened, *rounds)
    tokens = sum(each.stats.emitted for each in rounds)
    qtbot.waitUntil(lambda: f"{tokens} tokens" in opened.text("replay_line"))
    assert not opened.is_replaying()  # drawing would take time from what is timed


def test_a_stopped_recording_leaves_things_as_they_were(opened: OpenedReplayTab, qtbot: QtBot) -> None:
    opened.tab.show_experiment(here(prompt_experiment()))
    opened.button("record_trace_button").click()
    give(opened, *trace_of().rounds[:4])
    opened.button("stop_recording_button").click()
    assert opened.trials.stops == 1
    with qtbot.assertNotEmitted(opened.tab.trace_recorded):
        opened.trials.tell(Finished(1, Done((), totals(reason=StopReason.STOPPED))))
    assert not opened.is_replaying()
    assert opened.button("record_trace_button").isVisible()


def test_a_recorded_answer_can_be_recorded_again(opened: OpenedReplayTab, qtbot: QtBot) -> None:
    experiment = here(prompt_experiment())
    opened.tab.show_experiment(replace(experiment, traces=(trace_of(),)))
    opened.step("forward")
    again = opened.button("record_trace_button")
    assert again.text() == "Record again"
    again.click()
    give(opened, trace_of().rounds[0])
    assert opened.text("replay_phase_line") == "drafted"  # it stays where it is meanwhile
    with qtbot.waitSignal(opened.tab.trace_recorded):
        opened.trials.tell(Finished(1, Done((), totals())))
    assert opened.text("replay_round_line") == "Round 1 of 1"


def test_nothing_plays_while_an_answer_is_recorded(opened: OpenedReplayTab) -> None:
    opened.tab.show_experiment(replace(here(prompt_experiment()), traces=(trace_of(),)))
    play = child(opened.tab, QToolButton, "replay_play_button")
    play.click()
    opened.button("record_trace_button").click()
    assert play.accessibleName() == "Play"


def test_a_recorded_answer_of_another_model_is_only_watched(opened: OpenedReplayTab) -> None:
    opened.tab.show_experiment(prompt_experiment(traced=True))
    assert opened.is_replaying()
    assert not opened.button("record_trace_button").isVisible()


def test_a_copy_with_the_same_date_is_another_comparison(opened: OpenedReplayTab, qtbot: QtBot) -> None:
    """A file that was saved from the history, and perhaps changed."""
    opened.tab.show_experiment(here(prompt_experiment()))
    opened.button("record_trace_button").click()
    opened.tab.show_experiment(here(prompt_experiment()))
    assert opened.trials.stops == 1
    with qtbot.assertNotEmitted(opened.tab.trace_recorded):
        opened.record(trace_of())


def test_an_answer_of_another_model_cannot_be_recorded(opened: OpenedReplayTab) -> None:
    opened.tab.show_experiment(prompt_experiment())
    assert "This comparison was made with Coder 1.5B Instruct · F16." in opened.text("replay_line")
    assert not opened.button("record_trace_button").isEnabled()


def test_while_something_is_measured_nothing_is_recorded(opened: OpenedReplayTab) -> None:
    opened.tab.show_experiment(here(prompt_experiment()))
    opened.place.session.measure(True)
    assert not opened.button("record_trace_button").isEnabled()
    assert opened.text("replay_line") == "The engine is being measured."
    opened.place.session.measure(False)
    assert opened.button("record_trace_button").isEnabled()


def test_while_the_chat_is_answered_nothing_is_recorded(opened: OpenedReplayTab) -> None:
    opened.tab.show_experiment(here(prompt_experiment()))
    opened.tab.hide()
    opened.place.session.generate(())
    opened.tab.show()
    assert not opened.button("record_trace_button").isEnabled()
    opened.place.session.finish(Done((), totals()))
    assert opened.button("record_trace_button").isEnabled()


def test_a_draft_that_is_gone_is_told(opened: OpenedReplayTab) -> None:
    experiment = here(prompt_experiment())
    gone = ModelIdentity("gone", "Q4", "gone.gguf", 5)
    variants = (experiment.variants[0], replace(experiment.variants[1], draft=gone))
    opened.tab.show_experiment(replace(experiment, variants=variants))
    opened.button("record_trace_button").click()
    assert "gone · Q4" in opened.text("replay_line")
    assert opened.button("record_trace_button").isVisible()


def test_the_trace_in_the_experiment_again_does_not_move_the_replay(opened: OpenedReplayTab) -> None:
    experiment = here(prompt_experiment())
    opened.tab.show_experiment(experiment)
    opened.button("record_trace_button").click()
    opened.record(trace_of())
    opened.step("forward")
    opened.tab.show_experiment(replace(experiment, traces=(trace_of(),)))
    assert opened.text("replay_phase_line") == "drafted"


def test_every_answer_that_drafted_can_be_chosen(opened: OpenedReplayTab) -> None:
    experiment = here(suite_experiment())
    opened.tab.show_experiment(replace(experiment, traces=(trace_of(prompt="story-lighthouse"),)))
    assert len(opened.answers) == 6
    assert opened.is_replaying()  # the one that is recorded comes first to the screen
    opened.choose(0)
    assert not opened.is_replaying()
    assert opened.button("record_trace_button").text() == "Record this answer"


def test_another_comparison_ends_a_recording(opened: OpenedReplayTab, qtbot: QtBot) -> None:
    opened.tab.show_experiment(here(prompt_experiment()))
    opened.button("record_trace_button").click()
    opened.tab.show_experiment(prompt_experiment(created=5.0))
    assert opened.trials.stops == 1
    with qtbot.assertNotEmitted(opened.tab.trace_recorded):
        opened.record(trace_of())  # it had gone so far already
    assert not opened.is_replaying()


def test_a_draft_that_is_elsewhere_is_loaded_for_the_recording(opened: OpenedReplayTab) -> None:
    other = opened.place.models.listing.models[2]
    experiment = here(prompt_experiment())
    identity = ModelIdentity("other", "Q8_0", other.path.name, other.info.total_bytes)
    variants = (experiment.variants[0], replace(experiment.variants[1], draft=identity))
    opened.tab.show_experiment(replace(experiment, variants=variants))
    opened.button("record_trace_button").click()
    assert opened.trials.drafts == [other.path]
    opened.trials.tell(DraftAdded(1, 5, None))
    opened.record(trace_of())
    assert opened.is_replaying()
