"""Trouble with the hub: its kind, and one sentence that says what to do and tells no secret."""

import errno
import json
import logging
import socket
import ssl
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import httpx2
import pytest
from huggingface_hub import errors as library
from huggingface_hub import get_session
from huggingface_hub.utils import hf_raise_for_status  # type: ignore[attr-defined]

from app.core.errors import FileProblem, ModelFileError
from app.models.hub_answers import gated, hub_error_of_response
from app.models.hub_problems import HubError, HubProblem
from app.models.hub_session import hub_api, use_patient_client
from app.models.hub_words import hub_error, hub_errors
from tests.fakes.hub_content import GeneratedContent
from tests.fakes.hub_server import TOKEN, HubServer

REPO = "pub/name-GGUF"
REQUEST = httpx2.Request("GET", "https://huggingface.co/api/models/pub/name-GGUF")


def response(status: int, token: str | None = None, **headers: str) -> httpx2.Response:
    sent = {} if token is None else {"Authorization": f"Bearer {token}"}
    request = httpx2.Request("GET", REQUEST.url, headers=sent)
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return httpx2.Response(status, headers=named, request=request)


def with_request(error: httpx2.RequestError) -> httpx2.RequestError:
    error.request = REQUEST
    return error


def certificate_error() -> httpx2.ConnectError:
    error = httpx2.ConnectError("certificate verify failed", request=REQUEST)
    error.__cause__ = ssl.SSLCertVerificationError("self-signed certificate")
    return error


@pytest.mark.parametrize(
    ("error", "problem", "says"),
    [
        (
            httpx2.ConnectError("x"),
            HubProblem.NO_NETWORK,
            "Hugging Face cannot be reached. Check the internet",
        ),
        (with_request(httpx2.ConnectError("x")), HubProblem.NO_NETWORK, "huggingface.co cannot be reached"),
        (httpx2.ConnectTimeout("x"), HubProblem.NO_NETWORK, "Local models keep working"),
        (httpx2.ReadTimeout("x"), HubProblem.STALLED, "has sent nothing for a while"),
        (httpx2.WriteTimeout("x"), HubProblem.STALLED, "try again"),
        (httpx2.PoolTimeout("x"), HubProblem.STALLED, "try again"),
        (httpx2.ReadError("x"), HubProblem.NO_NETWORK, "connection to Hugging Face broke"),
        (httpx2.WriteError("x"), HubProblem.NO_NETWORK, "broke"),
        (httpx2.CloseError("x"), HubProblem.NO_NETWORK, "broke"),
        (httpx2.RemoteProtocolError("x"), HubProblem.NO_NETWORK, "broke"),
        (httpx2.ProxyError("x"), HubProblem.NO_NETWORK, "HTTPS_PROXY"),
        (certificate_error(), HubProblem.NOT_THE_ANSWER, "certificate is not accepted"),
        (httpx2.UnsupportedProtocol("x"), HubProblem.NOT_THE_ANSWER, "sign in"),
        (httpx2.TooManyRedirects("x"), HubProblem.NOT_THE_ANSWER, "sign in"),
        (httpx2.DecodingError("x"), HubProblem.NOT_THE_ANSWER, "sign in"),
        (httpx2.InvalidURL("x"), HubProblem.NOT_THE_ANSWER, "sign in"),
        (httpx2.StreamClosed(), HubProblem.NOT_THE_ANSWER, "sign in"),
        (json.JSONDecodeError("x", "<html>", 0), HubProblem.NOT_THE_ANSWER, "login page"),
        (KeyError("id"), HubProblem.NOT_THE_ANSWER, "login page"),
        (RecursionError("x"), HubProblem.NOT_THE_ANSWER, "login page"),
        (MemoryError(), HubProblem.NOT_THE_ANSWER, "login page"),
        (library.OfflineModeIsEnabled("x"), HubProblem.OFFLINE_MODE, "HF_HUB_OFFLINE is set"),
        (library.LocalTokenNotFoundError("x"), HubProblem.UNAUTHORISED, "No token is kept"),
        (library.HFValidationError("x"), HubProblem.NOT_FOUND, "pub/name-GGUF is not a name"),
        (ConnectionResetError(errno.ECONNRESET, "x"), HubProblem.NO_NETWORK, "broke"),
        (OSError(errno.ENETUNREACH, "x"), HubProblem.NO_NETWORK, "broke"),
        (socket.gaierror(-2, "x"), HubProblem.NO_NETWORK, "name of the server"),
        (TimeoutError("x"), HubProblem.STALLED, "try again"),
        (OSError(errno.ENOSPC, "x"), HubProblem.DISK_FULL, "The disk is full. Make room"),
        (OSError(errno.ENOSPC, "x", "/a/b"), HubProblem.DISK_FULL, "while writing /a/b"),
        (
            PermissionError(errno.EACCES, "Permission denied", "/a/b"),
            HubProblem.UNWRITABLE,
            "/a/b does not work",
        ),
        (OSError(errno.EROFS, "Read-only file system"), HubProblem.UNWRITABLE, "Read-only file system"),
        (OSError(errno.EIO, "Input/output error"), HubProblem.UNWRITABLE, "Input/output error"),
    ],
)
def test_every_exception_becomes_a_kind_and_a_sentence(
    error: Exception, problem: HubProblem, says: str
) -> None:
    with pytest.raises(HubError) as caught, hub_errors(REPO):
        raise error

    assert caught.value.problem is problem
    assert says in str(caught.value)


