"""The real thing: SmolLM2-135M, its quantised file drafting for its F32 copy.

Set-up fetches the file; see packaging/start.py.
"""

from collections.abc import Iterator

import numpy as np
import pytest

from app.commands.demo import full_precision_copy
from app.core.chat import Message, Role
from app.core.options import (
    DraftLength,
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
from app.engine.pair import ModelPair
from app.engine.pair_loader import PairLoader
from app.engine.stopping import StopSignal
from app.engine.vocab import VocabularyCache
from app.paths import demo_model_path

SAMPLINGS = {
    "greedy": SamplingOptions(temperature=0.0),
    "seeded": SamplingOptions(temperature=0.7, seed=1234),
}
QUESTION = Message(Role.USER, "Explain in detail, step by step, how a bill becomes a law.")


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


@pytest.fixture(scope="module")
def plain(pair: ModelPair) -> dict[str, Answer]:
    """The answers without drafting."""
    return {name: Answer(pair, sampling, SpeculationOptions()) for name, sampling in SAMPLINGS.items()}


@pytest.mark.parametrize("mode", [SpeculationMode.DRAFT_MODEL, SpeculationMode.PROMPT_LOOKUP])
@pytest.mark.parametrize("name", SAMPLINGS)
def test_two_hundred_tokens_are_the_same_with_and_without_drafting(
    pair: ModelPair, plain: dict[str, Answer], name: str, mode: SpeculationMode
) -> None:
    drafted = Answer(
        pair,
        SAMPLINGS[name],
        SpeculationOptions(mode=mode, draft_length=DraftLength.FIXED, max_draft_tokens=5),
    )
    assert len(plain[name].tokens) == 200
    assert drafted.tokens == plain[name].tokens
    assert drafted.text == plain[name].text
    assert drafted.stats.rounds < plain[name].stats.rounds
    if mode is SpeculationMode.DRAFT_MODEL:
        assert drafted.stats.acceptance_rate is not None
        assert drafted.stats.acceptance_rate > 0.8, "a quantised copy is nearly always right"


@pytest.mark.parametrize("mode", [SpeculationMode.DRAFT_MODEL, SpeculationMode.PROMPT_LOOKUP])
@pytest.mark.parametrize("name", SAMPLINGS)
def test_they_are_the_same_with_an_automatic_length(
    pair: ModelPair, plain: dict[str, Answer], name: str, mode: SpeculationMode
) -> None:
    speculation = SpeculationOptions(mode)
    assert pair.prepare(speculation, StopSignal()) is not None
    drafted = Answer(pair, SAMPLINGS[name], speculation)
    assert drafted.tokens == plain[name].tokens
    assert drafted.text == plain[name].text
    assert drafted.stats.estimated_speedup is not None, "the passes were timed"


def test_it_talks_sense(plain: dict[str, Answer]) -> None:
    assert "law" in plain["greedy"].text


def test_the_second_turn_reads_only_what_is_new(pair: ModelPair) -> None:
    first = Answer(pair, SAMPLINGS["greedy"], SpeculationOptions())
    conversation = [QUESTION, Message(Role.ASSISTANT, first.text), Message(Role.USER, "Shorter, please.")]
    prompt = pair.prompt_tokens(conversation)
    limits = GenerationLimits(max_tokens=5)
    events = list(pair.generate(prompt, SAMPLINGS["greedy"], SpeculationOptions(), limits, StopSignal()))
    done = events[-1]
    assert isinstance(done, Done)
    assert len(prompt) - done.stats.cached_prompt_tokens < 60
    assert np.array_equal(pair.target.tokens[: len(prompt)], prompt)
