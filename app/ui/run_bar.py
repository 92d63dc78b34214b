"""How often and how long a comparison answers; Run and Stop, and how far it is."""

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QLayout, QSizePolicy, QStackedWidget, QWidget

from app.figures import time_left_text
from app.ui.comparison_state import ComparisonState, Phase
from app.ui.form_parts import ChoiceBox, set_shown, show_line
from app.ui.icons import Icons
from app.ui.plain_tip import plain_tip
from app.ui.theme import Theme
from app.ui.track import Segment, Track
from app.ui.widgets import ElidedLabel, button, column, label, row

_MOST_REPEATS, _USUAL_REPEATS = 10, 5
_LENGTHS, _USUAL_LENGTH = (32, 64, 96, 128, 256, 512), 96  # tokens
_BOX_WIDTH, _BUTTON_WIDTH = 116, 84  # pixels; Run and Stop take each other's place


class RunBar(QWidget):
    """While a comparison runs its progress takes the place of the choices, which cannot be changed then.

    So does the reason why nothing can be run. `name` goes before the object names, where a window has more
    bars than one. What is chosen stays as long as the bar does.
    """

    run_requested = Signal()
    choices_changed = Signal()  # how often and how long, by the person
    stop_requested = Signal()

    def __init__(
        self,
        theme: Theme,
        icons: Icons,
        name: str = "",
        parent: QWidget | None = None,
        *,
        repeats: int = _USUAL_REPEATS,
    ) -> None:
        """`repeats` is how often each variant is to answer at first."""
        super().__init__(parent)
        self._icons = icons
        self._reason = ""
        self._phase = Phase.IDLE
        self.setObjectName(f"{name}run_bar")
        self._repeats = ChoiceBox(
            f"{name}repeats_box",
            self.tr("Repeats"),
            [(n, self.tr("Repeat {count}").format(count=n)) for n in range(1, _MOST_REPEATS + 1)],
        )
        self._repeats.setToolTip(self.tr("How often each way answers; the middle value counts"))
        self._repeats.set_value(repeats)
        self._length = ChoiceBox(
            f"{name}answer_length_box",
            self.tr("Answer length"),
            [(n, self.tr("{count} tokens").format(count=n)) for n in _LENGTHS],
        )
        self._length.setToolTip(self.tr("Where an answer ends at the latest"))
        self._length.set_value(_USUAL_LENGTH)
        self._run = button(self.tr("Run"), f"{name}run_button", kind="primary")
        self._run.clicked.connect(self.run_requested)
        self._stop = button(self.tr("Stop"), f"{name}stop_run_button")
        self._stop.clicked.connect(self.stop_requested)
        self._escape = QShortcut(QKeySequence(Qt.Key.Key_Escape), self)
        self._escape.activated.connect(self.stop_requested)
        for box in (self._repeats, self._length):
            box.setFixedWidth(_BOX_WIDTH)
            box.value_chosen.connect(self.choices_changed)
        for control in (self._repeats, self._length, self._run, self._stop):
            control.setProperty("large", True)
        self._line = ElidedLabel(size="small")
        self._line.setObjectName(f"{name}run_line")
        self._left = label(size="small", tone="muted")
        self._left.setObjectName(f"{name}time_left")
        self._track = Track(theme)
        self._track.setObjectName(f"{name}run_progress")
        self._track.setAccessibleName(self.tr("Progress"))
        self._why = label(size="small", tone="muted", wrap=True)
        self._why.setObjectName(f"{name}run_reason")
        self._pages = QStackedWidget()
        self._pages.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._choices = _page(row(None, self._repeats, self._length))
        bar = row(self._track, self._left)
        bar.setStretch(0, 1)
        self._progress = _page(column(None, self._line, bar, None, spacing=2))
        self._refusal = _page(row(self._why))
        for page in (self._choices, self._progress, self._refusal):
            self._pages.addWidget(page)
        self.setLayout(column(row(self._pages, self._run, self._stop), None, spacing=0))
        theme.changed.connect(self._take_theme)
        self._take_theme()
        self._arrange()
        for pressed in (self._run, self._stop):
            pressed.setFixedWidth(_BUTTON_WIDTH)

    @property
    def repeats(self) -> int:
        """How often each variant is to answer."""
        return self._repeats.value

    @property
    def max_tokens(self) -> int:
        """How long an answer may become."""
        return self._length.value

    def set_reason(self, reason: str) -> None:
        """Why nothing can be run now, in words; empty if it can."""
        self._reason = reason
        self._why.setText(reason)
        self._arrange()

    def show_state(
        self, state: ComparisonState, words_of: Callable[[str], str], *, with_prompt: bool = False
    ) -> None:
        """Shows how far a comparison is. `words_of` gives a variant's words by its id.

        `with_prompt` names the prompt as well, where there are several.
        """
        self._phase = state.phase
        text = self._text(state, words_of, with_prompt=with_prompt)
        self._line.set_text(text)
        show_line(self._left, self._time_left(state))
        share = state.done / state.of if state.of else 0.0
        self._track.show_segments(Segment(share, "accent"))
        self._track.setAccessibleDescription(text)
        self._arrange()

    def _text(self, state: ComparisonState, words_of: Callable[[str], str], *, with_prompt: bool) -> str:
        match state.phase:
            case Phase.IDLE:
                return ""
            case Phase.LOADING_DRAFT:
                return self.tr("Loading the draft model…")
            case Phase.WARMING_UP if state.read is not None:
                share = f"{100 * state.read:.0f}"
                return self.tr("Warming up… {percent} % of the prompt are read").format(percent=share)
            case Phase.WARMING_UP:
                return self.tr("Warming up…")
            case Phase.WEIGHING:
                return self.tr("Looking at the differences…")
            case Phase.STOPPING:
                return self.tr("Stopping…")
            case Phase.RUNNING:
                number = min(state.done + 1, state.of)
                parts = [self.tr("Run {number} of {count}").format(number=number, count=state.of)]
                if state.planned is not None:
                    parts += [state.planned.prompt] if with_prompt else []
                    parts.append(words_of(state.planned.variant))
                return " · ".join(parts)

    def _time_left(self, state: ComparisonState) -> str:
        if state.seconds_left is None or state.phase is not Phase.RUNNING:
            return ""
        return self.tr("{time} left").format(time=time_left_text(state.seconds_left))

    def _arrange(self) -> None:
        is_running = self._phase is not Phase.IDLE
        idle_page = self._refusal if self._reason else self._choices
        self._pages.setCurrentWidget(self._progress if is_running else idle_page)
        had_focus = self._run.hasFocus() or self._stop.hasFocus()
        set_shown(self._run, not is_running)
        set_shown(self._stop, is_running)
        self._run.setEnabled(not self._reason)
        self._run.setToolTip(plain_tip(self._reason) or self.tr("Run the comparison (Ctrl+Enter)"))
        self._run.setAccessibleDescription(self._reason)
        can_stop = is_running and self._phase is not Phase.STOPPING
        self._stop.setEnabled(can_stop)
        self._stop.setToolTip(self.tr("Stop, and keep what was measured (Esc)"))
        self._escape.setEnabled(can_stop)
        if had_focus:
            (self._stop if is_running else self._run).setFocus(Qt.FocusReason.OtherFocusReason)

    def _take_theme(self) -> None:
        self._stop.setIcon(self._icons.icon("stop", "text"))


def _page(layout: QLayout) -> QWidget:
    made = QWidget()
    made.setLayout(layout)
    return made
