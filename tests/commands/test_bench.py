"""`slipstream bench`, from arguments to the table and the file, on tiny real models."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from app.cli import main
from app.core.experiment import ExperimentKind
from app.core.experiment_file import from_json
from tests.fakes.commands import FAST, failure
from tests.fakes.tiny_gguf import byte_vocabulary, write_llama, write_mamba

pytestmark = pytest.mark.usefixtures("home")


@pytest.fixture
def prompt(tmp_path: Path) -> str:
    path = tmp_path / "river.txt"
    path.write_text("Where does the river end?", encoding="utf-8")
    return str(path)


@pytest.fixture
def result(tmp_path: Path, target: str, draft: str, prompt: str) -> dict[str, Any]:
    out = tmp_path / "out.json"
    arguments = ["bench", "--target", target, "--draft", draft, "--prompt-file", prompt, *FAST]
    assert main([*arguments, "--max-tokens", "24", "--repeat", "3", "--json", str(out)]) == 0
    found: dict[str, Any] = json.loads(out.read_text(encoding="utf-8"))
    return found


def test_runs_are_interleaved(result: dict[str, Any]) -> None:
    assert [run["variant"] for run in result["runs"]] == [
        "off",
        "draft",
        "lookup",
        "auto",
        "auto",
        "lookup",
        "draft",
        "off",
        "off",
        "draft",
        "lookup",
        "auto",
    ]
    assert [run["repeat"] for run in result["runs"]] == [0] * 4 + [1] * 4 + [2] * 4


def test_the_modes_differ_in_source_and_in_who_decides_the_length(result: dict[str, Any]) -> None:
    found = {each["id"]: (each["speculation"], each["draft"] is not None) for each in result["variants"]}
    chosen = {
        id_: (options["mode"], options["draft_length"], has_draft)
        for id_, (options, has_draft) in found.items()
        if id_ != "off"
    }
    assert chosen == {
        "draft": ("draft", "fixed", True),
        "lookup": ("lookup", "fixed", False),
        "auto": ("draft", "auto", True),
    }
    assert found["draft"][0]["max_draft_tokens"] == 3
    assert found["auto"][0]["draft_ceiling"] == 16


def test_each_run_has_its_tokens_text_and_figures(result: dict[str, Any]) -> None:
    for run in result["runs"]:
        assert run["prompt"] == "river"
        assert len(run["tokens"]) == run["stats"]["generated_tokens"] == 24
        assert run["stats"]["stop_reason"] == "max_tokens"
        assert set(run["stats"]) >= {
            "prompt_tokens",
            "prompt_s",
            "time_to_first_token_s",
            "decode_s",
            "tok_per_s",
            "rounds",
            "drafted",
            "tested",
            "ignored",
            "accepted",
            "accepted_by_position",
            "acceptance_rate",
            "share_from_draft",
            "mean_accepted_length",
            "draft_s",
            "verify_s",
            "sample_s",
            "peak_rss_bytes",
        }


def test_the_summary_compares_with_off(result: dict[str, Any]) -> None:
    by_variant = {summary["variant"]: summary for summary in result["summary"]}
    assert set(by_variant) == {"off", "draft", "lookup", "auto"}
    for summary in by_variant.values():
        assert summary["identical"] is True
        assert summary["first_difference"] is None
        assert set(summary["tok_per_s"]) == {"median", "min", "max"}
    assert by_variant["off"]["speedup"] == 1.0
    assert by_variant["draft"]["acceptance_rate"] > 0
    assert set(by_variant["draft"]["speedup_interval"]) == {"low", "high"}


def test_machine_and_memory_are_named(result: dict[str, Any]) -> None:
    assert result["machine"]["processor"]
    memory = result["memory"]
    assert memory["peak_rss_bytes"] > memory["target_bytes"] > 0
    assert set(memory["draft_bytes"]) == {"draft", "auto"}


def test_models_are_named_without_their_folders(result: dict[str, Any], tmp_path: Path) -> None:
    draft = next(variant["draft"] for variant in result["variants"] if variant["id"] == "draft")
    for model, file in ((result["target"], "target.gguf"), (draft, "draft.gguf")):
        assert (model["file"], len(model["header_digest"])) == (file, 64)
    assert str(tmp_path) not in json.dumps(result)


def test_the_file_can_be_opened_as_a_comparison(
    result: dict[str, Any], tmp_path: Path, target: str, prompt: str
) -> None:
    experiment = from_json((tmp_path / "out.json").read_bytes())
    assert (experiment.kind, experiment.repeats) == (ExperimentKind.SUITE, 3)
    assert experiment.is_complete
    out = tmp_path / "pair.json"
    arguments = ["bench", "--target", target, "--prompt-file", prompt, *FAST, "--max-tokens", "2"]
    assert main([*arguments, "--modes", "off,lookup", "--json", str(out)]) == 0
    assert from_json(out.read_bytes()).kind is ExperimentKind.PROMPT, "two variants on one prompt"


def test_the_table_is_printed(
    capsys: pytest.CaptureFixture[str], target: str, draft: str, prompt: str
) -> None:
    arguments = ["bench", "--target", target, "--draft", draft, "--prompt-file", prompt, *FAST]
    assert main([*arguments, "--max-tokens", "8"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    for word in ("river", "off", "draft", "lookup", "auto", "tok/s", "speed-up", "identical"):
        assert word in out


def test_repeats_give_the_speed_up_an_interval(
    capsys: pytest.CaptureFixture[str], target: str, prompt: str
) -> None:
    arguments = ["bench", "--target", target, "--prompt-file", prompt, *FAST, "--max-tokens", "8"]
    assert main([*arguments, "--repeat", "3"]) == 0
    out = capsys.readouterr().out
    assert re.search(r"lookup .*\d× \(\d+\.\d\d–\d+\.\d\d\)", out)
    assert "95 % confidence" in out


def test_the_table_as_markdown(capsys: pytest.CaptureFixture[str], target: str, prompt: str) -> None:
    arguments = ["bench", "--target", target, "--prompt-file", prompt, *FAST, "--max-tokens", "2"]
    assert main([*arguments, "--markdown"]) == 0
    assert "| river | lookup | " in capsys.readouterr().out


def test_a_rule_that_changes_the_output_is_named_as_such(
    capsys: pytest.CaptureFixture[str], target: str, draft: str, prompt: str
) -> None:
    arguments = ["bench", "--target", target, "--draft", draft, "--prompt-file", prompt, *FAST]
    assert main([*arguments, "--max-tokens", "24", "--accept", "top-k", "--among", "40"]) == 0
    out = capsys.readouterr().out
    assert "“top-k” changes the output" in out
    assert "instead of" in out, "the first difference is shown with both tokens"
    assert "logit" in out


def test_without_a_draft_model_the_other_modes_are_compared(
    capsys: pytest.CaptureFixture[str], target: str, prompt: str
) -> None:
    assert main(["bench", "--target", target, "--prompt-file", prompt, *FAST, "--max-tokens", "4"]) == 0
    assert "draft " not in capsys.readouterr().out.split("over all")[0]


@pytest.mark.parametrize(
    ("arguments", "ids"),
    [
        (["--modes", "off,auto"], ["off", "lookup auto"]),
        (["--modes", "off,auto", "--draft"], ["off", "auto"]),
        (["--policy", "auto", "--draft"], ["off", "auto", "lookup auto"]),
        (["--policy", "auto"], ["off", "lookup auto"]),
        ([], ["off", "lookup", "lookup auto"]),
    ],
)
def test_what_is_automatic_is_called_so(
    target: str, draft: str, prompt: str, tmp_path: Path, arguments: list[str], ids: list[str]
) -> None:
    given = [*arguments, draft] if arguments[-1:] == ["--draft"] else arguments
    out = tmp_path / "out.json"
    common = ["bench", "--target", target, "--prompt-file", prompt, *FAST, "--max-tokens", "2"]
    assert main([*common, *given, "--json", str(out)]) == 0
    assert [variant.id for variant in from_json(out.read_bytes()).variants] == ids


def test_the_maximum_is_that_of_fixed_lengths_and_of_the_automatic_one(
    target: str, prompt: str, tmp_path: Path
) -> None:
    out = tmp_path / "out.json"
    arguments = ["bench", "--target", target, "--prompt-file", prompt, *FAST, "--max-tokens", "2"]
    assert main([*arguments, "--draft-max", "6", "--json", str(out)]) == 0
    found = from_json(out.read_bytes())
    assert [variant.speculation.longest for variant in found.variants if variant.drafts] == [6, 6]
    assert found.load.longest_draft == 6, "the target is prepared for no longer drafts"


def test_asking_for_a_draft_without_one_fails(capsys: pytest.CaptureFixture[str], target: str) -> None:
    assert "--draft" in failure(capsys, "bench", "--target", target, "--modes", "off,draft")


def test_a_draft_that_does_not_fit_fails_with_the_reason(
    capsys: pytest.CaptureFixture[str], target: str, tmp_path: Path, prompt: str
) -> None:
    other = write_llama(tmp_path / "other.gguf", vocabulary=byte_vocabulary(changes={139: "unlike"}))
    arguments = ["bench", "--target", target, "--draft", str(other), "--prompt-file", prompt, *FAST]
    assert "differs at token 139" in failure(capsys, *arguments)


def test_a_target_that_cannot_be_drafted_for_runs_plain_and_says_why(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, prompt: str
) -> None:
    mamba = str(write_mamba(tmp_path / "mamba.gguf"))
    assert main(["bench", "--target", mamba, "--prompt-file", prompt, *FAST, "--max-tokens", "4"]) == 0
    assert "without speculation" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--modes", "off,warp"], "warp"),
        (["--suite", "nonsense"], "nonsense"),
        (["--repeat", "0"], "repeats"),
        (["--draft-max", "2", "--draft-min", "3"], "min draft tokens"),
        (["--policy", "auto", "--draft-min", "2"], "--policy fixed"),
        (["--policy", "auto", "--draft-p-min", "0.5"], "--policy fixed"),
        (["--policy", "auto", "--modes", "lookup,auto"], "named twice"),
        (["--temperature", "-1"], "temperature"),
        (["--ctx", "3"], "context length"),
        (["--prompt-file", "/no/such/file"], "/no/such/file"),
        (["--grammar", "/no/such/file"], "/no/such/file"),
    ],
)
def test_what_cannot_be_done_is_one_line(
    capsys: pytest.CaptureFixture[str], target: str, arguments: list[str], words: str
) -> None:
    assert words in failure(capsys, "bench", "--target", target, *arguments)


def test_a_result_that_cannot_be_written_is_one_line(
    capsys: pytest.CaptureFixture[str], target: str, prompt: str, tmp_path: Path
) -> None:
    arguments = ["bench", "--target", target, "--prompt-file", prompt, *FAST, "--max-tokens", "2"]
    assert str(tmp_path) in failure(capsys, *arguments, "--json", str(tmp_path))
