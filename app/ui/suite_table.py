"""The prompts of a suite as rows: how fast either way is, and whether the text is the same."""

from collections.abc import Mapping
from enum import IntEnum
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from app.core.suite_result import SuiteRow
from app.figures import MISSING, percent_text, rate_figure, times_text
from app.ui.gain_words import interval_text
from app.ui.plain_tip import plain_tip
from app.ui.suite_words import kind_text, prompt_text, sameness_text

Index = QModelIndex | QPersistentModelIndex

_NOWHERE = QModelIndex()


class SuiteColumn(IntEnum):
    """The columns, from left to right."""

    KIND = 0
    PROMPT = 1
    REFERENCE = 2
    JUDGED = 3
    SPEEDUP = 4
    ACCEPTANCE = 5
    SAMENESS = 6


class SuiteRole(IntEnum):
    """What the cells know besides text."""

    ROW = Qt.ItemDataRole.UserRole + 1  # SuiteRow
    INTERVAL = Qt.ItemDataRole.UserRole + 2  # of the speed-up, in words; empty without one


class SuiteTable(QAbstractTableModel):
    """One row for each prompt that was run, and for several together."""

    def __init__(self, titles: Mapping[str, str], parent: QObject | None = None) -> None:
        """`titles` are those of the built-in suites, by their names."""
        super().__init__(parent)
        self._titles = titles
        self._rows: tuple[SuiteRow, ...] = ()
        self._sides = (self.tr("Off"), self.tr("On"))

    @property
    def rows(self) -> tuple[SuiteRow, ...]:
        """What is shown."""
        return self._rows

    def show_rows(self, rows: tuple[SuiteRow, ...], reference: str, judged: str) -> None:
        """Shows other rows; `reference` and `judged` are the headers of their rates.

        Rows that stay where they are keep the selection.
        """
        if (reference, judged) != self._sides:
            self._sides = (reference, judged)
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, SuiteColumn.REFERENCE, SuiteColumn.JUDGED)
        kept = _same_places(self._rows, rows)
        if kept < len(self._rows):
            self.beginRemoveRows(_NOWHERE, kept, len(self._rows) - 1)
            self._rows = self._rows[:kept]
            self.endRemoveRows()
        before, self._rows = self._rows, rows[:kept]
        changed = [number for number, row in enumerate(before) if row != self._rows[number]]
        if changed:
            self.dataChanged.emit(self.index(changed[0], 0), self.index(changed[-1], SuiteColumn.SAMENESS))
        if kept < len(rows):
            self.beginInsertRows(_NOWHERE, kept, len(rows) - 1)
            self._rows = rows
            self.endInsertRows()

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        """The number of rows."""
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        """The number of columns."""
        return 0 if parent.isValid() else len(SuiteColumn)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """The columns' names."""
        if role != Qt.ItemDataRole.DisplayRole or orientation is not Qt.Orientation.Horizontal:
            return None
        match section:
            case SuiteColumn.KIND:
                return self.tr("Kind")
            case SuiteColumn.PROMPT:
                return self.tr("Prompt")
            case SuiteColumn.REFERENCE:
                return self._with_unit(self._sides[0])
            case SuiteColumn.JUDGED:
                return self._with_unit(self._sides[1])
            case SuiteColumn.SPEEDUP:
                return self.tr("Speed-up")
            case SuiteColumn.ACCEPTANCE:
                return self.tr("Acceptance")
            case SuiteColumn.SAMENESS:
                return self.tr("Identical")
            case _:
                return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """A cell's text, and what the delegate needs."""
        if not index.isValid():
            return None
        row = self._rows[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self._text(row, index.column())
            case Qt.ItemDataRole.AccessibleTextRole:
                name = str(self.headerData(index.column(), Qt.Orientation.Horizontal))
                return f"{name}: {self._text(row, index.column())}"
            case Qt.ItemDataRole.ToolTipRole if index.column() <= SuiteColumn.PROMPT:
                return plain_tip(self._text(row, index.column()))
            case SuiteRole.ROW:
                return row
            case SuiteRole.INTERVAL:
                return interval_text(row.interval)
            case _:
                return None

    def _text(self, row: SuiteRow, column: int) -> str:
        match column:
            case SuiteColumn.KIND:
                return self._kind(row)
            case SuiteColumn.PROMPT:
                return prompt_text(row)
            case SuiteColumn.REFERENCE:
                return rate_figure(row.reference_rate)
            case SuiteColumn.JUDGED:
                return rate_figure(row.rate)
            case SuiteColumn.SPEEDUP:
                return times_text(row.speedup)
            case SuiteColumn.ACCEPTANCE:
                return percent_text(row.acceptance_rate)
            case SuiteColumn.SAMENESS:
                return sameness_text(row)
            case _:
                return MISSING

    def _with_unit(self, side: str) -> str:
        return self.tr("{side}, tok/s").format(side=side) if side else ""

    def _kind(self, row: SuiteRow) -> str:
        if row.prompt is None and row is self._rows[-1] and _has_several_kinds(self._rows):
            return self.tr("All")
        return kind_text(row.kind, self._titles)


def _same_places(before: tuple[SuiteRow, ...], after: tuple[SuiteRow, ...]) -> int:
    """How many rows from the top are about the same prompts."""
    pairs = zip(before, after, strict=False)
    return next(
        (
            number
            for number, (one, other) in enumerate(pairs)
            if (one.kind, one.prompt) != (other.kind, other.prompt)
        ),
        min(len(before), len(after)),
    )


def _has_several_kinds(rows: tuple[SuiteRow, ...]) -> bool:
    return len({row.kind for row in rows if row.prompt is not None}) > 1
