"""Builds the services, once, and hands them out. Imports what is heavy only where it is built."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from app.paths import cache_folder, config_folder, data_folder, models_folder, resource

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from app.engine.pair_loader import PairLoader
    from app.engine.vocab import VocabularyCache
    from app.engine.worker import Engine
    from app.models.hub_client import HubClient
    from app.models.pair_records import PairRecords
    from app.ui.main_window import MainWindow
    from app.ui.services import Services

ENGINE_OPTION = "--engine"

_NETWORK_THREADS = 4


def engine_command() -> tuple[str, ...]:
    """The command that starts an engine process; a frozen bundle starts itself."""
    if getattr(sys, "frozen", False):
        return (sys.executable, ENGINE_OPTION)
    return (sys.executable, "-P", "-m", "app", ENGINE_OPTION)


def open_window() -> int:
    """Opens the window and waits until it is closed; returns the exit code."""
    from app.ui.application import make_application, one_window_lock, say_already_open, screen_problem

    if problem := screen_problem(sys.platform, os.environ):
        sys.stderr.write(f"slipstream: {problem}\n")
        return 1
    application = make_application(sys.argv)
    lock = one_window_lock(data_folder())
    if lock is None:
        say_already_open()
        return 1
    with window(application):
        return application.exec()


@contextmanager
def window(application: "QApplication") -> "Iterator[MainWindow]":
    """The window, on the screen; at the end its engine is gone and everything is saved."""
    from app.ui.application import EndSignals, Faults
    from app.ui.garbage_collector import GarbageCollector
    from app.ui.main_window import MainWindow

    services = _services(application)
    made = MainWindow(services)
    signals, faults, collector = EndSignals(), Faults(), GarbageCollector()
    signals.received.connect(made.end)
    faults.occurred.connect(made.tell_fault)
    try:
        for problem in services.preferences.problems_at_start:
            made.tell_problem(problem)
        services.preferences.update(ended_cleanly=False)
        made.show()
        services.chats.refresh()
        services.experiments.refresh()
        services.library.refresh()
        services.session.probe()
        yield made
    finally:
        made.end()
        services.close()
        collector.close()
        faults.close()
        signals.close()


def run_engine() -> NoReturn:
    """This process becomes an engine; native code is loaded once the pipes are out of its reach."""
    from app.engine import process

    process.run(_engine)


def vocabulary_cache() -> "VocabularyCache":
    """What earlier runs learnt of vocabularies, on disk."""
    from app.engine.vocab import VocabularyCache

    return VocabularyCache(cache_folder() / "vocabularies.msgpack")


def pair_records() -> "PairRecords":
    """What earlier runs measured and learnt of pairs of models, on disk."""
    from app.models.pair_records import PairRecords

    return PairRecords(cache_folder() / "pairs")


def pair_loader() -> "PairLoader":
    """The engine in this process: llama.cpp is loaded here."""
    from app.engine.llama import Library
    from app.engine.memory import detect_features
    from app.engine.pair_loader import PairLoader

    return PairLoader(Library(), vocabulary_cache(), detect_features(), pair_records())


def hub_client() -> "HubClient":
    """The hub; it is asked for nothing before somebody wants something of it."""
    from app.models.hub_client import HubClient

    return HubClient(cache_folder() / "hub-headers")


def _services(application: "QApplication") -> "Services":
    from app.core.prompts import load_suites
    from app.engine.advisor import ModelAdvisor
    from app.engine.cpu_features import detect_features
    from app.models.download_queue import DownloadQueue
    from app.models.download_store import DownloadStore
    from app.models.expectations import Expectations
    from app.models.header_index import HeaderIndex
    from app.models.hub_account import HubAccount
    from app.models.library import LocalLibrary
    from app.models.memory_speed import MemorySpeed
    from app.models.model_folders import offered_folders
    from app.models.transfer import Transfer
    from app.settings_file import SettingsFile
    from app.ui.abandonable_threads import AbandonableThreads
    from app.ui.chat_store import ChatStore
    from app.ui.comparison import Comparison
    from app.ui.downloads_service import DownloadsService
    from app.ui.experiments import Experiments
    from app.ui.folder_offers import FolderOffers
    from app.ui.icons import Icons
    from app.ui.library_service import LibraryService
    from app.ui.monitor import Monitor
    from app.ui.preferences import Preferences
    from app.ui.services import Services
    from app.ui.session import Session
    from app.ui.tasks import Tasks
    from app.ui.theme import Theme

    preferences = Preferences(SettingsFile(config_folder() / "settings.json"), Tasks(threads=1))
    theme = Theme(application, preferences.settings.theme)
    tasks = Tasks(threads=2)
    session = Session(engine_command())
    headers = HeaderIndex(cache_folder() / "headers.msgpack")
    expectations = Expectations(
        headers,
        pair_records(),
        MemorySpeed(cache_folder() / "memory-speed.msgpack"),
        lambda: session.capabilities.engine_version if session.capabilities else "",
    )
    return Services(
        theme=theme,
        icons=Icons(theme),
        tasks=tasks,
        network=Tasks(executor=AbandonableThreads(_NETWORK_THREADS, "network")),
        headers=Tasks(executor=AbandonableThreads(_NETWORK_THREADS, "headers")),
        preferences=preferences,
        library=LibraryService(LocalLibrary(headers), preferences, tasks, models_folder()),
        offers=FolderOffers(
            lambda: offered_folders(Path.home(), os.environ), preferences, tasks, models_folder()
        ),
        advisor=ModelAdvisor(headers, vocabulary_cache(), detect_features(), expectations),
        hub=hub_client(),
        account=HubAccount(),
        downloads=DownloadsService(
            DownloadQueue(DownloadStore(data_folder() / "downloads.json"), make_transfer=Transfer)
        ),
        session=session,
        chats=ChatStore(data_folder() / "conversations.sqlite", Tasks(threads=1)),
        comparison=Comparison(session, tasks),
        experiments=Experiments(data_folder() / "comparisons.sqlite", Tasks(threads=1)),
        suites=load_suites(resource("prompts")),
        monitor=Monitor(),
    )


def _engine() -> "Engine":
    from app.core.machine import usable_cores
    from app.core.protocol import VERSION, Ready
    from app.engine.llama import Library
    from app.engine.memory import detect_features
    from app.engine.pair_loader import PairLoader
    from app.engine.process import echo
    from app.engine.worker import Engine

    library = Library(echo)
    ready = Ready(VERSION, library.version, library.supports_gpu, usable_cores())
    loader = PairLoader(library, vocabulary_cache(), detect_features(), pair_records())
    return Engine(ready, loader)
