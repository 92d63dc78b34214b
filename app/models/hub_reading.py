"""Reads a file, or a piece of one, from the hub, and never more than was asked for, nor for ever."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from app.models.deadline import Deadline
from app.models.hub import RemoteFile
from app.models.hub_answers import hub_error_of_response
from app.models.hub_problems import HubError, HubProblem
from app.models.hub_session import hub_headers, use_patient_client
from app.models.hub_words import hub_errors
from app.models.model_names import printable
from app.models.stated import content_range

if TYPE_CHECKING:
    import httpx2

READ_SECONDS = 60.0  # until a card, or a small piece of a header, is there
LEAST_RATE = 20_000  # bytes a second that the poorest line should bring: larger pieces may take longer


@contextmanager
def hub_answer(
    repo: str,
    commit: str,
    path: str,
    endpoint: str | None,
    headers: Mapping[str, str] | None = None,
    seconds: float | None = None,
) -> "Iterator[httpx2.Response]":
    """The hub's answer to a request for a file, not read yet. It has to be read in `seconds`, or 60.

    Raises HubError, also where reading takes too long; whatever else is raised inside comes out as it is.
    """
    from huggingface_hub import get_session, hf_hub_url

    use_patient_client()
    with Deadline(READ_SECONDS if seconds is None else seconds) as deadline:
        with hub_errors(repo):
            request = get_session().build_request(
                "GET",
                hf_hub_url(repo, path, revision=commit, endpoint=endpoint),
                headers=hub_headers(headers),
                extensions=deadline.extensions,
            )
            response = get_session().send(request, stream=True)
        try:
            if response.status_code not in (200, 206):
                raise hub_error_of_response(response, repo)
            yield response
        finally:
            response.close()


def read_beginning(repo: str, commit: str, path: str, endpoint: str | None, most: int) -> bytes:
    """A file's first bytes, at most `most`. Raises HubError."""
    with hub_answer(repo, commit, path, endpoint) as response:
        return take(response.iter_bytes(), most)


def read_range(
    repo: str, commit: str, file: RemoteFile, endpoint: str | None, start: int, stop: int
) -> bytes:
    """A file's bytes from `start` to before `stop`, or fewer of them, but at least one.

    Works, at some cost, with a server that sends the whole file instead. Raises HubError.
    """
    headers = {"Range": f"bytes={start}-{stop - 1}", "Accept-Encoding": "identity"}
    seconds = max(READ_SECONDS, (stop - start) / LEAST_RATE)
    with hub_answer(repo, commit, file.path, endpoint, headers, seconds) as response:
        if is_page(response):
            raise hub_error_of_response(response)
        left_out = start - _first_place(response, file, start)
        data = take(response.iter_raw(), left_out + stop - start)[left_out:]
        if not data:
            raise hub_error_of_response(response)
        return data


def take(chunks: Iterable[bytes], most: int) -> bytes:
    """The first bytes of an answer; no more than one chunk is read beyond them. Raises HubError."""
    taken = bytearray()
    with hub_errors():
        for chunk in chunks:
            taken += chunk
            if len(taken) >= most:
                break
    return bytes(taken[:most])


def is_page(response: "httpx2.Response") -> bool:
    """Whether an answer is a web page: the login page of a network, most likely."""
    return bool(response.headers.get("Content-Type", "").lower().startswith("text/html"))


def _first_place(response: "httpx2.Response", file: RemoteFile, start: int) -> int:
    """Where in the file the answer begins."""
    if response.status_code == 200:
        length = response.headers.get("Content-Length", "")
        if length not in ("", str(file.size)):
            raise _changed(file)
        return 0
    found = content_range(response.headers)
    if found is None or found[0] != start:
        raise hub_error_of_response(response)
    if found[2] != file.size:
        raise _changed(file)
    return start


def _changed(file: RemoteFile) -> HubError:
    return HubError(
        HubProblem.CHANGED,
        f"{printable(file.name, 120)} on Hugging Face is another file now. Open its repository again.",
    )
