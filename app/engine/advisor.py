"""What can be said about models before they are loaded, quickly and from any thread. Loads no llama.cpp."""

from pathlib import Path
from threading import Lock

from msgspec import Struct

from app.core.compatibility import Compatibility
from app.core.estimate import MemoryEstimate
from app.core.options import LoadOptions
from app.core.pair_expectation import DraftLengths, PairExpectation
from app.engine.cpu_features import CpuFeatures
from app.engine.memory import WeighedModel, estimate_weighed, weigh
from app.engine.vocab import VocabularyCache, check_compatibility
from app.models.expectations import Expectations
from app.models.header_index import HeaderIndex, Stamp, stamp_of
from app.models.parts import parts_of

_MOST_MODELS = 64  # remembered


class _Known(Struct, frozen=True):
    stamps: tuple[Stamp, ...]
    model: WeighedModel


class ModelAdvisor:
    """The `Advisor` of app.core.advice.

    What it read is remembered by path, size and time of change, so that answers are those for the files as
    they are now. Weighing a model for the first time takes some 0.1 s, an estimate with other options then
    well under 1 ms. A check of vocabularies never keeps an estimate waiting.
    """

    def __init__(
        self,
        headers: HeaderIndex,
        vocabularies: VocabularyCache,
        features: CpuFeatures,
        expectations: Expectations,
    ) -> None:
        self._headers = headers
        self._expectations = expectations
        self._features = features
        self._vocabularies = vocabularies
        self._vocabularies_lock = Lock()
        self._known: dict[Path, _Known] = {}
        self._known_lock = Lock()

    def compatibility(self, target: Path, draft: Path) -> Compatibility:
        """Whether a draft model's vocabulary fits. Raises ModelFileError."""
        with self._vocabularies_lock:
            return check_compatibility(target, draft, self._vocabularies)

    def estimate(self, target: Path, draft: Path | None, options: LoadOptions) -> MemoryEstimate:
        """The memory that loading will take. Raises ModelFileError."""
        weighed_draft = None if draft is None else self._weighed(draft)
        return estimate_weighed(self._weighed(target), weighed_draft, options, options)

    def expectation(
        self, target: Path, draft: Path | None, options: LoadOptions, lengths: DraftLengths
    ) -> PairExpectation:
        """What a draft gains for a target here, or prompt lookup for None. Raises ModelFileError."""
        return self._expectations.of(target, draft, options, lengths)

    def _weighed(self, path: Path) -> WeighedModel:
        stamps = tuple(stamp_of(part) for part in parts_of(path))
        with self._known_lock:
            known = self._known.get(path)
        if known is not None and known.stamps == stamps:
            return known.model
        model = weigh(self._headers.read(path), self._features)
        with self._known_lock:
            self._known.pop(path, None)
            self._known[path] = _Known(stamps, model)
            for oldest in list(self._known)[: max(len(self._known) - _MOST_MODELS, 0)]:
                del self._known[oldest]
        return model
