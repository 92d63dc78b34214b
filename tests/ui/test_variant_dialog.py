"""The whole of the settings of one side."""

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QListView, QPushButton, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from app.core.compatibility import Incompatible, Rule
from app.core.options import AcceptanceRule, DraftLength, LoadOptions, SpeculationMode, SpeculationOptions
from app.core.pair_expectation import Grounds, NoGain
from app.models.library import LocalModel
from app.settings import ModelConfig, UserMode
from app.ui.acceptance_section import AcceptanceSection
from app.ui.side import Side, off_side, side_of
from app.ui.speculation_section import SpeculationSection
from app.ui.variant_dialog import VariantDialog
from tests.fakes.compare_services import OTHER_DRAFT, ComparePlace
from tests.fakes.setups import DRAFT, TARGET, drafted_setup

DRAFTING = SpeculationOptions(SpeculationMode.DRAFT_MODEL, DraftLength.FIXED, max_draft_tokens=5)
FIELDS = (
    "draft_ceiling_field",
    "max_draft_tokens_field",
    "min_draft_tokens_field",
    "draft_probability_field",
)
DRAFTED = side_of(ModelConfig(speculation=DRAFTING), DRAFT)
UNDRAFTED = Side(replace(off_side().variant, speculation=DRAFTING))


class Bench:
    """An open dialog."""

    def __init__(
        self,
        qtbot: QtBot,
        place: ComparePlace,
        side: Side,
        mode: UserMode = UserMode.POWER_USER,
        target: LocalModel = TARGET,
        *,
        length_is_swept: bool = False,
    ) -> None:
        self.qtbot = qtbot
        self.dialog = VariantDialog(side, target, place.services, mode, length_is_swept=length_is_swept)
        self.chosen: list[Side] = []
        self.dialog.side_chosen.connect(self.chosen.append)
        qtbot.addWidget(self.dialog)
        self.dialog.show()

    def field(self, name: str) -> QLineEdit:
        found = self.dialog.findChild(QLineEdit, name)
        assert isinstance(found, QLineEdit)
        return found

    def type(self, name: str, text: str) -> None:
        field = self.field(name)
        field.selectAll()
        self.qtbot.keyClick(field, Qt.Key.Key_Delete)
        self.qtbot.keyClicks(field, text)

    def choose(self, mode: SpeculationMode) -> None:
        box = self.dialog.findChild(QComboBox, "speculation_mode_box")
        assert isinstance(box, QComboBox)
        row = list(SpeculationMode).index(mode)
        box.setCurrentIndex(row)
        box.activated.emit(row)

    def part(self, name: str) -> QWidget:
        found = self.dialog.findChild(QWidget, name)
        assert isinstance(found, QWidget)
        return found

    def pick_length(self, length: DraftLength) -> None:
        chip = self.part(f"draft_length_choice_{length}")
        self.qtbot.mouseClick(chip, Qt.MouseButton.LeftButton)

    def pick(self, row: int) -> None:
        view = self.dialog.findChild(QListView, "draft_model_picker")
        assert isinstance(view, QListView)
        view.clicked.emit(view.model().index(row, 0))

    def press(self, name: str) -> None:
        self.qtbot.mouseClick(self.button(name), Qt.MouseButton.LeftButton)

    def button(self, name: str) -> QPushButton:
        found = self.dialog.findChild(QPushButton, name)
        assert isinstance(found, QPushButton)
        return found

    def warning(self) -> str:
        """What the form says against it. Nothing runs "without" here: there is no OK."""
        found = self.dialog.findChild(QLabel, "speculation_warning")
        assert isinstance(found, QLabel)
        assert "without" not in found.text()
        return found.text()

    def note(self) -> str:
        found = self.dialog.findChild(QLabel, "draft_beside_note")
        assert isinstance(found, QLabel)
        return found.text()

    @property
    def ok(self) -> QPushButton:
        return self.button("variant_ok_button")


def test_ok_gives_the_side_back_as_it_was_left(qtbot: QtBot, place: ComparePlace) -> None:
    bench = Bench(qtbot, place, DRAFTED)
    bench.type("max_draft_tokens_field", "8")
    bench.type("draft_probability_field", "0.4")
    bench.press("variant_ok_button")

    expected = replace(DRAFTING, max_draft_tokens=8, draft_probability=0.4)
    assert bench.chosen == [side_of(ModelConfig(speculation=expected), DRAFT)]
    assert not bench.dialog.isVisible()


