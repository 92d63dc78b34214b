"""The right side of the chat: meters, and the settings in force with Speculative Decoding on top."""

from msgspec.structs import replace
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from app.core.options import SpeculationOptions
from app.core.protocol import Loaded
from app.settings import ModelConfig, UserMode
from app.ui.disclosure import Disclosure
from app.ui.icons import Icons
from app.ui.inference_panel import InferencePanel
from app.ui.meters import MeterReading
from app.ui.meters_panel import MetersPanel
from app.ui.saved_notice import SavedNotice
from app.ui.session_state import Running, Setup
from app.ui.speculation_panel import SpeculationPanel
from app.ui.theme import Theme
from app.ui.widgets import column, hairline, label

WIDTH = 304  # pixels


class ChatSidebar(QFrame):
    """Shows what is in force, never what is only wished for.

    A change is told by `config_adjusted` and is shown once `show_setup` brings it back: answer the signal
    with Session.adjust, and Session.config_changed with `show_setup`.
    """

    config_adjusted = Signal(object)  # ModelConfig: for the next answer
    remember_requested = Signal()  # save what is in force
    reload_requested = Signal()  # load again with what is saved
    configure_requested = Signal()  # open the load settings
    visualize_changed = Signal(bool)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._setup: Setup | None = None
        self.setObjectName("chat_sidebar")
        self.setProperty("panel", True)
        self.setFixedWidth(WIDTH)
        self._meters = MetersPanel(theme)
        self._nothing = label(tone="muted", wrap=True)
        self._nothing.setObjectName("no_settings")
        self._speculation = SpeculationPanel(theme)
        self._speculation.adjusted.connect(self._adjust_speculation)
        self._speculation.configure_requested.connect(self.configure_requested)
        self._speculation.visualize_changed.connect(self.visualize_changed)
        self._inference = InferencePanel()
        self._inference.adjusted.connect(self.config_adjusted)
        self._inference.hide()
        inference = Disclosure(self.tr("Inference"), "sidebar_inference", theme, Icons(theme))
        inference.setChecked(False)
        inference.toggled.connect(self._inference.setVisible)
        self._settings = QWidget()
        self._settings.setLayout(
            column(
                _padded(self._speculation, 12),
                hairline(),
                _padded(inference, 8),
                _padded(self._inference, 0),
                16,
                spacing=0,
            )
        )
        self._nothing_holder = _padded(self._nothing, 16)
        content = QWidget()
        content.setObjectName("scroll_content")
        content.setLayout(
            column(
                _padded(self._meters, 12),
                hairline(),
                self._nothing_holder,
                self._settings,
                None,
                spacing=0,
            )
        )
        scroll = QScrollArea()
        scroll.setObjectName("chat_sidebar_scroll")
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidget(content)
        self._saved = SavedNotice()
        self._saved.remember_requested.connect(self.remember_requested)
        self._saved.reload_requested.connect(self.reload_requested)
        self.setLayout(column(scroll, self._saved, spacing=0))
        self.show_setup(None, None, None)

    @property
    def saved_notice(self) -> SavedNotice:
        """Tells when what is in force is not what is saved."""
        return self._saved

    @property
    def speculation(self) -> SpeculationPanel:
        """The settings of speculative decoding."""
        return self._speculation

    def show_reading(self, reading: MeterReading) -> None:
        """Shows other figures on the meters."""
        self._meters.show_reading(reading)

    def show_setup(self, setup: Setup | None, loaded: Loaded | None, saved: ModelConfig | None) -> None:
        """Shows what is in force, and how it differs from what is saved for the model.

        Without `loaded` the model is not in memory, and there is nothing to change.
        """
        in_force = SpeculationOptions()
        before, self._setup = self._setup, setup if loaded is not None else None
        if setup is None or loaded is None:
            self._nothing.setText(
                self.tr("No model is loaded. Its settings will be here.")
                if setup is None
                else self.tr("{name} is not in memory. Its settings will be here once it is.").format(
                    name=setup.target.name
                )
            )
            self._saved.compare(None, None)
        else:
            running = Running(setup, loaded)
            another = before is None or before.target != setup.target
            self._speculation.show_running(running)
            self._inference.show_config(setup.config, another=another)
            self._saved.compare(setup.config, saved)
            in_force = replace(setup.config.speculation, mode=running.speculation)
        self._meters.show_options(in_force)
        self._nothing_holder.setVisible(self._setup is None)
        self._settings.setVisible(self._setup is not None)

    def set_mode(self, mode: UserMode) -> None:
        """Shows as much as a mode does."""
        self._speculation.set_mode(mode)
        self._saved.set_mode(mode)

    def set_visualize(self, visualize: bool) -> None:
        """Shows whether accepted tokens are coloured, without a signal."""
        self._speculation.set_visualize(visualize)

    def _adjust_speculation(self, options: SpeculationOptions) -> None:
        if self._setup is not None:
            self.config_adjusted.emit(replace(self._setup.config, speculation=options))


def _padded(widget: QWidget, above_and_below: int) -> QWidget:
    holder = QWidget()
    holder.setLayout(column(widget, margins=(16, above_and_below, 16, above_and_below)))
    return holder
