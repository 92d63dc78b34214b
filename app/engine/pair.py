"""A target and perhaps its draft, loaded: what answers requests.

Used by the command line and the tests in their own process, and by the engine process for the window.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from msgspec.structs import replace

from app.core.chat import Message
from app.core.errors import OptionsError, TemplateError
from app.core.machine import memory_in_use
from app.core.options import (
    GenerationLimits,
    LoadOptions,
    SamplingOptions,
    SpeculationMode,
    SpeculationOptions,
)
from app.core.pair_record import PairRecord
from app.core.pass_costs import PassCosts
from app.core.protocol import Done, Refusal, Round
from app.core.weighing import Weighing
from app.engine.cache import Progress, common_prefix
from app.engine.cost import ORDINARY_WORDS, measure_costs
from app.engine.drafts import Drafts, LoadedDraft, close, target_refusal
from app.engine.generate import Generation
from app.engine.llama import LlamaCache
from app.engine.pair_knowledge import PairKnowledge
from app.engine.quick_costs import measure_quickly
from app.engine.sampling import Sampler
from app.engine.speculating import Speculation
from app.engine.speculations import Speculations
from app.engine.stopping import InterruptedPassError, StopSignal
from app.engine.template import NEXT_TURN, ChatTemplate, TemplateForm
from app.engine.tokens import Tokens
from app.engine.weighing import weigh
from app.models.info import ModelInfo

_WORTH_KEEPING = 64  # tokens in the target's cache


class ModelPair:
    """A loaded target, with its draft where one was asked for and fits, and perhaps more to compare with.

    `draft_refusal` says why the draft is missing, `refusal` why this target cannot be drafted for.
    """

    def __init__(
        self,
        target: LlamaCache,
        target_bytes: int,
        drafts: Drafts,
        draft_refusal: Refusal | None,
        info: ModelInfo,
        options: LoadOptions,
        knowledge: PairKnowledge,
    ) -> None:
        """`target_bytes`: by how much loading made the process grow; `info` is the target's."""
        self.target = target
        self.target_bytes = target_bytes
        self.draft_refusal = draft_refusal
        self.refusal = target_refusal(target)
        self._drafts = drafts
        self._knowledge = knowledge
        self._longest_draft = min(options.longest_draft, target.rollback_limit)
        self._table = target.vocabulary
        self._speculations = Speculations(info, self._table, options, self._longest_draft)
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
    def draft(self) -> LlamaCache | None:
        """The draft model that was loaded with the target."""
        own = self._drafts.own
        return None if own is None else own.cache

    @property
    def has_draft(self) -> bool:
        """True where a draft model was loaded with the target."""
        return self._drafts.own is not None

    @property
    def draft_bytes(self) -> int:
        """By how much loading that one made the process grow; 0 without it."""
        return 0 if self._drafts.own is None else self._drafts.own.bytes

    def prompt_tokens(self, messages: Sequence[Message]) -> Tokens:
        """A conversation as the target's prompt, ready for its answer. Raises TemplateError."""
        return self.tokenize(self.template.render(messages))

    def tokenize(self, text: str) -> Tokens:
        """Text with control tokens written out, beginning as the target wants its prompts to begin."""
        vocabulary = self._table
        begins = bool(vocabulary.bos_text) and text.startswith(vocabulary.bos_text)
        return vocabulary.tokenize(text, add_special=vocabulary.adds_bos and not begins)

    def add_draft(self, path: Path, options: LoadOptions, stop: StopSignal) -> int | Refusal:
        """Loads one more draft model, unless it is there: what it takes in bytes, or why it cannot serve.

        `options` are the target's. Raises LoadCancelledError where it was stopped, and OptionsError.
        """
        added = self._drafts.add(path, options, lambda _: not stop.is_set)
        return added if isinstance(added, Refusal) else added.bytes

    def remove_draft(self, path: Path) -> None:
        """Frees a draft model that was added; the one that was loaded with the target stays."""
        self._drafts.remove(path)
        self._speculations.forget(path)

    def generate(
        self,
        prompt: Tokens,
        sampling: SamplingOptions,
        speculation: SpeculationOptions,
        limits: GenerationLimits,
        stop: StopSignal,
        on_prefill: Progress | None = None,
        *,
        draft: Path | None = None,
        trace: bool = False,
    ) -> Iterator[Round | Done]:
        """Answers a prompt: Round after Round, then Done.

        `draft` names one that was added; None stands for the one that was loaded with the target. The peak
        of memory leaves out draft models that this answer does not use. Runs plain where the asked-for
        drafting is impossible; `refusal` and `draft_refusal` say why.
        Raises OptionsError, GrammarError and PromptTooLongError before anything is read.
        """
        if problems := speculation.problems() + limits.problems():
            raise OptionsError("; ".join(problems))
        found = self._drafts.find(draft)
        used = found if speculation.mode is SpeculationMode.DRAFT_MODEL else None
        if self.template.form is TemplateForm.PLAIN:
            limits = replace(limits, stop_strings=(*limits.stop_strings, NEXT_TURN))
        if speculation.is_automatic:
            with suppress(InterruptedPassError):  # then the answer ends at once as well
                self.prepare(speculation, stop, draft=draft, prompt=prompt)
        self._attach(stop, used)
        sampler = Sampler(self._table, sampling, prompt)
        learning = None
        try:
            plan: Speculation | None = None
            record = self.record_for(used)
            if self.refusal is None and speculation.is_automatic:
                learning = self._speculations.automatic(sampler, speculation, used, record)
                plan = None if learning is None else learning.speculation
            elif self.refusal is None:
                plan = self._speculations.fixed(sampler, speculation, used, record)
            generation = Generation(self.target, self._table, sampler, plan, limits, stop, trace=trace)
            for event in generation.rounds(prompt, on_prefill):
                if isinstance(event, Done):
                    if learning is not None:
                        self.keep_record(used, learning.added_to(self.record_for(used), event))
                    yield self._without_idle(event, used)
                else:
                    yield event
        finally:
            sampler.close()

    def weigh(
        self,
        prompt: Tokens,
        sampling: SamplingOptions,
        answer: Sequence[int],
        candidates: Sequence[int | None],
        stop: StopSignal,
    ) -> Weighing:
        """How the target stands to what may follow a prompt and the beginning of its answer.

        `sampling` is what the answer was drawn with. Raises OptionsError, GrammarError and
        PromptTooLongError, and InterruptedPassError where it was stopped.
        """
        self._attach(stop, None)
        sampler = Sampler(self._table, sampling, prompt)
        try:
            return weigh(self.target, self._table, sampler, prompt, answer, candidates)
        finally:
            sampler.close()

    def measure_costs(
        self, most: int, stop: StopSignal, draft: Path | None = None, on_progress: Progress | None = None
    ) -> PassCosts:
        """Times target passes over 1 to `most` tokens, or as many as a round can have; see cost.py.

        `draft` as in `generate`. Raises OptionsError, and InterruptedPassError where it was stopped.
        """
        timed = self._drafts.find(draft)
        self._attach(stop, timed)
        model = None if timed is None else timed.cache
        text = self._table.tokenize(ORDINARY_WORDS)
        most = min(most, self._longest_draft + 1)
        return measure_costs(self.target, model, text, most, on_progress=on_progress)

    def prepare(
        self,
        speculation: SpeculationOptions,
        stop: StopSignal,
        on_progress: Progress | None = None,
        *,
        draft: Path | None = None,
        prompt: Tokens | None = None,
    ) -> PassCosts | None:
        """What passes cost with the drafts that answers will ask for; None where that is not known.

        Where something drafts and the costs are unknown, they are measured, quickly: an automatic length
        needs them, a fixed one tells by them what it gains. So are those from an earlier load that are
        suspect; in the meantime they are used. The caches then hold other tokens than before, so costs that
        are known are left alone where much of the `prompt` of the next answer has been read: reading it again
        may take minutes. `draft` as in `generate`. Raises OptionsError, and InterruptedPassError where it was
        stopped; then nothing has become known.
        """
        found = self._drafts.find(draft)
        used = found if speculation.mode is SpeculationMode.DRAFT_MODEL else None
        misses_draft = speculation.mode is SpeculationMode.DRAFT_MODEL and used is None
        drafts = speculation.mode is not SpeculationMode.OFF
        if drafts and self.refusal is None and not misses_draft:
            info = None if used is None else used.info
            known = self._knowledge.record(info).costs is not None
            if self._knowledge.wants_costs(info) and not (known and self._has_read_much_of(prompt)):
                self._attach(stop, used)
                model = None if used is None else used.cache
                text = self._table.tokenize(ORDINARY_WORDS)
                most = self._longest_draft + 1
                costs = measure_quickly(self.target, model, text, most, on_progress=on_progress)
                self._knowledge.add_costs(info, costs)
        return self.costs_for(used)

    def costs_for(self, draft: LoadedDraft | None) -> PassCosts | None:
        """What passes cost with a draft model, or without any; None where that was not measured."""
        return self.record_for(draft).costs

    def record_for(self, draft: LoadedDraft | None) -> PairRecord:
        """What is known of the target with a draft model, or without any: from now and from earlier runs.

        Read from disk once; later calls cost nothing.
        """
        return self._knowledge.record(None if draft is None else draft.info)

    def keep_record(self, draft: LoadedDraft | None, record: PairRecord) -> None:
        """Takes a record in place of the one that there was, and writes it to disk: a millisecond.

        One without costs has them measured at the next load; until then those that there were go on serving.
        A disk that cannot be written is only logged.
        """
        self._knowledge.keep(None if draft is None else draft.info, record)

    def forget(self) -> None:
        """Empties all caches, so that the next prompt is read from its beginning."""
        self.target.clear()
        for draft in self._drafts:
            draft.cache.clear()

    def close(self) -> None:
        """Frees everything."""
        self._drafts.clear()
        close(self.target)

    def _has_read_much_of(self, prompt: Tokens | None) -> bool:
        return prompt is not None and common_prefix(self.target.tokens, prompt) > _WORTH_KEEPING

    def _attach(self, stop: StopSignal, draft: LoadedDraft | None) -> None:
        self.target.attach(stop)
        if draft is not None:
            draft.cache.attach(stop)

    def _without_idle(self, done: Done, used: LoadedDraft | None) -> Done:
        peak = self._drafts.peak_without_idle(done.stats.peak_rss_bytes, memory_in_use(), used)
        return replace(done, stats=replace(done.stats, peak_rss_bytes=peak))


def _template(target: LlamaCache, source: str | None) -> ChatTemplate:
    vocabulary = target.vocabulary
    return ChatTemplate(
        source,
        bos=vocabulary.bos_text,
        eos=vocabulary.eos_text,
        chatml=vocabulary.has_token("<|im_start|>"),
    )
