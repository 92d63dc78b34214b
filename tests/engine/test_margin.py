"""How near draws were: what rounding can turn is told from what it cannot, at any temperature."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from app.core.experiment import NEAR_TIE
from app.core.options import SamplingOptions
from app.engine.llama import Library
from app.engine.noise import Noise, Purpose
from app.engine.sampling import Sampler
from app.engine.tokens import Logits
from tests.fakes.real_models import opened
from tests.fakes.tiny_gguf import write_llama
from tests.fakes.toy_model import ToyTable

NOTHING = np.zeros(0, np.int32)
SIZE = 300
PLACES = 1500
ROUNDING = 0.15  # standard deviation of what a pass adds to each logit
OPEN = SamplingOptions(temperature=0.8, top_k=0, top_p=1.0, min_p=0.0, seed=11)
USUAL = SamplingOptions(seed=11)  # the defaults
GREEDY = SamplingOptions(temperature=0.0)
IDS = np.arange(4, dtype=np.int32)


def sampler_of(options: SamplingOptions, size: int = SIZE) -> Sampler:
    return Sampler(ToyTable(size), options, NOTHING)


def places(spread: float) -> Iterator[tuple[Logits, Logits]]:
    """The logits of the same places in two passes that round differently."""
    random = np.random.default_rng(5)
    for _ in range(PLACES):
        row = random.normal(0.0, spread, SIZE)
        yield tuple((row + random.normal(0.0, ROUNDING, SIZE)).astype(np.float32) for _ in range(2))  # type: ignore[misc]


@pytest.mark.parametrize(
    ("options", "spread"),
    [
        (GREEDY, 0.5),  # near-ties are rare where one token is far ahead of all others
        (replace(OPEN, temperature=0.3), 2.5),
        (OPEN, 2.5),
        (replace(OPEN, temperature=2.0), 2.5),
        (USUAL, 2.5),
        (replace(USUAL, top_p=0.8), 4.0),
        (replace(USUAL, top_k=8, top_p=1.0), 2.5),
        (replace(USUAL, top_k=0, top_p=1.0, min_p=0.1), 2.5),
        (replace(USUAL, frequency_penalty=0.5, repeat_penalty=1.2), 2.5),
    ],
)
def test_what_rounding_turned_is_a_near_tie(options: SamplingOptions, spread: float) -> None:
    sampler = sampler_of(options)
    margins = []
    for one, other in places(spread):
        tokens = sampler.choose(one), sampler.choose(other)
        if tokens[0] != tokens[1]:
            margins.append(sampler.margin(one, *tokens))
        sampler.accept(tokens[0])
    sampler.close()

    assert len(margins) > 60
    near = sum(margin is not None and margin <= NEAR_TIE for margin in margins)
    assert near / len(margins) > 0.95


@pytest.mark.parametrize(("options", "excused"), [(OPEN, 0.02), (USUAL, 0.25)])
def test_another_token_is_seldom_one(options: SamplingOptions, excused: float) -> None:
    sampler, random = sampler_of(options), np.random.default_rng(6)
    near = 0
    for row, _ in places(2.5):
        token = sampler.choose(row)
        others = [each for each in sampler.distribution(row).ids.tolist() if each != token] or [token]
        other = int(random.choice(others))
        margin = sampler.margin(row, token, other)
        near += margin is not None and margin <= NEAR_TIE
        sampler.accept(token)
    sampler.close()

    assert near / PLACES < excused


def test_greedy_margins_are_the_gap_of_the_logits_behind_the_penalties() -> None:
    sampler = sampler_of(replace(GREEDY, presence_penalty=0.75), size=4)
    row = np.array([5.0, 4.5, 1.0, 0.0], np.float32)
    assert sampler.margin(row, 0, 1) == pytest.approx(0.5)
    assert sampler.margin(row, 1, 0) == pytest.approx(0.5)
    sampler.accept(0)

    assert sampler.margin(row, 0, 1) == pytest.approx(0.25), "the likeliest is another one by now"


def test_above_zero_the_noise_of_the_place_decides() -> None:
    sampler = sampler_of(OPEN, size=4)
    sampler.accept(3)
    row = np.array([3.0, 1.0, 0.0, 0.0], np.float32)
    noise = Noise(OPEN.seed).gumbel(Purpose.CHOICE, 1, np.array([0, 1], np.int32))
    scores = np.array([3.0, 1.0]) + OPEN.temperature * noise

    assert sampler.margin(row, 0, 1) == pytest.approx(abs(scores[0] - scores[1]))
    sampler.close()


@pytest.mark.parametrize(
    ("options", "row", "filtered", "outside"),
    [
        (replace(OPEN, top_k=2), [3.0, 2.0, 1.5, -9.0], 2, 0.5),
        (replace(OPEN, min_p=0.5), [3.0, 2.9, 2.0, -9.0], 2, 1.0 - np.log(2.0)),
        (replace(OPEN, top_p=0.5), [3.0, 2.9, 2.7, -9.0], 2, 0.2),  # behind the last that passes
        (replace(OPEN, top_p=0.9), [5.0, 2.5, 1.0, -9.0], 1, 0.101),  # 0.909 is before it, and 0.9 is enough
    ],
)
def test_a_token_that_was_filtered_out_is_as_far_as_it_is_from_passing(
    options: SamplingOptions, row: list[float], filtered: int, outside: float
) -> None:
    """The noise of this seed favours the token that does not pass: only the filter stands in its way."""
    logits = np.array(row, np.float32)
    scores = (logits + OPEN.temperature * Noise(seed).gumbel(Purpose.CHOICE, 0, IDS) for seed in range(100))
    seed = next(seed for seed, each in enumerate(scores) if each.argmax() == filtered)
    sampler = sampler_of(replace(options, seed=seed), size=4)
    chosen = sampler.choose(logits)

    assert chosen != filtered
    margin = sampler.margin(logits, chosen, filtered)
    sampler.close()
    assert margin == pytest.approx(outside, abs=1e-3)


def test_what_a_grammar_forbids_has_no_margin(library: Library, tmp_path: Path) -> None:
    with opened(library, write_llama(tmp_path / "tiny.gguf")) as cache:
        vocabulary = cache.vocabulary
        a, b, c = (int(vocabulary.tokenize(letter)[-1]) for letter in "abc")
        row = np.zeros(vocabulary.size, np.float32)
        row[[a, b, c]] = 4.0, 4.25, 9.0
        sampler = Sampler(vocabulary, replace(GREEDY, grammar="root ::= [ab]+"), NOTHING)

        assert sampler.margin(row, a, b) == pytest.approx(0.25), "the likeliest of all is out of the question"
        assert sampler.margin(row, a, c) is None
        sampler.close()


def test_of_several_tokens_the_foremost_is_the_one_that_would_be_drawn() -> None:
    sampler, alone = sampler_of(OPEN, size=40), sampler_of(OPEN, size=40)
    random = np.random.default_rng(8)
    found = []
    for _ in range(50):
        row = random.normal(0.0, 1.0, 40).astype(np.float32)
        only = np.full(40, -100.0, np.float32)
        only[[3, 9, 17]] = row[[3, 9, 17]]
        found.append(sampler.foremost(row, (3, 9, 17)))
        assert found[-1] == alone.choose(only)
        for each in (sampler, alone):
            each.accept(5)
    assert set(found) == {3, 9, 17}
    sampler.close()
    alone.close()
