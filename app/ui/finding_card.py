"""What a suite or a sweep came to, in one look, and what can be done about it."""

from msgspec import Struct
from PySide6.QtCore import QRectF, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from app.ui.form_parts import set_shown, show_line
from app.ui.side import Side
from app.ui.theme import Theme
from app.ui.widgets import Tone, button, column, label, row, set_property

_FIGURE_FONT, _RADIUS = 28, 12  # pixels
_MARGINS = (16, 10, 16, 10)


class Offer(Struct, frozen=True):
    """A button: what it says, and the side that it puts in force for good."""

    text: str
    side: Side
    is_advised: bool


class Finding(Struct, frozen=True):
    """What is shown. `note` stands small under the headline, `more` under the sentence."""

    headline: str
    note: str
    sentence: str
    more: str = ""
    tone: Tone = "text"
    offers: tuple[Offer, ...] = ()  # two at most


class FindingCard(QWidget):
    """The object names begin with `name`."""

    remember_requested = Signal(object)  # Side

    def __init__(self, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._finding: Finding | None = None
        self.setObjectName(f"{name}_finding_card")
        self.setAccessibleName(self.tr("Result"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        self._headline = label()
        self._headline.setObjectName(f"{name}_headline")
        self._headline.setFont(theme.body_font(_FIGURE_FONT, strong=True))
        self._note = label(size="small", tone="muted")
        self._note.setObjectName(f"{name}_note")
        self._sentence = label(wrap=True)
        self._sentence.setObjectName(f"{name}_sentence")
        self._more = label(size="small", tone="muted", wrap=True)
        self._more.setObjectName(f"{name}_more")
        self._first = button("", f"{name}_first_button")
        self._second = button("", f"{name}_second_button")
        self._first.clicked.connect(self._remember_first)
        self._second.clicked.connect(self._remember_second)
        whole = row(column(None, self._headline, self._note, None, spacing=0), spacing=20, margins=_MARGINS)
        whole.addLayout(column(None, self._sentence, self._more, None, spacing=2), 1)
        whole.addLayout(row(self._first, self._second))
        self.setLayout(whole)
        theme.changed.connect(self.update)

    @property
    def finding(self) -> Finding | None:
        """What is shown."""
        return self._finding

    def show_finding(self, finding: Finding) -> None:
        """Shows another one. The same is not shown again, so that what was remembered stays said."""
        if finding == self._finding:
            return
        self._finding = finding
        self._headline.setText(finding.headline)
        set_property(self._headline, "tone", finding.tone)
        show_line(self._note, finding.note)
        self._sentence.setText(finding.sentence)
        show_line(self._more, finding.more)
        self.setAccessibleDescription(
            " ".join(filter(None, (finding.headline, finding.sentence, finding.more)))
        )
        for number, each in enumerate((self._first, self._second)):
            offer = finding.offers[number] if number < len(finding.offers) else None
            set_shown(each, offer is not None)
            if offer is not None:
                each.setText(offer.text)
                each.setAccessibleName(offer.text)
                each.setEnabled(True)
                set_property(each, "kind", "primary" if offer.is_advised else "plain")
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

    def _remember_first(self) -> None:
        self._remember(0, self._first, self._second)

    def _remember_second(self) -> None:
        self._remember(1, self._second, self._first)

    def _remember(self, number: int, pressed: QPushButton, other: QPushButton) -> None:
        if self._finding is None:
            return
        self.remember_requested.emit(self._finding.offers[number].side)
        pressed.setText(self.tr("Remembered"))
        pressed.setEnabled(False)
        other.setEnabled(True)
        for each in (pressed, other):
            set_property(each, "kind", "plain")
