"""Names and publishers for people, from where a file lies, what it is called, and what its header says.

Headers often carry the name of some ancestor ("LLaMA v2", "models"), so a file's own name comes first; the
header lends its capital letters. A publisher is the folder of that name, as LM Studio and the Hugging Face
cache lay files out, else what the header says.
"""

import os
import re
import unicodedata
from collections.abc import Iterable
from pathlib import Path, PurePath

from app.models.info import ModelInfo

_LONGEST = 120  # characters
_JOINERS = "\u200c\u200d"  # invisible, but part of how some scripts and emoji are written
_HUB_MARK = "models--"
_HUB_FOLDER = re.compile(r"models--(?P<publisher>.+?)--(?P<name>.+)")
_SET = re.compile(r"-\d{5}-of-\d{5}$")
_QUANTISATION = r"(ud-)?(i?q\d(_(\d|k|nl|p|x{0,2}[sl]|m))*|tq\d(_\d)?|b?f16|fp?(16|32)|mxfp4(_moe)?|nvfp4)"
_NAMED_QUANTISATION = re.compile(rf"(?<![^\W_]){_QUANTISATION}(?![^\W_])", re.IGNORECASE)
_FORMAT = re.compile(rf"[-._ ]+({_QUANTISATION}|gguf|imat(rix)?|i1)$", re.IGNORECASE)
_WORDS = re.compile(r"[-_\s]+")
_SAYS_NOTHING = frozenset(("", "model", "ggml-model", "ggml", "gguf", "main", "weights", "merged", "output"))


def printable(text: str, longest: int = 1000) -> str:
    """The text with what no screen can show replaced, on one line, and cut to `longest` characters."""
    shown = "".join(sign if _is_printable(sign) else "\ufffd" for sign in text)
    return shown if len(shown) <= longest else shown[: longest - 1] + "…"


def publisher_of(info: ModelInfo, below: PurePath) -> str:
    """Who published a model; empty if nothing tells. `below` is the file's path inside the folder."""
    hub = _hub_folder(info.path)
    if hub is not None:
        return printable(hub["publisher"], _LONGEST)
    if len(below.parts) >= 3:  # publisher/model/file
        return printable(below.parts[-3], _LONGEST)
    return printable((info.organisation or "").strip(), _LONGEST)


def name_of(info: ModelInfo, below: PurePath) -> str:
    """A model's name for people; never empty."""
    stem = without_format(info.path.name)
    if stem.casefold() in _SAYS_NOTHING:
        hub = _hub_folder(info.path)
        folder = hub["name"] if hub is not None else below.parent.name
        stem = without_format(folder) or (info.name or "").strip() or info.path.stem
    words = [word for word in _WORDS.split(stem) if word] or [info.path.name]
    known = _spellings((info.name, info.basename, info.finetune, info.size_label))
    return printable(" ".join(known.get(word, word) for word in words), _LONGEST)


def file_title(path: Path) -> str:
    """A file's name without its ending and its number in a set: tells models apart that share a name."""
    return printable(_SET.sub("", path.stem), _LONGEST)


def core_name(path: Path) -> str:
    """A name's letters and digits alone, without the number format: the same for all quantisations."""
    return "".join(sign for sign in without_format(path.name).casefold() if sign.isalnum())


def hub_root(path: Path) -> Path | None:
    """The folder of a repository in the Hugging Face cache that a file lies in; None for files elsewhere."""
    if _HUB_MARK not in os.fspath(path):  # most paths: this is asked for every file at every look
        return None
    return next((folder for folder in path.parents if _HUB_FOLDER.fullmatch(folder.name)), None)


def without_format(name: str) -> str:
    """A file's or repository's name without its ending, its number in a set, and its number format."""
    stem = re.sub(r"\.gguf$", "", name, flags=re.IGNORECASE)
    stem = _SET.sub("", stem)
    while (shorter := _FORMAT.sub("", stem)) != stem:
        stem = shorter
    return stem.strip()


def quantisation_in(name: str) -> str:
    """The number format that a name tells of, such as "Q4_K_M" or "UD-Q4_K_XL"; empty where it tells none.

    The last one counts: what stands before it belongs to the model.
    """
    found = [match[0].upper() for match in _NAMED_QUANTISATION.finditer(name)]
    return re.sub(r"^FP(?=\d)", "F", found[-1]) if found else ""


def _is_printable(sign: str) -> bool:
    return sign.isprintable() or unicodedata.category(sign) == "Zs" or sign in _JOINERS


def _spellings(sources: Iterable[str | None]) -> dict[str, str]:
    """How the header spells words that a file's name may have in small letters; the last source wins."""
    return {
        word.casefold(): word
        for source in sources
        for word in _WORDS.split(source or "")
        if word and word != word.casefold()
    }


def _hub_folder(path: Path) -> re.Match[str] | None:
    root = hub_root(path)
    return None if root is None else _HUB_FOLDER.fullmatch(root.name)
