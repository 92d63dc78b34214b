"""A recorded answer, round by round: its text so far, the round's tokens, where its time went."""

from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QWidget

from app.core.options import SpeculationOptions
from app.core.replay import judged, time_of
from app.core.trace import Trace
from app.ui.form_parts import set_shown
from app.ui.icons import Icons
from app.ui.replay_chips import ReplayChips, checked_chips, proposed_chips
from app.ui.replay_controls import ReplayControls
from app.ui.replay_player import Moment, ReplayPlayer
from app.ui.replay_rules import ReplayRules
from app.ui.replay_text import ReplayText
from app.ui.replay_words import (
    checked_sentence,
    drafting_sentence,
    plain_sentence,
    proposed_sentence,
    time_sentence,
)
from app.ui.theme import Theme
from app.ui.track import Segment, Track
from app.ui.widgets import Card, column, label, row

_RULES, _BESIDE = 328, 900  # pixels
_TEXT_HEIGHT = 96
_TIME_WORDS = 352


class ReplayView(QWidget):
    """The rules stand beside it, or below where there is little room."""

    def __init__(self, theme: Theme, icons: Icons, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("replay_view")
        self._trace: Trace | None = None
        self._recorded = SpeculationOptions()
        self._step_s: float | None = None
        self._longest_s = 0.0
        self.player = ReplayPlayer(self)
        self._text = ReplayText(theme)
        self._text.setMinimumHeight(_TEXT_HEIGHT)
        self._title = label(size="heading")
        self._title.setObjectName("replay_round_line")
        self._phase = label(size="small", tone="muted")
        self._phase.setObjectName("replay_phase_line")
        self._chips = ReplayChips(theme)
        self._sentence = label(wrap=True)
        self._sentence.setObjectName("replay_sentence")
        self._sentence.setMinimumHeight(2 * self._sentence.fontMetrics().lineSpacing())
        self._sentence.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self._time, self._plain = Track(theme), Track(theme)
        self._time_words = label(size="small")
        self._time_words.setObjectName("replay_time_line")
        self._plain_words = label(size="small", tone="muted")
        self._plain_words.setObjectName("replay_plain_line")
        self._controls = ReplayControls(theme, icons, self.player)
        self._rules = ReplayRules(theme)
        self._boxes = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._boxes.setContentsMargins(0, 0, 0, 0)
        self._boxes.setSpacing(16)
        self._boxes.addLayout(self._left(), 1)
        self._boxes.addWidget(self._rules)
        self.setLayout(self._boxes)
        self.player.moved.connect(self._show)
        self._rules.rule_chosen.connect(self._judge)

    def show_trace(
        self, trace: Trace, recorded: SpeculationOptions, step_s: float | None, round_: int = 0
    ) -> None:
        """An answer, generated with `recorded`. `step_s` is what a plain step takes; None: not known."""
        self._trace, self._recorded, self._step_s = trace, recorded, step_s
        plain = 0.0 if step_s is None else step_s
        self._longest_s = max(
            (max(time_of(each).total_s, each.stats.emitted * plain) for each in trace.rounds[1:]), default=0.0
        )
        set_shown(self._plain, step_s is not None)
        set_shown(self._plain_words, step_s is not None)
        self._text.show_trace(trace.rounds)
        self._chips.make_room_for(trace.rounds)
        self._rules.show_trace(trace, recorded)
        self.player.show_trace(trace, round_)
        self._controls.show_trace(trace)

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
        text_card, round_card = Card(), Card()
        caption = label(self.tr("The answer so far · underlined: from the draft"), size="small", tone="muted")
        text = column(caption, self._text, spacing=6, margins=(16, 12, 16, 12))
        text.setStretchFactor(self._text, 1)
        text_card.setLayout(text)
        for words in (self._time_words, self._plain_words):
            words.setFixedWidth(_TIME_WORDS)
        times = column(
            row(self._time_words, self._time, spacing=12),
            row(self._plain_words, self._plain, spacing=12),
            spacing=4,
        )
        round_card.setLayout(
            column(
                row(self._title, self._phase, None, spacing=10),
                self._chips,
                self._sentence,
                times,
                4,
                self._controls,
                spacing=8,
                margins=(16, 14, 16, 14),
            )
        )
        left = column(text_card, round_card, spacing=16)
        left.setStretchFactor(text_card, 1)
        return left

    def _judge(self, _options: SpeculationOptions) -> None:
        self._show(self.player.moment)

    def _show(self, moment: Moment) -> None:
        trace = self._trace
        if trace is None or not trace.rounds:
            return
        round_, rule = trace.rounds[moment.round], self._rules.options
        rule = replace(rule, mode=self._recorded.mode)
        self._text.show_until(moment.round + 1, with_last=moment.is_checked)
        self._title.setText(
            self.tr("Round {number} of {count}").format(number=moment.round + 1, count=len(trace.rounds))
        )
        if moment.is_checked:
            verdict = judged(round_, self._recorded, rule)
            self._chips.show_chips(checked_chips(round_, verdict, rule))
            self._sentence.setText(checked_sentence(round_, verdict, rule, moment.round == 0))
            self._phase.setText(self.tr("checked by the target in one pass") if round_.proposed else "")
        else:
            self._chips.show_chips(proposed_chips(round_))
            self._sentence.setText(proposed_sentence(round_))
            self._phase.setText(self.tr("drafted"))
        self._show_times(moment)

    def _show_times(self, moment: Moment) -> None:
        assert self._trace is not None
        round_ = self._trace.rounds[moment.round]
        time, scale = time_of(round_), self._longest_s or 1.0
        segments = [Segment(time.draft_s / scale, "accent")]
        if moment.is_checked:
            segments.append(Segment((time.check_s + time.sample_s) / scale, "chart_2"))
        self._time.show_segments(*segments)
        self._time_words.setText(time_sentence(round_) if moment.is_checked else drafting_sentence(round_))
        if self._step_s is not None:
            is_told = moment.is_checked and moment.round > 0  # reading the prompt gave the first
            tokens = round_.stats.emitted if is_told else 0
            self._plain.show_segments(Segment(tokens * self._step_s / scale, "faint"))
            self._plain_words.setText(plain_sentence(tokens, self._step_s) if is_told else "")
