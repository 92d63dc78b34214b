"""How answers are sampled, in the sidebar."""

import pytest
from msgspec.structs import replace
from PySide6.QtWidgets import QLabel, QLineEdit, QPlainTextEdit
from pytestqt.qtbot import QtBot

from app.core.options import GenerationLimits, SamplingOptions
from app.settings import ModelConfig
from app.ui.inference_panel import InferencePanel
from app.ui.theme import Theme
from tests.fakes.children import child

CONFIG = ModelConfig(
    sampling=SamplingOptions(temperature=0.3, top_k=20, top_p=0.9, min_p=0.1, repeat_penalty=1.2),
    limits=GenerationLimits(max_tokens=1000, stop_strings=("###",)),
    seed=42,
    system_prompt="Be brief.",
)


@pytest.fixture
def panel(theme: Theme, qtbot: QtBot) -> InferencePanel:
    made = InferencePanel()
    qtbot.addWidget(made)
    made.show()
    return made


def field(panel: InferencePanel, name: str) -> QLineEdit:
    return child(panel, QLineEdit, f"sidebar_{name}_field")


def prompt(panel: InferencePanel) -> QPlainTextEdit:
    return child(panel, QPlainTextEdit, "sidebar_system_prompt_field")


def test_it_shows_what_is_in_force(panel: InferencePanel) -> None:
    panel.show_config(CONFIG, another=True)
    names = ("temperature", "top_k", "top_p", "min_p", "max_tokens", "seed")
    assert [field(panel, name).text() for name in names] == ["0.30", "20", "0.90", "0.10", "1,000", "42"]
    assert prompt(panel).toPlainText() == "Be brief."


def test_what_is_left_to_the_program_is_empty_with_a_word(panel: InferencePanel) -> None:
    panel.show_config(ModelConfig(), another=True)
    assert field(panel, "max_tokens").text() == ""
    assert field(panel, "max_tokens").placeholderText() == "No limit"
    assert field(panel, "seed").text() == ""
    assert field(panel, "seed").placeholderText() == "Random"


@pytest.mark.parametrize(
    ("name", "text", "wanted"),
    [
        ("temperature", "1.5", replace(CONFIG, sampling=replace(CONFIG.sampling, temperature=1.5))),
        ("top_k", "0", replace(CONFIG, sampling=replace(CONFIG.sampling, top_k=0))),
        ("top_p", "1", replace(CONFIG, sampling=replace(CONFIG.sampling, top_p=1.0))),
        ("min_p", "0", replace(CONFIG, sampling=replace(CONFIG.sampling, min_p=0.0))),
        ("max_tokens", "", replace(CONFIG, limits=replace(CONFIG.limits, max_tokens=0))),
        ("seed", "7", replace(CONFIG, seed=7)),
        ("seed", "", replace(CONFIG, seed=None)),
    ],
)
def test_a_value_applies_alone(
    panel: InferencePanel, qtbot: QtBot, name: str, text: str, wanted: ModelConfig
) -> None:
    panel.show_config(CONFIG, another=True)
    told: list[ModelConfig] = []
    panel.adjusted.connect(told.append)
    typed = field(panel, name)
    typed.selectAll()
    if text:
        qtbot.keyClicks(typed, text)
    else:
        typed.backspace()
    assert told[-1] == wanted


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("temperature", "101", "The temperature must be between 0 and 100."),
        ("temperature", "warm", "Temperature must be a number."),
        ("top_k", "-1", "Top-k cannot be negative."),
        ("top_p", "0", "Top-p must be above 0 and at most 1."),
        ("seed", "-1", "The seed must be between 0 and 4294967295."),
    ],
)
def test_a_value_that_cannot_be_used_says_why_and_is_not_applied(
    panel: InferencePanel, qtbot: QtBot, name: str, text: str, sentence: str
) -> None:
    panel.show_config(CONFIG, another=True)
    told: list[ModelConfig] = []
    panel.adjusted.connect(told.append)
    typed = field(panel, name)
    typed.selectAll()
    qtbot.keyClicks(typed, text)
    assert child(panel, QLabel, "inference_problem").text() == sentence
    assert typed.property("invalid")
    for config in told:  # on the way to it, what was typed may have been of use
        assert replace(config.sampling, seed=config.seed or 0).problems() == []


def test_the_system_prompt_is_taken_over_when_the_person_goes_elsewhere(
    panel: InferencePanel, qtbot: QtBot
) -> None:
    panel.show_config(CONFIG, another=True)
    told: list[ModelConfig] = []
    panel.adjusted.connect(told.append)
    prompt(panel).setFocus()
    qtbot.keyClicks(prompt(panel), "Now: ")
    assert told == []
    field(panel, "seed").setFocus()
    qtbot.waitUntil(lambda: bool(told))
    assert told == [replace(CONFIG, system_prompt="Now: Be brief.")]


def test_leaving_an_unchanged_prompt_tells_nothing(panel: InferencePanel, qtbot: QtBot) -> None:
    panel.show_config(CONFIG, another=True)
    prompt(panel).setFocus()
    with qtbot.assertNotEmitted(panel.adjusted):
        field(panel, "seed").setFocus()


def test_a_prompt_being_written_survives_another_setting(panel: InferencePanel, qtbot: QtBot) -> None:
    panel.show_config(CONFIG, another=True)
    prompt(panel).setPlainText("Half a sen")
    panel.show_config(replace(CONFIG, seed=1), another=False)
    assert prompt(panel).toPlainText() == "Half a sen"
    panel.show_config(replace(CONFIG, seed=1), another=True)
    assert prompt(panel).toPlainText() == "Be brief."


def test_another_model_clears_what_could_not_be_used(panel: InferencePanel, qtbot: QtBot) -> None:
    panel.show_config(CONFIG, another=True)
    field(panel, "temperature").selectAll()
    qtbot.keyClicks(field(panel, "temperature"), "x")
    panel.show_config(CONFIG, another=True)
    assert field(panel, "temperature").text() == "0.30"
    assert child(panel, QLabel, "inference_problem").text() == ""
