"""The HTTP client of everything that asks the hub. Imported late, because httpx2 takes its time."""

from collections.abc import Callable, Mapping
from typing import Any

import httpx2

from app.models.hub_words import bad_token, hub_error, hub_error_of_response

_SECONDS = {"connect": 10.0, "read": 20.0, "write": 20.0, "pool": 20.0}
_PASSING = (408, 429)  # and from 500 on: what the hub library would wait for

Hooks = Mapping[str, list[Callable[..., Any]]]


class HubHttpClient(httpx2.Client):
    """A client with time-outs, whose failures come out at once, as HubError.

    The hub library meets httpx2's own exceptions, and answers such as 429 and 503, with tries of its own: it
    sleeps for 23 s in all, or for as long as a Retry-After says, and nobody is told. It lets a HubError
    through. Failures while a streamed answer is read are still httpx2's: see `hub_errors`.
    """

    def __init__(self, hooks: Hooks) -> None:
        super().__init__(
            event_hooks={name: list(called) for name, called in hooks.items()}, follow_redirects=True
        )

    def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:
        """Sends a request. Raises HubError for no answer, and for 408, 429 and 5xx."""
        if not request.headers.get("Authorization", "").isprintable():
            raise bad_token()  # what lies below would write it to the log
        asked = request.extensions.get("timeout", {})  # the library asks for none at all
        limits = {name: asked.get(name) or seconds for name, seconds in _SECONDS.items()}
        request.extensions = {**request.extensions, "timeout": limits}
        try:
            response = super().send(request, **options)
        except httpx2.LocalProtocolError as error:
            raise hub_error(error) from None  # its text may hold the token
        except (httpx2.HTTPError, httpx2.InvalidURL, OSError) as error:
            raise hub_error(error) from error
        if response.status_code in _PASSING or response.status_code >= 500:
            response.close()
            raise hub_error_of_response(response)
        return response
