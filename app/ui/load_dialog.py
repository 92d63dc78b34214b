"""Edit Model Default Config, and Load: one dialog."""

from collections.abc import Callable

from msgspec.structs import replace
from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QDialog, QWidget

from app.core.advice import Advisor
from app.core.estimate import MemoryEstimate
from app.core.protocol import Ready
from app.models.library import LocalModel
from app.settings import ModelConfig, UserMode
from app.ui.acceptance_section import AcceptanceSection
from app.ui.advanced_section import AdvancedSection
from app.ui.basics_section import BasicsSection
from app.ui.config_changes import changes_between
from app.ui.config_form import ConfigForm, Sections
from app.ui.dialog_pages import DialogPages
from app.ui.enter_key import press_by_enter
from app.ui.estimates import Estimates
from app.ui.icons import Icons
from app.ui.inference_tab import InferenceTab
from app.ui.library_service import LibraryService
from app.ui.load_footer import LoadAction, LoadFooter
from app.ui.load_tab import LoadTab
from app.ui.memory_card import MemoryCard, available_bytes
from app.ui.preferences import Preferences
from app.ui.prompt_section import PromptSection
from app.ui.sampling_section import SamplingSection
from app.ui.session_state import Setup, needs_reload, to_load
from app.ui.speculation_section import SpeculationSection
from app.ui.tasks import Tasks
from app.ui.theme import Theme
from app.ui.widgets import column, hairline

_SIZE, _SIMPLE_SIZE, _SMALLEST = QSize(900, 736), QSize(900, 560), QSize(860, 420)
_AROUND = QSize(48, 64)  # pixels kept free on a small screen, for the window's frame


