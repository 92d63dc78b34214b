"""A drop-down list for places that scroll."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QComboBox, QStyle, QStyleOptionComboBox, QStylePainter, QWidget


class ElidedChoice(QComboBox):
    """A combo box that the mouse wheel does not change, and whose longest entry does not widen it.

    An entry that does not fit is cut before its last " · ", so that what stands there stays readable.
    """

    def __init__(self, name: str, accessible: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setAccessibleName(accessible)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(8)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leaves the wheel to what scrolls."""
        event.ignore()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paints as usual, but with an ellipsis."""
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        room = self.style().subControlRect(
            QStyle.ComplexControl.CC_ComboBox, option, QStyle.SubControl.SC_ComboBoxEditField, self
        )
        option.currentText = self.fitted(option.currentText or self.placeholderText(), room.width())
        painter = QStylePainter(self)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)
        painter.end()

    def fitted(self, text: str, width: int) -> str:
        """A text, cut to `width` pixels."""
        metrics = self.fontMetrics()
        start, dot, end = text.rpartition(" · ")
        if not start:
            return metrics.elidedText(text, Qt.TextElideMode.ElideRight, width)
        room = width - metrics.horizontalAdvance(dot + end)
        return metrics.elidedText(start, Qt.TextElideMode.ElideRight, room) + dot + end
