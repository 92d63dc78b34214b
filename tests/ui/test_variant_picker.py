"""The field that chooses how a side drafts."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QPushButton
from pytestqt.qtbot import QtBot

from app.core.options import DraftLength, SpeculationMode, SpeculationOptions
from app.core.protocol import Obstacle, Refusal
from app.models.library import Listing
from app.settings import ModelConfig, UserMode
from app.ui.acceptance_section import AcceptanceSection
from app.ui.icons import Icons
from app.ui.session_state import Running
from app.ui.side import Side, off_side, side_of
from app.ui.theme import Theme
from app.ui.variant_dialog import VariantDialog
from app.ui.variant_picker import VariantPicker
from tests.fakes.compare_services import OTHER_DRAFT, ComparePlace, compare_place
from tests.fakes.local_models import local_model
from tests.fakes.setups import DRAFT, TARGET, loaded, plain_setup

DRAFTED = side_of(
    ModelConfig(
        speculation=SpeculationOptions(SpeculationMode.DRAFT_MODEL, DraftLength.FIXED, max_draft_tokens=5)
    ),
    DRAFT,
)
OFF, WITH_MODEL, LOOKUP = SpeculationMode.OFF, SpeculationMode.DRAFT_MODEL, SpeculationMode.PROMPT_LOOKUP


class Bench:
    """A picker for a loaded model."""

    def __init__(self, qtbot: QtBot, place: ComparePlace) -> None:
        self.qtbot = qtbot
        self.place = place
        self.chosen: list[Side] = []
        self.picker = VariantPicker(place.services, "left_variant_picker")
        qtbot.addWidget(self.picker)
        self.picker.side_chosen.connect(self.chosen.append)
        self.picker.set_target(TARGET)
        self.picker.show()

    def open(self) -> QMenu:
        self.qtbot.mouseClick(self.picker, Qt.MouseButton.LeftButton)
        menu = self.picker.findChild(QMenu, "left_variant_picker_menu")
        assert isinstance(menu, QMenu)
        assert menu.isVisible()
        return menu

    def words(self) -> list[str]:
        menu = self.open()
        found = [action.text() for action in menu.actions() if not action.isSeparator()]
        menu.close()
        return found

    def choose(self, mode: SpeculationMode) -> None:
        self.trigger(f"choose_{mode.value}_action")

    def trigger(self, name: str) -> None:
        menu = self.open()
        action = menu.findChild(QAction, name)
        assert isinstance(action, QAction)
        menu.close()
        action.trigger()

    @property
    def dialog(self) -> VariantDialog | None:
        found = self.picker.window().findChild(VariantDialog)
        assert found is None or isinstance(found, VariantDialog)
        return found if found is not None and found.isVisible() else None


@pytest.fixture
def undrafted(qtbot: QtBot, theme: Theme, icons: Icons, tmp_path: Path) -> Iterator[Bench]:
    """No draft model is loaded, nor chosen in the model's config."""
    place = compare_place(theme, icons, tmp_path, draft=False)
    yield Bench(qtbot, place)
    place.close()


@pytest.fixture
def bench(qtbot: QtBot, place: ComparePlace) -> Bench:
    return Bench(qtbot, place)


def test_it_shows_a_side_in_words_and_tells_nothing(bench: Bench) -> None:
    bench.picker.show_side(DRAFTED)

    assert bench.picker.text() == "Draft Model · max 5"
    assert bench.picker.accessibleName() == f"Drafting: Draft Model · max 5 · {DRAFT.name} · Q4_K_M"
    assert bench.picker.side == DRAFTED
    assert bench.chosen == []


def test_another_draft_than_the_loaded_one_is_named(bench: Bench) -> None:
    bench.picker.show_side(side_of(ModelConfig(speculation=DRAFTED.variant.speculation), OTHER_DRAFT))

    assert bench.picker.text() == f"Draft Model · max 5 · {OTHER_DRAFT.name} · Q8_0"


def test_the_menu_has_the_quick_choices_with_their_numbers(bench: Bench) -> None:
    bench.picker.show_side(DRAFTED)

    assert bench.words() == ["Off", "Draft Model · max 5", "Prompt Lookup · max 5", "Configure…"]


def test_at_first_the_numbers_are_those_of_the_model(bench: Bench) -> None:
    config = bench.place.services.preferences.settings.config_for(TARGET.path)
    numbers = replace(config.speculation, draft_length=DraftLength.FIXED, max_draft_tokens=7)
    bench.place.services.preferences.remember(TARGET.path, replace(config, speculation=numbers))

    assert bench.words()[1:3] == ["Draft Model · max 7", "Prompt Lookup · max 7"]


def test_where_nobody_chose_otherwise_the_length_is_automatic(bench: Bench) -> None:
    assert bench.words()[1:3] == ["Draft Model · automatic", "Prompt Lookup · automatic"]

    bench.choose(WITH_MODEL)

    assert [side.variant.id for side in bench.chosen] == ["auto"]


def test_each_source_of_drafts_keeps_the_numbers_that_it_had_last(bench: Bench) -> None:
    lookup = SpeculationOptions(LOOKUP, DraftLength.FIXED, max_draft_tokens=9)
    bench.picker.show_side(DRAFTED)
    bench.picker.show_side(side_of(ModelConfig(speculation=lookup), None))
    bench.picker.show_side(off_side())

    bench.choose(WITH_MODEL)
    bench.choose(LOOKUP)
    bench.choose(OFF)

    assert bench.chosen == [DRAFTED, side_of(ModelConfig(speculation=lookup), None), off_side()]
    assert bench.picker.text() == "Off"


