"""Paints the rows of a repository's files."""

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem

from app.ui.files_table import Action, FileColumn, FileRole
from app.ui.row_delegate import PADDING, Index, RowDelegate
from app.ui.rows_view import RowsView
from app.ui.theme import Theme

_LINE, _NOTE = 18, 14  # pixels, the heights of a name and of the note under it
_BUTTON_HEIGHT, _BUTTON_PADDING = 28, 14
_TRACK_WIDTH, _TRACK_HEIGHT, _TRACK_GAP = 56, 4, 10
_EMPTY = 0.5  # opacity of a track


class FilesDelegate(RowDelegate):
    """The recommended row stands out, and its button is the one to press."""

    def __init__(self, theme: Theme, view: RowsView) -> None:
        super().__init__(theme, view, view)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paints a cell; the last one has the row's own button, or how far its download is."""
        if index.column() != FileColumn.ACTION:
            super().paint(painter, option, index)
            return
        painter.save()
        cell: QRect = option.rect
        self._paint_background(painter, cell, option.state, index)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if index.data(FileRole.ACTION) is Action.NONE:
            self._paint_progress(painter, cell, index)
        else:
            selected = bool(option.state & QStyle.StateFlag.State_Selected)
            self._paint_button(painter, cell, index, selected=selected)
        painter.restore()

    def is_marked(self, index: Index) -> bool:
        """Whether a row is the recommended one."""
        return bool(index.data(FileRole.IS_RECOMMENDED))

    def paint_cell(self, painter: QPainter, place: QRect, index: Index) -> None:
        """Paints one of the columns of text."""
        colours = self.theme.colours
        text = str(index.data())
        match index.column():
            case FileColumn.FILE:
                self._paint_file(painter, place, text, str(index.data(FileRole.NOTE)))
            case FileColumn.QUALITY:
                self.paint_text(painter, place, self._quality_text(index, place.width()), colours.muted)
            case FileColumn.MACHINE:
                self.paint_text(painter, place, text, getattr(colours, index.data(FileRole.TONE)))
            case _:
                self.paint_text(painter, place, text, colours.text)

    def button_place(self, cell: QRect, index: Index) -> QRect:
        """Where a row's button is; empty where it has none."""
        if index.data(FileRole.ACTION) is Action.NONE:
            return QRect()
        font = self.strong_font if self._is_primary(index) else self.font
        width = QFontMetrics(font).horizontalAdvance(str(index.data())) + 2 * _BUTTON_PADDING
        top = cell.top() + (cell.height() - 1 - _BUTTON_HEIGHT) // 2
        return QRect(cell.right() + 1 - PADDING - width, top, width, _BUTTON_HEIGHT)

    def button_width(self, text: str) -> int:
        """Pixels that a cell with this button needs."""
        return QFontMetrics(self.strong_font).horizontalAdvance(text) + 2 * (_BUTTON_PADDING + PADDING)

    def _quality_text(self, index: Index, width: int) -> str:
        """The word alone where there is no room to say that it is recommended: the row is seen to be."""
        text = str(index.data())
        fits = QFontMetrics(self.font).horizontalAdvance(text) <= width
        return text if fits else str(index.data(FileRole.WORD)) or text

    def _paint_background(
        self, painter: QPainter, cell: QRect, state: QStyle.StateFlag, index: Index
    ) -> None:
        """The view has painted selected rows already, in a colour that shines through a marked one's."""
        painter.fillRect(cell, self.theme.colours.panel)
        super()._paint_background(painter, cell, state, index)

    def _is_primary(self, index: Index) -> bool:
        return self.is_marked(index) and index.data(FileRole.ACTION) in (Action.DOWNLOAD, Action.GO_ON)

    def _paint_file(self, painter: QPainter, place: QRect, name: str, note: str) -> None:
        colours = self.theme.colours
        if not note:
            self.paint_text(painter, place, name, colours.text, strong=True)
            return
        top = place.top() + (place.height() - _LINE - _NOTE) // 2
        line = QRect(place.left(), top, place.width(), _LINE)
        self.paint_text(painter, line, name, colours.text, strong=True)
        painter.setFont(self.small_font)
        painter.setPen(colours.muted)
        below = QRect(place.left(), top + _LINE, place.width(), _NOTE)
        shown = QFontMetrics(self.small_font).elidedText(note, Qt.TextElideMode.ElideMiddle, below.width())
        painter.drawText(below, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)

    def _paint_button(self, painter: QPainter, cell: QRect, index: Index, *, selected: bool) -> None:
        colours = self.theme.colours
        primary = self._is_primary(index)
        hovered = bool(self.view.hovered_button(index.row()))
        pressed = bool(self.view.pressed_button(index.row()))
        if primary:
            painter.setPen(colours.text if hovered else Qt.GlobalColor.transparent)
            painter.setBrush(colours.accent)
        else:
            painter.setPen(colours.faint if hovered else colours.line)
            raised = colours.panel if selected and not self.is_marked(index) else colours.raised
            painter.setBrush(colours.line if pressed else raised)
        place = self.button_place(cell, index)
        painter.drawRoundedRect(QRectF(place).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8)
        painter.setFont(self.strong_font if primary else self.font)
        painter.setPen(colours.accent_text if primary else colours.text)
        painter.drawText(place, Qt.AlignmentFlag.AlignCenter, str(index.data()))

    def _paint_progress(self, painter: QPainter, cell: QRect, index: Index) -> None:
        """A short track with a figure on its left; of a row that waits, the word alone."""
        colours = self.theme.colours
        share: float | None = index.data(FileRole.SHARE)
        place = cell.adjusted(PADDING, 0, -PADDING, -1)
        if share is not None and str(index.data()).endswith("%"):
            track = QRectF(0, 0, _TRACK_WIDTH, _TRACK_HEIGHT)
            track.moveCenter(QRectF(place).center())
            track.moveRight(place.right() + 1)
            painter.setPen(Qt.PenStyle.NoPen)
            empty = QColor(colours.faint)  # it has to be seen on a marked row as well
            empty.setAlphaF(_EMPTY)
            painter.setBrush(empty)
            painter.drawRoundedRect(track, _TRACK_HEIGHT / 2, _TRACK_HEIGHT / 2)
            track.setWidth(max(_TRACK_HEIGHT, _TRACK_WIDTH * share))
            painter.setBrush(colours.accent)
            painter.drawRoundedRect(track, _TRACK_HEIGHT / 2, _TRACK_HEIGHT / 2)
            place.setRight(place.right() - _TRACK_WIDTH - _TRACK_GAP)
        painter.setFont(self.font)
        painter.setPen(colours.muted)
        painter.drawText(
            place, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, str(index.data())
        )
