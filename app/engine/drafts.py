"""The draft models in memory beside one target: the one loaded with it, and those added to compare with."""

from collections.abc import Callable, Iterator
from pathlib import Path

from msgspec import Struct

from app.core.compatibility import Incompatible
from app.core.errors import LoadCancelledError, OptionsError, SlipstreamError
from app.core.machine import memory_in_use
from app.core.options import LoadOptions
from app.core.protocol import Obstacle, Refusal
from app.engine.llama import LlamaCache, LoadProgress
from app.engine.vocab import VocabularyCache, check_compatibility
from app.models.info import ModelInfo, read_info

LoadCache = Callable[[ModelInfo, LoadOptions, int, LoadProgress | None], LlamaCache]
"""Loads a file and makes a context that gives so many rows of logits in one pass."""


class LoadedDraft(Struct, frozen=True):
    """A draft model in memory; `bytes` is by how much loading it made the process grow."""

    cache: LlamaCache
    bytes: int
    info: ModelInfo


class DraftLoader:
    """Loads draft models for one target."""

    def __init__(
        self, target: ModelInfo, cache: LlamaCache, vocabularies: VocabularyCache, load: LoadCache
    ) -> None:
        """`cache` is the target's."""
        self._target = target
        self._cache = cache
        self._vocabularies = vocabularies
        self._load = load

    def load(
        self, path: Path, options: LoadOptions, on_progress: LoadProgress | None = None
    ) -> LoadedDraft | Refusal:
        """Loads a draft model, or says why it cannot serve. `options` are the target's.

        Raises LoadCancelledError.
        """
        refusal = target_refusal(self._cache)
        if refusal is not None:
            return refusal
        before = memory_in_use()
        try:
            info = read_info(path)
            verdict = check_compatibility(self._target.path, info.path, self._vocabularies)
            if isinstance(verdict, Incompatible):
                sentence = f"{path.name} cannot draft for {self._target.path.name}: {verdict.sentence()}."
                return Refusal(Obstacle.INCOMPATIBLE, sentence)
            fitted = options.for_draft(self._cache.context_length, info.context_length)
            draft = self._load(info, fitted, 1, on_progress)
            if on_progress is not None and not on_progress(1.0):  # making the context hears nothing
                close(draft)
                raise LoadCancelledError(f"Loading {path.name} was cancelled.")
        except LoadCancelledError:
            raise
        except SlipstreamError as error:
            return Refusal(Obstacle.NOT_LOADED, str(error))
        if draft.rollback_limit < options.longest_draft:
            close(draft)
            sentence = f"{path.name} cannot take back rejected tokens, so it is of no use as a draft model."
            return Refusal(Obstacle.DRAFT_CANNOT_ROLL_BACK, sentence)
        return LoadedDraft(draft, max(0, memory_in_use() - before), info)


class Drafts:
    """Draft models by the paths they were asked for with."""

    def __init__(self, loader: DraftLoader) -> None:
        self._loader = loader
        self._loaded: dict[Path, LoadedDraft] = {}
        self._most_bytes = 0  # that they ever had together
        self.own: LoadedDraft | None = None  # the one that was loaded with the target

    def add_own(
        self, path: Path, options: LoadOptions, on_progress: LoadProgress | None = None
    ) -> Refusal | None:
        """Loads the one that belongs to the target, or says why it is missing. Raises LoadCancelledError."""
        added = self.add(path, options, on_progress)
        if isinstance(added, Refusal):
            return added
        self.own = added
        return None

    def add(
        self, path: Path, options: LoadOptions, on_progress: LoadProgress | None = None
    ) -> LoadedDraft | Refusal:
        """Loads one more, unless it is there. Raises LoadCancelledError and OptionsError."""
        found = self._loaded.get(path)
        if found is not None:
            return found
        if problems := options.problems():
            raise OptionsError("; ".join(problems))
        added = self._loader.load(path, options, on_progress)
        if isinstance(added, LoadedDraft):
            self._loaded[path] = added
            self._most_bytes = max(self._most_bytes, self._bytes)
        return added

    def find(self, path: Path | None) -> LoadedDraft | None:
        """One that is there; for None the target's own, if it has one. Raises OptionsError."""
        if path is None:
            return self.own
        found = self._loaded.get(path)
        if found is None:
            raise OptionsError(f"The draft model {path.name} is not loaded.")
        return found

    def remove(self, path: Path) -> None:
        """Frees one that was added, if it is there; the target's own stays."""
        found = self._loaded.get(path)
        if found is not None and found is not self.own:
            del self._loaded[path]
            close(found.cache)

    def clear(self) -> None:
        """Frees all."""
        self.own = None
        for path in list(self._loaded):
            self.remove(path)

    def __iter__(self) -> Iterator[LoadedDraft]:
        return iter(self._loaded.values())

    def peak_without_idle(self, peak: int, now: int, used: LoadedDraft | None) -> int:
        """The most memory that the process would have had with the draft model in use alone.

        `peak` is the most that it has had, when there may have been more of them than now; `now` is what
        it has.
        """
        in_use = 0 if used is None else used.bytes
        return max(peak - self._most_bytes, now - self._bytes) + in_use

    @property
    def _bytes(self) -> int:
        return sum(draft.bytes for draft in self)


def target_refusal(target: LlamaCache) -> Refusal | None:
    """Why no draft model is of use to a target; None where one may be."""
    if target.rollback_limit > 0:
        return None
    sentence = (
        f"{target.model.path.name} keeps a running state that cannot take back rejected tokens, "
        "so it runs without speculation."
    )
    return Refusal(Obstacle.TARGET_CANNOT_ROLL_BACK, sentence)


def close(cache: LlamaCache) -> None:
    """Frees a context and its weights."""
    cache.close()
    cache.model.close()
