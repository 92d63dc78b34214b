"""The column of conversations on the left of the chat."""

import time
from collections.abc import Callable, Sequence
from datetime import date, datetime

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QFrame, QMessageBox, QStackedLayout, QWidget

from app.core.chat import Conversation
from app.ui.conversation_delegate import ConversationDelegate
from app.ui.conversation_model import ConversationModel
from app.ui.conversation_view import ConversationView
from app.ui.icons import Icons
from app.ui.theme import Theme
from app.ui.undo_bar import UndoBar
from app.ui.widgets import button, column, label, row, set_property

_WIDTH = 232  # pixels


class ConversationList(QFrame):
    """Lists conversations and says what the person wants done; whoever keeps them does it.

    `clock` gives seconds since 1970. A deleted conversation is off the list only once a list without it is
    shown.
    """

    conversation_chosen = Signal(int)
    new_requested = Signal()
    renamed = Signal(int, str)
    deleted = Signal(int)
    undo_requested = Signal(int)
    undo_expired = Signal(int)  # the deleted conversation may go for good

    def __init__(
        self,
        theme: Theme,
        icons: Icons,
        clock: Callable[[], float] = time.time,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._clock = clock
        self._conversations: tuple[Conversation, ...] = ()
        self._question: QMessageBox | None = None
        self.setObjectName("conversation_list")
        self.setProperty("panel", True)
        self.setFixedWidth(_WIDTH)
        self._icons = icons
        self._new = button(self.tr("New chat"), "new_chat_button")
        self._new.clicked.connect(self.new_requested)
        theme.changed.connect(self._take_theme)
        self._model = ConversationModel(self)
        self._model.title_edited.connect(self.renamed)
        self._view = ConversationView(self._model, ConversationDelegate(theme, icons, self))
        self._view.chosen.connect(self.conversation_chosen)
        self._view.deletion_requested.connect(self._ask_for_deletion)
        self._undo = UndoBar()
        self._undo.undone.connect(self.undo_requested)
        self._undo.expired.connect(self.undo_expired)
        self._middle = QStackedLayout()
        self._middle.addWidget(self._view)
        self._middle.addWidget(self._nothing())
        whole = column(row(self._new, margins=(4, 0, 4, 0)), margins=(8, 12, 8, 8), spacing=4)
        whole.addLayout(self._middle, 1)
        whole.addWidget(self._undo)
        self.setLayout(whole)
        self._take_theme()
        self.show_conversations(())

    @property
    def conversations(self) -> tuple[Conversation, ...]:
        """What is listed, the last used one first."""
        return self._conversations

    def show_conversations(self, conversations: Sequence[Conversation]) -> None:
        """Lists these, the last used one first."""
        self._conversations = tuple(conversations)
        self._model.show_conversations(self._conversations, self._today())
        self._middle.setCurrentIndex(0 if self._conversations else 1)

    def set_current(self, conversation_id: int | None) -> None:
        """Marks the one that is on the page."""
        self._model.set_shown(conversation_id)
        index = self._model.index_of(conversation_id) if conversation_id is not None else None
        if index is not None and index.isValid():
            self._view.setCurrentIndex(index)
            self._view.scrollTo(index)

    def set_answering(self, conversation_id: int | None) -> None:
        """Puts a dot on the one in which an answer is being given; None: nowhere."""
        self._model.set_answering(conversation_id)

    def showEvent(self, event: QShowEvent) -> None:
        """Sorts under the headings of today."""
        super().showEvent(event)
        self._model.show_conversations(self._conversations, self._today())

    def _today(self) -> date:
        return datetime.fromtimestamp(self._clock()).date()

    def _take_theme(self) -> None:
        self._new.setIcon(self._icons.icon("plus", "text"))

    def _nothing(self) -> QWidget:
        title = label(self.tr("No chats yet"), tone="muted")
        sentence = label(
            self.tr("What you ask is kept here, on this computer."), size="small", tone="faint", wrap=True
        )
        for line in (title, sentence):
            line.setAlignment(Qt.AlignmentFlag.AlignCenter)
        made = QWidget()
        made.setObjectName("no_conversations")
        made.setLayout(column(None, title, sentence, None, spacing=4, margins=(12, 0, 12, 48)))
        return made

    def _ask_for_deletion(self, conversation_id: int) -> None:
        title = self._title(conversation_id)
        question = QMessageBox(self)
        question.setObjectName("delete_conversation_question")
        question.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        question.setIcon(QMessageBox.Icon.NoIcon)
        question.setTextFormat(Qt.TextFormat.PlainText)
        question.setWindowTitle(self.tr("Delete chat"))
        question.setText(self.tr("Delete “{title}” with all its messages?").format(title=title))
        question.setInformativeText(self.tr("You can undo this for a few seconds."))
        delete = question.addButton(self.tr("Delete"), QMessageBox.ButtonRole.DestructiveRole)
        delete.setObjectName("confirm_delete_button")
        set_property(delete, "kind", "danger")
        keep = question.addButton(QMessageBox.StandardButton.Cancel)
        question.setDefaultButton(keep)
        question.setEscapeButton(keep)
        delete.clicked.connect(lambda: self._delete(conversation_id, title))
        self._question = question
        question.open()

    def _delete(self, conversation_id: int, title: str) -> None:
        self.deleted.emit(conversation_id)
        self._undo.offer(conversation_id, self.tr("Deleted “{title}”").format(title=title))

    def _title(self, conversation_id: int) -> str:
        title = self._model.index_of(conversation_id).data()
        return title if isinstance(title, str) else ""
