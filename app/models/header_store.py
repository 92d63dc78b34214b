"""The headers of files on the hub, fetched piece by piece until they are whole, and kept on disk."""

import logging
import os
import re
import secrets
import shutil
import time
from collections import defaultdict
from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path
from threading import Lock

from app.core.errors import FileProblem, ModelFileError
from app.models.download_places import is_reserved
from app.models.gguf import read_header
from app.models.header_copy import write_header_copy
from app.models.hub import RemoteFile, RemoteModel
from app.models.window import CopyTooShortError

FIRST_PIECE = 1 << 20  # bytes; each further one doubles what is there
LONGEST_HEADER = 64 << 20

_MOST_KEPT = 200_000_000  # bytes in all
_UNFINISHED = ".new"
_IN_USE = 60.0  # seconds for which a copy is left to whoever asked for it last
_FORGOTTEN = 24 * 3600.0  # seconds after which nobody is still at work on it
_FORBIDDEN = re.compile(r"[^\w. ()+-]|^\.+")
_LONGEST_NAME = 60  # characters, of at most four bytes

Fetch = Callable[[RemoteFile, int, int], bytes]  # a file's bytes from one place to before another, or fewer

_log = logging.getLogger(__name__)


class HeaderStore:
    """Copies of headers in a folder of their own. May be used from several threads.

    Those that were not used for the longest time are removed once all take more than 200 MB.
    """

    def __init__(self, folder: Path, most_bytes: int = _MOST_KEPT) -> None:
        self._folder = folder
        self._most_bytes = most_bytes
        self._locks: defaultdict[str, Lock] = defaultdict(Lock)
        self._guard = Lock()

    def path_of(self, repo: str, commit: str, row: RemoteModel, fetch: Fetch) -> Path:
        """The copy of a row's first file; the others' lie beside it. Fetches what is not there.

        Raises what `fetch` raises, ModelFileError for what is no GGUF file, and OSError.
        """
        key = _key(repo, commit, row)
        with self._guard:
            lock = self._locks[key]
        with lock:
            folder = self._folder / key
            if not self._use(folder, row):
                self._make(folder, row, fetch)
                self._remove_oldest(folder)
            return folder / _local_name(row.files[0])

    def _use(self, folder: Path, row: RemoteModel) -> bool:
        """Whether all is there; if so, it stays for a while."""
        with self._guard:
            if not all((folder / _local_name(file)).is_file() for file in row.files):
                return False
            os.utime(folder)
            return True

    def _make(self, folder: Path, row: RemoteModel, fetch: Fetch) -> None:
        """All or nothing: parts of a set are of no use without the others."""
        unfinished = folder.with_name(f"{folder.name}-{secrets.token_hex(4)}{_UNFINISHED}")
        unfinished.mkdir(parents=True)
        try:
            for file in row.files:
                _copy(unfinished / _local_name(file), file, fetch)
            if folder.exists():
                shutil.rmtree(folder)
            os.utime(unfinished)
            unfinished.replace(folder)
        finally:
            shutil.rmtree(unfinished, ignore_errors=True)

    def _remove_oldest(self, newest: Path) -> None:
        try:
            folders = sorted(self._folder.iterdir(), key=lambda folder: folder.stat().st_mtime, reverse=True)
            total = _bytes_in(newest)
            for folder in folders:
                if folder == newest:
                    continue
                if folder.suffix == _UNFINISHED:
                    if time.time() - folder.stat().st_mtime > _FORGOTTEN:
                        shutil.rmtree(folder, ignore_errors=True)
                    continue
                total += _bytes_in(folder)
                if total > self._most_bytes:
                    self._remove(folder)
        except OSError as error:  # another window of ours may be at the same work
            _log.info("The kept headers could not be tidied up: %s", error)

    def _remove(self, folder: Path) -> None:
        """Unless somebody was given it just now, and has yet to read it."""
        with self._guard:
            if time.time() - folder.stat().st_mtime > _IN_USE:
                shutil.rmtree(folder, ignore_errors=True)


def _copy(path: Path, file: RemoteFile, fetch: Fetch) -> None:
    held = b""
    while True:
        stop = min(max(FIRST_PIECE, 2 * len(held)), file.size, LONGEST_HEADER)
        held += fetch(file, len(held), stop)
        write_header_copy(path, held, file.size)
        try:
            end = read_header(path).data_offset
        except CopyTooShortError:
            if len(held) >= LONGEST_HEADER:
                sentence = f"{path.name} has an absurdly long header. Choose another file."
                raise ModelFileError(path, FileProblem.DAMAGED, sentence) from None
            continue
        write_header_copy(path, held[:end], file.size)
        return


def _key(repo: str, commit: str, row: RemoteModel) -> str:
    """The same for the same files, in whatever repository they lie."""
    digest = blake2b(digest_size=16)
    for file in row.files:
        content = file.sha256 or f"{repo}\n{commit}\n{file.path}"
        digest.update(f"{content}\n{file.size}\n{_local_name(file)}\n".encode())
    return digest.hexdigest()


def _local_name(file: RemoteFile) -> str:
    """As the file is called, so that parts of a set find each other, but harmless on every disk."""
    name = _FORBIDDEN.sub("_", file.name)[-_LONGEST_NAME:]
    return f"_{name}" if is_reserved(name) else name


def _bytes_in(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.iterdir())
