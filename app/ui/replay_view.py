"""A recorded answer, round by round: its text so far, the round's tokens, where its time went."""

from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QLayout, QSizePolicy, QWidget

from app.core.options import SpeculationOptions
from app.models.model_names import printable
from app.ui.icons import Icons
from app.ui.replay_controls import ReplayControls
from app.ui.replay_player import Moment, ReplayPlayer
from app.ui.replay_round_card import Look, Recorded, ReplayRoundCard
from app.ui.replay_rules import ReplayRules
from app.ui.replay_text import ReplayText
from app.ui.replay_words import text_caption
from app.ui.theme import Theme
from app.ui.widgets import Card, ElidedLabel, column, label, row

_RULES, _BESIDE = 328, 900  # pixels
_GAP = 12
_LONGEST = 2000  # characters of a prompt in a tooltip
_ALL = 1000  # a stretch beside which others come to nothing


class ReplayView(QWidget):
    """The rules stand beside it, or below where there is little room."""

    def __init__(self, theme: Theme, icons: Icons, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("replay_view")
        self._recorded: Recorded | None = None
        self.player = ReplayPlayer(self)
        self._prompt = ElidedLabel(strong=True)
        self._prompt.setObjectName("replay_prompt_line")
        self._caption = label(size="small", tone="muted")
        self._caption.setObjectName("replay_text_caption")
        self._text = ReplayText(theme)
        self._controls = ReplayControls(theme, icons, self.player)
        self._round = ReplayRoundCard(theme, self._controls)
        self._rules = ReplayRules(theme)
        left = QWidget()  # so that Tab goes through all of it before it comes to the rules
        left.setLayout(self._left())
        self._boxes = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._boxes.setContentsMargins(0, 0, 0, 0)
        self._boxes.setSpacing(_GAP)
        self._boxes.addWidget(left, 1)
        self._boxes.addWidget(self._rules, 0, Qt.AlignmentFlag.AlignTop)
        self.setLayout(self._boxes)
        self.player.moved.connect(self._show)
        self._rules.rule_chosen.connect(self._judge)

    @property
    def look(self) -> Look:
        """What is looked at."""
        rule = self._rules.options
        if self._recorded is not None:
            rule = replace(rule, mode=self._recorded.options.mode)
        return Look(self.player.moment, rule, self._rules.is_another)

    def open(self, recorded: Recorded, prompt: str) -> None:
        """An answer to a prompt, from its beginning."""
        self._recorded = recorded
        self._prompt.set_text(printable(" ".join(prompt.split()), _LONGEST))
        self._text.show_trace(recorded.trace.rounds)
        self._round.open(recorded)
        self._rules.show_trace(recorded.trace, recorded.options)
        self._controls.show_trace(recorded.trace)
        self.player.show_trace(recorded.trace)

    def take_focus(self) -> None:
        """Goes to the play button."""
        self._controls.take_focus()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Puts the rules beside or below."""
        super().resizeEvent(event)
        beside = event.size().width() >= _BESIDE
        directions = QBoxLayout.Direction
        self._boxes.setDirection(directions.LeftToRight if beside else directions.TopToBottom)
        self._rules.setMinimumWidth(_RULES if beside else 0)
        self._rules.setMaximumWidth(_RULES if beside else 16_777_215)

    def _left(self) -> QBoxLayout:
        card = Card()
        self._prompt.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._caption.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        top = row(self._prompt, self._caption, spacing=16)
        top.setStretchFactor(self._prompt, 1)
        inside = column(top, self._text, spacing=6, margins=(16, 10, 16, 10))
        inside.setSizeConstraint(QLayout.SizeConstraint.SetMaximumSize)  # as high as the text can be
        card.setLayout(inside)
        whole = column(card, self._round, spacing=_GAP)
        whole.setStretchFactor(card, _ALL)
        whole.addStretch(1)
        return whole

    def _judge(self, _options: SpeculationOptions) -> None:
        self._show(self.player.moment)

    def _show(self, moment: Moment) -> None:
        if self._recorded is None or not self._recorded.trace.rounds:
            return
        look = self.look
        self._caption.setText(text_caption(self._recorded.options, another_rule=look.another_rule))
        self._text.show_until(moment.round + 1, with_last=moment.is_checked)
        self._round.show_look(look)
