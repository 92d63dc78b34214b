"""Loading a target and perhaps its draft from files."""

from pathlib import Path

from app.core.errors import OptionsError
from app.core.estimate import MemoryEstimate
from app.core.machine import memory_in_use
from app.core.options import LoadOptions
from app.engine.drafts import DraftLoader, Drafts, close
from app.engine.llama import Library, LlamaCache, LlamaModel, LoadProgress
from app.engine.memory import CpuFeatures, estimate, uses_memory_map
from app.engine.pair import ModelPair
from app.engine.pair_knowledge import PairKnowledge
from app.engine.vocab import VocabularyCache
from app.models.info import ModelInfo, read_info
from app.models.pair_records import PairRecords
from app.models.sanity import check_token_texts


class PairLoader:
    """Loads targets with their drafts. Made once; keeps what it learnt of vocabularies and the machine."""

    def __init__(
        self,
        library: Library,
        vocabularies: VocabularyCache,
        features: CpuFeatures,
        records: PairRecords | None = None,
    ) -> None:
        """Without `records` nothing is known of pairs from earlier, and nothing is kept."""
        self._library = library
        self._records = records
        self._vocabularies = vocabularies
        self._features = features

    def load(
        self,
        target: Path,
        draft: Path | None,
        options: LoadOptions,
        on_progress: LoadProgress | None = None,
    ) -> ModelPair:
        """Loads a target and, where given, its draft.

        A draft that does not fit or cannot be loaded does not take the target with it: the pair then
        says why it is missing. Raises ModelFileError, LoadError, LoadCancelledError and OptionsError.
        """
        if problems := options.problems():
            raise OptionsError("; ".join(problems))
        info = read_info(target)
        target_share = 1.0 if draft is None else 0.8  # of the progress; most of the bytes are the target's
        before = memory_in_use()
        cache = self._load_one(
            info, options, options.longest_draft + 1, _scaled(on_progress, 0.0, target_share)
        )
        target_bytes = memory_in_use() - before
        drafts = Drafts(DraftLoader(info, cache, self._vocabularies, self._load_one))
        refusal = None
        try:
            if draft is not None:
                refusal = drafts.add_own(draft, options, _scaled(on_progress, target_share, 1.0))
            knowledge = PairKnowledge(self._records, info, options, self._library.version)
            return ModelPair(cache, target_bytes, drafts, refusal, info, options, knowledge)
        except BaseException:
            drafts.clear()
            close(cache)
            raise

    def estimate(self, target: Path, draft: Path | None, options: LoadOptions) -> MemoryEstimate:
        """What `load` will take, from the headers alone. Raises ModelFileError."""
        drafts = None if draft is None else read_info(draft)
        return estimate(read_info(target), drafts, options, options, self._features)

    def _load_one(
        self, info: ModelInfo, options: LoadOptions, most_outputs: int, on_progress: LoadProgress | None
    ) -> LlamaCache:
        check_token_texts(info.path)
        memory_map = uses_memory_map(info, options, self._features)
        model = LlamaModel(self._library, info.path, options, memory_map=memory_map, on_progress=on_progress)
        try:
            return LlamaCache(model, options, most_outputs)
        except BaseException:
            model.close()
            raise


def _scaled(on_progress: LoadProgress | None, start: float, end: float) -> LoadProgress | None:
    """A part of the whole load's progress."""
    if on_progress is None:
        return None
    report = on_progress
    return lambda share: report(start + share * (end - start))
