"""The window as a whole: its pages, and who hears of what. The engine is a pretence, all else is real."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QLabel,
    QLineEdit,
    QMessageBox,
    QProgressBar,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.core.options import DraftLength, LoadOptions, SpeculationMode, SpeculationOptions
from app.core.prompts import load_suites
from app.core.protocol import Done, Round, TextPiece
from app.core.stats import DraftSource, RoundStats
from app.engine.advisor import ModelAdvisor
from app.engine.cpu_features import detect_features
from app.engine.vocab import VocabularyCache
from app.models.download import DownloadRequest, Transferring
from app.models.download_store import DownloadStore
from app.models.header_index import HeaderIndex
from app.models.hub import RemoteFile
from app.models.library import LocalLibrary
from app.paths import resource
from app.settings import ModelConfig, Settings, ThemeChoice, UserMode
from app.settings_file import SettingsFile
from app.ui.chat_store import ChatStore
from app.ui.comparison import Comparison
from app.ui.downloads_service import DownloadsService
from app.ui.engine_end import Activity, EndKind, EngineEnd
from app.ui.experiments import Experiments
from app.ui.folder_offers import FolderOffers
from app.ui.icons import Icons
from app.ui.library_service import LibraryService
from app.ui.load_dialog import LoadDialog
from app.ui.main_window import MainWindow
from app.ui.monitor import Monitor
from app.ui.preferences import Preferences
from app.ui.rail import PageName
from app.ui.services import Services
from app.ui.session_state import EngineLost, Loading, Running
from app.ui.tasks import Tasks
from app.ui.theme import Theme
from tests.fakes.children import child
from tests.fakes.expectations import no_expectations
from tests.fakes.scripted_account import ScriptedAccount
from tests.fakes.scripted_hub import ScriptedHub
from tests.fakes.scripted_transfer import ScriptedDownloads
from tests.fakes.session import FakeSession, totals
from tests.fakes.setups import drafted_setup, plain_setup
from tests.fakes.tiny_gguf import write_llama

ROUND = Round(
    (1,), (TextPiece("Hi", False, 0, None),), RoundStats(DraftSource.NONE, 0, 0, 0, 1, 0.0, 0.1, 0.0)
)
KILLED = EngineEnd(EndKind.KILLED, 9, Activity.ANSWERING, ("Killed",))


class Program(NamedTuple):
    window: MainWindow
    session: FakeSession
    services: Services
    hub: ScriptedHub
    downloads: ScriptedDownloads


def begin(application: QApplication, home: Path) -> Program:
    headers = HeaderIndex(home / "headers.msgpack")
    preferences = Preferences(SettingsFile(home / "settings.json"), Tasks(threads=1))
    theme = Theme(application, preferences.settings.theme)
    tasks, session = Tasks(threads=2), FakeSession()
    hub, downloads = ScriptedHub(), ScriptedDownloads(DownloadStore(home / "downloads.json"))
    services = Services(
        theme=theme,
        icons=Icons(theme),
        tasks=tasks,
        network=Tasks(threads=2),
        headers=Tasks(threads=2),
        preferences=preferences,
        library=LibraryService(LocalLibrary(headers), preferences, tasks, home / "models"),
        offers=FolderOffers(tuple, preferences, tasks, home / "models"),
        advisor=ModelAdvisor(headers, VocabularyCache(None), detect_features(), no_expectations(headers)),
        hub=hub,
        account=ScriptedAccount(),
        downloads=DownloadsService(downloads.queue),
        session=session,  # type: ignore[arg-type]
        chats=ChatStore(home / "conversations.sqlite", Tasks(threads=1)),
        comparison=Comparison(session, tasks),  # type: ignore[arg-type]
        experiments=Experiments(home / "comparisons.sqlite", Tasks(threads=1)),
        suites=load_suites(resource("prompts")),
        monitor=Monitor(),
    )
    downloads.listen_too()
    window = MainWindow(services)
    services.chats.refresh()
    return Program(window, session, services, hub, downloads)


def end(program: Program) -> None:
    program.window.end()
    program.services.close()
    program.window.deleteLater()


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "models" / "tester" / "tiny"
    folder.mkdir(parents=True)
    write_llama(folder / "tiny-F32.gguf")
    return tmp_path


@pytest.fixture
def program(qapp: QApplication, home: Path, qtbot: QtBot) -> Iterator[Program]:
    made = begin(qapp, home)
    made.window.show()
    made.services.library.refresh()
    qtbot.waitUntil(lambda: bool(made.services.library.listing.models), timeout=20_000)
    yield made
    end(made)


def press(parent: QWidget, name: str) -> None:
    QTest.mouseClick(child(parent, QAbstractButton, name), Qt.MouseButton.LeftButton)


def open_dialogs(window: MainWindow) -> list[LoadDialog]:
    return [dialog for dialog in window.findChildren(LoadDialog) if dialog.isVisible()]


@pytest.mark.parametrize("page", list(PageName))
def test_the_rail_goes_to_every_page(program: Program, page: PageName) -> None:
    press(program.window, f"{page.value}_page_button")
    shown = child(program.window, QWidget, f"{page.value}_page")
    assert shown.isVisible()
    assert program.window.conversations.isVisible() is (page is PageName.CHAT)


def test_ctrl_l_offers_the_models_and_leads_to_the_settings(program: Program, qtbot: QtBot) -> None:
    program.session.run(plain_setup())  # the name of a loaded model must not take the key away
    program.window.activateWindow()
    QTest.keyClick(program.window, Qt.Key.Key_L, Qt.KeyboardModifier.ControlModifier)
    field = child(program.window, QLineEdit, "model_picker_filter")
    assert field.isVisible()
    QTest.keyClick(field, Qt.Key.Key_Return)
    dialog = open_dialogs(program.window)[0]
    press(dialog, "load_model_button")
    assert [setup.target.path.name for setup in program.session.loads] == ["tiny-F32.gguf"]
    assert open_dialogs(program.window) == []


def test_the_model_bar_tells_how_far_measuring_is(program: Program) -> None:
    program.session.enter(Loading(drafted_setup()))
    program.session.costs_progressed.emit(1, 2)
    assert child(program.window, QProgressBar, "load_progress").value() == 500


def test_load_in_my_models_takes_the_saved_settings(program: Program, qtbot: QtBot) -> None:
    model = program.services.library.listing.models[0]
    saved = ModelConfig(load=LoadOptions(context_length=64), system_prompt="Be brief.")
    program.services.preferences.remember(model.path, saved)
    program.window.models_page.load_requested.emit(model)
    qtbot.waitUntil(lambda: bool(program.session.loads))
    assert program.session.loads[0].config == saved


def test_a_slip_of_the_hand_does_not_end_an_answer(program: Program, qtbot: QtBot) -> None:
    program.session.run(plain_setup())
    program.session.is_answering = True
    program.window.models_page.load_requested.emit(program.services.library.listing.models[0])
    question = child(program.window, QMessageBox, "load_while_answering_question")
    assert question.isVisible()
    press(question, "keep_answering_button")
    assert program.session.loads == []
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    program.window.models_page.load_requested.emit(program.services.library.listing.models[0])
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    press(child(program.window, QMessageBox, "load_while_answering_question"), "confirm_load_button")
    qtbot.waitUntil(lambda: bool(program.session.loads))


def test_a_deleted_conversation_is_shown_again_with_undo(program: Program, qtbot: QtBot) -> None:
    program.session.run(plain_setup())
    program.window.chat_page.composer.sent.emit("Hello")
    qtbot.waitUntil(lambda: bool(program.session.asked))
    program.session.finish(Done((), totals(ROUND)))
    conversation = program.window.chat.current
    assert conversation is not None
    program.window.conversations.deleted.emit(conversation)
    assert not program.window.chat.messages
    program.window.conversations.undo_requested.emit(conversation)
    qtbot.waitUntil(lambda: len(program.window.chat.messages) == 2)


def test_tab_leads_from_the_rail_through_the_page_to_the_status_bar(program: Program) -> None:
    program.window.show_page(PageName.CHAT)
    program.window.activateWindow()
    child(program.window, QAbstractButton, "chat_page_button").setFocus()
    visited: list[str] = []
    for _ in range(60):
        QTest.keyClick(QApplication.focusWidget() or program.window, Qt.Key.Key_Tab)
        focused = QApplication.focusWidget()
        assert focused is not None
        if focused.objectName() == "chat_page_button":
            break
        visited.append(focused.objectName())
    on_the_way = ("new_chat_button", "model_picker_button", "composer_field", "mode_button")
    places = [visited.index(name) for name in on_the_way]
    assert places == sorted(places), visited


def test_settings_that_cannot_work_are_shown_instead_of_loaded(program: Program) -> None:
    model = program.services.library.listing.models[0]
    far_too_long = ModelConfig(load=LoadOptions(context_length=10_000_000))
    program.services.preferences.remember(model.path, far_too_long)
    program.window.models_page.load_requested.emit(model)
    dialogs = open_dialogs(program.window)
    assert len(dialogs) == 1
    assert program.session.loads == []
    dialogs[0].reject()


def test_the_defaults_are_cut_to_a_short_models_own_context(program: Program, qtbot: QtBot) -> None:
    model = program.services.library.listing.models[0]
    made_for = model.info.context_length
    assert made_for is not None and made_for < ModelConfig().load.context_length
    program.window.models_page.load_requested.emit(model)
    qtbot.waitUntil(lambda: bool(program.session.loads))
    assert program.session.loads[0].config.load.context_length == made_for


def test_too_little_memory_shows_the_settings_before_loading(
    program: Program, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    from msgspec.structs import replace

    sample = program.services.monitor.sample()
    monkeypatch.setattr(program.services.monitor, "sample", lambda: replace(sample, available_bytes=1000))
    program.window.models_page.load_requested.emit(program.services.library.listing.models[0])
    qtbot.waitUntil(lambda: bool(open_dialogs(program.window)))
    assert program.session.loads == []
    open_dialogs(program.window)[0].reject()


def test_a_question_is_answered_and_listed(program: Program, qtbot: QtBot) -> None:
    program.session.run(plain_setup())
    program.window.chat_page.composer.sent.emit("Hello")
    qtbot.waitUntil(lambda: bool(program.session.asked))
    program.session.round_received.emit(ROUND)
    program.session.finish(Done((), totals(ROUND)))
    qtbot.waitUntil(lambda: bool(program.window.conversations.conversations))
    assert program.window.conversations.conversations[0].title == "Hello"
    assert program.window.chat.messages[-1].text == "Hi"


def test_a_lost_engine_is_told_and_can_be_loaded_again(program: Program, qtbot: QtBot) -> None:
    program.session.load(plain_setup())
    program.session.enter(EngineLost(plain_setup(), KILLED))
    assert "The engine was killed while it was answering" in program.window.model_notice.sentence
    assert program.window.model_notice.isVisible()
    press(program.window.model_notice, "notice_reload_button")
    assert len(program.session.loads) == 2
    press(program.window.model_notice, "notice_close_button")
    assert not child(program.window, QWidget, "notices").isVisible()


def test_the_switch_in_the_sidebar_reaches_the_session(program: Program) -> None:
    program.session.run(drafted_setup())
    press(program.window, "speculation_switch")
    assert [config.speculation.mode for config in program.session.adjusted] == [SpeculationMode.OFF]


def test_what_is_in_force_can_be_remembered(program: Program) -> None:
    setup = drafted_setup(max_draft_tokens=7)
    program.session.run(setup)
    program.window.sidebar.remember_requested.emit()
    assert program.services.preferences.settings.config_for(setup.target.path) == setup.config


def test_remembering_with_drafting_off_keeps_the_saved_draft(program: Program) -> None:
    setup = drafted_setup()
    program.services.preferences.remember(setup.target.path, setup.config)
    program.session.run(plain_setup())
    program.window.sidebar.remember_requested.emit()
    saved = program.services.preferences.settings.config_for(setup.target.path)
    assert (saved.speculation.mode, saved.draft) == (SpeculationMode.OFF, setup.config.draft)


def test_the_mode_is_kept_and_shows_the_log_to_developers_alone(program: Program) -> None:
    log = child(program.window, QAbstractButton, "engine_log_button")
    assert not log.isVisible()
    program.window.status.mode_chosen.emit(UserMode.DEVELOPER)
    assert program.services.preferences.settings.mode is UserMode.DEVELOPER
    assert log.isVisible()
    log.click()
    assert program.window.log.isVisible()
    program.window.status.mode_chosen.emit(UserMode.USER)
    assert not program.window.log.isVisible()


def test_another_theme_is_put_on_at_once(program: Program) -> None:
    program.services.preferences.update(theme=ThemeChoice.LIGHT)
    assert not program.services.theme.is_dark


def test_a_fault_is_told_without_a_traceback_on_the_screen(program: Program) -> None:
    program.window.tell_fault(("Traceback (most recent call last):", "ValueError: x"))
    assert "Traceback" not in program.window.problem_notice.sentence
    assert "Something in Slipstream went wrong" in program.window.problem_notice.sentence


def test_compare_takes_back_what_it_told_and_nothing_else(program: Program) -> None:
    page, notice = program.window.compare_page, program.window.problem_notice
    page.problem_occurred.emit("“a.json” is damaged.")
    page.withdrawn.emit("“a.json” is damaged.")
    assert notice.sentence == ""
    program.window.tell_problem("The settings could not be saved.")
    page.withdrawn.emit("“a.json” is damaged.")
    assert notice.sentence == "The settings could not be saved."


def test_settings_and_place_are_found_again_after_a_restart(
    qapp: QApplication, home: Path, qtbot: QtBot
) -> None:
    first = begin(qapp, home)
    first.window.show()
    first.window.resize(960, 640)
    first.services.preferences.update(visualize_accepted=True, mode=UserMode.DEVELOPER)
    end(first)
    second = begin(qapp, home)
    settings = second.services.preferences.settings
    assert (settings.visualize_accepted, settings.mode) == (True, UserMode.DEVELOPER)
    assert settings.ended_cleanly
    assert second.window.height() == 640  # the screen of the tests is 800 wide and high
    end(second)


def last_loaded(home: Path, *, ended_cleanly: bool) -> None:
    path = next(home.glob("models/*/*/*.gguf"))
    settings = Settings(load_last_at_start=True, last_model=path, ended_cleanly=ended_cleanly)
    SettingsFile(home / "settings.json").save(settings)


def test_the_last_model_is_loaded_at_the_start_where_that_is_wanted(
    qapp: QApplication, home: Path, qtbot: QtBot
) -> None:
    last_loaded(home, ended_cleanly=True)
    program = begin(qapp, home)
    program.services.library.refresh()
    qtbot.waitUntil(lambda: len(program.session.loads) == 1, timeout=20_000)
    end(program)


def test_after_an_unclean_end_it_is_offered_instead(qapp: QApplication, home: Path, qtbot: QtBot) -> None:
    last_loaded(home, ended_cleanly=False)
    program = begin(qapp, home)
    program.services.library.refresh()
    qtbot.waitUntil(lambda: "did not end properly" in program.window.model_notice.sentence, timeout=20_000)
    assert program.session.loads == []
    press(program.window.model_notice, "load_last_button")
    qtbot.waitUntil(lambda: len(program.session.loads) == 1, timeout=20_000)
    end(program)


def test_a_window_closed_after_a_crash_does_not_count_as_a_clean_end(
    qapp: QApplication, home: Path, qtbot: QtBot
) -> None:
    program = begin(qapp, home)
    program.session.enter(EngineLost(plain_setup(), KILLED))
    end(program)
    assert not SettingsFile(home / "settings.json").load().ended_cleanly


def test_a_running_model_is_marked_in_the_list(program: Program) -> None:
    model = program.services.library.listing.models[0]
    from msgspec.structs import replace

    program.session.run(replace(plain_setup(), target=model))
    assert isinstance(program.session.state, Running)
    table = child(program.window, QWidget, "models_table")
    texts = [
        str(table.model().index(0, column).data(Qt.ItemDataRole.AccessibleTextRole))  # type: ignore[attr-defined]
        for column in range(4)
    ]
    assert any("loaded" in text for text in texts), texts


def wanted(program: Program, name: str = "new-F32.gguf") -> DownloadRequest:
    """A download of a file that is one of the models folder's publisher."""
    folder = program.services.library.models_folder / "tester" / "tiny"
    return DownloadRequest("tester/tiny", "c0ffee", (RemoteFile(name, 1000, None),), folder, "New F32")


