"""Paints the rows of the quick choice of a model."""

from enum import IntEnum, auto

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QApplication, QStyle, QStyledItemDelegate, QStyleOptionViewItem

Index = QModelIndex | QPersistentModelIndex

ROW_HEIGHT = 36  # pixels
_PADDING, _GAP = 8, 12
_SMALL = 12  # pixels, the height of the details' font
_MUTED = 0.65  # of the text's opacity


class PickerRole(IntEnum):
    """What rows tell besides the model's name."""

    NUMBER = Qt.ItemDataRole.UserRole  # in the list of models
    DETAILS = auto()  # number format and size
    LOADED = auto()  # a word, or nothing
    HAYSTACK = auto()  # what filters look in


class PickerDelegate(QStyledItemDelegate):
    """The name on the left, cut where it does not fit; the details on the right, always whole.

    All colours are those of the palette, which the theme makes.
    """

    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:
        """As narrow as one likes, so that nothing has to be scrolled sideways."""
        return QSize(0, ROW_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paints one row."""
        whole = QStyleOptionViewItem(option)
        self.initStyleOption(whole, index)
        whole.text = ""
        style = whole.widget.style() if whole.widget is not None else QApplication.style()
        palette = whole.palette
        ink = palette.text().color()
        muted = QColor(ink)
        muted.setAlphaF(_MUTED)
        small = QFont(whole.font)
        small.setPixelSize(_SMALL)
        painter.save()
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, whole, painter, whole.widget)
        area: QRect = option.rect
        place = area.adjusted(_PADDING, 0, -_PADDING, 0)
        for text, colour in (
            (str(index.data(PickerRole.DETAILS)), muted),
            (str(index.data(PickerRole.LOADED)), palette.accent().color()),
        ):
            if text:
                _paint_line(painter, place, text, small, colour, Qt.AlignmentFlag.AlignRight)
                place.setRight(place.right() - QFontMetrics(small).horizontalAdvance(text) - _GAP)
        name = QFontMetrics(whole.font).elidedText(
            str(index.data()), Qt.TextElideMode.ElideRight, place.width()
        )
        _paint_line(painter, place, name, whole.font, ink, Qt.AlignmentFlag.AlignLeft)
        painter.restore()


def _paint_line(
    painter: QPainter, place: QRect, text: str, font: QFont, ink: QColor, side: Qt.AlignmentFlag
) -> None:
    painter.setFont(font)
    painter.setPen(ink)
    painter.drawText(place, side | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine, text)
