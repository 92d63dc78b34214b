"""One file on the hub. Imported late, because the hub library takes its time."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import httpx2
from huggingface_hub import get_hf_file_metadata, get_session, hf_hub_url

from app import __version__
from app.models.hub import RemoteFile
from app.models.hub_answers import hub_error_of_response, not_the_answer
from app.models.hub_problems import HubError, HubProblem
from app.models.hub_session import hub_headers, use_patient_client
from app.models.hub_words import hub_errors
from app.models.model_names import printable
from app.models.stated import is_sha256

_CONNECT_SECONDS = 10.0
_LIBRARY = "slipstream"

Trace = Callable[[str, Mapping[str, Any]], None]


class TransferSource:
    """A file at one commit: what the hub says of it, and its bytes. Everything raises HubError."""

    def __init__(
        self, repo: str, commit: str, file: RemoteFile, *, endpoint: str | None, seconds: float
    ) -> None:
        """`seconds` is how long the server may be silent."""
        self.repo = repo
        self._file = file
        self._seconds = seconds
        use_patient_client()
        with hub_errors(repo):
            self.url = hf_hub_url(repo, file.path, revision=commit, endpoint=endpoint)

    def check(self) -> str | None:
        """Asks the hub whether the file is still the one that was chosen; gives the hub's word for it."""
        with hub_errors(self.repo):
            told = get_hf_file_metadata(
                self.url, timeout=self._seconds, library_name=_LIBRARY, library_version=__version__
            )
        if told.commit_hash is None:  # the hub never leaves it out
            raise not_the_answer()
        digest = told.etag if told.etag is not None and is_sha256(told.etag) else None
        other_digest = None not in (digest, self._file.sha256) and digest != self._file.sha256
        if other_digest or told.size not in (None, self._file.size):
            raise self.changed()
        return told.etag

    def changed(self) -> HubError:
        """The hub has another file under this name."""
        return HubError(
            HubProblem.CHANGED,
            f"{printable(self._file.name, 200)} is another file on Hugging Face now. Look at the files of "
            f"{printable(self.repo, 200)} again and choose from them.",
        )

    def unsteady(self) -> HubError:
        """The hub says that nothing has changed, and yet other bytes come again and again."""
        return HubError(
            HubProblem.CHECKSUM,
            f"The server gives other bytes for {printable(self._file.name, 200)} at every request, so that "
            "no file can be put together from them. Try again later.",
        )

    @contextmanager
    def ask(self, start: int, stop: int | None, etag: str | None, trace: Trace) -> Iterator[httpx2.Response]:
        """The answer to a request for these bytes, unread; with `stop` None, for the whole file.

        `etag` is the content server's own, for a part of the same bytes or else the whole.
        """
        headers = hub_headers({"Accept-Encoding": "identity"})
        if stop is not None:
            headers["Range"] = f"bytes={start}-{stop - 1}"
            if etag is not None:
                headers["If-Range"] = etag
        client = get_session()
        timeout = httpx2.Timeout(self._seconds, connect=_CONNECT_SECONDS)
        with hub_errors(self.repo):
            request = client.build_request(
                "GET", self.url, headers=headers, timeout=timeout, extensions={"trace": trace}
            )
            response = client.send(request, stream=True, follow_redirects=True)
        try:
            if response.status_code >= 400 and response.status_code != 416:
                raise hub_error_of_response(response, self.repo)
            yield response
        finally:
            response.close()
