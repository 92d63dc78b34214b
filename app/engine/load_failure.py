"""What went wrong when llama.cpp refused a file, read from the lines it printed."""

import re
from pathlib import Path

from app.core.errors import FileProblem, LoadError, ModelFileError

_UNKNOWN_ARCHITECTURE = re.compile(r"unknown model architecture: '(?P<name>[^']*)'")
_REASON = re.compile(r"error loading model[^:]*:\s*(?P<reason>.+)")


def load_failure(path: Path, log: tuple[str, ...]) -> ModelFileError | LoadError:
    """The failure to raise for a file that was not loaded; `log` is the library's, for this load alone."""
    text = "\n".join(log)
    if unknown := _UNKNOWN_ARCHITECTURE.search(text):
        sentence = (
            f"{path.name} has the architecture “{unknown['name']}”, which this llama.cpp does not know."
        )
        return ModelFileError(path, FileProblem.UNKNOWN_ARCHITECTURE, sentence)
    found = _REASON.search(text)
    reason = found["reason"].strip() if found else "it gave no reason"
    return LoadError(f"llama.cpp could not load {path.name}: {reason}.", log)
