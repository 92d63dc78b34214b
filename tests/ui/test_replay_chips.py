"""The tokens of a round as chips."""

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPoint
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from app.core.options import AcceptanceRule, SpeculationMode, SpeculationOptions
from app.core.replay import judged
from app.core.stats import DraftSource, RoundStats
from app.core.trace import Trace, TracedRound, TracedToken
from app.settings import ThemeChoice
from app.ui.replay_chip import HEIGHT, ChipKind
from app.ui.replay_chips import ReplayChips, checked_chips, proposed_chips
from app.ui.replay_reasons import draft_note, fine_share_text
from app.ui.replay_words import checked_sentence
from app.ui.theme import Theme

MATCH = SpeculationOptions(SpeculationMode.DRAFT_MODEL)
TOP_3 = replace(MATCH, acceptance=AcceptanceRule.TOP_K, top_k_limit=3)
DIFFERENCE = replace(MATCH, acceptance=AcceptanceRule.DIFFERENCE, difference_limit=0.3)
RATIO = replace(MATCH, acceptance=AcceptanceRule.RATIO, ratio_limit=0.5)
REJECTION = replace(MATCH, acceptance=AcceptanceRule.REJECTION)


def token(
    text: str,
    *,
    matches: bool,
    target: float = 0.9,
    rank: int = 0,
    draft: float | None = 0.8,
    drawn: float | None = None,
    greedy: bool = False,
) -> TracedToken:
    return TracedToken(len(text), text, draft, drawn, target, rank, 0.5, matches, greedy)


def round_of(*tested: TracedToken, accepted: int, emitted: int | None = None) -> TracedRound:
    count = len(tested)
    given = accepted + 1 if emitted is None else emitted
    stats = RoundStats(DraftSource.DRAFT_MODEL, count, count, accepted, given, 0.01, 0.02, 0.0)
    return TracedRound(tested, accepted, 99, " own", stats)


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
        "One of 3 is kept. “·own” stands in place of “·b”: the target drew another token."
    )
    whole = round_of(token(" a", matches=True), token(" b", matches=True), accepted=2)
    assert sentence(whole) == "All 2 are kept, and the target adds “·own”, its bonus."
    assert sentence(round_of(accepted=0), first=True).startswith("Reading the prompt")
    assert sentence(round_of(accepted=0)) == "Nothing was drafted: a plain step, one token."


@pytest.mark.parametrize(
    ("rule", "why"),
    [
        (DIFFERENCE, "|p − q| = |0.2 − 0.8| = 0.6, the limit is 0.3"),
        (RATIO, "p / q = 0.2 / 0.8 = 0.25, the limit is 0.5"),
        (replace(TOP_3, top_k_limit=2), "number 3 of the target's likeliest tokens, the limit is 2"),
        (REJECTION, "the random number 0.5 is not below p / q = 0.2 / 1 = 0.2"),
    ],
)
def test_every_rule_gives_its_reason(rule: SpeculationOptions, why: str) -> None:
    assert why in sentence(PARTLY, rule)


@pytest.mark.parametrize("rule", [REJECTION, RATIO, DIFFERENCE])
def test_the_figures_of_a_formula_are_those_that_are_shown(rule: SpeculationOptions) -> None:
    """The draft drew with another probability than its plain one."""
    round_ = round_of(token(" b", matches=False, target=0.034, drawn=0.56), accepted=0)
    chip = checked_chips(round_, judged(round_, MATCH, rule), rule)[0]
    assert (chip.draft, chip.target, chip.names_terms) == (0.56, 0.034, True)
    assert "0.034" in sentence(round_, rule)
    assert "0.56" in sentence(round_, rule)
    assert "The draft drew it with 56\N{NO-BREAK SPACE}%, the target gives it 3.4 %." in chip.tip


def test_where_no_rule_compares_them_they_are_what_the_models_think() -> None:
    for rule in (MATCH, TOP_3):
        chip = checked_chips(PARTLY, judged(PARTLY, MATCH, rule), rule)[0]
        assert (chip.draft, chip.target, chip.names_terms) == (0.8, 0.9, False)


def test_a_lookup_has_no_probabilities_and_counts_as_certain() -> None:
    round_ = round_of(token(" b", matches=False, target=0.2, draft=None), accepted=0)
    chip = checked_chips(round_, judged(round_, MATCH, RATIO), RATIO)[0]
    assert chip.draft == 1.0
    assert chip.tip.endswith("The target gives it 20\N{NO-BREAK SPACE}%. q is taken as\N{NO-BREAK SPACE}1.")
    assert checked_chips(round_, judged(round_, MATCH, MATCH), MATCH)[0].draft is None


