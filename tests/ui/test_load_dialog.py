"""Edit Model Default Config, and Load: the whole dialog, with real small model files where they matter."""

from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QCheckBox,
    QComboBox,
    QDialog,
    QLabel,
    QLineEdit,
    QListView,
    QPlainTextEdit,
    QSlider,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.core.options import (
    AcceptanceRule,
    CacheType,
    LoadOptions,
    SpeculationOptions,
    Switch,
)
from app.engine.advisor import ModelAdvisor
from app.engine.cpu_features import detect_features
from app.engine.vocab import VocabularyCache
from app.models.header_index import HeaderIndex
from app.models.library import LocalLibrary, LocalModel
from app.settings import ModelConfig, UserMode
from app.ui.icons import Icons
from app.ui.load_dialog import LoadDialog
from app.ui.memory_card import MemoryCard
from app.ui.session_state import Setup
from app.ui.theme import Theme
from tests.fakes.expectations import no_expectations
from tests.fakes.listed_models import library_of, preferences_in
from tests.fakes.load_dialogs import CPU_BUILD, DRAFT, DRAFTING, FIXED, GB, TARGET, Bench
from tests.fakes.tasks import ImmediateTasks
from tests.fakes.tiny_gguf import byte_vocabulary, write_llama, write_mamba


@pytest.fixture
def bench(qtbot: QtBot, theme: Theme, tmp_path: Path) -> Bench:
    return Bench(qtbot, theme, tmp_path)


# What it shows


def test_names_the_model_and_its_facts(bench: Bench) -> None:
    bench.open()

    assert bench.dialog.windowTitle() == "Qwen 7B"
    assert bench.text("load_dialog_facts") == "Q4_K_M · 4.70 GB · 32,768 tokens of context"


def test_opens_on_the_saved_settings_or_the_defaults(bench: Bench) -> None:
    bench.open()
    assert bench.dialog.config == bench.preferences.settings.defaults
    assert bench.text("saved_state") == "the defaults"
    bench.dialog.reject()

    bench.open(DRAFTING)
    assert bench.dialog.config == DRAFTING
    assert bench.text("saved_state") == "saved"


def test_a_cpu_build_has_no_gpu_offload_and_says_why(bench: Bench) -> None:
    saved = replace(DRAFTING, load=LoadOptions(gpu_layers=12))
    bench.open(saved)

    field = bench.part(QLineEdit, "gpu_offload_field")
    assert (field.isEnabled(), field.placeholderText()) == (False, "none in this build")
    assert bench.dialog.config == saved


def test_a_gpu_build_has_it(bench: Bench) -> None:
    bench.open(capabilities=replace(CPU_BUILD, supports_gpu=True))
    bench.type("gpu_offload_field", "")

    assert bench.part(QLineEdit, "gpu_offload_field").placeholderText() == "All layers"
    assert bench.dialog.config.load.gpu_layers == -1


def test_no_threads_are_automatic_ones(bench: Bench) -> None:
    bench.open()

    field = bench.part(QLineEdit, "cpu_threads_field")
    assert (field.text(), field.placeholderText()) == ("", "Automatic (6)")


@pytest.mark.parametrize(
    ("mode", "advanced", "acceptance"),
    [
        (UserMode.USER, False, False),
        (UserMode.POWER_USER, True, False),
        (UserMode.DEVELOPER, True, True),
    ],
)
def test_each_user_mode_shows_more(bench: Bench, mode: UserMode, advanced: bool, acceptance: bool) -> None:
    bench.open(DRAFTING, mode=mode)
    assert bench.part(QWidget, "speculation_mode_box").isVisible() is advanced
    assert bench.part(QWidget, "flash_attention_box").isVisible() is advanced

    bench.press("inference_tab_button")
    assert bench.part(QWidget, "temperature_field").isVisible()
    assert bench.part(QWidget, "acceptance_rule_box").isVisible() is acceptance


def test_only_what_the_mode_of_speculation_uses_is_shown_from_the_start(bench: Bench) -> None:
    bench.open()
    assert not bench.part(QWidget, "draft_model_picker").isVisible()
    assert not bench.part(QWidget, "draft_length_choice").isVisible()
    bench.dialog.reject()

    bench.open(DRAFTING)
    assert bench.part(QWidget, "draft_model_picker").isVisible()
    assert bench.part(QWidget, "draft_length_choice").isVisible()


def test_saved_speculation_works_in_user_mode_although_it_is_hidden(bench: Bench) -> None:
    bench.open(DRAFTING, mode=UserMode.USER)
    bench.press("load_model_button")

    assert bench.requests == [Setup(TARGET, DRAFT, DRAFTING)]


