"""A comparison with an engine, and all that it said."""

from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import Struct
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from app.core.experiment import Experiment, ExperimentKind, Plan, PlannedRun, Run, Variant
from app.core.experiment_file import from_json, to_json
from app.core.options import (
    DraftLength,
    GenerationLimits,
    LoadOptions,
    SamplingOptions,
    SpeculationMode,
    SpeculationOptions,
)
from app.core.prompts import Prompt
from app.models.info import read_info
from app.models.library import LocalModel
from app.settings import ModelConfig
from app.ui.comparison import Comparison
from app.ui.comparison_state import ComparisonState, Phase
from app.ui.session import Session
from app.ui.session_state import Running, Setup
from app.ui.side import Side
from app.ui.tasks import Tasks

PATIENCE_MS = 60_000  # a busy machine is not a failing one


class Models(Struct, frozen=True):
    """Files that are models, whether the engine reads them or not."""

    target: LocalModel
    draft: LocalModel
    other: LocalModel  # a second draft


def listed(path: Path) -> LocalModel:
    """A file as the library would list it."""
    name = path.stem.capitalize()
    return LocalModel(read_info(path), publisher="", name=name, modified=0.0, managed=True, projector=None)


def off() -> Side:
    """Plain generation."""
    return Side(Variant("off", SpeculationOptions()))


def drafted(draft: LocalModel, most: int = 3, id_: str = "draft") -> Side:
    """Drafting with a model."""
    options = SpeculationOptions(SpeculationMode.DRAFT_MODEL, DraftLength.FIXED, max_draft_tokens=most)
    return Side(Variant(id_, options), draft)


def lookup() -> Side:
    """Drafting from the text itself."""
    return Side(Variant("lookup", SpeculationOptions(SpeculationMode.PROMPT_LOOKUP, DraftLength.FIXED)))


def plan_of(
    sides: Sequence[Side],
    *texts: str,
    repeats: int = 1,
    max_tokens: int = 24,
    kind: ExperimentKind | None = None,
) -> Plan:
    """Prompts of these texts, which are their ids as well."""
    prompts = tuple(Prompt(text[:60], text) for text in texts or ("hello",))
    is_pair = len(sides) == 2 and len(prompts) == 1
    return Plan(
        kind=kind or (ExperimentKind.PROMPT if is_pair else ExperimentKind.SUITE),
        variants=tuple(side.variant for side in sides),
        prompts=prompts,
        repeats=repeats,
        sampling=SamplingOptions(seed=7),
        limits=GenerationLimits(max_tokens=max_tokens),
    )


def setup_of(target: LocalModel, draft: LocalModel | None = None, load: LoadOptions | None = None) -> Setup:
    """What is to be loaded."""
    mode = SpeculationMode.OFF if draft is None else SpeculationMode.DRAFT_MODEL
    config = ModelConfig(
        load=load or LoadOptions(),
        speculation=SpeculationOptions(mode=mode),
        draft=None if draft is None else draft.path,
    )
    return Setup(target, draft, config)


class WatchedComparison(QObject):
    """Remembers everything, in order."""

    def __init__(self, session: Session, tasks: Tasks) -> None:
        super().__init__()
        self.session = session
        self.comparison = Comparison(session, tasks, self)
        self.states: list[ComparisonState] = []
        self.began: list[PlannedRun] = []
        self.rounds: list[PlannedRun] = []
        self.runs: list[Run] = []
        self.ends: list[object] = []  # experiments, and sentences
        self.problems: list[str] = []
        comparison = self.comparison
        comparison.state_changed.connect(self.states.append)
        comparison.run_began.connect(self.began.append)
        comparison.round_received.connect(lambda planned, _: self.rounds.append(planned))
        comparison.run_ended.connect(self.runs.append)
        comparison.finished.connect(self.ends.append)
        comparison.ended_without_result.connect(self.ends.append)
        comparison.problem_occurred.connect(self.problems.append)

    def load(self, qtbot: QtBot, setup: Setup) -> None:
        """Loads, and waits for it."""
        self.session.load(setup)
        qtbot.waitUntil(lambda: isinstance(self.session.state, Running), timeout=PATIENCE_MS)

    def begin(self, sides: Sequence[Side], *texts: str, repeats: int = 1, max_tokens: int = 24) -> None:
        """Begins, and is not refused."""
        plan = plan_of(sides, *texts, repeats=repeats, max_tokens=max_tokens)
        assert self.comparison.start(plan, sides) == ""

    def end(self, qtbot: QtBot) -> object:
        """What came of it, once something has."""
        qtbot.waitUntil(lambda: bool(self.ends), timeout=PATIENCE_MS)
        assert len(self.ends) == 1
        assert not self.comparison.is_running
        assert self.comparison.state == ComparisonState()
        return self.ends.pop()

    def experiment(self, qtbot: QtBot) -> Experiment:
        """The experiment that came of it, which can be stored and read again."""
        end = self.end(qtbot)
        assert isinstance(end, Experiment), end
        assert from_json(to_json(end)) == end
        return end

    def wait_for_run(self, qtbot: QtBot, number: int = 1) -> None:
        """Waits until so many counted runs have ended."""
        qtbot.waitUntil(lambda: len(self.runs) >= number, timeout=PATIENCE_MS)

    def phases(self) -> list[Phase]:
        """What it did, one after the other."""
        found: list[Phase] = []
        for state in self.states:
            if not found or found[-1] is not state.phase:
                found.append(state.phase)
        return found


Compare = Callable[..., WatchedComparison]
