"""Opening models with the engine's own classes, and generating with them in a few lines."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from app.core.options import DraftLength, GenerationLimits, LoadOptions, SamplingOptions, SpeculationOptions
from app.core.protocol import Done, Round
from app.core.stats import GenerationStats
from app.engine.drafting import Drafter, LookupDrafter, ModelDrafter
from app.engine.fixed import FixedSpeculation
from app.engine.generate import Generation
from app.engine.llama import Library, LlamaCache, LlamaModel
from app.engine.policy import FixedPolicy
from app.engine.sampling import Sampler
from app.engine.stopping import StopSignal
from app.engine.tokens import Tokens

# One thread: tiny models gain nothing from more, and on a busy machine threads wait for each other.
OPTIONS = LoadOptions(context_length=256, batch_size=64, longest_draft=8, threads=1)

MakeDrafter = Callable[[Sampler], Drafter]


@contextmanager
def opened(library: Library, path: Path, options: LoadOptions = OPTIONS) -> Iterator[LlamaCache]:
    """A loaded model with a context; freed at the end."""
    model = LlamaModel(library, path, options, memory_map=False)
    cache = LlamaCache(model, options)
    try:
        yield cache
    finally:
        cache.close()
        model.close()


class Answer:
    """What a generation gave."""

    def __init__(self, tokens: list[int], text: str, stats: GenerationStats) -> None:
        self.tokens = tokens
        self.text = text
        self.stats = stats


def answer(
    target: LlamaCache,
    prompt: Tokens,
    *,
    sampling: SamplingOptions,
    drafter: MakeDrafter | None = None,
    options: SpeculationOptions | None = None,
    limits: GenerationLimits | None = None,
    stop: StopSignal | None = None,
    on_round: Callable[[int], None] | None = None,
) -> Answer:
    """One answer from a target, drafted for or not. `on_round` hears the number of each round."""
    stop = stop or StopSignal()
    options = options or SpeculationOptions(draft_length=DraftLength.FIXED)
    target.attach(stop)
    sampler = Sampler(target.vocabulary, sampling, prompt)
    try:
        speculation = None
        if drafter is not None:
            speculation = FixedSpeculation(
                drafter(sampler), FixedPolicy(options, target.rollback_limit), options
            )
        limits = limits or GenerationLimits(max_tokens=40)
        generation = Generation(target, target.vocabulary, sampler, speculation, limits, stop)
        tokens: list[int] = []
        rounds = 0
        for event in generation.rounds(prompt):
            if isinstance(event, Round):
                tokens += event.tokens
                rounds += 1
                if on_round is not None:
                    on_round(rounds)
            if isinstance(event, Done):
                return Answer(tokens, generation.text, event.stats)
        raise AssertionError("a generation ends with Done")
    finally:
        sampler.close()


def model_drafter(draft: LlamaCache) -> MakeDrafter:
    """Drafts with a model, sharing the target's noise."""
    draft.attach(StopSignal())
    return lambda sampler: ModelDrafter(
        draft, draft.vocabulary, lambda: sampler.draft_chooser(shares_noise=True)
    )


def lookup_drafter(target: LlamaCache, options: SpeculationOptions) -> MakeDrafter:
    """Drafts by prompt lookup."""
    return lambda _: LookupDrafter(options, target.vocabulary)


def prompt_of(cache: LlamaCache, text: str = "Once upon a time there was a small boat.") -> Tokens:
    """A text as tokens."""
    return cache.vocabulary.tokenize(text)


def tokens_of(*values: int) -> Tokens:
    """Token ids as an array."""
    return np.array(values, np.int32)
