"""What a comparison came to, in one look, and what can be done about it."""

import html

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from app.ui.colours import css
from app.ui.finding import Finding
from app.ui.form_parts import set_shown, show_line
from app.ui.plain_tip import plain_tip
from app.ui.sentence_parts import Emphasis, plain
from app.ui.theme import Theme
from app.ui.widgets import button, column, label, row, set_property

_FIGURE_FONT, _RADIUS = 28, 12  # pixels
_MARGINS = (16, 10, 16, 10)


class FindingCard(QWidget):
    """The factor, how sure it is, the figures, and buttons that put one of the sides in force for good.

    The object names begin with `name`.
    """

    remember_requested = Signal(object)  # Side

    def __init__(self, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._finding: Finding | None = None
        self._remembered: QPushButton | None = None  # pressed, and done
        self.setObjectName(f"{name}_card")
        self.setAccessibleName(self.tr("Result"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        self._headline = label()
        self._headline.setObjectName(f"{name}_headline")
        self._headline.setFont(theme.body_font(_FIGURE_FONT, strong=True))
        self._note = label(size="small", tone="muted")
        self._note.setObjectName(f"{name}_interval")
        self._sentence = label(wrap=True)
        self._sentence.setObjectName(f"{name}_sentence")
        self._sentence.setTextFormat(Qt.TextFormat.RichText)  # all markup in it is ours
        self._advice = label(size="small", tone="muted", wrap=True)
        self._advice.setObjectName(f"{name}_advice")
        self._first = button("", f"{name}_first_button")
        self._second = button("", f"{name}_second_button")
        self._first.clicked.connect(self._remember_first)
        self._second.clicked.connect(self._remember_second)
        whole = row(column(None, self._headline, self._note, None, spacing=0), spacing=20, margins=_MARGINS)
        whole.addLayout(column(None, self._sentence, self._advice, None, spacing=2), 1)
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
        return plain(self._finding.sentence) if self._finding is not None else ""

    def show_finding(self, finding: Finding) -> None:
        """Shows what came of it. What was remembered is no longer said: something may have changed since."""
        self._finding = finding
        self._headline.setText(finding.headline)
        self._headline.setToolTip(plain_tip(finding.whole))
        set_property(self._headline, "tone", finding.tone)
        show_line(self._note, finding.note)
        show_line(self._advice, finding.advice)
        self._advice.setAccessibleName(finding.advice)
        self._write_sentence()
        self.setAccessibleDescription(finding.all_words)
        self._show_offers(finding)
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The card, framed in the colour of the result."""
        colours = self._theme.colours
        tone = self._finding.tone if self._finding is not None else "text"
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        frame = {"accent": colours.accent, "warning": colours.warning}.get(tone, colours.line)
        painter.setPen(QPen(frame, 1))
        painter.setBrush(colours.panel)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), _RADIUS, _RADIUS)
        painter.end()

    def _show_offers(self, finding: Finding) -> None:
        """The one that the figures speak for is the primary one."""
        self._remembered = None
        for number, each in enumerate((self._first, self._second)):
            offer = finding.offers[number] if number < len(finding.offers) else None
            set_shown(each, offer is not None)
            if offer is not None:
                each.setText(offer.text)
                each.setAccessibleName(offer.text)
                set_property(each, "kind", "primary" if offer.is_advised else "plain")

    def _remember_first(self) -> None:
        self._remember(0, self._first)

    def _remember_second(self) -> None:
        self._remember(1, self._second)

    def _remember(self, number: int, pressed: QPushButton) -> None:
        """What is asked for may change what is offered, and be shown again on the way: it comes first.

        The button stays where the focus is, and does nothing more: were it disabled, the next press of the
        space bar would be the other one's.
        """
        if self._finding is None or pressed is self._remembered:
            return
        self.remember_requested.emit(self._finding.offers[number].side)
        self._show_offers(self._finding)
        said = self.tr("Remembered for {model}").format(model=self._finding.model)
        show_line(self._advice, said)
        self._advice.setAccessibleName(said)
        for each in (self._first, self._second):
            set_property(each, "kind", "plain")
        pressed.setText(self.tr("Remembered"))
        pressed.setAccessibleName(self.tr("Remembered"))
        self._remembered = pressed

    def _write_sentence(self) -> None:
        if self._finding is None:
            return
        looks = {
            Emphasis.NONE: "",
            Emphasis.STRONG: "font-weight:600",
            Emphasis.WARNING: f"color:{css(self._theme.colours.warning)}",
        }
        self._sentence.setText(
            "".join(
                f'<span style="{looks[part.emphasis]}">{html.escape(part.text)}</span>'
                for part in self._finding.sentence
            )
        )
        self._sentence.setAccessibleName(self.sentence)

    def _take_theme(self) -> None:
        self._write_sentence()
        self.update()
