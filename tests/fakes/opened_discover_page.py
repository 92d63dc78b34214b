"""Discover on the screen, as tests operate it."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QLabel, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from app.core.options import LoadOptions
from app.models.download import DownloadRequest
from app.models.hub import Gate, HubModel, RemoteFile
from app.models.hub_query import Repository
from app.ui.card_dialog import CardDialog
from app.ui.discover_page import DiscoverPage
from app.ui.downloads_service import DownloadsService
from app.ui.files_table import FileColumn
from app.ui.files_view import FilesView
from app.ui.icons import Icons
from app.ui.notice import Notice
from app.ui.repository_pane import RepositoryPane
from app.ui.search_view import SearchView
from app.ui.tasks import Tasks
from app.ui.theme import Theme
from tests.fakes.advisor import FakeAdvisor
from tests.fakes.children import child
from tests.fakes.library_places import Places
from tests.fakes.scripted_hub import ScriptedHub, found_model, hub_model, remote_model
from tests.fakes.scripted_transfer import ScriptedDownloads
from tests.fakes.tiny_gguf import write_llama

CODER = "Qwen/Qwen2.5-Coder-7B-Instruct-GGUF"
DRAFT = "Qwen/Qwen2.5-Coder-0.5B-Instruct-GGUF"
GEMMA = "google/gemma-3-4b-it-GGUF"

CODER_MODEL = hub_model(
    found_model(CODER, parameters=7_600_000_000),
    remote_model("Q4_K_M", 4_680_000_000, stem="coder", parts=2),
    remote_model("Q8_0", 8_100_000_000, stem="coder"),
    base_models=("Qwen/Qwen2.5-Coder-7B-Instruct",),
)
DRAFT_MODEL = hub_model(
    found_model(DRAFT, parameters=494_000_000),
    remote_model("Q4_K_M", 491_000_000, stem="draft"),
    base_models=("Qwen/Qwen2.5-Coder-0.5B-Instruct",),
)
GEMMA_MODEL = hub_model(
    found_model(GEMMA, gate=Gate.MANUAL, architecture="gemma3"),
    remote_model("Q4_0", 2_500_000_000, stem="gemma"),
    projectors=(remote_model("F16", 850_000_000, stem="mmproj"),),
    unjoined=(RemoteFile("big.gguf.part1of2", 10, None), RemoteFile("big.gguf.part2of2", 10, None)),
    base_models=("google/gemma-3-4b-it",),
)


class OpenedDiscoverPage:
    """A page on the screen, with what it asked for. Downloads move as the test tells them to."""

    def __init__(self, places: Places, theme: Theme, icons: Icons, tasks: Tasks, qtbot: QtBot) -> None:
        self.places = places
        self.qtbot = qtbot
        self.hub = ScriptedHub()
        self.free_memory = 16_000_000_000
        self.transfers = ScriptedDownloads()
        self.downloads = DownloadsService(self.transfers.queue)
        self._note: Callable[[], None] = self.transfers.queue.on_change
        self.transfers.queue.on_change = self._tell_both
        self.page = DiscoverPage(
            theme,
            icons,
            tasks,
            tasks,
            self.hub,
            self.downloads,
            FakeAdvisor(),
            places.library,
            lambda: places.managed,
            lambda: self.free_memory,
            LoadOptions,
        )
        self.loads: list[Path] = []
        self.pairs: list[tuple[Path, Path]] = []
        self.page.pair_begun.connect(lambda target, draft: self.pairs.append((target, draft)))
        self.settings_requests = 0
        self.page.load_requested.connect(self.loads.append)
        self.page.settings_requested.connect(self._count_settings)
        qtbot.addWidget(self.page)
        self.page.resize(1216, 720)
        self._header = write_llama(places.other / "header.gguf")

    def add(self, *models: HubModel) -> None:
        """Makes repositories known, with headers for all their files."""
        self.hub.add(*models)
        for model in models:
            for row in (*model.models, *model.projectors):
                self.hub.headers[f"{model.repo}/{row.files[0].path}"] = self._header

    def show(self) -> None:
        self.page.show()
        self.qtbot.waitExposed(self.page)

    @property
    def files(self) -> FilesView:
        return child(self.page, FilesView, "files_table")

    @property
    def results(self) -> list[str]:
        """The names that were found."""
        model = child(self.page, SearchView, "search_results").model()
        return [model.index(row, 0).data() for row in range(model.rowCount())]

    def column(self, column: FileColumn) -> list[str]:
        """A column of the table of files."""
        model = self.files.model()
        return [str(model.index(row, column).data()) for row in range(model.rowCount())]

    def press(self, row: int, table: str = "files_table") -> None:
        """Presses the button of a row of files."""
        view = child(self.page, FilesView, table)
        place = view.button_place(row).center()
        self.qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)

    def requests(self) -> list[DownloadRequest]:
        """What is wanted of the hub."""
        return [download.request for download in self.downloads.downloads]

    def click(self, name: str) -> None:
        button = child(self.page, QAbstractButton, name)
        self.qtbot.waitUntil(button.isVisible)
        self.qtbot.mouseClick(button, Qt.MouseButton.LeftButton)

    def click_result(self, row: int) -> None:
        view = child(self.page, SearchView, "search_results")
        place = view.visualRect(view.model().index(row, 0)).center()
        self.qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)

    def field(self) -> QLineEdit:
        return child(self.page, QLineEdit, "search_field")

    def text(self, name: str) -> str:
        """What a line says; nothing while it is not to be seen."""
        found = child(self.page, QLabel, name)
        return (found.accessibleName() or found.text()) if found.isVisible() else ""

    def notice(self, name: str) -> str:
        found = child(self.page, Notice, name)
        return found.sentence if found.isVisible() else ""

    def is_shown(self, name: str) -> bool:
        return child(self.page, QWidget, name).isVisible()

    def card(self) -> CardDialog:
        return child(self.page, CardDialog, "card_dialog")

    def open(self, repo: str) -> None:
        child(self.page, RepositoryPane, "repository_pane").open(Repository(repo))

    def close(self) -> None:
        """Takes the page off the screen."""
        self.page.close()
        self.downloads.close()
        self.downloads.deleteLater()

    def _tell_both(self) -> None:
        self._note()
        self.transfers._note()

    def _count_settings(self) -> None:
        self.settings_requests += 1
