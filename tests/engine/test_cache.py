"""The bookkeeping of a cache, on a toy memory that fails loudly when it is out of step."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.cache import common_prefix
from app.engine.stopping import InterruptedPassError, StopSignal
from app.engine.tokens import Tokens
from tests.fakes.toy_model import ToyModel

TEXTS = st.lists(st.integers(1, 3), min_size=1, max_size=30)


def tokens_of(*values: int) -> Tokens:
    return np.array(values, np.int32)


def test_sync_reads_only_what_is_missing() -> None:
    model = ToyModel(seed=1, batch_size=8)
    model.sync(tokens_of(1, 2, 3, 4))
    model.sync(tokens_of(1, 2, 3, 4, 5, 6))
    assert model.passes == [4, 2]


def test_sync_reads_long_texts_in_chunks_and_reports_each() -> None:
    model = ToyModel(seed=1, batch_size=4)
    reports: list[tuple[int, int]] = []
    model.sync(tokens_of(*range(1, 11)), lambda done, of: reports.append((done, of)))
    assert model.passes == [4, 4, 2]
    assert reports == [(4, 10), (8, 10), (10, 10)]


def test_what_is_kept_counts_as_read() -> None:
    model = ToyModel(seed=1, batch_size=4)
    model.sync(tokens_of(*range(1, 8)))
    reports: list[tuple[int, int]] = []
    model.sync(tokens_of(*range(1, 8), 1, 2, 3, 4, 5), lambda done, of: reports.append((done, of)))
    assert reports == [(11, 12), (12, 12)]


def test_sync_to_the_same_tokens_reads_the_last_one_again_for_its_logits() -> None:
    model = ToyModel(seed=1)
    first = model.sync(tokens_of(1, 2, 3)).copy()
    assert np.array_equal(model.sync(tokens_of(1, 2, 3)), first)
    assert model.passes == [3, 1]


@given(st.lists(TEXTS, min_size=1, max_size=6), st.sampled_from([None, 0, 2]), st.booleans())
def test_whatever_was_held_before_the_cache_holds_what_was_asked_for(
    texts: list[list[int]], rollback_limit: int | None, checkpoint: bool
) -> None:
    model = ToyModel(seed=3, rollback_limit=rollback_limit)
    for text in texts:
        row = model.sync(tokens_of(*text), checkpoint=checkpoint)
        assert model.tokens.tolist() == text
        assert np.array_equal(row, model.logits_after(text))


def test_a_rollback_out_of_reach_restores_the_latest_checkpoint_within() -> None:
    model = ToyModel(seed=1, rollback_limit=2, batch_size=16)
    prompt = list(range(1, 9))
    model.sync(tokens_of(*prompt), checkpoint=True)
    model.forward(tokens_of(1, 2, 3, 4, 5))
    model.passes.clear()
    model.sync(tokens_of(*prompt))  # regenerate: nine tokens back
    assert model.passes == [1], "only the prompt's last token is read again"
    assert model.failed_truncations == 1


def test_a_rollback_out_of_reach_without_a_checkpoint_reads_everything_again() -> None:
    model = ToyModel(seed=1, rollback_limit=2, batch_size=16)
    model.sync(tokens_of(*range(1, 9)))
    model.passes.clear()
    model.sync(tokens_of(1, 2, 3))
    assert model.passes == [3]
    assert model.failed_truncations == 1


def test_only_one_rollback_between_two_passes_is_within_reach() -> None:
    model = ToyModel(seed=1, rollback_limit=4, batch_size=16)
    model.sync(tokens_of(1, 2, 3, 4, 5, 6))
    model.truncate(5)
    model.truncate(4)
    assert model.length == 0
    assert model.failed_truncations == 1


def test_a_stopped_sync_keeps_what_was_read() -> None:
    model = ToyModel(seed=1, batch_size=4)
    model.attach(StopSignal())
    model.passes_until_stop = 2
    with pytest.raises(InterruptedPassError):
        model.sync(tokens_of(*range(1, 12)))
    assert model.tokens.tolist() == list(range(1, 9))


@given(TEXTS, TEXTS)
def test_common_prefix_is_the_longest_shared_beginning(left: list[int], right: list[int]) -> None:
    length = common_prefix(tokens_of(*left), tokens_of(*right))
    assert left[:length] == right[:length]
    assert left[length : length + 1] != right[length : length + 1] or length == len(left) == len(right)
