"""`slipstream get`, as a process of its own: what it fetches, what it says, how it goes on."""

import re
import signal
import sys
import time
from pathlib import Path

import pytest

from tests.fakes.command_line import PATIENCE, CommandLine
from tests.fakes.hub_content import GeneratedContent
from tests.fakes.hub_faults import Fault
from tests.fakes.hub_server import TOKEN, HubServer
from tests.fakes.tiny_gguf import byte_vocabulary, write_llama

REPO = "team/alpha-7B-GGUF"
SMALL, USUAL = "alpha-7B-Q2_K.gguf", "alpha-7B-Q4_K_M.gguf"
MODEL = GeneratedContent(40_000_001, seed=3)
CONNECTIONS, BLOCK = 4, 4 << 20  # of a transfer

TARGET, DRAFT = "team/Llama-3.1-8B-Instruct-GGUF", "team/Llama-3.2-1B-Instruct-GGUF"

interrupts = pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT")


@pytest.fixture(autouse=True)
def model(hub: HubServer) -> None:
    hub.add_model(
        REPO,
        {
            SMALL: b"GGUF\x03\0\0\0 small",
            USUAL: MODEL,
            "alpha-7B-Q3_K_L-00001-of-00002.gguf": b"GGUF\x03\0\0\0 first",
            "alpha-7B-Q3_K_L-00002-of-00002.gguf": b"GGUF\x03\0\0\0 second",
            "mmproj-alpha-7B-f16.gguf": b"GGUF\x03\0\0\0 eye",
        },
        architecture="llama",
        parameters=7_240_000_000,
    )


def contents(folder: Path) -> dict[str, bytes]:
    """All files below a folder."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


def whole(content: GeneratedContent) -> bytes:
    return content.read(0, content.size)


def wait_for_ranges(notes: Path, count: int) -> None:
    """Waits until an unfinished file's notes, of which the first line is a head, name so many ranges."""
    deadline = time.monotonic() + PATIENCE
    while not notes.exists() or notes.read_text(encoding="utf-8").count("\n") <= count:
        assert time.monotonic() < deadline, "nothing comes"
        time.sleep(0.02)


class TestChoosing:
    def test_without_a_name_the_recommended_file_comes_with_the_reason(self, slipstream: CommandLine) -> None:
        done = slipstream.run("get", REPO)
        assert done.returncode == 0
        path = slipstream.models / REPO / USUAL
        assert done.stdout == f"{path}\n"
        assert path.read_bytes() == whole(MODEL)
        assert f"Recommended: {USUAL}, 40.0 MB, " in done.stderr
        assert list(contents(slipstream.models)) == [f"{REPO}/{USUAL}"], "nothing else is left"

    @pytest.mark.parametrize(
        "arguments",
        [
            (REPO, "q2_k"),
            (REPO, SMALL),
            (REPO, "alpha-7b-q2_k"),
            (REPO, "Q2"),
            (f"{REPO}:Q2_K",),
            (f"https://huggingface.co/{REPO}/blob/main/{SMALL}",),
        ],
    )
    def test_a_file_is_named_in_many_ways(self, slipstream: CommandLine, arguments: tuple[str, ...]) -> None:
        done = slipstream.run("get", *arguments)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout == f"{slipstream.models / REPO / SMALL}\n"

    def test_an_address_of_the_hub_that_is_asked_is_understood(
        self, hub: HubServer, slipstream: CommandLine
    ) -> None:
        done = slipstream.run("get", f"{hub.endpoint}/{REPO}/blob/main/{SMALL}")
        assert done.stdout == f"{slipstream.models / REPO / SMALL}\n"

    def test_a_split_set_comes_whole_and_its_first_part_is_named(
        self, slipstream: CommandLine, tmp_path: Path
    ) -> None:
        done = slipstream.run("get", REPO, "Q3_K_L", "--folder", str(tmp_path / "here"))
        assert done.stdout == f"{tmp_path / 'here' / 'alpha-7B-Q3_K_L-00001-of-00002.gguf'}\n"
        assert set(contents(tmp_path / "here")) == {
            "alpha-7B-Q3_K_L-00001-of-00002.gguf",
            "alpha-7B-Q3_K_L-00002-of-00002.gguf",
        }

    @pytest.mark.parametrize(
        ("name", "words", "absent"),
        [("alpha", "may be one of these", "nothing"), ("Q5_K_M", "has no file “Q5_K_M”", "nothing")],
    )
    def test_a_name_that_says_too_little_or_too_much_lists_the_choices(
        self, slipstream: CommandLine, name: str, words: str, absent: str
    ) -> None:
        done = slipstream.run("get", REPO, name)
        assert (done.returncode, done.stdout) == (1, "")
        assert words in done.stderr
        for shown in (SMALL, USUAL, "alpha-7B-Q3_K_L-00001-of-00002.gguf and 1 more", "40.0 MB"):
            assert shown in done.stderr

    def test_words_are_no_repository(self, slipstream: CommandLine) -> None:
        done = slipstream.run("get", "alpha")
        assert done.returncode == 1
        assert "slipstream search" in done.stderr

    @pytest.mark.parametrize(
        ("files", "words"),
        [({"x.safetensors": b""}, "has no GGUF files"), ({"x.gguf.part1of2": b"x"}, "cut into pieces")],
    )
    def test_a_repository_without_usable_files(
        self, hub: HubServer, slipstream: CommandLine, files: dict[str, bytes], words: str
    ) -> None:
        hub.add_model("team/odd", files)
        done = slipstream.run("get", "team/odd")
        assert done.returncode == 1
        assert words in done.stderr

    def test_a_renamed_repository_goes_by_its_new_name(self, hub: HubServer, slipstream: CommandLine) -> None:
        hub.rename(REPO, "team/better-7B-GGUF")
        done = slipstream.run("get", REPO, "Q2_K")
        assert done.stdout == f"{slipstream.models / 'team/better-7B-GGUF' / SMALL}\n"
        assert "is called team/better-7B-GGUF now" in done.stderr

    def test_the_models_folder_of_the_settings_is_used(self, slipstream: CommandLine, tmp_path: Path) -> None:
        slipstream.settings.parent.mkdir(parents=True)
        folder = str(tmp_path / "elsewhere").replace("\\", "\\\\")
        slipstream.settings.write_text(f'{{"version": 1, "models_folder": "{folder}"}}', encoding="utf-8")
        slipstream.run("get", REPO, "Q2_K")
        assert (tmp_path / "elsewhere" / REPO / SMALL).exists()


