"""The place where two answers part."""

import numpy as np
import pytest

from app.core.errors import PromptTooLongError
from app.engine.weighing import text_length, weigh
from tests.fakes.toy_model import ToyModel, ToyTable

PROMPT = np.array([5, 7, 2], np.int32)
LLAMA = "🦙".encode()


class Bytes(ToyTable):
    """Tokens that stand for single bytes of a llama, and for an é."""

    def piece(self, token: int) -> bytes:
        return "é".encode() if token == 9 else LLAMA[token : token + 1]


def test_candidates_are_weighed_after_prompt_and_answer() -> None:
    target = ToyModel(seed=4)
    row = target.logits_after([5, 7, 2, 3, 8])
    found = weigh(target, ToyTable(12), PROMPT, (3, 8), (1, 11))

    assert found.logits == (row[1], row[11])
    assert found.text_length == 2


def test_answers_may_part_at_their_first_token() -> None:
    target = ToyModel(seed=4)
    row = target.logits_after([5, 7, 2])

    assert weigh(target, ToyTable(12), PROMPT, (), (1,)).logits == (row[1],)


def test_a_text_longer_than_the_context_is_refused() -> None:
    target = ToyModel(seed=4, context_length=8)
    with pytest.raises(PromptTooLongError, match="9 tokens"):
        weigh(target, ToyTable(12), PROMPT, (1,) * 6, (1,))
    assert target.passes == []


def test_only_whole_characters_count() -> None:
    table = Bytes(12)

    assert text_length(table, (9, 0, 1, 2)) == 1
    assert text_length(table, (9, 0, 1, 2, 3)) == 2
    assert text_length(table, (9, 0, 9)) == 3, "what can become no character is one sign in the text"
    assert text_length(table, ()) == 0
