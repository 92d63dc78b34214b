"""A button that looks like a field with a choice in it, for choices that open a menu of their own."""

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from app.ui.icons import Icons
from app.ui.theme import Theme

_HEIGHT, _WIDTH, _LEAST_WIDTH = 32, 190, 110  # pixels
_RADIUS, _PADDING, _ARROW = 8, 11, 12
_OPENING_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Down)


class FieldButton(QAbstractButton):
    """Words, cut where they do not fit, and an arrow that points down."""

    def __init__(self, theme: Theme, icons: Icons, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._icons = icons
        self.setObjectName(name)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    @property
    def is_cut(self) -> bool:
        """Whether the words do not fit."""
        return self._shown() != self.text()

    def sizeHint(self) -> QSize:
        """Room for the words, and no less than other fields take."""
        words = self.fontMetrics().horizontalAdvance(self.text())
        return QSize(max(_WIDTH, words + self._beside_words() + 1), _HEIGHT)

    def minimumSizeHint(self) -> QSize:
        """Room for a word."""
        return QSize(_LEAST_WIDTH, _HEIGHT)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Opens as other choices do: with Enter and the arrow down, too."""
        if event.key() in _OPENING_KEYS and not event.isAutoRepeat():
            self.click()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paints the field, its words and the arrow."""
        colours = self._theme.colours
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        lit = self.hasFocus() or self.isDown()
        edge = colours.accent if lit else colours.faint if self._is_pointed_at() else colours.line
        painter.setPen(QPen(edge, 1))
        painter.setBrush(colours.field)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), _RADIUS, _RADIUS)
        painter.setPen(colours.text if self.isEnabled() else colours.faint)
        words = QRect(_PADDING, 0, self._room(), self.height())
        beginning = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        painter.drawText(words, beginning | Qt.TextFlag.TextSingleLine, self._shown())
        role = "muted" if self.isEnabled() else "faint"
        arrow = self._icons.pixmap("chevron", role, _ARROW, self.devicePixelRatioF())
        top = (self.height() - _ARROW) // 2
        painter.drawPixmap(self.width() - _PADDING - _ARROW, top, arrow)
        painter.end()

    def _is_pointed_at(self) -> bool:
        return self.isEnabled() and self.underMouse()

    def _beside_words(self) -> int:
        return 2 * _PADDING + _ARROW + 8

    def _room(self) -> int:
        return max(self.width() - self._beside_words(), 0)

    def _shown(self) -> str:
        return self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, self._room())
