"""The way of experiments through a file, and back from one that may be anybody's."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from app.core.experiment import Experiment, ExperimentKind
from app.core.experiment_file import (
    FORMAT,
    ExperimentFileError,
    FileProblem,
    from_json,
    is_read,
    to_json,
)
from app.core.options import DraftLength
from tests.fakes.experiments import (
    AUTO,
    CODE,
    DRAFTED,
    LOOKUP,
    OFF,
    experiment_of,
    prompt_experiment,
    suite_experiment,
    sweep_experiment,
    written_by,
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
    "automatic": suite_experiment((OFF, DRAFTED, AUTO)),
    "alone": experiment_of(ExperimentKind.SUITE, (OFF,)),
}

Document = dict[str, Any]


def document() -> Document:
    """A whole file as it is decoded: two variants, a difference, and traces."""
    found: Document = json.loads(to_json(prompt_experiment(identical=False, traced=True)))
    return found


def of_format_2(experiment: Experiment) -> bytes:
    """The file as it was written when every draft length was fixed."""
    found = json.loads(written_by(2, experiment))
    for variant in found["variants"]:
        del variant["speculation"]["draft_length"]
        del variant["speculation"]["draft_ceiling"]
    for run in found["runs"]:
        del run["stats"]["plain_s"]
    return json.dumps(found).encode()


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
        b'{"format": 3}',
        b'{"format": "2", "runs": []}',
        b'{"format": 2, "runs": []}',
        b'{"format": 3, "runs": []}',
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


@pytest.mark.parametrize("version", [FORMAT - 2, FORMAT + 1])
def test_another_version_is_told_even_where_it_looks_the_same(version: int) -> None:
    age = "a newer" if version > FORMAT else "an older"
    found = refusal(written_by(version, prompt_experiment()))
    assert found == f"This comparison was written by {age} version of Slipstream."


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_what_was_written_before_lengths_could_be_automatic_is_read(name: str) -> None:
    found = from_json(of_format_2(EXPERIMENTS[name]))
    fixed = tuple(
        replace(each, speculation=replace(each.speculation, draft_length=DraftLength.FIXED))
        if each.drafts
        else each
        for each in EXPERIMENTS[name].variants
    )
    assert found == replace(EXPERIMENTS[name], variants=fixed)


def test_a_damaged_file_of_the_format_before_is_told_from_one_that_is_too_old() -> None:
    older = of_format_2(prompt_experiment()).replace(b'"repeats":', b'"repents":')
    assert refusal(older) == "This file is damaged: a part of it is missing or cannot be read."


def test_two_formats_are_read() -> None:
    assert [format_ for format_ in range(6) if is_read(format_)] == [2, 3]


SMALL = to_json(prompt_experiment((8.0,), (9.0,)))


RECOGNISED = SMALL.index(b'"machine"')  # by how it begins


@given(st.integers(RECOGNISED, len(SMALL) - 3))
def test_a_file_that_was_cut_off_is_damaged(length: int) -> None:
    with pytest.raises(ExperimentFileError) as caught:
        from_json(SMALL[:length])
    assert caught.value.problem is FileProblem.DAMAGED
    assert str(caught.value) == "This file is damaged: a part of it is missing or cannot be read."


@pytest.mark.parametrize(
    "content",
    [
        SMALL[:500] + b"\xff" + SMALL[501:],
        SMALL.replace(b'"runs"', b'"rums"'),
        SMALL.replace(b'"repeats": 1', b'"repeats": "one"'),
        SMALL[:500] + bytes(100) + SMALL[600:],
    ],
    ids=["a byte", "a name", "a kind of value", "zeros"],
)
def test_so_is_one_with_a_part_that_cannot_be_read(content: bytes) -> None:
    assert refusal(content) == "This file is damaged: a part of it is missing or cannot be read."


@given(st.integers(0, SMALL.index(b'"kind"')))
def test_of_a_mere_beginning_nobody_can_tell(length: int) -> None:
    assert refusal(SMALL[:length]) == "This file is not a comparison of Slipstream."
