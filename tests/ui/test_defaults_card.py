"""The default settings: saved once they can be used, marked where they cannot."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.core.options import LoadOptions, SamplingOptions
from app.settings import ModelConfig, UserMode
from app.settings_file import SettingsFile
from app.ui.advanced_section import AdvancedSection
from app.ui.defaults_card import DefaultsCard
from app.ui.disclosure import Disclosure
from app.ui.icons import Icons
from app.ui.number_field import NumberField
from app.ui.preferences import Preferences
from app.ui.prompt_section import PromptSection
from app.ui.sampling_section import SamplingSection
from app.ui.text_area import TextArea
from app.ui.theme import Theme
from tests.fakes.tasks import ImmediateTasks


class Parts:
    def __init__(self, qtbot: QtBot, theme: Theme, icons: Icons, preferences: Preferences) -> None:
        self.qtbot = qtbot
        self.preferences = preferences
        self.card = DefaultsCard(theme, icons, preferences)
        qtbot.addWidget(self.card)
        self.card.show()

    @property
    def defaults(self) -> ModelConfig:
        return self.preferences.settings.defaults

    def field(self, name: str) -> NumberField[float]:
        field: NumberField[float] | None = self.card.findChild(NumberField, name)
        assert field is not None
        return field

    def type(self, name: str, text: str) -> None:
        field = self.field(name)
        field.selectAll()
        self.qtbot.keyClicks(field, text)

    def open(self, name: str) -> None:
        heading = self.card.findChild(Disclosure, name)
        assert heading is not None
        heading.click()

    @property
    def timer(self) -> QTimer:
        timer = self.card.findChild(QTimer)
        assert timer is not None
        return timer


@pytest.fixture
def preferences(qtbot: QtBot, tmp_path: Path) -> Preferences:
    return Preferences(SettingsFile(tmp_path / "settings.json"), ImmediateTasks(threads=1))


@pytest.fixture
def parts(qtbot: QtBot, theme: Theme, icons: Icons, preferences: Preferences) -> Iterator[Parts]:
    made = Parts(qtbot, theme, icons, preferences)
    yield made
    made.card.hide()


class TestSaving:
    def test_waits_until_typing_has_ended(self, qtbot: QtBot, parts: Parts) -> None:
        parts.timer.setInterval(0)
        with qtbot.waitSignal(parts.preferences.changed) as told:
            parts.type("context_length_field", "8192")

        assert told.args is not None
        assert told.args[0].defaults == ModelConfig(load=LoadOptions(context_length=8192))

    def test_does_not_wait_when_the_page_goes(self, parts: Parts) -> None:
        parts.type("batch_size_field", "64")
        assert parts.defaults == ModelConfig()
        parts.card.hide()

        assert parts.defaults.load.batch_size == 64
        assert not parts.timer.isActive()

    def test_takes_all_sections(self, parts: Parts) -> None:
        parts.open("default_inference_button")
        parts.type("temperature_field", "0.2")
        prompt = parts.card.findChild(TextArea, "system_prompt_field")
        assert prompt is not None
        parts.qtbot.keyClicks(prompt, "Be brief.")
        parts.open("default_advanced_button")
        parts.type("seed_field", "7")
        parts.card.save()

        assert parts.defaults == ModelConfig(
            sampling=SamplingOptions(temperature=0.2), system_prompt="Be brief.", seed=7
        )

    @pytest.mark.parametrize("text", ["3", "x"])
    def test_leaves_out_what_cannot_be_used_and_marks_it(self, parts: Parts, text: str) -> None:
        parts.type("context_length_field", text)
        assert parts.field("context_length_field").property("invalid") is True
        parts.card.save()
        assert parts.defaults == ModelConfig()

        parts.type("context_length_field", "2048")
        parts.card.save()
        assert parts.field("context_length_field").property("invalid") is False
        assert parts.defaults.load.context_length == 2048

    def test_can_be_taken_back_as_a_whole(self, parts: Parts) -> None:
        parts.type("batch_size_field", "64")
        parts.card.save()
        reset = parts.card.findChild(QPushButton, "reset_defaults_button")
        assert reset is not None
        reset.click()

        assert parts.defaults == ModelConfig()
        assert parts.field("batch_size_field").value == 512
        assert not reset.isEnabled()


class TestShowing:
    def test_what_is_saved(self, qtbot: QtBot, theme: Theme, icons: Icons, preferences: Preferences) -> None:
        preferences.update(defaults=ModelConfig(load=LoadOptions(threads=3)))
        parts = Parts(qtbot, theme, icons, preferences)

        assert parts.field("cpu_threads_field").value == 3
        preferences.update(defaults=ModelConfig(load=LoadOptions(threads=5)))
        assert parts.field("cpu_threads_field").value == 5

    def test_other_changes_leave_what_is_being_typed(self, parts: Parts) -> None:
        parts.type("batch_size_field", "6")
        parts.preferences.update(visualize_accepted=True)

        assert parts.field("batch_size_field").text() == "6"

    def test_details_are_for_power_users(self, parts: Parts) -> None:
        advanced = parts.card.findChild(AdvancedSection)
        assert advanced is not None
        assert not advanced.isVisible()
        parts.open("default_advanced_button")
        assert advanced.isVisible()

        parts.preferences.update(mode=UserMode.USER)
        assert not advanced.isVisible()
        parts.preferences.update(mode=UserMode.DEVELOPER)
        assert advanced.isVisible()

    @pytest.mark.parametrize("section", [SamplingSection, PromptSection])
    def test_inference_is_for_everybody(self, parts: Parts, section: type[QWidget]) -> None:
        parts.preferences.update(mode=UserMode.USER)
        parts.open("default_inference_button")
        shown = parts.card.findChild(section)

        assert isinstance(shown, QWidget)
        assert shown.isVisible()

    @pytest.mark.parametrize(("count", "word"), [(0, "No model"), (1, "One model"), (3, "3 models")])
    def test_how_many_models_have_their_own(self, parts: Parts, count: int, word: str) -> None:
        for number in range(count):
            parts.preferences.remember(Path(f"/{number}.gguf"), ModelConfig(seed=number))
        sentence = parts.card.findChild(QLabel, "own_configs_sentence")

        assert sentence is not None
        assert sentence.text().startswith(word)


def test_everything_can_be_reached_by_keyboard(parts: Parts) -> None:
    for name in ("context_length_field", "cpu_threads_field", "batch_size_field"):
        assert parts.field(name).focusPolicy() & Qt.FocusPolicy.TabFocus
