"""Files that nobody could show: each is refused, none is opened to crash the window later."""

import json
from typing import Any

import pytest
from msgspec.structs import replace

from app.core.experiment import Experiment, ExperimentKind
from app.core.experiment_check import inconsistency
from app.core.experiment_file import ExperimentFileError, from_json, to_json
from tests.fakes.experiments import prompt_experiment, suite_experiment, sweep_experiment

Document = dict[str, Any]


def document() -> Document:
    """A whole file as it is decoded: two variants, a difference, and traces."""
    found: Document = json.loads(to_json(prompt_experiment(identical=False, traced=True)))
    return found


def refusal(content: bytes | Document) -> str:
    with pytest.raises(ExperimentFileError) as caught:
        from_json(content if isinstance(content, bytes) else json.dumps(content).encode())
    return str(caught.value)


def changed(path: str, value: object) -> Document:
    """The document with something else under keys and indices separated by dots."""
    found: Document = document()
    *way, last = (int(step) if step.isdigit() else step for step in path.split("."))
    place: Any = found
    for step in way:
        place = place[step]
    place[last] = value
    return found


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("variants", []),
        ("prompts", []),
        ("runs", []),
        ("summary", []),
        ("totals", []),
        ("repeats", 0),
        ("variants.1.id", "off"),
        ("variants.1.id", "other"),
        ("prompts.0.id", "other"),
        ("runs.1.variant", "warp"),
        ("runs.1.prompt", "warp"),
        ("runs.2.repeat", 0),
        ("runs.0.repeat", -1),
        ("runs.0.tokens", [5, -1, 7]),
        ("summary.1.variant", "warp"),
        ("summary.1.variant", "off"),
        ("summary.1.runs", 7),
        ("totals.1.variant", "off"),
        ("memory.draft_bytes", {"warp": 1}),
        ("traces.0.variant", "warp"),
        ("variants.1.speculation.max_draft_tokens", 1000),
        ("sampling.top_p", 7),
        ("limits.max_tokens", -1),
        ("load.context_length", -5),
    ],
)
def test_what_does_not_belong_together(path: str, value: object) -> None:
    sentence = refusal(changed(path, value))
    assert sentence.startswith("This comparison cannot be shown: ")
    assert sentence.endswith(".")


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("created", 1e300),
        ("created", 1e14),
        ("created", -1.0),
        ("created", 9.4e8),  # 1999
        ("created", 7.3e9),  # 2201
        ("runs.0.tokens", [5, 10**16, 7]),
        ("runs.1.spans.0.2", 10**16),  # the round, then position, length and probability
        ("runs.1.spans.0.2", 0),
        ("runs.1.spans.0.3", 10**16),
        ("runs.1.spans.0.1", 10**16),
        ("runs.1.spans.0.4", 1.5),
        ("machine.memory_bytes", 10**400),
        ("runs.0.stats.tok_per_s", 0.0),
        ("runs.0.stats.tok_per_s", -4.0),
        ("runs.0.stats.decode_s", -1.0),
        ("runs.0.stats.accepted", 10**6),
        ("runs.0.stats.tested_by_position", [1]),
        ("runs.1.stats.accepted_by_position", [99, 1, 1, 1, 1]),
        ("runs.1.stats.acceptance_rate", 1.5),
        ("summary.0.tok_per_s.min", 0.0),
        ("summary.0.tok_per_s.median", 99.0),
        ("summary.1.speedup", 0.0),
        ("summary.1.speedup", -1.0),
        ("summary.1.speedup_interval.low", 3.0),
        ("summary.1.speedup_interval", {"low": 0.0, "high": 1.0}),
        ("summary.1.tested", -1),
        ("summary.1.acceptance_rate", -0.1),
        ("summary.1.first_difference.position", 97),
        ("summary.1.first_difference.position", -1),
        ("summary.1.first_difference.text_position", -1),
        ("summary.1.first_difference.found_logit", 1e30),
        ("summary.1.first_difference.margin", -0.1),
        ("totals.1.speedup", 0.0),
        ("totals.1.peak_rss_bytes", -1),
        ("traces.0.rounds.1.accepted", 99),
        ("traces.0.rounds.1.tested.0.target_probability", 1.01),
        ("traces.0.rounds.1.tested.0.luck", -0.1),
        ("traces.0.rounds.1.tested.0.target_rank", -1),
        ("traces.0.rounds.1.stats.draft_s", -1.0),
    ],
)
def test_figures_that_cannot_be_true(path: str, value: object) -> None:
    assert refusal(changed(path, value)).startswith("This comparison cannot be shown: ")


@pytest.mark.parametrize("word", ["NaN", "Infinity", "1e999", "null"])
def test_figures_that_are_no_numbers(word: str) -> None:
    content = to_json(prompt_experiment()).replace(b'"created": 1750000000.0', b'"created": ' + word.encode())
    assert refusal(content) == "This file is not a comparison of Slipstream."


def test_two_ways_side_by_side_are_two() -> None:
    three = replace(suite_experiment(), kind=ExperimentKind.PROMPT)
    assert "side by side" in refusal(to_json(three))


def test_a_sweep_is_of_one_prompt() -> None:
    assert "one prompt" in refusal(to_json(replace(suite_experiment(), kind=ExperimentKind.SWEEP)))


@pytest.mark.parametrize(
    "experiment",
    [
        prompt_experiment(identical=False, traced=True),
        prompt_experiment(tokens=0),
        suite_experiment(ended_runs=1),
        sweep_experiment(),
    ],
)
def test_what_was_measured_holds_together(experiment: Experiment) -> None:
    assert inconsistency(experiment) is None
