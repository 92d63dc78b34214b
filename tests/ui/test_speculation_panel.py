"""Speculative decoding in the sidebar."""

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel, QLineEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.core.options import AcceptanceRule, DraftLength, SpeculationMode, SpeculationOptions
from app.core.protocol import Obstacle, Refusal
from app.settings import UserMode
from app.ui.elided_choice import ElidedChoice
from app.ui.session_state import Running
from app.ui.speculation_panel import SpeculationPanel
from app.ui.theme import Theme
from app.ui.toggle import ToggleSwitch
from tests.fakes.children import child
from tests.fakes.setups import drafted, drafted_setup, loaded, plain

OFF, DRAFT_MODEL, PROMPT_LOOKUP = SpeculationMode
AUTOMATIC, FIXED = DraftLength
NUMBERS = ("draft_ceiling", "max_draft_tokens", "min_draft_tokens", "draft_probability")
REFUSED = Refusal(Obstacle.INCOMPATIBLE, "The draft differs at token 139.")
CANNOT_ROLL_BACK = Refusal(Obstacle.TARGET_CANNOT_ROLL_BACK, "This model cannot take tokens back.")


class Bench:
    """A panel whose wishes are granted, as the session grants them."""

    def __init__(self, panel: SpeculationPanel) -> None:
        self.panel = panel
        self.wishes: list[SpeculationOptions] = []
        self.configured = 0
        panel.adjusted.connect(self._grant)
        panel.configure_requested.connect(self._configure)
        self.switch = child(panel, ToggleSwitch, "speculation_switch")
        self.source = child(panel, ElidedChoice, "draft_source_box")

    def show(self, running: Running) -> None:
        self._running = running
        self.panel.show_running(running)

    def field(self, name: str) -> QLineEdit:
        return child(self.panel, QLineEdit, f"sidebar_{name}_field")

    def seen(self) -> list[str]:
        """The numbers that are shown."""
        return [name for name in NUMBERS if self.field(name).isVisibleTo(self.panel)]

    def type(self, name: str, text: str) -> None:
        field = self.field(name)
        field.selectAll()
        QTest.keyClicks(field, text)

    def choose_length(self, length: DraftLength) -> None:
        chip = child(self.panel, QAbstractButton, f"sidebar_draft_length_choice_{length}")
        QTest.mouseClick(chip, Qt.MouseButton.LeftButton)

    def press(self, name: str) -> None:
        child(self.panel, QPushButton, name).click()

    def choose(self, text: str) -> None:
        """As a person does it: the box shows the choice, and tells."""
        index = self.source.findText(text)
        assert index >= 0
        self.source.setCurrentIndex(index)
        self.source.activated.emit(index)

    def _grant(self, options: SpeculationOptions) -> None:
        self.wishes.append(options)
        setup = self._running.setup
        config = replace(setup.config, speculation=options)
        self.show(replace(self._running, setup=replace(setup, config=config)))

    def _configure(self) -> None:
        self.configured += 1


@pytest.fixture
def bench(theme: Theme, qtbot: QtBot) -> Bench:
    panel = SpeculationPanel(theme)
    qtbot.addWidget(panel)
    return Bench(panel)


def test_it_shows_what_is_in_force(bench: Bench) -> None:
    bench.show(drafted(draft_length=FIXED, max_draft_tokens=7, min_draft_tokens=2, draft_probability=0.75))
    assert bench.switch.isChecked()
    assert bench.source.currentText() == "Qwen2.5-Coder 0.5B Instruct · Q4_K_M"
    assert bench.seen() == ["max_draft_tokens", "min_draft_tokens", "draft_probability"]
    assert [bench.field(name).text() for name in bench.seen()] == ["7", "2", "0.75"]
    assert bench.panel.explanation == ""
    assert bench.wishes == []


def test_an_automatic_length_has_its_ceiling_alone(bench: Bench) -> None:
    bench.show(drafted(draft_ceiling=9))
    assert bench.seen() == ["draft_ceiling"]
    assert bench.field("draft_ceiling").text() == "9"
    assert bench.field("draft_ceiling").accessibleName() == "Max draft tokens"
    bench.type("draft_ceiling", "5")
    assert [wish.longest for wish in bench.wishes] == [5]


def test_the_length_changes_at_once_and_loses_no_number(bench: Bench) -> None:
    bench.show(drafted(draft_ceiling=9, max_draft_tokens=7))
    bench.choose_length(FIXED)
    assert bench.seen() == ["max_draft_tokens", "min_draft_tokens", "draft_probability"]
    bench.choose_length(AUTOMATIC)
    assert [(wish.draft_length, wish.longest) for wish in bench.wishes] == [(FIXED, 7), (AUTOMATIC, 9)]
    assert bench.wishes[1].max_draft_tokens == 7


