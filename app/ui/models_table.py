"""The rows of My Models, and how they are sorted and narrowed down."""

from collections.abc import Callable, Iterable
from datetime import date
from enum import IntEnum
from pathlib import Path
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QSortFilterProxyModel,
    Qt,
)

from app.figures import bytes_text
from app.models.library import LocalModel
from app.models.model_names import printable
from app.ui.model_words import age_text, parameters_text, quantisation_text
from app.ui.plain_tip import plain_tip

Index = QModelIndex | QPersistentModelIndex

_NOWHERE = QModelIndex()


class ModelColumn(IntEnum):
    """The columns, from left to right."""

    ARCH = 0
    PARAMS = 1
    PUBLISHER = 2
    NAME = 3
    QUANT = 4
    SIZE = 5
    MODIFIED = 6
    ACTIONS = 7


class ModelRole(IntEnum):
    """What the rows know besides text."""

    MODEL = Qt.ItemDataRole.UserRole + 1  # LocalModel
    USE = Qt.ItemDataRole.UserRole + 2  # a word for what the model is in use as, or nothing
    IS_LOADED = Qt.ItemDataRole.UserRole + 3  # whether it is the target in use


class ModelsTable(QAbstractTableModel):
    """One row a model. A model is known by its path, so that a selection outlives a change of the rest."""

    def __init__(self, today: Callable[[], date] = date.today, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._today = today
        self._models: list[LocalModel] = []
        self._target: Path | None = None
        self._draft: Path | None = None
        self._keys: dict[int, list[Any]] = {}  # what rows are sorted by, for the columns that were asked for
        self._haystacks: list[str] = []  # what filters look in

    def show_models(self, models: Iterable[LocalModel]) -> None:
        """Takes over a listing: rows that are gone go, changed ones change, new ones are added."""
        wanted = {model.path: model for model in models}
        for row in reversed(range(len(self._models))):
            if self._models[row].path not in wanted:
                self.beginRemoveRows(_NOWHERE, row, row)
                del self._models[row]
                self._forget()
                self.endRemoveRows()
        for row, model in enumerate(self._models):
            now = wanted.pop(model.path)
            if now != model:
                self._models[row] = now
                self._forget()
                self._tell_changed(row, row)
        if wanted:
            first = len(self._models)
            self.beginInsertRows(_NOWHERE, first, first + len(wanted) - 1)
            self._models.extend(wanted.values())
            self._forget()
            self.endInsertRows()

    def set_loaded(self, target: Path | None, draft: Path | None) -> None:
        """Marks the models in use."""
        if (target, draft) != (self._target, self._draft):
            self._target, self._draft = target, draft
            if self._models:
                self._tell_changed(0, len(self._models) - 1)

    def model_at(self, row: int) -> LocalModel:
        """The model in a row."""
        return self._models[row]

    def sort_key(self, row: int, column: int) -> Any:
        """What a row is sorted by in a column; no two rows have the same."""
        if column not in self._keys:
            ties = sorted(self._models, key=_tie_key)
            ranks = {model.path: rank for rank, model in enumerate(ties)}
            self._keys[column] = [(_sort_key(model, column), ranks[model.path]) for model in self._models]
        return self._keys[column][row]

    def haystack(self, row: int) -> str:
        """All texts of a row and its file's name, in small letters."""
        if not self._haystacks:
            columns = [column for column in ModelColumn if column is not ModelColumn.ACTIONS]
            self._haystacks = [
                "\n".join((*(self._text(model, column) for column in columns), model.path.name)).casefold()
                for model in self._models
            ]
        return self._haystacks[row]

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        """The number of models."""
        return 0 if parent.isValid() else len(self._models)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        """The number of columns."""
        return 0 if parent.isValid() else len(ModelColumn)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """The columns' names."""
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        match section:
            case ModelColumn.ARCH:
                return self.tr("Arch")
            case ModelColumn.PARAMS:
                return self.tr("Params")
            case ModelColumn.PUBLISHER:
                return self.tr("Publisher")
            case ModelColumn.NAME:
                return self.tr("Name")
            case ModelColumn.QUANT:
                return self.tr("Quant")
            case ModelColumn.SIZE:
                return self.tr("Size")
            case ModelColumn.MODIFIED:
                return self.tr("Modified")
            case _:
                return ""

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Texts, and the model itself."""
        if not index.isValid():
            return None
        model = self._models[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self._text(model, index.column())
            case Qt.ItemDataRole.ToolTipRole:
                return plain_tip(self._tooltip(model, index.column())) or None
            case Qt.ItemDataRole.AccessibleTextRole if index.column() == ModelColumn.NAME:
                use = self._use(model)
                return f"{model.name}, {use}" if use else model.name
            case Qt.ItemDataRole.AccessibleTextRole if index.column() == ModelColumn.ACTIONS:
                return self.tr("Enter loads the model, the menu key shows what else can be done")
            case ModelRole.MODEL:
                return model
            case ModelRole.USE:
                return self._use(model)
            case ModelRole.IS_LOADED:
                return model.path == self._target
            case _:
                return None

    def _text(self, model: LocalModel, column: int) -> str:
        match column:
            case ModelColumn.ARCH:
                return model.info.architecture
            case ModelColumn.PARAMS:
                return parameters_text(model.info)
            case ModelColumn.PUBLISHER:
                return model.publisher
            case ModelColumn.NAME:
                return model.name
            case ModelColumn.QUANT:
                return quantisation_text(model.info)
            case ModelColumn.SIZE:
                return bytes_text(model.info.total_bytes)
            case ModelColumn.MODIFIED:
                return age_text(model.modified, self._today())
            case _:
                return ""

    def _tooltip(self, model: LocalModel, column: int) -> str:
        match column:
            case ModelColumn.NAME:
                return "\n".join(printable(str(file)) for file in model.files[:8])
            case ModelColumn.ARCH | ModelColumn.PUBLISHER | ModelColumn.QUANT:
                return self._text(model, column)
            case ModelColumn.PARAMS:
                return self.tr("{count} parameters").format(count=f"{model.info.parameters:,}")
            case ModelColumn.SIZE:
                return self.tr("{count} bytes").format(count=f"{model.info.total_bytes:,}")
            case _:
                return ""

    def _use(self, model: LocalModel) -> str:
        if model.path == self._target:
            return self.tr("loaded")
        return self.tr("draft") if model.path == self._draft else ""

    def _forget(self) -> None:
        self._keys.clear()
        self._haystacks.clear()

    def _tell_changed(self, first: int, last: int) -> None:
        self.dataChanged.emit(self.index(first, 0), self.index(last, len(ModelColumn) - 1))


class ModelsFilter(QSortFilterProxyModel):
    """Sorts by what the texts stand for, and keeps the rows that have all words of a filter somewhere."""

    def __init__(self, table: ModelsTable, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._table = table
        self._words: tuple[str, ...] = ()
        self.setSourceModel(table)
        self.setDynamicSortFilter(True)
        self.sort(ModelColumn.NAME)

    @property
    def is_narrowed(self) -> bool:
        """True while a filter is set."""
        return bool(self._words)

    def narrow(self, text: str) -> None:
        """Keeps the rows that have all words of `text` in one of their columns or the file's name."""
        self.beginFilterChange()
        self._words = tuple(text.casefold().split())
        self.endFilterChange(QSortFilterProxyModel.Direction.Rows)

    def model_of(self, index: Index) -> LocalModel:
        """The model in one of the rows shown."""
        return self._table.model_at(self.mapToSource(index).row())

    def filterAcceptsRow(self, source_row: int, source_parent: Index) -> bool:
        """Whether a row stays."""
        if not self._words:
            return True
        haystack = self._table.haystack(source_row)
        return all(word in haystack for word in self._words)

    def lessThan(self, left: Index, right: Index) -> bool:
        """By the column's value, then by name and size, so that the order is always the same."""
        column = left.column()
        ours, our_rank = self._table.sort_key(left.row(), column)
        theirs, their_rank = self._table.sort_key(right.row(), column)
        if ours != theirs:
            return bool(ours < theirs)
        if self.sortOrder() is Qt.SortOrder.DescendingOrder:  # ties keep their order either way
            return bool(our_rank > their_rank)
        return bool(our_rank < their_rank)


def _sort_key(model: LocalModel, column: int) -> Any:
    match column:
        case ModelColumn.ARCH:
            return model.info.architecture.casefold()
        case ModelColumn.PARAMS:
            return model.info.parameters
        case ModelColumn.PUBLISHER:
            return not model.publisher, model.publisher.casefold()
        case ModelColumn.QUANT:
            return model.info.quantisation.casefold(), len(model.info.parts)
        case ModelColumn.SIZE:
            return model.info.total_bytes
        case ModelColumn.MODIFIED:
            return model.modified
        case _:
            return model.name.casefold()


def _tie_key(model: LocalModel) -> Any:
    return model.name.casefold(), model.info.total_bytes, model.path
