"""Trouble with the hub, as it is shown."""

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from app.models.hub_problems import HubError, HubProblem
from app.ui.hub_trouble import HubTrouble, title_of
from app.ui.theme import Theme
from tests.fakes.children import child


class Clock:
    """Shows the time that a test gives it."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    """A clock that stands still."""
    return Clock()


@pytest.fixture
def trouble(theme: Theme, clock: Clock, qtbot: QtBot) -> HubTrouble:
    """On the screen."""
    made = HubTrouble("trouble", clock)
    qtbot.addWidget(made)
    made.show()
    return made


def tick(trouble: HubTrouble) -> None:
    """A second has gone by."""
    timer = child(trouble, QTimer, "")
    assert timer.isActive()
    timer.timeout.emit()


def is_offered(trouble: HubTrouble, name: str) -> bool:
    return child(trouble, QPushButton, f"trouble_{name}_button").isVisible()


@pytest.mark.parametrize("problem", list(HubProblem))
def test_every_problem_has_a_title(problem: HubProblem, qapp: object) -> None:
    assert title_of(problem)


def test_it_says_what_the_error_says(trouble: HubTrouble) -> None:
    trouble.show_error(HubError(HubProblem.NO_NETWORK, "No line.\u202e"))
    assert trouble.sentence == "No line.\ufffd"
    assert is_offered(trouble, "retry")
    assert not is_offered(trouble, "page")
    assert not is_offered(trouble, "settings")


def test_a_gate_leads_to_its_page_and_to_the_settings(trouble: HubTrouble) -> None:
    trouble.show_error(HubError(HubProblem.GATED, "Accept it.", address="https://huggingface.co/x/y"))
    assert is_offered(trouble, "page")
    assert is_offered(trouble, "settings")


@pytest.mark.parametrize("problem", [HubProblem.UNAUTHORISED, HubProblem.FORBIDDEN])
def test_where_a_token_may_help_the_settings_are_offered(problem: HubProblem, trouble: HubTrouble) -> None:
    trouble.show_error(HubError(problem, "No."))
    assert is_offered(trouble, "settings")


@pytest.mark.parametrize(
    ("problem", "helps"),
    [
        (HubProblem.NO_NETWORK, True),
        (HubProblem.RATE_LIMITED, True),
        (HubProblem.NOT_THE_ANSWER, True),
        (HubProblem.UNAUTHORISED, True),
        (HubProblem.HIDDEN, True),
        (HubProblem.GATED, True),
        (HubProblem.FORBIDDEN, True),
        (HubProblem.NOT_FOUND, False),
        (HubProblem.BAD_NAME, False),
        (HubProblem.OFFLINE_MODE, False),
    ],
)
def test_trying_again_is_offered_where_it_can_help(
    problem: HubProblem, helps: bool, trouble: HubTrouble
) -> None:
    trouble.show_error(HubError(problem, "No."))
    assert is_offered(trouble, "retry") is helps


def test_what_is_hidden_may_be_private(trouble: HubTrouble) -> None:
    trouble.show_error(HubError(HubProblem.HIDDEN, "a/b does not exist, or is private."))
    assert child(trouble, QLabel, "trouble_title").text() == "Not found, or private"
    assert is_offered(trouble, "settings")


def test_where_the_hub_asks_to_wait_it_counts_down_and_tries_again(
    trouble: HubTrouble, clock: Clock, qtbot: QtBot
) -> None:
    wait = child(trouble, QLabel, "trouble_wait")
    trouble.show_error(HubError(HubProblem.RATE_LIMITED, "Too much.", wait_seconds=30))
    assert wait.text() == "Tries again in 30 s"
    clock.now += 29.5
    tick(trouble)
    assert wait.text() == "Tries again in 1 s"
    clock.now += 1
    with qtbot.waitSignal(trouble.retry_requested):
        tick(trouble)
    assert not wait.isVisible()
    assert not child(trouble, QTimer, "").isActive()


def test_nothing_is_counted_while_it_is_not_seen(trouble: HubTrouble, clock: Clock, qtbot: QtBot) -> None:
    trouble.show_error(HubError(HubProblem.RATE_LIMITED, "Too much.", wait_seconds=30))
    trouble.hide()
    assert not child(trouble, QTimer, "").isActive()
    clock.now += 60
    with qtbot.waitSignal(trouble.retry_requested):
        trouble.show()


def test_trying_again_by_hand_ends_the_wait(trouble: HubTrouble, qtbot: QtBot) -> None:
    trouble.show_error(HubError(HubProblem.RATE_LIMITED, "Too much.", wait_seconds=30))
    with qtbot.waitSignal(trouble.retry_requested):
        child(trouble, QPushButton, "trouble_retry_button").click()
    assert not child(trouble, QTimer, "").isActive()


class TestTryingByItself:
    """A hub that always asks to come back at once must not be asked for ever."""

    def fail(self, trouble: HubTrouble, wait: float = 0.1) -> str:
        """What it says about waiting after one more failure."""
        trouble.show_error(HubError(HubProblem.RATE_LIMITED, "Too much.", wait_seconds=wait))
        said = child(trouble, QLabel, "trouble_wait")
        return said.text() if said.isVisible() else ""

    def let_it_try(self, trouble: HubTrouble, clock: Clock, times: int, apart: float = 6.0) -> None:
        for _ in range(times):
            assert self.fail(trouble)
            clock.now += apart
            tick(trouble)

    def test_it_waits_for_a_moment_at_least(self, trouble: HubTrouble, clock: Clock) -> None:
        asked: list[float] = []
        trouble.retry_requested.connect(lambda: asked.append(clock.now))
        assert self.fail(trouble) == "Tries again in 5 s"
        clock.now += 4
        tick(trouble)
        assert asked == []
        clock.now += 1
        tick(trouble)
        assert asked == [105.0]

    def test_it_stops_after_some_tries(self, trouble: HubTrouble, clock: Clock) -> None:
        self.let_it_try(trouble, clock, 5)
        assert self.fail(trouble) == ""
        assert not child(trouble, QTimer, "").isActive()
        assert is_offered(trouble, "retry")

    def test_one_who_tries_by_hand_lets_it_begin_again(self, trouble: HubTrouble, clock: Clock) -> None:
        self.let_it_try(trouble, clock, 5)
        self.fail(trouble)
        child(trouble, QPushButton, "trouble_retry_button").click()
        self.let_it_try(trouble, clock, 5)

    def test_trouble_of_long_ago_does_not_count(self, trouble: HubTrouble, clock: Clock) -> None:
        self.let_it_try(trouble, clock, 5)
        clock.now += 3600
        assert self.fail(trouble)

    def test_long_waits_do_not_make_it_forget(self, trouble: HubTrouble, clock: Clock) -> None:
        for _ in range(5):
            assert self.fail(trouble, wait=3600)
            clock.now += 3600
            tick(trouble)
        assert self.fail(trouble, wait=3600) == ""
