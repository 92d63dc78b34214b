"""Which of a repository's files is meant, by name or by recommendation."""

import sys
from collections.abc import Callable, Sequence

import psutil

from app.core.errors import SlipstreamError
from app.core.fit import Fit, Room, fit_of, rough_need, typical_draft_bytes
from app.figures import bytes_text
from app.models.hub import HubModel, RemoteModel
from app.models.model_names import printable
from app.models.quantisations import Reason, recommended
from app.tables import Column, Table

_REASONS = {
    Reason.USUAL: "the usual balance of quality and size",
    Reason.SMALL_MODEL: "the model is small, so more bits cost little",
    Reason.BEST_THAT_FITS: "the best that fits into this computer's memory",
}


class NoChoiceError(SlipstreamError):
    """It is not clear which file is meant; `rows` are those that may be."""

    def __init__(self, sentence: str, rows: Sequence[RemoteModel]) -> None:
        super().__init__(sentence)
        self.rows = tuple(rows)


def chosen_row(model: HubModel, name: str | None, with_draft: bool) -> RemoteModel:
    """The row of that name, else the recommended one, which it tells. Raises NoChoiceError."""
    if not model.models and not model.projectors:
        raise NoChoiceError(_without_models(model), ())
    if name is not None:
        return named_row(model, name)
    memory = psutil.virtual_memory()
    room = Room(memory.available, memory.total)
    found = recommended(model.models, lambda row: _fits(row, room, with_draft))
    if found is None:
        free = bytes_text(room.free)
        if any(_fits(row, room, with_draft) for row in model.models):
            reason = f"What fits into the {free} of memory that are free is squeezed so hard that a smaller "
            reason += "model would answer better."
        else:
            reason = f"None of these is likely to fit into the {free} of memory that are free."
        raise NoChoiceError(f"{reason} To have one all the same, name it.", model.models)
    row, reason = found
    print(f"Recommended: {row_text(row)}, {_REASONS[reason]}", file=sys.stderr)
    return row


def named_row(model: HubModel, name: str) -> RemoteModel:
    """The row with a file, or a quantisation, of that name, or of the only name that contains it.

    Raises NoChoiceError where none has, or several have.
    """
    wanted = name.casefold()
    rows = (*model.models, *model.projectors)
    tests: tuple[Callable[[RemoteModel], bool], ...] = (
        lambda row: any(wanted == file.path.casefold() for file in row.files),
        lambda row: any(wanted in (file.name.casefold(), _stem(file.name)) for file in row.files),
        lambda row: wanted == row.quantisation.casefold() and row in model.models,
        lambda row: wanted in row.files[0].path.casefold(),
    )
    for test in tests:
        found = [row for row in rows if test(row)]
        if len(found) == 1:
            return found[0]
        if found:
            raise NoChoiceError(f"“{printable(name)}” may be one of these. Name one of them.", found)
    if any(wanted in (file.path.casefold(), file.name.casefold()) for file in model.unjoined):
        raise NoChoiceError(_without_models(model), rows)
    raise NoChoiceError(f"{model.repo} has no file “{printable(name)}”. It has these.", rows)


def rows_table(rows: Sequence[RemoteModel]) -> Table:
    """What there is to choose from."""
    columns = (Column("file", shortens=True), Column("quantisation"), Column("size", right=True))
    cells = tuple((_files_text(row), row.quantisation, bytes_text(row.total_bytes)) for row in rows)
    return Table(columns, cells)


def row_text(row: RemoteModel) -> str:
    """A row in a few words."""
    return f"{printable(_files_text(row))}, {bytes_text(row.total_bytes)}"


def _files_text(row: RemoteModel) -> str:
    more = f" and {len(row.files) - 1} more" if len(row.files) > 1 else ""
    return row.files[0].path + more


def _fits(row: RemoteModel, room: Room, with_draft: bool) -> bool:
    draft = typical_draft_bytes(row.total_bytes) if with_draft else 0
    return fit_of(rough_need(row.total_bytes), draft, room) is Fit.FITS


def _stem(name: str) -> str:
    return name.casefold().removesuffix(".gguf")


def _without_models(model: HubModel) -> str:
    if model.unjoined:
        return (
            f"{model.repo} has its files cut into pieces, which cannot be used as they are: they have to be "
            "joined by hand. Look for another repository with this model."
        )
    return f"{model.repo} has no GGUF files, which are what Slipstream runs. Look for its name with “GGUF”."
