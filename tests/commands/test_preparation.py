"""Before the first answer with drafts: passes are timed, once, and Ctrl+C ends that."""

import signal
from pathlib import Path

import pytest

from app.bootstrap import pair_loader
from app.commands.preparation import prepare
from app.core.errors import LoadCancelledError
from app.core.options import DraftLength, LoadOptions, SpeculationMode, SpeculationOptions
from app.engine.cache import Progress
from app.engine.pair import ModelPair
from app.engine.stopping import InterruptedPassError, StopSignal
from app.engine.thread import EngineThread

pytestmark = pytest.mark.usefixtures("home")

LOOKUP = SpeculationMode.PROMPT_LOOKUP
LOAD = LoadOptions(context_length=256, threads=1)


@pytest.mark.parametrize(
    ("speculation", "knows"),
    [
        (SpeculationOptions(LOOKUP), True),
        (SpeculationOptions(LOOKUP, DraftLength.FIXED), True),
        (SpeculationOptions(SpeculationMode.DRAFT_MODEL), False),  # there is no draft model
        (SpeculationOptions(), False),
    ],
    ids=["automatic", "fixed", "without a draft", "off"],
)
def test_passes_are_timed_where_something_drafts(
    target: str, speculation: SpeculationOptions, knows: bool
) -> None:
    with EngineThread() as engine:
        pair = engine.call(lambda: pair_loader().load(Path(target), None, LOAD))
        prepare(engine, pair, speculation)
        costs = pair.costs_for(None)
        pair.close()
    assert (costs is not None) is knows


def test_ctrl_c_ends_it_as_it_ends_a_load(target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(
        pair: ModelPair, speculation: SpeculationOptions, stop: StopSignal, on_progress: Progress
    ) -> None:
        signal.raise_signal(signal.SIGINT)  # heard by the main thread, between its waits
        while not stop.is_set:
            pass
        raise InterruptedPassError

    with EngineThread() as engine:
        pair = engine.call(lambda: pair_loader().load(Path(target), None, LOAD))
        monkeypatch.setattr(ModelPair, "prepare", interrupted)
        with pytest.raises(LoadCancelledError, match="was stopped"):
            prepare(engine, pair, SpeculationOptions(LOOKUP))
        pair.close()
