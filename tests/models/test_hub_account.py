"""The token: checked before it is kept, kept where the hub's library keeps it, and shown to nobody."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from huggingface_hub import get_token, hf_api

from app.models.hub import Account, TokenSource
from app.models.hub_account import HubAccount
from app.models.hub_problems import HubError, HubProblem
from tests.fakes.hub_server import TOKEN, HubServer


@pytest.fixture
def account(hub: HubServer, monkeypatch: pytest.MonkeyPatch) -> Account:
    """The library's own functions ask the same hub, and leave git alone."""
    monkeypatch.setattr(hf_api.api, "endpoint", hub.endpoint)
    monkeypatch.setattr("huggingface_hub._login.unset_git_credential", lambda: None)
    return HubAccount(hub.endpoint)


def problem(ask: Callable[[], object]) -> HubProblem:
    with pytest.raises(HubError) as caught:
        ask()
    return caught.value.problem


def test_at_first_there_is_none(account: Account, hub: HubServer) -> None:
    assert account.token_source() is TokenSource.NONE
    assert problem(account.user) is HubProblem.UNAUTHORISED
    assert hub.requests.all() == ()


def test_a_token_is_checked_without_being_kept(account: Account) -> None:
    assert account.check(TOKEN) == "ann"
    assert account.token_source() is TokenSource.NONE


def test_a_token_is_kept_where_the_library_finds_it(account: Account, hub_home: Path) -> None:
    assert account.keep(f"  {TOKEN}\n") == "ann"
    assert account.token_source() is TokenSource.STORED
    assert (hub_home / "token").read_text() == TOKEN
    assert get_token() == TOKEN
    assert account.user() == "ann"


@pytest.mark.parametrize("token", ["hf_wrong", "hf_" + "x" * 300])
def test_a_token_that_is_not_accepted_is_not_kept(token: str, account: Account) -> None:
    assert problem(lambda: account.keep(token)) is HubProblem.UNAUTHORISED
    assert account.token_source() is TokenSource.NONE


@pytest.mark.parametrize("token", ["", "  ", "two words", "hf_ünïcode", "hf_a\x00b", "api_org_x", "x" * 501])
def test_what_cannot_be_a_token_is_told_without_asking(token: str, account: Account, hub: HubServer) -> None:
    with pytest.raises(HubError) as caught:
        account.keep(token)

    assert caught.value.problem is HubProblem.UNAUTHORISED
    assert not token.strip() or token not in str(caught.value)
    assert hub.requests.all() == ()


def test_it_is_forgotten(account: Account, hub_home: Path) -> None:
    account.keep(TOKEN)
    account.forget()

    assert account.token_source() is TokenSource.NONE
    assert not any(TOKEN in file.read_text() for file in hub_home.iterdir())
    account.forget()


def test_others_that_are_kept_stay(account: Account, hub_home: Path) -> None:
    account.keep(TOKEN)
    with (hub_home / "stored_tokens").open("a") as file:
        file.write("[work]\nhf_token = hf_anotherOne\n")
    account.forget()

    assert "hf_anotherOne" in (hub_home / "stored_tokens").read_text()
    assert TOKEN not in (hub_home / "stored_tokens").read_text()


def test_one_that_only_older_programs_kept_is_forgotten(account: Account, hub_home: Path) -> None:
    hub_home.mkdir()
    (hub_home / "token").write_text(TOKEN)
    assert account.token_source() is TokenSource.STORED

    account.forget()
    assert account.token_source() is TokenSource.NONE


@pytest.mark.parametrize("variable", ["HF_TOKEN", "HUGGING_FACE_HUB_TOKEN"])
def test_one_in_the_environment_goes_first(
    variable: str, account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    account.keep(TOKEN)
    monkeypatch.setenv(variable, "hf_expired")

    assert account.token_source() is TokenSource.ENVIRONMENT
    assert problem(account.user) is HubProblem.UNAUTHORISED
    account.forget()
    monkeypatch.delenv(variable)
    assert account.token_source() is TokenSource.NONE


def test_where_git_is_missing_it_is_forgotten_all_the_same(
    account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_git() -> None:
        raise FileNotFoundError("git")

    monkeypatch.setattr("huggingface_hub._login.unset_git_credential", no_git)
    account.keep(TOKEN)
    account.forget()

    assert account.token_source() is TokenSource.NONE


def test_a_token_that_cannot_be_removed_is_said(account: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    def closed(path: Path, missing_ok: bool = False) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    account.keep(TOKEN)
    monkeypatch.setattr(Path, "unlink", closed)
    with pytest.raises(HubError) as caught:
        account.forget()
    assert caught.value.problem is HubProblem.UNWRITABLE


def test_trouble_is_named(account: Account, hub: HubServer) -> None:
    hub.faults.limit_rate(30, times=1)
    assert problem(lambda: account.check(TOKEN)) is HubProblem.RATE_LIMITED
    hub.faults.ask_for_login()
    assert problem(lambda: account.keep(TOKEN)) is HubProblem.NOT_THE_ANSWER
    hub.stop()
    assert problem(lambda: account.keep(TOKEN)) is HubProblem.NO_NETWORK
    assert account.token_source() is TokenSource.NONE


def test_nothing_is_printed_and_no_token_is_logged(hub: HubServer, hub_home: Path) -> None:
    """In a process of its own, where the library has not been told to be quiet."""
    script = (
        "import huggingface_hub._login as login\n"
        "login.unset_git_credential = lambda: None\n"
        "from app.models.hub_account import HubAccount\n"
        "account = HubAccount()\n"
        f"assert account.keep({TOKEN!r}) == account.user() == 'ann'\n"
        "account.forget()\n"
    )
    environment = {"HF_ENDPOINT": hub.endpoint, "HF_HOME": str(hub_home), "HF_DEBUG": "1", "PATH": ""}
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stderr
    assert done.stdout == ""
    assert TOKEN not in done.stderr
