"""What was asked of the loopback hub, and what was really sent."""

import threading
from collections.abc import Callable, Sequence

from msgspec import Struct

from tests.fakes.hub_faults import Port

PATIENCE = 20.0  # seconds; only a broken test waits for so long


class Request(Struct):
    """One request. Its figures grow while the answer is being sent."""

    server: Port
    method: str
    path: str  # with the query
    file: str = ""  # repository and path, where a file was asked for
    range: str | None = None  # the header
    if_range: str | None = None  # the header
    authorised: bool = False  # an Authorization header came with it
    status: int = 0
    start: int = 0  # of the bytes in the file
    sent: int = 0  # bytes of the file that were handed to the connection

    @property
    def stop(self) -> int:
        """The place in the file after the last byte that was sent."""
        return self.start + self.sent


class Requests:
    """A log; any thread may call anything."""

    def __init__(self) -> None:
        self._condition = threading.Condition()
        self._requests: list[Request] = []

    def add(self, request: Request) -> None:
        """A request came."""
        with self._condition:
            self._requests.append(request)
            self._condition.notify_all()

    def count(self, request: Request, send: Callable[[], int]) -> int:
        """Sends bytes, as many as go at once, and counts them before anybody can ask how many it were."""
        with self._condition:
            sent = send()
            request.sent += sent
            self._condition.notify_all()
            return sent

    def clear(self) -> None:
        """Forgets all requests so far."""
        with self._condition:
            self._requests.clear()

    def all(self) -> tuple[Request, ...]:
        """Every request, in the order of their coming."""
        with self._condition:
            return tuple(self._requests)

    def to(self, path: str, server: Port = "hub") -> tuple[Request, ...]:
        """The requests to a server for paths that begin with `path`."""
        return tuple(each for each in self.all() if each.server == server and each.path.startswith(path))

    def contents(self, file: str) -> tuple[Request, ...]:
        """The requests that asked for the bytes of a file, or of one whose name ends so."""
        return tuple(
            each
            for each in self.all()
            if each.method == "GET"
            and each.status in (200, 206)
            and (each.file == file or each.file.endswith("/" + file))
        )

    def sent(self, file: str) -> int:
        """How many bytes of a file went out, in all."""
        return sum(each.sent for each in self.contents(file))

    def sent_ranges(self, file: str) -> list[tuple[int, int]]:
        """From where to where a file's bytes went out, one pair an answer."""
        return [(each.start, each.stop) for each in self.contents(file) if each.sent]

    def sent_again(self, file: str) -> int:
        """How many bytes of a file went out more than once: 0 where no byte was wasted."""
        return self.sent(file) - covered(self.sent_ranges(file))

    def tokens_at_content(self) -> tuple[Request, ...]:
        """Requests that took a token to the content's port, where none must ever go."""
        return tuple(each for each in self.all() if each.server == "content" and each.authorised)

    def wait_for(self, condition: Callable[[], bool]) -> None:
        """Waits until what is asked or sent makes the condition true; fails if it never does."""
        with self._condition:
            assert self._condition.wait_for(condition, PATIENCE), "the hub was never asked for this"

    def wait_until_sent(self, file: str, count: int) -> None:
        """Waits until at least so many bytes of a file went out."""
        self.wait_for(lambda: self.sent(file) >= count)


def covered(ranges: Sequence[tuple[int, int]]) -> int:
    """How many places lie in at least one of the ranges."""
    total, reached = 0, 0
    for start, stop in sorted(ranges):
        total += max(0, stop - max(start, reached))
        reached = max(reached, stop)
    return total
