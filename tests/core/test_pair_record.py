"""What answers say of a pair."""

import pytest
from msgspec.structs import replace

from app.core.pair_record import AnsweredSpeedup, PairRecord
from app.core.pass_costs import PassCosts


def answered(*speedups: float, model_drafted: bool = True) -> PairRecord:
    record = PairRecord()
    for speedup in speedups:
        record = record.with_answer(AnsweredSpeedup(speedup, 100, 20, model_drafted))
    return record


def test_only_the_latest_answers_are_kept() -> None:
    record = answered(*(1.0 + place / 100 for place in range(30)))
    assert [answer.speedup for answer in record.answers] == [1.0 + place / 100 for place in range(10, 30)]


def test_what_was_answered_without_the_draft_model_is_told_apart() -> None:
    drafted = AnsweredSpeedup(1.5, 100, 20)
    record = answered(1.0, 1.1, model_drafted=False).with_answer(drafted)
    assert record.drafted_answers == (drafted,)


def test_lookups_that_gain_do_not_hide_a_draft_model_that_is_never_used() -> None:
    looked_up = answered(1.4, 1.4, 1.4, 1.4, model_drafted=False)
    assert not looked_up.gains_nothing, "there is none"
    assert replace(looked_up, costs=PassCosts((1, 4), (0.1, 0.2), 0.01, 4)).gains_nothing
    assert not replace(looked_up, costs=PassCosts((1, 4), (0.1, 0.2), None, 4)).gains_nothing


@pytest.mark.parametrize(
    ("speedups", "nothing"),
    [
        ((), False),
        ((1.0, 1.0, 1.0), False),
        ((1.0, 1.0, 0.98, 1.02), True),
        ((1.0, 1.0, 1.4, 1.02), True),
        ((1.0, 1.3, 1.4, 1.0), False),
        ((1.9, 1.9, 1.0, 1.0, 1.0, 1.0), True),
        ((1.0, 1.0, 1.0, 1.0, 1.9, 1.9, 1.9), False),
    ],
)
def test_it_gains_nothing_where_the_latest_answers_did_not(
    speedups: tuple[float, ...], nothing: bool
) -> None:
    assert answered(*speedups).gains_nothing is nothing
