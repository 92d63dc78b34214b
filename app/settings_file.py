"""The settings on disk: read with care, saved atomically."""

import codecs
import contextlib
import json
import os
import tempfile
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote_from_bytes, unquote_to_bytes

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from app.core.errors import SlipstreamError
from app.core.options import GenerationLimits, LoadOptions, SamplingOptions, SpeculationOptions
from app.settings import ModelConfig, Settings

VERSION = 1  # of the file's form; a higher one is not read

_LARGEST = {"seed": 2**32 - 1}  # whole numbers otherwise have to fit into 32 bits, signed
_ESCAPED = "file:"  # how a path begins in the file whose bytes are no valid text

Group = TypeVar("Group", bound=Struct)


class SettingsError(SlipstreamError):
    """The settings could not be saved."""


class SettingsFile:
    """The settings on disk: JSON that people can read and edit."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._problems: tuple[str, ...] = ()

    @property
    def problems(self) -> tuple[str, ...]:
        """Sentences on what the last `load` could not use."""
        return self._problems

    def load(self) -> Settings:
        """What is saved; defaults for whatever is missing or cannot be used.

        A file that cannot be used at all is kept beside as `settings.damaged.json`. Never raises.
        """
        self._problems = ()
        try:
            content = self.path.read_bytes().removeprefix(codecs.BOM_UTF8)
            raw = msgspec.json.decode(content, type=dict[str, Any])
        except FileNotFoundError:
            return Settings()
        except (OSError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            self._set_aside("The settings could not be read")
            return Settings()
        if raw.get("version") != VERSION:
            self._set_aside("The settings are of another version of Slipstream")
            return Settings()
        refused: list[str] = []
        settings = _group(Settings, raw, "", refused)
        if refused:
            names = ", ".join(refused[:5]) + (", …" if len(refused) > 5 else "")
            self._problems = (f"Some settings could not be used and are at their defaults: {names}.",)
        return settings

    def save(self, settings: Settings) -> None:
        """Replaces the file; whatever happens, the old or the new one is whole. Raises SettingsError."""
        values = {"version": VERSION, **msgspec.to_builtins(settings, str_keys=True, enc_hook=_path_text)}
        # "replace": half a character, as a text field may hold, must not keep everything else from disk.
        content = json.dumps(values, indent=2, ensure_ascii=False).encode("utf-8", "replace")
        try:
            _write(Path(os.path.realpath(self.path)), content + b"\n")
        except OSError as error:
            raise SettingsError(
                f"The settings could not be saved to {_shown(self.path)}: {error.strerror or error}."
            ) from error

    def _set_aside(self, what: str) -> None:
        aside = self.path.with_name(f"{self.path.stem}.damaged.json")
        try:
            self.path.replace(aside)
        except OSError as error:
            self._problems = (f"{what}, so the defaults are used ({error.strerror or error}).",)
        else:
            self._problems = (f"{what}, so the defaults are used. The file is kept as {_shown(aside)}.",)


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=path.name, suffix=".new", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except BaseException:
        with contextlib.suppress(OSError):  # the first failure is the one to tell
            Path(name).unlink()
        raise


def _group(kind: type[Group], raw: object, name: str, refused: list[str]) -> Group:
    """A struct with every value that can be used; what cannot is named in `refused` and left out."""
    if not isinstance(raw, dict):
        refused.append(name)
        return kind()
    values: dict[str, Any] = {}
    for field in msgspec.structs.fields(kind):
        full_name = f"{name}.{field.name}".removeprefix(".")
        if field.name not in raw:
            continue
        value = raw[field.name]
        if isinstance(field.type, type) and issubclass(field.type, Struct):
            values[field.name] = _group(field.type, value, full_name, refused)
        elif field.type == dict[Path, ModelConfig]:
            values[field.name] = _configs(value, full_name, refused)
        else:
            try:
                if isinstance(value, int) and abs(value) > _LARGEST.get(field.name, 2**31 - 1):
                    raise ValueError("too large a number")
                values[field.name] = msgspec.convert(value, field.type, dec_hook=_path)
            except ValueError:  # msgspec's own included
                refused.append(full_name)
    return _without_problems(kind(**values), name, refused)


def _without_problems(group: Group, name: str, refused: list[str]) -> Group:
    """A group whose values hold together: with one of them at its default, else all of them."""
    if not isinstance(
        group, (LoadOptions, SpeculationOptions, SamplingOptions, GenerationLimits, ModelConfig)
    ):
        return group
    if not group.problems():
        return group
    default = type(group)()
    for field in msgspec.structs.fields(group):
        mended = replace(group, **{field.name: getattr(default, field.name)})
        if not mended.problems():
            refused.append(f"{name}.{field.name}")
            return mended
    refused.append(name)
    return default


def _configs(raw: object, name: str, refused: list[str]) -> dict[Path, ModelConfig]:
    if not isinstance(raw, dict):
        refused.append(name)
        return {}
    configs = {}
    for key, value in raw.items():
        try:
            path = _path(Path, key)
        except ValueError:
            refused.append(f"{name} for “{key}”")
            continue
        configs[path] = _group(ModelConfig, value, f"{name} for {_shown(Path(path.name))}", refused)
    return configs


def _path_text(value: object) -> str:
    """A path as text. Names on disk need not be valid text: then as a URL, byte by byte."""
    if not isinstance(value, Path):
        raise NotImplementedError(f"{type(value)} is no setting")
    text = str(value)
    try:
        text.encode()
    except UnicodeEncodeError:
        return _ESCAPED + quote_from_bytes(os.fsencode(value))
    return f"{_ESCAPED}{quote_from_bytes(text.encode())}" if text.startswith(_ESCAPED) else text


def _path(wanted: type, text: object) -> Path:
    if wanted is not Path or not isinstance(text, str):
        raise ValueError(f"{text!r} is no path")
    if text.startswith(_ESCAPED):
        text = os.fsdecode(unquote_to_bytes(text.removeprefix(_ESCAPED)))
    if not text or "\0" in text:
        raise ValueError(f"{text!r} is no path")
    return Path(text)


def _shown(path: Path) -> str:
    return os.fsencode(path).decode("utf-8", "replace")
