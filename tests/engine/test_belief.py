"""What is believed of a source, and what is kept of it for the next answer."""

import pytest

from app.core.learnt import LearntSource
from app.engine.belief import Belief


def always_right(rounds: int, confidence: float = 0.4) -> Belief:
    belief = Belief.in_model()
    for _ in range(rounds):
        belief.drafted([confidence] * 3)
        belief.observe([confidence] * 3, 3)
    return belief


def test_a_copy_is_believed_more_than_a_smaller_model() -> None:
    copy, smaller = Belief.in_model(copy=0.8), Belief.in_model(copy=0.2)
    assert copy.probability(0.3) > smaller.probability(0.3) + 0.1


def test_a_lookup_begins_with_what_most_texts_show() -> None:
    belief = Belief.in_lookup()
    assert belief.probability(0.5) < 0.5, "two tokens that agree are a chance likeness more often than not"
    assert belief.probability(0.99) > 0.9


def test_what_drafts_lately_looked_like_is_what_is_typical() -> None:
    belief = Belief.in_model()
    before, _ = belief.typical()
    for _ in range(40):
        belief.drafted([0.01, 0.99])
    first, later = belief.typical()
    assert first.max() < before.min() + 0.2
    assert first == pytest.approx([belief.probability(0.01)] * len(first))
    assert later == pytest.approx(belief.probability(0.99))


def test_what_is_kept_is_the_long_run_and_not_the_end() -> None:
    belief = always_right(100)
    high = Belief.in_model(belief.learnt).probability(0.4)
    for _ in range(8):
        belief.observe([0.4], 0)
    assert belief.probability(0.4) < 0.7
    assert Belief.in_model(belief.learnt).probability(0.4) > high - 0.1


def test_the_next_answer_begins_with_it() -> None:
    learnt = always_right(100).learnt
    assert Belief.in_model(learnt).probability(0.4) > Belief.in_model().probability(0.4) + 0.1


def test_an_answer_without_a_draft_changes_nothing_that_is_kept() -> None:
    learnt = always_right(30).learnt
    again = Belief.in_model(learnt).learnt
    assert again.weights == pytest.approx(learnt.weights)


def test_to_renew_is_to_think_better_of_it_again() -> None:
    belief = Belief.in_model()
    for _ in range(40):
        belief.drafted([0.05])
        belief.observe([0.05], 0)
    low = belief.typical()[0].mean()
    belief.renew()
    assert belief.typical()[0].mean() > low + 0.2


def test_nothing_known_is_a_beginning_as_well() -> None:
    assert Belief.in_model(LearntSource()).learnt.first == Belief.in_model().learnt.first