class LoadDialog(QDialog):
    """Opens on the saved settings of a model, or the defaults.

    `in_force` is the config of this model's own Setup while it is loaded, None otherwise; `loaded_bytes` the
    memory of whichever model is loaded, which loading gives back. The dialog closes with `load_requested`;
    with `adjust_requested` where the model is loaded and all that differs applies to its next answer; with
    `find_draft_requested`, which changes as little as Cancel; or with none of them. `remembered` tells of a
    config that was saved in the preferences.
    """

    load_requested = Signal(object)  # Setup
    adjust_requested = Signal(object)  # ModelConfig
    remembered = Signal(object)  # ModelConfig
    find_draft_requested = Signal(object)  # LocalModel: a draft for it, from elsewhere

    def __init__(
        self,
        model: LocalModel,
        theme: Theme,
        icons: Icons,
        preferences: Preferences,
        library: LibraryService,
        advisor: Advisor,
        tasks: Tasks,
        capabilities: Ready | None,
        mode: UserMode,
        in_force: ModelConfig | None,
        loaded_bytes: int | None,
        parent: QWidget | None = None,
        available: Callable[[], int] = available_bytes,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("load_dialog")
        self.setProperty("panel", True)
        self.setWindowTitle(model.name)
        self._model = model
        self._preferences = preferences
        self._library = library
        self._in_force = in_force
        self._was_listed = library.find(model.path) is not None
        self._memory = MemoryCard(theme, loaded_bytes, available)
        self._estimates = Estimates(advisor, tasks, self)
        self._speculation = SpeculationSection(model, theme, library, advisor, tasks)
        basics, advanced = BasicsSection(model.info, capabilities), AdvancedSection(theme)
        sampling, prompt, acceptance = SamplingSection(), PromptSection(), AcceptanceSection()
        others = (basics, prompt, acceptance)
        sections = Sections(advanced, self._speculation, sampling, others)
        self._form = ConfigForm(sections, model.info.context_length, self)
        self._footer = LoadFooter()
        pages = DialogPages(model)
        layout = column(pages, hairline(), self._footer, spacing=0)
        layout.setStretch(0, 1)
        self.setLayout(layout)
        load_tab = LoadTab(theme, icons, mode, basics, self._memory, advanced, self._speculation)
        pages.add_page(self.tr("Load"), "load_tab_button", load_tab)
        pages.add_page(
            self.tr("Inference"), "inference_tab_button", InferenceTab(mode, sampling, prompt, acceptance)
        )
        self._form.edited.connect(self._update)
        self._form.seen_changed.connect(self._tell_problems)
        self._speculation.draft_known.connect(self._update)
        self._speculation.find_draft_requested.connect(self._find_draft)
        self._footer.remember_box.toggled.connect(self._update)
        self._footer.reset_button.clicked.connect(self._reset)
        self._footer.cancel_button.clicked.connect(self.reject)
        self._footer.save_button.clicked.connect(self._save)
        self._footer.load_button.clicked.connect(self._finish)
        library.listing_changed.connect(self._follow_library)
        self._estimates.estimated.connect(self._take_estimate)
        self._estimates.failed.connect(self._take_failure)
        self._memory.fit_changed.connect(self._name_action)
        self._form.show_config(self._saved)
        self._update()
        self._fit_screen(_SIMPLE_SIZE if mode is UserMode.USER else _SIZE)
        self._footer.load_button.setFocus()

    @property
    def _defaults(self) -> ModelConfig:
        """The defaults, with no more context than the model can have: they are for models of every length."""
        defaults = self._preferences.settings.defaults
        return replace(defaults, load=defaults.load.fitted_to(self._model.info.context_length))

    @property
    def _saved(self) -> ModelConfig:
        return self._preferences.settings.configs.get(self._model.path, self._defaults)

    @property
    def config(self) -> ModelConfig:
        """The config as the form has it."""
        return self._form.config

    def show_config(self, config: ModelConfig) -> None:
        """Fills the form with another config."""
        self._form.show_config(config)
        self._update()

    def showEvent(self, event: QShowEvent) -> None:
        """Asks for the estimate."""
        super().showEvent(event)
        self._update()

    def hideEvent(self, event: QHideEvent) -> None:
        """Nobody is waiting for it any more."""
        super().hideEvent(event)
        self._estimates.stop()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter presses the button that has the focus, and from a field loads the model."""
        if not press_by_enter(self, event, self._footer.load_button):
            super().keyPressEvent(event)

    def _setup(self) -> Setup:
        return Setup(self._model, self._speculation.draft, self.config)

    def _update(self) -> None:
        setup = self._setup()
        load = setup.config.load
        self._form.check()
        if not load.problems() and load.context_problem(self._model.info.context_length) is None:
            draft = self._speculation.likely_draft
            self._estimates.ask(self._model.path, draft.path if draft else None, load)
            self._speculation.set_load(load)
        self._tell_problems()
        self._footer.show_saved(
            setup.config, self._saved, has_own=self._model.path in self._preferences.settings.configs
        )
        wanted = to_load(setup).config
        self._footer.show_changes(changes_between(self._in_force, wanted) if self._in_force else ())
        self._name_action()

    def _tell_problems(self) -> None:
        gone = self._was_listed and self._library.find(self._model.path) is None
        above = [self.tr("The model's file is no longer there.")] if gone else []
        self._footer.show_problems(above + self._form.problems, above + self._form.unseen_problems)

    def _action(self, wanted: ModelConfig) -> LoadAction:
        if self._in_force is None:
            return LoadAction.LOAD
        if needs_reload(self._in_force, wanted) or not changes_between(self._in_force, wanted):
            return LoadAction.RELOAD
        return LoadAction.APPLY

    def _take_estimate(self, estimate: MemoryEstimate) -> None:
        self._memory.show_estimate(estimate)
        self._name_action()

    def _take_failure(self, reason: str) -> None:
        self._memory.show_failure(reason)
        self._name_action()

    def _name_action(self) -> None:
        action = self._action(to_load(self._setup()).config)
        self._footer.show_action(action, too_much=self._memory.is_too_much)

    def _follow_library(self) -> None:
        self._update()
        self._estimates.refresh()

    def _reset(self) -> None:
        self.show_config(self._defaults)

    def _save(self) -> None:
        config = self.config
        self.accept()
        self._remember(config)

    def _finish(self) -> None:
        setup = self._setup()
        action = self._action(to_load(setup).config)
        self.accept()
        if self._footer.remember_box.isChecked():
            self._remember(setup.config)
        if action is LoadAction.APPLY:
            self.adjust_requested.emit(setup.config)
        else:
            self.load_requested.emit(setup)

    def _find_draft(self) -> None:
        self.reject()
        self.find_draft_requested.emit(self._model)

    def _remember(self, config: ModelConfig) -> None:
        """Saves the config. One like the defaults is not a model's own, so that it follows them."""
        if config == self._preferences.settings.defaults:
            self._preferences.forget(self._model.path)
        else:
            self._preferences.remember(self._model.path, config)
        self.remembered.emit(config)

    def _fit_screen(self, size: QSize) -> None:
        room = self.screen().availableSize() - _AROUND
        self.setMinimumSize(_SMALLEST.boundedTo(room))
        self.resize(size.boundedTo(room))
