"""What is learnt of a pair, for the likeliest tokens and for those that are drawn."""

from app.core.learnt import Learnt, LearntSource

GREEDY, DRAWN = LearntSource((1.0,)), LearntSource((2.0,))


def test_each_way_has_its_own() -> None:
    learnt = Learnt().added(GREEDY, draws=False).added(DRAWN, draws=True)
    assert learnt.of(draws=False) == GREEDY
    assert learnt.of(draws=True) == DRAWN


def test_before_one_way_was_used_the_other_is_the_best_guess() -> None:
    assert Learnt(GREEDY).of(draws=True) == GREEDY
    assert Learnt(drawn=DRAWN).of(draws=False) == DRAWN
    assert Learnt().of(draws=True) is None
