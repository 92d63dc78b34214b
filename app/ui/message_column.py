"""The messages of a conversation in a column that is not too wide to be read."""

from PySide6.QtWidgets import QWidget

from app.ui.column import Column

WIDEST = 720  # pixels
_SIDE, _TOP, _BOTTOM = 32, 24, 24


class MessageColumn(QWidget):
    """Holds the column in the middle of what scrolls."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.column = Column(self)
        self.setObjectName("scroll_content")

    @staticmethod
    def column_width(width: int) -> int:
        """How wide messages are where so much room is."""
        return max(120, min(WIDEST, width - 2 * _SIDE))

    def fit(self, width: int, visible_width: int, least_height: int) -> None:
        """Takes the width that there is, a scroll bar included, and the height that the messages have."""
        inner = self.column_width(width)
        height = self.column.height()
        self.column.setGeometry((width - inner) // 2, _TOP, inner, height)
        self.resize(visible_width, max(least_height, _TOP + height + _BOTTOM))
