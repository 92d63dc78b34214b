"""`slipstream search`, as a process of its own."""

import pytest

from tests.fakes.command_line import CommandLine
from tests.fakes.hub_server import TOKEN, HubServer


@pytest.fixture(autouse=True)
def models(hub: HubServer) -> None:
    hub.add_model(
        "team/alpha-7B-GGUF",
        {"a.gguf": b"GGUF"},
        downloads=1_234_567,
        likes=5,
        updated=1_780_000_000.0,
        architecture="llama",
        parameters=7_240_000_000,
    )
    hub.add_model("team/beta-1B-GGUF", {"b.gguf": b"GGUF"}, downloads=10, likes=900, gated="auto")
    hub.add_model("other/gamma-GGUF", {"c.gguf": b"GGUF"}, downloads=20, gated="manual")
    hub.add_model("team/alpha-7B", {"a.safetensors": b""})


def test_a_table_has_what_is_known_of_each(slipstream: CommandLine) -> None:
    done = slipstream.run("search", "team", "gguf")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0].split() == ["repository", "parameters", "downloads", "likes", "updated", "access"]
    (alpha,) = [line.split() for line in lines if "alpha" in line]
    assert alpha == ["team/alpha-7B-GGUF", "7.2B", "1,234,567", "5", "2026-05-28", "open"]
    (beta,) = [line for line in lines if "beta" in line]
    assert "–" in beta, "what is not known is not made up"
    assert "licence to accept" in beta
    assert "gamma" not in done.stdout
    assert max(map(len, lines)) <= 100


@pytest.mark.parametrize(
    ("sort", "first"), [("downloads", "team/alpha-7B-GGUF"), ("likes", "team/beta-1B-GGUF")]
)
def test_the_order_and_the_number_can_be_chosen(slipstream: CommandLine, sort: str, first: str) -> None:
    done = slipstream.run("search", "gguf", "--sort", sort, "--limit", "1")
    assert [line.split()[0] for line in done.stdout.splitlines()[2:]] == [first]


def test_nothing_found_is_said_and_is_no_success(slipstream: CommandLine) -> None:
    done = slipstream.run("search", "unheard", "of")
    assert (done.returncode, done.stdout) == (1, "")
    assert "“unheard of”" in done.stderr


def test_a_name_that_is_not_there_or_private_is_told_with_what_helps(slipstream: CommandLine) -> None:
    done = slipstream.run("search", "nobody/nothing")
    assert done.returncode == 1
    assert "nobody/nothing does not exist on Hugging Face, or is private." in done.stderr
    assert done.stderr.endswith("To give a token, set HF_TOKEN or run `hf auth login`.\n")


@pytest.mark.parametrize("limit", ["0", "many"])
def test_a_number_that_is_none_is_wrong_usage(slipstream: CommandLine, limit: str) -> None:
    done = slipstream.run("search", "gguf", "--limit", limit)
    assert done.returncode == 2
    assert "whole number" in done.stderr


def test_no_network_is_one_sentence(hub: HubServer, slipstream: CommandLine) -> None:
    hub.stop()
    done = slipstream.run("search", "gguf")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.count("\n") == 1
    assert "cannot be reached" in done.stderr


def test_the_offline_mode_of_the_hub_library_is_named(slipstream: CommandLine) -> None:
    done = slipstream.run("search", "gguf", HF_HUB_OFFLINE="1")
    assert done.returncode == 1
    assert "HF_HUB_OFFLINE" in done.stderr


def test_too_many_requests_are_told_and_not_slept_through(hub: HubServer, slipstream: CommandLine) -> None:
    hub.faults.limit_rate(3_600, path="/api/models")
    done = slipstream.run("search", "gguf", HF_TOKEN=TOKEN)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "too many requests" in done.stderr
    assert TOKEN not in done.stdout + done.stderr
    assert any(each.authorised for each in hub.requests.to("/api/models"))
