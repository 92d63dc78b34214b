"""One token of a round, painted: what it is, what both models think of it, what became of it."""

from enum import StrEnum

from msgspec import Struct
from PySide6.QtCore import QCoreApplication, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen

from app.ui.replay_reasons import fine_share_text
from app.ui.theme import Theme
from app.ui.token_text import token_text

translate = QCoreApplication.translate

HEIGHT = 104  # pixels
_NARROWEST, _WIDEST, _PADDING = 112, 176, 10
_TOKEN, _ROW, _BAR, _STATUS = 26, 25, 4, 18
_RADIUS = 7


class ChipKind(StrEnum):
    """What a token is, or became."""

    PROPOSED = "proposed"
    KEPT = "kept"
    REPLACED = "replaced"
    DROPPED = "dropped"
    BEYOND = "beyond"
    OWN = "own"  # the target's
    UNKNOWN = "unknown"  # the target's, which is not known
    END = "end"  # of the answer


class Chip(Struct, frozen=True):
    """What is painted. A probability that is None has no line; `words` stand below.

    `names_terms`: the probabilities are the p and q of a rule's formula.
    """

    kind: ChipKind
    text: str
    draft: float | None
    target: float | None
    words: str
    tip: str
    names_terms: bool = False


class ChipPainter:
    """Measures and paints chips in a theme's colours."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self._token_font = theme.mono_font(13)
        self._small_font = theme.body_font(11)
        self._metrics = QFontMetrics(self._token_font)
        self._widths: dict[str, int] = {}

    def width(self, text: str) -> int:
        """Of a chip with this token, in pixels."""
        width = self._widths.get(text)
        if width is None:
            wide = self._metrics.horizontalAdvance(token_text(text)) + 2 * _PADDING
            width = self._widths[text] = min(max(wide, _NARROWEST), _WIDEST)
        return width

    def paint(self, painter: QPainter, left: float, top: float, width: float, chip: Chip) -> None:
        """Paints one with its left upper corner there."""
        self._box(painter, QRectF(left + 0.5, top + 0.5, width - 1, HEIGHT - _STATUS - 1), chip.kind)
        bare = chip.draft is None and chip.target is None
        high = HEIGHT - _STATUS - 8 if bare else _TOKEN
        self._token(painter, QRectF(left + _PADDING, top + 4, width - 2 * _PADDING, high), chip)
        inside = width - 2 * _PADDING
        row = top + 4 + _TOKEN
        colours = self._theme.colours
        draft, target = translate("Replay", "draft"), translate("Replay", "target")
        if chip.names_terms:
            draft, target = translate("Replay", "draft q"), translate("Replay", "target p")
        for name, share, colour in (
            (draft, chip.draft, colours.accent),
            (target, chip.target, colours.chart_2),
        ):
            if share is not None:
                self._share(painter, QRectF(left + _PADDING, row, inside, _ROW), name, share, colour)
            row += _ROW
        painter.setFont(self._small_font)
        painter.setPen(self._ink(chip.kind))
        below = QRectF(left, top + HEIGHT - _STATUS, width, _STATUS)
        painter.drawText(below, Qt.AlignmentFlag.AlignCenter, chip.words)

    def _box(self, painter: QPainter, box: QRectF, kind: ChipKind) -> None:
        colours = self._theme.colours
        dashed = kind in (ChipKind.DROPPED, ChipKind.BEYOND, ChipKind.UNKNOWN, ChipKind.END)
        line = {ChipKind.KEPT: colours.accent, ChipKind.OWN: colours.chart_2}.get(kind, colours.line)
        painter.setPen(QPen(line, 1, Qt.PenStyle.DashLine if dashed else Qt.PenStyle.SolidLine))
        fill = colours.accent_soft if kind is ChipKind.KEPT else colours.raised
        painter.setBrush(Qt.BrushStyle.NoBrush if dashed else fill)
        painter.drawRoundedRect(box, _RADIUS, _RADIUS)

    def _token(self, painter: QPainter, area: QRectF, chip: Chip) -> None:
        """The token: underlined where kept, struck out where not."""
        colours = self._theme.colours
        font = QFont(self._token_font)
        font.setStrikeOut(chip.kind is ChipKind.REPLACED)
        painter.setFont(font)
        faded = chip.kind in (ChipKind.REPLACED, ChipKind.DROPPED, ChipKind.BEYOND, ChipKind.UNKNOWN)
        painter.setPen(colours.muted if faded else colours.text)
        metrics = QFontMetrics(font)
        sign = token_text(chip.text) if chip.kind not in (ChipKind.UNKNOWN, ChipKind.END) else chip.text
        shown = metrics.elidedText(sign, Qt.TextElideMode.ElideRight, int(area.width()))
        painter.drawText(area, Qt.AlignmentFlag.AlignCenter, shown)
        if chip.kind is ChipKind.KEPT:
            wide = metrics.horizontalAdvance(shown)
            line = area.center().y() + _TOKEN / 2 - 3
            painter.fillRect(QRectF(area.center().x() - wide / 2, line, wide, 2), colours.accent)

    def _share(self, painter: QPainter, area: QRectF, name: str, share: float, colour: QColor) -> None:
        colours = self._theme.colours
        painter.setFont(self._small_font)
        painter.setPen(colours.muted)
        words = QRectF(area.left(), area.top(), area.width(), area.height() - _BAR - 4)
        painter.drawText(words, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, name)
        painter.setPen(colours.text)
        painter.drawText(
            words, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, fine_share_text(share)
        )
        painter.setPen(Qt.PenStyle.NoPen)
        bar = QRectF(area.left(), area.bottom() - _BAR - 2, area.width(), _BAR)
        painter.setBrush(colours.line)
        painter.drawRoundedRect(bar, _BAR / 2, _BAR / 2)
        if share > 0.0:
            painter.setBrush(colour)
            bar.setWidth(max(share * area.width(), _BAR))
            painter.drawRoundedRect(bar, _BAR / 2, _BAR / 2)

    def _ink(self, kind: ChipKind) -> QColor:
        colours = self._theme.colours
        if kind is ChipKind.KEPT:
            return colours.accent
        return colours.chart_2 if kind is ChipKind.OWN else colours.muted
