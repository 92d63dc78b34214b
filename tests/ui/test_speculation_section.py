"""Speculative decoding in the dialog: modes, numbers, and what is said about the draft."""

from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QLineEdit, QListView, QWidget
from pytestqt.qtbot import QtBot

from app.core.compatibility import Incompatible, Rule
from app.core.options import DraftLength, SpeculationMode, SpeculationOptions
from app.models.library import LocalModel
from app.settings import ModelConfig
from app.ui.speculation_section import SpeculationSection
from app.ui.theme import Theme
from tests.fakes.advisor import FakeAdvisor
from tests.fakes.held_tasks import HeldTasks
from tests.fakes.listed_models import ListedModels, library_of, preferences_in
from tests.fakes.local_models import local_model

TARGET = local_model("7b", path=Path("/m/7b.gguf"), parameters=7_600_000_000, size_bytes=4_700_000_000)
DRAFT = local_model("0.5b", path=Path("/m/0.5b.gguf"), parameters=500_000_000, size_bytes=470_000_000)
ALIEN = local_model("alien", path=Path("/m/alien.gguf"), parameters=400_000_000, size_bytes=400_000_000)


NUMBERS = ("draft_ceiling", "max_draft_tokens", "min_draft_tokens", "draft_probability")


def config(
    mode: SpeculationMode, draft: Path | None = None, length: DraftLength = DraftLength.AUTOMATIC
) -> ModelConfig:
    return ModelConfig(speculation=SpeculationOptions(mode, length), draft=draft)


class Bench:
    """A section over a library, shown."""

    def __init__(self, qtbot: QtBot, theme: Theme, folder: Path, target: LocalModel = TARGET) -> None:
        library = library_of(ListedModels(target, DRAFT, ALIEN), preferences_in(folder), folder)
        advisor = FakeAdvisor({ALIEN.path: Incompatible(Rule.TEXT, 10, 10, "a", "b", 139)})
        self.tasks = HeldTasks()
        self.section = SpeculationSection(target, theme, library, advisor, self.tasks)
        qtbot.addWidget(self.section)
        self.section.show()

    def show(self, shown: ModelConfig) -> None:
        self.section.show_config(shown)
        self.tasks.release_all()

    def part(self, kind: type[QWidget], name: str) -> QWidget:
        found = self.section.findChild(kind, name)
        assert found is not None
        return found

    def warning(self) -> str:
        found = self.section.findChild(QLabel, "speculation_warning")
        assert found is not None
        return found.text()

    def note(self) -> str:
        found = self.section.findChild(QLabel, "speculation_note")
        assert found is not None
        return found.text()

    def field(self, name: str) -> QLineEdit:
        found = self.part(QLineEdit, f"{name}_field")
        assert isinstance(found, QLineEdit)
        return found

    def seen(self) -> list[str]:
        """The numbers that are shown."""
        return [name for name in NUMBERS if self.field(name).isVisible()]

    def type(self, name: str, text: str) -> None:
        field = self.field(name)
        field.selectAll()
        QTest.keyClicks(field, text)

    def choose_length(self, length: DraftLength) -> None:
        chip = self.part(QAbstractButton, f"draft_length_choice_{length}")
        QTest.mouseClick(chip, Qt.MouseButton.LeftButton)

    def choose(self, mode: SpeculationMode) -> None:
        box = self.section.findChild(QComboBox, "speculation_mode_box")
        assert box is not None
        row = list(SpeculationMode).index(mode)
        box.setCurrentIndex(row)
        box.activated.emit(row)


@pytest.fixture
def bench(qtbot: QtBot, theme: Theme, tmp_path: Path) -> Bench:
    return Bench(qtbot, theme, tmp_path)


def test_modes_have_the_names_that_users_know(bench: Bench) -> None:
    box = bench.part(QComboBox, "speculation_mode_box")
    assert isinstance(box, QComboBox)

    assert [box.itemText(row) for row in range(box.count())] == ["Off", "Draft Model", "Prompt Lookup"]


def test_the_defaults_are_automatic_up_to_sixteen_and_three_none_and_nought(bench: Bench) -> None:
    bench.show(ModelConfig())

    assert bench.section.applied_to(ModelConfig()).speculation.draft_length is DraftLength.AUTOMATIC
    assert [bench.field(name).text() for name in NUMBERS] == ["16", "3", "0", "0.00"]