def test_while_a_model_loads_nobody_is_asked_to_choose_one(program: Program) -> None:
    setup = plain_setup()
    program.session.enter(Loading(setup))
    words = [each.text() for each in program.window.chat_page.findChildren(QLabel) if each.isVisible()]
    assert f"Loading {setup.target.name}" in words
    assert not child(program.window, QAbstractButton, "choose_model_button").isVisible()


def test_the_hub_is_asked_for_nothing_before_discover_is_shown(program: Program, qtbot: QtBot) -> None:
    assert program.hub.calls == []
    press(program.window, "discover_page_button")
    qtbot.waitUntil(lambda: program.hub.asked("search") != [])


def test_a_draft_is_looked_for_in_discover(program: Program, qtbot: QtBot) -> None:
    model = program.services.library.listing.models[0]
    program.window.loading.configure(model)
    [dialog] = open_dialogs(program.window)
    dialog.find_draft_requested.emit(model)
    assert child(program.window, QWidget, "discover_page").isVisible()
    assert child(program.window, QWidget, "draft_finder").isVisible()
    dialog.reject()


def test_a_draft_that_was_downloaded_for_a_target_is_its_choice(program: Program) -> None:
    preferences = program.services.preferences
    target, draft, other = Path("/models/target.gguf"), Path("/models/draft.gguf"), Path("/models/o.gguf")
    program.window.discover_page.pair_begun.emit(target, draft)
    config = preferences.settings.config_for(target)
    assert config == replace(preferences.settings.defaults, draft=draft)
    assert config.speculation.draft_length is DraftLength.AUTOMATIC
    program.window.discover_page.pair_begun.emit(target, other)
    assert preferences.settings.config_for(target).draft == draft, "a choice is not taken back"


