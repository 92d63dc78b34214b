"""The files of a repository as rows: what each is, whether it fits, and what can be done with it."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from enum import IntEnum
from pathlib import Path
from typing import Any

from msgspec import Struct
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from app.figures import bytes_text
from app.models.download import Download, Failed, Finished, Paused, Queued
from app.models.hub import RemoteModel
from app.models.model_names import printable
from app.models.quantisations import Reason, quality_of
from app.ui import file_words as words
from app.ui.fit_hints import FitHint
from app.ui.hub_model_words import row_name
from app.ui.plain_tip import plain_tip

Index = QModelIndex | QPersistentModelIndex

_NOWHERE = QModelIndex()


class FileColumn(IntEnum):
    """The columns, from left to right."""

    FILE = 0
    QUALITY = 1
    SIZE = 2
    MACHINE = 3
    ACTION = 4


class FileRole(IntEnum):
    """What the cells know besides text."""

    ROW = Qt.ItemDataRole.UserRole + 1  # RemoteModel
    NOTE = Qt.ItemDataRole.UserRole + 2  # a second line under the name, or nothing
    IS_RECOMMENDED = Qt.ItemDataRole.UserRole + 3
    TONE = Qt.ItemDataRole.UserRole + 4  # of the word on this machine
    ACTION = Qt.ItemDataRole.UserRole + 5  # Action
    SHARE = Qt.ItemDataRole.UserRole + 6  # of a download that is under way, from 0 to 1; else None
    WORD = Qt.ItemDataRole.UserRole + 7  # on the quality, without "recommended"


class Action(IntEnum):
    """What a row's button does."""

    NONE = 0
    DOWNLOAD = 1
    GO_ON = 2  # with a download that was paused or failed
    LOAD = 3


class RowState(Struct, frozen=True):
    """What is known of a row besides its files."""

    download: Download | None = None
    path: Path | None = None  # where it is on this computer

    @property
    def has_come(self) -> bool:
        """Whether the hub gives the file to this computer, or has given it."""
        if self.path is not None:
            return True
        if self.download is None or isinstance(self.download.state, Queued | Failed):
            return False
        return self.download.received_bytes > 0


