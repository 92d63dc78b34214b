"""The bar on top: the model in use and its draft, how far loading is, how full the context is."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QProgressBar, QToolButton, QWidget

from app.core.options import SpeculationMode
from app.models.model_names import printable
from app.ui.icons import Icons
from app.ui.plain_tip import plain_tip
from app.ui.session_state import EngineLost, LoadFailed, Loading, Running, SessionState, Setup
from app.ui.theme import Theme
from app.ui.track import Segment, Track
from app.ui.widgets import button, label, row, set_property

HEIGHT = 52  # pixels
_METER_WIDTH = 88
_PILL_WIDTH = 320
_PROGRESS_STEPS = 1000


class ModelBar(QFrame):
    """Shows the session's state; what its buttons ask for is done by the window."""

    picker_requested = Signal()  # choose a model
    configure_requested = Signal()  # the settings of the one in use
    cancel_requested = Signal()
    eject_requested = Signal()
    reload_requested = Signal()

    def __init__(self, theme: Theme, icons: Icons, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icons = icons
        self._is_alone = True  # without a draft model
        self.setObjectName("model_bar")
        self.setProperty("panel", True)
        self.setFixedHeight(HEIGHT)
        self._target = self._pill("model_picker_button", self.tr("Choose a model (Ctrl+L)"))
        self._target.clicked.connect(self.picker_requested)
        self._drafted_by = label(self.tr("drafted by"), tone="faint")
        self._draft = self._pill("draft_button", self.tr("The draft model and other settings"))
        self._draft.clicked.connect(self.configure_requested)
        self._eject = button(self.tr("Eject"), "eject_button", kind="quiet")
        self._eject.clicked.connect(self.eject_requested)
        self._progress = QProgressBar()
        self._progress.setObjectName("load_progress")
        self._progress.setAccessibleName(self.tr("Loading"))
        self._progress.setTextVisible(False)
        self._progress.setRange(0, _PROGRESS_STEPS)
        self._progress.setFixedWidth(160)
        self._progress_text = label(tone="muted", size="small")
        self._cancel = button(self.tr("Cancel"), "cancel_load_button", kind="quiet")
        self._cancel.clicked.connect(self.cancel_requested)
        self._reload = button(self.tr("Reload model"), "reload_model_button", kind="primary")
        self._reload.clicked.connect(self.reload_requested)
        self._context_text = label(tone="muted", size="small")
        self._context = Track(theme)
        self._context.setObjectName("context_meter")
        self._context.setAccessibleName(self.tr("Context in use"))
        self._context.setFixedWidth(_METER_WIDTH)
        self.setLayout(
            row(
                self._target,
                self._drafted_by,
                self._draft,
                self._eject,
                self._progress,
                self._progress_text,
                self._cancel,
                self._reload,
                None,
                self._context_text,
                self._context,
                margins=(16, 0, 16, 0),
            )
        )
        theme.changed.connect(self._colour)
        self.show_nothing()

    def show_state(self, state: SessionState) -> None:
        """Shows what the session is doing."""
        match state:
            case Loading(setup):
                self._show_setup(setup, "loading")
                self.show_progress(0.0)
            case Running(setup, loaded):
                self._show_setup(setup, "ready", state.speculation)
                self.show_context(0, loaded.context_length)
            case LoadFailed(setup) | EngineLost(setup):
                self._show_setup(setup, "lost")
            case _:
                self.show_nothing()

    def show_nothing(self) -> None:
        """No model is in use."""
        _say(self._target, self.tr("Choose a model to load"))
        self._arrange("empty", drafted=False)

    def show_config(self, state: SessionState) -> None:
        """Shows what has changed of the config in force: whether, and by what, answers are drafted."""
        if isinstance(state, Running):
            self._show_setup(state.setup, "ready", state.speculation)

    def show_progress(self, share: float) -> None:
        """How far loading is, from 0 to 1."""
        self._progress.setValue(round(share * _PROGRESS_STEPS))
        self._progress_text.setText(self.tr("Loading… {percent} %").format(percent=round(100 * share)))

    def show_measuring(self, done: int, of: int) -> None:
        """How far it is with timing the passes of what is loaded, the end of a load."""
        share = done / max(of, 1)
        self._progress.setValue(round(share * _PROGRESS_STEPS))
        words = self.tr("Measuring this pair… {percent} %")
        if self._is_alone:
            words = self.tr("Measuring this model… {percent} %")
        self._progress_text.setText(words.format(percent=round(100 * share)))

    def show_context(self, used: int, length: int) -> None:
        """How many tokens of the context are in use."""
        share = min(used / max(length, 1), 1.0)
        self._context.show_segments(Segment(share, "accent"))
        words = self.tr("Context {used:,} / {length:,}").format(used=used, length=length)
        self._context.setAccessibleDescription(words)
        self._context_text.setText(words)

    def _show_setup(
        self, setup: Setup, phase: str, speculation: SpeculationMode = SpeculationMode.OFF
    ) -> None:
        """`speculation` is how answers are really drafted."""
        target = setup.target
        self._is_alone = setup.draft is None
        _say(self._target, f"{target.name}  ·  {target.info.quantisation}")
        tip = self.tr("{name}\n{path}\nChoose another (Ctrl+L)")
        self._target.setToolTip(plain_tip(tip.format(name=target.name, path=printable(str(target.path)))))
        if speculation is SpeculationMode.PROMPT_LOOKUP:
            _say(self._draft, self.tr("Prompt lookup"))
        elif setup.draft is not None:
            _say(self._draft, f"{setup.draft.name}  ·  {setup.draft.info.quantisation}")
        self._arrange(phase, drafted=speculation is not SpeculationMode.OFF)

    def _arrange(self, phase: str, *, drafted: bool) -> None:
        loading, ready, lost = (phase == name for name in ("loading", "ready", "lost"))
        set_property(self._target, "strong", phase != "empty")
        self._drafted_by.setVisible(drafted and not loading)
        self._draft.setVisible(drafted and not loading)
        self._eject.setVisible(ready)
        for widget in (self._progress, self._progress_text, self._cancel):
            widget.setVisible(loading)
        self._reload.setVisible(lost)
        self._context.setVisible(ready)
        self._context_text.setVisible(ready)
        self._phase = phase
        self._colour()

    def _pill(self, name: str, accessible: str) -> QToolButton:
        made = QToolButton()
        made.setObjectName(name)
        made.setAccessibleName(accessible)
        made.setToolTip(accessible)
        made.setProperty("pill", True)
        made.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        made.setIconSize(QSize(10, 10))
        made.setMaximumWidth(_PILL_WIDTH)
        made.setCursor(Qt.CursorShape.PointingHandCursor)
        made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return made

    def _colour(self) -> None:
        roles = {"ready": "good", "loading": "warning", "lost": "bad", "empty": "faint"}
        self._target.setIcon(self._icons.icon("dot", roles[self._phase]))
        self._draft.setIcon(self._icons.icon("dot", "accent"))


def _say(pill: QToolButton, text: str) -> None:
    """Shows a name, cut in the middle, so that the quantisation stays readable; spaces keep the dot away."""
    fitted = pill.fontMetrics().elidedText(text, Qt.TextElideMode.ElideMiddle, _PILL_WIDTH - 56)
    pill.setText(f"  {fitted}")