@pytest.mark.parametrize(
    ("answer", "problem", "says"),
    [
        (response(401), HubProblem.HIDDEN, "does not exist on Hugging Face, or is private"),
        (response(401, X_Error_Code="RepoNotFound"), HubProblem.HIDDEN, "a private one needs a token"),
        (response(401, "hf_x"), HubProblem.UNAUTHORISED, "does not accept the token"),
        (
            response(401, "hf_x", X_Error_Code="RepoNotFound"),
            HubProblem.HIDDEN,
            "Check how the name is spelt",
        ),
        (
            response(401, X_Error_Code="GatedRepo"),
            HubProblem.GATED,
            f"at https://huggingface.co/{REPO}. Accept",
        ),
        (
            response(403, "hf_x", X_Error_Code="GatedRepo"),
            HubProblem.GATED,
            "give a token of the same account",
        ),
        (response(403), HubProblem.FORBIDDEN, f"{REPO} may not be read"),
        (response(404), HubProblem.NOT_FOUND, f"{REPO} does not exist"),
        (response(404, X_Error_Code="RepoNotFound"), HubProblem.HIDDEN, "is private"),
        (response(404, X_Error_Code="EntryNotFound"), HubProblem.NOT_FOUND, f"The file is not in {REPO}"),
        (response(404, X_Error_Code="RevisionNotFound"), HubProblem.NOT_FOUND, "This version"),
        (response(410), HubProblem.NOT_FOUND, "does not exist"),
        (response(429), HubProblem.RATE_LIMITED, "Try again in a while"),
        (response(429, Retry_After="30"), HubProblem.RATE_LIMITED, "Try again in 30 seconds"),
        (response(429, Retry_After="600"), HubProblem.RATE_LIMITED, "Try again in 10 minutes"),
        (response(500), HubProblem.SERVER, "huggingface.co has trouble of its own (error 500)"),
        (response(503), HubProblem.SERVER, "Try again in a while"),
        (response(400), HubProblem.NOT_THE_ANSWER, "login page"),
        (response(416), HubProblem.NOT_THE_ANSWER, "login page"),
        (response(200), HubProblem.NOT_THE_ANSWER, "login page"),
    ],
)
def test_every_refusal_becomes_a_kind_and_a_sentence(
    answer: httpx2.Response, problem: HubProblem, says: str
) -> None:
    told = hub_error_of_response(answer, REPO)
    assert "Settings" not in str(told), "a terminal has none"

    assert told.problem is problem
    assert says in str(told)


@pytest.mark.parametrize("status", [401, 403, 404, 429, 500])
@pytest.mark.parametrize("code", ["", "GatedRepo", "RepoNotFound", "EntryNotFound", "RevisionNotFound"])
def test_the_library_s_errors_are_told_by_their_answers(status: int, code: str) -> None:
    answer = response(status, X_Error_Code=code)
    with pytest.raises(library.HfHubHTTPError) as caught:
        hf_raise_for_status(answer)
    expected = hub_error_of_response(answer, REPO)
    told = hub_error(caught.value, REPO)

    assert (told.problem, str(told), told.address) == (expected.problem, str(expected), expected.address)


def test_a_gate_has_the_address_where_it_is_opened() -> None:
    assert gated(REPO, "https://huggingface.co").address == f"https://huggingface.co/{REPO}"
    assert gated(None, "https://huggingface.co").address is None


def test_what_is_told_already_is_told_so() -> None:
    error = HubError(HubProblem.CHECKSUM, "x")

    assert hub_error(error) is error
    with pytest.raises(HubError) as caught, hub_errors():
        raise error
    assert caught.value is error


def test_errors_of_model_files_pass() -> None:
    error = ModelFileError(Path("m.gguf"), FileProblem.NOT_GGUF, "x")
    with pytest.raises(ModelFileError) as caught, hub_errors():
        raise error
    assert caught.value is error


@pytest.mark.parametrize("problem", list(HubProblem))
def test_a_token_is_asked_for_where_one_may_help(problem: HubProblem) -> None:
    may_help = problem.name in ("UNAUTHORISED", "HIDDEN", "GATED", "FORBIDDEN")

    assert problem.needs_token is may_help


