"""Random numbers that belong to a position."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from app.engine.noise import Noise, Purpose

IDS = np.arange(50_000, dtype=np.int32)


def test_the_same_seed_step_and_token_give_the_same_number_whatever_else_is_asked() -> None:
    noise = Noise(7)
    all_ids = noise.gumbel(Purpose.CHOICE, 3, IDS)
    some = noise.gumbel(Purpose.CHOICE, 3, IDS[100:200])
    assert np.array_equal(all_ids[100:200], some)


def test_seed_step_and_purpose_each_change_the_numbers() -> None:
    reference = Noise(7).gumbel(Purpose.CHOICE, 3, IDS)
    for other in (
        Noise(8).gumbel(Purpose.CHOICE, 3, IDS),
        Noise(7).gumbel(Purpose.CHOICE, 4, IDS),
        Noise(7).gumbel(Purpose.DRAFT, 3, IDS),
    ):
        assert abs(np.corrcoef(reference, other)[0, 1]) < 0.02


def test_uniform_numbers_fill_the_unit_interval_evenly() -> None:
    drawn = np.array([Noise(1).uniform(Purpose.ACCEPTANCE, step) for step in range(20_000)])
    counts, _ = np.histogram(drawn, bins=20, range=(0.0, 1.0))
    assert ((counts - 1000) ** 2 / 1000).sum() < 50  # chi-square, 19 degrees of freedom: p < 0.0002


def test_gumbel_numbers_have_the_mean_and_variance_of_the_distribution() -> None:
    drawn = Noise(1).gumbel(Purpose.CHOICE, 0, IDS)
    assert abs(drawn.mean() - 0.5772) < 0.03
    assert abs(drawn.var() - np.pi**2 / 6) < 0.06


@given(st.integers(0, 2**32 - 1), st.integers(0, 100_000))
def test_no_number_is_ever_infinite(seed: int, step: int) -> None:
    noise = Noise(seed)
    assert 0.0 < noise.uniform(Purpose.RESIDUAL, step) < 1.0
    assert np.isfinite(noise.gumbel(Purpose.CHOICE, step, IDS[:64])).all()
