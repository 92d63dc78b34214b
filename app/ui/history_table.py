"""The rows of the history, the newest first, and how they are narrowed down."""

from collections.abc import Callable, Sequence
from datetime import date
from enum import IntEnum
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QSortFilterProxyModel,
    Qt,
)

from app.core.experiment_entry import ExperimentEntry
from app.ui.history_words import Lines, date_lines, model_lines, prompt_lines, result_lines, result_text
from app.ui.plain_tip import plain_tip

Index = QModelIndex | QPersistentModelIndex

_NOWHERE = QModelIndex()


class HistoryColumn(IntEnum):
    """The columns, from left to right."""

    DATE = 0
    MODELS = 1
    PROMPT = 2
    RESULT = 3
    ACTIONS = 4


class HistoryRole(IntEnum):
    """What the rows know besides their text."""

    ENTRY = Qt.ItemDataRole.UserRole + 1  # ExperimentEntry
    DETAILS = Qt.ItemDataRole.UserRole + 2  # the second line of a cell


class HistoryTable(QAbstractTableModel):
    """One row an experiment, known by its id, so that a selection outlives a change of the rest."""

    def __init__(self, today: Callable[[], date] = date.today, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._today = today
        self._entries: list[ExperimentEntry] = []

    def show_entries(self, entries: Sequence[ExperimentEntry]) -> None:
        """Takes over a list in its order: rows that are gone go, changed ones change, new ones are added."""
        places = {entry.id: place for place, entry in enumerate(entries)}
        last = len(places)
        for row in reversed(range(len(self._entries))):
            place = places.get(self._entries[row].id, last)
            if place >= last:  # gone, or at another place than before
                self.beginRemoveRows(_NOWHERE, row, row)
                del self._entries[row]
                self.endRemoveRows()
            else:
                last = place
        for row, entry in enumerate(entries):
            if row == len(self._entries) or self._entries[row].id != entry.id:
                self.beginInsertRows(_NOWHERE, row, row)
                self._entries.insert(row, entry)
                self.endInsertRows()
            elif self._entries[row] != entry:
                self._entries[row] = entry
                self.dataChanged.emit(self.index(row, 0), self.index(row, len(HistoryColumn) - 1))

    def row_of(self, id_: int) -> int:
        """The row of an experiment; -1 where it is not listed."""
        return next((row for row, entry in enumerate(self._entries) if entry.id == id_), -1)

    def haystack(self, row: int) -> str:
        """All texts of a row but the time of day, in small letters."""
        entry = self._entries[row]
        day, _time = self._lines(entry, HistoryColumn.DATE)
        others = [column for column in HistoryColumn if column is not HistoryColumn.DATE]
        texts = (day, *(text for column in others for text in self._lines(entry, column)))
        return "\n".join(texts).casefold()

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        """The number of experiments."""
        return 0 if parent.isValid() else len(self._entries)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        """The number of columns."""
        return 0 if parent.isValid() else len(HistoryColumn)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """The columns' names."""
        if orientation is not Qt.Orientation.Horizontal or role != Qt.ItemDataRole.DisplayRole:
            return None
        match section:
            case HistoryColumn.DATE:
                return self.tr("Date")
            case HistoryColumn.MODELS:
                return self.tr("Models")
            case HistoryColumn.PROMPT:
                return self.tr("Prompt")
            case HistoryColumn.RESULT:
                return self.tr("Result")
            case _:
                return ""

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Texts, and the entry itself."""
        if not index.isValid():
            return None
        entry, column = self._entries[index.row()], index.column()
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self._lines(entry, column)[0]
            case Qt.ItemDataRole.ToolTipRole:
                return plain_tip("\n".join(line for line in self._lines(entry, column) if line)) or None
            case Qt.ItemDataRole.AccessibleTextRole if column == HistoryColumn.ACTIONS:
                return self.tr("Enter opens the comparison, Delete deletes it")
            case Qt.ItemDataRole.AccessibleTextRole if column == HistoryColumn.RESULT:
                return result_text(entry)
            case Qt.ItemDataRole.AccessibleTextRole:
                return ", ".join(line for line in self._lines(entry, column) if line)
            case HistoryRole.ENTRY:
                return entry
            case HistoryRole.DETAILS:
                return self._lines(entry, column)[1]
            case _:
                return None

    def _lines(self, entry: ExperimentEntry, column: int) -> Lines:
        match column:
            case HistoryColumn.DATE:
                return date_lines(entry.created, self._today())
            case HistoryColumn.MODELS:
                return model_lines(entry)
            case HistoryColumn.PROMPT:
                return prompt_lines(entry)
            case HistoryColumn.RESULT:
                return result_lines(entry)
            case _:
                return "", ""


class HistoryFilter(QSortFilterProxyModel):
    """Keeps the rows that have all words of a search somewhere."""

    def __init__(self, table: HistoryTable, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._table = table
        self._words: tuple[str, ...] = ()
        self.setSourceModel(table)

    @property
    def is_narrowed(self) -> bool:
        """True while there are words to look for."""
        return bool(self._words)

    def narrow(self, text: str) -> None:
        """Keeps the rows that have all words of `text` in one of their columns."""
        self.beginFilterChange()
        self._words = tuple(text.casefold().split())
        self.endFilterChange(QSortFilterProxyModel.Direction.Rows)

    def index_of(self, id_: int) -> QModelIndex:
        """The row of an experiment; invalid where it is not shown."""
        return self.mapFromSource(self._table.index(self._table.row_of(id_), 0))

    def filterAcceptsRow(self, source_row: int, source_parent: Index) -> bool:
        """Whether a row stays."""
        if not self._words:
            return True
        haystack = self._table.haystack(source_row)
        return all(word in haystack for word in self._words)
