"""The list of conversations itself: choosing, renaming, and the menu, by mouse and keyboard."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QListView, QMenu, QWidget

from app.ui.conversation_delegate import MORE_WIDTH, ConversationDelegate
from app.ui.conversation_model import ConversationModel


class ConversationView(QListView):
    """A click or Enter chooses, F2 or a double click renames, Delete asks for deletion."""

    chosen = Signal(int)
    deletion_requested = Signal(int)

    def __init__(
        self, model: ConversationModel, delegate: ConversationDelegate, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._conversations = model
        self.setObjectName("conversation_view")
        self.setAccessibleName(self.tr("Chats"))
        self.setModel(model)
        self.setItemDelegate(delegate)
        self.setSelectionMode(QListView.SelectionMode.NoSelection)
        self.setEditTriggers(QListView.EditTrigger.EditKeyPressed | QListView.EditTrigger.DoubleClicked)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setMouseTracking(True)
        self.setUniformItemSizes(True)
        self.clicked.connect(self._choose)

    def menu_for(self, index: QModelIndex | QPersistentModelIndex) -> QMenu | None:
        """What can be done with a conversation; None for a heading."""
        conversation = self._conversations.conversation(index)
        if conversation is None:
            return None
        menu = QMenu(self)
        menu.setObjectName("conversation_menu")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        rename = menu.addAction(self.tr("Rename"))
        rename.setObjectName("rename_action")
        rename.triggered.connect(lambda: self.edit(self._conversations.index_of(conversation.id)))
        delete = menu.addAction(self.tr("Delete…"))
        delete.setObjectName("delete_action")
        delete.triggered.connect(lambda: self.deletion_requested.emit(conversation.id))
        return menu

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Opens the menu where the pointer is on its dots."""
        index = self.indexAt(event.position().toPoint())
        if event.button() is Qt.MouseButton.LeftButton and self._is_on_more(event.position().toPoint()):
            self.setCurrentIndex(index)
            self._open_menu(index, event.globalPosition().toPoint())
            return
        super().mousePressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Renames, except on the dots."""
        if not self._is_on_more(event.position().toPoint()):
            super().mouseDoubleClickEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Chooses with Enter or Space, deletes with Delete."""
        conversation = self._conversations.conversation(self.currentIndex())
        if conversation is not None and self.state() is not QListView.State.EditingState:
            match event.key():
                case Qt.Key.Key_Return | Qt.Key.Key_Enter | Qt.Key.Key_Space:
                    self.chosen.emit(conversation.id)
                    return
                case Qt.Key.Key_Delete:
                    self.deletion_requested.emit(conversation.id)
                    return
        super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """The menu of the row under the pointer, or of the current one when a key asks."""
        by_key = event.reason() is QContextMenuEvent.Reason.Keyboard
        index = self.currentIndex() if by_key else self.indexAt(event.pos())
        place = self.visualRect(index).bottomLeft() if by_key else event.pos()
        self._open_menu(index, self.viewport().mapToGlobal(place))

    def _choose(self, index: QModelIndex) -> None:
        conversation = self._conversations.conversation(index)
        if conversation is not None:
            self.chosen.emit(conversation.id)

    def _is_on_more(self, place: QPoint) -> bool:
        index = self.indexAt(place)
        if self._conversations.conversation(index) is None:
            return False
        return place.x() > self.visualRect(index).right() - MORE_WIDTH

    def _open_menu(self, index: QModelIndex, place: QPoint) -> None:
        menu = self.menu_for(index)
        if menu is not None:
            menu.popup(place)