def test_the_length_can_be_left_to_the_program(qtbot: QtBot, place: ComparePlace) -> None:
    bench = Bench(qtbot, place, DRAFTED)
    bench.pick_length(DraftLength.AUTOMATIC)
    bench.type("draft_ceiling_field", "12")
    bench.press("variant_ok_button")

    expected = replace(DRAFTING, draft_length=DraftLength.AUTOMATIC, draft_ceiling=12)
    assert bench.chosen == [side_of(ModelConfig(speculation=expected), DRAFT)]
    assert bench.chosen[0].variant.id == "auto"


def test_where_lengths_are_swept_none_is_a_choice(qtbot: QtBot, place: ComparePlace) -> None:
    bench = Bench(qtbot, place, DRAFTED, length_is_swept=True)
    shown = {name: bench.field(name).isVisible() for name in FIELDS}
    assert shown == dict(zip(FIELDS, (False, False, True, True), strict=True))
    assert not bench.part("draft_length_choice").isVisible()

    bench.type("min_draft_tokens_field", "6")  # more than the most that is not shown
    bench.press("variant_ok_button")

    assert bench.chosen[0].variant.speculation.min_draft_tokens == 6


def test_what_drafts_gain_is_looked_up_for_the_model_as_it_is_loaded(
    qtbot: QtBot, place: ComparePlace
) -> None:
    setup = drafted_setup()
    load = LoadOptions(context_length=2048, threads=3)
    place.session.run(replace(setup, config=replace(setup.config, load=load)))

    Bench(qtbot, place, DRAFTED)

    assert (DRAFT.path, load) in place.advisor.foreseen
    assert {asked for _, asked in place.advisor.foreseen} == {load}


def test_it_grows_for_what_is_found_out_of_a_draft_later(qtbot: QtBot, place: ComparePlace) -> None:
    bench = Bench(qtbot, place, DRAFTED)
    area = bench.dialog.findChild(QScrollArea)
    assert isinstance(area, QScrollArea)
    assert area.verticalScrollBar().maximum() == 0
    low = bench.dialog.height()
    place.advisor.outlooks[DRAFT.path] = NoGain(3, 2.6, 1.2, Grounds.COSTS)

    section = bench.dialog.findChild(SpeculationSection)
    assert isinstance(section, SpeculationSection)
    section.picker.outlooks.refresh()

    qtbot.waitUntil(lambda: bench.dialog.height() > low)
    assert area.verticalScrollBar().maximum() == 0


def test_cancel_gives_nothing(qtbot: QtBot, place: ComparePlace) -> None:
    bench = Bench(qtbot, place, DRAFTED)
    bench.type("max_draft_tokens_field", "8")
    bench.press("variant_cancel_button")

    assert bench.chosen == []
    assert not bench.dialog.isVisible()


def test_enter_in_a_field_is_ok(qtbot: QtBot, place: ComparePlace) -> None:
    bench = Bench(qtbot, place, DRAFTED)
    field = bench.field("max_draft_tokens_field")
    bench.dialog.activateWindow()
    field.setFocus()
    qtbot.keyClick(field, Qt.Key.Key_Return)

    assert bench.chosen == [DRAFTED]


def test_enter_on_cancel_is_no_ok(qtbot: QtBot, place: ComparePlace) -> None:
    bench = Bench(qtbot, place, DRAFTED)
    bench.dialog.activateWindow()
    bench.button("variant_cancel_button").setFocus()
    qtbot.keyClick(bench.button("variant_cancel_button"), Qt.Key.Key_Return)

    assert bench.chosen == []
    assert not bench.dialog.isVisible()


def test_numbers_that_cannot_be_used_are_told_beside_their_field(qtbot: QtBot, place: ComparePlace) -> None:
    bench = Bench(qtbot, place, DRAFTED)
    bench.type("max_draft_tokens_field", "99")

    assert not bench.ok.isEnabled()
    assert bench.ok.toolTip() == "Max draft tokens must be between 1 and 16."
    assert bench.field("max_draft_tokens_field").property("invalid") is True

    bench.type("max_draft_tokens_field", "9")
    assert bench.ok.isEnabled()


def test_drafting_with_a_model_waits_for_the_model(qtbot: QtBot, place: ComparePlace) -> None:
    bench = Bench(qtbot, place, UNDRAFTED)
    assert not bench.ok.isEnabled()
    assert bench.ok.toolTip() == "Choose a draft model that fits."
    assert bench.warning() == "Choose a draft model."

    bench.pick(0)
    bench.press("variant_ok_button")

    assert [side.draft for side in bench.chosen] == [DRAFT]


