"""The rows of a search: what was found so far, and one row that says how it goes on."""

from collections.abc import Sequence
from enum import Enum, IntEnum, auto
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from app.models.hub import FoundModel, Gate
from app.models.model_names import printable
from app.ui.hub_model_words import found_details
from app.ui.plain_tip import plain_tip

Index = QModelIndex | QPersistentModelIndex

_NOWHERE = QModelIndex()


class ResultRole(IntEnum):
    """What rows tell besides the name."""

    FOUND = Qt.ItemDataRole.UserRole + 1  # FoundModel; None for the last row
    DETAILS = Qt.ItemDataRole.UserRole + 2
    IS_GATED = Qt.ItemDataRole.UserRole + 3
    IS_FAILED = Qt.ItemDataRole.UserRole + 4  # the last row: the next page did not come


class Ending(Enum):
    """How the list goes on below what is there."""

    NONE = auto()
    LOADING = auto()  # the next page is under way
    FAILED = auto()
    OVER = auto()  # that was all


class SearchResults(QAbstractListModel):
    """One row a repository, and below them a row about the rest, unless there is nothing to say."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._found: list[FoundModel] = []
        self._known: set[str] = set()
        self._ending = Ending.NONE
        self._sentence = ""

    @property
    def found(self) -> Sequence[FoundModel]:
        """What was found so far."""
        return self._found

    @property
    def ending(self) -> Ending:
        """What the last row is about."""
        return self._ending

    def replace(self, found: Sequence[FoundModel]) -> None:
        """Shows the first page of another search."""
        self.beginResetModel()
        self._found = []
        self._known.clear()
        self._found = self._new(found)
        self._ending = Ending.NONE
        self.endResetModel()

    def append(self, found: Sequence[FoundModel]) -> None:
        """Shows one more page. What moved from one page to the next while reading is listed once."""
        new = self._new(found)
        if new:
            first = len(self._found)
            self.beginInsertRows(_NOWHERE, first, first + len(new) - 1)
            self._found += new
            self.endInsertRows()

    def end_with(self, ending: Ending, sentence: str = "") -> None:
        """Says how it goes on; `sentence` is what went wrong."""
        row = len(self._found)
        had, has = self._ending is not Ending.NONE, ending is not Ending.NONE
        if had and not has:
            self.beginRemoveRows(_NOWHERE, row, row)
        elif has and not had:
            self.beginInsertRows(_NOWHERE, row, row)
        self._ending, self._sentence = ending, sentence
        if had and has:
            self.dataChanged.emit(self.index(row), self.index(row))
        elif had:
            self.endRemoveRows()
        elif has:
            self.endInsertRows()

    def row_of(self, repo: str) -> int:
        """The row of a repository; -1 if it was not found. Names differ by more than small letters."""
        wanted = repo.casefold()
        rows = (row for row, found in enumerate(self._found) if found.repo.casefold() == wanted)
        return next(rows, -1)

    def found_at(self, row: int) -> FoundModel | None:
        """What is in a row; None for the last one, and outside."""
        return self._found[row] if 0 <= row < len(self._found) else None

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        """What was found, and the last row."""
        return 0 if parent.isValid() else len(self._found) + (self._ending is not Ending.NONE)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Texts, and what was found itself."""
        if not index.isValid():
            return None
        found = self.found_at(index.row())
        if found is None:
            return self._ending_data(role)
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return printable(found.name)
            case Qt.ItemDataRole.ToolTipRole:
                return plain_tip(printable(found.repo))
            case Qt.ItemDataRole.AccessibleTextRole:
                gated = self.tr("gated") if found.gate is not Gate.OPEN else ""
                parts = (printable(found.name), found_details(found), gated)
                return ", ".join(part for part in parts if part)
            case ResultRole.FOUND:
                return found
            case ResultRole.DETAILS:
                return found_details(found)
            case ResultRole.IS_GATED:
                return found.gate is not Gate.OPEN
            case ResultRole.IS_FAILED:
                return False
            case _:
                return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        """The last row can be chosen only where there is something to try again."""
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        if self.found_at(index.row()) is None and self._ending is not Ending.FAILED:
            return Qt.ItemFlag.ItemNeverHasChildren
        usable = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return usable | Qt.ItemFlag.ItemNeverHasChildren

    def _ending_data(self, role: int) -> Any:
        failed = self._ending is Ending.FAILED
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self._ending_text()
            case Qt.ItemDataRole.AccessibleTextRole:
                return f"{self._ending_text()} {self._sentence}".strip()
            case Qt.ItemDataRole.ToolTipRole:
                return plain_tip(self._sentence) or None
            case ResultRole.IS_GATED:
                return False
            case ResultRole.IS_FAILED:
                return failed
            case _:
                return None

    def _ending_text(self) -> str:
        match self._ending:
            case Ending.LOADING:
                return self.tr("Looking for more…")
            case Ending.FAILED:
                return self.tr("The rest did not come. Retry")
            case _:
                count = len(self._found)
                if count == 1:
                    return self.tr("That is the only one.")
                return self.tr("Those are all {count}.").format(count=f"{count:,}")

    def _new(self, found: Sequence[FoundModel]) -> list[FoundModel]:
        new = []
        for one in found:
            if one.repo not in self._known:
                self._known.add(one.repo)
                new.append(one)
        return new
