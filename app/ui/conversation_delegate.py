"""Paints the rows of the conversation list, and edits titles."""

from PySide6.QtCore import (
    QAbstractItemModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
)
from PySide6.QtGui import QFontMetricsF, QPainter
from PySide6.QtWidgets import QLineEdit, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from app.ui.conversation_model import ConversationRole
from app.ui.icons import Icons
from app.ui.theme import Theme

ROW_HEIGHT = 36  # pixels, of headings as well: rows of one height are laid out without a look at each
MORE_WIDTH = 32  # at the end of a row, where its menu opens
_PADDING, _RADIUS, _ICON, _HEADING_DROP = 12, 8, 16, 8
_DOT, _DOT_GAP = 6, 10  # the dot of an answer being given, and what lies between it and the title
_LONGEST_TITLE = 200  # characters that can be typed


class ConversationDelegate(QStyledItemDelegate):
    """The row that is on the page is raised; the one under the pointer offers its menu.

    A dot stands where an answer is being given.
    """

    def __init__(self, theme: Theme, icons: Icons, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._icons = icons

    def sizeHint(self, _option: QStyleOptionViewItem, _index: QModelIndex | QPersistentModelIndex) -> QSize:
        """The same for all."""
        return QSize(100, ROW_HEIGHT)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Paints a heading or a conversation."""
        area: QRect = option.rect
        state: QStyle.StateFlag = option.state
        text: str = index.data()
        colours = self._theme.colours
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        place = QRectF(area).adjusted(_PADDING, 0, -_PADDING, 0)
        if index.data(ConversationRole.ID) is None:
            painter.setPen(colours.faint)
            place.setTop(place.top() + _HEADING_DROP)
            self._paint_text(painter, place, text, 12)
        else:
            hovered = bool(state & QStyle.StateFlag.State_MouseOver)
            shown: bool = index.data(ConversationRole.IS_SHOWN)
            focused = bool(state & QStyle.StateFlag.State_HasFocus)
            painter.setPen(colours.accent if focused else Qt.GlobalColor.transparent)
            paper = colours.raised if shown or hovered else Qt.GlobalColor.transparent
            painter.setBrush(paper)
            painter.drawRoundedRect(QRectF(area).adjusted(0.5, 0.5, -0.5, -0.5), _RADIUS, _RADIUS)
            if hovered:
                self._paint_more(painter, area)
                place.setRight(area.right() - MORE_WIDTH)
            if index.data(ConversationRole.IS_ANSWERING):
                self._paint_dot(painter, place)
                place.setRight(place.right() - _DOT - _DOT_GAP)
            painter.setPen(colours.text)
            self._paint_text(painter, place, text, 13)
        painter.restore()

    def createEditor(
        self, parent: QWidget, _option: QStyleOptionViewItem, _index: QModelIndex | QPersistentModelIndex
    ) -> QWidget:
        """A field for the title."""
        editor = QLineEdit(parent)
        editor.setObjectName("conversation_title_field")
        editor.setAccessibleName(self.tr("Title"))
        editor.setProperty("small", True)
        editor.setMaxLength(_LONGEST_TITLE)
        return editor

    def updateEditorGeometry(
        self, editor: QWidget, option: QStyleOptionViewItem, _index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """As wide as the row."""
        area: QRect = option.rect
        editor.setGeometry(area.adjusted(2, 4, -2, -4))

    def setModelData(
        self, editor: QWidget, model: QAbstractItemModel, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Renames; an emptied field leaves the title as it was."""
        assert isinstance(editor, QLineEdit)
        model.setData(index, editor.text(), Qt.ItemDataRole.EditRole)

    def _paint_text(self, painter: QPainter, place: QRectF, text: str, size: int) -> None:
        font = self._theme.body_font(size)
        shown = QFontMetricsF(font).elidedText(text, Qt.TextElideMode.ElideRight, place.width())
        painter.setFont(font)
        flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(place, int(flags) | int(Qt.TextFlag.TextSingleLine), shown)

    def _paint_dot(self, painter: QPainter, place: QRectF) -> None:
        """At the end of the room that the title has."""
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.colours.accent)
        painter.drawEllipse(QPointF(place.right() - _DOT / 2, place.center().y()), _DOT / 2, _DOT / 2)

    def _paint_more(self, painter: QPainter, area: QRect) -> None:
        device = painter.device()
        ratio = device.devicePixelRatio() if device is not None else 1.0
        picture = self._icons.pixmap("more", "muted", _ICON, ratio)
        left = area.right() - MORE_WIDTH + (MORE_WIDTH - _ICON) // 2
        painter.drawPixmap(left, area.center().y() - _ICON // 2 + 1, picture)
