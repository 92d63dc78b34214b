"""A target and perhaps its draft, loaded: what answers requests.

Used by the command line and the tests in their own process, and by the engine process for the window.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec.structs import replace

from app.core.chat import Message
from app.core.compatibility import Incompatible
from app.core.errors import LoadCancelledError, OptionsError, SlipstreamError, TemplateError
from app.core.estimate import MemoryEstimate
from app.core.machine import memory_in_use
from app.core.options import (
    AcceptanceRule,
    GenerationLimits,
    LoadOptions,
    SamplingOptions,
    SpeculationMode,
    SpeculationOptions,
)
from app.core.protocol import Done, Obstacle, Refusal, Round
from app.engine.cache import Progress
from app.engine.drafting import Drafter, LookupDrafter, ModelDrafter
from app.engine.generate import Generation, Speculation
from app.engine.llama import Library, LlamaCache, LlamaModel, LoadProgress
from app.engine.memory import CpuFeatures, estimate, uses_memory_map
from app.engine.policy import FixedPolicy
from app.engine.sampling import Sampler
from app.engine.stopping import StopSignal
from app.engine.template import NEXT_TURN, ChatTemplate, TemplateForm
from app.engine.tokens import Logits, Tokens
from app.engine.vocab import VocabularyCache, check_compatibility
from app.models.info import ModelInfo, read_info
from app.models.sanity import check_token_texts


class ModelPair:
    """A loaded target, with its draft where one was asked for and fits.

    `draft_refusal` says why the draft is missing, `refusal` why this target cannot be drafted for.
    """

    def __init__(
        self,
        target: LlamaCache,
        draft: LlamaCache | None,
        draft_refusal: Refusal | None,
        longest_draft: int,
        target_bytes: int,
        draft_bytes: int,
    ) -> None:
        """`target_bytes` and `draft_bytes`: by how much each load made the process grow."""
        self.target = target
        self.draft = draft
        self.draft_refusal = draft_refusal
        self.refusal = _target_refusal(target)
        self.target_bytes = target_bytes
        self.draft_bytes = draft_bytes
        self._longest_draft = min(longest_draft, target.rollback_limit)
        self._table = target.vocabulary
        self.template_problem: TemplateError | None = None
        try:
            self.template = _template(target, target.model.chat_template)
        except TemplateError as error:
            self.template_problem = error
            self.template = _template(target, None)

    @property
    def context_length(self) -> int:
        """How many tokens the target's context holds."""
        return self.target.context_length

    @property
    def has_draft(self) -> bool:
        """True where a draft model is in memory."""
        return self.draft is not None

    def prompt_tokens(self, messages: Sequence[Message]) -> Tokens:
        """A conversation as the target's prompt, ready for its answer. Raises TemplateError."""
        return self.tokenize(self.template.render(messages))

    def tokenize(self, text: str) -> Tokens:
        """Text with control tokens written out, beginning as the target wants its prompts to begin."""
        vocabulary = self._table
        begins = bool(vocabulary.bos_text) and text.startswith(vocabulary.bos_text)
        return vocabulary.tokenize(text, add_special=vocabulary.adds_bos and not begins)

    def generate(
        self,
        prompt: Tokens,
        sampling: SamplingOptions,
        speculation: SpeculationOptions,
        limits: GenerationLimits,
        stop: StopSignal,
        on_prefill: Progress | None = None,
    ) -> Iterator[Round | Done]:
        """Answers a prompt: Round after Round, then Done.

        Runs plain where the asked-for drafting is impossible; `refusal` and `draft_refusal` say why.
        Raises OptionsError, GrammarError and PromptTooLongError before anything is read.
        """
        if problems := speculation.problems() + limits.problems():
            raise OptionsError("; ".join(problems))
        if self.template.form is TemplateForm.PLAIN:
            limits = replace(limits, stop_strings=(*limits.stop_strings, NEXT_TURN))
        for cache in (self.target, self.draft):
            if cache is not None:
                cache.attach(stop)
        sampler = Sampler(self._table, sampling, prompt)
        try:
            generation = Generation(
                self.target, self._table, sampler, self._speculation(sampler, speculation), limits, stop
            )
            yield from generation.rounds(prompt, on_prefill)
        finally:
            sampler.close()

    def logits_after(self, tokens: Tokens) -> Logits:
        """The target's logits after a text, as plain generation would see them: (vocabulary,)."""
        self.target.attach(StopSignal())
        return self.target.sync(tokens).copy()

    def forget(self) -> None:
        """Empties both caches, so that the next prompt is read from its beginning."""
        self.target.clear()
        if self.draft is not None:
            self.draft.clear()

    def close(self) -> None:
        """Frees everything."""
        for cache in (self.draft, self.target):
            if cache is not None:
                _close(cache)

    def _speculation(self, sampler: Sampler, options: SpeculationOptions) -> Speculation | None:
        drafter = self._drafter(sampler, options)
        if drafter is None or self.refusal is not None:
            return None
        return Speculation(drafter, FixedPolicy(options, self._longest_draft), options)

    def _drafter(self, sampler: Sampler, options: SpeculationOptions) -> Drafter | None:
        match options.mode:
            case SpeculationMode.PROMPT_LOOKUP:
                return LookupDrafter(options, self._table)
            case SpeculationMode.DRAFT_MODEL if self.draft is not None:
                shares_noise = options.acceptance is AcceptanceRule.MATCH
                return ModelDrafter(
                    self.draft,
                    self._table,
                    lambda: sampler.draft_chooser(shares_noise=shares_noise),
                    options.draft_probability,
                )
            case _:
                return None


