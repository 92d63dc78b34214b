"""A Hugging Face hub on this computer, for tests: the real hub library talks to it through its endpoint.

    with HubServer() as hub:
        hub.add_model("publisher/name-GGUF", {"name-Q4_K_M.gguf": GeneratedContent(64 << 20)}, downloads=10)
        HfApi(endpoint=hub.endpoint).model_info("publisher/name-GGUF")

Two ports, as with the real one: the hub, and the storage that large files are redirected to. `hub.faults`
says what goes wrong, `hub.requests` what was asked and sent. Leaving the block joins all threads. As a
process of its own, serving one file until its standard input ends:

    python -m tests.fakes.hub_server publisher/name FILE
"""

import argparse
import socket
import sys
import threading
from collections.abc import Mapping
from http.server import ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any

from tests.fakes.hub_answers import Catalogue, ContentAnswers, HubAnswers
from tests.fakes.hub_connection import HubConnection
from tests.fakes.hub_content import Content, Source, content_of
from tests.fakes.hub_faults import Faults
from tests.fakes.hub_repositories import Repository
from tests.fakes.hub_requests import Requests

TOKEN = "hf_aValidTokenOfAnn"
USER = "ann"


class HubServer(Catalogue):
    """The hub with its storage. Models may be added, changed and renamed while it runs."""

    def __init__(self, *, page_size: int = 1000, tree_page_size: int = 1000) -> None:
        """The sizes are the most entries that a page of a search, or of a folder, has."""
        self.page_size = page_size
        self.tree_page_size = tree_page_size
        self.tokens = {TOKEN: USER}
        self.repositories: dict[str, Repository] = {}
        self.renamed: dict[str, str] = {}
        self.faults = Faults()
        self.requests = Requests()
        self._errors: list[BaseException] = []
        self._hub = _Port(HubAnswers, self, 0)
        self._storage = _Port(ContentAnswers, self, 0)

    @property
    def endpoint(self) -> str:
        """The address for HF_ENDPOINT."""
        return f"http://127.0.0.1:{self._hub.number}"

    @property
    def content_endpoint(self) -> str:
        """The address of the storage."""
        return f"http://127.0.0.1:{self._storage.number}"

    def add_model(
        self, name: str, files: Mapping[str, Source], *, card: str | None = None, **facts: Any
    ) -> str:
        """A repository; gives its commit. `facts` are fields of `Repository`; `card` becomes README.md."""
        shown = {} if card is None else {"README.md": card}
        contents = {path: content_of(source) for path, source in {**files, **shown}.items()}
        repository = Repository(name, **facts)
        self.repositories[name] = repository
        return repository.commit(contents)

    def change(self, name: str, files: Mapping[str, Source]) -> str:
        """A new commit in which these files are new or other ones; gives its name. Older commits stay."""
        repository = self.repositories[name]
        contents = {path: content_of(source) for path, source in files.items()}
        return repository.commit({**repository.commits[repository.head], **contents})

    def rename(self, old: str, new: str) -> None:
        """Gives a repository another name; the old one redirects."""
        repository = self.repositories.pop(old)
        repository.name = new
        self.repositories[new] = repository
        self.renamed[old] = new

    def content(self, name: str, path: str) -> Content:
        """What a file holds now."""
        repository = self.repositories[name]
        return repository.commits[repository.head][path]

    def start(self) -> None:
        """Takes requests; after a stop on the same ports."""
        self.faults.begin()
        self._hub.start()
        self._storage.start()

    def stop(self) -> None:
        """Ends all connections and refuses new ones: no network. All threads have ended when it returns."""
        self.faults.end()
        self._hub.stop()
        self._storage.stop()

    def cut(self) -> None:
        """Ends all connections; new ones are taken."""
        self._hub.cut()
        self._storage.cut()

    def close(self) -> None:
        """Stops and lets go of the files. Raises what went wrong inside, which no client can have caused."""
        self.stop()
        for repository in self.repositories.values():
            for files in repository.commits.values():
                for content in files.values():
                    content.close()
        if self._errors:
            raise self._errors[0]

    def note_error(self, error: BaseException) -> None:
        """Keeps what went wrong in a connection's thread."""
        self._errors.append(error)

    def __enter__(self) -> "HubServer":
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class _Port:
    """A port that can be closed and opened again."""

    def __init__(self, kind: type[HubConnection], hub: HubServer, number: int) -> None:
        shared = {"catalogue": hub, "faults": hub.faults, "requests": hub.requests}
        self._handler = type(kind.__name__, (kind,), shared)
        self._hub = hub
        self._server: _Server | None = None
        self._thread: threading.Thread | None = None
        self.number = number

    def start(self) -> None:
        self._server = _Server(("127.0.0.1", self.number), self._handler, self._hub)
        self.number = self._server.server_address[1]
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.02,), name=f"hub port {self.number}"
        )
        self._thread.start()

    def stop(self) -> None:
        if self._server is None or self._thread is None:
            return
        self._server.shutdown()
        self._thread.join()
        self._server.cut()
        self._server.server_close()
        self._server = self._thread = None

    def cut(self) -> None:
        if self._server is not None:
            self._server.cut()


class _Server(ThreadingHTTPServer):
    """One thread a connection; all are joined when it closes."""

    daemon_threads = False
    block_on_close = True
    request_queue_size = 64

    def __init__(self, address: tuple[str, int], handler: type[HubConnection], hub: HubServer) -> None:
        super().__init__(address, handler)
        self._hub = hub
        self._lock = threading.Lock()
        self._connections: set[socket.socket] = set()

    def process_request(self, request: Any, client_address: Any) -> None:
        with self._lock:
            self._connections.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        with self._lock:
            self._connections.discard(request)
        super().shutdown_request(request)

    def cut(self) -> None:
        """Ends all connections."""
        with self._lock:
            for connection in self._connections:
                try:
                    connection.shutdown(socket.SHUT_RDWR)
                except OSError:
                    continue  # the client was quicker

    def handle_error(self, request: Any, client_address: Any) -> None:
        error = sys.exception()
        if error is not None and not isinstance(error, OSError):  # a client may go whenever it likes
            self._hub.note_error(error)


def main() -> None:
    """Serves one file as one model; the first line on standard output is the endpoint."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("name", help="publisher/name")
    parser.add_argument("file", type=Path)
    options = parser.parse_args()
    with HubServer() as hub:
        hub.add_model(options.name, {options.file.name: options.file})
        hub.content(options.name, options.file.name).sha256  # noqa: B018  (computed before anyone waits for it)
        sys.stdout.write(hub.endpoint + "\n")
        sys.stdout.flush()
        sys.stdin.read()


if __name__ == "__main__":
    main()
