"""What the window works with, built once and handed to it."""

from dataclasses import dataclass

from app.core.advice import Advisor
from app.core.prompts import Suite
from app.models.hub import Account, Hub
from app.ui.chat_store import ChatStore
from app.ui.comparison import Comparison
from app.ui.downloads_service import DownloadsService
from app.ui.experiments import Experiments
from app.ui.folder_offers import FolderOffers
from app.ui.icons import Icons
from app.ui.library_service import LibraryService
from app.ui.monitor import Monitor
from app.ui.preferences import Preferences
from app.ui.session import Session
from app.ui.tasks import Tasks
from app.ui.theme import Theme


@dataclass(frozen=True)
class Services:
    """All of them. `network` and `headers` have threads of their own: a poor line holds them for long.

    Reading the header of a file on the hub is the longest of such work, and nobody has to wait for it.
    """

    theme: Theme
    icons: Icons
    tasks: Tasks
    network: Tasks
    headers: Tasks
    preferences: Preferences
    library: LibraryService
    offers: FolderOffers
    advisor: Advisor
    hub: Hub
    account: Account
    downloads: DownloadsService
    session: Session
    chats: ChatStore
    comparison: Comparison
    experiments: Experiments
    suites: tuple[Suite, ...]  # the built-in prompts
    monitor: Monitor

    def close(self) -> None:
        """Ends the engine and the downloads, writes what is not written yet, and waits for these."""
        self.monitor.close()
        self.comparison.close()
        self.session.close()
        self.downloads.close()
        self.library.close()
        self.chats.close()
        self.experiments.close()
        self.preferences.close()
        self.tasks.close()
        self.network.close()
        self.headers.close()
