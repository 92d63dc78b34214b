"""Compares the memory estimate with what loading really takes. Run by hand, from the root of the source tree:

    python -m tests.benchmarks.memory MODEL.gguf [MODEL.gguf ...] [--context 2048 8192] [--parts]

Each measurement is a process of its own: resident memory after loading, reading one full batch of a prompt
and a few passes over a draft, less the resident memory before loading.
"""

import argparse
import re
import subprocess
import sys
from pathlib import Path

import msgspec
import numpy as np

from app.core.machine import memory_in_use
from app.core.options import LoadOptions, Switch
from app.engine.llama import Library, LlamaCache, LlamaModel
from app.engine.memory import detect_features, estimate
from app.models.info import read_info


class Job(msgspec.Struct, frozen=True):
    """One measurement."""

    model: str
    options: LoadOptions

    @property
    def memory_map(self) -> bool:
        """Whether the file is mapped."""
        return self.options.mmap is Switch.ON


class Measured(msgspec.Struct, frozen=True):
    """By how many bytes the process grew, and what llama.cpp's last log lines say about its buffers."""

    grown: int
    log: tuple[str, ...]


def measure(job: Job) -> Measured:
    """Loads a model in this process and uses it as a chat would."""
    library = Library()
    before = memory_in_use()
    model = LlamaModel(library, Path(job.model), job.options, memory_map=job.memory_map)
    log = list(library.recent_log())
    cache = LlamaCache(model, job.options)
    log += library.recent_log()
    drawn = np.random.default_rng(0).integers(0, model.vocabulary.size, cache.batch_size)
    tokens = drawn.astype(np.int32)
    cache.sync(tokens)
    for count in (1, 1, job.options.longest_draft + 1, 1):
        room = cache.context_length - len(cache.tokens)
        if count <= room:
            cache.forward(tokens[:count])
    grown = memory_in_use() - before
    cache.close()
    model.close()
    buffers = tuple(dict.fromkeys(line for line in log if re.search(r"(buffer|KV|RS).* size +=", line)))
    return Measured(grown, buffers)


def main() -> None:
    """Measures every combination and prints a table, in millions of bytes."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("models", nargs="*", type=Path)
    parser.add_argument("--context", nargs="+", type=int, default=[2048, 8192], help="tokens")
    parser.add_argument("--batch", type=int, default=512, help="tokens")
    parser.add_argument("--parts", action="store_true", help="print the parts and llama.cpp's own figures")
    parser.add_argument("--job", type=str, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.job:
        job = msgspec.json.decode(arguments.job, type=Job)
        sys.stdout.write(msgspec.json.encode(measure(job)).decode())
        return
    features = detect_features()
    print(f"{'model':44}{'context':>8}{'mmap':>6}{'estimate':>10}{'measured':>10}{'error':>8}")
    for model in arguments.models:
        info = read_info(model)
        for context in arguments.context:
            for switch in (Switch.ON, Switch.OFF):
                options = LoadOptions(context_length=context, batch_size=arguments.batch, mmap=switch)
                expected = estimate(info, None, options, options, features)
                found = _in_own_process(Job(str(model), options))
                error = expected.known_bytes / found.grown - 1
                figures = f"{expected.known_bytes / 1e6:10.1f}{found.grown / 1e6:10.1f}{error:+8.1%}"
                print(f"{model.name[:43]:44}{context:8}{switch:>6}{figures}", flush=True)
                if arguments.parts:
                    for part in expected.target.parts:
                        known = "unknown" if part.bytes is None else f"{part.bytes / 1e6:.1f}"
                        print(f"    {part.name:20}{known:>10}")
                    print("    " + "\n    ".join(found.log))


def _in_own_process(job: Job) -> Measured:
    command = [sys.executable, "-m", "tests.benchmarks.memory", "--job", msgspec.json.encode(job).decode()]
    done = subprocess.run(command, capture_output=True, check=True)
    return msgspec.json.decode(done.stdout, type=Measured)


if __name__ == "__main__":
    main()
