"""Stepping through a recorded answer."""

import pytest
from pytestqt.qtbot import QtBot

from app.core.trace import Trace
from app.ui.replay_player import Moment, Pace, ReplayPlayer
from tests.fakes.experiments import trace_of

TRACE = trace_of()
SHORT = Trace(TRACE.variant, TRACE.prompt, TRACE.rounds[:3])  # the prompt's token and two drafts


@pytest.fixture
def player(qtbot: QtBot) -> ReplayPlayer:
    made = ReplayPlayer()
    made.show_trace(SHORT)
    return made


def walked(player: ReplayPlayer, steps: int) -> list[Moment]:
    moments = []
    for _ in range(steps):
        player.forward()
        moments.append(player.moment)
    return moments


def test_a_round_with_a_draft_has_two_moments_and_others_one(player: ReplayPlayer) -> None:
    assert player.moment == Moment(0, True)
    assert walked(player, 4) == [Moment(1, False), Moment(1, True), Moment(2, False), Moment(2, True)]
    assert player.at_end


def test_at_the_end_it_goes_no_further(player: ReplayPlayer, qtbot: QtBot) -> None:
    player.seek(2)
    with qtbot.assertNotEmitted(player.moved):
        player.forward()


def test_back_goes_the_same_way(player: ReplayPlayer) -> None:
    player.seek(2)
    moments = []
    while not player.at_start:
        player.back()
        moments.append(player.moment)
    assert moments == [Moment(2, False), Moment(1, True), Moment(1, False), Moment(0, True)]


@pytest.mark.parametrize(("wanted", "found"), [(-3, 0), (1, 1), (99, 2)])
def test_any_round_can_be_gone_to(player: ReplayPlayer, wanted: int, found: int) -> None:
    player.seek(wanted)
    assert player.moment == Moment(found, True)


def test_it_plays_to_the_end_and_stops_there(player: ReplayPlayer, qtbot: QtBot) -> None:
    told: list[bool] = []
    moments: list[Moment] = []
    player.playing_changed.connect(told.append)
    player.moved.connect(moments.append)
    player.set_pace(Pace.AS_IT_RAN)  # these rounds took fractions of a second
    player.play()
    qtbot.waitUntil(lambda: not player.is_playing)
    assert moments == [Moment(1, False), Moment(1, True), Moment(2, False), Moment(2, True)]
    assert told == [True, False]


def test_played_at_its_end_it_begins_again(player: ReplayPlayer) -> None:
    player.seek(2)
    player.play()
    assert player.moment == Moment(0, True)
    player.pause()


@pytest.mark.parametrize("step", [ReplayPlayer.forward, ReplayPlayer.back])
def test_a_step_by_hand_pauses(player: ReplayPlayer, step: object) -> None:
    player.seek(1)
    player.play()
    step(player)  # type: ignore[operator]
    assert not player.is_playing


def test_another_answer_pauses_and_begins(player: ReplayPlayer) -> None:
    player.seek(1)
    player.play()
    player.show_trace(TRACE)
    assert not player.is_playing
    assert player.moment == Moment(0, True)


def test_an_answer_without_rounds_does_not_play(qtbot: QtBot) -> None:
    player = ReplayPlayer()
    player.show_trace(Trace("off", "code", ()))
    player.play()
    player.forward()
    assert not player.is_playing
