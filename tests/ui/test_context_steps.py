"""The steps of the slider for context lengths."""

from hypothesis import given
from hypothesis import strategies as st

from app.ui.context_steps import UNKNOWN_LIMIT, context_steps, nearest_step


def test_steps_widen_up_to_the_models_own_length() -> None:
    steps = context_steps(32_768)

    assert steps[:7] == (512, 1024, 1536, 2048, 3072, 4096, 6144)
    assert steps[-3:] == (16_384, 24_576, 32_768)


def test_a_length_between_two_steps_is_the_last_one() -> None:
    assert context_steps(40_960)[-2:] == (32_768, 40_960)


def test_a_small_model_has_small_steps() -> None:
    assert context_steps(512) == (64, 128, 256, 512)


def test_an_unknown_limit_is_a_common_one() -> None:
    assert context_steps(None)[-1] == UNKNOWN_LIMIT


def test_the_nearest_step_is_shown_for_any_length() -> None:
    steps = context_steps(8192)

    assert steps[nearest_step(steps, 4000)] == 4096
    assert steps[nearest_step(steps, 1)] == 512
    assert steps[nearest_step(steps, 100_000)] == 8192
    assert steps[nearest_step(steps, 0)] == 8192, "0 takes the model's own"


@given(st.integers(1, 3_000_000))
def test_steps_rise_and_end_at_the_limit(limit: int) -> None:
    steps = context_steps(limit)

    assert list(steps) == sorted(set(steps))
    assert steps[-1] == limit
    assert all(nearest_step(steps, step) == position for position, step in enumerate(steps))
