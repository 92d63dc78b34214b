"""Several connections are told of as one."""

import pytest

from app.models.hub_problems import HubError, HubProblem
from app.models.transfer_events import Traffic
from tests.fakes.transfers import ToldEvents

LOST = HubError(HubProblem.NO_NETWORK, "gone")


@pytest.fixture
def events() -> ToldEvents:
    return ToldEvents()


@pytest.fixture
def traffic(events: ToldEvents) -> Traffic:
    made = Traffic(events, lambda: 5, lambda: 100.0)
    made.opened()
    made.opened()
    return made


def test_a_piece_is_movement(traffic: Traffic, events: ToldEvents) -> None:
    traffic.moved()
    traffic.moved()
    assert (events.counts, events.steps) == ([5, 5], ["transferring"])


def test_one_that_waits_is_not_mentioned_while_another_moves(traffic: Traffic, events: ToldEvents) -> None:
    traffic.began_waiting(0, LOST, 8, 4, 5)
    assert events.steps == []
    traffic.began_waiting(1, LOST, 2, 2, 5)
    assert events.retries == [(LOST, 2, 2, 5)]  # the one that tries again first


def test_the_next_try_is_movement(traffic: Traffic, events: ToldEvents) -> None:
    traffic.began_waiting(0, LOST, 8, 4, 5)
    traffic.began_waiting(1, LOST, 2, 2, 5)
    traffic.ended_waiting(1)
    assert events.steps == ["retrying", "transferring"]


def test_the_last_one_that_is_left_waits_for_all(traffic: Traffic, events: ToldEvents) -> None:
    traffic.began_waiting(0, LOST, 8, 4, 5)
    traffic.closed()
    assert events.retries == [(LOST, 8, 4, 5)]


def test_the_whole_is_told_once_and_anew_when_something_was_missing(
    traffic: Traffic, events: ToldEvents
) -> None:
    traffic.became_whole()
    traffic.became_whole()
    traffic.moved()
    traffic.became_whole()
    assert events.steps == ["verifying", "transferring", "verifying"]


def test_after_the_end_nothing_is_told(traffic: Traffic, events: ToldEvents) -> None:
    traffic.end()
    traffic.became_whole()
    traffic.began_waiting(0, LOST, 8, 4, 5)
    traffic.began_waiting(1, LOST, 8, 4, 5)
    traffic.ended_waiting(0)
    traffic.moved()
    assert (events.steps, events.counts) == ([], [])