def test_choosing_what_is_chosen_tells_nothing(bench: Bench) -> None:
    bench.picker.show_side(DRAFTED)
    bench.choose(WITH_MODEL)

    assert bench.chosen == []


def test_the_present_choice_is_ticked(bench: Bench) -> None:
    bench.picker.show_side(DRAFTED)
    menu = bench.open()

    assert [action.text() for action in menu.actions() if action.isChecked()] == ["Draft Model · max 5"]
    menu.close()


def test_without_a_draft_model_to_take_the_choice_opens_the_settings(undrafted: Bench) -> None:
    assert undrafted.words()[1] == "Draft Model…"

    undrafted.choose(WITH_MODEL)

    assert undrafted.dialog is not None
    assert undrafted.chosen == []
    undrafted.dialog.reject()


def test_the_draft_that_was_chosen_last_is_taken_again(undrafted: Bench) -> None:
    undrafted.picker.show_side(DRAFTED)
    undrafted.picker.show_side(off_side())
    undrafted.choose(WITH_MODEL)

    assert undrafted.chosen == [DRAFTED]


def test_unless_its_file_has_gone(undrafted: Bench) -> None:
    undrafted.picker.show_side(DRAFTED)
    undrafted.picker.show_side(off_side())
    undrafted.place.models.listing = Listing(models=(TARGET,))
    undrafted.place.services.library.refresh()

    assert undrafted.words()[1] == "Draft Model…"


def test_configure_opens_the_whole_settings_and_takes_what_they_give(qtbot: QtBot, bench: Bench) -> None:
    bench.picker.show_side(DRAFTED)
    bench.trigger("configure_variant_action")
    dialog = bench.dialog
    assert dialog is not None
    assert dialog.side == DRAFTED
    assert dialog.isModal()

    other = side_of(ModelConfig(speculation=DRAFTED.variant.speculation), OTHER_DRAFT)
    dialog.side_chosen.emit(other)

    assert bench.chosen == [other]
    assert bench.picker.side == other
    dialog.reject()


def test_settings_opened_from_off_have_the_draft_at_hand(qtbot: QtBot, bench: Bench) -> None:
    bench.trigger("configure_variant_action")
    dialog = bench.dialog
    assert dialog is not None
    assert dialog.side == off_side()
    ok = dialog.findChild(QPushButton, "variant_ok_button")
    assert isinstance(ok, QPushButton)
    qtbot.mouseClick(ok, Qt.MouseButton.LeftButton)

    assert bench.chosen == [], "nothing was changed"


@pytest.mark.parametrize("mode", [UserMode.USER, UserMode.DEVELOPER])
def test_the_settings_show_as_much_as_the_mode_does(bench: Bench, mode: UserMode) -> None:
    preferences = bench.place.services.preferences
    preferences.update(mode=mode)
    bench.trigger("configure_variant_action")
    assert bench.dialog is not None
    section = bench.dialog.findChild(AcceptanceSection)
    assert section is not None

    assert section.isVisible() is (mode is UserMode.DEVELOPER)
    bench.dialog.reject()


def test_without_a_model_nothing_can_be_chosen(bench: Bench) -> None:
    bench.picker.show_side(DRAFTED)
    bench.picker.set_target(None)

    assert not bench.picker.isEnabled()
    assert bench.picker.side == off_side()


def test_for_another_model_it_begins_anew(bench: Bench) -> None:
    bench.picker.show_side(DRAFTED)
    bench.trigger("configure_variant_action")
    bench.picker.set_target(TARGET)
    assert bench.picker.side == DRAFTED, "the same model is no other"
    assert bench.dialog is not None

    bench.picker.set_target(local_model("Another", path=Path("/models/another.gguf")))

    assert bench.picker.side == off_side()
    assert bench.dialog is None
    assert bench.words()[1] == "Draft Model · automatic"


def test_a_reason_keeps_it_from_being_changed(bench: Bench) -> None:
    bench.picker.set_enabled_reason("A comparison is running.")
    assert not bench.picker.isEnabled()
    assert bench.picker.toolTip() == "A comparison is running."
    assert bench.picker.accessibleDescription() == "A comparison is running."

    bench.picker.set_enabled_reason("")
    assert bench.picker.isEnabled()


def test_where_nothing_can_draft_the_menu_says_why(bench: Bench) -> None:
    refusal = Refusal(Obstacle.TARGET_CANNOT_ROLL_BACK, "This model keeps a running state.")
    bench.place.session.enter(Running(plain_setup(), loaded(has_draft=False, refusal=refusal)))
    menu = bench.open()
    choices = [menu.findChild(QAction, f"choose_{mode.value}_action") for mode in (OFF, WITH_MODEL, LOOKUP)]

    assert [choice.isEnabled() for choice in choices if choice] == [True, False, False]
    assert [choice.toolTip() for choice in choices if choice][1:] == [refusal.sentence] * 2
    menu.close()


def test_words_that_are_cut_are_in_the_tooltip(bench: Bench) -> None:
    bench.picker.show_side(off_side())
    assert bench.picker.toolTip() == ""

    speculation = replace(DRAFTED.variant.speculation, min_draft_tokens=2, draft_probability=0.4)
    bench.picker.show_side(side_of(ModelConfig(speculation=speculation), DRAFT))
    bench.picker.resize(140, 32)

    assert bench.picker.toolTip().startswith("Draft Model · max 5 · min 2 · probability 0.4 · Qwen2.5-Coder")
