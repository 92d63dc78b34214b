"""Choosing, configuring and loading models, and what is said about how it went."""

from pathlib import Path

from msgspec.structs import replace
from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtWidgets import QMessageBox, QWidget

from app.core.errors import SlipstreamError
from app.core.options import SpeculationMode
from app.models.library import Listing, LocalModel
from app.settings import ModelConfig
from app.ui.load_dialog import LoadDialog
from app.ui.model_bar import ModelBar
from app.ui.model_outcome import ModelOutcome
from app.ui.model_picker import ModelPicker
from app.ui.notice import Notice
from app.ui.saved_notice import to_remember
from app.ui.services import Services
from app.ui.session_state import Empty, Loading, Running, SessionState, Setup


class ModelLoading(QObject):
    """Serves the model bar, My Models and the chat's sidebar. Nothing is loaded that nobody asked for."""

    models_page_requested = Signal()
    find_draft_requested = Signal(object)  # LocalModel: the one that a draft is wanted for

    def __init__(self, services: Services, bar: ModelBar, notice: Notice, window: QWidget) -> None:
        super().__init__(window)
        self._services = services
        self._bar = bar
        self._window = window
        self._outcome = ModelOutcome(notice, self)
        self._outcome.reload_requested.connect(services.session.reload)
        self._outcome.configure_requested.connect(self.configure_loaded)
        self._question: QMessageBox | None = None
        self._missing_draft: Path | None = None  # asked for, and no longer on the disk
        self._may_load_last = services.preferences.settings.load_last_at_start
        self._ended_cleanly = services.preferences.settings.ended_cleanly
        self._picker = ModelPicker(window)
        self._picker.model_chosen.connect(self.configure)
        self._picker.models_page_requested.connect(self.models_page_requested)
        bar.picker_requested.connect(self.open_picker)
        bar.configure_requested.connect(self.configure_loaded)
        bar.cancel_requested.connect(services.session.cancel_load)
        bar.eject_requested.connect(services.session.eject)
        bar.reload_requested.connect(services.session.reload)
        services.session.state_changed.connect(self._state_changed)
        services.session.load_progressed.connect(self._load_progressed)
        services.session.costs_progressed.connect(bar.show_measuring)
        services.library.listing_changed.connect(self._listing_changed)
        services.library.looked.connect(self._library_looked)

    def open_picker(self) -> None:
        """Offers all models, under the model bar."""
        self._picker.open_at(self._bar.mapToGlobal(QPoint(16, self._bar.height() - 4)))

    def load(self, model: LocalModel) -> None:
        """Loads a model with its saved settings; shows them first where that is not likely to succeed."""
        session = self._services.session
        if session.is_answering:
            text = self.tr("An answer is being written. Stop it, and load {name}?")
            self._ask_first(model, text.format(name=model.name))
        elif session.is_measuring:
            text = self.tr("A comparison is running. Stop it, and load {name}?")
            self._ask_first(model, text.format(name=model.name))
        else:
            self._load_if_it_fits(model)

    def _ask_first(self, model: LocalModel, text: str) -> None:
        """Something is under way, which a slip of the hand must not end."""
        if self._question is not None:
            self._question.deleteLater()
        question = self._question = QMessageBox(self._window)
        question.setObjectName("load_while_answering_question")
        question.setIcon(QMessageBox.Icon.NoIcon)
        question.setTextFormat(Qt.TextFormat.PlainText)
        question.setText(text)
        load = question.addButton(self.tr("Stop and load"), QMessageBox.ButtonRole.AcceptRole)
        load.setObjectName("confirm_load_button")
        keep = question.addButton(QMessageBox.StandardButton.Cancel)
        keep.setObjectName("keep_answering_button")
        question.setDefaultButton(keep)
        question.accepted.connect(lambda: self._load_if_it_fits(model))
        question.open()

    def _load_if_it_fits(self, model: LocalModel) -> None:
        setup = self._saved_setup(model)
        if setup.config.load.context_problem(model.info.context_length) or setup.config.problems():
            self.configure(model)
            return
        wants_draft = setup.config.speculation.mode is SpeculationMode.DRAFT_MODEL
        draft = setup.draft.path if wants_draft and setup.draft is not None else None
        free = self._services.monitor.free_bytes()
        self._services.tasks.run(
            self,
            lambda: self._services.advisor.estimate(model.path, draft, setup.config.load).fits(free),
            lambda fits: self.configure(model) if fits is False else self.load_setup(setup),
            lambda error: self._estimate_failed(setup, error),
        )

    def load_setup(self, setup: Setup) -> None:
        """Loads exactly this."""
        missing = setup.config.speculation.mode is SpeculationMode.DRAFT_MODEL and setup.draft is None
        self._missing_draft = setup.config.draft if missing else None
        self._services.session.load(setup)

    def load_saved(self) -> None:
        """Loads the model in use again, with what is saved for it now."""
        state = self._services.session.state
        if not isinstance(state, Empty):
            self._load_if_it_fits(state.setup.target)

    def remember_in_force(self) -> None:
        """Saves what is in force for the model in use."""
        state = self._services.session.state
        if not isinstance(state, Empty):
            path = state.setup.target.path
            saved = self._services.preferences.settings.config_for(path)
            self._services.preferences.remember(path, to_remember(state.setup.config, saved))

    def configure(self, model: LocalModel) -> None:
        """Opens the settings of a model, from where it can be loaded."""
        services, state = self._services, self._services.session.state
        in_force: ModelConfig | None = None
        if isinstance(state, Running) and state.setup.target.path == model.path:
            in_force = state.setup.config
        dialog = LoadDialog(
            model,
            theme=services.theme,
            icons=services.icons,
            preferences=services.preferences,
            library=services.library,
            advisor=services.advisor,
            tasks=services.tasks,
            capabilities=services.session.capabilities,
            mode=services.preferences.settings.mode,
            in_force=in_force,
            loaded_bytes=self._engine_bytes(),
            parent=self._window,
        )
        dialog.load_requested.connect(self.load_setup)
        dialog.adjust_requested.connect(services.session.adjust)
        dialog.find_draft_requested.connect(self.find_draft_requested)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def configure_loaded(self) -> None:
        """The same for the model in use; with none, offers a choice."""
        state = self._services.session.state
        if isinstance(state, Empty):
            self.open_picker()
        else:
            self.configure(state.setup.target)

    def _engine_bytes(self) -> int | None:
        engine = self._services.monitor.sample().engine
        return None if engine is None else engine.resident

    def _saved_setup(self, model: LocalModel) -> Setup:
        """What is saved for a model; where that is the defaults', with no more context than it can have."""
        settings = self._services.preferences.settings
        config = settings.config_for(model.path)
        if config.load == settings.defaults.load:
            config = replace(config, load=config.load.fitted_to(model.info.context_length))
        draft = None if config.draft is None else self._services.library.find(config.draft)
        return Setup(model, draft, config)

    def _estimate_failed(self, setup: Setup, error: Exception) -> None:
        """The engine finds out, and says, what is wrong with the file."""
        if not isinstance(error, SlipstreamError):
            raise error
        self.load_setup(setup)

    def _listing_changed(self, listing: Listing) -> None:
        self._picker.show_models(listing.models)

    def _library_looked(self) -> None:
        """Loads the last model, once, where that is wanted and nothing went wrong the last time."""
        if not self._may_load_last:
            return
        self._may_load_last = False
        last = self._services.preferences.settings.last_model
        model = None if last is None else self._services.library.find(last)
        if model is None or not isinstance(self._services.session.state, Empty):
            return
        if self._ended_cleanly:
            self.load(model)
        else:
            self._outcome.offer_last(model.name, lambda: self.load(model))

    def _load_progressed(self, share: float) -> None:
        self._services.monitor.set_engine(self._services.session.engine_pid)
        self._bar.show_progress(share)

    def _state_changed(self, state: SessionState) -> None:
        self._bar.show_state(state)
        self._services.monitor.set_engine(self._services.session.engine_pid)
        self._picker.set_loaded(state.setup.target.path if isinstance(state, Running) else None)
        if isinstance(state, Running):
            self._services.preferences.update(last_model=state.setup.target.path)
        if not isinstance(state, Loading | Running):
            self._missing_draft = None
        self._outcome.show_state(state, self._missing_draft)