def test_why_q_is_one_is_told_once_for_an_answer() -> None:
    looked_up = Trace("lookup", "code", (round_of(token(" b", matches=True, draft=None), accepted=1),))
    drafted = Trace("draft", "code", (PARTLY,))
    drawn = Trace("draft", "code", (round_of(token(" b", matches=True, drawn=0.4), accepted=1),))
    modes = SpeculationMode
    assert draft_note(RATIO, modes.PROMPT_LOOKUP, looked_up).startswith("Prompt lookup has no probabilities")
    assert draft_note(MATCH, modes.PROMPT_LOOKUP, looked_up) == ""
    assert draft_note(REJECTION, modes.DRAFT_MODEL, drafted).startswith("The draft took its likeliest token")
    assert draft_note(RATIO, modes.DRAFT_MODEL, drafted) == ""
    assert draft_note(REJECTION, modes.DRAFT_MODEL, drawn) == ""


def test_figures_have_as_many_digits_as_it_takes_to_see_which_is_larger() -> None:
    near = round_of(token(" b", matches=False, target=0.49994, draft=None), accepted=0)
    assert "0.5 is not below p / q = 0.5 / 1 = 0.4999" in sentence(near, REJECTION)


def test_at_temperature_0_rejection_sampling_names_the_token_in_place() -> None:
    round_ = round_of(token(" b", matches=False, target=0.2, greedy=True), accepted=0)
    told = sentence(round_, REJECTION)
    assert "“·own” stands in place of “·b”: at temperature 0 all of the target's probability" in told
    chip = checked_chips(round_, judged(round_, MATCH, REJECTION), REJECTION)[0]
    assert chip.target == 0.0


def test_a_token_is_not_said_to_stand_in_place_of_itself() -> None:
    round_ = round_of(token(" love", matches=True, rank=4), accepted=1)
    rule = replace(MATCH, acceptance=AcceptanceRule.TOP_K, top_k_limit=1)
    assert sentence(round_, rule) == (
        "“·love” is not kept: it is number 5 of the target's likeliest tokens, the limit is 1. "
        "But the target draws the same token, so it stands there all the same. How the next round would have "
        "gone is not known."
    )
    chips = checked_chips(round_, judged(round_, MATCH, rule), rule)
    assert [chip.words for chip in chips] == ["not kept", "drawn all the same"]


@pytest.mark.parametrize(
    ("share", "words"),
    [
        (0.0, "0\N{NO-BREAK SPACE}%"),
        (0.0001, "<0.1 %"),
        (0.034, "3.4 %"),
        (0.0994, "9.9 %"),
        (0.0996, "10\N{NO-BREAK SPACE}%"),
        (0.999, ">99\N{NO-BREAK SPACE}%"),
    ],
)
def test_small_probabilities_have_a_decimal(share: float, words: str) -> None:
    assert fine_share_text(share) == words


def test_another_verdict_is_said_to_lead_elsewhere() -> None:
    assert "not known" in sentence(PARTLY, TOP_3)
    assert "not known" not in sentence(PARTLY)


def test_a_chip_tells_about_itself(chips: ReplayChips) -> None:
    percent = "\N{NO-BREAK SPACE}%"
    assert chips.tip_at(QPoint(10, 10)) == (
        "“·a” is kept: the target drew the same token. "
        f"The draft gives it 80{percent}, the target 90{percent}."
    )
    assert chips.tip_at(QPoint(590, 10)) == ""
    assert chips.accessibleDescription().splitlines()[1:] == [
        "“·b” is not kept: the target drew another token. "
        f"The draft gives it 80{percent}, the target 20{percent}.",
        "“·own” is recovered: the target's own token in place of the drafted one.",
        "“·c” is dropped: it follows a token that was replaced. "
        f"The draft gives it 80{percent}, the target 90{percent}.",
    ]


def test_narrow_ones_take_more_lines(chips: ReplayChips) -> None:
    assert chips.heightForWidth(600) == HEIGHT
    assert chips.heightForWidth(200) > HEIGHT


def test_kept_tokens_are_in_colour_in_both_themes(chips: ReplayChips, theme: Theme) -> None:
    for choice in (ThemeChoice.DARK, ThemeChoice.LIGHT):
        theme.choose(choice)
        shown = picture(chips)
        found = {shown.pixelColor(52, y).name() for y in range(HEIGHT)}
        assert theme.colours.accent.name() in found