def test_its_length_is_left_to_the_program_whatever_is_usual(program: Program) -> None:
    preferences = program.services.preferences
    fixed = SpeculationOptions(draft_length=DraftLength.FIXED, max_draft_tokens=7)
    preferences.update(defaults=replace(preferences.settings.defaults, speculation=fixed))
    program.window.discover_page.pair_begun.emit(Path("/models/target.gguf"), Path("/models/draft.gguf"))
    saved = preferences.settings.config_for(Path("/models/target.gguf")).speculation
    assert saved == replace(fixed, draft_length=DraftLength.AUTOMATIC)


def test_what_is_downloaded_is_listed_said_and_loaded(program: Program, qtbot: QtBot) -> None:
    request = wanted(program)
    target = request.folder / "new-F32.gguf"
    program.services.preferences.update(hidden_files=(target,))  # it was removed from the list once
    program.services.downloads.add(request)
    status = child(program.window, QAbstractButton, "downloads_status_button")
    qtbot.waitUntil(status.isVisible)
    transfer = program.downloads.running("new-F32.gguf")
    write_llama(target, seed=3)
    transfer.finish()
    qtbot.waitUntil(lambda: program.window.download_notice.sentence == "New F32 is ready.")
    qtbot.waitUntil(lambda: program.services.library.find(target) is not None, timeout=20_000)
    assert target not in program.services.preferences.settings.hidden_files
    assert not status.isVisible()
    press(program.window, "load_ready_button")
    qtbot.waitUntil(lambda: [load.target.path for load in program.session.loads] == [target], timeout=20_000)
    assert program.window.download_notice.sentence == ""


