"""Playing a recorded answer: back, play, forward, how fast, and where."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from app.core.trace import Trace
from app.ui.form_parts import ChoiceBox
from app.ui.icons import Icons
from app.ui.plain_tip import plain_tip
from app.ui.replay_player import Moment, Pace, ReplayPlayer
from app.ui.replay_scrubber import ReplayScrubber
from app.ui.theme import Theme
from app.ui.widgets import icon_button, row

_PACE_WIDTH = 132  # pixels


class ReplayControls(QWidget):
    """Moves a player, and shows where it is."""

    def __init__(
        self, theme: Theme, icons: Icons, player: ReplayPlayer, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._icons = icons
        self._player = player
        self.setObjectName("replay_controls")
        self._back = icon_button(icons.icon("step-back"), "replay_back_button", self.tr("Step back"))
        self._play = icon_button(icons.icon("play"), "replay_play_button", self.tr("Play"))
        self._forward = icon_button(
            icons.icon("step-forward"), "replay_forward_button", self.tr("Step forward")
        )
        self._pace = ChoiceBox(
            "replay_pace_box",
            self.tr("Speed"),
            [
                (Pace.SLOW, self.tr("Slow")),
                (Pace.NORMAL, self.tr("Normal")),
                (Pace.FAST, self.tr("Fast")),
                (Pace.AS_IT_RAN, self.tr("As it ran")),
            ],
        )
        self._pace.set_value(Pace.NORMAL)
        self._pace.setFixedWidth(_PACE_WIDTH)
        self._scrubber = ReplayScrubber(theme)
        whole = row(self._back, self._play, self._forward, 4, self._pace, 8, self._scrubber)
        whole.setStretchFactor(self._scrubber, 1)
        self.setLayout(whole)
        self._back.clicked.connect(player.back)
        self._forward.clicked.connect(player.forward)
        self._play.clicked.connect(self._toggle)
        self._pace.value_chosen.connect(self._choose_pace)
        self._scrubber.valueChanged.connect(player.seek)
        player.moved.connect(self._show)
        player.playing_changed.connect(self._dress)
        theme.changed.connect(self._dress)

    def show_trace(self, trace: Trace) -> None:
        """The columns of another answer; the player is told by whoever has it."""
        self._scrubber.show_rounds(trace.rounds)

    def take_focus(self) -> None:
        """Goes to the play button."""
        self._play.setFocus(Qt.FocusReason.OtherFocusReason)

    def _toggle(self) -> None:
        if self._player.is_playing:
            self._player.pause()
        else:
            self._player.play()

    def _choose_pace(self) -> None:
        self._player.set_pace(self._pace.value)

    def _show(self, moment: Moment) -> None:
        self._scrubber.show_round(moment.round)
        self._back.setEnabled(not self._player.at_start)
        self._forward.setEnabled(not self._player.at_end)

    def _dress(self) -> None:
        """Icons and names, for another theme or while it plays."""
        playing = self._player.is_playing
        name = self.tr("Pause") if playing else self.tr("Play")
        self._play.setIcon(self._icons.icon("pause" if playing else "play"))
        self._play.setAccessibleName(name)
        self._play.setToolTip(plain_tip(name))
        self._back.setIcon(self._icons.icon("step-back"))
        self._forward.setIcon(self._icons.icon("step-forward"))
