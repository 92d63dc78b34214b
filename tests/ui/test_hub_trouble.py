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
