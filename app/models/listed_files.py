"""Which files of the hub are among the models on this computer; made once for a listing, asked often."""

from pathlib import Path

from app.models.download_places import name_here
from app.models.hub import RemoteModel
from app.models.library import Listing
from app.models.model_names import core_name


class ListedFiles:
    """Where files lie that a look at the folders found, by what the hub tells of them."""

    def __init__(self, listing: Listing) -> None:
        models = listing.models
        self._by_name = {
            (model.path.name, model.info.total_bytes): model.path for model in reversed(models)
        }  # of equals, the first that is listed
        self._projectors = {model.projector for model in models if model.projector is not None}
        self._begun = [(_signs_of(model.path), model) for model in models]

    def path_of(self, row: RemoteModel) -> Path | None:
        """The very file, wherever it lies; its size tells it from other versions of it."""
        found = (self._by_name.get((name, row.total_bytes)) for name in _names_of(row))
        return next(filter(None, found), None)

    def projectors_named(self, row: RemoteModel) -> tuple[Path, ...]:
        """Image and audio halves of that name, which many different ones have."""
        names = _names_of(row)
        return tuple(path for path in self._projectors if path.name in names)

    def has_model_of(self, row: RemoteModel, publisher: str) -> bool:
        """Whether this publisher's model is there, in whatever number format. Another's may be another."""
        for wanted in {core_name(Path(name)) for name in _names_of(row)}:
            # Names begin with their core, which takes long to find: few need it.
            if any(
                signs.startswith(wanted)
                and model.publisher.casefold() == publisher.casefold()
                and core_name(model.path) == wanted
                for signs, model in self._begun
            ):
                return True
        return False


def _names_of(row: RemoteModel) -> tuple[str, ...]:
    """What the file is called when this program has brought it, and on the hub: mostly the same."""
    return tuple(dict.fromkeys((name_here(row.files[0]), row.files[0].name)))


def _signs_of(path: Path) -> str:
    return "".join(filter(str.isalnum, path.name.casefold()))
