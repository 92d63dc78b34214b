"""Whether Compare measures what `slipstream bench` does: one plan in the window and on the command line.

    python -m tests.benchmarks.compare_page --target FILE --draft FILE [--turns 4] [--repeat 3]

Needs a screen (DISPLAY; Xvfb will do), as the page paints while the engine works. The two take turns, each in
a fresh engine. Prints the median of each variant in both and their ratio, and ends with exit code 1 where
one of them is off by more than 3 %.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median

from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtWidgets import QAbstractButton, QPlainTextEdit

from app.bootstrap import window
from app.core.experiment import Experiment
from app.core.experiment_file import from_json
from app.core.options import DraftLength, LoadOptions, SamplingOptions, SpeculationMode, SpeculationOptions
from app.models.library import LocalModel
from app.settings import ModelConfig
from app.ui.application import make_application
from app.ui.form_parts import ChoiceBox
from app.ui.main_window import MainWindow
from app.ui.prompt_tab import PromptTab
from app.ui.rail import PageName
from app.ui.session_state import EngineLost, LoadFailed, Running, Setup
from tests.fakes.children import child

PROMPT = "Write a Python function that implements quicksort, with a docstring and three usage examples."
CONTEXT, MAX_DRAFT = 2048, 5
BOUND = 0.03

Speeds = dict[str, list[float]]  # tok/s of every run, by variant


def live(milliseconds: int) -> None:
    """An event loop for a while."""
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()


def until(reached: Callable[[], bool]) -> None:
    """Lets the event loop run as for a user: polling would take time from the engine."""
    while not reached():
        live(300)


def speeds_of(experiment: Experiment) -> Speeds:
    """What was measured."""
    found: Speeds = {variant.id: [] for variant in experiment.variants}
    for run in experiment.runs:
        if run.stats.tok_per_s is not None:
            found[run.variant].append(run.stats.tok_per_s)
    return found


def bench(arguments: argparse.Namespace, folder: Path) -> Speeds:
    """The plan on the command line, which computes in its own process and paints nothing."""
    prompt, out = folder / "prompt.txt", folder / "bench.json"
    prompt.write_text(PROMPT, encoding="utf-8")
    command = [sys.executable, "-m", "app", "bench", "--modes", "off,draft"]
    command += ["--target", str(arguments.target), "--draft", str(arguments.draft)]
    command += ["--prompt-file", str(prompt), "--repeat", str(arguments.repeat), "--json", str(out)]
    command += ["--max-tokens", str(arguments.max_tokens), "--draft-max", str(MAX_DRAFT)]
    command += ["--ctx", str(CONTEXT), "--temperature", "0"]
    subprocess.run(command, check=True, capture_output=True)
    return speeds_of(from_json(out.read_bytes()))


class Page:
    """The same plan in the window, with the page on the screen."""

    def __init__(self, main: MainWindow, arguments: argparse.Namespace) -> None:
        self._main = main
        self._services = main.services
        target, draft = self._listed(arguments.target), self._listed(arguments.draft)
        drafting = SpeculationOptions(
            mode=SpeculationMode.DRAFT_MODEL, draft_length=DraftLength.FIXED, max_draft_tokens=MAX_DRAFT
        )
        config = ModelConfig(
            load=LoadOptions(context_length=CONTEXT),
            speculation=drafting,
            draft=draft.path,
            sampling=SamplingOptions(temperature=0.0),
        )
        self._services.preferences.remember(target.path, config)  # the page's right side
        self._setup = Setup(target, draft, config)
        self._repeats: int = arguments.repeat
        self._max_tokens: int = arguments.max_tokens
        self._ended: list[Experiment] = []
        self._services.comparison.finished.connect(self._ended.append)
        main.show_page(PageName.COMPARE)

    def measure(self) -> Speeds:
        """Loads, compares, ejects."""
        session, comparison = self._services.session, self._services.comparison
        session.load(self._setup)
        until(lambda: isinstance(session.state, Running | LoadFailed | EngineLost))
        if not isinstance(session.state, Running):
            raise RuntimeError(f"the pair could not be loaded: {session.state}")
        tab = child(self._main.compare_page, PromptTab, "prompt_tab")
        child(tab, QPlainTextEdit, "prompt_field").setPlainText(PROMPT)
        child(tab, ChoiceBox, "repeats_box").set_value(self._repeats)
        child(tab, ChoiceBox, "answer_length_box").set_value(self._max_tokens)
        child(tab, QAbstractButton, "run_button").click()
        if not comparison.is_running:
            raise RuntimeError("the page did not begin")
        until(lambda: not comparison.is_running)
        experiment = self._ended.pop()
        if not experiment.is_complete:
            raise RuntimeError("the comparison broke off")
        session.eject()
        live(1000)
        off, draft = (variant.id for variant in experiment.variants)
        speeds = speeds_of(experiment)
        return {"off": speeds[off], "draft": speeds[draft]}

    def _listed(self, path: Path) -> LocalModel:
        preferences, library = self._services.preferences, self._services.library
        folders = preferences.settings.extra_folders
        preferences.update(extra_folders=tuple(dict.fromkeys((*folders, path.parent))))
        until(lambda: library.has_looked and library.find(path) is not None)
        found = library.find(path)
        assert found is not None
        return found


def report(page: Speeds, command: Speeds) -> bool:
    """Prints the medians of each variant; True where all of them agree."""
    agree = True
    for variant, speeds in page.items():
        ratio = median(speeds) / median(command[variant])
        agree = agree and abs(ratio - 1.0) <= BOUND
        print(
            f"{variant:>6}: page {median(speeds):.2f}, bench {median(command[variant]):.2f} tok/s, "
            f"ratio {ratio:.3f} ({len(speeds)} and {len(command[variant])} runs)",
            flush=True,
        )
    return agree


def main() -> int:
    """Measures, prints, judges."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--target", type=Path, required=True)
    parser.add_argument("--draft", type=Path, required=True)
    parser.add_argument("--turns", type=int, default=4)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--max-tokens", type=int, default=96)
    arguments = parser.parse_args()
    for file in (arguments.target, arguments.draft):
        if not file.is_file():
            parser.error(f"{file} is no file")
    arguments.target, arguments.draft = arguments.target.absolute(), arguments.draft.absolute()
    on_page: Speeds = {"off": [], "draft": []}
    on_command: Speeds = {"off": [], "draft": []}
    with tempfile.TemporaryDirectory() as name:
        os.environ["SLIPSTREAM_HOME"] = name
        application = make_application(sys.argv[:1])
        with window(application) as opened:
            page = Page(opened, arguments)
            ways: list[tuple[Speeds, Callable[[], Speeds]]] = [
                (on_command, lambda: bench(arguments, Path(name))),
                (on_page, page.measure),
            ]
            for turn in range(arguments.turns):
                found = {}
                for place in (0, 1) if turn % 2 == 0 else (1, 0):  # the machine may grow slower meanwhile
                    collected, measure = ways[place]
                    found[place] = measure()
                    for variant, speeds in found[place].items():
                        collected[variant] += speeds
                print(f"turn {turn + 1} of {arguments.turns}")
                report(found[1], found[0])
    print("all turns together")
    agree = report(on_page, on_command)
    print(f"bound: {BOUND:.0%}")
    return 0 if agree else 1


if __name__ == "__main__":
    sys.exit(main())
