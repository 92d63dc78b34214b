"""What follows from a sweep."""

from collections.abc import Callable

import pytest

from app.core.experiment import Experiment, ExperimentKind, PlannedRun
from app.core.options import AcceptanceRule
from app.core.sweep_result import sweep_result
from app.ui.finding import Finding
from app.ui.offers import Remembering
from app.ui.sentence_parts import plain
from app.ui.side import Side
from app.ui.sweep_finding import sweep_finding
from tests.fakes.experiments import (
    AUTO,
    CODE,
    OFF,
    different,
    draft_variant,
    experiment_of,
    lookup_variant,
    sweep_experiment,
    sweep_variants,
)
from tests.fakes.measured_answers import ANSWER


def finding_of(experiment: Experiment, *, drafts_now: bool = True) -> Finding:
    result = sweep_result(experiment.variants, experiment.summary, CODE.id)
    remembering = Remembering(Side, "Coder 1.5B", drafts_now)
    found = sweep_finding(result, remembering, is_complete=experiment.is_complete)
    assert found is not None
    return found


def test_short_answers_speak_for_nothing() -> None:
    found = finding_of(
        experiment_of(ExperimentKind.SWEEP, sweep_variants(2), repeats=3, answers=lambda _: ANSWER[:9])
    )
    assert (found.headline, found.note, found.tone) == (
        "Too short to tell",
        "a speed over only 9 tokens",
        "text",
    )
    assert plain(found.sentence).startswith("The answers are too short to compare their speeds. ")
    assert offers(found) == ["Turn off"]


def offers(found: Finding) -> list[str]:
    """The buttons' words, the advised one's with a star."""
    return [offer.text + ("*" if offer.is_advised else "") for offer in found.offers]


def busy(speeds: Callable[[PlannedRun], float]) -> Experiment:
    return experiment_of(ExperimentKind.SWEEP, sweep_variants(2, lookup=False), repeats=3, speeds=speeds)


def automatic_sweep(rates: tuple[float, ...], automatic: float) -> Experiment:
    """Off at 8.2 tok/s, draft lengths 1, 2, 3 … at `rates`, and the automatic one."""
    variants = (*sweep_variants(len(rates), lookup=False), AUTO)
    by_id = dict(zip((each.id for each in variants), (8.2, *rates, automatic), strict=True))
    return experiment_of(
        ExperimentKind.SWEEP,
        variants,
        repeats=3,
        speeds=lambda planned: by_id[planned.variant] * (1 + 0.001 * planned.repeat),
    )


def test_the_best_is_told_with_its_figures_and_advised() -> None:
    found = finding_of(sweep_experiment())
    assert (found.headline, found.note, found.tone) == ("1.9× as fast", "1.8 to 1.9, median of 3", "accent")
    assert plain(found.sentence) == (
        "Best here: Draft Model · max 5, 1.85× as fast as off: 15.4 against 8.3 tok/s. "
        "Output identical, 96 of 96 tokens."
    )
    assert offers(found) == ["Use this*"]
    assert found.model == "Coder 1.5B"


def test_neighbours_that_are_as_good_are_told() -> None:
    found = finding_of(sweep_experiment(rates=(10.0, 14.8, 15.0, 14.6), lookup=None))
    assert found.advice == "About as good: max 2 and 4."


@pytest.mark.parametrize(
    ("rates", "automatic", "advice"),
    [
        ((10.0, 14.8, 15.0, 14.6), 14.9, "About as good: automatic, and max 2 and 4."),
        ((10.0, 12.0, 15.0, 13.0), 14.9, "About as good: automatic."),
        ((10.0, 12.0, 15.0, 13.0), 14.0, ""),
        ((10.0, 12.0, 14.9, 13.0), 15.0, "About as good: max 3."),
    ],
)
def test_automatic_is_told_among_them(rates: tuple[float, ...], automatic: float, advice: str) -> None:
    assert finding_of(automatic_sweep(rates, automatic)).advice == advice