class TestGoingOn:
    @interrupts
    @pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL] if sys.platform != "win32" else [])
    def test_an_interrupted_download_goes_on_where_it_stopped(
        self, hub: HubServer, slipstream: CommandLine, number: signal.Signals
    ) -> None:
        hub.faults.set(USUAL, Fault(stall_after=5_000_000))
        with slipstream.start("get", REPO, USUAL) as child:
            hub.requests.wait_until_sent(USUAL, 15_000_000)
            wait_for_ranges(slipstream.models / REPO / f"{USUAL}.part.json", 3)
            child.send_signal(number)
            out, err = child.communicate(timeout=PATIENCE)
        assert out == ""
        if number == signal.SIGINT:
            assert child.returncode == 130
            assert "are kept, and the same command goes on from there" in err
            assert err.count("\n") == 1
        assert not (slipstream.models / REPO / USUAL).exists()
        hub.cut()
        hub.faults.clear()
        before = hub.requests.sent(USUAL)
        done = slipstream.run("get", REPO, USUAL)
        assert (done.returncode, done.stderr) == (0, "")
        assert (slipstream.models / REPO / USUAL).read_bytes() == whole(MODEL)
        assert list(contents(slipstream.models)) == [f"{REPO}/{USUAL}"]
        assert hub.requests.sent_again(USUAL) <= CONNECTIONS * BLOCK
        assert hub.requests.sent(USUAL) - before <= MODEL.size - 3 * BLOCK

    def test_what_is_complete_is_not_fetched_again(self, hub: HubServer, slipstream: CommandLine) -> None:
        first = slipstream.run("get", REPO, USUAL)
        sent = hub.requests.sent(USUAL)
        assert slipstream.run("get", REPO, USUAL).stdout == first.stdout
        assert hub.requests.sent(USUAL) == sent

    def test_a_next_try_is_announced(self, hub: HubServer, slipstream: CommandLine) -> None:
        hub.faults.refuse(503, times=1, server="content")
        done = slipstream.run("get", REPO, "Q2_K")
        assert done.returncode == 0
        assert done.stderr.count("Trying again in 1 s (1 of 5)") == 1

    @interrupts
    def test_a_terminal_shows_how_far_it_is(self, hub: HubServer, slipstream: CommandLine) -> None:
        hub.faults.set(USUAL, Fault(stall_after=5_000_000))
        screen = ""
        with slipstream.start_on_terminal("get", REPO, USUAL) as (child, terminal):
            while "MB/s" not in screen.rpartition("\r")[2]:
                screen += terminal.read()
            hub.faults.clear()
            while piece := terminal.read():
                screen += piece
            assert child.wait(PATIENCE) == 0
        assert re.search(r"\rQ4_K_M \[#*-+\] +\d+ %  [\d.]+ of 40\.0 MB  [\d.]+ [kM]B/s", screen)
        assert max(map(len, screen.split("\r")[:-2])) < 80, "one line, also where few columns are"
        assert screen.splitlines()[-1] == str(slipstream.models / REPO / USUAL)


