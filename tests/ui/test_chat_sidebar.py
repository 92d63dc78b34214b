"""The right side of the chat."""

import pytest
from msgspec.structs import replace
from PySide6.QtWidgets import QAbstractButton, QLabel, QLineEdit, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from app.core.options import LoadOptions, SpeculationMode
from app.core.protocol import Obstacle, Refusal
from app.settings import ModelConfig, UserMode
from app.ui.acceptance_meter import AcceptanceMeter
from app.ui.chat_sidebar import ChatSidebar
from app.ui.dial import SpeedDial
from app.ui.memory_bar import MemoryBar
from app.ui.sparkline import Sparkline
from app.ui.theme import Theme
from app.ui.toggle import ToggleSwitch
from tests.fakes.children import child
from tests.fakes.readings import machine_sample, reading
from tests.fakes.setups import TARGET, drafted_setup, loaded, plain_setup


@pytest.fixture
def sidebar(theme: Theme, qtbot: QtBot) -> ChatSidebar:
    made = ChatSidebar(theme)
    qtbot.addWidget(made)
    made.resize(304, 700)
    made.show()
    return made


def wishes(sidebar: ChatSidebar) -> list[ModelConfig]:
    told: list[ModelConfig] = []
    sidebar.config_adjusted.connect(told.append)
    return told


def test_without_a_model_it_has_meters_and_no_settings(sidebar: ChatSidebar) -> None:
    assert child(sidebar, SpeedDial, "speed_dial").isVisible()
    assert child(sidebar, QLabel, "no_settings").text() == "No model is loaded. Its settings will be here."
    assert not child(sidebar, ToggleSwitch, "speculation_switch").isVisible()
    assert sidebar.saved_notice.isHidden()


def test_a_model_that_is_not_in_memory_is_named(sidebar: ChatSidebar) -> None:
    sidebar.show_setup(drafted_setup(), None, ModelConfig())
    words = child(sidebar, QLabel, "no_settings").text()
    assert words == f"{TARGET.name} is not in memory. Its settings will be here once it is."
    assert not child(sidebar, ToggleSwitch, "speculation_switch").isVisible()
    assert sidebar.saved_notice.isHidden()


def test_speculative_decoding_is_on_top_of_the_settings(sidebar: ChatSidebar) -> None:
    setup = drafted_setup()
    sidebar.show_setup(setup, loaded(), setup.config)
    switch = child(sidebar, ToggleSwitch, "speculation_switch")
    assert switch.isVisible()
    assert switch.isChecked()
    assert not child(sidebar, QLabel, "no_settings").isVisible()
    below = child(sidebar, QAbstractButton, "sidebar_inference")
    assert (
        switch.mapTo(sidebar, switch.rect().topLeft()).y() < below.mapTo(sidebar, below.rect().topLeft()).y()
    )


def test_turning_it_off_asks_for_the_same_config_without_drafting(sidebar: ChatSidebar) -> None:
    setup = drafted_setup()
    told = wishes(sidebar)
    sidebar.show_setup(setup, loaded(), setup.config)
    child(sidebar, ToggleSwitch, "speculation_switch").click()
    options = replace(setup.config.speculation, mode=SpeculationMode.OFF)
    assert told == [replace(setup.config, speculation=options)]


def test_changes_in_both_parts_add_up(sidebar: ChatSidebar, qtbot: QtBot) -> None:
    setup = drafted_setup()

    def grant(config: ModelConfig) -> None:
        sidebar.show_setup(replace(setup, config=config), loaded(), setup.config)

    told = wishes(sidebar)
    sidebar.config_adjusted.connect(grant)
    sidebar.show_setup(setup, loaded(), setup.config)
    child(sidebar, ToggleSwitch, "speculation_switch").click()
    seed = child(sidebar, QLineEdit, "sidebar_seed_field")
    seed.selectAll()
    qtbot.keyClicks(seed, "5")
    assert told[-1].seed == 5
    assert told[-1].speculation.mode is SpeculationMode.OFF
    assert sidebar.saved_notice.sentence == "Changed, not saved: Speculative Decoding Off, Seed 5."
    sidebar.set_mode(UserMode.USER)
    assert sidebar.saved_notice.sentence == "Changed, not saved: Seed 5."


def test_sampling_is_folded_away_until_it_is_wanted(sidebar: ChatSidebar) -> None:
    sidebar.show_setup(plain_setup(), loaded(has_draft=False), ModelConfig())
    temperature = child(sidebar, QLineEdit, "sidebar_temperature_field")
    assert not temperature.isVisible()
    child(sidebar, QAbstractButton, "sidebar_inference").click()
    assert temperature.isVisible()


