"""An acceptance rule to be chosen, with how much of an answer's drafts it keeps."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from app.core.options import AcceptanceRule
from app.core.replay import RuleTotal
from app.ui.option_words import rule_text
from app.ui.replay_words import total_text
from app.ui.theme import Theme

_HEIGHT, _LINE, _BAR, _PADDING, _GAP = 46, 22, 5, 10, 8  # pixels
_FONT, _SMALL, _RADIUS = 13, 11, 8


class ReplayRuleRow(QAbstractButton):
    """Name and figure over a bar; checked while it is the choice."""

    def __init__(self, rule: AcceptanceRule, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._rule = rule
        self._total = RuleTotal(0, 0)
        self._note = ""
        self.setObjectName(f"replay_rule_{rule.value}")
        self.setText(rule_text(rule))
        self.setCheckable(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    @property
    def rule(self) -> AcceptanceRule:
        """Which one."""
        return self._rule

    @property
    def note(self) -> str:
        """What stands beside the name."""
        return self._note

    def show_total(self, total: RuleTotal, *, as_it_ran: bool) -> None:
        """How much it keeps, and whether the answer was generated with it."""
        self._total = total
        if as_it_ran:
            self._note = self.tr("as it ran")
        else:
            self._note = self.tr("changes the output") if self._rule.changes_output else ""
        keeps = self.tr("keeps {accepted} of {tested}")
        told = [self.text(), self._note, keeps.format(accepted=total.accepted, tested=total.tested)]
        self.setAccessibleName(", ".join(part for part in told if part))
        self.update()

    def sizeHint(self) -> QSize:
        """Any width will do."""
        return QSize(260, _HEIGHT)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paints box, words and bar."""
        colours = self._theme.colours
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.setPen(colours.accent if self.hasFocus() else Qt.GlobalColor.transparent)
        hovered = colours.raised if self.underMouse() else Qt.GlobalColor.transparent
        painter.setBrush(colours.accent_soft if self.isChecked() else hovered)
        painter.drawRoundedRect(box, _RADIUS, _RADIUS)
        line = QRectF(_PADDING, 5, self.width() - 2 * _PADDING, _LINE)
        self._write(painter, line)
        painter.setPen(Qt.PenStyle.NoPen)
        bar = QRectF(line.left(), line.bottom() + 5, line.width(), _BAR)
        painter.setBrush(colours.line)
        painter.drawRoundedRect(bar, _BAR / 2, _BAR / 2)
        rate = self._total.rate
        if rate:
            painter.setBrush(colours.accent)
            bar.setWidth(max(rate * bar.width(), _BAR))
            painter.drawRoundedRect(bar, _BAR / 2, _BAR / 2)
        painter.end()

    def _write(self, painter: QPainter, line: QRectF) -> None:
        colours = self._theme.colours
        middle = Qt.AlignmentFlag.AlignVCenter
        name_font = self._theme.body_font(_FONT, strong=self.isChecked())
        painter.setFont(name_font)
        painter.setPen(colours.text)
        painter.drawText(line, Qt.AlignmentFlag.AlignLeft | middle, self.text())
        painter.drawText(line, Qt.AlignmentFlag.AlignRight | middle, total_text(self._total))
        left = QFontMetrics(name_font).horizontalAdvance(self.text()) + _GAP
        painter.setFont(self._theme.body_font(_SMALL))
        is_warning = self._rule.changes_output
        painter.setPen(colours.warning if is_warning else colours.muted)
        painter.drawText(line.adjusted(left, 1, 0, 1), Qt.AlignmentFlag.AlignLeft | middle, self._note)
