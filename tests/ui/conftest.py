"""What every test of the window needs, and what none of them may leave behind."""

import gc
import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QTimer
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.settings import ThemeChoice
from app.ui.engine_client import GracePeriods
from app.ui.icons import Icons
from app.ui.session import Session
from app.ui.tasks import Tasks
from app.ui.theme import Theme
from tests.fakes import fake_engine
from tests.fakes.compare_services import ComparePlace, compare_place
from tests.fakes.library_places import Places
from tests.fakes.opened_discover_page import CODER_MODEL, DRAFT_MODEL, GEMMA_MODEL, OpenedDiscoverPage
from tests.fakes.opened_models_page import OpenedModelsPage
from tests.fakes.tasks import ImmediateTasks
from tests.fakes.tiny_gguf import write_llama
from tests.fakes.watched_comparison import Compare, Models, WatchedComparison, listed
from tests.fakes.watched_session import Start, Watched

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")


@pytest.fixture
def theme(qapp: QApplication) -> Iterator[Theme]:
    """The dark theme, in force."""
    made = Theme(qapp, ThemeChoice.DARK)
    yield made
    made.deleteLater()


@pytest.fixture
def icons(theme: Theme) -> Icons:
    """Icons in its colours."""
    return Icons(theme)


@pytest.fixture
def tasks(qapp: QApplication) -> Iterator[Tasks]:
    """Work done in real threads."""
    made = Tasks(threads=2)
    yield made
    made.finish()


@pytest.fixture
def immediate_tasks(qapp: QApplication) -> ImmediateTasks:
    """Work done at once, so that a test needs no waiting."""
    return ImmediateTasks(threads=1)


@pytest.fixture
def places(tmp_path: Path, qtbot: QtBot) -> Iterator[Places]:
    """Folders with models, and the services that list them."""
    made = Places(tmp_path)
    yield made
    made.close()


@pytest.fixture
def opened(places: Places, theme: Theme, icons: Icons, qtbot: QtBot) -> Iterator[OpenedModelsPage]:
    """My Models on the screen."""
    made = OpenedModelsPage(places, theme, icons, qtbot)
    yield made
    made.close()


@pytest.fixture
def start(qtbot: QtBot) -> Iterator[Start]:
    """A session whose engines follow rules; see the fake engine."""
    sessions: list[Session] = []

    def make(*rules: str, grace: GracePeriods | None = None) -> Watched:
        session = Session([sys.executable, fake_engine.__file__, *rules], grace=grace)
        sessions.append(session)
        return Watched(session)

    yield make
    for session in sessions:
        session.close()
        session.deleteLater()


@pytest.fixture(autouse=True, scope="module")
def _garbage_in_this_thread() -> Iterator[None]:
    """As in the program: no other thread may destroy objects of Qt's."""
    gc.disable()
    yield
    gc.collect()
    gc.enable()


@pytest.fixture(autouse=True)
def _nothing_left_behind(qapp: QApplication) -> Iterator[None]:
    """No child process, no thread and no running timer outlives a test."""
    children = set(psutil.Process().children(recursive=True))
    threads = set(threading.enumerate())
    yield
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    QCoreApplication.processEvents()
    gc.collect(1)
    left = set(psutil.Process().children(recursive=True)) - children
    assert not left, f"processes left behind: {left}"
    for thread in set(threading.enumerate()) - threads:
        thread.join(timeout=5)
        assert not thread.is_alive(), f"a thread left behind: {thread}"
    running = [
        timer
        for widget in QApplication.topLevelWidgets()
        for timer in widget.findChildren(QTimer)
        if timer.isActive()
    ]
    assert not running, f"timers left running: {running}"


@pytest.fixture
def discover(
    places: Places, theme: Theme, icons: Icons, immediate_tasks: ImmediateTasks, qtbot: QtBot
) -> Iterator[OpenedDiscoverPage]:
    """A page before a hub with three repositories, whose answers come at once."""
    made = OpenedDiscoverPage(places, theme, icons, immediate_tasks, qtbot)
    made.add(CODER_MODEL, DRAFT_MODEL, GEMMA_MODEL)
    yield made
    made.close()


@pytest.fixture(scope="session")
def comparable(tmp_path_factory: pytest.TempPathFactory) -> Models:
    """A target and two draft models: files with headers, which the fake engine never reads."""
    folder = tmp_path_factory.mktemp("comparable")
    return Models(*[listed(write_llama(folder / f"{name}.gguf")) for name in ("target", "draft", "other")])


@pytest.fixture
def compare(qtbot: QtBot, tasks: Tasks) -> Iterator[Compare]:
    """A comparison whose engines follow rules; see the fake engine."""
    made: list[WatchedComparison] = []

    def make(*rules: str, grace: GracePeriods | None = None) -> WatchedComparison:
        session = Session([sys.executable, fake_engine.__file__, *rules], grace=grace)
        made.append(WatchedComparison(session, tasks))
        return made[-1]

    yield make
    for watched in made:
        watched.session.close()
        watched.session.deleteLater()
        watched.deleteLater()


@pytest.fixture
def place(theme: Theme, icons: Icons, tmp_path: Path, qtbot: QtBot) -> Iterator[ComparePlace]:
    """What Compare works with, where a model and its draft are loaded."""
    made = compare_place(theme, icons, tmp_path)
    yield made
    made.close()