def test_load_settings_that_were_saved_meanwhile_ask_for_a_reload(sidebar: ChatSidebar, qtbot: QtBot) -> None:
    setup = plain_setup()
    saved = replace(setup.config, load=LoadOptions(context_length=8192))
    sidebar.show_setup(setup, loaded(has_draft=False), saved)
    with qtbot.waitSignal(sidebar.reload_requested):
        child(sidebar, QAbstractButton, "reload_to_apply_button").click()
    with qtbot.waitSignal(sidebar.remember_requested):
        child(sidebar, QAbstractButton, "remember_button").click()
    sidebar.show_setup(replace(setup, config=saved), loaded(has_draft=False), saved)
    assert sidebar.saved_notice.isHidden()


def test_a_missing_draft_leads_to_the_load_settings(sidebar: ChatSidebar, qtbot: QtBot) -> None:
    sidebar.show_setup(plain_setup(), loaded(has_draft=False), ModelConfig())
    child(sidebar, ToggleSwitch, "speculation_switch").click()
    with qtbot.waitSignal(sidebar.configure_requested):
        child(sidebar, QAbstractButton, "choose_draft_button").click()


def test_a_refused_draft_is_explained(sidebar: ChatSidebar) -> None:
    refusal = Refusal(Obstacle.NOT_LOADED, "The draft's file is damaged.")
    setup = drafted_setup()
    sidebar.show_setup(setup, loaded(has_draft=False, draft_refusal=refusal), setup.config)
    assert sidebar.speculation.explanation == refusal.sentence
    assert child(sidebar, QWidget, "explanation").isVisible()


def test_the_mode_decides_what_is_shown(sidebar: ChatSidebar) -> None:
    setup = drafted_setup()
    sidebar.show_setup(setup, loaded(), setup.config)
    visible = {}
    for mode in UserMode:
        sidebar.set_mode(mode)
        names = ("speculation_switch", "sidebar_acceptance_rule_box", "drafting_summary")
        visible[mode] = [child(sidebar, QWidget, name).isVisible() for name in names]
    assert visible == {
        UserMode.USER: [False, False, True],
        UserMode.POWER_USER: [True, False, False],
        UserMode.DEVELOPER: [True, True, False],
    }


def test_colouring_is_shown_and_told(sidebar: ChatSidebar, qtbot: QtBot) -> None:
    setup = drafted_setup()
    sidebar.show_setup(setup, loaded(), setup.config)
    with qtbot.assertNotEmitted(sidebar.visualize_changed):
        sidebar.set_visualize(True)
    with qtbot.waitSignal(sidebar.visualize_changed) as told:
        child(sidebar, ToggleSwitch, "visualize_switch").click()
    assert told.args == [False]


def test_a_reading_goes_to_every_meter(sidebar: ChatSidebar) -> None:
    setup = drafted_setup()
    sidebar.show_setup(setup, loaded(), setup.config)
    sidebar.show_reading(reading(history=(0.0, 18.3)))
    assert child(sidebar, SpeedDial, "speed_dial").figure == "18.3"
    assert child(sidebar, Sparkline, "speed_line").values == (0.0, 18.3)
    assert child(sidebar, MemoryBar, "memory_bar").figures == "engine 4.1 · 7.9 of 23.0 GB"
    assert child(sidebar, AcceptanceMeter, "acceptance_meter").figures == "98.8 % · 82 of 83"
    assert child(sidebar, QLabel, "processor_figure").text() == "96 %"


def test_a_first_look_without_a_processor_share_leaves_it_open(sidebar: ChatSidebar) -> None:
    sidebar.show_reading(reading(machine=machine_sample(cpu_share=None)))
    assert child(sidebar, QLabel, "processor_figure").text() == "–"


def test_acceptance_is_shown_while_something_is_drafted(sidebar: ChatSidebar) -> None:
    meter = child(sidebar, AcceptanceMeter, "acceptance_meter")
    assert not meter.isVisible()
    setup = drafted_setup()
    sidebar.show_setup(setup, loaded(), setup.config)
    assert meter.isVisible()
    off = drafted_setup(mode=SpeculationMode.OFF)
    sidebar.show_setup(off, loaded(), off.config)
    assert not meter.isVisible()
    sidebar.show_setup(setup, loaded(), setup.config)
    sidebar.show_setup(None, None, None)
    assert not meter.isVisible()


@pytest.mark.parametrize("height", [360, 700, 1000])
def test_nothing_is_cut_off_on_the_right(sidebar: ChatSidebar, qtbot: QtBot, height: int) -> None:
    sidebar.show_setup(plain_setup(), loaded(has_draft=False), ModelConfig(seed=3))
    child(sidebar, ToggleSwitch, "speculation_switch").click()
    child(sidebar, QAbstractButton, "sidebar_inference").click()
    sidebar.set_mode(UserMode.DEVELOPER)
    sidebar.resize(304, height)
    scroll = child(sidebar, QScrollArea, "chat_sidebar_scroll")
    content = scroll.widget()
    assert content is not None
    qtbot.waitUntil(lambda: content.width() == scroll.viewport().width())
