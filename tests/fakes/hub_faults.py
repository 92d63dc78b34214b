"""What can be wrong with the loopback hub, switched on and off while it runs."""

import threading
from collections.abc import Mapping
from typing import Literal

from msgspec import Struct, structs

from tests.fakes.hub_content import Content

Port = Literal["hub", "content"]

LOGIN_PAGE = (
    b"<!doctype html><html><head><title>Sign in</title></head><body>Welcome to our network</body></html>"
)


class Fault(Struct, frozen=True):
    """How the bytes of a file come wrongly. Counts are in bytes."""

    drop_every: int | None = None  # the connection ends after so many bytes, whatever requests it carried
    reset: bool = False  # a connection that ends does so with a reset
    silent: bool = False  # the request is taken, and nothing is ever said
    stall_after: int | None = None  # of each answer, then silence; goes on when the fault is cleared
    stop_at: int | None = None  # from this place in the file on nothing is sent; silence
    stop_short: int = 0  # so many bytes at the end of an answer are not sent; then silence
    ignore_range: bool = False  # 200 and the whole file
    login_page: bool = False  # 200 and a page in HTML
    flip_at: int | None = None  # one bit of the byte at this place in the file is another
    bytes_per_second: int | None = None  # of each connection
    times: int | None = None  # for so many requests; None: until cleared

    @property
    def withholds(self) -> bool:
        """Whether bytes that were promised are kept back."""
        return self.silent or self.stop_short > 0 or (self.stall_after, self.stop_at) != (None, None)


class Refusal(Struct, frozen=True):
    """An answer in place of the right one."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    server: Port
    path: str  # the beginning of the paths it is for
    times: int | None


NONE = Fault()


class Faults:
    """The faults in force; any thread may call anything.

    A file is named by its repository and path, "publisher/name/model.gguf", or by the end of that.
    """

    def __init__(self) -> None:
        self._condition = threading.Condition()
        self._files: dict[str, Fault] = {}
        self._refusals: list[Refusal] = []
        self._swapped: dict[str, Content] = {}
        self._login_for_all = False
        self._links = 0
        self._cleared = 0
        self._ended = False

    def set(self, file: str, fault: Fault) -> None:
        """From now on `file` is served with this fault, also in the answers that are being sent."""
        with self._condition:
            self._files[file] = fault
            self._condition.notify_all()

    def clear(self) -> None:
        """All is well again; answers that stalled go on."""
        with self._condition:
            self._files.clear()
            self._refusals.clear()
            self._swapped.clear()
            self._login_for_all = False
            self._cleared += 1
            self._condition.notify_all()

    def refuse(
        self,
        status: int,
        *,
        times: int | None = None,
        headers: Mapping[str, str] | None = None,
        body: bytes = b"",
        server: Port = "hub",
        path: str = "/",
    ) -> None:
        """Answers requests for paths that begin with `path` with this status."""
        with self._condition:
            self._refusals.append(Refusal(status, headers or {}, body, server, path, times))

    def limit_rate(
        self,
        seconds: int,
        *,
        times: int | None = None,
        by_window: bool = False,
        server: Port = "hub",
        path: str = "/",
    ) -> None:
        """429, with Retry-After; or, `by_window`, with the `ratelimit` headers that the hub sends."""
        window = {
            "ratelimit": f'"api";r=0;t={seconds}',
            "ratelimit-policy": '"fixed window";"api";q=500;w=300',
        }
        headers = window if by_window else {"Retry-After": str(seconds)}
        self.refuse(429, times=times, headers=headers, server=server, path=path)

    def ask_for_login(self) -> None:
        """Every request, to both ports, gets a login page, as in a hotel."""
        with self._condition:
            self._login_for_all = True

    def swap(self, file: str, content: Content) -> None:
        """Other bytes, with their own size, digest and ETag, under the same address and commit."""
        with self._condition:
            self._swapped[file] = content

    def expire_links(self) -> None:
        """The addresses of contents that were given so far get 403 from now on."""
        with self._condition:
            self._links += 1

    def end(self) -> None:
        """The server stops: wakes all who wait."""
        with self._condition:
            self._ended = True
            self._condition.notify_all()

    def begin(self) -> None:
        """The server starts."""
        with self._condition:
            self._ended = False

    @property
    def ended(self) -> bool:
        """Whether the server is stopping."""
        with self._condition:
            return self._ended

    @property
    def links(self) -> int:
        """The number of the links that are valid now."""
        with self._condition:
            return self._links

    @property
    def asks_for_login(self) -> bool:
        """Whether every request gets a login page."""
        with self._condition:
            return self._login_for_all

    @property
    def cleared(self) -> int:
        """How often all faults were cleared."""
        with self._condition:
            return self._cleared

    def now(self, file: str) -> Fault:
        """The fault of a file while it is being sent, for answers that have none of their own."""
        with self._condition:
            fault = self._files.get(_match(self._files, file), NONE)
            return fault if fault.times is None else NONE

    def for_request(self, file: str) -> Fault:
        """The fault of a file that is being asked for; counts the request."""
        with self._condition:
            name = _match(self._files, file)
            fault = self._files.get(name, NONE)
            if fault.times is not None:
                if fault.times > 1:
                    self._files[name] = structs.replace(fault, times=fault.times - 1)
                else:
                    del self._files[name]
            return fault

    def swapped(self, file: str) -> Content | None:
        """What is served in place of a file."""
        with self._condition:
            return self._swapped.get(_match(self._swapped, file))

    def refusal(self, server: Port, path: str) -> Refusal | None:
        """The refusal for a request; counts it."""
        with self._condition:
            for index, found in enumerate(self._refusals):
                if found.server == server and path.startswith(found.path):
                    if found.times is not None:
                        left = structs.replace(found, times=found.times - 1)
                        self._refusals[index : index + 1] = [left] if left.times else []
                    return found
        return None

    def wait(self, seconds: float) -> None:
        """Waits, at most until something changes."""
        with self._condition:
            if not self._ended:
                self._condition.wait(seconds)


def _match(known: Mapping[str, object], file: str) -> str:
    """The name under which a file is known; empty where it is not."""
    return next((name for name in known if file == name or file.endswith("/" + name)), "")