def test_advanced_can_be_folded_away(bench: Bench) -> None:
    bench.open()
    bench.press("advanced_button")

    assert not bench.part(QWidget, "flash_attention_box").isVisible()


def test_rules_that_change_the_output_are_labelled(bench: Bench) -> None:
    bench.open(mode=UserMode.DEVELOPER)
    bench.press("inference_tab_button")
    for rule in AcceptanceRule:
        config = ModelConfig(speculation=SpeculationOptions(acceptance=rule))
        bench.dialog.show_config(config)
        assert bench.part(QLabel, "changes_output_tag").isVisible() is rule.changes_output
        assert bench.text("acceptance_meaning") != ""
        limits = ("difference_limit_field", "ratio_limit_field", "top_k_limit_field")
        shown = [name for name in limits if bench.part(QWidget, name).isVisible()]
        assert len(shown) == (1 if rule.changes_output else 0)


# Loading, saving, cancelling


def test_load_gives_the_setup_and_remembers_it(bench: Bench) -> None:
    bench.open()
    bench.type("context_length_field", "8k")
    assert bench.text("saved_state") == "not saved yet"
    bench.press("load_model_button")

    config = ModelConfig(load=LoadOptions(context_length=8192))
    assert bench.requests == [Setup(TARGET, None, config)]
    assert bench.preferences.settings.config_for(TARGET.path) == config
    assert not bench.dialog.isVisible()


def test_settings_for_this_time_only_are_not_remembered(bench: Bench) -> None:
    bench.open()
    bench.press("remember_settings_box")
    bench.type("context_length_field", "8k")
    assert bench.text("saved_state") == "for this time only"
    bench.press("load_model_button")

    assert len(bench.requests) == 1
    assert bench.preferences.settings.configs == {}


def test_save_remembers_without_loading(qtbot: QtBot, bench: Bench) -> None:
    bench.open()
    bench.type("context_length_field", "8k")
    with qtbot.waitSignal(bench.dialog.remembered):
        bench.press("save_settings_button")

    assert bench.requests == []
    assert bench.preferences.settings.config_for(TARGET.path).load.context_length == 8192


def test_cancel_changes_nothing(bench: Bench) -> None:
    bench.open(DRAFTING)
    bench.type("context_length_field", "8k")
    bench.press("cancel_button")

    assert bench.requests == []
    assert bench.preferences.settings.config_for(TARGET.path) == DRAFTING


def test_reset_shows_the_defaults_and_saving_them_forgets_the_models_own(bench: Bench) -> None:
    bench.open(DRAFTING)
    bench.press("reset_to_defaults_button")
    assert bench.dialog.config == bench.preferences.settings.defaults
    assert bench.preferences.settings.config_for(TARGET.path) == DRAFTING, "not before it is saved"

    bench.press("save_settings_button")
    assert bench.preferences.settings.configs == {}


# Keys


def test_enter_in_a_field_loads(qtbot: QtBot, bench: Bench) -> None:
    bench.open()
    bench.type("context_length_field", "8k")
    qtbot.keyClick(bench.part(QLineEdit, "context_length_field"), Qt.Key.Key_Return)

    (setup,) = bench.requests
    assert isinstance(setup, Setup)
    assert setup.config.load.context_length == 8192


def test_enter_on_a_button_presses_that_button(qtbot: QtBot, bench: Bench) -> None:
    bench.open()
    cancel = bench.part(QAbstractButton, "cancel_button")
    cancel.setFocus()
    qtbot.keyClick(cancel, Qt.Key.Key_Return)

    assert not bench.dialog.isVisible()
    assert bench.requests == []


def test_enter_in_the_draft_picker_chooses_and_does_not_load(qtbot: QtBot, bench: Bench) -> None:
    bench.open(ModelConfig(speculation=DRAFTING.speculation))
    view = bench.part(QListView, "draft_model_picker")
    view.setFocus()
    qtbot.keyClick(view, Qt.Key.Key_Return)

    assert bench.dialog.isVisible()
    assert bench.dialog.config.draft == DRAFT.path


def test_escape_cancels(qtbot: QtBot, bench: Bench) -> None:
    bench.open()
    qtbot.keyClick(bench.part(QLineEdit, "context_length_field"), Qt.Key.Key_Escape)

    assert not bench.dialog.isVisible()


