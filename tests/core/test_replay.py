"""Looking at a recorded answer again."""

import pytest
from msgspec.structs import replace

from app.core.options import AcceptanceRule, SpeculationMode, SpeculationOptions
from app.core.replay import (
    Fate,
    Piece,
    RuleTotal,
    bar_scale,
    ends_of,
    judged,
    passed_s,
    pieces_of,
    same_rule,
    total_of,
)
from app.core.stats import DraftSource, RoundStats
from app.core.trace import Trace, TracedRound, TracedToken
from tests.fakes.experiments import DRAFTED, prompt_experiment, trace_of

MATCH = SpeculationOptions(SpeculationMode.DRAFT_MODEL)
REJECTION = replace(MATCH, acceptance=AcceptanceRule.REJECTION)
TOP_1 = replace(MATCH, acceptance=AcceptanceRule.TOP_K, top_k_limit=1)
TOP_3 = replace(MATCH, acceptance=AcceptanceRule.TOP_K, top_k_limit=3)


def token(
    text: str, *, matches: bool = True, rank: int = 0, target: float = 0.9, greedy: bool = False
) -> TracedToken:
    return TracedToken(
        token=len(text),
        text=text,
        draft_probability=0.8,
        drawn_probability=None,
        target_probability=target,
        target_rank=rank,
        luck=0.5,
        matches=matches,
        target_is_greedy=greedy,
    )


def round_of(
    *tested: TracedToken, accepted: int, next_text: str = " own", emitted: int | None = None
) -> TracedRound:
    count = len(tested)
    times = (0.2, 0.5, 0.1) if count else (0.0, 0.5, 0.1)
    stats = RoundStats(
        DraftSource.DRAFT_MODEL, count, count, accepted, accepted + 1 if emitted is None else emitted, *times
    )
    return TracedRound(tuple(tested), accepted, 7, next_text, stats)


PARTLY = round_of(token(" a"), token(" b", matches=False, rank=2), token(" c"), accepted=1)


def test_as_it_ran_the_first_wrong_token_is_replaced_and_the_rest_dropped() -> None:
    found = judged(PARTLY, MATCH, MATCH)
    assert found.fates == (Fate.KEPT, Fate.REPLACED, Fate.DROPPED)
    assert (found.accepted, found.own_text, found.as_it_ran, found.ended) == (1, " own", True, False)


def test_all_kept_is_followed_by_the_bonus() -> None:
    found = judged(round_of(token(" a"), token(" b"), accepted=2), MATCH, MATCH)
    assert found.fates == (Fate.KEPT, Fate.KEPT)
    assert found.own_text == " own"


def test_a_looser_rule_keeps_more_and_what_follows_is_not_known() -> None:
    found = judged(PARTLY, MATCH, TOP_3)
    assert found.fates == (Fate.KEPT,) * 3
    assert (found.own_text, found.as_it_ran) == (None, False)


def test_a_stricter_rule_puts_the_same_token_there_where_the_target_drew_it() -> None:
    round_ = round_of(token(" a", rank=1), token(" b"), accepted=2)
    found = judged(round_, MATCH, TOP_1)
    assert found.fates == (Fate.REPLACED, Fate.DROPPED)
    assert (found.own_text, found.as_it_ran, found.own_is_drafted) == (" a", False, True)


def test_another_rule_with_the_same_verdict_puts_the_same_token_there() -> None:
    assert judged(PARTLY, MATCH, TOP_1).own_text == " own"


def test_what_rejection_sampling_would_draw_in_place_of_a_token_is_not_known() -> None:
    round_ = round_of(token(" a"), token(" b", matches=False, target=0.1), accepted=1)
    found = judged(round_, MATCH, REJECTION)
    assert found.accepted == 1
    assert found.own_text is None
    assert judged(round_, REJECTION, MATCH).own_text is None
    assert judged(round_, REJECTION, REJECTION).own_text == " own"


def test_what_it_draws_of_a_greedy_target_is_known() -> None:
    """Nothing of the target's distribution is left but its likeliest token."""
    round_ = round_of(token(" a", greedy=True), token(" b", matches=False, greedy=True), accepted=1)
    for recorded, shown in ((MATCH, REJECTION), (REJECTION, MATCH), (REJECTION, REJECTION)):
        found = judged(round_, recorded, shown)
        assert (found.accepted, found.own_text, found.own_is_drafted) == (1, " own", False)
    looser = round_of(token(" a", matches=False, rank=1, greedy=True), token(" b", greedy=True), accepted=2)
    assert judged(looser, TOP_3, REJECTION).own_text is None


def test_a_rule_may_drop_what_the_target_then_draws_itself() -> None:
    round_ = replace(round_of(token(" a", rank=1), accepted=0, next_text=" a"), next_token=len(" a"))
    found = judged(round_, TOP_1, TOP_1)
    assert (found.own_is_drafted, found.as_it_ran) == (True, True)
    assert not judged(PARTLY, MATCH, MATCH).own_is_drafted


