"""The result of a comparison, and its buttons."""

import pytest
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from app.core.experiment import Experiment
from app.core.options import AcceptanceRule
from app.core.verdict import verdict_of
from app.settings import ThemeChoice
from app.ui.result_card import ResultCard
from app.ui.side import Side
from app.ui.theme import Theme
from tests.fakes.experiments import DRAFTED, LOOKUP, OFF, draft_variant, prompt_experiment

FAST = prompt_experiment()
SLOW = prompt_experiment(right=(7.5, 7.4, 7.6, 7.5, 7.3))
ALIKE = prompt_experiment(right=(8.3, 8.0, 8.4, 8.1, 8.2))
SIDES = (Side(OFF), Side(DRAFTED))


class Shown:
    """A card on the screen, and the sides that were to be remembered."""

    def __init__(self, theme: Theme, qtbot: QtBot) -> None:
        self.card = ResultCard(theme)
        self.remembered: list[Side] = []
        self.card.remember_requested.connect(self.remembered.append)
        qtbot.addWidget(self.card)
        self.card.resize(1100, 80)
        self.card.show()

    def show(
        self, experiment: Experiment, sides: tuple[Side, Side] | None = SIDES, *, drafts_now: bool = True
    ) -> None:
        verdict = verdict_of(experiment)
        assert verdict is not None
        self.card.show_verdict(verdict, sides, "Coder 1.5B", drafts_now=drafts_now)

    def buttons(self) -> list[QPushButton]:
        found = [self.card.findChild(QPushButton, f"result_{name}_button") for name in ("first", "second")]
        return [button for button in found if isinstance(button, QPushButton) and button.isVisible()]

    def words(self) -> list[str]:
        """The buttons' words, the primary one's with a star."""
        star = {True: "*", False: ""}
        return [button.text() + star[button.property("kind") == "primary"] for button in self.buttons()]

    def line(self, name: str) -> str:
        found = self.card.findChild(QLabel, name)
        assert isinstance(found, QLabel)
        return found.text() if found.isVisible() else ""

    def frame(self) -> QColor:
        image = self.card.grab().toImage()
        return image.pixelColor(image.width() // 2, 0)


@pytest.fixture
def shown(theme: Theme, qtbot: QtBot) -> Shown:
    return Shown(theme, qtbot)


def test_it_says_the_result_in_one_look(shown: Shown) -> None:
    shown.show(FAST)
    assert shown.line("result_headline") == shown.card.headline == "2.0× as fast"
    assert shown.line("result_interval").endswith("median of 5")
    assert shown.card.sentence == (
        "16.6 against 8.2 tok/s. Output identical, 96 of 96 tokens. 0.5 GB more memory."
    )
    assert "font-weight:600" in shown.line("result_sentence")
    assert shown.card.accessibleDescription().startswith("Drafting makes this prompt 2.02 times as fast")


@pytest.mark.parametrize(
    ("experiment", "drafts_now", "words"),
    [
        (FAST, True, ["Turn off", "Keep it on*"]),
        (FAST, False, ["Keep it off", "Turn it on*"]),
        (SLOW, True, ["Turn off*", "Keep it on"]),
        (ALIKE, True, ["Turn off*", "Keep it on"]),
        (ALIKE, False, ["Keep it off*", "Turn it on"]),
        (prompt_experiment(identical=False), True, ["Turn off", "Keep it on*"]),  # a near-tie
    ],
)
def test_the_primary_button_is_the_advice(
    shown: Shown, experiment: Experiment, drafts_now: bool, words: list[str]
) -> None:
    shown.show(experiment, drafts_now=drafts_now)
    assert shown.words() == words


@pytest.mark.parametrize(
    "experiment",
    [
        prompt_experiment(identical=False, near_tie=False),
        prompt_experiment(variants=(OFF, draft_variant(rule=AcceptanceRule.RATIO))),
    ],
)
def test_another_text_is_never_recommended(shown: Shown, theme: Theme, experiment: Experiment) -> None:
    shown.show(experiment)
    assert shown.words() == ["Turn off", "Keep it on"]
    assert shown.line("result_advice") == "Faster, but not the same text: your choice."
    assert shown.frame() == theme.colours.warning


def test_of_two_that_draft_left_or_right_is_used(shown: Shown) -> None:
    sides = (Side(DRAFTED), Side(LOOKUP))
    shown.show(prompt_experiment(variants=(DRAFTED, LOOKUP)), sides)
    assert shown.words() == ["Use left", "Use right*"]
    shown.buttons()[1].click()
    shown.buttons()[0].click()
    assert shown.remembered == [sides[1], sides[0]]


def test_keeping_it_on_asks_for_the_drafting_side_wherever_it_is(shown: Shown) -> None:
    shown.show(FAST)
    shown.buttons()[1].click()
    reversed_sides = (Side(DRAFTED), Side(OFF))
    shown.show(prompt_experiment(left=(16.0,), right=(8.0,), variants=(DRAFTED, OFF)), reversed_sides)
    assert shown.words() == ["Turn off", "Keep it on*"]
    shown.buttons()[1].click()
    shown.buttons()[0].click()
    assert [side.variant for side in shown.remembered] == [DRAFTED, DRAFTED, OFF]


def test_one_sees_that_it_was_remembered_and_can_think_again(shown: Shown) -> None:
    shown.show(SLOW)
    shown.buttons()[0].click()
    assert shown.line("result_advice") == "Remembered for Coder 1.5B"
    assert shown.words() == ["Remembered", "Keep it on"]
    assert [button.isEnabled() for button in shown.buttons()] == [False, True]
    shown.buttons()[1].click()
    assert shown.words() == ["Turn off", "Remembered"]
    assert [button.isEnabled() for button in shown.buttons()] == [True, False]
    assert [side.variant for side in shown.remembered] == [OFF, DRAFTED]


def test_a_result_from_elsewhere_cannot_be_put_in_force(shown: Shown) -> None:
    shown.show(FAST, None)
    assert shown.buttons() == []


@pytest.mark.parametrize(("experiment", "role"), [(FAST, "accent"), (SLOW, "warning"), (ALIKE, "line")])
def test_the_frame_tells_good_from_bad_in_both_themes(
    shown: Shown, theme: Theme, experiment: Experiment, role: str
) -> None:
    shown.show(experiment)
    assert shown.frame() == getattr(theme.colours, role)
    theme.choose(ThemeChoice.LIGHT)
    assert shown.frame() == getattr(theme.colours, role)


def test_a_warning_takes_the_colour_of_another_theme(shown: Shown, theme: Theme) -> None:
    shown.show(prompt_experiment(identical=False, near_tie=False))
    dark = shown.line("result_sentence")
    theme.choose(ThemeChoice.LIGHT)
    assert shown.line("result_sentence") != dark
