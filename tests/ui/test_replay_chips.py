"""The tokens of a round as chips."""

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPoint
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from app.core.options import AcceptanceRule, SpeculationMode, SpeculationOptions
from app.core.replay import judged
from app.core.stats import DraftSource, RoundStats
from app.core.trace import TracedRound, TracedToken
from app.settings import ThemeChoice
from app.ui.replay_chip import HEIGHT, ChipKind
from app.ui.replay_chips import ReplayChips, checked_chips, proposed_chips
from app.ui.replay_words import checked_sentence, token_sign
from app.ui.theme import Theme

MATCH = SpeculationOptions(SpeculationMode.DRAFT_MODEL)
TOP_3 = replace(MATCH, acceptance=AcceptanceRule.TOP_K, top_k_limit=3)
DIFFERENCE = replace(MATCH, acceptance=AcceptanceRule.DIFFERENCE, difference_limit=0.3)
RATIO = replace(MATCH, acceptance=AcceptanceRule.RATIO, ratio_limit=0.5)
REJECTION = replace(MATCH, acceptance=AcceptanceRule.REJECTION)


def token(text: str, *, matches: bool, target: float = 0.9, rank: int = 0) -> TracedToken:
    return TracedToken(1, text, 0.8, None, target, rank, 0.5, matches)


def round_of(*proposed: TracedToken, accepted: int, emitted: int | None = None) -> TracedRound:
    count = len(proposed)
    given = accepted + 1 if emitted is None else emitted
    stats = RoundStats(DraftSource.DRAFT_MODEL, count, count, accepted, given, 0.01, 0.02, 0.0)
    return TracedRound(proposed, accepted, 2, " own", stats)


PARTLY = round_of(
    token(" a", matches=True),
    token(" b", matches=False, target=0.2, rank=2),
    token(" c", matches=True),
    accepted=1,
)


def kinds(round_: TracedRound, rule: SpeculationOptions = MATCH) -> list[ChipKind]:
    return [chip.kind for chip in checked_chips(round_, judged(round_, MATCH, rule), rule)]


def sentence(round_: TracedRound, rule: SpeculationOptions = MATCH, *, first: bool = False) -> str:
    return checked_sentence(round_, judged(round_, MATCH, rule), rule, first)


@pytest.fixture
def chips(theme: Theme, qtbot: QtBot) -> ReplayChips:
    made = ReplayChips(theme)
    qtbot.addWidget(made)
    made.resize(600, HEIGHT)
    made.make_room_for([PARTLY])
    made.show_chips(checked_chips(PARTLY, judged(PARTLY, MATCH, MATCH), MATCH))
    return made


def picture(chips: ReplayChips) -> QImage:
    return chips.grab().toImage()


def test_before_the_check_only_the_drafts_probabilities_are_known() -> None:
    shown = proposed_chips(PARTLY)
    assert [chip.kind for chip in shown] == [ChipKind.PROPOSED] * 3
    assert {chip.draft for chip in shown} == {0.8}
    assert {chip.target for chip in shown} == {None}


def test_the_targets_token_stands_beside_the_one_that_it_replaces() -> None:
    assert kinds(PARTLY) == [ChipKind.KEPT, ChipKind.REPLACED, ChipKind.OWN, ChipKind.DROPPED]


def test_a_looser_rule_keeps_all_and_what_follows_is_not_known() -> None:
    assert kinds(PARTLY, TOP_3) == [ChipKind.KEPT] * 3 + [ChipKind.UNKNOWN]


def test_the_end_of_the_answer_is_shown() -> None:
    ended = round_of(token(" a", matches=True), token(" b", matches=True), accepted=2, emitted=1)
    assert kinds(ended) == [ChipKind.KEPT, ChipKind.END, ChipKind.BEYOND]
    assert sentence(ended) == "The answer ends here."


def test_sentences_tell_what_happened_and_why() -> None:
    assert sentence(PARTLY) == (
        "1 of 3 are kept. “·own” stands in place of “·b”: the target drew another token."
    )
    whole = round_of(token(" a", matches=True), token(" b", matches=True), accepted=2)
    assert sentence(whole) == "All 2 are kept, and the target adds “·own”, its bonus."
    assert sentence(round_of(accepted=0), first=True).startswith("Reading the prompt")
    assert sentence(round_of(accepted=0)) == "Nothing was drafted: a plain step, one token."


@pytest.mark.parametrize(
    ("rule", "why"),
    [
        (DIFFERENCE, "|p − q| is 0.60, the limit is 0.3"),
        (RATIO, "p / q is 0.25, the limit is 0.5"),
        (replace(TOP_3, top_k_limit=2), "number 3 of the target's likeliest tokens, the limit is 2"),
        (REJECTION, "the random number 0.50 is not below p / q = 0.20"),
    ],
)
def test_every_rule_gives_its_reason(rule: SpeculationOptions, why: str) -> None:
    assert why in sentence(PARTLY, rule)


def test_another_verdict_is_said_to_lead_elsewhere() -> None:
    assert "not known" in sentence(PARTLY, TOP_3)
    assert "not known" not in sentence(PARTLY)


@pytest.mark.parametrize(
    ("text", "sign"), [(" sort", "·sort"), ("\n\n", "⏎⏎"), ("\tx", "⇥x"), ("", "∅"), ("\x00", "\ufffd")]
)
def test_blanks_can_be_seen(text: str, sign: str) -> None:
    assert token_sign(text) == sign


def test_a_chip_tells_about_itself(chips: ReplayChips) -> None:
    assert (
        chips.tip_at(QPoint(10, 10)) == "“·a”: kept. draft 80 %, target 90 %. the target drew the same token"
    )
    assert chips.tip_at(QPoint(590, 10)) == ""
    assert "“·own”: the target's own token" in chips.accessibleDescription()


def test_narrow_ones_take_more_lines(chips: ReplayChips) -> None:
    assert chips.heightForWidth(600) == HEIGHT
    assert chips.heightForWidth(200) > HEIGHT


def test_kept_tokens_are_in_colour_in_both_themes(chips: ReplayChips, theme: Theme) -> None:
    for choice in (ThemeChoice.DARK, ThemeChoice.LIGHT):
        theme.choose(choice)
        shown = picture(chips)
        found = {shown.pixelColor(46, y).name() for y in range(HEIGHT)}
        assert theme.colours.accent.name() in found
