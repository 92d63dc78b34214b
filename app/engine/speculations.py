"""Making the speculation of an answer from what was chosen, and keeping what it has taught."""

import statistics
from pathlib import Path

from msgspec.structs import replace

from app.core.machine import usable_cores
from app.core.options import AcceptanceRule, LoadOptions, SpeculationMode, SpeculationOptions
from app.core.pair_record import AnsweredSpeedup, PairRecord
from app.core.pass_costs import PassCosts
from app.core.protocol import Done
from app.engine.automatic import AutomaticSpeculation
from app.engine.automatic_policy import AutomaticPolicy
from app.engine.automatic_round import Experience
from app.engine.belief import Belief
from app.engine.drafting import LookupDrafter, ModelDrafter
from app.engine.drafts import LoadedDraft
from app.engine.fixed import FixedSpeculation
from app.engine.policy import FixedPolicy
from app.engine.running_costs import RunningCosts
from app.engine.sampling import Sampler
from app.engine.speculating import Speculation
from app.engine.tokens import TokenTable
from app.models.info import ModelInfo

_ENOUGH_ANSWERS, _GAIN = 2, 1.05
_LATELY = 12  # answers
_HARD = 4  # of so many answers, the one that gained least
_TELLING = 16  # tokens; a shorter answer says little of how fast drafting is
_ATTENTION_RATE = 5e9  # additions and multiplications per second and thread; corrected by real passes


class Speculations:
    """Of one target. The costs of passes go on being corrected from one answer to the next."""

    def __init__(self, target: ModelInfo, table: TokenTable, load: LoadOptions, longest: int) -> None:
        """`longest`: what the target can verify at once and take back after a round, in tokens."""
        self._target = target
        self._table = table
        self._load = load
        self._longest = longest
        self._costs: dict[Path | None, RunningCosts] = {}

    def fixed(
        self, sampler: Sampler, options: SpeculationOptions, draft: LoadedDraft | None, record: PairRecord
    ) -> Speculation | None:
        """With the person's numbers; None where nothing can draft. Tells what it gains if costs are known."""
        drafter = self._lookup(options) if options.mode is SpeculationMode.PROMPT_LOOKUP else None
        chosen = drafter or self._model(sampler, options, draft, options.draft_probability)
        if chosen is None:
            return None
        costs = None if record.costs is None else self._running_costs(record.costs, draft)
        return FixedSpeculation(chosen, FixedPolicy(options, self._longest), options, costs)

    def automatic(
        self, sampler: Sampler, options: SpeculationOptions, draft: LoadedDraft | None, record: PairRecord
    ) -> "LearningSpeculation | None":
        """With the program's own; None where nothing can draft, or what passes cost is not known."""
        if record.costs is None or (options.mode is SpeculationMode.DRAFT_MODEL and draft is None):
            return None
        model = self._model(sampler, options, draft, lowest_probability=0.0)
        belief, copy, draws = None, 0.0, not sampler.is_greedy
        if model is not None and draft is not None:
            copy = likelihood_of_copy(self._target, draft.info)
            belief = Belief.in_model(record.learnt.of(draws=draws), copy)
        costs = self._running_costs(record.costs, draft)
        policy = AutomaticPolicy(belief, Belief.in_lookup(), experience_of(record, is_copy=copy > 0.5))
        lookup = self._lookup(options)
        made = AutomaticSpeculation(model, lookup, policy, costs, options, self._longest)
        return LearningSpeculation(made, belief, costs, draws=draws)

    def _running_costs(self, measured: PassCosts, draft: LoadedDraft | None) -> RunningCosts:
        """Those there are, unless the passes were measured again."""
        key = None if draft is None else draft.info.path
        running = self._costs.get(key)
        if running is None or not running.began_with(measured):
            growth_s = attention_s(self._target, self._load)
            draft_growth_s = 0.0 if draft is None else attention_s(draft.info, self._load)
            running = RunningCosts(measured, self._longest, growth_s, draft_growth_s)
            self._costs[key] = running
        return running

    def forget(self, draft: Path) -> None:
        """A draft model is gone."""
        self._costs.pop(draft, None)

    def _lookup(self, options: SpeculationOptions) -> LookupDrafter:
        return LookupDrafter(options, self._table)

    def _model(
        self,
        sampler: Sampler,
        options: SpeculationOptions,
        draft: LoadedDraft | None,
        lowest_probability: float,
    ) -> ModelDrafter | None:
        if draft is None or options.mode is not SpeculationMode.DRAFT_MODEL:
            return None
        shares_noise = options.acceptance is AcceptanceRule.MATCH
        return ModelDrafter(
            draft.cache,
            self._table,
            lambda: sampler.draft_chooser(shares_noise=shares_noise),
            lowest_probability,
        )


