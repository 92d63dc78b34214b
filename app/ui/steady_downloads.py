"""Downloads as they are shown: a try that has brought nothing yet is still part of the wait before it."""

import time
from collections.abc import Callable

from msgspec.structs import replace

from app.models.download import Download, Retrying, Transferring


class SteadyDownloads:
    """Keeps words, tracks and buttons from coming and going at each of several tries that fail."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._waits: dict[str, tuple[Retrying, int]] = {}  # by key, with the bytes there were then

    def shown(self, downloads: tuple[Download, ...]) -> tuple[Download, ...]:
        """These, with the wait in place of a transfer of which nothing has come since."""
        before, self._waits = self._waits, {}
        return tuple(self._shown(download, before.get(download.key)) for download in downloads)

    def _shown(self, download: Download, before: tuple[Retrying, int] | None) -> Download:
        state = download.state
        if isinstance(state, Transferring) and before is not None and before[1] == download.received_bytes:
            wait = before[0]
            state = replace(wait, at=min(wait.at, self._clock()))  # it is over, perhaps before its time
        if not isinstance(state, Retrying):
            return download
        self._waits[download.key] = state, download.received_bytes
        return replace(download, state=state, rate=0.0)  # what came before says nothing now