@pytest.mark.parametrize(
    ("mode", "length", "picker", "numbers"),
    [
        (SpeculationMode.OFF, DraftLength.AUTOMATIC, False, ()),
        (SpeculationMode.OFF, DraftLength.FIXED, False, ()),
        (SpeculationMode.DRAFT_MODEL, DraftLength.AUTOMATIC, True, NUMBERS[:1]),
        (SpeculationMode.DRAFT_MODEL, DraftLength.FIXED, True, NUMBERS[1:]),
        (SpeculationMode.PROMPT_LOOKUP, DraftLength.AUTOMATIC, False, NUMBERS[:1]),
        (SpeculationMode.PROMPT_LOOKUP, DraftLength.FIXED, False, NUMBERS[1:3]),
    ],
)
def test_each_mode_shows_what_it_uses(
    bench: Bench, mode: SpeculationMode, length: DraftLength, picker: bool, numbers: tuple[str, ...]
) -> None:
    bench.show(config(mode, length=length))

    assert bench.part(QListView, "draft_model_picker").isVisible() is picker
    assert bench.part(QWidget, "draft_length_choice").isVisible() is (mode is not SpeculationMode.OFF)
    assert bench.seen() == list(numbers)


def test_the_automatic_length_says_what_it_does(bench: Bench) -> None:
    bench.show(config(SpeculationMode.DRAFT_MODEL))
    meaning = bench.part(QLabel, "draft_length_meaning")
    assert isinstance(meaning, QLabel)
    assert meaning.text() == (
        "Each round drafts as much as pays here, by the model or by prompt lookup, or nothing."
    )

    bench.choose(SpeculationMode.PROMPT_LOOKUP)
    assert meaning.text() == "Each round drafts as much as pays here, or nothing."

    bench.choose_length(DraftLength.FIXED)
    assert not meaning.isVisible()


def test_switching_the_length_there_and_back_loses_no_number(qtbot: QtBot, bench: Bench) -> None:
    bench.show(config(SpeculationMode.DRAFT_MODEL))
    bench.type("draft_ceiling", "12")
    with qtbot.waitSignal(bench.section.edited):
        bench.choose_length(DraftLength.FIXED)
    bench.type("max_draft_tokens", "7")
    bench.type("draft_probability", "0.5")

    fixed = bench.section.applied_to(ModelConfig()).speculation
    assert (fixed.draft_length, fixed.longest) == (DraftLength.FIXED, 7)

    bench.choose_length(DraftLength.AUTOMATIC)

    automatic = bench.section.applied_to(ModelConfig()).speculation
    assert automatic == replace(fixed, draft_length=DraftLength.AUTOMATIC)
    assert (automatic.longest, automatic.max_draft_tokens, automatic.draft_probability) == (12, 7, 0.5)


@pytest.mark.parametrize(("name", "text"), [("max_draft_tokens", "x"), ("min_draft_tokens", "9")])
def test_a_number_that_cannot_be_used_is_not_hidden_but_put_back(bench: Bench, name: str, text: str) -> None:
    shown = config(SpeculationMode.DRAFT_MODEL, length=DraftLength.FIXED)
    bench.show(replace(shown, speculation=replace(shown.speculation, max_draft_tokens=5)))
    bench.type(name, text)

    bench.choose_length(DraftLength.AUTOMATIC)

    assert [bench.field(each).text() for each in NUMBERS] == ["16", "5", "0", "0.00"]
    assert all(bench.section.fields[each].is_readable for each in NUMBERS)


def test_no_file_is_compared_while_no_draft_model_is_wanted(bench: Bench) -> None:
    bench.show(config(SpeculationMode.OFF))

    assert bench.tasks.waiting == 0


def test_the_draft_is_for_loading_only_in_its_mode_and_is_remembered_in_any(
    qtbot: QtBot, bench: Bench
) -> None:
    bench.show(config(SpeculationMode.DRAFT_MODEL, DRAFT.path))
    assert bench.section.draft == DRAFT

    with qtbot.waitSignal(bench.section.edited):
        bench.choose(SpeculationMode.OFF)

    assert bench.section.draft is None
    assert bench.section.applied_to(ModelConfig()).draft == DRAFT.path


