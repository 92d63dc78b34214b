"""How often trouble is met, and with which waits."""

import pytest

from app.models.hub_problems import HubError, HubProblem
from app.models.patience import Patience

LOST = HubError(HubProblem.NO_NETWORK, "gone")


def made(enough: int | None = 100) -> Patience:
    return Patience((1, 2, 4), enough)


def test_waits_grow_and_come_to_an_end() -> None:
    patience = made()
    assert [patience.wait_after(LOST) for _ in range(4)] == [1, 2, 4, None]
    assert (patience.attempt, patience.attempts) == (3, 3)


def test_enough_bytes_end_the_row() -> None:
    patience = made()
    patience.wait_after(LOST)
    patience.wait_after(LOST)
    patience.gain(100)
    assert patience.wait_after(LOST) == 1


def test_little_by_little_is_enough_too() -> None:
    """A line that drops every few bytes gets on for ever."""
    patience = made()
    for _ in range(50):
        assert patience.wait_after(LOST) is not None
        patience.gain(40)


def test_too_few_do_not() -> None:
    patience = made()
    patience.gain(1000)  # before there was any trouble
    for wait in (1, 2, 4, None):
        assert patience.wait_after(LOST) == wait
        patience.gain(1)


def test_bytes_that_have_to_come_again_do_not() -> None:
    patience = made()
    patience.lose_hope()
    for wait in (1, 2, 4, None):
        assert patience.wait_after(LOST) == wait
        patience.gain(1000)


def test_the_server_says_for_how_long() -> None:
    patience = made()
    assert patience.wait_after(HubError(HubProblem.RATE_LIMITED, "slow", wait_seconds=7)) == 7
    assert patience.wait_after(HubError(HubProblem.RATE_LIMITED, "slow", wait_seconds=0)) == 2


def test_a_very_long_wait_needs_a_person() -> None:
    assert made().wait_after(HubError(HubProblem.RATE_LIMITED, "slow", wait_seconds=86_400)) is None


@pytest.mark.parametrize("problem", [problem for problem in HubProblem if not problem.may_pass])
def test_so_does_what_does_not_pass(problem: HubProblem) -> None:
    assert made().wait_after(HubError(problem, "no")) is None
