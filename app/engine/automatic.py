"""Speculation with an automatic length: each round takes whichever source promises more, or none.

The policy decides; here are the drafters, the costs and the bookkeeping between them. A draft model reads
nothing before the policy wants something of it.
"""

from collections.abc import Callable, Sequence
from time import perf_counter

from msgspec import Struct

from app.core.drafting_state import DraftingState, Pause
from app.core.options import SpeculationOptions
from app.core.stats import DraftSource
from app.engine.acceptance import Draft
from app.engine.against_plain import AgainstPlain
from app.engine.automatic_policy import AutomaticPolicy
from app.engine.automatic_round import Fate, Opening, Outcome, Outlook
from app.engine.drafting import Found, LookupDrafter, ModelDrafter
from app.engine.round_costs import RoundCosts
from app.engine.running_costs import RunningCosts
from app.engine.speculating import NO_DRAFT, CheckedRound, Proposal, Room
from app.engine.tokens import Tokens

_OUTLOOK_ROUNDS = 8  # between two looks ahead, which are for people and take time
_NOTHING = Found(Draft(DraftSource.PROMPT_LOOKUP), 0)


class _Round(Struct):
    """A round under way."""

    costs: RoundCosts
    opening: Opening
    found: Found
    missed: int  # tokens that the draft model has not read
    drafted: tuple[int, ...] = ()  # by the model
    extension: Found = _NOTHING


class AutomaticSpeculation:
    """Of one answer. `costs` goes on learning from one answer to the next."""

    def __init__(
        self,
        model: ModelDrafter | None,
        lookup: LookupDrafter,
        policy: AutomaticPolicy,
        costs: RunningCosts,
        options: SpeculationOptions,
        longest: int,
        clock: Callable[[], float] = perf_counter,
    ) -> None:
        """`longest`: what the target can verify at once and take back after a round, in tokens."""
        self._clock = clock
        self._model = model
        self._lookup = lookup
        self._policy = policy
        self._costs = costs
        self.options = options
        self._longest = min(options.draft_ceiling, longest)
        self._round: _Round | None = None
        self._against_plain = AgainstPlain()
        self._model_drafted = False
        self._outlook = Outlook(1, 1.0, 0.0, None)
        self._rounds = 0

    @property
    def plain_s(self) -> float:
        """What the passes so far would have taken without drafts, by estimate."""
        return self._against_plain.plain_s

    @property
    def model_drafted(self) -> bool:
        """Whether the draft model has drafted anything."""
        return self._model_drafted

    def begin(self, prompt: Tokens, room: Room) -> None:
        """Has the draft model read the prompt at once where that is expected to pay for itself."""
        self._lookup.propose(prompt, 0)
        if self._model is None or not self._model.can_read(prompt):
            return
        longest = min(self._longest, room.longest_draft)
        missed = self._model.missed(prompt)
        costs = self._costs.round(len(prompt), longest, missed)
        tokens_left = min(room.tokens_left, room.context_left, self._model.room(prompt))
        if self._policy.pays_to_read(costs, tokens_left):
            begun = self._clock()
            self._model.propose(prompt, 0)
            self._costs.observe_reading(missed, len(prompt), self._clock() - begun)

    def propose(self, context: Tokens, room: Room) -> Proposal:
        """From the model, a lookup, a lookup behind the model's draft, or nothing."""
        longest = min(self._longest, room.longest_draft)
        self._lookup.propose(context, 0)
        found = self._lookup.find((), longest)
        model = self._model
        can_draft = model is not None and min(longest, model.room(context)) > 0 and model.can_read(context)
        missed = model.missed(context) if model is not None and can_draft else 0
        costs = self._costs.round(len(context) - 1, longest, missed)
        opening = self._policy.open(costs, found.confidences, can_draft=can_draft)
        self._round = _Round(costs, opening, found, missed)
        match opening.source:
            case DraftSource.PROMPT_LOOKUP:
                tokens = found.draft.tokens[: opening.looked_up]
                draft = Draft(DraftSource.PROMPT_LOOKUP, tokens)
                return Proposal(draft, draft)
            case DraftSource.DRAFT_MODEL:
                return self._with_model(self._round, context, longest)
            case _:
                return Proposal(NO_DRAFT, NO_DRAFT)

    def observe(self, checked: CheckedRound) -> DraftingState:
        """Teaches the policy and the costs, and says what was decided."""
        round_ = self._round
        assert round_ is not None
        tested = checked.proposal.tested.tokens
        emitted = (*tested[: checked.verdict.accepted], checked.verdict.next_token)
        behind = emitted[len(round_.drafted) :] if emitted[: len(round_.drafted)] == round_.drafted else ()
        self._against_plain.observe(checked, round_.costs.plain_s)
        self._costs.observe_check(len(tested) + 1, checked.context, checked.check_s)
        if round_.drafted:
            self._model_drafted = True
            self._costs.observe_drafting(len(round_.drafted), round_.missed, checked.context, checked.draft_s)
        self._policy.observe(
            Outcome(
                checked.draft_s + checked.check_s,
                len(emitted),
                drafted=_fate(round_.drafted, emitted),
                looked_up=_fate(round_.found.draft.tokens, emitted),
                extended=_fate(round_.extension.draft.tokens, behind),
            )
        )
        return self._state(round_, checked)

    def _with_model(self, round_: _Round, context: Tokens, longest: int) -> Proposal:
        assert self._model is not None
        drafted = self._model.propose(context, longest, self._policy.goes_on)
        tokens = drafted.tokens
        round_.drafted = tokens
        round_.extension = self._lookup.find(tokens, longest - len(tokens))
        kept, extended = self._policy.close(round_.extension.confidences)
        proposed = Draft(
            DraftSource.DRAFT_MODEL,
            (*tokens, *round_.extension.draft.tokens[:extended]),
            drafted.probabilities,
            drafted.distributions,
        )
        return Proposal(proposed, proposed.shortened(kept + extended))

    def _state(self, round_: _Round, checked: CheckedRound) -> DraftingState:
        drafted = len(checked.proposal.drafted.tokens)
        if self._rounds % _OUTLOOK_ROUNDS == 0:
            self._outlook = self._policy.outlook()
        self._rounds += 1
        outlook = self._outlook
        checks = len(checked.proposal.tested.tokens) + 1 if drafted else outlook.checked
        plain_s = round_.costs.plain_s
        steps = (checked.draft_s + checked.check_s) / plain_s if drafted else outlook.steps
        source = checked.proposal.drafted.source if drafted else DraftSource.NONE
        return DraftingState(
            source=source,
            drafted=drafted,
            pause=None if drafted else round_.opening.pause or Pause.TOO_OFTEN_WRONG,
            checked=checks,
            steps=steps,
            acceptance=outlook.acceptance,
            needed=outlook.needed,
            speedup=self._against_plain.speedup,
        )


def _fate(proposed: Sequence[int], emitted: Sequence[int]) -> Fate:
    """What became of tokens that were proposed for the place at which others were emitted."""
    known = min(len(proposed), len(emitted))
    right = 0
    while right < known and proposed[right] == emitted[right]:
        right += 1
    return Fate(min(known, right + 1), right)
