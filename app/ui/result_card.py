"""What a comparison came to, in one look, and what can be done about it."""

import html

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QLabel, QPushButton, QSizePolicy, QWidget

from app.core.verdict import Advice, Verdict, VerdictKind
from app.ui.colours import css
from app.ui.form_parts import set_shown, show_line
from app.ui.side import Side
from app.ui.theme import Theme
from app.ui.verdict_words import (
    Emphasis,
    advice_text,
    headline,
    interval_text,
    sentence,
    sentence_parts,
    whole_sentence,
)
from app.ui.widgets import Tone, button, column, label, row, set_property

_FIGURE_FONT = 28  # pixels
_RADIUS = 12
_MARGINS = (16, 10, 16, 10)


class ResultCard(QWidget):
    """The factor, how sure it is, the figures, and buttons that put one of the sides in force for good."""

    remember_requested = Signal(object)  # Side

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._verdict: Verdict | None = None
        self._sides: tuple[Side, Side] | None = None
        self._model = ""
        self._drafts_now = False
        self.setObjectName("result_card")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        self._headline = label()
        self._headline.setObjectName("result_headline")
        self._headline.setFont(theme.body_font(_FIGURE_FONT, strong=True))
        self._interval = label(size="small", tone="muted")
        self._interval.setObjectName("result_interval")
        self._sentence = QLabel()
        self._sentence.setObjectName("result_sentence")
        self._sentence.setTextFormat(Qt.TextFormat.RichText)  # all of it is ours
        self._sentence.setWordWrap(True)
        self._advice = label(size="small", tone="muted", wrap=True)
        self._advice.setObjectName("result_advice")
        self._first = button("", "result_first_button")
        self._second = button("", "result_second_button")
        self._first.clicked.connect(self._remember_first)
        self._second.clicked.connect(self._remember_second)
        words = column(None, self._sentence, self._advice, None, spacing=2)
        whole = row(
            column(None, self._headline, self._interval, None, spacing=0), spacing=20, margins=_MARGINS
        )
        whole.addLayout(words, 1)
        whole.addWidget(self._first)
        whole.addWidget(self._second)
        self.setLayout(whole)
        theme.changed.connect(self._take_theme)

    @property
    def headline(self) -> str:
        """The result in a few words."""
        return self._headline.text()

    @property
    def sentence(self) -> str:
        """The figures."""
        return sentence(self._verdict) if self._verdict is not None else ""

    def show_verdict(
        self, verdict: Verdict, sides: tuple[Side, Side] | None, model: str, *, drafts_now: bool
    ) -> None:
        """Shows what came of it.

        `sides` are left and right, or None where nothing can be put in force; `model` is whose settings they
        are, and `drafts_now` whether it drafts as things are.
        """
        self._verdict, self._sides, self._model = verdict, sides, model
        self._headline.setText(headline(verdict))
        self._interval.setText(interval_text(verdict))
        set_property(self._headline, "tone", _tone(verdict))
        show_line(self._advice, advice_text(verdict))
        self._write_sentence()
        self.setToolTip("")
        self._headline.setToolTip(html.escape(whole_sentence(verdict)))
        self.setAccessibleName(self.tr("Result"))
        self.setAccessibleDescription(whole_sentence(verdict))
        self._drafts_now = drafts_now
        self._offer(verdict)
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The card, framed in the colour of the result."""
        colours = self._theme.colours
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        role = {"accent": "accent", "warning": "warning"}.get(
            _tone(self._verdict) if self._verdict is not None else "", "line"
        )
        painter.setPen(QPen(getattr(colours, role), 1))
        painter.setBrush(colours.panel)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), _RADIUS, _RADIUS)
        painter.end()

    def _offer(self, verdict: Verdict) -> None:
        """Two buttons; the one that the figures speak for is the primary one and stands at the end."""
        offered = self._sides is not None and (verdict.judged.drafts or verdict.other.drafts)
        set_shown(self._first, offered)
        set_shown(self._second, offered)
        if not offered:
            return
        if verdict.is_against_plain:
            words = (
                (self.tr("Turn off"), self.tr("Keep it on"))
                if self._drafts_now
                else (self.tr("Keep it off"), self.tr("Turn it on"))
            )
            advised = {Advice.TURN_OFF: self._first, Advice.KEEP_ON: self._second}
        else:
            words = (self.tr("Use left"), self.tr("Use right"))
            advised = {Advice.USE_LEFT: self._first, Advice.USE_RIGHT: self._second}
        primary = advised.get(verdict.advice) if verdict.is_faithful else None
        for each, text in zip((self._first, self._second), words, strict=True):
            each.setText(text)
            each.setAccessibleName(text)
            each.setEnabled(True)
            set_property(each, "kind", "primary" if each is primary else "plain")

    def _remember_first(self) -> None:
        """The plain side, or the left one."""
        self._remember(0 if self._left_is_first() else 1, self._first)

    def _remember_second(self) -> None:
        self._remember(1 if self._left_is_first() else 0, self._second)

    def _left_is_first(self) -> bool:
        verdict = self._verdict
        return verdict is None or not verdict.is_against_plain or verdict.judged_is_right

    def _remember(self, number: int, pressed: QPushButton) -> None:
        if self._sides is None or self._verdict is None:
            return
        self._offer(self._verdict)
        self.remember_requested.emit(self._sides[number])
        said = self.tr("Remembered for {model}").format(model=self._model)
        show_line(self._advice, said)
        self._advice.setAccessibleName(said)
        for each in (self._first, self._second):
            set_property(each, "kind", "plain")
        pressed.setText(self.tr("Remembered"))
        pressed.setEnabled(False)

    def _write_sentence(self) -> None:
        if self._verdict is None:
            return
        looks = {
            Emphasis.NONE: "",
            Emphasis.STRONG: "font-weight:600",
            Emphasis.WARNING: f"color:{css(self._theme.colours.warning)}",
        }
        self._sentence.setText(
            "".join(
                f'<span style="{looks[part.emphasis]}">{html.escape(part.text)}</span>'
                for part in sentence_parts(self._verdict)
            )
        )
        self._sentence.setAccessibleName(sentence(self._verdict))

    def _take_theme(self) -> None:
        self._write_sentence()
        self.update()


def _tone(verdict: Verdict) -> Tone:
    if verdict.kind in (VerdictKind.NOISE, VerdictKind.NO_RATE):
        return "text"
    if not verdict.is_against_plain:
        return "accent" if verdict.advice is Advice.USE_RIGHT and verdict.is_faithful else "text"
    match verdict.advice:
        case Advice.KEEP_ON:
            return "accent" if verdict.is_faithful else "warning"
        case Advice.TURN_OFF if verdict.kind is VerdictKind.SLOWER or (verdict.factor or 1.0) < 1.0:
            return "warning"
    return "text"
