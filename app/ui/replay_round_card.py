"""A round of a recorded answer: its tokens, what became of them and why, where its time went."""

from msgspec import Struct
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QWidget

from app.core.options import SpeculationOptions
from app.core.replay import bar_scale, ends_of, judged, passed_s
from app.core.trace import Trace, TracedRound
from app.ui.expect_words import span_text
from app.ui.form_parts import set_shown
from app.ui.replay_chips import ReplayChips, checked_chips, proposed_chips
from app.ui.replay_player import Moment
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

translate = QCoreApplication.translate

_TIME_WORDS = 416  # pixels
_MARGINS = (16, 12, 16, 12)


class Recorded(Struct, frozen=True):
    """An answer, with what it was generated with. `step_s` is what a plain step takes; None: not known."""

    trace: Trace
    options: SpeculationOptions
    step_s: float | None


class Look(Struct, frozen=True):
    """What is looked at: a moment, by a rule; `another_rule` than the answer was generated with."""

    moment: Moment
    rule: SpeculationOptions
    another_rule: bool


class ReplayRoundCard(Card):
    """One moment of one round. `controls` stand above it."""

    def __init__(self, theme: Theme, controls: QWidget | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._recorded: Recorded | None = None
        self._ends: tuple[float, ...] = ()  # of the rounds, in seconds
        self._scale = 1.0  # seconds that a bar is wide
        self._title = label(size="heading")
        self._title.setObjectName("replay_round_line")
        self._phase = label(size="small", tone="muted")
        self._phase.setObjectName("replay_phase_line")
        self._where = label(size="small", tone="muted")
        self._where.setObjectName("replay_where_line")
        self._chips = ReplayChips(theme)
        self._sentence = label(wrap=True)
        self._sentence.setObjectName("replay_sentence")
        self._sentence.setMinimumHeight(2 * self._sentence.fontMetrics().lineSpacing())
        self._sentence.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self._time, self._plain = Track(theme), Track(theme)
        self._time.setObjectName("replay_time_bar")
        self._plain.setObjectName("replay_plain_bar")
        self._time_words = label(size="small")
        self._time_words.setObjectName("replay_time_line")
        self._plain_words = label(size="small", tone="muted")
        self._plain_words.setObjectName("replay_plain_line")
        for words in (self._time_words, self._plain_words):
            words.setFixedWidth(_TIME_WORDS)
        whole = column(spacing=8, margins=_MARGINS)
        if controls is not None:
            whole.addWidget(controls)
        whole.addLayout(row(self._title, self._phase, None, self._where, spacing=10))
        whole.addWidget(self._chips)
        whole.addWidget(self._sentence)
        whole.addLayout(
            column(
                row(self._time_words, self._time, spacing=12),
                row(self._plain_words, self._plain, spacing=12),
                spacing=4,
            )
        )
        self.setLayout(whole)

    def open(self, recorded: Recorded) -> None:
        """Another answer. Nothing of it is shown yet."""
        self._recorded = recorded
        self._ends = ends_of(recorded.trace)
        self._scale = bar_scale(recorded.trace, recorded.step_s) or 1.0
        set_shown(self._plain, recorded.step_s is not None)
        set_shown(self._plain_words, recorded.step_s is not None)
        self._chips.make_room_for(recorded.trace.rounds)

    def show_look(self, look: Look) -> None:
        """A round as a rule judges it."""
        if self._recorded is None:
            return
        moment, rule = look.moment, look.rule
        rounds = self._recorded.trace.rounds
        round_ = rounds[moment.round]
        self._title.setText(
            self.tr("Round {number} of {count}").format(number=moment.round + 1, count=len(rounds))
        )
        if moment.is_checked:
            verdict = judged(round_, self._recorded.options, rule)
            self._chips.show_chips(checked_chips(round_, verdict, rule))
            self._sentence.setText(checked_sentence(round_, verdict, rule, moment.round == 0))
            self._phase.setText(self.tr("checked by the target in one pass") if round_.tested else "")
        else:
            self._chips.show_chips(proposed_chips(round_))
            self._sentence.setText(proposed_sentence(round_))
            self._phase.setText(self.tr("drafted"))
        self._show_times(moment, round_, look.another_rule)

    def _show_times(self, moment: Moment, round_: TracedRound, another_rule: bool) -> None:
        assert self._recorded is not None
        stats, step_s = round_.stats, self._recorded.step_s
        parts = [Segment(stats.draft_s / self._scale, "accent")]
        if moment.is_checked:
            check = (stats.verify_s + stats.sample_s) / self._scale
            parts.append(Segment(check, "chart_2" if round_.tested else "faint"))
        _show_bar(self._time, *parts)
        self._time_words.setText(
            time_sentence(round_, another_rule=another_rule)
            if moment.is_checked
            else drafting_sentence(round_)
        )
        if step_s is not None:
            is_told = moment.is_checked and moment.round > 0  # reading the prompt gave the first
            tokens = stats.emitted if is_told else 0
            _show_bar(self._plain, Segment(tokens * step_s / self._scale, "faint"))
            self._plain_words.setText(plain_sentence(tokens, step_s) if is_told else "")
        passed = passed_s(self._ends, round_, moment.round, is_checked=moment.is_checked)
        words = self.tr("{passed} of {whole} after the first token")
        self._where.setText(words.format(passed=span_text(passed), whole=span_text(self._ends[-1])))


def _show_bar(bar: Track, *parts: Segment) -> None:
    """A bar that is cut has a mark at its end, and says so."""
    is_cut = sum(part.share for part in parts) > 1.0
    bar.show_segments(*parts, mark=1.0 if is_cut else None)
    tip = translate("Replay", "This took longer than the bar is wide.")
    bar.setToolTip(tip if is_cut else "")
