"""The command line, from arguments to exit codes, on tiny real models."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from app.cli import main
from app.paths import resource
from tests.fakes.commands import FAST, failure
from tests.fakes.tiny_gguf import (
    byte_vocabulary,
    write_embedding_model,
    write_llama,
    write_mamba,
)

pytestmark = pytest.mark.usefixtures("home")


class TestCheck:
    def test_a_fitting_draft(self, capsys: pytest.CaptureFixture[str], target: str, draft: str) -> None:
        assert main(["check", "--target", target, "--draft", draft]) == 0
        assert "compatible" in capsys.readouterr().out

    def test_a_draft_that_does_not_fit(
        self, capsys: pytest.CaptureFixture[str], target: str, tmp_path: Path
    ) -> None:
        other = write_llama(tmp_path / "other.gguf", vocabulary=byte_vocabulary(changes={139: "unlike"}))
        assert main(["check", "--target", target, "--draft", str(other)]) == 3
        assert "differs at token 139" in capsys.readouterr().out
        assert main(["check", "--target", target, "--draft", str(other), "--json"]) == 3
        found = json.loads(capsys.readouterr().out)
        assert found["compatible"] is False
        assert found["details"]["token"] == 139

    def test_a_file_that_is_no_model(
        self, capsys: pytest.CaptureFixture[str], target: str, tmp_path: Path
    ) -> None:
        odd = tmp_path / "odd.gguf"
        odd.write_bytes(b"<!doctype html>")
        assert "odd.gguf" in failure(capsys, "check", "--target", target, "--draft", str(odd))


class TestInfoAndEstimate:
    def test_info_names_what_the_file_says(self, capsys: pytest.CaptureFixture[str], target: str) -> None:
        assert main(["info", target]) == 0
        out = capsys.readouterr().out
        for word in ("llama", "512 tokens", "F32", "chat template", "yes"):
            assert word in out

    def test_info_as_json(self, capsys: pytest.CaptureFixture[str], target: str) -> None:
        assert main(["info", target, "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["architecture"] == "llama"

    def test_an_embedding_model_is_refused_in_words(
        self, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        path = write_embedding_model(tmp_path / "bert.gguf")
        assert "bert.gguf" in failure(capsys, "info", str(path))

    def test_the_estimate_counts_the_draft_and_says_whether_it_fits(
        self, capsys: pytest.CaptureFixture[str], target: str, draft: str
    ) -> None:
        assert main(["estimate", "--target", target, "--draft", draft, "--ctx", "512"]) == 0
        out = capsys.readouterr().out
        for word in ("weights", "KV cache", "target", "draft", "Both", "It fits"):
            assert word in out

    def test_the_estimate_as_json(self, capsys: pytest.CaptureFixture[str], target: str, draft: str) -> None:
        assert main(["estimate", "--target", target, "--draft", draft, "--ctx", "512", "--json"]) == 0
        both = json.loads(capsys.readouterr().out)
        assert main(["estimate", "--target", target, "--ctx", "512", "--json"]) == 0
        alone = json.loads(capsys.readouterr().out)
        assert both["total_bytes"] > alone["total_bytes"] > 0
        assert both["complete"] is True


class TestChat:
    def run(self, *arguments: str, said: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "app", "chat", *arguments, *FAST],
            input=said,
            capture_output=True,
            text=True,
            encoding="utf-8",
            cwd=resource("").parent,
            timeout=120,
            check=False,
        )

    def test_each_line_is_answered_with_figures_below(self, target: str, draft: str) -> None:
        arguments = ["--target", target, "--draft", draft, "--policy", "fixed", "--max-tokens", "12"]
        done = self.run(*arguments, "--temperature", "0", said="Hello?\nAnd then?\n")
        assert done.returncode == 0
        assert done.stdout.count("tok/s") == 2
        assert done.stdout.count("accepted") == 2
        assert done.stderr == ""
        assert "\x1b" not in done.stdout, "no colours where nobody looks"

    @pytest.mark.parametrize("source", ["draft", "lookup"])
    @pytest.mark.parametrize("policy", ["auto", "fixed"])
    def test_a_draft_length_is_the_programs_or_the_persons(
        self, target: str, draft: str, source: str, policy: str
    ) -> None:
        given = ["--draft", draft] if source == "draft" else ["--lookup"]
        arguments = ["--target", target, *given, "--policy", policy, "--max-tokens", "12"]
        done = self.run(*arguments, "--temperature", "0", said="Hello?\n")
        assert (done.returncode, done.stderr) == (0, "")
        assert "tok/s" in done.stdout

    def test_numbers_of_a_fixed_length_ask_for_one(self, target: str) -> None:
        done = self.run("--target", target, "--lookup", "--draft-min", "2", said="")
        assert (done.returncode, done.stdout) == (1, "")
        assert "add --policy fixed" in done.stderr

    def test_a_draft_that_does_not_fit_is_named_and_the_chat_goes_on(
        self, target: str, tmp_path: Path
    ) -> None:
        other = write_llama(tmp_path / "other.gguf", vocabulary=byte_vocabulary(size=429))
        done = self.run("--target", target, "--draft", str(other), "--max-tokens", "4", said="Hello?\n")
        assert done.returncode == 0
        assert "sizes differ by 129" in done.stderr
        assert "tok/s" in done.stdout

    def test_a_target_that_cannot_be_drafted_for_says_so_once(self, draft: str, tmp_path: Path) -> None:
        mamba = str(write_mamba(tmp_path / "mamba.gguf"))
        done = self.run("--target", mamba, "--draft", draft, "--max-tokens", "4", said="Hello?\n")
        assert done.returncode == 0
        assert done.stderr.count("without speculation") == 1

    def test_a_question_that_is_too_long_is_refused_and_the_chat_goes_on(self, target: str) -> None:
        done = self.run("--target", target, "--max-tokens", "4", said="word " * 400 + "\nHello?\n")
        assert done.returncode == 0
        assert "Shorten the conversation" in done.stderr
        assert done.stdout.count("tok/s") == 1

    @pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT")
    def test_ctrl_c_ends_the_answer_and_not_the_program(self, target: str) -> None:
        command = [sys.executable, "-m", "app", "chat", "--target", target, "--threads", "1"]
        with subprocess.Popen(
            [*command, "--ctx", "32768"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=resource("").parent,
        ) as child:
            assert child.stdin is not None
            assert child.stdout is not None
            child.stdin.write(b"Go on for ever.\n")
            child.stdin.flush()
            assert child.stdout.read(20), "the answer has begun"
            child.send_signal(signal.SIGINT)
            out, err = child.communicate(timeout=60)
        assert child.returncode == 0
        assert b"stopped" in out
        assert err == b""

    def test_a_missing_file_is_one_line_without_a_traceback(self, tmp_path: Path) -> None:
        done = self.run("--target", str(tmp_path / "gone.gguf"), said="")
        assert done.returncode == 1
        assert done.stderr.count("\n") == 1
        assert "gone.gguf" in done.stderr


def test_wrong_usage_is_exit_code_two(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["bench"])
    assert caught.value.code == 2
    assert "--target" in capsys.readouterr().err


def test_without_a_command_the_help_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    assert "bench" in capsys.readouterr().out


def test_only_the_command_that_runs_is_imported() -> None:
    heavy = ("llama_cpp", "huggingface_hub", "httpx2", "numpy", "PySide6")
    program = (
        "import contextlib, io, sys, app.cli\n"
        "with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):\n"
        "    app.cli.main(['--help'])\n"
        f"print(sorted(set(sys.modules) & set({heavy!r})))"
    )
    shown = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"