def test_every_control_has_a_name_for_people_and_one_for_programs(bench: Bench) -> None:
    bench.open(mode=UserMode.DEVELOPER)
    controls = [
        control
        for kind in (QAbstractButton, QLineEdit, QComboBox, QPlainTextEdit, QSlider)
        for control in bench.dialog.findChildren(kind)
    ]

    assert len(controls) > 30
    for control in controls:
        spoken = control.accessibleName() or (control.text() if isinstance(control, QCheckBox) else "")
        assert spoken, control.objectName()
        assert control.objectName(), spoken


def test_a_field_is_the_buddy_of_its_caption(bench: Bench) -> None:
    bench.open(mode=UserMode.DEVELOPER)
    captions = {found.buddy(): found.text() for found in bench.dialog.findChildren(QLabel) if found.buddy()}

    fields = [*bench.dialog.findChildren(QLineEdit), *bench.dialog.findChildren(QComboBox)]
    for field in fields:
        assert captions[field] == field.accessibleName()


# What stands in the way


def test_a_problem_is_told_at_its_field_and_keeps_from_loading(bench: Bench) -> None:
    bench.open(FIXED)
    bench.type("max_draft_tokens_field", "0")

    field = bench.part(QLineEdit, "max_draft_tokens_field")
    assert field.property("invalid") is True
    assert field.accessibleDescription() == "Max draft tokens must be between 1 and 16."
    assert not bench.load_button.isEnabled()
    assert bench.load_button.toolTip() == "Max draft tokens must be between 1 and 16."

    bench.type("max_draft_tokens_field", "4")
    assert bench.load_button.isEnabled()


def test_what_is_no_number_keeps_from_loading(bench: Bench) -> None:
    bench.open()
    bench.type("batch_size_field", "lots")

    assert bench.load_button.toolTip() == "Evaluation Batch Size must be a whole number."
    assert not bench.load_button.isEnabled()
    assert not bench.part(QAbstractButton, "save_settings_button").isEnabled()


def test_a_problem_of_two_settings_is_told(bench: Bench) -> None:
    load = LoadOptions(v_cache_type=CacheType.Q8_0, flash_attention=Switch.OFF)
    bench.open(ModelConfig(load=load))

    assert bench.load_button.toolTip() == "A quantised V cache needs flash attention."


def test_a_seed_out_of_range_is_told(bench: Bench) -> None:
    bench.open()
    bench.type("seed_field", "-1")

    assert bench.part(QLineEdit, "seed_field").property("invalid") is True
    assert not bench.load_button.isEnabled()


def test_a_model_that_disappears_cannot_be_loaded(bench: Bench) -> None:
    bench.open()
    bench.models.listing = replace(bench.models.listing, models=(DRAFT,))
    bench.library.refresh()

    assert not bench.load_button.isEnabled()
    assert bench.text("load_problem") == "The model's file is no longer there."


# Memory


def test_the_estimate_moves_with_the_settings_and_counts_the_draft(bench: Bench) -> None:
    bench.open(DRAFTING)
    bench.type("context_length_field", "8k")

    draft, options = bench.advisor.estimated[-1]
    assert (draft, options.context_length) == (DRAFT.path, 8192)


def test_too_much_memory_is_a_warning_and_loading_stays_possible(bench: Bench) -> None:
    bench.open(free=2 * GB)

    assert bench.load_button.text() == "Load Anyway"
    assert "Needs 3.10 GB, and 2.00 GB is free." in bench.part(MemoryCard, "memory_card").words
    bench.press("load_model_button")
    assert len(bench.requests) == 1


def test_the_loaded_models_memory_counts_as_free(bench: Bench) -> None:
    bench.open(free=2 * GB, loaded=4 * GB)

    assert bench.load_button.text() == "Load Model"


def test_an_estimate_that_cannot_be_made_is_no_refusal(bench: Bench) -> None:
    bench.advisor.refusal = "The file cannot be read."
    bench.open()

    assert "The file cannot be read." in bench.part(MemoryCard, "memory_card").words
    assert (bench.load_button.text(), bench.load_button.isEnabled()) == ("Load Model", True)


# What is in force


def test_load_settings_other_than_those_in_force_need_a_reload(bench: Bench) -> None:
    in_force = replace(DRAFTING, load=LoadOptions(context_length=8192))
    bench.open(DRAFTING, in_force=in_force)

    assert bench.load_button.text() == "Reload Model"
    assert bench.text("reload_hint") == "Reload to apply: Context Length (8,192 in force)"
    bench.press("load_model_button")
    assert bench.requests == [Setup(TARGET, DRAFT, DRAFTING)]


