"""What can be done with a message: small buttons that appear under the pointer or with the keyboard."""

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QToolButton, QWidget

from app.ui.icons import Icons

SIZE = 28  # pixels


class MessageActions(QWidget):
    """Copy, Regenerate, Delete, at the right of so many places, which they keep while they are not seen."""

    copied = Signal()
    regenerated = Signal()
    deleted = Signal()

    def __init__(self, icons: Icons, places: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icons = icons
        self._places = places
        self._copy = _Action("copy_message_button", self.tr("Copy"), self)
        self._regenerate = _Action("regenerate_button", self.tr("Regenerate"), self)
        self._delete = _Action("delete_message_button", self.tr("Delete"), self)
        self._copy.clicked.connect(self._tell_copied)
        self._regenerate.clicked.connect(self.regenerated)
        self._delete.clicked.connect(self.deleted)
        self.setFixedSize(SIZE * places, SIZE)
        self.restyle()
        self.offer(regenerate=False)

    def offer(self, *, regenerate: bool) -> None:
        """Whether the answer can be asked for again."""
        self._regenerate.setVisible(regenerate)
        shown = [self._copy, *([self._regenerate] if regenerate else []), self._delete]
        for place, action in enumerate(shown, self._places - len(shown)):
            action.setGeometry(place * SIZE, 0, SIZE, SIZE)

    def reveal(self, shown: bool) -> None:
        """Shows the buttons, or only the one that has the keyboard's focus."""
        for action in (self._copy, self._regenerate, self._delete):
            action.reveal(shown)
        if not shown:
            self._copy.setIcon(self._icons.icon("copy"))

    def restyle(self) -> None:
        """Takes the colours of another theme."""
        self._copy.setIcon(self._icons.icon("copy"))
        self._regenerate.setIcon(self._icons.icon("regenerate"))
        self._delete.setIcon(self._icons.icon("delete"))

    def _tell_copied(self) -> None:
        self._copy.setIcon(self._icons.icon("check", "good"))
        self.copied.emit()


class _Action(QToolButton):
    """A button with a picture that is there, but not seen, until it is wanted."""

    def __init__(self, name: str, accessible: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._is_revealed = False
        self.setObjectName(name)
        self.setAccessibleName(accessible)
        self.setToolTip(accessible)
        self.setIconSize(QSize(16, 16))
        self.setProperty("square", True)
        self.setProperty("kind", "quiet")
        self.setProperty("small", True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def reveal(self, shown: bool) -> None:
        self._is_revealed = shown
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._is_revealed or self.hasFocus() or self.underMouse():
            super().paintEvent(event)

    def event(self, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self.update()
        return super().event(event)