class TestRefusals:
    def test_a_token_that_is_not_accepted(self, slipstream: CommandLine) -> None:
        done = slipstream.run("get", REPO, HF_TOKEN="hf_expired")
        assert done.returncode == 1
        assert "does not accept the token" in done.stderr
        assert "https://huggingface.co/settings/tokens" in done.stderr, "the window has a button for it"

    def test_a_licence_that_has_to_be_accepted(self, hub: HubServer, slipstream: CommandLine) -> None:
        hub.add_model("team/gated-GGUF", {"g-Q4_K_M.gguf": b"GGUF\x03\0\0\0"}, gated="auto")
        for token in ("", TOKEN):
            done = slipstream.run("get", "team/gated-GGUF", "Q4_K_M", HF_TOKEN=token)
            assert (done.returncode, done.stdout) == (1, "")
            assert f"{hub.endpoint}/team/gated-GGUF" in done.stderr
            assert done.stderr.count("\n") == 1
            assert done.stderr.endswith("To give a token, set HF_TOKEN or run `hf auth login`.\n")
            assert "Settings" not in done.stderr
            assert TOKEN not in done.stderr
        hub.repositories["team/gated-GGUF"].members = frozenset({"ann"})
        assert slipstream.run("get", "team/gated-GGUF", "Q4_K_M", HF_TOKEN=TOKEN).returncode == 0
        assert hub.requests.tokens_at_content() == ()

    def test_no_network_before_the_download(self, hub: HubServer, slipstream: CommandLine) -> None:
        hub.stop()
        done = slipstream.run("get", REPO)
        assert done.returncode == 1
        assert done.stderr.count("\n") == 1
        assert "cannot be reached" in done.stderr

    def test_a_file_that_is_another_one_is_left_alone(self, slipstream: CommandLine) -> None:
        own = slipstream.models / REPO / SMALL
        own.parent.mkdir(parents=True)
        own.write_bytes(b"mine")
        done = slipstream.run("get", REPO, SMALL)
        assert (done.returncode, own.read_bytes()) == (1, b"mine")
        assert SMALL in done.stderr

    def test_wrong_bytes_never_become_a_model(self, hub: HubServer, slipstream: CommandLine) -> None:
        hub.faults.set(USUAL, Fault(flip_at=30_000_000))
        done = slipstream.run("get", REPO, USUAL)
        assert (done.returncode, done.stdout) == (1, "")
        assert not (slipstream.models / REPO / USUAL).exists()


class TestDraft:
    def offer(self, hub: HubServer, folder: Path, draft_vocabulary: list[str]) -> None:
        folder.mkdir()
        target = write_llama(folder / "target.gguf", width=128, vocabulary=byte_vocabulary())
        draft = write_llama(folder / "draft.gguf", seed=1, layers=1, vocabulary=draft_vocabulary)
        hub.add_model(
            TARGET,
            {"Llama-3.1-8B-Instruct-Q4_K_M.gguf": target},
            architecture="llama",
            parameters=8_030_000_000,
        )
        hub.add_model(
            DRAFT,
            {"Llama-3.2-1B-Instruct-Q4_K_M.gguf": draft},
            architecture="llama",
            parameters=1_240_000_000,
        )

    def test_a_draft_is_found_checked_and_fetched(
        self, hub: HubServer, slipstream: CommandLine, tmp_path: Path
    ) -> None:
        self.offer(hub, tmp_path / "files", byte_vocabulary())
        done = slipstream.run("get", TARGET, "--draft")
        assert done.returncode == 0, done.stderr
        assert done.stdout.splitlines() == [
            str(slipstream.models / TARGET / "Llama-3.1-8B-Instruct-Q4_K_M.gguf"),
            str(slipstream.models / DRAFT / "Llama-3.2-1B-Instruct-Q4_K_M.gguf"),
        ]
        assert "its vocabulary fits" in done.stderr
        check = slipstream.run(
            "check", "--target", *done.stdout.split("\n")[:1], "--draft", *done.stdout.split("\n")[1:2]
        )
        assert check.returncode == 0, "what was checked by headers holds for the files"

    def test_a_draft_that_does_not_fit_is_not_fetched(
        self, hub: HubServer, slipstream: CommandLine, tmp_path: Path
    ) -> None:
        self.offer(hub, tmp_path / "files", byte_vocabulary(changes={139: "unlike"}))
        done = slipstream.run("get", TARGET, "--draft")
        assert done.returncode == 3
        assert done.stdout.splitlines() == [
            str(slipstream.models / TARGET / "Llama-3.1-8B-Instruct-Q4_K_M.gguf")
        ]
        assert "differs at token 139" in done.stderr

    def test_a_model_for_which_there_is_none(self, slipstream: CommandLine) -> None:
        done = slipstream.run("get", REPO, "Q2_K", "--draft")
        assert done.returncode == 3
        assert done.stdout == f"{slipstream.models / REPO / SMALL}\n"
        assert "No draft model" in done.stderr
