"""An engine that drafts knows what passes cost: from the load, or before an answer."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from app.core.options import SpeculationMode, SpeculationOptions
from app.core.pass_costs import PassCosts
from app.core.protocol import (
    CostsProgressed,
    Failed,
    FailureKind,
    Finished,
    Loaded,
    LoadProgressed,
    Prefilled,
    RoundFinished,
    Stop,
)
from app.core.stats import StopReason
from tests.fakes.engine_window import COSTS, Window, generate, load

LOOKED_UP = SpeculationOptions(mode=SpeculationMode.PROMPT_LOOKUP)
DRAFTED = SpeculationOptions(mode=SpeculationMode.DRAFT_MODEL)
DRAFT = Path("/models/draft")


@pytest.fixture
def window() -> Iterator[Window]:
    made = Window()
    yield made
    made.finish()


def costs_after(window: Window, speculation: SpeculationOptions) -> PassCosts | None:
    window.send(replace(load(1), speculation=speculation))
    loaded = window.until(Loaded)[-1]
    assert isinstance(loaded, Loaded)
    return loaded.costs


def test_they_are_measured_when_the_models_are_in_memory(window: Window) -> None:
    window.send(replace(load(1), speculation=LOOKED_UP))
    _, *events, loaded = window.until(Loaded)

    assert events == [LoadProgressed(1, 1.0), CostsProgressed(1, 1, 2), CostsProgressed(1, 2, 2)]
    assert isinstance(loaded, Loaded)
    assert loaded.costs == COSTS


def test_where_nothing_drafts_nothing_is_measured(window: Window) -> None:
    assert costs_after(window, SpeculationOptions()) is None


def test_stop_cancels_the_load_with_it_and_frees_the_model(window: Window) -> None:
    window.loader.measures_for_ever = True
    window.send(replace(load(1), speculation=LOOKED_UP))
    window.until(CostsProgressed)
    window.send(Stop(1))

    failed = window.until(Failed)[-1]
    assert isinstance(failed, Failed)
    assert failed.kind is FailureKind.CANCELLED
    assert window.loader.pairs[0].is_closed
    window.loader.measures_for_ever = False
    window.send(load(2))
    assert isinstance(window.until(Loaded)[-1], Loaded)


def test_what_an_answer_needs_and_is_not_known_is_measured_before_it(window: Window) -> None:
    costs_after(window, SpeculationOptions())
    asked = replace(generate(2), speculation=DRAFTED, draft=DRAFT, fresh=True)
    window.send(asked)
    measuring, measured, read, *rounds = window.until(Finished)

    assert (measuring, measured) == (CostsProgressed(2, 1, 2), CostsProgressed(2, 2, 2))
    assert isinstance(read, Prefilled)
    assert isinstance(rounds[0], RoundFinished)
    calls = [("prepare", DRAFT), ("forget",), ("generate", DRAFT, False)]
    assert window.loader.pairs[0].calls == calls, "what was read for it is forgotten too"

    window.send(replace(asked, request_id=3))
    assert not any(isinstance(event, CostsProgressed) for event in window.until(Finished))


def test_stop_meanwhile_ends_the_answer_as_one_that_was_stopped(window: Window) -> None:
    costs_after(window, SpeculationOptions())
    window.loader.measures_for_ever = True
    window.send(replace(generate(2), speculation=LOOKED_UP))
    window.until(CostsProgressed)
    window.send(Stop(2))

    finished = window.until(Finished)[-1]
    assert isinstance(finished, Finished)
    assert finished.done.stats.stop_reason is StopReason.STOPPED