class PairLoader:
    """Loads targets with their drafts. Made once; keeps what it learnt of vocabularies and the machine."""

    def __init__(self, library: Library, vocabularies: VocabularyCache, features: CpuFeatures) -> None:
        self._library = library
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
        between = memory_in_use()
        found: LlamaCache | Refusal | None = None
        if draft is not None:
            try:
                progress = _scaled(on_progress, target_share, 1.0)
                found = self._load_draft(info, draft, options, cache, progress)
            except BaseException:
                _close(cache)
                raise
        return ModelPair(
            cache,
            found if isinstance(found, LlamaCache) else None,
            found if isinstance(found, Refusal) else None,
            options.longest_draft,
            target_bytes=between - before,
            draft_bytes=memory_in_use() - between if isinstance(found, LlamaCache) else 0,
        )

    def estimate(self, target: Path, draft: Path | None, options: LoadOptions) -> MemoryEstimate:
        """What `load` will take, from the headers alone. Raises ModelFileError."""
        drafts = None if draft is None else read_info(draft)
        return estimate(read_info(target), drafts, options, options, self._features)

    def _load_draft(
        self,
        target: ModelInfo,
        path: Path,
        options: LoadOptions,
        cache: LlamaCache,
        on_progress: LoadProgress | None,
    ) -> LlamaCache | Refusal:
        refusal = _target_refusal(cache)
        if refusal is not None:
            return refusal
        try:
            info = read_info(path)
            verdict = check_compatibility(target.path, info.path, self._vocabularies)
            if isinstance(verdict, Incompatible):
                sentence = f"{path.name} cannot draft for {target.path.name}: {verdict.sentence()}."
                return Refusal(Obstacle.INCOMPATIBLE, sentence)
            fitted = options.for_draft(cache.context_length, info.context_length)
            draft = self._load_one(info, fitted, 1, on_progress)
        except LoadCancelledError:
            raise
        except SlipstreamError as error:
            return Refusal(Obstacle.NOT_LOADED, str(error))
        if draft.rollback_limit < options.longest_draft:
            _close(draft)
            sentence = f"{path.name} cannot take back rejected tokens, so it is of no use as a draft model."
            return Refusal(Obstacle.DRAFT_CANNOT_ROLL_BACK, sentence)
        return draft

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


def _target_refusal(target: LlamaCache) -> Refusal | None:
    if target.rollback_limit > 0:
        return None
    sentence = (
        f"{target.model.path.name} keeps a running state that cannot take back rejected tokens, "
        "so it runs without speculation."
    )
    return Refusal(Obstacle.TARGET_CANNOT_ROLL_BACK, sentence)


def _close(cache: LlamaCache) -> None:
    cache.close()
    cache.model.close()


def _template(target: LlamaCache, source: str | None) -> ChatTemplate:
    vocabulary = target.vocabulary
    return ChatTemplate(
        source,
        bos=vocabulary.bos_text,
        eos=vocabulary.eos_text,
        chatml=vocabulary.has_token("<|im_start|>"),
    )


def _scaled(on_progress: LoadProgress | None, start: float, end: float) -> LoadProgress | None:
    """A part of the whole load's progress."""
    if on_progress is None:
        return None
    report = on_progress
    return lambda share: report(start + share * (end - start))
