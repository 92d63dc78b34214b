"""The bar on top: the model in use and its draft, how far loading is, how full the context is."""

from collections.abc import Iterable
from enum import IntEnum

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QLabel, QLayout, QProgressBar, QWidget

from app.core.options import SpeculationMode
from app.models.model_names import printable
from app.ui.icons import Icons
from app.ui.model_pill import ModelPill, shared_widths
from app.ui.plain_tip import plain_tip
from app.ui.session_state import EngineLost, LoadFailed, Loading, Running, SessionState, Setup
from app.ui.theme import Theme
from app.ui.track import Segment, Track
from app.ui.widgets import button, label, row, set_property

HEIGHT = 52  # pixels
_METER_WIDTH = 88
_SPACING = 8
_MARGIN = 16
_PROGRESS_WIDTH = 160
_NARROW_PROGRESS_WIDTH = 80
_PROGRESS_STEPS = 1000


class _Room(IntEnum):
    """What a bar that grows narrower does without, one after the other, before it cuts names."""

    ALL = 0
    NO_WORDS = 1  # between the two names
    NO_METER = 2
    SHORT_FIGURES = 3


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
        self._has_draft = False  # to be named
        self._is_drafted = False  # and named: there is room
        self._used, self._length = 0, 0  # tokens of the context
        self._room = _Room.ALL
        self.setObjectName("model_bar")
        self.setProperty("panel", True)
        self.setFixedHeight(HEIGHT)
        self._target = ModelPill("model_picker_button", self.tr("Choose a model (Ctrl+L)"))
        self._target.clicked.connect(self.picker_requested)
        self._drafted_by = label(self.tr("drafted by"), tone="faint")
        self._draft = ModelPill("draft_button", self.tr("The draft model and other settings"))
        self._draft.clicked.connect(self.configure_requested)
        self._eject = button(self.tr("Eject"), "eject_button", kind="quiet")
        self._eject.clicked.connect(self.eject_requested)
        self._progress = QProgressBar()
        self._progress.setObjectName("load_progress")
        self._progress.setAccessibleName(self.tr("Loading"))
        self._progress.setTextVisible(False)
        self._progress.setRange(0, _PROGRESS_STEPS)
        self._progress_text = label(tone="muted", size="small")
        self._cancel = button(self.tr("Cancel"), "cancel_load_button", kind="quiet")
        self._cancel.clicked.connect(self.cancel_requested)
        self._reload = button(self.tr("Reload model"), "reload_model_button", kind="primary")
        self._reload.clicked.connect(self.reload_requested)
        self._context_text = label(tone="muted", size="small")
        self._context_text.setObjectName("context_text")
        self._context_text.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._context = Track(theme)
        self._context.setObjectName("context_meter")
        self._context.setAccessibleName(self.tr("Context in use"))
        self._context.setFixedWidth(_METER_WIDTH)
        arranged = row(
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
            spacing=_SPACING,
            margins=(_MARGIN, 0, _MARGIN, 0),
        )
        arranged.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
        self.setLayout(arranged)
        theme.changed.connect(self._colour)
        self.show_nothing()

    def show_state(self, state: SessionState) -> None:
        """Shows what the session is doing."""
        match state:
            case Loading(setup):
                by_model = SpeculationMode.OFF if setup.draft is None else SpeculationMode.DRAFT_MODEL
                self._show_setup(setup, "loading", by_model)
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
        self._target.say(self.tr("Choose a model to load"))
        self._arrange("empty", drafted=False)

    def show_config(self, state: SessionState) -> None:
        """Shows what has changed of the config in force: whether, and by what, answers are drafted."""
        if isinstance(state, Running):
            self._show_setup(state.setup, "ready", state.speculation)

    def show_progress(self, share: float) -> None:
        """How far loading is, from 0 to 1."""
        self._progress.setValue(round(share * _PROGRESS_STEPS))
        self._progress_text.setText(self._loading_words().format(percent=round(100 * share)))

    def show_measuring(self, done: int, of: int) -> None:
        """How far it is with timing the passes of what is loaded, the end of a load."""
        share = done / max(of, 1)
        self._progress.setValue(round(share * _PROGRESS_STEPS))
        self._progress_text.setText(self._measuring_words().format(percent=round(100 * share)))

    def show_context(self, used: int, length: int) -> None:
        """How many tokens of the context are in use."""
        share = min(used / max(length, 1), 1.0)
        self._context.show_segments(Segment(share, "accent"))
        is_as_wide = length == self._length
        self._used, self._length = used, length
        words = self._context_words(used)
        for widget in (self._context, self._context_text):
            widget.setAccessibleDescription(words)
        self._context_text.setToolTip(plain_tip(words))
        if is_as_wide:
            self._context_text.setText(self._context_words(used, short=self._room >= _Room.SHORT_FIGURES))
        else:
            self._fit()

    def minimumSizeHint(self) -> QSize:
        """Never what keeps the window wide: the bar does with less."""
        return QSize(0, HEIGHT)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Shares the room out anew."""
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        """The same for another font."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit()

    def _show_setup(
        self, setup: Setup, phase: str, speculation: SpeculationMode = SpeculationMode.OFF
    ) -> None:
        """`speculation` is how answers are really drafted; while loading, by which model if all goes well."""
        target = setup.target
        self._is_alone = setup.draft is None
        self._target.say(target.name, target.info.quantisation)
        tip = self.tr("{name}\n{path}\nChoose another (Ctrl+L)")
        self._target.setToolTip(plain_tip(tip.format(name=target.name, path=printable(str(target.path)))))
        if speculation is SpeculationMode.PROMPT_LOOKUP:
            self._draft.say(self.tr("Prompt lookup"))
            self._draft.setToolTip(self._draft.accessibleName())
        elif setup.draft is not None:
            self._draft.say(setup.draft.name, setup.draft.info.quantisation)
            self._draft.setToolTip(plain_tip(f"{setup.draft.name}\n{self._draft.accessibleName()}"))
        self._arrange(phase, drafted=speculation is not SpeculationMode.OFF)

    def _arrange(self, phase: str, *, drafted: bool) -> None:
        loading, ready, lost = (phase == name for name in ("loading", "ready", "lost"))
        set_property(self._target, "strong", phase != "empty")
        self._has_draft = drafted
        self._draft.setEnabled(not loading)
        self._eject.setVisible(ready)
        for widget in (self._progress, self._progress_text, self._cancel):
            widget.setVisible(loading)
        self._reload.setVisible(lost)
        self._context_text.setVisible(ready)
        self._phase = phase
        self._colour()
        self._fit()

    def _fit(self) -> None:
        """Gives the names what room there is, and does without what matters less where they need it."""
        self._is_drafted = self._has_draft
        pills, room, left = self._shared_room()
        if self._phase == "loading" and sum(pill.whole_width() for pill in pills) > left:
            self._is_drafted = False  # it is named once it is there, and with it more room
            pills, room, left = self._shared_room()
        self._draft.setVisible(self._is_drafted)
        self._room = room
        self._drafted_by.setVisible(self._is_drafted and room < _Room.NO_WORDS)
        self._context.setVisible(self._phase == "ready" and room < _Room.NO_METER)
        self._progress.setFixedWidth(self._progress_width(room))
        self._progress_text.setFixedWidth(self._progress_text_width())
        self._context_text.setFixedWidth(self._context_width(room))
        self._context_text.setText(self._context_words(self._used, short=room >= _Room.SHORT_FIGURES))
        for pill, width in zip(pills, shared_widths(pills, left), strict=True):
            pill.give(width)
        if (arranged := self.layout()) is not None:
            arranged.activate()

    def _shared_room(self) -> tuple[list[ModelPill], _Room, int]:
        """The names to show, what is done without for them, and the pixels that they have then."""
        pills = [self._target, self._draft] if self._is_drafted else [self._target]
        wanted = sum(pill.whole_width() for pill in pills)
        for room in _Room:
            left = self._left_beside(room) - _SPACING * (len(pills) - 1)
            if wanted <= left:
                break
        return pills, room, left

    def _left_beside(self, room: _Room) -> int:
        """Pixels for the names beside all else that is shown."""
        widths = []
        if self._is_drafted and room < _Room.NO_WORDS:
            widths.append(_hint(self._drafted_by))
        match self._phase:
            case "loading":
                widths += [self._progress_width(room), self._progress_text_width(), _hint(self._cancel)]
            case "lost":
                widths.append(_hint(self._reload))
            case "ready":
                widths += [_hint(self._eject), self._context_width(room)]
                if room < _Room.NO_METER:
                    widths.append(_METER_WIDTH)
            case _:
                pass
        stretch = _SPACING  # the layout puts a gap on both sides of it
        return self.width() - 2 * _MARGIN - stretch - sum(width + _SPACING for width in widths)

    def _progress_width(self, room: _Room) -> int:
        return _PROGRESS_WIDTH if room < _Room.NO_METER else _NARROW_PROGRESS_WIDTH

    def _progress_text_width(self) -> int:
        """Wide enough for all that is said while loading, so that nothing moves."""
        words = self._measuring_words()
        return _widest(
            self._progress_text, (text.format(percent=100) for text in (self._loading_words(), words))
        )

    def _context_width(self, room: _Room) -> int:
        """Wide enough for a full context, so that nothing moves while answering."""
        full = self._context_words(self._length, short=room >= _Room.SHORT_FIGURES)
        return _widest(self._context_text, [full])

    def _context_words(self, used: int, *, short: bool = False) -> str:
        words = self.tr("{used:,} / {length:,}") if short else self.tr("Context {used:,} / {length:,}")
        return words.format(used=used, length=self._length)

    def _loading_words(self) -> str:
        return self.tr("Loading… {percent} %")

    def _measuring_words(self) -> str:
        if self._is_alone:
            return self.tr("Measuring this model… {percent} %")
        return self.tr("Measuring this pair… {percent} %")

    def _colour(self) -> None:
        roles = {"ready": "good", "loading": "warning", "lost": "bad", "empty": "faint"}
        self._target.setIcon(self._icons.icon("dot", roles[self._phase]))
        self._draft.setIcon(self._icons.icon("dot", "warning" if self._phase == "loading" else "accent"))


def _hint(widget: QWidget) -> int:
    widget.ensurePolished()
    return widget.sizeHint().width()


def _widest(words: QLabel, texts: Iterable[str]) -> int:
    """Pixels with which each of the texts fits, whatever its digits are."""
    words.ensurePolished()
    metrics = words.fontMetrics()
    digits = "0123456789"
    widest = max(digits, key=metrics.horizontalAdvance)
    table = str.maketrans(digits, widest * len(digits))
    return max(metrics.horizontalAdvance(text.translate(table)) for text in texts) + 2
