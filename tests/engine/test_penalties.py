"""Repeat, presence and frequency penalties, by hand."""

import numpy as np

from app.core.options import SamplingOptions
from app.engine.penalties import Penalties
from app.engine.tokens import Logits

NOTHING = np.zeros(0, np.int32)


def applied(row: Logits, tokens: list[int], **options: float | int) -> Logits:
    settings = SamplingOptions(**options)  # type: ignore[arg-type]
    return Penalties(settings, np.array(tokens, np.int32)).applied(row)


def test_repeat_divides_what_is_likely_and_multiplies_what_is_not() -> None:
    row = np.array([2.0, -2.0, 3.0], np.float32)
    assert applied(row, [0, 1], repeat_penalty=2.0).tolist() == [1.0, -4.0, 3.0]


def test_frequency_counts_and_presence_does_not() -> None:
    row = np.array([1.0, 1.0, 1.0], np.float32)
    found = applied(row, [0, 0, 1], frequency_penalty=0.25, presence_penalty=0.5)
    assert found.tolist() == [0.0, 0.25, 1.0]


def test_only_the_window_counts() -> None:
    row = np.array([1.0, 1.0], np.float32)
    assert applied(row, [0, 0, 1], frequency_penalty=1.0, penalty_window=1).tolist() == [1.0, 0.0]


def test_tokens_leave_the_window_one_by_one() -> None:
    penalties = Penalties(SamplingOptions(frequency_penalty=1.0, penalty_window=2), NOTHING)
    for token in (0, 0, 1, 1):
        penalties.accept(token)
    assert penalties.applied(np.zeros(2, np.float32)).tolist() == [0.0, -2.0]


def test_a_copy_goes_its_own_way() -> None:
    penalties = Penalties(SamplingOptions(presence_penalty=1.0), NOTHING)
    penalties.copy().accept(1)
    row = np.zeros(2, np.float32)
    assert penalties.applied(row) is row


def test_the_models_own_logits_are_never_written_to() -> None:
    row = np.array([1.0, 2.0], np.float32)
    applied(row, [0, 1], repeat_penalty=3.0)
    assert row.tolist() == [1.0, 2.0]
