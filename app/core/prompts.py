"""Prompts to measure with: suites in TOML files, and single prompts in plain text files.

A suite file has a `title` and one or more `[[prompt]]` tables with `id`, `text` and, if wanted,
`system`. Its name, without the ending, is the suite's name.
"""

import tomllib
from pathlib import Path

from msgspec import Struct

from app.core.chat import Message, Role
from app.core.errors import SlipstreamError

LARGEST_FILE = 16 * 1024 * 1024  # bytes; no context holds more text than this
LONGEST_ID = 64  # characters

_SUITE_KEYS = frozenset({"title", "prompt"})
_PROMPT_KEYS = frozenset({"id", "text", "system"})


class PromptFileError(SlipstreamError):
    """A prompt or suite file that cannot be used; carries the file or folder."""

    def __init__(self, path: Path, sentence: str) -> None:
        super().__init__(sentence)
        self.path = path


class Prompt(Struct, frozen=True):
    """One message of a user, with the system message that goes before it."""

    id: str  # unique over all suites that are used together
    text: str
    system: str | None = None
    suite: str | None = None  # the suite's name; None for a prompt from a text file

    @property
    def messages(self) -> tuple[Message, ...]:
        """The prompt as the beginning of a conversation."""
        system = (Message(Role.SYSTEM, self.system),) if self.system else ()
        return (*system, Message(Role.USER, self.text))


class Suite(Struct, frozen=True):
    """Prompts of one kind."""

    name: str
    title: str
    prompts: tuple[Prompt, ...]


def load_suites(folder: Path) -> tuple[Suite, ...]:
    """Every suite in `folder`, by name. Hidden files are passed over.

    Raises PromptFileError when the folder has no suite, when one is damaged, and when two prompts
    of different suites have the same id.
    """
    if not folder.is_dir():
        raise PromptFileError(folder, f"There is no folder {folder}.")
    files = sorted(path for path in folder.glob("*.toml") if not path.name.startswith("."))
    if not files:
        raise PromptFileError(folder, f"The folder {folder} has no prompt suites (files ending in .toml).")
    suites = tuple(load_suite(path) for path in files)
    owners: dict[str, Path] = {}
    for path, suite in zip(files, suites, strict=True):
        for prompt in suite.prompts:
            other = owners.setdefault(prompt.id, path)
            if other != path:
                raise PromptFileError(
                    path, f'The prompt id "{prompt.id}" is in two suites, {other.name} and {path.name}.'
                )
    return suites


def load_suite(path: Path) -> Suite:
    """Reads one suite file. Raises PromptFileError with the first thing that is wrong."""
    try:
        table = tomllib.loads(_read_text(path))
    except tomllib.TOMLDecodeError as error:
        raise PromptFileError(path, f"{path.name} is not a TOML file: {error}.") from error
    except RecursionError as error:
        raise PromptFileError(path, f"{path.name} is nested too deeply to be a prompt suite.") from error
    _refuse_unknown(path, "the suite", frozenset(table) - _SUITE_KEYS)
    title = _string(path, "the suite", table, "title")
    entries = table.get("prompt")
    if not isinstance(entries, list) or not entries:
        raise PromptFileError(path, f"{path.name} has no prompts; each begins with a line [[prompt]].")
    prompts = tuple(_prompt(path, number, entry) for number, entry in enumerate(entries, start=1))
    seen: set[str] = set()
    for prompt in prompts:
        if prompt.id in seen:
            raise PromptFileError(path, f'{path.name} has the prompt id "{prompt.id}" twice.')
        seen.add(prompt.id)
    return Suite(name=path.stem, title=title, prompts=prompts)


def prompt_from_file(path: Path) -> tuple[Prompt, ...]:
    """The prompts of a file: a `.toml` file is a suite, any other file one prompt of plain text.

    A plain prompt's id is the file's stem. Raises PromptFileError.
    """
    return suite_from_file(path).prompts


def suite_from_file(path: Path) -> Suite:
    """The same with its title: one prompt of plain text has its file's name. Raises PromptFileError."""
    if path.suffix.lower() == ".toml":
        return load_suite(path)
    text = _read_text(path).strip("\n")
    if not text.strip():
        raise PromptFileError(path, f"The prompt file {path.name} is empty.")
    return Suite(name=path.stem, title=path.name, prompts=(Prompt(id=path.stem, text=text),))


def _read_text(path: Path) -> str:
    """The file as text with "\\n" at the line ends, a leading byte-order mark left out."""
    try:
        if not path.is_file():  # a device or pipe would block or never end
            raise PromptFileError(path, f"{path} is missing or not a plain file.")
        size = path.stat().st_size
        if size > LARGEST_FILE:
            raise PromptFileError(path, f"{path.name} is too large for a prompt ({size} bytes).")
        content = path.read_bytes()
    except OSError as error:
        raise PromptFileError(path, f"{path} cannot be read: {error.strerror or error}.") from error
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise PromptFileError(path, f"{path.name} is not UTF-8 text (byte {error.start}).") from error
    return text.replace("\r\n", "\n")


def _prompt(path: Path, number: int, entry: object) -> Prompt:
    where = f"prompt {number}"
    if not isinstance(entry, dict):
        raise PromptFileError(path, f"In {path.name}, {where} is not a table.")
    _refuse_unknown(path, where, frozenset(entry) - _PROMPT_KEYS)
    identifier = _string(path, where, entry, "id")
    if len(identifier) > LONGEST_ID or not identifier.isprintable() or identifier != identifier.strip():
        raise PromptFileError(
            path, f"In {path.name}, the id of {where} must be one line of at most {LONGEST_ID} characters."
        )
    system = _string(path, where, entry, "system") if "system" in entry else None
    return Prompt(id=identifier, text=_string(path, where, entry, "text"), system=system, suite=path.stem)


def _string(path: Path, where: str, table: dict[str, object], key: str) -> str:
    value = table.get(key)
    if value is None:
        raise PromptFileError(path, f'In {path.name}, {where} has no "{key}".')
    if not isinstance(value, str):
        raise PromptFileError(path, f'In {path.name}, "{key}" of {where} is not text.')
    if not value.strip():
        raise PromptFileError(path, f'In {path.name}, "{key}" of {where} is empty.')
    return value.strip("\n")


def _refuse_unknown(path: Path, where: str, keys: frozenset[str]) -> None:
    if keys:
        raise PromptFileError(path, f'In {path.name}, {where} has the unknown key "{min(keys)}".')
