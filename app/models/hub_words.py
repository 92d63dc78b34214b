"""What went wrong between this computer and the hub, in one sentence that says what to do.

No sentence quotes a request, or what a server or a library says: no token and no stranger's text gets in.
"""

import errno
import logging
import ssl
from collections.abc import Iterator
from contextlib import contextmanager

from app.core.errors import SlipstreamError
from app.models.hub_answers import host_of, hub_error_of_response, not_the_answer, shown_repo
from app.models.hub_problems import HubError, HubProblem
from app.models.model_names import printable

_CHECK_CONNECTION = "Check the internet connection. Local models keep working."

_log = logging.getLogger(__name__)


@contextmanager
def hub_errors(repo: str | None = None) -> Iterator[None]:
    """Whatever the hub library or the system raises inside comes out as HubError; our own errors pass.

    For calls of the library alone: a fault of this program inside would be told as trouble with the hub.
    """
    import httpx2

    try:
        yield
    except SlipstreamError:
        raise
    except httpx2.LocalProtocolError as error:
        raise hub_error(error, repo) from None  # its text may hold the token
    except (
        httpx2.HTTPError,
        httpx2.InvalidURL,
        httpx2.StreamError,
        OSError,
        # what the library runs into where an answer is not what it should be
        ValueError,
        TypeError,
        LookupError,
        AttributeError,
        # what JSON that is nested without end, or unpacks without end, does to it
        RecursionError,
        MemoryError,
    ) as error:
        raise hub_error(error, repo) from error


def hub_error(error: Exception, repo: str | None = None) -> HubError:
    """The HubError for an exception of httpx2, of the hub library, or of the system."""
    import httpx2
    from huggingface_hub.errors import HFValidationError, LocalTokenNotFoundError, OfflineModeIsEnabled

    if isinstance(error, HubError):
        return error
    if isinstance(error, OfflineModeIsEnabled):
        return HubError(
            HubProblem.OFFLINE_MODE,
            "HF_HUB_OFFLINE is set, so nothing is asked of Hugging Face. Local models keep working. To "
            "search and download, take it out of the environment and start Slipstream again.",
        )
    if isinstance(error, LocalTokenNotFoundError):
        return HubError(HubProblem.UNAUTHORISED, "No token is kept on this computer.")
    if isinstance(error, HFValidationError):
        return HubError(
            HubProblem.NOT_FOUND,
            f"{shown_repo(repo) or 'This'} is not a name that a repository can have. Check how it is spelt.",
        )
    response = getattr(error, "response", None)
    if isinstance(response, httpx2.Response):
        return hub_error_of_response(response, repo or getattr(error, "repo_id", None))
    if isinstance(error, httpx2.HTTPError | httpx2.InvalidURL | httpx2.StreamError):
        return _of_transport(error)
    if isinstance(error, UnicodeEncodeError):
        return bad_token()
    if isinstance(error, OSError):
        return _of_system(error)
    _log.info("What came from the hub does not make sense: %s", type(error).__name__, exc_info=error)
    return not_the_answer()


def bad_token() -> HubError:
    """It is the only part of a request in which a person can put signs that HTTP does not have."""
    return HubError(HubProblem.UNAUTHORISED, "The token has signs in it that no token has. Copy it again.")


def _of_transport(error: Exception) -> HubError:
    import httpx2

    request = getattr(error, "_request", None)  # the public property raises where there is none
    host = "Hugging Face" if request is None else host_of(request)
    if isinstance(error, httpx2.ConnectTimeout):
        return HubError(HubProblem.NO_NETWORK, f"{host} does not answer. {_CHECK_CONNECTION}")
    if isinstance(error, httpx2.TimeoutException):
        return HubError(
            HubProblem.STALLED, f"{host} has sent nothing for a while. The line may be poor; try again."
        )
    if isinstance(error, httpx2.ConnectError) and _is_about_certificates(error):
        return HubError(
            HubProblem.NOT_THE_ANSWER,
            f"The connection to {host} is not safe: its certificate is not accepted. Check this computer's "
            "date, and whether this network wants you to sign in on a web page first.",
        )
    if isinstance(error, httpx2.ProxyError):
        return HubError(
            HubProblem.NO_NETWORK,
            f"The proxy that leads to {host} refuses. Check HTTPS_PROXY. Local models keep working.",
        )
    if isinstance(error, httpx2.ConnectError):
        return HubError(HubProblem.NO_NETWORK, f"{host} cannot be reached. {_CHECK_CONNECTION}")
    if isinstance(error, httpx2.NetworkError | httpx2.RemoteProtocolError):
        return HubError(HubProblem.NO_NETWORK, f"The connection to {host} broke. {_CHECK_CONNECTION}")
    if isinstance(error, httpx2.LocalProtocolError):
        return bad_token()
    return not_the_answer(host)


def _of_system(error: OSError) -> HubError:
    reason = printable(error.strerror or type(error).__name__, 200)
    place = "" if error.filename is None else f" {printable(str(error.filename))}"
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        at = f" while writing{place}" if place else ""
        return HubError(HubProblem.DISK_FULL, f"The disk is full{at}. Make room, then try again.")
    if isinstance(error, TimeoutError):
        return HubError(HubProblem.STALLED, "Nothing has come for a while. The line may be poor; try again.")
    if isinstance(error, ConnectionError) or error.errno in (errno.ENETUNREACH, errno.EHOSTUNREACH):
        return HubError(HubProblem.NO_NETWORK, f"The connection broke. {_CHECK_CONNECTION}")
    if type(error).__name__ in ("gaierror", "herror"):  # of the socket module
        return HubError(HubProblem.NO_NETWORK, f"The name of the server is not found. {_CHECK_CONNECTION}")
    return HubError(
        HubProblem.UNWRITABLE,
        f"Writing{place} does not work: {reason}. Check the folder and its permissions.",
    )


def _is_about_certificates(error: BaseException | None) -> bool:
    while error is not None:
        if isinstance(error, ssl.SSLError):
            return True
        error = error.__cause__ or error.__context__
    return False
