"""Whether the files of a repository fit this machine: estimated from the header of one of them."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

import psutil
from msgspec import Struct
from PySide6.QtCore import QObject, Signal

from app.core.advice import Advisor
from app.core.errors import SlipstreamError
from app.core.estimate import MemoryEstimate
from app.core.fit import Fit, Room, fit_of, need_of, rough_need, typical_draft_bytes
from app.core.options import LoadOptions
from app.models.hub import Hub, HubModel, RemoteModel
from app.ui.tasks import Task, Tasks

_LEAST_SHARE = 0.8  # of a file, which is to be in memory
_MOST_LIKELY = ("Q4_K_M", "Q4_K_S", "Q5_K_M", "Q4_0", "Q8_0")  # rows that people take


class FitHint(Struct, frozen=True):
    """What is said of one row. `exact` is False where the figure was reckoned from another row's."""

    fit: Fit
    needed_bytes: int | None
    exact: bool


class _Basis(Struct, frozen=True):
    """What the hints of a repository are made from; no estimate where no header could be read."""

    looked_at: RemoteModel
    estimate: MemoryEstimate | None


class FitHints(QObject):
    """Looks at one repository after the other; answers for one of before are dropped.

    `free_memory` tells what is free now with what the loaded model gives back, in bytes; `options` those that
    a model will be loaded with.
    """

    hints_changed = Signal(object)  # Mapping[RemoteModel, FitHint]; empty while nothing is known

    def __init__(
        self,
        hub: Hub,
        advisor: Advisor,
        tasks: Tasks,
        free_memory: Callable[[], int],
        options: Callable[[], LoadOptions] = LoadOptions,
        total_memory: Callable[[], int] = lambda: int(psutil.virtual_memory().total),
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._hub = hub
        self._advisor = advisor
        self._tasks = tasks
        self._free_memory = free_memory
        self._options = options
        self._total_memory = total_memory
        self._model: HubModel | None = None
        self._basis: _Basis | None = None
        self._draft_bytes: int | None = None
        self._task: Task | None = None
        self.hints: Mapping[RemoteModel, FitHint] = MappingProxyType({})

    def look(self, model: HubModel) -> None:
        """Wants hints for the rows of a repository."""
        self.clear()
        if not model.models:
            return
        self._model = model
        row = row_to_look_at(model)
        options = self._options().fitted_to(model.found.context_length)
        self._task = self._tasks.run(
            self,
            lambda: self._advisor.estimate(self._hub.header(model, row), None, options),
            lambda found: self._take(_Basis(row, found)),
            lambda error: self._take_failure(row, error),
        )

    def assume_draft(self, row: RemoteModel | None) -> None:
        """Reckons with this draft beside each row; None: with one of the usual size."""
        wanted = None if row is None else rough_need(row.total_bytes).bytes
        if wanted != self._draft_bytes:
            self._draft_bytes = wanted
            self._tell()

    def refresh(self) -> None:
        """Reckons again with what is free now."""
        self._tell()

    def clear(self) -> None:
        """Wants none any more."""
        if self._task is not None:
            self._task.cancel()
            self._task = None
        self._model = self._basis = self._draft_bytes = None
        if self.hints:
            self.hints = MappingProxyType({})
            self.hints_changed.emit(self.hints)

    def _take(self, basis: _Basis) -> None:
        self._basis = basis
        self._tell()

    def _take_failure(self, row: RemoteModel, error: Exception) -> None:
        """Whatever is wrong with the line or the header, the sizes of the files are known."""
        if not isinstance(error, SlipstreamError):
            raise error
        self._take(_Basis(row, None))

    def _tell(self) -> None:
        if self._model is None or self._basis is None:
            return
        room = Room(self._free_memory(), self._total_memory())
        draft = self._draft_bytes
        if draft is None:
            draft = typical_draft_bytes(self._basis.looked_at.total_bytes)
        self.hints = MappingProxyType(
            {row: _hint(row, self._basis, draft, room) for row in self._model.models}
        )
        self.hints_changed.emit(self.hints)


def row_to_look_at(model: HubModel) -> RemoteModel:
    """The row that people are most likely to take, else the middle one. There is at least one."""
    by_name = {row.quantisation: row for row in reversed(model.models)}
    likely = next((by_name[name] for name in _MOST_LIKELY if name in by_name), None)
    return likely or model.models[len(model.models) // 2]


def _hint(row: RemoteModel, basis: _Basis, draft_bytes: int, room: Room) -> FitHint:
    need, exact = rough_need(row.total_bytes), False
    if basis.estimate is not None:
        read = need_of(basis.estimate, row.total_bytes / max(basis.looked_at.total_bytes, 1))
        if read.bytes >= _LEAST_SHARE * row.total_bytes:  # else the header is not its file's
            need, exact = read, row == basis.looked_at and basis.estimate.certain and read.is_complete
    return FitHint(fit_of(need, draft_bytes, room), need.bytes, exact)
