"""Hints on memory for the files of a repository, with a hub in memory."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from PySide6.QtCore import QObject

from app.core.fit import Fit
from app.core.options import LoadOptions
from app.models.hub import HubModel, RemoteModel
from app.ui.fit_hints import FitHint, FitHints
from app.ui.tasks import Tasks
from tests.fakes.advisor import FakeAdvisor
from tests.fakes.held_tasks import HeldTasks
from tests.fakes.scripted_hub import ScriptedHub, found_model, hub_model, remote_model

GB = 1_000_000_000
MODEL = hub_model()
Q4, Q5, Q8, F16 = MODEL.models
OTHER = hub_model(found_model("Qwen/Other-7B-GGUF"), remote_model("Q8_0", 8 * GB, stem="other"))


class Bench:
    """Hints over a hub; the advisor says that the weights of Q4_K_M take as much as its file."""

    def __init__(self, tasks: Tasks, free: int = 16 * GB, total: int = 32 * GB) -> None:
        self.hub = ScriptedHub()
        for model in (MODEL, OTHER):
            self.hub.add(model)
            for row in model.models:
                self.hub.headers[f"{model.repo}/{row.files[0].path}"] = Path("/cache/header.gguf")
        self.advisor = FakeAdvisor()
        self.advisor.weights = Q4.total_bytes
        self.free = free
        self.hints = FitHints(
            self.hub,
            self.advisor,
            tasks,
            lambda: self.free,
            options=lambda: LoadOptions(context_length=8000),
            total_memory=lambda: total,
        )
        self.told: list[Mapping[RemoteModel, FitHint]] = []
        self.hints.hints_changed.connect(self.told.append)

    def fits(self) -> list[Fit]:
        return [self.told[-1][row].fit for row in MODEL.models]


@pytest.fixture
def held(qapp: QObject) -> HeldTasks:
    return HeldTasks()


def test_one_header_is_fetched_and_the_others_are_reckoned_from_it(immediate_tasks: Tasks) -> None:
    bench = Bench(immediate_tasks)

    bench.hints.look(MODEL)

    assert bench.hub.asked("header") == [f"{MODEL.repo}/{Q4.files[0].path}"]
    hints = bench.told[-1]
    assert hints[Q4] == FitHint(Fit.FITS, Q4.total_bytes + 108_000_000, exact=True)
    assert hints[F16] == FitHint(Fit.FITS, F16.total_bytes + 108_000_000, exact=False)


def test_a_header_that_speaks_of_less_than_its_file_is_not_believed(immediate_tasks: Tasks) -> None:
    bench = Bench(immediate_tasks)
    bench.advisor.weights = 0
    bench.hints.look(MODEL)
    hint = bench.told[-1][Q4]
    assert not hint.exact
    assert hint.needed_bytes is not None and hint.needed_bytes >= Q4.total_bytes


def test_it_is_estimated_as_the_load_dialog_does_with_no_longer_a_context_than_it_has(
    immediate_tasks: Tasks,
) -> None:
    bench = Bench(immediate_tasks)

    bench.hints.look(MODEL)
    assert bench.advisor.estimated == [(None, LoadOptions(context_length=8000))]
    bench.hints.look(hub_model(found_model(context_length=2048)))
    assert bench.advisor.estimated[-1] == (None, LoadOptions(context_length=2048))


def test_all_the_words(immediate_tasks: Tasks) -> None:
    bench = Bench(immediate_tasks, free=2_300_000_000, total=3_000_000_000)

    bench.hints.look(MODEL)

    assert bench.fits() == [Fit.FITS, Fit.FITS, Fit.FITS_WITHOUT_DRAFT, Fit.TOO_LARGE]


def test_the_draft_that_is_offered_is_reckoned_with_in_place_of_a_usual_one(immediate_tasks: Tasks) -> None:
    bench = Bench(immediate_tasks, free=2_300_000_000)
    bench.hints.look(MODEL)

    bench.hints.assume_draft(remote_model("Q8_0", 900_000_000))
    assert bench.fits()[0] is Fit.FITS_WITHOUT_DRAFT
    bench.hints.assume_draft(None)
    assert bench.fits()[0] is Fit.FITS


def test_more_free_memory_is_seen_when_asked_again(immediate_tasks: Tasks) -> None:
    bench = Bench(immediate_tasks, free=1 * GB, total=1 * GB)
    bench.hints.look(MODEL)
    assert bench.fits()[0] is Fit.TOO_LARGE

    bench.free = 16 * GB
    bench.hints.refresh()
    assert bench.fits()[0] is Fit.FITS


def test_nothing_is_said_while_nothing_is_known(held: HeldTasks) -> None:
    bench = Bench(held)
    bench.hints.look(MODEL)
    assert bench.told == []

    held.release_all()
    assert set(bench.told[-1]) == set(MODEL.models)


def test_what_comes_late_for_an_older_model_is_dropped(held: HeldTasks) -> None:
    bench = Bench(held)
    bench.hints.look(MODEL)
    bench.hints.look(OTHER)

    held.release_all()

    assert [set(hints) for hints in bench.told] == [set(OTHER.models)]
    assert bench.hub.asked("header") == [f"{OTHER.repo}/{OTHER.models[0].files[0].path}"]


def test_another_model_clears_what_was_said(held: HeldTasks) -> None:
    bench = Bench(held)
    bench.hints.look(MODEL)
    held.release_all()

    bench.hints.look(OTHER)
    assert bench.told[-1] == {}


@pytest.mark.parametrize("method", ["header", "estimate"])
def test_without_a_header_the_sizes_of_the_files_serve(immediate_tasks: Tasks, method: str) -> None:
    bench = Bench(immediate_tasks)
    if method == "header":
        bench.hub.fail("header")
    else:
        bench.advisor.refusal = "q4.gguf is damaged."

    bench.hints.look(MODEL)

    hint = bench.told[-1][Q4]
    assert hint.fit is Fit.FITS
    assert not hint.exact
    assert hint.needed_bytes is not None
    assert hint.needed_bytes > Q4.total_bytes


def test_a_repository_without_files_has_no_hints(immediate_tasks: Tasks) -> None:
    bench = Bench(immediate_tasks)
    empty = HubModel(MODEL.found, MODEL.commit, None, (), (), ())

    bench.hints.look(empty)

    assert bench.told == []
    assert bench.hub.calls == []