def test_after_a_whole_draft_every_rule_draws_the_same_bonus() -> None:
    round_ = round_of(token(" a"), accepted=1)
    assert judged(round_, MATCH, REJECTION).own_text == " own"


def test_where_the_answer_ends_within_a_draft_no_rule_judges_what_is_behind() -> None:
    round_ = round_of(token(" a"), token(" b"), token(" c"), accepted=3, emitted=2)
    for rule in (MATCH, TOP_3):
        found = judged(round_, MATCH, rule)
        assert found.fates == (Fate.KEPT, Fate.KEPT, Fate.BEYOND)
        assert (found.ended, found.own_text) == (True, None)


def test_where_the_targets_own_token_ends_the_answer_it_is_no_part_of_it() -> None:
    round_ = round_of(token(" a"), accepted=1, next_text="<|end|>", emitted=1)
    found = judged(round_, MATCH, MATCH)
    assert (found.fates, found.ended) == ((Fate.KEPT,), True)
    assert pieces_of(round_) == (Piece(" a", from_draft=True),)


def test_the_text_of_a_round() -> None:
    assert pieces_of(PARTLY) == (Piece(" a", from_draft=True), Piece(" own", from_draft=False))


def test_the_pieces_of_all_rounds_are_the_answer() -> None:
    run = prompt_experiment((8.0,), (16.0,)).runs_of("draft", "code-quicksort")[0]
    pieces = [piece for round_ in trace_of().rounds for piece in pieces_of(round_)]
    assert "".join(piece.text for piece in pieces) == run.text
    assert sum(piece.from_draft for piece in pieces) == run.stats.accepted


def test_the_rule_that_it_ran_with_keeps_what_was_accepted() -> None:
    run = prompt_experiment((8.0,), (16.0,)).runs_of("draft", "code-quicksort")[0]
    total = total_of(trace_of(), DRAFTED.speculation, DRAFTED.speculation)
    assert total == RuleTotal(run.stats.tested, run.stats.accepted)
    assert total.rate == pytest.approx(run.stats.acceptance_rate)


def test_another_rule_keeps_more_of_the_same_rounds() -> None:
    trace = Trace("draft", "code", (round_of(accepted=0), PARTLY, round_of(token(" a"), accepted=1)))
    assert total_of(trace, MATCH, MATCH) == RuleTotal(tested=4, accepted=2)
    assert total_of(trace, MATCH, TOP_3) == RuleTotal(tested=4, accepted=4)


def test_nothing_tested_has_no_rate() -> None:
    assert total_of(Trace("off", "code", (round_of(accepted=0),)), MATCH, MATCH).rate is None


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (MATCH, replace(MATCH, max_draft_tokens=7), True),
        (MATCH, REJECTION, False),
        (TOP_1, TOP_3, False),
        (MATCH, replace(MATCH, top_k_limit=9), True),  # it has no limit
        (
            replace(MATCH, acceptance=AcceptanceRule.RATIO),
            replace(MATCH, acceptance=AcceptanceRule.RATIO, ratio_limit=0.5),
            False,
        ),
    ],
)
def test_rules_are_the_same_where_they_keep_the_same(
    one: SpeculationOptions, other: SpeculationOptions, same: bool
) -> None:
    assert same_rule(one, other) is same


def test_rounds_end_one_after_the_other() -> None:
    trace = Trace("draft", "code", (round_of(accepted=0), PARTLY))
    assert PARTLY.stats.total_s == pytest.approx(0.8)
    assert ends_of(trace) == pytest.approx((0.6, 1.4))


def test_a_round_that_is_only_drafted_is_not_over_yet() -> None:
    trace = Trace("draft", "code", (round_of(accepted=0), PARTLY))
    ends = ends_of(trace)
    assert passed_s(ends, PARTLY, 1, is_checked=False) == pytest.approx(0.6 + 0.2)
    assert passed_s(ends, PARTLY, 1, is_checked=True) == pytest.approx(1.4)


def lasting(*seconds: float) -> Trace:
    """A prompt's token, and plain steps that took so long."""
    first = round_of(accepted=0)
    steps = [
        replace(first, stats=replace(first.stats, draft_s=0.0, verify_s=s, sample_s=0.0)) for s in seconds
    ]
    return Trace("draft", "code", (round_of(accepted=0), *steps))


def test_bars_are_as_wide_as_nearly_all_rounds_need() -> None:
    assert bar_scale(lasting(*[1.0] * 18, 40.0), None) == pytest.approx(1.25)
    assert bar_scale(lasting(*[1.0] * 18, 1.1), None) == pytest.approx(1.1)
    assert bar_scale(lasting(1.0, 3.0), None) == pytest.approx(3.0), "of two neither is an outlier"
    assert bar_scale(lasting(1.0, 1.0), step_s=2.0) == pytest.approx(2.0), "the plain step beside is longer"
    assert bar_scale(lasting(), None) == 0.0
