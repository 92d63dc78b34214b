"""What the load dialog refuses, where it says so, and how often."""

from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtWidgets import QLabel, QLineEdit
from pytestqt.qtbot import QtBot

from app.core.options import LONGEST_CONTEXT, LoadOptions
from app.settings import ModelConfig
from app.ui.theme import Theme
from tests.fakes.load_dialogs import DRAFTING, FIXED, Bench
from tests.fakes.local_models import local_model

NO_MORE = "The context length can be at most 32,768 tokens: the model was made for no more."


@pytest.fixture
def bench(qtbot: QtBot, theme: Theme, tmp_path: Path) -> Bench:
    return Bench(qtbot, theme, tmp_path)


def told(bench: Bench) -> list[str]:
    """Every line of a problem on the screen."""
    labels = bench.dialog.findChildren(QLabel)
    return [found.text() for found in labels if found.isVisible() and found.property("tone") == "bad"]


# The context's length


@pytest.mark.parametrize("text", ["32769", "64k", "99999999", "99999999999"])
def test_no_more_context_than_the_model_was_made_for(bench: Bench, text: str) -> None:
    bench.open()
    bench.type("context_length_field", text)

    assert told(bench) == [NO_MORE]
    assert bench.part(QLineEdit, "context_length_field").accessibleDescription() == NO_MORE
    assert bench.text("context_length_note") == ""
    assert not bench.load_button.isEnabled()
    assert bench.advisor.estimated[-1][1].context_length <= 32_768, "nobody asks what it would take"

    bench.type("context_length_field", "32k")
    assert told(bench) == []
    assert bench.load_button.isEnabled()


@pytest.mark.parametrize("name", ["rope_base_field", "rope_scale_field"])
def test_rope_frequencies_stretch_it_at_a_risk(bench: Bench, name: str) -> None:
    bench.open()
    bench.type(name, "0.5")
    bench.type("context_length_field", "128k")
    assert told(bench) == []
    assert "made for 32,768 tokens" in bench.text("context_length_note")
    assert bench.load_button.isEnabled()

    bench.type("context_length_field", "131073")
    assert told(bench) == [
        "The context length can be at most 131,072 tokens, 4 times what the model was made for."
    ]
    assert not bench.load_button.isEnabled()

    bench.type("context_length_field", "64k")
    bench.type(name, "")
    assert told(bench) == [NO_MORE]


def test_a_model_that_does_not_tell_its_length_has_a_bound_far_off(bench: Bench) -> None:
    bench.open(model=local_model(path=Path("/m/silent.gguf"), context_length=None))
    bench.type("context_length_field", str(LONGEST_CONTEXT))
    assert bench.load_button.isEnabled()

    bench.type("context_length_field", str(LONGEST_CONTEXT + 1))
    assert told(bench) == ["The context length can be at most 16,777,216 tokens."]


def test_saved_settings_with_more_are_shown_and_not_loaded_until_they_are_changed(bench: Bench) -> None:
    saved = replace(DRAFTING, load=LoadOptions(context_length=99_999_999))
    bench.open(saved)
    assert bench.dialog.config == saved
    assert told(bench) == [NO_MORE]
    assert not bench.load_button.isEnabled()

    bench.type("context_length_field", "8k")
    assert bench.load_button.isEnabled()


def test_the_defaults_are_fitted_to_a_short_model(bench: Bench) -> None:
    short = local_model(path=Path("/m/short.gguf"), context_length=2048)
    bench.open(model=short)
    assert bench.dialog.config == ModelConfig(load=LoadOptions(context_length=2048))
    assert bench.text("saved_state") == "the defaults"

    bench.type("context_length_field", "1k")
    bench.press("reset_to_defaults_button")
    assert bench.dialog.config.load.context_length == 2048
    assert bench.load_button.isEnabled()


# Numbers


@pytest.mark.parametrize("text", ["abc", "1.5"])
def test_what_is_no_whole_number_is_told_once(bench: Bench, text: str) -> None:
    bench.open()
    bench.type("context_length_field", text)

    assert told(bench) == ["Context Length must be a whole number."]
    assert bench.load_button.toolTip() == "Context Length must be a whole number."


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("abc", "Draft probability must be a number from 0 to 1."),
        ("1.5", "The draft probability must be between 0 and 1."),
    ],
)
def test_a_draft_probability_that_cannot_be_is_told_once(bench: Bench, text: str, sentence: str) -> None:
    bench.open(FIXED)
    bench.type("draft_probability_field", text)

    assert told(bench) == [sentence]


def test_a_number_that_is_not_there_makes_no_problem_with_others(bench: Bench) -> None:
    bench.open(FIXED)
    bench.type("min_draft_tokens_field", "2")
    bench.type("max_draft_tokens_field", "1.5")

    assert told(bench) == ["Max draft tokens must be a whole number."]


def test_what_is_on_another_page_is_told_at_the_end_of_the_dialog(bench: Bench) -> None:
    bench.open()
    bench.type("batch_size_field", "x")
    assert bench.text("load_problem") == ""

    bench.press("inference_tab_button")
    assert told(bench) == ["Evaluation Batch Size must be a whole number."]
    assert bench.text("load_problem") == "Evaluation Batch Size must be a whole number."

    bench.press("load_tab_button")
    assert bench.text("load_problem") == ""


def test_so_is_what_is_folded_away(bench: Bench) -> None:
    bench.open()
    bench.type("seed_field", "x")
    bench.press("advanced_button")

    assert told(bench) == ["Seed must be a whole number."]


def test_what_no_field_shows_is_told_at_the_end_of_the_dialog(bench: Bench) -> None:
    bench.open(replace(DRAFTING, load=LoadOptions(longest_draft=65)))

    assert told(bench) == ["The longest draft must be between 0 and 64 tokens."]
    assert not bench.load_button.isEnabled()
