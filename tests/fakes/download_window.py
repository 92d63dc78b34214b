"""Downloads as the window has them, with transfers that do what a test says."""

from pytestqt.qtbot import QtBot

from app.models.download import Download, DownloadRequest
from app.models.download_store import DownloadStore
from app.ui.downloads_service import DownloadsService
from tests.fakes.scripted_transfer import ScriptedDownloads


class DownloadWindow:
    """A service over a scripted queue. `now` is the time of both."""

    def __init__(
        self,
        qtbot: QtBot,
        store: DownloadStore | None = None,
        left: dict[str, int] | None = None,
        *,
        measures: bool = True,
    ) -> None:
        self.qtbot = qtbot
        self.now = 100.0
        self.scripted = ScriptedDownloads(store, left, clock=self.clock, measures=measures)
        self.service = DownloadsService(self.scripted.queue, clock=self.clock)
        self.scripted.listen_too()

    def clock(self) -> float:
        """Seconds."""
        return self.now

    def add(self, *requests: DownloadRequest) -> None:
        """Wants them."""
        for request in requests:
            self.service.add(request)

    def row(self, request: DownloadRequest) -> Download:
        """How one stands, as told last."""
        found = self.service.find(request.key)
        assert found is not None
        return found

    def wait_for_state(self, request: DownloadRequest, kind: type[object]) -> None:
        """Waits until such a state is told."""

        def is_there() -> bool:
            found = self.service.find(request.key)
            return found is not None and isinstance(found.state, kind)

        self.qtbot.waitUntil(is_there, timeout=60_000)

    def settle(self) -> None:
        """Waits until all that the queue says is told."""
        self.qtbot.waitUntil(
            lambda: self.service.downloads == self.scripted.queue.downloads(), timeout=60_000
        )

    def close(self) -> None:
        """Ends it."""
        self.service.close()
        self.service.deleteLater()