class FilesTable(QAbstractTableModel):
    """One row for each file or split set, in the order given."""

    def __init__(self, *, checks_fit: bool = True, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._checks_fit = checks_fit
        self._rows: tuple[RemoteModel, ...] = ()
        self._counts: Counter[str] = Counter()
        self._hints: Mapping[RemoteModel, FitHint] = {}
        self._states: dict[RemoteModel, RowState] = {}
        self._recommended: tuple[RemoteModel, Reason] | None = None

    @property
    def rows(self) -> Sequence[RemoteModel]:
        """All rows."""
        return self._rows

    @property
    def recommended_row(self) -> int:
        """Where the recommended one is; -1 for none."""
        return self.row_of(self._recommended[0]) if self._recommended is not None else -1

    def show_rows(self, rows: Sequence[RemoteModel]) -> None:
        """Shows these, of which nothing else is known yet."""
        self.beginResetModel()
        self._rows = tuple(rows)
        self._counts = Counter(row.quantisation for row in rows)
        self._hints = {}
        self._states = {}
        self._recommended = None
        self.endResetModel()

    def show_hints(self, hints: Mapping[RemoteModel, FitHint]) -> None:
        """Whether they fit. A row without a hint is being checked."""
        self._hints = hints
        self._tell_changed(range(len(self._rows)))

    def show_states(self, states: Mapping[RemoteModel, RowState]) -> None:
        """How far they are on their way to this computer."""
        changed = [
            number
            for number, row in enumerate(self._rows)
            if states.get(row, RowState()) != self._states.get(row, RowState())
        ]
        self._states = dict(states)
        self._tell_changed(changed)

    def recommend(self, recommended: tuple[RemoteModel, Reason] | None) -> None:
        """Marks the one to take."""
        if recommended != self._recommended:
            before, self._recommended = self.recommended_row, recommended
            self._tell_changed(number for number in {before, self.recommended_row} if number >= 0)

    def row_of(self, row: RemoteModel) -> int:
        """Where a row is; -1 for a stranger."""
        return self._rows.index(row) if row in self._rows else -1

    def state_of(self, row: RemoteModel) -> RowState:
        """What is known of a row."""
        return self._states.get(row, RowState())

    def action_of(self, row: RemoteModel) -> Action:
        """What its button does."""
        state = self.state_of(row)
        if state.path is not None:
            return Action.LOAD if self._checks_fit else Action.NONE
        if state.download is None:
            return Action.DOWNLOAD
        match state.download.state:
            case Paused() | Failed():
                return Action.GO_ON
            case Finished():  # and it is not there any more
                return Action.DOWNLOAD
            case _:
                return Action.NONE

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        """The number of rows."""
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        """The number of columns."""
        return 0 if parent.isValid() else len(FileColumn)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """The columns' names."""
        if orientation is not Qt.Orientation.Horizontal or role != Qt.ItemDataRole.DisplayRole:
            return None
        match section:
            case FileColumn.FILE:
                return self.tr("File")
            case FileColumn.QUALITY:
                return self.tr("Quality")
            case FileColumn.SIZE:
                return self.tr("Size")
            case FileColumn.MACHINE:
                return self.tr("This machine")
            case _:
                return ""

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Texts, and what else a cell knows."""
        if not index.isValid():
            return None
        row = self._rows[index.row()]
        column = index.column()
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self._text(row, column)
            case Qt.ItemDataRole.ToolTipRole:
                return plain_tip(self._tip(row, column)) or None
            case Qt.ItemDataRole.AccessibleTextRole:
                return self._spoken(row, column)
            case FileRole.ROW:
                return row
            case FileRole.NOTE:
                ambiguous = self._counts[row.quantisation] > 1
                return words.note_text(row, ambiguous=ambiguous) if column == FileColumn.FILE else ""
            case FileRole.IS_RECOMMENDED:
                return self._is_recommended(row)
            case FileRole.TONE:
                return self._tone(row)
            case FileRole.ACTION:
                return self.action_of(row)
            case FileRole.SHARE:
                return self._share(row)
            case FileRole.WORD:
                return words.quality_text(quality_of(row.quantisation), recommended=False)
            case _:
                return None

    def _text(self, row: RemoteModel, column: int) -> str:
        match column:
            case FileColumn.FILE:
                return row_name(row)
            case FileColumn.QUALITY:
                quality = quality_of(row.quantisation)
                return words.quality_text(quality, recommended=self._is_recommended(row))
            case FileColumn.SIZE:
                return bytes_text(row.total_bytes)
            case FileColumn.MACHINE:
                return self._machine_text(row)
            case _:
                return self._action_text(row)

    def _machine_text(self, row: RemoteModel) -> str:
        if self.state_of(row).path is not None:
            return self.tr("in My Models") if self._checks_fit else self.tr("on this computer")
        return words.fit_text(self._hints.get(row)) if self._checks_fit else ""

    def _action_text(self, row: RemoteModel) -> str:
        match self.action_of(row):
            case Action.DOWNLOAD:
                return self.tr("Download")
            case Action.LOAD:
                return self.tr("Load")
            case Action.GO_ON:
                download = self.state_of(row).download
                failed = download is not None and isinstance(download.state, Failed)
                return self.tr("Retry") if failed else self.tr("Resume")
            case _:
                download = self.state_of(row).download
                return words.progress_text(download) if download is not None else ""

    def _tip(self, row: RemoteModel, column: int) -> str:
        state = self.state_of(row)
        match column:
            case FileColumn.FILE:
                return words.files_tip(row)
            case FileColumn.QUALITY:
                reason = self._recommended[1] if self._recommended and self._is_recommended(row) else None
                return words.quality_tip(quality_of(row.quantisation), reason)
            case FileColumn.SIZE:
                return self.tr("{count} bytes").format(count=f"{row.total_bytes:,}")
            case FileColumn.MACHINE if state.path is not None:
                return printable(str(state.path))
            case FileColumn.MACHINE if self._checks_fit:
                return words.fit_tip(self._hints.get(row))
            case FileColumn.ACTION if state.download is not None and state.path is None:
                return words.download_tip(state.download)
            case _:
                return ""

    def _spoken(self, row: RemoteModel, column: int) -> str | None:
        if column != FileColumn.FILE:
            return self._text(row, column)
        columns = (FileColumn.QUALITY, FileColumn.SIZE, FileColumn.MACHINE, FileColumn.ACTION)
        return words.spoken(row, tuple(self._text(row, other) for other in columns))

    def _tone(self, row: RemoteModel) -> str:
        return "good" if self.state_of(row).path is not None else words.fit_tone(self._hints.get(row))

    def _share(self, row: RemoteModel) -> float | None:
        state = self.state_of(row)
        if state.path is not None or state.download is None or not state.download.is_active:
            return None
        total = state.download.request.total_bytes
        return min(1.0, state.download.received_bytes / total) if total else 0.0

    def _is_recommended(self, row: RemoteModel) -> bool:
        return self._recommended is not None and row == self._recommended[0]

    def _tell_changed(self, rows: Iterable[int]) -> None:
        """In one go, from the first to the last."""
        numbers = sorted(rows)
        if numbers:
            last = self.index(numbers[-1], len(FileColumn) - 1)
            self.dataChanged.emit(self.index(numbers[0], 0), last)
