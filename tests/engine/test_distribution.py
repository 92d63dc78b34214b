"""Drawing from probabilities, and finding the likeliest tokens."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from app.engine.distribution import Distribution, draw, likeliest
from app.engine.noise import Noise, Purpose


def test_draws_follow_the_probabilities() -> None:
    p = np.array([0.6, 0.3, 0.1])
    counts = np.zeros(3)
    for step in range(6000):
        counts[draw(Distribution(np.arange(3, dtype=np.int32), p), Noise(1), Purpose.CHOICE, step)] += 1
    assert ((counts - 6000 * p) ** 2 / (6000 * p)).sum() < 18.4  # chi-square, 2 degrees: p < 0.0001


def test_two_distributions_that_are_nearly_the_same_nearly_always_draw_the_same() -> None:
    ids = np.arange(4, dtype=np.int32)
    p = Distribution(ids, np.array([0.3, 0.3, 0.2, 0.2]))
    q = Distribution(ids, np.array([0.28, 0.31, 0.2, 0.21]))
    noise = Noise(5)
    same = sum(
        draw(p, noise, Purpose.CHOICE, step) == draw(q, noise, Purpose.CHOICE, step) for step in range(2000)
    )
    # They differ by 0.02 in total variation, so the coupling keeps at least (1 - 0.02) / (1 + 0.02).
    assert same > 2000 * 0.94


def test_independent_draws_would_rarely_agree() -> None:
    even = Distribution(np.arange(4, dtype=np.int32), np.full(4, 0.25))
    noise = Noise(5)
    same = sum(
        draw(even, noise, Purpose.CHOICE, step) == draw(even, noise, Purpose.DRAFT, step)
        for step in range(2000)
    )
    assert 400 < same < 600


@given(st.integers(0, 2**32 - 1), st.integers(1, 60))
def test_looking_at_the_likeliest_only_changes_nothing(seed: int, count: int) -> None:
    row = np.random.default_rng(seed).standard_normal(20_011).astype(np.float32)
    best = set(np.argsort(row)[::-1][:count].tolist())
    found = likeliest(row, count)
    assert best <= set(found.tolist())
    assert len(found) < 20 * count + 64
    assert np.array_equal(found, np.sort(found))
