"""How fast the engine is, against a bare loop and against itself without a draft. Run by hand:

    python tests/benchmarks/engine_speed.py --target T.gguf --draft D.gguf [--draft-max 2,3,5]

Prints, for one coding prompt and one story, greedy: a bare decode-and-argmax loop over llama.cpp's
low-level functions, the engine without a draft, the engine with each draft length beside an equally bare
speculative loop; then what a lookup
costs at 32k tokens. All within one run, the repeats interleaved; only the ratios mean anything.
"""

import argparse
import statistics
import sys
import time
from collections import defaultdict
from functools import partial
from pathlib import Path

import llama_cpp.llama_cpp as native
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from app.core.chat import Message, Role
from app.core.machine import describe_machine
from app.core.options import (
    DraftLength,
    GenerationLimits,
    LoadOptions,
    SamplingOptions,
    SpeculationMode,
    SpeculationOptions,
)
from app.core.protocol import Done
from app.engine.drafting import LookupDrafter
from app.engine.llama import Library, LlamaCache
from app.engine.memory import detect_features
from app.engine.pair import ModelPair
from app.engine.pair_loader import PairLoader
from app.engine.stopping import StopSignal
from app.engine.tokens import Tokens
from app.engine.vocab import VocabularyCache

PROMPTS = {
    "code": "Write a Python function that computes Fibonacci numbers, with type hints and tests.",
    "story": "Tell a story about a lighthouse keeper who finds a message in a bottle.",
}
GREEDY = SamplingOptions(temperature=0.0)


class BareContext:
    """One context driven with nothing but llama_decode, llama_memory_seq_rm and NumPy's argmax."""

    def __init__(self, cache: LlamaCache) -> None:
        self._context = cache._context
        self._memory = native.llama_get_memory(self._context)
        self._vocabulary = cache.vocabulary_size
        self._batch = native.llama_batch_init(64, 0, 1)
        for index in range(64):
            self._batch.n_seq_id[index], self._batch.seq_id[index][0] = 1, 0
        self.held = 0

    def read(self, tokens: list[int], outputs: int | None = None) -> list[int]:
        """Reads tokens after those held; the likeliest token after each of the last `outputs`, or all."""
        outputs = len(tokens) if outputs is None else outputs
        for index, token in enumerate(tokens):
            self._batch.token[index], self._batch.pos[index] = token, self.held + index
            self._batch.logits[index] = index >= len(tokens) - outputs
        self._batch.n_tokens = len(tokens)
        if native.llama_decode(self._context, self._batch) != 0:
            raise RuntimeError("llama_decode failed")
        self.held += len(tokens)
        rows = np.ctypeslib.as_array(native.llama_get_logits(self._context), (outputs, self._vocabulary))
        return [int(token) for token in rows.argmax(axis=1)]

    def keep(self, length: int) -> None:
        """Forgets everything from a position on."""
        native.llama_memory_seq_rm(self._memory, 0, length, -1)
        self.held = length


def bare_loop(pair: ModelPair, prompt: Tokens, count: int) -> float:
    """Tokens per second of decode and argmax alone, on the pair's own target context."""
    pair.forget()
    token = int(pair.target.sync(prompt).argmax())
    target = BareContext(pair.target)
    target.held = len(prompt)
    started = time.perf_counter()
    for _ in range(count - 1):
        (token,) = target.read([token])
    seconds = time.perf_counter() - started
    pair.target.clear()
    return (count - 1) / seconds


def bare_speculation(pair: ModelPair, prompt: Tokens, count: int, draft_max: int) -> float:
    """Tokens per second of the shortest speculative loop there is, with the same passes as the engine."""
    assert pair.draft is not None
    pair.forget()
    text = [*prompt.tolist(), int(pair.target.sync(prompt).argmax())]
    pair.draft.sync(prompt)
    target, draft = BareContext(pair.target), BareContext(pair.draft)
    target.held = draft.held = len(prompt)
    started = time.perf_counter()
    while len(text) - len(prompt) < count:
        left = count - (len(text) - len(prompt))
        guesses: list[int] = []
        feed = text[draft.held :]
        for _ in range(min(draft_max, left - 1)):
            feed = draft.read(feed, outputs=1)
            guesses += feed
        choices = target.read([text[-1], *guesses])
        kept = 0
        while kept < len(guesses) and guesses[kept] == choices[kept]:
            kept += 1
        text += choices[: kept + 1]
        target.keep(len(text) - 1)
        if draft.held > len(text) - 1:
            draft.keep(len(text) - 1)
    seconds = time.perf_counter() - started
    pair.forget()
    return (count - 1) / seconds


