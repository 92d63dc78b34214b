"""Discover and the rest of the window: what is downloaded is loaded as soon as it is listed."""

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QAbstractButton, QWidget
from pytestqt.qtbot import QtBot

from app.models.download import Finished
from app.models.library import LocalModel
from app.ui.discovery import Discovery
from app.ui.icons import Icons
from app.ui.notice import Notice
from app.ui.rail import PageName
from app.ui.status_bar import StatusBar
from app.ui.theme import Theme
from tests.fakes.children import child
from tests.fakes.draft_hub import DRAFT, TARGET
from tests.fakes.held_tasks import HeldTasks
from tests.fakes.library_places import Places
from tests.fakes.listed_downloads import ListedDownloads
from tests.fakes.local_models import local_model
from tests.fakes.session import FakeSession
from tests.fakes.setups import plain_setup
from tests.fakes.tiny_gguf import truncate_file


class Page(QObject):
    """Of Discover, what the rest of the window hears of."""

    load_requested = Signal(object)
    pair_begun = Signal(object, object)
    settings_requested = Signal()


class Bench:
    """Looks at the disk end when the test says so."""

    def __init__(self, qtbot: QtBot, theme: Theme, icons: Icons, folder: Path) -> None:
        self.qtbot = qtbot
        self.tasks = HeldTasks()
        self.places = Places(folder, self.tasks)
        self.downloads = ListedDownloads()
        self.session = FakeSession()
        services = SimpleNamespace(
            library=self.places.library,
            preferences=self.places.preferences,
            downloads=self.downloads.service,
            session=self.session,
        )
        self.window = QWidget()
        qtbot.addWidget(self.window)
        self.notice = Notice(theme, icons, self.window)
        self.failures = Notice(theme, icons, self.window)
        self._parts = (Page(), StatusBar(self.window), Notice(theme, icons, self.window))
        page, status, offer = self._parts
        self.discovery = Discovery(
            services,  # type: ignore[arg-type]
            page,  # type: ignore[arg-type]
            status,
            self.notice,
            offer,
            self.failures,
            self.window,
        )
        self.loads: list[Path] = []
        self.pages: list[PageName] = []
        self.discovery.load_requested.connect(self._load)
        self.discovery.page_requested.connect(self.pages.append)

    def press(self, name: str) -> None:
        self.qtbot.mouseClick(child(self.notice, QAbstractButton, name), Qt.MouseButton.LeftButton)

    def close(self) -> None:
        self.downloads.close()
        self.places.close()

    def _load(self, model: LocalModel) -> None:
        self.loads.append(model.path)


@pytest.fixture
def bench(qtbot: QtBot, theme: Theme, icons: Icons, tmp_path: Path) -> Iterator[Bench]:
    made = Bench(qtbot, theme, icons, tmp_path)
    yield made
    made.close()


class TestLoading:
    def test_what_is_listed_is_loaded_at_once(self, bench: Bench) -> None:
        path = bench.places.put("m.gguf")
        bench.places.library.refresh()
        bench.tasks.release_all()
        bench.discovery.load_file(path)
        assert (bench.loads, bench.tasks.waiting) == ([path], 0)

    def test_a_look_that_began_before_the_file_had_its_name_proves_nothing(self, bench: Bench) -> None:
        before = bench.places.put("before.gguf")
        bench.places.library.refresh()
        path = bench.places.managed / "new.gguf"
        bench.discovery.load_file(path)
        bench.tasks.release()  # this look has not seen it
        assert (bench.notice.sentence, bench.loads) == ("", [])
        bench.places.put("new.gguf")
        bench.tasks.release_all()
        assert (bench.notice.sentence, bench.loads) == ("", [path])
        assert bench.places.listed() == [before, path]

    def test_what_was_removed_from_the_list_is_listed_again(self, bench: Bench) -> None:
        path = bench.places.put("m.gguf")
        bench.places.library.refresh()
        bench.tasks.release_all()
        bench.places.library.hide(bench.places.library.listing.models[0])
        bench.discovery.load_file(path)
        bench.tasks.release_all()
        assert (bench.notice.sentence, bench.loads) == ("", [path])

    def test_it_is_loaded_once(self, bench: Bench) -> None:
        path = bench.places.put("m.gguf")
        bench.discovery.load_file(path)
        bench.tasks.release_all()
        bench.places.library.refresh()
        bench.tasks.release_all()
        assert bench.loads == [path]

    def test_where_a_file_cannot_be_used_it_says_where_the_reason_stands(self, bench: Bench) -> None:
        path = truncate_file(bench.places.put("m.gguf"), 0.5)
        bench.discovery.load_file(path)
        bench.tasks.release_all()
        assert bench.notice.sentence == "m.gguf cannot be used; My Models says why."
        bench.press("unusable_download_button")
        assert bench.pages == [PageName.MODELS]

    def test_of_a_file_that_is_gone_my_models_says_nothing(self, bench: Bench) -> None:
        bench.discovery.load_file(bench.places.managed / "m.gguf")
        bench.tasks.release_all()
        assert bench.notice.sentence == "m.gguf is not in My Models."


class TestWhatHasCome:
    def test_two_are_told_together_and_lead_to_my_models(self, bench: Bench) -> None:
        bench.downloads.finish(DRAFT)
        bench.downloads.finish(DRAFT, TARGET)
        assert bench.notice.sentence == f"{DRAFT.found.name} and {TARGET.found.name} are ready."
        bench.press("see_ready_button")
        assert (bench.pages, bench.notice.sentence) == ([PageName.MODELS], "")

    def test_what_was_deleted_again_is_no_download_that_is_done(self, bench: Bench) -> None:
        path = bench.places.put("m.gguf")
        bench.places.library.refresh()
        bench.tasks.release_all()
        bench.downloads.tell((DRAFT, DRAFT.models[0], Finished(path)))
        assert bench.notice.sentence != ""
        path.unlink()
        bench.places.library.refresh()
        bench.tasks.release_all()
        assert (bench.downloads.service.downloads, bench.notice.sentence) == ((), "")

    def test_it_is_said_no_longer_once_it_is_loaded_from_elsewhere(self, bench: Bench) -> None:
        bench.downloads.finish(DRAFT)
        row = DRAFT.models[0]
        model = local_model(path=Path("/models") / row.files[0].name)
        bench.session.run(plain_setup())
        assert bench.notice.sentence == f"{DRAFT.found.name} is ready."
        bench.session.run(replace(plain_setup(), target=model))
        assert bench.notice.sentence == ""