class LearningSpeculation:
    """An automatic speculation, with what an answer adds to the record of its pair."""

    def __init__(
        self,
        speculation: AutomaticSpeculation,
        belief: Belief | None,
        costs: RunningCosts,
        *,
        draws: bool,
    ) -> None:
        """`belief` is that in the draft model; `draws`: its tokens are drawn, not the likeliest ones."""
        self.speculation = speculation
        self._belief = belief
        self._costs = costs
        self._draws = draws

    def added_to(self, record: PairRecord, done: Done) -> PairRecord:
        """The record after the answer. Costs that have turned out otherwise are to be measured again.

        What other rules keep says nothing of how often guesses are what the target draws.
        """
        matches = self.speculation.options.acceptance is AcceptanceRule.MATCH
        if self._belief is not None and self._belief.has_learnt and matches:
            learnt = record.learnt.added(self._belief.learnt, draws=self._draws)
            record = replace(record, learnt=learnt)
        if record.costs is not None:
            costs = None if self._costs.disagrees else self._costs.learnt(record.costs)
            record = replace(record, costs=costs)
        stats, model_drafted = done.stats, self.speculation.model_drafted
        speedup = stats.estimated_speedup
        if not matches or speedup is None or stats.generated_tokens < _TELLING:
            return record
        answer = AnsweredSpeedup(speedup, stats.generated_tokens, stats.prompt_tokens, model_drafted)
        return record.with_answer(answer)


def experience_of(record: PairRecord, *, is_copy: bool = False) -> Experience:
    """In how many of the latest answers with the draft model it was faster than plain generation.

    Those before a long row of answers without it are forgotten: the texts may be others by now. `is_copy`:
    the draft is the target itself with fewer bits, by its size.
    """
    lately = record.answers[-_LATELY:]
    speedups = [answer.speedup for answer in lately if answer.model_drafted]
    if len(speedups) < _ENOUGH_ANSWERS:
        return Experience.LIKELY if is_copy else Experience.NONE
    typical, hard = statistics.median(speedups), sorted(speedups)[len(speedups) // _HARD]
    if hard > _GAIN:
        return Experience.GAINED
    return Experience.MIXED if typical > _GAIN else Experience.DID_NOT_GAIN


def likelihood_of_copy(target: ModelInfo, draft: ModelInfo) -> float:
    """How likely a draft is the target itself with fewer bits, by its size and the name in the file.

    One of the same size may have been trained further, but then mostly has a name of its own.
    """
    if draft.parameters != target.parameters:
        return 0.2
    return 0.95 if draft.name is not None and draft.name == target.name else 0.8


def attention_s(info: ModelInfo, load: LoadOptions) -> float:
    """By how much each token of a pass should take longer for each token more in the context, in seconds.

    From the sizes of the attention: a multiplication and an addition for each number of a key and a value.
    0.0 where they are not known, or a graphics card does it.
    """
    if load.gpu_layers != 0 or info.key_size is None:
        return 0.0
    heads = sum(layer.heads or 0 for layer in info.layers if layer.attention and not layer.sliding)
    operations = 2 * heads * (info.key_size + (info.value_size or info.key_size))
    return operations / (_ATTENTION_RATE * (load.threads or usable_cores()))