def test_without_a_choice_it_asks_for_one(bench: Bench) -> None:
    bench.show(config(SpeculationMode.DRAFT_MODEL))

    assert bench.warning() == "Choose a draft model. Until then the model runs without one."


def test_the_list_stays_where_it_is_when_a_draft_is_chosen(qtbot: QtBot, bench: Bench) -> None:
    bench.show(config(SpeculationMode.DRAFT_MODEL))
    bench.section.resize(400, 600)
    view = bench.part(QListView, "draft_model_picker")
    assert isinstance(view, QListView)

    def top() -> int:
        layout = bench.section.layout()
        assert layout is not None
        layout.activate()
        return view.mapTo(bench.section, view.rect().topLeft()).y()

    before = top()
    qtbot.keyClick(view, Qt.Key.Key_Space)
    assert bench.section.draft is not None
    assert bench.warning() == ""
    assert top() == before

    bench.choose(SpeculationMode.PROMPT_LOOKUP)
    assert not bench.part(QLabel, "speculation_warning").isVisible(), "room that nothing needs is given back"


def test_a_chosen_draft_that_does_not_fit_is_told_with_the_reason(bench: Bench) -> None:
    bench.show(config(SpeculationMode.DRAFT_MODEL, ALIEN.path))

    assert bench.warning() == (
        "alien cannot be used: differs at token 139: 'a' and 'b'. The model will run without it."
    )


def test_a_chosen_draft_that_is_gone_is_told(bench: Bench) -> None:
    bench.show(config(SpeculationMode.DRAFT_MODEL, Path("/m/lost.gguf")))

    assert bench.warning() == (
        "lost.gguf cannot be used: it is no longer among your models. The model will run without it."
    )
    assert bench.section.draft is None


def test_one_that_does_not_fit_is_left_to_the_engine_to_refuse_and_takes_no_memory(bench: Bench) -> None:
    bench.show(config(SpeculationMode.DRAFT_MODEL, ALIEN.path))

    assert bench.section.draft == ALIEN
    assert bench.section.likely_draft is None


def test_a_model_does_not_draft_for_itself(bench: Bench) -> None:
    bench.show(config(SpeculationMode.DRAFT_MODEL, TARGET.path))

    assert bench.warning() == "7b cannot be used: this is the model itself. The model will run without it."
    assert bench.section.draft is None


def test_while_it_is_being_identified_a_draft_counts(bench: Bench) -> None:
    bench.section.show_config(config(SpeculationMode.DRAFT_MODEL, DRAFT.path))

    assert bench.section.likely_draft == DRAFT


def test_a_good_choice_needs_no_words_of_warning(bench: Bench) -> None:
    bench.show(config(SpeculationMode.DRAFT_MODEL, DRAFT.path))

    assert bench.warning() == ""
    assert "rule of thumb" not in bench.note()


def test_a_small_target_is_told_to_gain_little(qtbot: QtBot, theme: Theme, tmp_path: Path) -> None:
    small = replace(TARGET, info=replace(TARGET.info, parameters=1_500_000_000))
    bench = Bench(qtbot, theme, tmp_path, small)
    bench.show(config(SpeculationMode.DRAFT_MODEL, DRAFT.path))

    assert "as a rule of thumb a draft pays from about 7B on" in bench.note()


@pytest.mark.parametrize("mode", [SpeculationMode.DRAFT_MODEL, SpeculationMode.PROMPT_LOOKUP])
def test_a_target_that_cannot_take_tokens_back_says_why_it_runs_plain(
    qtbot: QtBot, theme: Theme, tmp_path: Path, mode: SpeculationMode
) -> None:
    recurrent = replace(TARGET, info=replace(TARGET.info, is_recurrent=True))
    bench = Bench(qtbot, theme, tmp_path, recurrent)
    bench.show(config(mode, DRAFT.path))

    assert "cannot take back rejected tokens" in bench.warning()
    assert not bench.part(QListView, "draft_model_picker").isVisible()
    assert bench.section.applied_to(ModelConfig()) == config(mode, DRAFT.path), "nothing is changed for it"
