"""Notices one above the other, which take no room while none says anything."""

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QWidget

from app.ui.notice import Notice
from app.ui.widgets import column


class NoticeStack(QWidget):
    """Hidden while all its notices are."""

    def __init__(self, name: str, *notices: Notice) -> None:
        super().__init__()
        self.setObjectName(name)
        self._notices = notices
        self.setLayout(column(*notices, spacing=8, margins=(16, 8, 16, 8)))
        for notice in notices:
            notice.installEventFilter(self)
        self._follow()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follows them."""
        if event.type() in (QEvent.Type.ShowToParent, QEvent.Type.HideToParent):
            self._follow()
        return False

    def _follow(self) -> None:
        self.setVisible(any(not notice.isHidden() for notice in self._notices))
