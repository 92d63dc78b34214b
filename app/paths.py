"""Folders of the user, and the files that come with the program.

Two environment variables change the places. `SLIPSTREAM_HOME` names one folder that then holds everything of
the user (`data`, `config` and `cache` in it): for tests, and for an installation on a stick.
`SLIPSTREAM_DEMO_MODEL` names the file of the small model; `packaging/start.py test` sets it, so that tests
find the model whatever `SLIPSTREAM_HOME` they use.

Nothing here makes a folder: whoever writes does.
"""

import os
import sys
from pathlib import Path

import platformdirs

_NAME = "slipstream"
_DEMO_MODEL = Path("HuggingFaceTB", "SmolLM2-135M-Instruct-GGUF", "SmolLM2-135M-Instruct.Q4_1.gguf")


def data_folder() -> Path:
    """What the user would miss: conversations and models."""
    home = _from_variable("SLIPSTREAM_HOME")
    return home / "data" if home else platformdirs.user_data_path(_NAME, appauthor=False)


def config_folder() -> Path:
    """The settings."""
    home = _from_variable("SLIPSTREAM_HOME")
    return home / "config" if home else platformdirs.user_config_path(_NAME, appauthor=False)


def cache_folder() -> Path:
    """What can be made again at the cost of time."""
    home = _from_variable("SLIPSTREAM_HOME")
    return home / "cache" if home else platformdirs.user_cache_path(_NAME, appauthor=False)


def models_folder() -> Path:
    """Model files, each in `publisher/repository/`."""
    return data_folder() / "models"


def demo_model_path() -> Path:
    """The file of the small model that the demonstration and the tests use; set-up puts it there."""
    return _from_variable("SLIPSTREAM_DEMO_MODEL") or models_folder() / _DEMO_MODEL


def resource(name: str) -> Path:
    """A file or folder in `resources/`, of a source tree or a frozen bundle; `name` has forward slashes."""
    bundle = getattr(sys, "_MEIPASS", None)
    root = Path(bundle) if bundle is not None else Path(__file__).resolve().parent.parent
    return root / "resources" / name


def _from_variable(name: str) -> Path | None:
    """An absolute path from an environment variable; None where it is unset or empty."""
    value = os.environ.get(name)
    return Path(value).expanduser().absolute() if value else None
