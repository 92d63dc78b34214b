"""How fast the engine is, against a bare loop and against itself without a draft. Run by hand:

    python tests/benchmarks/engine_speed.py --target T.gguf --draft D.gguf [--draft-max 2,3,5]

Prints, for one coding prompt and one story, greedy: a bare decode-and-argmax loop over llama.cpp's
low-level functions, the engine without a draft, and the engine with each draft length; then what a lookup
costs at 32k tokens. All within one run, the repeats interleaved, medians; only ratios mean anything.
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
    GenerationLimits,
    LoadOptions,
    SamplingOptions,
    SpeculationMode,
    SpeculationOptions,
)
from app.core.protocol import Done
from app.engine.drafting import LookupDrafter
from app.engine.llama import Library
from app.engine.memory import detect_features
from app.engine.pair import ModelPair, PairLoader
from app.engine.stopping import StopSignal
from app.engine.tokens import Tokens
from app.engine.vocab import VocabularyCache

PROMPTS = {
    "code": "Write a Python function that computes Fibonacci numbers, with type hints and tests.",
    "story": "Tell a story about a lighthouse keeper who finds a message in a bottle.",
}
GREEDY = SamplingOptions(temperature=0.0)


def bare_loop(pair: ModelPair, prompt: Tokens, count: int) -> float:
    """Tokens per second of decode and argmax alone, on the pair's own target context."""
    context, vocabulary = pair.target._context, pair.target.vocabulary.size
    pair.forget()
    token = int(pair.target.sync(prompt).argmax())
    batch = native.llama_batch_init(1, 0, 1)
    batch.n_tokens = 1
    batch.n_seq_id[0], batch.seq_id[0][0], batch.logits[0] = 1, 0, True
    started = time.perf_counter()
    for position in range(len(prompt), len(prompt) + count - 1):
        batch.token[0], batch.pos[0] = token, position
        if native.llama_decode(context, batch) != 0:
            raise RuntimeError("llama_decode failed")
        logits = np.ctypeslib.as_array(native.llama_get_logits(context), (vocabulary,))
        token = int(logits.argmax())
    seconds = time.perf_counter() - started
    native.llama_batch_free(batch)
    pair.target.clear()
    return (count - 1) / seconds


def engine(pair: ModelPair, prompt: Tokens, count: int, draft_max: int) -> float:
    """Tokens per second of the engine; `draft_max` 0 is plain generation."""
    pair.forget()
    options = SpeculationOptions()
    if draft_max:
        options = SpeculationOptions(mode=SpeculationMode.DRAFT_MODEL, max_draft_tokens=draft_max)
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
        rates: dict[str, list[float]] = defaultdict(list)
        engine(pair, prompt, 8, 0)
        for repeat in range(options.repeat):
            for way in list(ways)[:: 1 if repeat % 2 == 0 else -1]:
                rates[way].append(ways[way]())
        bare, off = (statistics.median(rates[way]) for way in ("bare loop", "off"))
        for way, found in rates.items():
            median = statistics.median(found)
            against = f"{median / bare:.3f} of the bare loop" if way == "off" else f"{median / off:.2f} x off"
            print(
                f"{name:<6} {way:<10} {median:7.2f} tok/s  ({min(found):.2f} to {max(found):.2f})  {against}"
            )
    pair.close()

    longest, indexing = lookup_seconds(32_768, 4_000)
    print(f"lookup at 32k tokens: at most {1000 * longest:.3f} ms a round")
    print(f"indexing those tokens once: {1000 * indexing:.0f} ms")


if __name__ == "__main__":
    main()
