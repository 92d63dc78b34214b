"""A transfer under test: one file of the loopback hub, where it goes, and what is told of it.

As a process of its own, to be killed:

    python -m tests.fakes.transfers ENDPOINT REPO COMMIT PATH SIZE SHA256 DESTINATION
"""

import sys
from collections.abc import Callable
from pathlib import Path
from threading import Condition, Thread
from typing import Any

from app.models.hub import RemoteFile
from app.models.hub_problems import HubError
from app.models.part_file import part_path
from app.models.transfer import Transfer
from tests.fakes.hub_content import Content, Source
from tests.fakes.hub_server import HubServer

REPO = "publisher/name-GGUF"
PATH = "name-Q4_K_M.gguf"
BLOCK = 64 << 10  # bytes

_PATIENCE = 20.0  # seconds; only a broken test waits for so long


class ToldEvents:
    """Keeps what a transfer tells."""

    def __init__(self) -> None:
        self._condition = Condition()
        self.counts: list[int] = []
        self.steps: list[str] = []
        self.retries: list[tuple[HubError, float, int, int]] = []

    def held(self, count: int) -> None:
        """So many bytes are on the disk."""
        with self._condition:
            self.counts.append(count)
            self._condition.notify_all()

    def retrying(self, error: HubError, seconds: float, attempt: int, attempts: int) -> None:
        """It waits."""
        with self._condition:
            self.retries.append((error, seconds, attempt, attempts))
            self._step("retrying")

    def transferring(self) -> None:
        """Bytes come."""
        self._step("transferring")

    def verifying(self) -> None:
        """All bytes are there."""
        self._step("verifying")

    def wait_for(self, condition: Callable[[], bool]) -> None:
        """Waits until what was told makes the condition true; fails if it never does."""
        with self._condition:
            assert self._condition.wait_for(condition, _PATIENCE), "this was never told"

    def _step(self, step: str) -> None:
        with self._condition:
            self.steps.append(step)
            self._condition.notify_all()


class Running:
    """A transfer in a thread of its own."""

    def __init__(self, transfer: Transfer) -> None:
        self._transfer = transfer
        self._error: BaseException | None = None
        self._thread = Thread(target=self._run)
        self._thread.start()

    def stop(self) -> None:
        """Tells it to stop."""
        self._transfer.stop()

    def has_ended_within(self, seconds: float) -> bool:
        """Waits for its end, so long at most."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def end(self) -> None:
        """Waits for its end; raises what it raised."""
        self._thread.join(_PATIENCE)
        assert not self._thread.is_alive(), "the transfer does not end"
        if self._error is not None:
            raise self._error

    def _run(self) -> None:
        try:
            self._transfer.run()
        except BaseException as error:  # noqa: BLE001 - raised by `end`
            self._error = error


class Wanted:
    """A file that is wanted, on a hub. Waits between tries are noted, and take no time."""

    def __init__(
        self, hub: HubServer, content: Source, folder: Path, *, path: str = PATH, repo: str = REPO
    ) -> None:
        self.hub = hub
        self.repo = repo
        self.commit = hub.add_model(repo, {path: content})
        self.content: Content = hub.content(repo, path)
        sha256 = self.content.sha256 if path.endswith(".gguf") else None
        self.file = RemoteFile(path, self.content.size, sha256)
        self.destination = folder / self.file.name
        self.part = part_path(self.destination)
        self.events = ToldEvents()
        self.waits: list[float] = []

    def transfer(self, **options: Any) -> Transfer:
        """A transfer that has not begun."""
        settings: dict[str, Any] = {
            "endpoint": self.hub.endpoint,
            "block_bytes": BLOCK,
            "wait": self.waits.append,
            **options,
        }
        return Transfer(self.repo, self.commit, self.file, self.destination, self.events, **settings)

    def start(self, **options: Any) -> Running:
        """A transfer under way."""
        return Running(self.transfer(**options))

    def run(self, **options: Any) -> None:
        """A transfer from its beginning to its end."""
        self.transfer(**options).run()

    def is_whole(self) -> bool:
        """Whether the part has all bytes and no wrong one."""
        return self.part.read_bytes() == self.content.read(0, self.content.size)


class _Deaf:
    def held(self, count: int) -> None:
        """Nobody listens."""

    def retrying(self, error: HubError, seconds: float, attempt: int, attempts: int) -> None:
        """Nobody listens."""

    def transferring(self) -> None:
        """Nobody listens."""

    def verifying(self) -> None:
        """Nobody listens."""


def main(endpoint: str, repo: str, commit: str, path: str, size: str, sha256: str, destination: str) -> None:
    """Brings one file in."""
    file = RemoteFile(path, int(size), sha256)
    Transfer(repo, commit, file, Path(destination), _Deaf(), endpoint=endpoint).run()


if __name__ == "__main__":
    main(*sys.argv[1:])
