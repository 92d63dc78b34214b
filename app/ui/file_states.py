"""Where the files of a repository are: on the hub, on their way, or on this computer."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from app.models.download import Download, Finished
from app.models.download_places import model_folder, target_of
from app.models.hub import HubModel, RemoteModel
from app.models.hub_problems import HubError
from app.models.library import Listing
from app.ui.files_table import RowState


def file_states(
    model: HubModel,
    rows: Iterable[RemoteModel],
    models_folder: Path,
    downloads: Sequence[Download],
    listing: Listing,
) -> dict[RemoteModel, RowState]:
    """What is known of the rows that are no longer on the hub alone."""
    by_key = {download.key: download for download in downloads}
    found = {}
    for row in rows:
        download = by_key.get(f"{model.repo}/{row.files[0].path}")
        path = _path_here(model, row, models_folder, listing)
        if path is None and download is not None and isinstance(download.state, Finished):
            finished = download.state.path  # the list of models may not have it yet, or not any more
            path = finished if finished.exists() else None
        if path is not None or download is not None:
            found[row] = RowState(download, path)
    return found


def _path_here(model: HubModel, row: RemoteModel, models_folder: Path, listing: Listing) -> Path | None:
    """The file to load, where it was downloaded to or anywhere else; the size tells other versions apart."""
    target = _target(model, row, models_folder)
    name = row.files[0].name
    for local in listing.models:
        if local.path.name == name and local.info.total_bytes == row.total_bytes:
            return local.path
        if target is not None and local.projector == target:
            return target
    return None


def _target(model: HubModel, row: RemoteModel, models_folder: Path) -> Path | None:
    try:
        return target_of(model_folder(models_folder, model.repo), row.files[0], row.files)
    except HubError:  # a name that no file here can have
        return None