@pytest.mark.parametrize("text", ["0", "x"])
def test_a_number_that_cannot_be_used_does_not_keep_from_changing_the_length(bench: Bench, text: str) -> None:
    bench.show(drafted(draft_length=FIXED, max_draft_tokens=7))
    bench.type("max_draft_tokens", text)
    bench.choose_length(AUTOMATIC)
    assert [(wish.draft_length, wish.max_draft_tokens) for wish in bench.wishes if wish.is_automatic] == [
        (AUTOMATIC, 7)
    ]
    assert child(bench.panel, QLabel, "speculation_problem").text() == ""


def test_the_length_shown_is_the_one_in_force(bench: Bench) -> None:
    bench.show(drafted(draft_length=FIXED))
    bench.show(drafted())
    assert bench.seen() == ["draft_ceiling"]
    chip = child(bench.panel, QAbstractButton, "sidebar_draft_length_choice_auto")
    assert chip.isChecked()
    assert bench.wishes == []


def test_the_switch_turns_it_off_and_on_again_without_a_reload(bench: Bench) -> None:
    bench.show(drafted(max_draft_tokens=7))
    bench.switch.click()
    assert [wish.mode for wish in bench.wishes] == [OFF]
    assert not bench.switch.isChecked()
    bench.switch.click()
    assert [wish.mode for wish in bench.wishes] == [OFF, DRAFT_MODEL]
    assert bench.switch.isChecked()
    assert all(wish.max_draft_tokens == 7 for wish in bench.wishes)
    assert bench.panel.explanation == ""


def test_the_switch_shows_what_is_in_force_not_what_was_wished(theme: Theme, qtbot: QtBot) -> None:
    panel = SpeculationPanel(theme)  # nobody grants its wishes
    qtbot.addWidget(panel)
    panel.show_running(drafted())
    switch = child(panel, ToggleSwitch, "speculation_switch")
    switch.click()
    assert switch.isChecked()


def test_lookup_is_turned_on_again_where_it_was_on(bench: Bench) -> None:
    bench.show(plain(PROMPT_LOOKUP))
    assert bench.switch.isChecked()
    assert bench.source.currentText() == "Prompt Lookup"
    bench.switch.click()
    bench.switch.click()
    assert [wish.mode for wish in bench.wishes] == [OFF, PROMPT_LOOKUP]


def test_without_a_draft_model_the_switch_explains_what_can_be_done(bench: Bench) -> None:
    bench.show(plain())
    assert bench.source.currentIndex() == -1
    assert bench.panel.explanation == ""
    bench.switch.click()
    assert not bench.switch.isChecked()
    assert bench.wishes == []
    assert bench.panel.explanation == (
        "No draft model is loaded. Choose one in Load settings, or draft by prompt lookup."
    )
    bench.press("choose_draft_button")
    assert bench.configured == 1


def test_prompt_lookup_needs_no_draft_model(bench: Bench) -> None:
    bench.show(plain())
    bench.switch.click()
    bench.press("use_lookup_button")
    assert [wish.mode for wish in bench.wishes] == [PROMPT_LOOKUP]
    assert bench.switch.isChecked()
    assert bench.panel.explanation == ""


def test_a_draft_that_was_refused_is_off_and_says_why(bench: Bench) -> None:
    bench.show(Running(drafted_setup(), loaded(has_draft=False, draft_refusal=REFUSED)))
    assert not bench.switch.isChecked()
    assert bench.panel.explanation == REFUSED.sentence
    assert bench.source.findText("Qwen2.5-Coder 0.5B Instruct · Q4_K_M") == -1
    bench.switch.click()
    assert not bench.switch.isChecked()
    assert bench.panel.explanation == REFUSED.sentence
    bench.press("use_lookup_button")
    assert bench.switch.isChecked()
    assert bench.panel.explanation == ""


def test_a_target_that_cannot_be_drafted_for_has_no_switch(bench: Bench) -> None:
    bench.show(Running(drafted_setup(), loaded(refusal=CANNOT_ROLL_BACK)))
    assert not bench.switch.isChecked()
    assert not bench.switch.isEnabled()
    assert not bench.source.isEnabled()
    assert bench.panel.explanation == CANNOT_ROLL_BACK.sentence
    assert bench.panel.findChild(QPushButton, "use_lookup_button") is None


def test_the_source_changes_while_it_is_on(bench: Bench) -> None:
    bench.show(drafted())
    bench.choose("Prompt Lookup")
    assert [wish.mode for wish in bench.wishes] == [PROMPT_LOOKUP]
    bench.choose("Qwen2.5-Coder 0.5B Instruct · Q4_K_M")
    assert [wish.mode for wish in bench.wishes] == [PROMPT_LOOKUP, DRAFT_MODEL]


def test_a_source_chosen_while_it_is_off_waits_for_the_switch(bench: Bench) -> None:
    bench.show(drafted(mode=OFF))
    bench.choose("Prompt Lookup")
    assert bench.wishes == []
    bench.switch.click()
    assert [wish.mode for wish in bench.wishes] == [PROMPT_LOOKUP]