def test_automatic_is_named_where_it_is_the_best() -> None:
    found = finding_of(automatic_sweep((10.0, 12.0), 15.0))
    assert plain(found.sentence).startswith("Best here: Draft Model · automatic, 1.83× as fast as off: ")
    (offer,) = found.offers
    assert offer.side.variant == AUTO


def test_single_runs_are_cautioned_and_not_advised() -> None:
    found = finding_of(sweep_experiment(repeats=1))
    assert (found.headline, found.note) == ("1.9× as fast", "one run each: repeat to be sure")
    assert offers(found) == ["Use this"]


def test_what_was_stopped_is_not_advised() -> None:
    found = finding_of(sweep_experiment(ended_runs=28))
    assert plain(found.sentence).endswith(" Stopped early.")
    assert offers(found) == ["Use this"]


def test_where_all_are_slower_off_is_best() -> None:
    found = finding_of(sweep_experiment(rates=(7.0, 6.0), lookup=6.5))
    assert (found.headline, found.tone) == ("Off is best", "warning")
    assert plain(found.sentence).startswith(
        "Everything is slower than off here; the fastest, Draft Model · max 1, is 0.85× as fast."
    )
    assert offers(found) == ["Turn off*"]
    assert offers(finding_of(sweep_experiment(rates=(7.0, 6.0), lookup=6.5), drafts_now=False)) == []


def test_before_all_have_run_nothing_is_said_of_all() -> None:
    found = finding_of(sweep_experiment(rates=(7.0, 6.0, 9.0), lookup=None, repeats=1, ended_runs=3))
    assert (found.headline, found.tone) == ("No gain so far", "text")
    assert "Everything" not in plain(found.sentence)
    assert plain(found.sentence).startswith(
        "Nothing tried so far beats off; the fastest, Draft Model · max 1, "
    )
    assert offers(found) == ["Turn off"]


def test_what_is_even_is_turned_off_where_it_costs_memory() -> None:
    found = finding_of(sweep_experiment(rates=(8.21, 8.0), lookup=None))
    assert (found.headline, found.tone) == ("No gain", "text")
    assert plain(found.sentence).startswith(
        "Nothing clearly beats off; the fastest, Draft Model · max 1, is 1.00× as fast."
    )
    assert offers(found) == ["Turn off*"]
    lookups = (OFF, *(lookup_variant(f"lookup max {most}", most) for most in (2, 4)))
    even = experiment_of(ExperimentKind.SWEEP, lookups, repeats=3, speeds=lambda planned: 8.0)
    assert offers(finding_of(even)) == ["Turn off"]


def test_a_busy_machine_advises_nothing() -> None:
    found = finding_of(busy(lambda planned: (8.0, 11.0, 14.0)[planned.repeat]))
    assert (found.headline, found.tone) == ("Too noisy to tell", "text")
    assert found.advice.startswith("The runs differ too much to tell.")
    assert offers(found) == ["Turn off"]


@pytest.mark.parametrize(
    ("rule", "near_tie", "is_advised"),
    [
        (AcceptanceRule.MATCH, True, True),
        (AcceptanceRule.MATCH, False, False),
        (AcceptanceRule.REJECTION, False, True),
        (AcceptanceRule.RATIO, True, False),
    ],
)
def test_another_text_is_never_advised(rule: AcceptanceRule, near_tie: bool, is_advised: bool) -> None:
    found = finding_of(
        experiment_of(
            ExperimentKind.SWEEP,
            (OFF, draft_variant("draft max 5", rule=rule)),
            repeats=3,
            answers=lambda planned: ANSWER if planned.variant == OFF.id else different(ANSWER),
            near_tie=near_tie,
        )
    )
    assert offers(found) == ["Use this*" if is_advised else "Use this"]
    assert found.tone == ("accent" if is_advised else "warning")
    assert found.advice == ("" if is_advised else "Faster, but not the same text: your choice.")


def test_before_off_has_run_nothing_is_found() -> None:
    assert (
        sweep_finding(sweep_result(sweep_variants(), (), CODE.id), Remembering(), is_complete=False) is None
    )