def test_a_draft_that_does_not_fit_is_none(qtbot: QtBot, place: ComparePlace) -> None:
    place.advisor.answers[DRAFT.path] = Incompatible(Rule.TEXT, 10, 10, "a", "b", 139)

    bench = Bench(qtbot, place, DRAFTED)
    assert not bench.ok.isEnabled()
    assert bench.warning().endswith("Choose another draft model.")


def test_prompt_lookup_needs_no_model(qtbot: QtBot, place: ComparePlace) -> None:
    bench = Bench(qtbot, place, UNDRAFTED)
    bench.choose(SpeculationMode.PROMPT_LOOKUP)
    bench.press("variant_ok_button")

    assert [side.variant.id for side in bench.chosen] == ["lookup max 5"]


def test_off_is_plain_whatever_the_numbers(qtbot: QtBot, place: ComparePlace) -> None:
    bench = Bench(qtbot, place, DRAFTED)
    bench.choose(SpeculationMode.OFF)
    bench.press("variant_ok_button")

    assert bench.chosen == [off_side()]


def test_another_draft_than_the_loaded_one_is_said_to_be_loaded_beside(
    qtbot: QtBot, place: ComparePlace
) -> None:
    assert Bench(qtbot, place, DRAFTED).note() == ""

    other = Bench(qtbot, place, side_of(ModelConfig(speculation=DRAFTING), OTHER_DRAFT))

    assert "loads this draft model beside" in other.note()
    assert other.ok.isEnabled()


def test_a_target_that_cannot_take_back_tokens_can_only_be_off(qtbot: QtBot, place: ComparePlace) -> None:
    target = replace(TARGET, info=replace(TARGET.info, is_recurrent=True))
    bench = Bench(qtbot, place, DRAFTED, target=target)
    assert not bench.ok.isEnabled()
    assert bench.warning().endswith("so nothing can draft for it.")

    bench.choose(SpeculationMode.OFF)

    assert bench.ok.isEnabled()


@pytest.mark.parametrize("mode", list(UserMode))
def test_acceptance_rules_are_for_developers(qtbot: QtBot, place: ComparePlace, mode: UserMode) -> None:
    bench = Bench(qtbot, place, DRAFTED, mode)
    section = bench.dialog.findChild(AcceptanceSection)
    assert section is not None

    assert section.isVisible() is (mode is UserMode.DEVELOPER)


def test_a_rule_that_is_not_shown_is_kept(qtbot: QtBot, place: ComparePlace) -> None:
    speculation = replace(DRAFTING, acceptance=AcceptanceRule.RATIO, ratio_limit=0.5)
    side = side_of(ModelConfig(speculation=speculation), DRAFT)

    assert Bench(qtbot, place, side, UserMode.USER).dialog.side == side


def test_what_is_wrong_with_it_is_told_all_the_same(qtbot: QtBot, place: ComparePlace) -> None:
    speculation = replace(DRAFTING, acceptance=AcceptanceRule.RATIO, ratio_limit=-1.0, lookup_shortest=0)
    side = side_of(ModelConfig(speculation=speculation), DRAFT)
    bench = Bench(qtbot, place, side, UserMode.USER)
    problem = bench.dialog.findChild(QLabel, "variant_problem")
    assert isinstance(problem, QLabel)

    assert problem.isVisible()
    assert "The ratio limit must be above 0." in problem.text()
    assert "The lookup sizes" in problem.text()
    assert not bench.ok.isEnabled()


def test_a_draft_from_elsewhere_is_asked_for(qtbot: QtBot, place: ComparePlace) -> None:
    bench = Bench(qtbot, place, UNDRAFTED)
    with qtbot.waitSignal(bench.dialog.find_draft_requested) as told:
        bench.press("find_draft_button")

    assert told.args == [TARGET]
    assert not bench.dialog.isVisible()


def test_it_is_as_high_as_its_form(qtbot: QtBot, place: ComparePlace) -> None:
    bench = Bench(qtbot, place, DRAFTED)
    content = bench.dialog.findChild(QWidget, "scroll_content")
    assert isinstance(content, QWidget)
    drafted = bench.dialog.height()
    bench.choose(SpeculationMode.OFF)
    assert bench.dialog.height() < drafted

    bench.choose(SpeculationMode.DRAFT_MODEL)

    assert bench.dialog.height() == drafted
    bench.pick_length(DraftLength.AUTOMATIC)
    automatic = bench.dialog.height()
    assert automatic != drafted
    bench.pick_length(DraftLength.FIXED)
    assert bench.dialog.height() == drafted
    bench.pick_length(DraftLength.AUTOMATIC)
    assert bench.dialog.height() == automatic
