"""The bar at the bottom."""

from pathlib import Path

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLabel, QToolButton
from pytestqt.qtbot import QtBot

from app.core.options import SpeculationMode, SpeculationOptions
from app.core.protocol import Loaded
from app.models.download import Download, DownloadState, Failed, Finished, Paused, Transferring
from app.models.hub_problems import HubProblem
from app.settings import ModelConfig, UserMode
from app.ui.mode_words import mode_meaning, mode_name
from app.ui.session_state import Empty, Running, SessionState, Setup
from app.ui.status_bar import StatusBar
from app.ui.theme import Theme
from tests.fakes.children import child
from tests.fakes.local_models import local_model
from tests.fakes.readings import machine_sample, reading
from tests.fakes.scripted_transfer import request_for


@pytest.fixture
def bar(theme: Theme, qtbot: QtBot) -> StatusBar:
    made = StatusBar()
    qtbot.addWidget(made)
    return made


def shown(bar: StatusBar) -> list[str]:
    """The figures, from left to right."""
    names = ("status_engine", "status_system", "status_processor", "status_drafting", "status_speed")
    figures = [child(bar, QLabel, name) for name in names]
    return [figure.text() for figure in figures if not figure.isHidden()]


def running(mode: SpeculationMode, *, has_draft: bool = True) -> SessionState:
    config = ModelConfig(speculation=SpeculationOptions(mode=mode))
    loaded = Loaded(1, 4096, has_draft, 0, 0, 1.0, None, None, None)
    return Running(Setup(local_model(), None, config), loaded)


def test_it_is_as_high_as_drawn(bar: StatusBar) -> None:
    assert bar.height() == 28


def test_during_an_answer_it_has_everything(bar: StatusBar) -> None:
    bar.show_state(running(SpeculationMode.DRAFT_MODEL))
    bar.show_reading(reading())
    assert shown(bar) == ["Engine 4.1 GB", "System 7.9 of 23.0 GB", "CPU 96 %", "Drafting: on", "18.3 tok/s"]


def test_at_rest_without_a_model_it_has_the_machine(bar: StatusBar) -> None:
    bar.show_state(Empty())
    bar.show_reading(reading(is_answering=False, machine=machine_sample(engine=None, cpu_share=0.03)))
    assert shown(bar) == ["System 7.9 of 23.0 GB", "CPU 3 %"]


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (Empty(), []),
        (running(SpeculationMode.OFF), ["Drafting: off"]),
        (running(SpeculationMode.PROMPT_LOOKUP, has_draft=False), ["Drafting: on"]),
        (running(SpeculationMode.DRAFT_MODEL), ["Drafting: on"]),
        (running(SpeculationMode.DRAFT_MODEL, has_draft=False), ["Drafting: off"]),  # it was refused
    ],
)
def test_it_says_whether_the_next_answer_is_drafted(
    bar: StatusBar, state: SessionState, words: list[str]
) -> None:
    bar.show_state(state)
    assert shown(bar) == words


def test_the_mode_in_force_is_on_the_button(bar: StatusBar) -> None:
    chooser = child(bar, QToolButton, "mode_button")
    for mode in UserMode:
        bar.set_mode(mode)
        assert chooser.text() == f"{mode_name(mode)} ▾"
        assert chooser.accessibleName() == f"Mode: {mode_name(mode)}"
        checked = [action.objectName() for action in chooser.menu().actions() if action.isChecked()]
        assert checked == [f"mode_{mode.value}"]


def test_showing_a_mode_is_not_choosing_it(bar: StatusBar, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(bar.mode_chosen):
        bar.set_mode(UserMode.DEVELOPER)


def test_a_mode_is_chosen_from_the_menu_which_says_what_it_shows(bar: StatusBar, qtbot: QtBot) -> None:
    action = child(bar, QAction, "mode_developer")
    assert mode_meaning(UserMode.DEVELOPER) in action.text()
    with qtbot.waitSignal(bar.mode_chosen) as chosen:
        action.trigger()
    assert chosen.args == [UserMode.DEVELOPER]
    assert child(bar, QToolButton, "mode_button").text() == "Developer ▾"


def test_the_engines_log_is_for_developers(bar: StatusBar, qtbot: QtBot) -> None:
    button = child(bar, QToolButton, "engine_log_button")
    assert button.isHidden()
    bar.set_mode(UserMode.DEVELOPER)
    assert not button.isHidden()
    with qtbot.waitSignal(bar.log_requested):
        button.click()


def half(state: DownloadState, rate: float = 0.0) -> Download:
    return Download(request_for("m.gguf", size=1_000_000_000), state, 500_000_000, rate)


def test_downloads_are_told_of_while_they_are_under_way(bar: StatusBar, qtbot: QtBot) -> None:
    button = child(bar, QToolButton, "downloads_status_button")
    assert button.isHidden()
    bar.show_downloads([half(Transferring(), rate=50_000_000)])
    assert not button.isHidden()
    assert button.text() == "Downloads: 0.50 of 1.00 GB · 50 MB/s · 10 s left"
    assert button.accessibleName() == button.text()
    with qtbot.waitSignal(bar.downloads_requested):
        button.click()


@pytest.mark.parametrize("state", [Paused(), Finished(Path("m.gguf"))])
def test_downloads_that_rest_are_not_told_of(bar: StatusBar, state: DownloadState) -> None:
    button = child(bar, QToolButton, "downloads_status_button")
    bar.show_downloads([half(Transferring())])
    bar.show_downloads([half(state)])
    assert button.isHidden()


def test_a_download_that_failed_is_told_of(bar: StatusBar) -> None:
    bar.show_downloads([half(Failed(HubProblem.CHECKSUM, "The checksum is not the one."))])
    assert "1 failed" in child(bar, QToolButton, "downloads_status_button").text()
    assert not child(bar, QToolButton, "downloads_status_button").isHidden()