class TestHowLongToWait:
    @pytest.mark.parametrize(
        ("headers", "seconds"),
        [
            ({"Retry_After": "0"}, 0.0),
            ({"Retry_After": " 12 "}, 12.0),
            ({"Retry_After": "9" * 400}, 86400.0),
            ({"Retry_After": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0.0),
            ({"Retry_After": "Wed, 21 Oct 2015 07:28:00 -0000"}, 0.0),
            ({"ratelimit": '"api";r=0;t=55'}, 55.0),
            ({"Retry_After": "soon", "ratelimit": '"api";r=0;t=55'}, 55.0),
            ({"Retry_After": "7", "ratelimit": '"api";r=0;t=55'}, 7.0),
            ({"ratelimit": '"api";r=3;t=55'}, None),
            ({"Retry_After": "-5"}, None),
            ({"Retry_After": "²"}, None),
            ({"ratelimit": "nonsense"}, None),
            ({}, None),
        ],
    )
    def test_it_is_what_the_hub_says(self, headers: dict[str, str], seconds: float | None) -> None:
        encoded = {name.replace("_", "-").encode(): value.encode() for name, value in headers.items()}
        answer = httpx2.Response(429, headers=encoded, request=REQUEST)

        assert hub_error_of_response(answer).wait_seconds == seconds

    def test_a_date_counts_from_now(self) -> None:
        later = format_datetime(datetime.now(UTC) + timedelta(seconds=100), usegmt=True)
        seconds = hub_error_of_response(response(503, Retry_After=later)).wait_seconds

        assert seconds is not None
        assert 60 < seconds <= 100

    @pytest.mark.parametrize("by_window", [True, False])
    def test_it_is_read_from_the_hub_s_own_headers(self, by_window: bool, hub: HubServer) -> None:
        hub.faults.limit_rate(40, by_window=by_window)
        with pytest.raises(HubError) as caught, hub_errors():
            hub_api(hub.endpoint).model_info(REPO)

        assert caught.value.wait_seconds == 40


class TestSecrets:
    @pytest.mark.parametrize(
        "token", [TOKEN, "hf_anotherTokenThatIsWrong", "hf_with\nanother line", "hf_ünïcode"]
    )
    def test_a_token_is_told_to_nobody_but_the_hub(
        self,
        token: str,
        hub: HubServer,
        monkeypatch: pytest.MonkeyPatch,
        caplog: pytest.LogCaptureFixture,
        capfd: pytest.CaptureFixture[str],
    ) -> None:
        """With all that the libraries log when they are asked to log everything."""
        from huggingface_hub import constants
        from huggingface_hub.utils import logging as library_logging

        monkeypatch.setattr(constants, "HF_DEBUG", True)
        verbosity = library_logging.get_verbosity()
        library_logging.set_verbosity(logging.DEBUG)
        library_logging.enable_propagation()
        caplog.set_level(logging.DEBUG)
        hub.add_model("pub/open", {"x.gguf": GeneratedContent(2000)})
        hub.add_model("pub/gated", {"x.gguf": GeneratedContent(2000)}, gated="auto")
        told: list[str] = []
        try:
            use_patient_client()
            for repo in ("pub/open", "pub/gated", "pub/missing"):
                for ask in (
                    lambda repo=repo: hub_api(hub.endpoint).model_info(repo, token=token),
                    lambda repo=repo: get_session().get(
                        f"{hub.endpoint}/{repo}/resolve/main/x.gguf",
                        headers={"Authorization": f"Bearer {token}"},
                    ),
                    lambda: hub_api(hub.endpoint).whoami(token),
                ):
                    try:
                        with hub_errors(repo):
                            ask()
                    except HubError as error:
                        logging.getLogger("test").exception("It failed")
                        told += [str(error), repr(error)]
        finally:
            library_logging.set_verbosity(verbosity)
            library_logging.disable_propagation()
        streams = capfd.readouterr()
        everything = "\n".join([*told, caplog.text, streams.out, streams.err])

        assert told
        if token.isascii() and token.isprintable():
            assert "HTTP Request" in everything, "the log is the libraries' own"
        assert token.split("\n")[0] not in everything
        assert hub.requests.tokens_at_content() == ()

    @pytest.mark.parametrize("token", ["hf_with\nanother line", "hf_ünïcode"])
    def test_a_token_that_cannot_be_sent_is_told_apart(self, token: str, hub: HubServer) -> None:
        with pytest.raises(HubError, match="signs in it that no token has") as caught, hub_errors():
            hub_api(hub.endpoint).model_info("pub/open", token=token)
        assert caught.value.problem is HubProblem.UNAUTHORISED

    def test_what_a_server_says_is_not_repeated(self) -> None:
        answer = response(500, X_Error_Message="<script>alert(1)</script>")

        assert "script" not in str(hub_error_of_response(answer))
