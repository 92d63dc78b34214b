"""Summaries that grow with the runs."""

import pytest

from app.core import growing_summaries
from app.core.compare import summarise
from app.core.experiment import Experiment
from app.core.growing_summaries import GrowingSummaries
from tests.fakes.experiments import suite_experiment, sweep_experiment


@pytest.mark.parametrize("experiment", [suite_experiment(repeats=2), sweep_experiment()])
def test_after_each_run_they_are_those_of_all_so_far(experiment: Experiment) -> None:
    growing = GrowingSummaries(experiment.variants)
    assert growing.summaries == ()
    for number, run in enumerate(experiment.runs, 1):
        growing.add(run)
        assert growing.summaries == summarise(experiment.runs[:number], experiment.variants, intervals=False)


def test_only_the_prompt_of_a_run_is_reckoned_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    reckoned: list[set[str]] = []

    def counted(runs, variants, **options):  # type: ignore[no-untyped-def]
        reckoned.append({run.prompt for run in runs})
        return summarise(runs, variants, **options)

    monkeypatch.setattr(growing_summaries, "summarise", counted)
    experiment = suite_experiment(repeats=1)
    growing = GrowingSummaries(experiment.variants)
    for run in experiment.runs:
        growing.add(run)
    assert reckoned == [{run.prompt} for run in experiment.runs]
