"""Which projector (the image or audio half, "mmproj") belongs to which model of its folder."""

import re
from collections.abc import Iterable
from pathlib import Path

from app.models.model_names import core_name

_MARK = re.compile(r"mm-?proj(ector)?|model", re.IGNORECASE)


def looks_like_projector(path: Path) -> bool:
    """Whether a file's name says that it is one."""
    return path.name.lower().endswith(".gguf") and "mmproj" in path.name.lower()


def projector_for(model: Path, beside: Iterable[Path], projectors: Iterable[Path]) -> Path | None:
    """The projector of a model; `beside` are all models of its folder, `projectors` all projectors.

    In a folder with quantisations of one model alone, any. Else one that carries the model's name, or one
    without a name of its own ("mmproj-F16.gguf").
    """
    name = core_name(model)
    alone = all(core_name(other) == name for other in beside)
    fitting = [
        (-len(own), path)
        for path in projectors
        if name.startswith(own := core_name(Path(_MARK.sub("", path.name)))) or alone
    ]
    return min(fitting)[1] if fitting else None
