"""The window: its frame, its pages, and who hears of what."""

from PySide6.QtCore import QByteArray, QEvent, Qt
from PySide6.QtGui import QCloseEvent, QHideEvent, QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import QMainWindow, QWidget

from app.models.library import Listing
from app.settings import ModelConfig, Settings, UserMode
from app.ui.chat_controller import ChatController
from app.ui.comparing import Comparing
from app.ui.comparison_state import ComparisonState
from app.ui.conversation_list import ConversationList
from app.ui.discovery import Discovery
from app.ui.engine_end import EngineEnd
from app.ui.engine_log import EngineLog
from app.ui.engine_words import end_sentence
from app.ui.meters import MeterReading, Meters
from app.ui.model_bar import ModelBar
from app.ui.model_loading import ModelLoading
from app.ui.notice import Notice
from app.ui.notice_stack import NoticeStack
from app.ui.rail import PageName, Rail
from app.ui.reading_order import ReadingOrder
from app.ui.services import Services
from app.ui.session_state import Empty, EngineLost, Loading, Running, SessionState
from app.ui.status_bar import StatusBar
from app.ui.widgets import column, hairline, row
from app.ui.window_pages import WindowPages

_WIDTH, _HEIGHT = 1280, 800  # pixels, at the first start
_NARROWEST, _LOWEST = 960, 560


