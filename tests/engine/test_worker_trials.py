"""An engine that is measured with: more draft models, fresh caches, records, weights and costs."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from app.core.chat import Message, Role
from app.core.options import LoadOptions, SamplingOptions
from app.core.pass_costs import PassCosts
from app.core.protocol import (
    AddDraft,
    Command,
    CostsMeasured,
    CostsProgressed,
    DraftAdded,
    DraftRemoved,
    Failed,
    FailureKind,
    Finished,
    Loaded,
    MeasureCosts,
    RemoveDraft,
    Stop,
    Weigh,
    Weighed,
)
from app.core.weighing import Weighing
from tests.fakes.engine_window import REFUSAL, PretendedPair, Window, generate, load

DRAFT = Path("/models/draft")
OPTIONS = LoadOptions(context_length=100)
SAMPLING = SamplingOptions(temperature=0.7, seed=5)
HELLO = (Message(Role.USER, "hello"),)


@pytest.fixture
def loaded() -> Iterator[Window]:
    """With a model, Ready and Loaded read."""
    window = Window()
    window.send(load(1))
    window.until(Loaded)
    yield window
    window.finish()


def pair_of(window: Window) -> PretendedPair:
    (pair,) = window.loader.pairs
    return pair


def test_a_draft_model_is_added_and_removed(loaded: Window) -> None:
    loaded.send(AddDraft(2, DRAFT, OPTIONS), RemoveDraft(3, DRAFT))

    assert loaded.next() == DraftAdded(2, 100, None)
    assert loaded.next() == DraftRemoved(3)
    assert pair_of(loaded).calls == [("add", DRAFT, OPTIONS), ("remove", DRAFT)]


def test_one_that_does_not_fit_is_refused_with_the_reason(loaded: Window) -> None:
    loaded.send(AddDraft(2, DRAFT.with_name("misfit"), OPTIONS))

    assert loaded.next() == DraftAdded(2, 0, REFUSAL)


def test_stop_cancels_adding_one_and_the_model_stays(loaded: Window) -> None:
    loaded.send(AddDraft(2, DRAFT.with_name("slow"), OPTIONS), Stop(2))
    assert loaded.next() == Failed(2, FailureKind.CANCELLED, "Loading slow was cancelled.")

    loaded.send(generate(3))
    assert isinstance(loaded.until(Finished)[-1], Finished)


def test_an_answer_for_measuring_begins_with_empty_caches_and_its_own_draft(loaded: Window) -> None:
    loaded.send(replace(generate(2), fresh=True, draft=DRAFT, trace=True), generate(3))
    loaded.until(Finished)
    loaded.until(Finished)

    assert pair_of(loaded).calls == [("forget",), ("generate", DRAFT, True), ("generate", None, False)]


def test_candidates_are_weighed_after_the_answer_so_far(loaded: Window) -> None:
    loaded.send(Weigh(2, HELLO, SAMPLING, (4, 5), (6, None)))

    assert loaded.next() == Weighed(2, Weighing((6.0, 0.0), ("<6>", "<0>"), 2, 0.5))
    assert pair_of(loaded).calls == [("weigh", 7, SAMPLING, (4, 5))]


def test_passes_are_timed(loaded: Window) -> None:
    loaded.send(MeasureCosts(2, 3, DRAFT))

    assert loaded.next() == CostsProgressed(2, 3, 3)
    assert loaded.next() == CostsMeasured(2, PassCosts((1, 2, 3), (1.0, 2.0, 3.0), 0.5, 32))
    assert pair_of(loaded).calls == [("measure", 3, DRAFT)]


def test_a_draft_that_was_not_added_is_a_failure_with_a_sentence(loaded: Window) -> None:
    loaded.send(MeasureCosts(2, 3, DRAFT.with_name("missing")))

    assert loaded.next() == Failed(2, FailureKind.OPTIONS, "The draft model missing is not loaded.")


def test_a_pass_that_was_stopped_is_a_cancelled_request(loaded: Window) -> None:
    loaded.send(Weigh(2, (Message(Role.USER, "wait"),), SAMPLING, (), (6,)))

    failed = loaded.next()
    assert isinstance(failed, Failed)
    assert (failed.request_id, failed.kind, failed.log) == (2, FailureKind.CANCELLED, ())


def test_everything_happens_on_the_thread_that_loaded(loaded: Window) -> None:
    loaded.send(
        AddDraft(2, DRAFT, OPTIONS),
        Weigh(3, HELLO, SAMPLING, (), ()),
        MeasureCosts(4, 1),
        RemoveDraft(5, DRAFT),
    )
    loaded.until(DraftRemoved)

    assert len(loaded.loader.threads) == 1


@pytest.mark.parametrize(
    "command",
    [
        AddDraft(1, DRAFT, OPTIONS),
        RemoveDraft(1, DRAFT),
        Weigh(1, HELLO, SAMPLING, (), ()),
        MeasureCosts(1, 3),
    ],
)
def test_without_a_model_there_is_nothing_to_measure(command: Command) -> None:
    window = Window()
    window.send(command)

    failed = window.until(Failed)[-1]
    assert isinstance(failed, Failed)
    assert failed.kind is FailureKind.NOT_LOADED
    window.finish()
