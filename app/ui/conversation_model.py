"""The conversations as rows of a list, under headings by when they were last used."""

from collections.abc import Sequence
from datetime import date
from enum import IntEnum, StrEnum, auto

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from app.core.chat import Conversation
from app.ui.moments import local_moment


class Age(StrEnum):
    """When a conversation was last used. Each has a heading."""

    TODAY = "today"
    YESTERDAY = "yesterday"
    LAST_7_DAYS = "last_7_days"
    OLDER = "older"


class ConversationRole(IntEnum):
    """What rows tell besides their text."""

    ID = Qt.ItemDataRole.UserRole + 1  # None for a heading
    IS_SHOWN = auto()
    IS_ANSWERING = auto()


Row = Age | Conversation


class _Change(Struct, frozen=True):
    """Rows from `start` on that make room for others."""

    start: int
    removed: int
    inserted: tuple[Row, ...]


class ConversationModel(QAbstractListModel):
    """Headings and conversations. Changes keep the rows that stay, and an editor that is open on one."""

    title_edited = Signal(int, str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[Row] = []
        self._shown: int | None = None
        self._answering: int | None = None

    def show_conversations(self, conversations: Sequence[Conversation], today: date) -> None:
        """Takes another list, the last used one first."""
        rows = _rows(conversations, today)
        change = _change(self._rows, rows)
        if change.removed:
            self.beginRemoveRows(QModelIndex(), change.start, change.start + change.removed - 1)
            del self._rows[change.start : change.start + change.removed]
            self.endRemoveRows()
        if change.inserted:
            self.beginInsertRows(QModelIndex(), change.start, change.start + len(change.inserted) - 1)
            self._rows[change.start : change.start] = change.inserted
            self.endInsertRows()
        for number, row in enumerate(rows):
            if self._rows[number] != row:
                self._rows[number] = row
                self._tell(number)

    def set_shown(self, conversation_id: int | None) -> None:
        """Which conversation is on the page."""
        before, self._shown = self._shown, conversation_id
        self._tell_of(before, conversation_id)

    def set_answering(self, conversation_id: int | None) -> None:
        """In which conversation an answer is being given."""
        before, self._answering = self._answering, conversation_id
        self._tell_of(before, conversation_id)

    def conversation(self, index: QModelIndex | QPersistentModelIndex) -> Conversation | None:
        """The conversation of a row; None for a heading and for no row."""
        row = self._rows[index.row()] if index.isValid() else None
        return row if isinstance(row, Conversation) else None

    def index_of(self, conversation_id: int) -> QModelIndex:
        """The row of a conversation; invalid where it is not listed."""
        for number, row in enumerate(self._rows):
            if isinstance(row, Conversation) and row.id == conversation_id:
                return self.index(number)
        return QModelIndex()

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex | None = None) -> int:
        """Headings included."""
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def flags(self, index: QModelIndex | QPersistentModelIndex) -> Qt.ItemFlag:
        """Headings can be neither chosen nor edited."""
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        if self.conversation(index) is None:
            return Qt.ItemFlag.ItemNeverHasChildren
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEditable
        return flags | Qt.ItemFlag.ItemNeverHasChildren

    def data(
        self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        """A row's words, and what ConversationRole lists."""
        if not index.isValid():
            return None
        row = self._rows[index.row()]
        if isinstance(row, Age):
            return self._heading(row) if role in _WORDS else None
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self._title(row)
            case Qt.ItemDataRole.AccessibleTextRole:
                title = self._title(row)
                return self.tr("{title}, answering").format(title=title) if self._answers(row) else title
            case Qt.ItemDataRole.EditRole:
                return row.title
            case ConversationRole.ID:
                return row.id
            case ConversationRole.IS_SHOWN:
                return row.id == self._shown
            case ConversationRole.IS_ANSWERING:
                return self._answers(row)
        return None

    def setData(
        self,
        index: QModelIndex | QPersistentModelIndex,
        value: object,
        role: int = Qt.ItemDataRole.EditRole,
    ) -> bool:
        """Renames a conversation; an empty title is none."""
        row = self.conversation(index)
        title = " ".join(str(value).split())
        if row is None or role != Qt.ItemDataRole.EditRole or not title:
            return False
        if title != row.title:
            self._rows[index.row()] = replace(row, title=title)
            self._tell(index.row())
            self.title_edited.emit(row.id, title)
        return True

    def _answers(self, conversation: Conversation) -> bool:
        return conversation.id == self._answering

    def _title(self, conversation: Conversation) -> str:
        return " ".join(conversation.title.split()) or self.tr("New chat")

    def _heading(self, age: Age) -> str:
        match age:
            case Age.TODAY:
                return self.tr("Today")
            case Age.YESTERDAY:
                return self.tr("Yesterday")
            case Age.LAST_7_DAYS:
                return self.tr("Last 7 days")
            case Age.OLDER:
                return self.tr("Older")

    def _tell_of(self, before: int | None, now: int | None) -> None:
        if before == now:
            return
        for changed in (before, now):
            if changed is not None and (index := self.index_of(changed)).isValid():
                self._tell(index.row())

    def _tell(self, number: int) -> None:
        index = self.index(number)
        self.dataChanged.emit(index, index)


_WORDS = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole)


def age_of(moment: float, today: date) -> Age:
    """When a moment was, by the calendar here. What lies ahead, as after a clock was set back, is today."""
    day = local_moment(moment)
    if day is None:
        return Age.OLDER
    days = (today - day.date()).days
    if days <= 0:
        return Age.TODAY
    if days == 1:
        return Age.YESTERDAY
    return Age.LAST_7_DAYS if days <= 7 else Age.OLDER


def _rows(conversations: Sequence[Conversation], today: date) -> list[Row]:
    rows: list[Row] = []
    heading = None
    for conversation in conversations:
        age = age_of(conversation.updated, today)
        if age is not heading:
            heading = age
            rows.append(age)
        rows.append(conversation)
    return rows


def _change(before: list[Row], after: list[Row]) -> _Change:
    """The one stretch outside which both lists have the same rows in the same order."""
    same = 0
    shorter = min(len(before), len(after))
    while same < shorter and _key(before[same]) == _key(after[same]):
        same += 1
    end = 0
    while end < shorter - same and _key(before[-1 - end]) == _key(after[-1 - end]):
        end += 1
    return _Change(same, len(before) - same - end, tuple(after[same : len(after) - end]))


def _key(row: Row) -> object:
    return row.id if isinstance(row, Conversation) else row