def engine(pair: ModelPair, prompt: Tokens, count: int, draft_max: int) -> float:
    """Tokens per second of the engine; `draft_max` 0 is plain generation."""
    pair.forget()
    options = SpeculationOptions()
    if draft_max:
        options = SpeculationOptions(
            mode=SpeculationMode.DRAFT_MODEL, draft_length=DraftLength.FIXED, max_draft_tokens=draft_max
        )
    for event in pair.generate(prompt, GREEDY, options, GenerationLimits(max_tokens=count), StopSignal()):
        if isinstance(event, Done):
            return event.stats.tok_per_s or 0.0
    raise RuntimeError("no end")


def lookup_seconds(length: int, size: int) -> tuple[float, float]:
    """The longest time of one lookup among many at the end of a long context, and that of indexing it."""

    class Table:
        size = 1 << 20

        def piece(self, token: int) -> bytes:
            return b""

        def ends_generation(self, token: int) -> bool:
            return False

    drafter = LookupDrafter(SpeculationOptions(), Table())
    context = np.random.default_rng(0).integers(0, size, length + 500).astype(np.int32)
    started = time.perf_counter()
    drafter.propose(context[:length], 0)
    indexing = time.perf_counter() - started
    times = []
    for end in range(length, length + 500, 4):
        started = time.perf_counter()
        drafter.propose(context[:end], 16)
        times.append(time.perf_counter() - started)
    return max(times), indexing


def described(rates: list[float]) -> str:
    """The median speed and the spread."""
    return f"{statistics.median(rates):7.2f} tok/s  ({min(rates):.2f} to {max(rates):.2f})"


def compared(way: str, rates: dict[str, list[float]]) -> str:
    """The median of the ratios within each repeat, whose runs followed each other: drift cancels out."""

    def against(other: str) -> float:
        return statistics.median(one / two for one, two in zip(rates[way], rates[other], strict=True))

    if way == "off":
        return f"{against('bare loop'):.3f} of the bare loop"
    bare = way.replace("fixed", "bare")
    return f"{against('off'):.2f} x off" + (f", {against(bare):.3f} of {bare}" if bare != way else "")


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--target", type=Path, required=True)
    parser.add_argument("--draft", type=Path)
    parser.add_argument("--draft-max", default="2,3,5")
    parser.add_argument("--tokens", type=int, default=96)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--threads", type=int, default=0)
    options = parser.parse_args()
    lengths = [int(each) for each in options.draft_max.split(",")] if options.draft else []

    library = Library()
    loader = PairLoader(library, VocabularyCache(None), detect_features())
    load = LoadOptions(context_length=2048, longest_draft=max([1, *lengths]), threads=options.threads)
    pair = loader.load(options.target, options.draft, load)
    if pair.draft_refusal is not None:
        sys.exit(pair.draft_refusal.sentence)
    machine = describe_machine(library.version)
    print(f"{machine.processor}, {machine.physical_cores} cores; {machine.engine_version}")
    print(f"target {options.target.name}, draft {options.draft.name if options.draft else 'none'}")

    for name, text in PROMPTS.items():
        prompt = pair.prompt_tokens([Message(Role.USER, text)])
        ways = {"bare loop": partial(bare_loop, pair, prompt, options.tokens)}
        for length in [0, *lengths]:
            ways[f"fixed {length}" if length else "off"] = partial(
                engine, pair, prompt, options.tokens, length
            )
            if length:
                ways[f"bare {length}"] = partial(bare_speculation, pair, prompt, options.tokens, length)
        rates: dict[str, list[float]] = defaultdict(list)
        engine(pair, prompt, 8, 0)
        for repeat in range(options.repeat):
            for way in list(ways)[:: 1 if repeat % 2 == 0 else -1]:
                rates[way].append(ways[way]())
        for way, found in rates.items():
            print(f"{name:<6} {way:<10} {described(found)}  {compared(way, rates)}")
    pair.close()

    longest, indexing = lookup_seconds(32_768, 4_000)
    print(f"lookup at 32k tokens: at most {1000 * longest:.3f} ms a round")
    print(f"indexing those tokens once: {1000 * indexing:.0f} ms")


if __name__ == "__main__":
    main()
