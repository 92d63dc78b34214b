"""Paints the rows of the draft picker."""

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from app.ui.draft_candidates import Candidate
from app.ui.draft_list import DraftRole
from app.ui.draft_words import details_text, name_text, reason_text
from app.ui.outlook_words import OutlookTag
from app.ui.theme import Theme

ROW_HEIGHT = 48  # pixels
_LEFT, _RIGHT, _DOT = 34, 8, 14
_NAME_TOP, _DETAILS_TOP, _LINE = 5, 25, 18
_TAG_HEIGHT, _TAG_PADDING, _GAP = 18, 7, 8


class DraftDelegate(QStyledItemDelegate):
    """A round mark as of a choice, the name over its details, and tags on the right."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, _option: QStyleOptionViewItem, _index: QModelIndex | QPersistentModelIndex) -> QSize:
        """Every row is equally high."""
        return QSize(200, ROW_HEIGHT)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Paints one row."""
        candidate: Candidate = index.data(DraftRole.CANDIDATE)
        chosen: bool = index.data(DraftRole.IS_CHOSEN)
        colours = self._theme.colours
        area = QRectF(option.rect)
        state = option.state
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        hovered = bool(state & QStyle.StateFlag.State_MouseOver) and candidate.can_draft
        focused = bool(state & QStyle.StateFlag.State_HasFocus)
        paper = colours.accent_soft if chosen else colours.raised if hovered else Qt.GlobalColor.transparent
        painter.setPen(colours.accent if focused else Qt.GlobalColor.transparent)
        painter.setBrush(paper)
        painter.drawRoundedRect(area.adjusted(0.5, 0.5, -0.5, -0.5), 8, 8)
        self._paint_mark(painter, area, chosen, candidate.can_draft)
        name_end = self._paint_quantisation(painter, area, candidate)
        details_end = self._paint_outlook(painter, area, index.data(DraftRole.TAG))
        self._paint_text(painter, area, name_end, details_end, candidate)
        painter.restore()

    def _paint_mark(self, painter: QPainter, area: QRectF, chosen: bool, can_draft: bool) -> None:
        if not (chosen or can_draft):
            return
        colours = self._theme.colours
        middle = QPointF(area.left() + _LEFT / 2 + 1, area.center().y() + 0.5)
        painter.setPen(colours.accent if chosen and can_draft else colours.faint)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawEllipse(middle, _DOT / 2, _DOT / 2)
        if chosen:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colours.accent if can_draft else colours.faint)
            painter.drawEllipse(middle, _DOT / 2 - 3.5, _DOT / 2 - 3.5)

    def _paint_quantisation(self, painter: QPainter, area: QRectF, candidate: Candidate) -> float:
        """At the right of the name; gives how far the name may reach."""
        right = area.right() - _RIGHT
        if candidate.model is None:
            return right
        colours = self._theme.colours
        ink = colours.muted if candidate.can_draft else colours.faint
        place = QPointF(right, area.top() + _NAME_TOP)
        return self._paint_tag(painter, place, candidate.model.info.quantisation, ink, colours.raised) - _GAP

    def _paint_outlook(self, painter: QPainter, area: QRectF, tag: OutlookTag) -> float:
        """At the right of the details, where there is one; gives how far they may reach."""
        right = area.right() - _RIGHT
        if not tag.text:
            return right
        colours = self._theme.colours
        ink, paper = {
            "accent": (colours.accent, colours.accent_soft),
            "warning": (colours.warning, colours.warning_soft),
        }.get(tag.tone, (colours.muted, colours.raised))
        place = QPointF(right, area.top() + _DETAILS_TOP)
        return self._paint_tag(painter, place, tag.text, ink, paper) - _GAP

    def _paint_tag(self, painter: QPainter, end: QPointF, text: str, ink: QColor, paper: QColor) -> float:
        """Ends at a point, its right upper corner; gives where it begins."""
        font = self._theme.body_font(11)
        width = QFontMetricsF(font).horizontalAdvance(text) + 2 * _TAG_PADDING
        box = QRectF(end.x() - width, end.y(), width, _TAG_HEIGHT)
        painter.setPen(Qt.PenStyle.NoPen)
        for ground in (self._theme.colours.panel, paper):  # a chosen row would shine through soft colours
            painter.setBrush(ground)
            painter.drawRoundedRect(box, 6, 6)
        painter.setFont(font)
        painter.setPen(ink)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
        return box.left()

    def _paint_text(
        self, painter: QPainter, area: QRectF, name_end: float, details_end: float, candidate: Candidate
    ) -> None:
        colours = self._theme.colours
        left = area.left() + _LEFT
        name = QRectF(left, area.top() + _NAME_TOP, name_end - left, _LINE)
        faint = not (candidate.can_draft or candidate.is_open)
        ink = colours.faint if faint else colours.text
        self._paint_line(painter, name, name_text(candidate), ink, 13, strong=candidate.can_draft)
        below = QRectF(left, area.top() + _DETAILS_TOP, details_end - left, _LINE)
        second = self._second_line(candidate, below.width())
        self._paint_line(painter, below, second, colours.muted, 12, strong=False)

    def _second_line(self, candidate: Candidate, room: float) -> str:
        """The details, after the reason where there is one; that must be legible, and they may wait."""
        reason, details = reason_text(candidate), details_text(candidate)
        if not (reason and details):
            return reason or details
        both = f"{reason} · {details}"
        return both if QFontMetricsF(self._theme.body_font(12)).horizontalAdvance(both) <= room else reason

    def _paint_line(
        self, painter: QPainter, place: QRectF, text: str, ink: QColor, size: int, *, strong: bool
    ) -> None:
        font = self._theme.body_font(size, strong=strong)
        shown = QFontMetricsF(font).elidedText(text, Qt.TextElideMode.ElideRight, place.width())
        painter.setFont(font)
        painter.setPen(ink)
        painter.drawText(place, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)