def test_another_draft_model_is_chosen_in_the_load_settings(bench: Bench) -> None:
    bench.show(drafted())
    bench.choose("Choose in the load settings…")
    assert bench.configured == 1
    assert bench.wishes == []
    assert bench.source.currentText() == "Qwen2.5-Coder 0.5B Instruct · Q4_K_M"


def test_another_model_starts_from_its_own_settings(bench: Bench) -> None:
    bench.show(plain(PROMPT_LOOKUP))
    bench.switch.click()
    bench.show(drafted(mode=OFF))
    assert bench.source.currentText() == "Qwen2.5-Coder 0.5B Instruct · Q4_K_M"
    bench.switch.click()
    assert bench.wishes[-1].mode is DRAFT_MODEL


def test_figures_apply_as_they_are_typed(bench: Bench, qtbot: QtBot) -> None:
    bench.show(drafted(draft_length=FIXED))
    field = bench.field("max_draft_tokens")
    field.selectAll()
    qtbot.keyClicks(field, "12")
    assert bench.wishes[-1].max_draft_tokens == 12
    probability = bench.field("draft_probability")
    probability.selectAll()
    qtbot.keyClicks(probability, "0.")
    assert probability.text() == "0."  # not spelt anew while it is being typed
    qtbot.keyClicks(probability, "5")
    assert bench.wishes[-1].draft_probability == 0.5


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("max_draft_tokens", "17", "Max draft tokens must be between 1 and 16."),
        ("max_draft_tokens", "x", "Max draft tokens must be a whole number."),
        ("draft_probability", "x", "Draft probability must be a number from 0 to 1."),
        ("min_draft_tokens", "4", "Min draft tokens cannot be more than max draft tokens."),
        ("draft_probability", "2", "The draft probability must be between 0 and 1."),
    ],
)
def test_a_figure_that_cannot_be_used_says_why_and_is_not_applied(
    bench: Bench, qtbot: QtBot, name: str, text: str, sentence: str
) -> None:
    bench.show(drafted(draft_length=FIXED))
    field = bench.field(name)
    field.selectAll()
    qtbot.keyClicks(field, text)
    assert all(wish.problems() == [] for wish in bench.wishes)
    problem = child(bench.panel, QLabel, "speculation_problem")
    assert problem.text() == sentence
    assert field.property("invalid")
    field.selectAll()
    qtbot.keyClicks(field, "1")
    assert problem.text() == ""
    assert not field.property("invalid")


def test_the_probability_is_for_draft_models(bench: Bench) -> None:
    bench.show(drafted(draft_length=FIXED))
    assert "draft_probability" in bench.seen()
    bench.choose("Prompt Lookup")
    assert bench.seen() == ["max_draft_tokens", "min_draft_tokens"]


def test_colouring_is_told_once_and_can_be_shown_quietly(bench: Bench, qtbot: QtBot) -> None:
    bench.show(drafted())
    switch = child(bench.panel, ToggleSwitch, "visualize_switch")
    told: list[bool] = []
    bench.panel.visualize_changed.connect(told.append)
    bench.panel.set_visualize(True)
    assert switch.isChecked()
    assert told == []
    qtbot.mouseClick(switch, Qt.MouseButton.LeftButton)
    assert told == [False]


@pytest.mark.parametrize(
    ("running", "line"),
    [
        (drafted(), "Drafting: on, by Qwen2.5-Coder 0.5B Instruct"),
        (plain(PROMPT_LOOKUP), "Drafting: on, by prompt lookup"),
        (plain(), "Drafting: off"),
        (Running(drafted_setup(), loaded(has_draft=False, draft_refusal=REFUSED)), "Drafting: off"),
    ],
)
def test_in_user_mode_one_line_is_left(bench: Bench, running: Running, line: str) -> None:
    bench.show(running)
    bench.panel.set_mode(UserMode.USER)
    bench.panel.show()
    summary = child(bench.panel, QLabel, "drafting_summary")
    assert summary.isVisible()
    assert bench.panel.summary == line
    assert not bench.switch.isVisible()
    bench.panel.set_mode(UserMode.POWER_USER)
    assert bench.switch.isVisible()
    assert not summary.isVisible()


def test_acceptance_rules_are_for_developers(bench: Bench) -> None:
    bench.show(drafted())
    bench.panel.show()
    box = child(bench.panel, QWidget, "sidebar_acceptance_rule_box")
    assert not box.isVisible()
    bench.panel.set_mode(UserMode.DEVELOPER)
    assert box.isVisible()


def test_a_rule_that_changes_the_output_is_told_to_power_users(bench: Bench) -> None:
    bench.show(drafted(acceptance=AcceptanceRule.RATIO))
    bench.panel.show()
    assert child(bench.panel, QLabel, "sidebar_changes_output_tag").isVisible()
    assert not child(bench.panel, QWidget, "sidebar_acceptance_rule_box").isVisible()