class MainWindow(QMainWindow):
    """Everything that is to be seen. Closing it ends the engine and saves what is not saved."""

    def __init__(self, services: Services) -> None:
        super().__init__()
        self.services = services
        theme, icons = services.theme, services.icons
        self.setObjectName("main_window")
        self.setWindowTitle("Slipstream")
        self.setMinimumSize(_NARROWEST, _LOWEST)
        self.rail = Rail(theme, icons)
        self.bar = ModelBar(theme, icons)
        self.model_notice = Notice(theme, icons)
        self.problem_notice = Notice(theme, icons)
        self.download_notice = Notice(theme, icons)
        self.offer_notice = Notice(theme, icons)
        self.failure_notice = Notice(theme, icons)
        self.compare_notice = Notice(theme, icons)
        self.conversations = ConversationList(theme, icons)
        self.status = StatusBar()
        self.log = EngineLog(theme, self)
        self.pages = WindowPages(services)
        self.sidebar = self.pages.sidebar
        self.chat_page = self.pages.chat
        self.compare_page = self.pages.compare
        self.models_page = self.pages.models
        self.discover_page = self.pages.discover
        self.settings_page = self.pages.settings
        self.loading = ModelLoading(services, self.bar, self.model_notice, self)
        self.discovery = Discovery(
            services,
            self.discover_page,
            self.status,
            self.download_notice,
            self.offer_notice,
            self.failure_notice,
            self,
        )
        self.chat = ChatController(
            services.session, services.chats, self.pages.transcript, self.pages.composer, self
        )
        self.comparing = Comparing(
            services.session, services.preferences, self.compare_page, self.compare_notice, self
        )
        self.meters = Meters(services.monitor, self)
        self._lay_out()
        self._connect_models()
        self._connect_discovery()
        self._connect_comparing()
        self._connect_chat()
        self._connect_settings()
        self.resize(_WIDTH, _HEIGHT)
        self.restoreGeometry(QByteArray.fromBase64(services.preferences.settings.window_geometry.encode()))
        self._follow_settings(services.preferences.settings)
        self._library_changed(services.library.listing)
        self.chat.new_conversation()

    def show_page(self, page: PageName) -> None:
        """Goes to a page."""
        self.rail.set_current(page)
        self.pages.show_page(page)
        self._list_holder.setVisible(page is PageName.CHAT)

    def tell_problem(self, sentence: str, details: tuple[str, ...] = ()) -> None:
        """Says that something went wrong that has nothing to do with the model."""
        self.problem_notice.tell(sentence, details=details)

    def tell_fault(self, lines: tuple[str, ...]) -> None:
        """Says that the program itself made a mistake; `lines` are for "Details"."""
        self.tell_problem(
            self.tr("Something in Slipstream went wrong. Chats are saved; if it goes on, restart it."),
            lines,
        )

    def end(self) -> None:
        """Closes it without a question: the program is told to end."""
        self.discovery.close_without_asking()
        self.close()

    def _lay_out(self) -> None:
        self._list_holder = QWidget()
        self._list_holder.setLayout(row(self.conversations, hairline(vertical=True), spacing=0))
        self._notices = NoticeStack("notices", self.model_notice, self.problem_notice, self.offer_notice)
        # Below: they come while somebody does something else, and must not move what is under the pointer.
        self._news = NoticeStack("news", self.failure_notice, self.download_notice, self.compare_notice)
        main = column(self.bar, hairline(), self._notices, spacing=0)
        main.addWidget(self.pages, 1)
        main.addWidget(self._news)
        main.addWidget(self.status)
        whole = row(self.rail, self._list_holder, spacing=0)
        whole.addLayout(main, 1)
        content = QWidget()
        content.setLayout(whole)
        self.setCentralWidget(content)
        parts = (
            self.rail,
            self._list_holder,
            self.bar,
            self._notices,
            self.pages,
            self._news,
            self.status,
        )
        self._reading_order = ReadingOrder(parts)

    def _connect_models(self) -> None:
        session, loading = self.services.session, self.loading
        session.state_changed.connect(self._state_changed)
        session.config_changed.connect(self._config_changed)
        session.log_received.connect(self.log.append)
        session.probe_failed.connect(self._probe_failed)
        self.services.library.listing_changed.connect(self._library_changed)
        loading.models_page_requested.connect(lambda: self.show_page(PageName.MODELS))
        self.models_page.load_requested.connect(loading.load)
        self.models_page.configure_requested.connect(loading.configure)
        self.sidebar.config_adjusted.connect(session.adjust)
        self.sidebar.remember_requested.connect(loading.remember_in_force)
        self.sidebar.reload_requested.connect(loading.load_saved)
        self.sidebar.configure_requested.connect(loading.configure_loaded)
        self.chat_page.model_requested.connect(self._choose_model)

    def _connect_discovery(self) -> None:
        discovery = self.discovery
        discovery.page_requested.connect(self.show_page)
        discovery.load_requested.connect(self.loading.load)
        discovery.token_requested.connect(self._ask_for_token)
        discovery.close_confirmed.connect(self.close)
        self.loading.find_draft_requested.connect(discovery.find_drafts_for)
        self.models_page.discover_requested.connect(self._go_to_discover)

    def _connect_comparing(self) -> None:
        self.compare_page.model_requested.connect(self._choose_model)
        self.compare_page.find_draft_requested.connect(self.discovery.find_drafts_for)
        self.compare_page.problem_occurred.connect(self.tell_problem)
        self.compare_page.withdrawn.connect(self.problem_notice.withdraw)
        self.comparing.reload_requested.connect(self.loading.load_saved)
        self.services.comparison.state_changed.connect(self._comparison_changed)

    def _connect_chat(self) -> None:
        session, chats = self.services.session, self.services.chats
        session.round_received.connect(self.meters.add_round)
        session.answer_finished.connect(self.meters.end_answer)
        self.chat.answering_changed.connect(self._answering_changed)
        self.chat.emptiness_changed.connect(self._emptiness_changed)
        self.chat.current_changed.connect(self.conversations.set_current)
        self.chat.context_changed.connect(self._show_context)
        self.meters.changed.connect(self._show_reading)
        chats.conversations_changed.connect(self.conversations.show_conversations)
        chats.failed.connect(self.tell_problem)
        self.conversations.conversation_chosen.connect(self.chat.show_conversation)
        self.conversations.new_requested.connect(self._new_conversation)
        self.conversations.renamed.connect(chats.rename)
        self.conversations.deleted.connect(self._delete_conversation)
        self.conversations.undo_requested.connect(self._undo_deletion)
        self.conversations.undo_expired.connect(chats.purge)
        QShortcut(QKeySequence("Ctrl+N"), self, self._new_conversation)
        QShortcut(QKeySequence("Ctrl+L"), self, self.loading.open_picker)

    def _connect_settings(self) -> None:
        preferences = self.services.preferences
        preferences.changed.connect(self._follow_settings)
        preferences.problem.connect(self.tell_problem)
        self.rail.page_chosen.connect(self.show_page)
        self.status.mode_chosen.connect(lambda mode: preferences.update(mode=mode))
        self.status.log_requested.connect(self.log.show)
        self.sidebar.visualize_changed.connect(lambda on: preferences.update(visualize_accepted=on))

    def _follow_settings(self, settings: Settings) -> None:
        self.services.theme.choose(settings.theme)
        self.status.set_mode(settings.mode)
        self.sidebar.set_mode(settings.mode)
        self.sidebar.set_visualize(settings.visualize_accepted)
        self.chat_page.transcript.set_visualize(settings.visualize_accepted)
        if settings.mode is not UserMode.DEVELOPER:
            self.log.hide()
        self._show_setup()

    def _state_changed(self, state: SessionState) -> None:
        self.status.show_state(state)
        target = draft = None
        if isinstance(state, Running):
            target = state.setup.target.path
            if state.has_draft and state.setup.draft is not None:
                draft = state.setup.draft.path
        self.models_page.set_loaded(target, draft)
        self._show_context()
        self._show_setup()
        self._show_invitation()

    def _comparison_changed(self, state: ComparisonState) -> None:
        self.status.show_comparison(state)

    def _config_changed(self, _config: ModelConfig) -> None:
        self.status.show_state(self.services.session.state)
        self.bar.show_config(self.services.session.state)
        self._show_setup()

    def _show_setup(self) -> None:
        state = self.services.session.state
        if isinstance(state, Empty):
            self.sidebar.show_setup(None, None, None)
            return
        saved = self.services.preferences.settings.config_for(state.setup.target.path)
        loaded = state.loaded if isinstance(state, Running) else None
        self.sidebar.show_setup(state.setup, loaded, saved)

    def _show_reading(self, reading: MeterReading) -> None:
        self.status.show_reading(reading)
        if reading.is_answering:
            self._show_context()  # four times a second; every token would cost the engine too much
        if self.sidebar.isVisible():
            self.sidebar.show_reading(reading)

    def _answering_changed(self, answering: bool) -> None:
        self.conversations.set_answering(self.chat.answering_in)
        if answering:
            self.meters.begin_answer()
        else:
            self.meters.end_answer()

    def _show_context(self) -> None:
        state = self.services.session.state
        if isinstance(state, Running):
            self.bar.show_context(self.chat.context_in_use, state.loaded.context_length)

    def _emptiness_changed(self, empty: bool) -> None:
        if empty:
            self._show_invitation()
            self.chat_page.show_invitation()
        else:
            self.chat_page.show_transcript()

    def _show_invitation(self) -> None:
        state = self.services.session.state
        self.chat_page.invite(
            model_loaded=isinstance(state, Running),
            models_known=bool(self.services.library.listing.models),
            loading=state.setup.target.name if isinstance(state, Loading) else None,
        )

    def _library_changed(self, _listing: Listing) -> None:
        self._show_invitation()

    def _choose_model(self) -> None:
        if self.services.library.listing.models:
            self.loading.open_picker()
        else:
            self._go_to_discover()

    def _go_to_discover(self) -> None:
        self.show_page(PageName.DISCOVER)

    def _ask_for_token(self) -> None:
        self.show_page(PageName.SETTINGS)
        self.settings_page.ask_for_token()

    def _new_conversation(self) -> None:
        self.show_page(PageName.CHAT)
        self.chat.new_conversation()

    def _undo_deletion(self, conversation_id: int) -> None:
        self.services.chats.undo_delete(conversation_id)
        self.chat.show_conversation(conversation_id)

    def _delete_conversation(self, conversation_id: int) -> None:
        self.services.chats.delete(conversation_id)
        self.chat.conversation_deleted(conversation_id)

    def _probe_failed(self, end: EngineEnd) -> None:
        self.tell_problem(end_sentence(end), end.log)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab goes through the window as people read it."""
        return self._reading_order.go(forward=forward)

    def changeEvent(self, event: QEvent) -> None:
        """Measures nothing for a window that cannot be seen."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.WindowStateChange:
            self.services.monitor.set_active(not self.windowState() & Qt.WindowState.WindowMinimized)

    def showEvent(self, event: QShowEvent) -> None:
        """Begins to measure."""
        super().showEvent(event)
        self.services.monitor.set_active(True)

    def hideEvent(self, event: QHideEvent) -> None:
        """Ends measuring."""
        super().hideEvent(event)
        self.services.monitor.set_active(False)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Asks about downloads, keeps the answer that is being written, and says that this was no crash."""
        if not self.discovery.may_close():
            event.ignore()
            return
        self.chat.close()
        self.log.hide()
        geometry = self.saveGeometry().toBase64().toStdString()
        crashed = isinstance(self.services.session.state, EngineLost)
        self.services.preferences.update(window_geometry=geometry, ended_cleanly=not crashed)
        self.services.monitor.set_active(False)
        super().closeEvent(event)
