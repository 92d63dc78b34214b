"""The result of a comparison, and its buttons."""

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from app.core.experiment import Experiment, Variant
from app.core.options import AcceptanceRule
from app.core.verdict import verdict_of
from app.settings import ThemeChoice
from app.ui.finding_card import FindingCard
from app.ui.offers import Remembering
from app.ui.side import Side
from app.ui.theme import Theme
from app.ui.verdict_finding import verdict_finding
from tests.fakes.experiments import DRAFT, DRAFTED, LOOKUP, OFF, draft_variant, prompt_experiment

FAST = prompt_experiment()
SLOW = prompt_experiment(right=(7.5, 7.4, 7.6, 7.5, 7.3))
ALIKE = prompt_experiment(right=(8.3, 8.0, 8.4, 8.1, 8.2))
SIDES = (Side(OFF), Side(DRAFTED))


class Shown:
    """A card on the screen, and the sides that were to be remembered."""

    def __init__(self, theme: Theme, qtbot: QtBot) -> None:
        self.card = FindingCard(theme, "result")
        self.remembered: list[Side] = []
        self.card.remember_requested.connect(self.remembered.append)
        qtbot.addWidget(self.card)
        self.card.resize(1100, 80)
        self.card.show()

    def show(
        self,
        experiment: Experiment,
        sides: tuple[Side, Side] | None = SIDES,
        *,
        drafts_now: bool = True,
        in_force: Variant | None = None,
    ) -> None:
        """`in_force` is how the model answers now; unless given, that is the judged side or plain."""
        verdict = verdict_of(experiment)
        assert verdict is not None
        can = sides is not None
        now = in_force or (verdict.judged if drafts_now else OFF)
        remembering = Remembering(
            Side if can else lambda _: None, "Coder 1.5B", drafts_now, lambda variant: variant == now
        )
        self.card.show_finding(verdict_finding(verdict, remembering))

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
    ("experiment", "words"),
    [
        (
            prompt_experiment(identical=False, near_tie=False),
            "Faster, but not the same text: your choice.",
        ),
        (
            prompt_experiment(variants=(OFF, draft_variant(rule=AcceptanceRule.RATIO))),
            "The same text here, but this rule may change others.",
        ),
    ],
)
def test_another_text_is_never_recommended(
    shown: Shown, theme: Theme, experiment: Experiment, words: str
) -> None:
    shown.show(experiment)
    assert shown.words() == ["Turn off", "Keep it on"]
    assert shown.line("result_advice") == words
    assert shown.frame() == theme.colours.warning


@pytest.mark.parametrize("rates", [((8.0,), (16.0,)), ((16.0, 16.1), (8.0, 8.1))])
def test_too_few_runs_recommend_nothing(
    shown: Shown, rates: tuple[tuple[float, ...], tuple[float, ...]]
) -> None:
    shown.show(prompt_experiment(*rates))
    assert shown.words() == ["Turn off", "Keep it on"]


def test_of_two_that_draft_left_or_right_is_used(shown: Shown) -> None:
    sides = (Side(DRAFTED), Side(LOOKUP))
    shown.show(prompt_experiment(variants=(DRAFTED, LOOKUP)), sides, in_force=OFF)
    assert shown.words() == ["Use left", "Use right*"]
    shown.buttons()[1].click()
    shown.buttons()[0].click()
    assert shown.remembered == [sides[1], sides[0]]


def test_keeping_it_on_asks_for_the_drafting_side_wherever_it_is(shown: Shown) -> None:
    shown.show(FAST)
    shown.buttons()[1].click()
    reversed_sides = (Side(DRAFTED), Side(OFF))
    shown.show(prompt_experiment(left=(16.0,) * 3, right=(8.0,) * 3, variants=(DRAFTED, OFF)), reversed_sides)
    assert shown.words() == ["Turn off", "Keep it on*"]
    shown.buttons()[1].click()
    shown.buttons()[0].click()
    assert [side.variant for side in shown.remembered] == [DRAFTED, DRAFTED, OFF]


def test_one_sees_that_it_was_remembered_and_can_think_again(shown: Shown) -> None:
    shown.show(SLOW)
    shown.buttons()[0].click()
    assert shown.line("result_advice") == "Remembered for Coder 1.5B"
    assert shown.words() == ["Remembered", "Keep it on"]
    shown.buttons()[1].click()
    assert shown.words() == ["Turn off", "Remembered"]
    assert [side.variant for side in shown.remembered] == [OFF, DRAFTED]


def test_a_second_press_does_nothing_and_undoes_nothing(shown: Shown, qtbot: QtBot) -> None:
    shown.show(SLOW)
    first, second = shown.buttons()
    first.setFocus()
    for _ in range(2):
        qtbot.keyClick(first, Qt.Key.Key_Space)
    assert [side.variant for side in shown.remembered] == [OFF]
    assert first.isEnabled(), "a disabled button hands the focus, and the next press, to its neighbour"
    assert (first.text(), second.text()) == ("Remembered", "Keep it on")


@pytest.mark.parametrize(
    ("measured", "in_force", "words"),
    [
        ((OFF, DRAFTED), DRAFTED, ["Turn off", "Keep it on*"]),
        ((OFF, LOOKUP), DRAFTED, ["Turn off", "Use this instead*"]),
        ((OFF, draft_variant(most=4)), DRAFTED, ["Turn off", "Use this instead*"]),
        ((DRAFTED, LOOKUP), LOOKUP, ["Use left", "Keep right*"]),
        ((DRAFTED, LOOKUP), DRAFTED, ["Keep left", "Use right*"]),
    ],
)
def test_what_is_kept_is_what_is_in_force(
    shown: Shown, measured: tuple[Variant, Variant], in_force: Variant, words: list[str]
) -> None:
    shown.show(prompt_experiment(variants=measured), in_force=in_force)
    assert shown.words() == words


def test_the_same_result_is_shown_again_where_something_may_have_changed(shown: Shown) -> None:
    shown.show(FAST)
    shown.buttons()[0].click()
    assert shown.words() == ["Remembered", "Keep it on"]
    shown.show(FAST)
    assert shown.words() == ["Turn off", "Keep it on*"]
    assert shown.line("result_advice") == ""


def test_what_is_shown_on_the_way_does_not_hide_that_it_was_remembered(shown: Shown) -> None:
    """The page shows the result again as soon as drafting is turned off."""
    shown.show(FAST)
    shown.card.remember_requested.connect(lambda _: shown.show(FAST, drafts_now=False))
    shown.buttons()[0].click()
    assert shown.words() == ["Remembered", "Turn it on"]
    assert shown.line("result_advice") == "Remembered for Coder 1.5B"


def test_words_of_strangers_are_no_marks(shown: Shown) -> None:
    drafts = (replace(DRAFT, name=name, file=name) for name in ("<b>a</b>", "**b**"))
    variants = tuple(draft_variant(draft.name, draft=draft) for draft in drafts)
    shown.show(prompt_experiment(variants=(variants[0], variants[1])), None)
    assert "<b>a</b>" in shown.card.accessibleDescription()
    assert "&lt;b&gt;" not in shown.card.sentence


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
