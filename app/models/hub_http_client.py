"""The HTTP client of everything that asks the hub. Imported late, because httpx2 takes its time."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext
from typing import Any

import httpx2

from app.models.deadline import Deadline
from app.models.hub_answers import hub_error_of_response
from app.models.hub_problems import HubError, HubProblem
from app.models.hub_words import bad_token, hub_error

LONGEST_ANSWER = 50_000_000  # bytes, of an answer that is kept in memory as a whole
ANSWER_SECONDS = 60.0  # until such an answer is there

_SECONDS = {"connect": 10.0, "read": 20.0, "write": 20.0, "pool": 20.0}
_PASSING = (408, 429)  # and from 500 on: what the hub library would wait for

Hooks = Mapping[str, list[Callable[..., Any]]]


class HubHttpClient(httpx2.Client):
    """A client with time-outs, whose failures come out at once, as HubError.

    The hub library meets httpx2's own exceptions, and answers such as 429 and 503, with tries of its own: it
    sleeps for 23 s in all, or for as long as a Retry-After says, and nobody is told. It lets a HubError
    through. An answer that is not streamed has to be there in a minute, and not be absurdly long; for one
    that is, the asker may give a Deadline. Failures while a streamed answer is read are still httpx2's: see
    `hub_errors`.
    """

    def __init__(self, hooks: Hooks) -> None:
        called = {name: list(those) for name, those in hooks.items()}
        called["response"] = [_watch, *called.get("response", ())]
        super().__init__(event_hooks=called, follow_redirects=True)

    def send(self, request: httpx2.Request, *, stream: bool = False, **options: Any) -> httpx2.Response:
        """Sends a request. Raises HubError for no answer, and for 408, 429 and 5xx."""
        if not request.headers.get("Authorization", "").isprintable():
            raise bad_token()  # what lies below would write it to the log
        asked = request.extensions.get("timeout", {})  # the library asks for none at all
        limits = {name: asked.get(name) or seconds for name, seconds in _SECONDS.items()}
        request.extensions = {**request.extensions, "timeout": limits}
        with nullcontext() if stream else Deadline(ANSWER_SECONDS) as deadline:
            if deadline is not None:
                request.extensions = {**deadline.extensions, **request.extensions}
            try:
                response = super().send(request, stream=True, **options)
                if response.status_code in _PASSING or response.status_code >= 500:
                    response.close()
                    raise hub_error_of_response(response)
                if not stream:
                    _read(response)
            except httpx2.LocalProtocolError as error:
                raise hub_error(error) from None  # its text may hold the token
            except (httpx2.HTTPError, httpx2.InvalidURL, OSError) as error:
                raise hub_error(error) from error
        return response


class _Watched(httpx2.SyncByteStream):
    """A body that ends in an error once its deadline is over."""

    def __init__(self, stream: httpx2.SyncByteStream, deadline: Deadline) -> None:
        self._stream = stream
        self._deadline = deadline

    def __iter__(self) -> Iterator[bytes]:
        for piece in self._stream:
            self._deadline.check()
            yield piece
        self._deadline.check()

    def close(self) -> None:
        self._stream.close()


def _watch(response: httpx2.Response) -> None:
    """Comes before any body is read, those of redirects included."""
    deadline = response.request.extensions.get("deadline")
    if isinstance(deadline, Deadline) and isinstance(response.stream, httpx2.SyncByteStream):
        deadline.answered(response.extensions)
        response.stream = _Watched(response.stream, deadline)


def _read(response: httpx2.Response) -> None:
    """As `Response.read` does, but counts what comes, unpacked."""
    content = bytearray()
    try:
        for piece in response.iter_bytes():
            content += piece
            if len(content) > LONGEST_ANSWER:
                raise HubError(
                    HubProblem.NOT_THE_ANSWER,
                    "The answer was absurdly long and was given up. Try again later.",
                )
    finally:
        response.close()
    response._content = bytes(content)
