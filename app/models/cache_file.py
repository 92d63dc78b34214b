"""A file of things that can be made again: written all or nothing, and taken for empty when damaged."""

import logging
import os
import tempfile
from hashlib import blake2b
from pathlib import Path

_CHECK_BYTES = 16

_log = logging.getLogger(__name__)


class CacheFile:
    """`what` names the cache in the log; a file of another `version` is not read. Without a path, no file."""

    def __init__(self, path: Path | None, what: str, version: str) -> None:
        self._path = path
        self._what = what
        self._heading = f"slipstream {what} {version}\n".encode()

    def read(self) -> bytes | None:
        """What `write` was given last; None where there is none, or nothing that can be used."""
        if self._path is None:
            return None
        try:
            data = self._path.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            _log.warning("The %s cache could not be read: %s", self._what, error)
            return None
        begin = len(self._heading) + _CHECK_BYTES
        content = data[begin:]
        if data[:begin] == self._heading + _check(content):
            return content
        _log.warning("The %s cache is damaged or of another version; it starts empty.", self._what)
        return None

    def write(self, content: bytes) -> None:
        """Keeps `content`. A disk that cannot be written is only logged."""
        if self._path is None:
            return
        try:
            write_whole(self._path, self._heading + _check(content) + content)
        except OSError as error:
            _log.warning("The %s cache could not be saved: %s", self._what, error)


def write_whole(path: Path, data: bytes, *, durable: bool = False) -> None:
    """Replaces a file: the old or the new one is whole, whatever happens. Raises OSError.

    `durable` ones are on the disk before the old one goes, so that a power cut does not leave an empty file.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=path.name, delete=False) as file:
        temporary = Path(file.name)
        try:
            file.write(data)
            if durable:
                file.flush()
                os.fsync(file.fileno())
            file.close()
            temporary.replace(path)
        except OSError:
            temporary.unlink(missing_ok=True)
            raise


def _check(content: bytes) -> bytes:
    return blake2b(content, digest_size=_CHECK_BYTES).digest()
