"""What was learnt of pairs of models, on disk: a small file for each target with its draft."""

import logging
import os
from hashlib import blake2b
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from app.core.errors import ModelFileError
from app.core.experiment import ModelIdentity
from app.core.learnt import Learnt
from app.core.machine import usable_cores
from app.core.options import LoadOptions
from app.core.pair_record import AnsweredSpeedup, MeasuredPair, PairRecord
from app.core.pass_costs import PassCosts
from app.models.cache_file import CacheFile
from app.models.info import ModelInfo
from app.models.model_identity import model_identity

_FORMAT = "1"
_SUFFIX = ".msgpack"
_MOST_FILES = 200
_MOST_SETTINGS = 8  # for which a file keeps costs, the latest

_log = logging.getLogger(__name__)


class _Measured(Struct, frozen=True):
    """What passes cost under some settings."""

    version: str  # of the native library
    load: LoadOptions  # see _that_matters
    costs: PassCosts


class _Kept(Struct, frozen=True):
    """What a file holds."""

    target: ModelIdentity
    draft: ModelIdentity | None
    measured: tuple[_Measured, ...] = ()  # the latest, oldest first
    learnt: Learnt = Learnt()
    answers: tuple[AnsweredSpeedup, ...] = ()

    def costs(self, version: str, load: LoadOptions) -> PassCosts | None:
        """Those under these settings; None where they were not measured."""
        found = (each.costs for each in self.measured if (each.version, each.load) == (version, load))
        return next(found, None)


class PairRecords:
    """Records in a folder of their own, those that were not written for the longest time removed.

    Models are known by their files' names, sizes and headers, wherever they lie. What cannot be read, or
    belongs to another model, counts as nothing known; what cannot be written is lost; both are logged. May be
    used from several threads and processes: each file is whole at any time, and the last to write it wins.
    """

    def __init__(self, folder: Path, most_files: int = _MOST_FILES) -> None:
        self._folder = folder
        self._most_files = most_files
        self._identities: dict[tuple[Path, int, int], ModelIdentity] = {}

    def read(self, target: ModelInfo, draft: ModelInfo | None, load: LoadOptions, version: str) -> PairRecord:
        """What is known of a target with a draft model, or without any; `load` are the target's options.

        `version` is the native library's.
        """
        kept = self._read(target, draft)
        if kept is None:
            return PairRecord()
        return PairRecord(kept.costs(version, _that_matters(load)), kept.learnt, kept.answers)

    def write(
        self,
        target: ModelInfo,
        draft: ModelInfo | None,
        load: LoadOptions,
        version: str,
        record: PairRecord,
    ) -> None:
        """Keeps a record; one without costs makes those under its settings unknown."""
        kept = self._read(target, draft) or self._nothing(target, draft)
        if kept is None:
            return
        load = _that_matters(load)
        others = [each for each in kept.measured if (each.version, each.load) != (version, load)]
        latest = [] if record.costs is None else [_Measured(version, load, record.costs)]
        measured = tuple((others + latest)[-_MOST_SETTINGS:])
        kept = replace(kept, measured=measured, learnt=record.learnt, answers=record.answers)
        path = self._path(kept.target, kept.draft)
        _cache_file(path).write(msgspec.msgpack.encode(kept))
        self._remove_oldest()

    def costs_of_format(self, quantisation: str, load: LoadOptions, version: str) -> tuple[MeasuredPair, ...]:
        """Steady costs of targets of one quantisation, with as many threads and GPU layers; latest first.

        For estimates, so that the context and the like need not be the same. Reads every file: not for the
        event loop.
        """
        load = _that_matters(load)
        found: list[MeasuredPair] = []
        for path in self._files():
            kept = _content(path)
            if kept is None or kept.target.quantisation != quantisation:
                continue
            for each in reversed(kept.measured):
                alike = (each.load.threads, each.load.gpu_layers) == (load.threads, load.gpu_layers)
                if alike and each.version == version and each.costs.is_steady:
                    found.append(MeasuredPair(kept.target, kept.draft, each.costs))
                    break
        return tuple(found)

    def _read(self, target: ModelInfo, draft: ModelInfo | None) -> _Kept | None:
        nothing = self._nothing(target, draft)
        if nothing is None:
            return None
        kept = _content(self._path(nothing.target, nothing.draft))
        if kept is None or (kept.target, kept.draft) != (nothing.target, nothing.draft):
            return None
        return kept

    def _nothing(self, target: ModelInfo, draft: ModelInfo | None) -> _Kept | None:
        """What is kept of models of which nothing is known; None where their files cannot be read."""
        try:
            return _Kept(self._identity(target), None if draft is None else self._identity(draft))
        except (ModelFileError, OSError) as error:
            _log.warning("What is known of %s is left aside: %s", target.path.name, error)
            return None

    def _identity(self, info: ModelInfo) -> ModelIdentity:
        """Reading a header takes a tenth of a second, so it is read once for a file as it is."""
        stat = info.path.stat()
        key = (info.path, stat.st_size, stat.st_mtime_ns)
        found = self._identities.get(key)
        if found is None:
            found = self._identities[key] = model_identity(info)
        return found

    def _path(self, target: ModelIdentity, draft: ModelIdentity | None) -> Path:
        name = blake2b(digest_size=16)
        for model in (target, draft):
            if model is not None:
                name.update(f"{model.file}\n{model.size_bytes}\n{model.header_digest}\n".encode())
        return self._folder / (name.hexdigest() + _SUFFIX)

    def _files(self) -> list[Path]:
        """Those that there are, the latest first."""
        try:
            with os.scandir(self._folder) as entries:
                dated = [
                    (entry.stat().st_mtime_ns, entry.path)
                    for entry in entries
                    if entry.name.endswith(_SUFFIX)
                ]
        except FileNotFoundError:
            return []
        except OSError as error:  # another process may be at the same work
            _log.warning("The records of pairs could not be listed: %s", error)
            return []
        return [Path(path) for _, path in sorted(dated, reverse=True)]

    def _remove_oldest(self) -> None:
        for path in self._files()[self._most_files :]:
            try:
                path.unlink(missing_ok=True)
            except OSError as error:
                _log.warning("An old record of a pair could not be removed: %s", error)


def _that_matters(load: LoadOptions) -> LoadOptions:
    """The options without those that change no pass's time, and with the threads that "automatic" means."""
    return replace(
        load,
        threads=load.threads or usable_cores(),
        keep_in_memory=False,
        rope_frequency_base=None,
        rope_frequency_scale=None,
    )


def _content(path: Path) -> _Kept | None:
    data = _cache_file(path).read()
    if data is None:
        return None
    try:
        return msgspec.msgpack.decode(data, type=_Kept)
    except msgspec.MsgspecError as error:
        _log.warning("A record of a pair is damaged: %s", error)
        return None


def _cache_file(path: Path) -> CacheFile:
    return CacheFile(path, "pair records", _FORMAT)
