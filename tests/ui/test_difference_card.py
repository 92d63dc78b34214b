"""Where two answers part, explained."""

import pytest
from msgspec.structs import replace
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from app.core.experiment import Experiment
from app.core.options import AcceptanceRule
from app.core.verdict import Verdict, verdict_of
from app.ui.difference_card import DifferenceCard
from tests.fakes.experiments import DRAFTED, OFF, draft_variant, prompt_experiment

NEAR = prompt_experiment(identical=False)


@pytest.fixture
def card(qtbot: QtBot) -> DifferenceCard:
    made = DifferenceCard()
    qtbot.addWidget(made)
    return made


def judged(experiment: Experiment) -> Verdict:
    verdict = verdict_of(experiment)
    assert verdict is not None
    return verdict


def told(card: DifferenceCard, verdict: Verdict) -> str:
    card.show_verdict(verdict, "Off", "Draft Model")
    return card.text


def test_a_near_tie_names_both_candidates_and_their_logits(card: DifferenceCard) -> None:
    text = told(card, judged(NEAR))
    assert text.startswith(
        "The answers part at token 10: Off goes on with “:” (logit 14.21), "
        "Draft Model with “·however” (logit 14.18)."
    )
    assert "A near-tie: the model finds both about equally likely" in text


def test_two_that_chance_brought_together_are_not_called_equally_likely(card: DifferenceCard) -> None:
    verdict = judged(NEAR)
    assert verdict.difference is not None
    drawn = replace(verdict.difference, found_logit=11.0, margin=0.2)
    text = told(card, replace(verdict, difference=drawn))
    assert "A near-tie: in the draw that was made here both came out about level" in text


def test_an_end_has_a_logit_too(card: DifferenceCard) -> None:
    verdict = judged(NEAR)
    assert verdict.difference is not None
    ended = replace(verdict.difference, expected=None, expected_text=None)
    assert "Off goes on with its end (logit 14.21), Draft Model" in told(
        card, replace(verdict, difference=ended)
    )


def test_what_is_no_near_tie_is_not_explained_away(card: DifferenceCard) -> None:
    text = told(card, judged(prompt_experiment(identical=False, near_tie=False)))
    assert text.endswith("That is no near-tie: rounding alone does not explain it.")


@pytest.mark.parametrize(
    ("rule", "reason"),
    [
        (AcceptanceRule.REJECTION, "another text, just as likely."),
        (AcceptanceRule.TOP_K, "keeps guesses that the model alone would not have chosen."),
    ],
)
def test_rules_that_may_say_something_else_are_the_reason(
    card: DifferenceCard, rule: AcceptanceRule, reason: str
) -> None:
    drafted = draft_variant(rule=rule)
    assert told(card, judged(prompt_experiment(variants=(OFF, drafted), identical=False))).endswith(reason)


def test_an_answer_that_had_ended_and_unknown_logits(card: DifferenceCard) -> None:
    verdict = judged(NEAR)
    assert verdict.difference is not None
    ended = replace(
        verdict.difference,
        expected=None,
        expected_text=None,
        expected_logit=None,
        found_logit=None,
        near_tie=None,
    )
    text = told(card, replace(verdict, difference=ended))
    assert "Off goes on with its end, Draft Model with “·however”." in text
    assert text.endswith("How near the two tokens were to each other is not known.")


def test_sides_keep_their_names_where_drafting_is_left(card: DifferenceCard) -> None:
    verdict = judged(prompt_experiment(variants=(DRAFTED, OFF), identical=False))
    card.show_verdict(verdict, "Draft Model", "Off")
    assert "Off goes on with “·however” (logit 14.21), Draft Model with “:” (logit 14.18)." in card.text


def test_line_ends_are_shown_as_pictures(card: DifferenceCard) -> None:
    verdict = judged(NEAR)
    assert verdict.difference is not None
    texts = replace(verdict.difference, expected_text="\n", found_text="\t\x07" + "x" * 50)
    assert "“⏎” (logit 14.21), Draft Model with “⇥�xxxxxxxxxxxxxxxxxxxxx…”" in told(
        card, replace(verdict, difference=texts)
    )


def test_identical_answers_have_no_card(card: DifferenceCard) -> None:
    assert told(card, judged(prompt_experiment())) == ""
    card.show_verdict(None, "", "")
    assert card.isHidden()


def test_logits_are_for_who_wants_them(card: DifferenceCard) -> None:
    card.set_logits(False)
    assert "logit" not in told(card, judged(NEAR))
    card.set_logits(True)
    assert "logit 14.21" in card.text


def test_its_button_leads_to_the_marks(card: DifferenceCard, qtbot: QtBot) -> None:
    told(card, judged(NEAR))
    card.show()
    found = card.findChild(QPushButton, "show_difference_button")
    assert isinstance(found, QPushButton)
    with qtbot.waitSignal(card.shown_requested):
        found.click()
    verdict = judged(NEAR)
    assert verdict.difference is not None
    unknown = replace(verdict, difference=replace(verdict.difference, text_position=None))
    told(card, unknown)
    assert not found.isVisible()
