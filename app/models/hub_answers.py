"""What an answer of the hub that is none means: looks at its status and its headers, never at its text."""

import logging
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

from app.models.hub_problems import HubError, HubProblem
from app.models.model_names import printable

if TYPE_CHECKING:
    import httpx2

TOKENS_ADDRESS = "https://huggingface.co/settings/tokens"

_LONGEST_WAIT = 24 * 3600.0  # seconds
_LONGEST_NAME = 120  # characters

_log = logging.getLogger(__name__)


def hub_error_of_response(response: "httpx2.Response", repo: str | None = None) -> HubError:
    """The HubError for an answer with a status from 400 on, or one that makes no sense where it came."""
    status = response.status_code
    host = host_of(response.request)
    code = response.headers.get("X-Error-Code", "")
    if code == "GatedRepo":
        return gated(repo, _endpoint(response))
    if status == 401:
        return _unauthorised(response, code, repo)
    if status == 403:
        return HubError(
            HubProblem.FORBIDDEN,
            f"{shown_repo(repo) or 'This'} may not be read: its publisher has closed it, or your token does "
            "not allow it.",
        )
    if status in (404, 410):
        return _not_found(code, repo)
    wait = wait_seconds(response)
    if status == 429:
        until = "in a while" if wait is None else f"in {_duration(wait)}"
        return HubError(
            HubProblem.RATE_LIMITED,
            f"{host} has had too many requests from here. Try again {until}. With a token more are allowed.",
            wait_seconds=wait,
        )
    if status >= 500 or status == 408:
        return HubError(
            HubProblem.SERVER,
            f"{host} has trouble of its own (error {status}). Try again in a while.",
            wait_seconds=wait,
        )
    return not_the_answer(host)


def gated(repo: str | None, endpoint: str) -> HubError:
    """The licence has to be accepted first."""
    if repo is None:
        address = None
        sentence = "Its publisher asks for a licence to be accepted on its page on Hugging Face."
    else:
        address = f"{endpoint}/{repo}"
        sentence = f"{shown_repo(repo)} is under a licence that has to be accepted, at {printable(address)}."
    return HubError(
        HubProblem.GATED,
        f"{sentence} Accept it there, and give a token of the same account if none is kept yet. Some "
        "publishers answer later; then try again.",
        address=address,
    )


def not_the_answer(host: str = "Hugging Face") -> HubError:
    """A login page, or anything else in place of what was asked for."""
    return HubError(
        HubProblem.NOT_THE_ANSWER,
        f"Something else came in place of an answer from {host}, such as the login page of a network. Open a "
        "web page to see whether this network wants you to sign in, then try again.",
    )


def wait_seconds(response: "httpx2.Response") -> float | None:
    """For how long the server asks to be left alone; None where it does not say."""
    from huggingface_hub.utils import parse_ratelimit_headers  # type: ignore[attr-defined]

    stated = response.headers.get("Retry-After", "").strip()
    if stated.isascii() and stated.isdigit():
        return min(float(stated[:9]), _LONGEST_WAIT)
    if stated:
        try:
            when = parsedate_to_datetime(stated)
        except ValueError:
            _log.info("A Retry-After does not make sense: %s", printable(stated, 60))
        else:
            aware = when if when.tzinfo is not None else when.replace(tzinfo=UTC)
            return min(max((aware - datetime.now(UTC)).total_seconds(), 0.0), _LONGEST_WAIT)
    limit = parse_ratelimit_headers(response.headers)
    if limit is not None and limit.remaining == 0:
        return min(float(limit.reset_in_seconds), _LONGEST_WAIT)
    return None


def host_of(request: "httpx2.Request") -> str:
    """The name of the server, with its port where that is not the usual one."""
    return printable(request.headers.get("Host", request.url.host), _LONGEST_NAME)


def shown_repo(repo: str | None) -> str:
    """A repository's name for people; empty without one."""
    return printable(repo or "", _LONGEST_NAME)


def _unauthorised(response: "httpx2.Response", code: str, repo: str | None) -> HubError:
    """The hub says 401 of a repository that does not exist, too, so as not to tell which private ones do."""
    gave_token = "Authorization" in response.request.headers
    if code == "RepoNotFound" or (repo is not None and not gave_token):
        return _hidden(repo)
    if gave_token:
        return HubError(
            HubProblem.UNAUTHORISED,
            "Hugging Face does not accept the token; it may have expired. Make a new one.",
            address=TOKENS_ADDRESS,
        )
    return HubError(HubProblem.UNAUTHORISED, "Hugging Face asks for a token.")


def _hidden(repo: str | None) -> HubError:
    return HubError(
        HubProblem.HIDDEN,
        f"{shown_repo(repo) or 'The repository'} does not exist on Hugging Face, or is private. Check how "
        "the name is spelt; a private one needs a token.",
    )


def _not_found(code: str, repo: str | None) -> HubError:
    name = shown_repo(repo) or "the repository"
    if code == "EntryNotFound":
        sentence = f"The file is not in {name} any more. Look at the files there again."
    elif code == "RevisionNotFound":
        sentence = f"This version of {name} is gone. Look at the files there again."
    elif code == "RepoNotFound":
        return _hidden(repo)
    elif repo is not None:
        sentence = f"{name} does not exist on Hugging Face, or is private. Check how the name is spelt."
    else:
        sentence = "Hugging Face does not have this any more, or it is private."
    return HubError(HubProblem.NOT_FOUND, sentence)


def _endpoint(response: "httpx2.Response") -> str:
    url = response.request.url
    return f"{url.scheme}://{url.netloc.decode('ascii', 'replace')}"


def _duration(seconds: float) -> str:
    return f"{seconds:.0f} seconds" if seconds < 90 else f"{seconds / 60:.0f} minutes"