def test_other_settings_apply_to_the_next_answer_without_a_reload(bench: Bench) -> None:
    bench.open(DRAFTING, in_force=DRAFTING)
    assert bench.text("next_answer_hint") == ""
    bench.press("inference_tab_button")
    bench.type("temperature_field", "0")

    assert bench.load_button.text() == "Apply"
    assert bench.text("next_answer_hint") == "From the next answer on: Temperature (0.80 in force)"
    assert bench.text("reload_hint") == ""
    bench.press("load_model_button")
    assert bench.requests == [replace(DRAFTING, sampling=replace(DRAFTING.sampling, temperature=0.0))]


def test_a_draft_that_is_gone_is_no_difference_to_a_model_loaded_without_it(bench: Bench) -> None:
    saved = replace(DRAFTING, draft=Path("/m/lost.gguf"))
    bench.open(saved, in_force=replace(saved, draft=None))

    assert bench.text("reload_hint") == ""
    bench.press("load_model_button")
    assert bench.requests == [Setup(TARGET, None, saved)]


# Real files


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A target, a draft that fits, one of another vocabulary, and one that cannot take tokens back."""
    models = tmp_path / "models"
    models.mkdir()
    write_llama(models / "target.gguf", width=128, layers=4, changes={"general.name": "Target"})
    write_llama(models / "draft.gguf", width=64, layers=1, seed=1, changes={"general.name": "Draft"})
    other = byte_vocabulary(changes={280: "zzz"})
    write_llama(models / "other.gguf", vocabulary=other, changes={"general.name": "Other"})
    write_mamba(models / "recurrent.gguf", changes={"general.name": "Recurrent"})
    return models


def test_with_real_files_and_the_real_adviser(qtbot: QtBot, theme: Theme, folder: Path) -> None:
    preferences = preferences_in(folder.parent)
    index = HeaderIndex(None)
    library = library_of(LocalLibrary(index), preferences, folder)
    target = library.find(folder / "target.gguf")
    assert target is not None
    tasks = ImmediateTasks(threads=1)
    advisor = ModelAdvisor(index, VocabularyCache(None), detect_features(), no_expectations(index))
    own = LoadOptions(context_length=0)
    preferences.remember(target.path, ModelConfig(load=own, speculation=DRAFTING.speculation))
    dialog = LoadDialog(
        target,
        theme,
        Icons(theme),
        preferences,
        library,
        advisor,
        tasks,
        CPU_BUILD,
        UserMode.POWER_USER,
        None,
        None,
        available=lambda: GB,
    )
    qtbot.addWidget(dialog)
    dialog.open()
    view = dialog.findChild(QListView, "draft_model_picker")
    card = dialog.findChild(MemoryCard, "memory_card")
    assert view is not None
    assert card is not None

    told = [
        view.model().index(row, 0).data(Qt.ItemDataRole.AccessibleTextRole).partition(", ")
        for row in range(view.model().rowCount())
    ]
    reasons = {name: rest.rpartition(", ")[2] for name, _, rest in told}
    assert told[0][0] == "Draft", told
    assert reasons["Other"].startswith("differs at token 280: ")
    assert reasons["Recurrent"] == "keeps a running state and cannot take back rejected tokens"
    assert reasons["Target"] == "this is the model itself"
    before = card.words
    assert "draft" not in before

    view.setFocus()
    qtbot.keyClick(view, Qt.Key.Key_Space)
    assert "draft" in card.words, "it is counted"
    with qtbot.waitSignal(dialog.load_requested) as asked:
        qtbot.mouseClick(dialog.findChild(QAbstractButton, "load_model_button"), Qt.MouseButton.LeftButton)

    setup = asked.args[0] if asked.args else None
    assert isinstance(setup, Setup)
    draft: LocalModel | None = setup.draft
    assert draft is not None
    assert draft.path == folder / "draft.gguf"
    assert preferences.settings.config_for(target.path).draft == draft.path
    library.close()


def test_a_draft_is_looked_for_elsewhere_and_nothing_is_changed(qtbot: QtBot, bench: Bench) -> None:
    dialog = bench.open(DRAFTING)
    bench.type("draft_ceiling_field", "7")

    with qtbot.waitSignal(dialog.find_draft_requested) as asked:
        bench.press("find_draft_button")

    assert asked.args == [TARGET]
    assert dialog.isHidden()
    assert dialog.result() == QDialog.DialogCode.Rejected
    assert bench.requests == []
    assert bench.preferences.settings.configs[TARGET.path] == DRAFTING
