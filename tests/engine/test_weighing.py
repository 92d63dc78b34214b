"""The place where two answers part."""

import numpy as np
import pytest

from app.core.errors import PromptTooLongError
from app.core.options import SamplingOptions
from app.core.weighing import Weighing
from app.engine.sampling import Sampler
from app.engine.weighing import text_length, weigh
from tests.fakes.toy_model import END, ToyModel, ToyTable

PROMPT = np.array([5, 7, 2], np.int32)
TABLE = ToyTable(12)
LLAMA = "🦙".encode()


class Bytes(ToyTable):
    """Tokens that stand for single bytes of a llama, and for an é."""

    def piece(self, token: int) -> bytes:
        return "é".encode() if token == 9 else LLAMA[token : token + 1]


class ManyEnds(ToyTable):
    """Several tokens end an answer."""

    @property
    def end_tokens(self) -> tuple[int, ...]:
        return (END, 4, 6)


def sampler(**options: float) -> Sampler:
    return Sampler(TABLE, SamplingOptions(**{"temperature": 0.0, **options}), PROMPT)  # type: ignore[arg-type]


def test_candidates_are_weighed_after_prompt_and_answer() -> None:
    target = ToyModel(seed=4)
    row = target.logits_after([5, 7, 2, 3, 8])
    found = weigh(target, TABLE, sampler(), PROMPT, (3, 8), (1, 11))

    assert found == Weighing(
        (float(row[1]), float(row[11])), ("a", "k"), 2, abs(float(row[1]) - float(row[11]))
    )


def test_the_draw_is_that_of_the_place() -> None:
    target, at_the_place = ToyModel(seed=4), sampler(temperature=0.8, seed=3, presence_penalty=2.0)
    for token in (3, 8):
        at_the_place.accept(token)
    expected = at_the_place.margin(target.logits_after([5, 7, 2, 3, 8]), 3, 11)
    at_the_place.close()
    begun = sampler(temperature=0.8, seed=3, presence_penalty=2.0)
    found = weigh(target, TABLE, begun, PROMPT, (3, 8), (3, 11))
    begun.close()

    assert expected is not None
    assert found.margin == pytest.approx(expected)


def test_answers_may_part_at_their_first_token() -> None:
    target = ToyModel(seed=4)
    row = target.logits_after([5, 7, 2])

    assert weigh(target, TABLE, sampler(), PROMPT, (), (1,)) == Weighing((row[1],), ("a",), 0, None)


def test_an_end_is_weighed_as_the_token_that_ends_it_first() -> None:
    target = ToyModel(seed=4)
    row = target.logits_after([5, 7, 2, 3])
    ends = [END, 4, 6]
    best = max(ends, key=lambda token: float(row[token]))
    found = weigh(target, ManyEnds(12), sampler(), PROMPT, (3,), (1, None))

    assert found.logits == (row[1], row[best])
    assert found.margin == pytest.approx(abs(row[1] - row[best]))


def test_a_text_longer_than_the_context_is_refused() -> None:
    target = ToyModel(seed=4, context_length=8)
    with pytest.raises(PromptTooLongError, match="9 tokens"):
        weigh(target, TABLE, sampler(), PROMPT, (1,) * 6, (1,))
    assert target.passes == []


def test_only_whole_characters_count() -> None:
    table = Bytes(12)

    assert text_length(table, (9, 0, 1, 2)) == 1
    assert text_length(table, (9, 0, 1, 2, 3)) == 2
    assert text_length(table, (9, 0, 9)) == 3, "what can become no character is one sign in the text"
    assert text_length(table, ()) == 0
