"""The real thing: SmolLM2-135M, its quantised file drafting for its F32 copy.

Set-up fetches the file; see packaging/start.py.
"""

from collections.abc import Iterator

import numpy as np
import pytest

from app.commands.demo import full_precision_copy
from app.core.chat import Message, Role
from app.core.options import (
    GenerationLimits,
    LoadOptions,
    SamplingOptions,
    SpeculationMode,
    SpeculationOptions,
)
from app.core.protocol import Done, Round
from app.core.stats import GenerationStats
from app.engine.llama import Library
from app.engine.memory import detect_features
from app.engine.pair import ModelPair, PairLoader
from app.engine.stopping import StopSignal
from app.engine.vocab import VocabularyCache
from app.paths import demo_model_path

GREEDY = SamplingOptions(temperature=0.0)
SEEDED = SamplingOptions(temperature=0.7, seed=1234)
QUESTION = Message(Role.USER, "Write a Python function that checks whether a word is a palindrome.")


@pytest.fixture(scope="module")
def pair(library: Library) -> Iterator[ModelPair]:
    draft = demo_model_path()
    assert draft.exists(), "python3 packaging/start.py test fetches the model"
    loader = PairLoader(library, VocabularyCache(None), detect_features())
    loaded = loader.load(full_precision_copy(draft), draft, LoadOptions(context_length=2048, longest_draft=8))
    assert loaded.draft is not None
    yield loaded
    loaded.close()


class Answer:
    def __init__(self, pair: ModelPair, sampling: SamplingOptions, speculation: SpeculationOptions) -> None:
        pair.forget()
        self.tokens: list[int] = []
        self.text = ""
        prompt = pair.prompt_tokens([QUESTION])
        limits = GenerationLimits(max_tokens=200)
        for event in pair.generate(prompt, sampling, speculation, limits, StopSignal()):
            self.text += "".join(piece.text for piece in event.pieces)
            if isinstance(event, Round):
                self.tokens += event.tokens
            elif isinstance(event, Done):
                self.stats: GenerationStats = event.stats


@pytest.mark.parametrize("sampling", [GREEDY, SEEDED], ids=["greedy", "seeded"])
def test_two_hundred_tokens_are_the_same_with_and_without_drafting(
    pair: ModelPair, sampling: SamplingOptions
) -> None:
    plain = Answer(pair, sampling, SpeculationOptions())
    assert len(plain.tokens) == 200
    for mode in (SpeculationMode.DRAFT_MODEL, SpeculationMode.PROMPT_LOOKUP):
        drafted = Answer(pair, sampling, SpeculationOptions(mode=mode, max_draft_tokens=5))
        assert drafted.tokens == plain.tokens
        assert drafted.text == plain.text
        assert drafted.stats.rounds < plain.stats.rounds


def test_the_quantised_copy_is_nearly_always_right_about_its_original(pair: ModelPair) -> None:
    options = SpeculationOptions(mode=SpeculationMode.DRAFT_MODEL, max_draft_tokens=5)
    for sampling in (GREEDY, SEEDED):
        assert (Answer(pair, sampling, options).stats.acceptance_rate or 0) > 0.8


def test_it_talks_sense(pair: ModelPair) -> None:
    assert "def " in Answer(pair, GREEDY, SpeculationOptions()).text


def test_the_second_turn_reads_only_what_is_new(pair: ModelPair) -> None:
    first = Answer(pair, GREEDY, SpeculationOptions())
    conversation = [QUESTION, Message(Role.ASSISTANT, first.text), Message(Role.USER, "Shorter, please.")]
    prompt = pair.prompt_tokens(conversation)
    limits = GenerationLimits(max_tokens=5)
    events = list(pair.generate(prompt, GREEDY, SpeculationOptions(), limits, StopSignal()))
    done = events[-1]
    assert isinstance(done, Done)
    assert len(prompt) - done.stats.cached_prompt_tokens < 60
    assert np.array_equal(pair.target.tokens[: len(prompt)], prompt)
