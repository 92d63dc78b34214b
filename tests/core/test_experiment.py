"""Experiments: what they hold, and the way through a file."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from app.core.errors import OptionsError
from app.core.experiment import (
    FORMAT,
    NEAR_TIE,
    Experiment,
    ExperimentFileError,
    ExperimentKind,
    FirstDifference,
    Interval,
    Plan,
    from_json,
    reference_of,
    to_json,
)
from app.core.options import GenerationLimits, SamplingOptions
from tests.fakes.experiments import (
    CODE,
    DRAFTED,
    LOOKUP,
    OFF,
    experiment_of,
    prompt_experiment,
    run_of,
    suite_experiment,
    sweep_experiment,
    trace_of,
)

EXPERIMENTS = {
    "pair": prompt_experiment(),
    "differing": prompt_experiment(identical=False, near_tie=False),
    "single runs": prompt_experiment((8.0,), (9.0,)),
    "one token": prompt_experiment(tokens=1),
    "no tokens": prompt_experiment(tokens=0),
    "two drafts": prompt_experiment(variants=(DRAFTED, LOOKUP)),
    "stopped": prompt_experiment(ended_runs=3),
    "stopped at once": suite_experiment(ended_runs=1),
    "stopped before the reference": suite_experiment(ended_runs=10),
    "traced": prompt_experiment(traced=True),
    "suite": suite_experiment(identical=False),
    "sweep": sweep_experiment(),
    "alone": experiment_of(ExperimentKind.SUITE, (OFF,)),
}

Document = dict[str, Any]


def document() -> Document:
    """A whole file as it is decoded: two variants, a difference, and traces."""
    found: Document = json.loads(to_json(prompt_experiment(identical=False, traced=True)))
    return found


def refusal(content: bytes | Document) -> str:
    with pytest.raises(ExperimentFileError) as caught:
        from_json(content if isinstance(content, bytes) else json.dumps(content).encode())
    return str(caught.value)


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_an_experiment_survives_the_way_through_a_file(name: str) -> None:
    assert from_json(to_json(EXPERIMENTS[name])) == EXPERIMENTS[name]


def test_the_file_has_the_names_that_readers_rely_on() -> None:
    found = document()
    assert found["format"] == FORMAT
    assert found["kind"] == "prompt"
    assert found["machine"]["processor"] == "Example CPU"
    assert found["target"]["file"] == "coder-1.5b-f16.gguf"
    assert [variant["id"] for variant in found["variants"]] == ["off", "draft"]
    assert found["variants"][1]["speculation"]["max_draft_tokens"] == 5
    run = found["runs"][0]
    assert (run["variant"], run["prompt"], run["repeat"]) == ("off", "code-quicksort", 0)
    assert (len(run["tokens"]), run["stats"]["stop_reason"]) == (96, "max_tokens")
    draft = found["summary"][1]
    assert set(draft["tok_per_s"]) == {"median", "min", "max"}
    assert set(draft["speedup_interval"]) == {"low", "high"}
    assert draft["identical"] is False
    assert draft["first_difference"]["position"] == 9
    assert found["totals"][1]["variant"] == "draft"
    assert found["memory"]["draft_bytes"] == {"draft": 500_000_000}


def test_half_a_character_in_a_prompt_does_not_keep_it_from_being_written() -> None:
    experiment = prompt_experiment((8.0,), (9.0,))
    halved = replace(experiment, prompts=(replace(CODE, text="half \ud83d of é"),))
    assert from_json(to_json(halved)).prompts[0].text == "half ? of é"
    assert from_json(to_json(halved)).runs == experiment.runs


def test_the_file_can_be_read_by_people() -> None:
    assert to_json(prompt_experiment()).startswith(b'{\n "created": 1750000000.0,\n "kind": "prompt",\n')


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"no JSON",
        b"[]",
        b"{}",
        b'{"format": 2}',
        b'{"format": "2", "runs": []}',
        b'{"format": 2, "runs": []}',
        b'{"model": "a chat", "messages": []}',
        b"\xff\xfe\x00",
        b"\x89PNG\r\n\x1a\n",
        b"[" * 100_000,
        b'{"runs":' + b"[" * 100_000,
        b"GGUF" + bytes(64),
    ],
)
def test_a_foreign_file_is_refused_in_words(content: bytes) -> None:
    assert refusal(content) == "This file is not a comparison of Slipstream."


def test_files_of_other_versions_are_told_apart() -> None:
    older, newer = document(), document()
    del older["format"]
    newer["format"] = FORMAT + 1
    newer["runs"] = {"other": "by then"}
    assert refusal(older) == "This comparison was written by an older version of Slipstream."
    assert refusal(newer) == "This comparison was written by a newer version of Slipstream."


SMALL = to_json(prompt_experiment((8.0,), (9.0,)))


@given(st.integers(0, len(SMALL) - 3))
def test_a_file_that_was_cut_off_is_refused(length: int) -> None:
    assert refusal(SMALL[:length]) == "This file is not a comparison of Slipstream."


class TestLookingThingsUp:
    def test_a_variant_by_its_id(self) -> None:
        assert prompt_experiment().variant("draft") == DRAFTED
        with pytest.raises(KeyError):
            prompt_experiment().variant("warp")

    def test_summaries_and_runs_of_a_place(self) -> None:
        experiment = suite_experiment(ended_runs=7)
        found = experiment.summary_of("off", CODE.id)
        assert found is not None
        assert (found.variant, found.prompt, found.runs) == ("off", CODE.id, 2)
        assert experiment.summary_of("draft", "copy-letter") is None
        assert [run.repeat for run in experiment.runs_of("lookup", CODE.id)] == [0, 1]
        assert experiment.runs_of("lookup", "copy-letter") == ()


def test_the_reference_is_plain_generation_or_else_the_first() -> None:
    assert reference_of((DRAFTED, OFF, LOOKUP)) == OFF
    assert reference_of((LOOKUP, DRAFTED)) == LOOKUP


def test_a_plan_finds_its_variants_and_checks_itself() -> None:
    plan = Plan(ExperimentKind.PROMPT, (OFF, DRAFTED), (CODE,), 1, SamplingOptions(), GenerationLimits())
    plan.check()
    assert plan.variant("draft") == DRAFTED
    with pytest.raises(OptionsError, match="A mode is named twice"):
        replace(plan, variants=(OFF, OFF)).check()


def test_logits_that_are_close_are_a_near_tie() -> None:
    bare = FirstDifference(3, 10, 20)
    assert bare.near_tie is None
    assert bare.with_logits(14.2, 14.2 - NEAR_TIE / 2).near_tie is True
    assert bare.with_logits(14.2, 14.2 - NEAR_TIE * 2).near_tie is False
    assert bare.with_logits(14.2 - NEAR_TIE * 2, 14.2).near_tie is False
    filled = bare.with_texts(" a", " b", 17).with_logits(1.0, 1.25)
    assert filled == FirstDifference(3, 10, 20, " a", " b", 1.0, 1.25, True, 17)


def test_an_interval_contains_its_bounds() -> None:
    interval = Interval(0.98, 1.04)
    assert [interval.contains(value) for value in (0.97, 0.98, 1.0, 1.04, 1.05)] == [
        False,
        True,
        True,
        True,
        False,
    ]


def test_experiments_on_paper_are_what_their_runs_say() -> None:
    experiment: Experiment = prompt_experiment(traced=True)
    (trace,) = experiment.traces
    assert trace == trace_of(DRAFTED)
    assert sum(round_.stats.emitted for round_ in trace.rounds) == 96
    tokens = [
        token
        for round_ in trace.rounds
        for token in (*(each.token for each in round_.proposed[: round_.accepted]), round_.next_token)
    ]
    assert tuple(tokens) == experiment.runs_of("draft", CODE.id)[0].tokens
    assert run_of(DRAFTED, 16.6).stats.tok_per_s == pytest.approx(16.6)