def test_a_download_that_cannot_be_used_says_where_the_reason_stands(program: Program, qtbot: QtBot) -> None:
    request = wanted(program)
    program.services.downloads.add(request)
    (request.folder / "new-F32.gguf").write_bytes(b"GGUF and nothing more")
    program.downloads.running("new-F32.gguf").finish()
    qtbot.waitUntil(lambda: program.window.download_notice.sentence == "New F32 is ready.")
    press(program.window, "load_ready_button")
    qtbot.waitUntil(lambda: "cannot be used" in program.window.download_notice.sentence, timeout=20_000)
    press(program.window, "unusable_download_button")
    assert child(program.window, QWidget, "models_page").isVisible()


def test_the_window_asks_before_it_leaves_downloads_behind(
    qapp: QApplication, home: Path, qtbot: QtBot
) -> None:
    program = begin(qapp, home)
    program.window.show()
    request = wanted(program)
    program.services.downloads.add(request)
    program.downloads.running("new-F32.gguf").hold(400)
    assert not program.window.close()
    question = child(program.window, QMessageBox, "close_question")
    press(question, "keep_window_button")
    assert program.window.isVisible()
    assert not program.window.close()
    press(child(program.window, QMessageBox, "close_question"), "confirm_close_button")
    qtbot.waitUntil(lambda: not program.window.isVisible())
    end(program)
    again = begin(qapp, home)
    again.window.show()
    assert again.window.offer_notice.sentence == "The download of New F32 was not finished."
    press(again.window, "resume_left_over_button")
    again.downloads.running("new-F32.gguf")
    assert isinstance(again.downloads.row(request).state, Transferring)
    end(again)


def test_a_window_that_is_told_to_end_does_not_ask(program: Program) -> None:
    program.services.downloads.add(wanted(program))
    program.downloads.running("new-F32.gguf")
    program.window.end()
    assert not program.window.isVisible()
