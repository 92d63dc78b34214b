"""The rows of the draft picker."""

from collections.abc import Callable
from enum import IntEnum
from pathlib import Path
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from app.core.pair_expectation import PairExpectation
from app.models.model_names import printable
from app.ui.draft_candidates import Candidate
from app.ui.draft_words import facts_text, name_text, reason_text
from app.ui.outlook_words import tag_of
from app.ui.plain_tip import plain_tip

Index = QModelIndex | QPersistentModelIndex


class DraftRole(IntEnum):
    """What a row tells besides its name."""

    CANDIDATE = Qt.ItemDataRole.UserRole
    IS_CHOSEN = Qt.ItemDataRole.UserRole + 1
    TAG = Qt.ItemDataRole.UserRole + 2  # OutlookTag


class DraftList(QAbstractListModel):
    """Candidates in their order. Those that cannot draft can be reached, but not chosen.

    `outlook_of` tells what is known of a file's gain.
    """

    def __init__(
        self, outlook_of: Callable[[Path], PairExpectation | None], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._outlook_of = outlook_of
        self._candidates: tuple[Candidate, ...] = ()
        self._chosen: Path | None = None

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """All rows."""
        return self._candidates

    def show_candidates(self, candidates: tuple[Candidate, ...], chosen: Path | None) -> None:
        """Shows other rows, or marks another one as chosen."""
        if candidates != self._candidates:
            self.beginResetModel()
            self._candidates, self._chosen = candidates, chosen
            self.endResetModel()
        elif chosen != self._chosen:
            self._chosen = chosen
            self.dataChanged.emit(self.index(0), self.index(len(candidates) - 1), [DraftRole.IS_CHOSEN])

    def tell_outlooks(self) -> None:
        """More is known of what the rows gain."""
        if self._candidates:
            self.dataChanged.emit(self.index(0), self.index(len(self._candidates) - 1))

    def row_of(self, path: Path | None) -> int | None:
        """Where a file is."""
        return next((row for row, found in enumerate(self._candidates) if found.path == path), None)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        """How many there are."""
        return 0 if parent.isValid() else len(self._candidates)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """What a row shows and says."""
        if not index.isValid():
            return None
        candidate = self._candidates[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return name_text(candidate)
            case Qt.ItemDataRole.ToolTipRole:
                told = (reason_text(candidate), facts_text(candidate), printable(str(candidate.path)))
                return plain_tip("\n".join(text for text in told if text))
            case Qt.ItemDataRole.AccessibleTextRole:
                spoken = (
                    name_text(candidate),
                    facts_text(candidate),
                    tag_of(candidate, self._outlook_of(candidate.path)).text,
                    reason_text(candidate),
                )
                return ", ".join(text for text in spoken if text)
            case DraftRole.CANDIDATE:
                return candidate
            case DraftRole.IS_CHOSEN:
                return candidate.path == self._chosen
            case DraftRole.TAG:
                return tag_of(candidate, self._outlook_of(candidate.path))
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Every row can be reached by keyboard, so that its reason can be read."""
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        reachable = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemNeverHasChildren
        can_draft = self._candidates[index.row()].can_draft
        return reachable | Qt.ItemFlag.ItemIsSelectable if can_draft else reachable
