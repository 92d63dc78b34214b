"""What the window costs: the same prompt in the visible window and in `slipstream bench`, in one run.

    python -m tests.benchmarks.window_speed --target FILE --draft FILE [--repeat 5] [--max-tokens 160]

Needs a screen (DISPLAY; Xvfb will do), as the point is that the window paints while the engine works. Takes
turns, prints the median of the ratios within a turn, and ends with exit code 1 where that is below 0.95.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from PySide6.QtCore import QEventLoop, QTimer

from app.bootstrap import window
from app.core.options import (
    DraftLength,
    GenerationLimits,
    LoadOptions,
    SamplingOptions,
    SpeculationMode,
    SpeculationOptions,
)
from app.settings import ModelConfig
from app.ui.application import make_application
from app.ui.main_window import MainWindow
from app.ui.session_state import Running, Setup

PROMPT = "Write a Python function that implements quicksort, with a docstring and three usage examples."
CONTEXT, MAX_DRAFT = 2048, 5
BOUND = 0.95


def until(reached: Callable[[], bool], seconds: float = 300.0) -> None:
    """Lets the event loop run as for a user: polling would take time from the engine."""
    deadline = time.monotonic() + seconds
    while not reached():
        if time.monotonic() > deadline:
            raise TimeoutError("the window took too long")
        live(300)


def live(milliseconds: int) -> None:
    """An event loop for a while."""
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()


def bench(arguments: argparse.Namespace, folder: Path) -> float:
    """tok/s of the command line, which computes in its own process and paints nothing."""
    prompt, out = folder / "prompt.txt", folder / "bench.json"
    prompt.write_text(PROMPT, encoding="utf-8")
    command = [sys.executable, "-m", "app", "bench", "--target", str(arguments.target)]
    command += ["--draft", str(arguments.draft), "--modes", "draft", "--prompt-file", str(prompt)]
    command += ["--max-tokens", str(arguments.max_tokens), "--draft-max", str(MAX_DRAFT)]
    command += ["--ctx", str(CONTEXT), "--temperature", "0", "--json", str(out)]
    subprocess.run(command, check=True, capture_output=True)
    return float(json.loads(out.read_text(encoding="utf-8"))["runs"][0]["stats"]["tok_per_s"])


class Chat:
    """The pair, loaded in the window."""

    def __init__(self, main: MainWindow, arguments: argparse.Namespace) -> None:
        self._main = main
        self._session = main.services.session
        preferences = main.services.preferences
        preferences.update(extra_folders=(arguments.target.parent, arguments.draft.parent))
        until(lambda: main.services.library.find(arguments.target) is not None)
        target, draft = (main.services.library.find(path) for path in (arguments.target, arguments.draft))
        assert target is not None and draft is not None, "both files must be models that can be listed"
        self._setup = Setup(
            target,
            draft,
            ModelConfig(
                load=LoadOptions(context_length=CONTEXT),
                speculation=SpeculationOptions(
                    mode=SpeculationMode.DRAFT_MODEL,
                    draft_length=DraftLength.FIXED,
                    max_draft_tokens=MAX_DRAFT,
                ),
                draft=draft.path,
                sampling=SamplingOptions(temperature=0.0),
                limits=GenerationLimits(max_tokens=arguments.max_tokens),
                seed=0,
            ),
        )

    def speed(self) -> float:
        """tok/s of an answer in a fresh engine, as the bench has one."""
        self._session.load(self._setup)
        until(lambda: isinstance(self._session.state, Running))
        self._main.chat.new_conversation()
        self._main.chat.send(PROMPT)
        until(lambda: len(self._main.chat.messages) == 2 and not self._main.chat.is_answering)
        answer = self._main.chat.messages[-1].answer
        assert answer is not None and answer.stats is not None and answer.stats.tok_per_s is not None
        self._session.eject()
        live(1000)
        return answer.stats.tok_per_s


def main() -> int:
    """Measures, prints, judges."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--target", type=Path, required=True)
    parser.add_argument("--draft", type=Path, required=True)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--max-tokens", type=int, default=160)
    arguments = parser.parse_args()
    arguments.target, arguments.draft = arguments.target.absolute(), arguments.draft.absolute()
    with tempfile.TemporaryDirectory() as name:
        os.environ["SLIPSTREAM_HOME"] = name
        application = make_application(sys.argv[:1])
        ratios = []
        with window(application) as opened:
            chat = Chat(opened, arguments)
            for turn in range(arguments.repeat):
                measures = [lambda: bench(arguments, Path(name)), chat.speed]
                order = (0, 1) if turn % 2 == 0 else (1, 0)  # the machine may grow slower meanwhile
                found = {which: measures[which]() for which in order}
                ratios.append(found[1] / found[0])
                print(
                    f"bench {found[0]:.1f} tok/s, window {found[1]:.1f} tok/s: {ratios[-1]:.3f}", flush=True
                )
    print(f"median of {len(ratios)}: the window reaches {median(ratios):.3f} of the bench (bound {BOUND})")
    return 0 if median(ratios) >= BOUND else 1


if __name__ == "__main__":
    sys.exit(main())
