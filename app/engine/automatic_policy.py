"""How many tokens to draft, decided round by round: is the next drafted token worth its time?

Verifying k tokens gives E(k) = 1 + p1 + p1 p2 + ... tokens and takes C(k) = T(k + 1) + k d seconds. With rho
the best rate that can be had, in tokens per second, the k with the highest E(k) - rho C(k) is drafted: what
it gives beyond what the same time would give otherwise (optimal stopping by a renewal-reward rate). k = 0 is
always a choice, so that drafting which does not pay ends by itself.

rho is what this very rule would reach with the draft model under the present belief, never less than
1 / T(1): a single lucky round does not change it. What lookups promise is left out of it, as they come and
go: a rho that is a little low costs next to nothing, one that is too high makes every round too short.
Every k is looked at, beyond dear steps to cheap ones, since T is not convex.
"""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from app.core.drafting_state import Pause
from app.core.stats import DraftSource
from app.engine.belief import Belief
from app.engine.probing import Probing

_RUN_MEMORY = 0.7  # of how many rounds in a row the draft model has been used
_TYPICAL_ANSWER = 256  # tokens; how long an answer is taken to become
_HALVINGS = 12  # to a quarter of a thousandth
_MARGIN = 0.02  # by which a perfect draft must be faster than plain steps for a probe to make sense


class RoundCosts(Struct, frozen=True):
    """What the steps of the coming round take, in seconds."""

    checks: tuple[float, ...]  # target passes over 1, 2, 3 ... tokens: one more than can be drafted
    step: float  # drafting one token
    catching_up: float = 0.0  # before that, reading what the draft model missed

    def round(self, drafted: int) -> float:
        """A round with so many tokens of the draft model, which has missed nothing."""
        return self.checks[drafted] + drafted * self.step

    @property
    def longest(self) -> int:
        """The most tokens that can be drafted."""
        return len(self.checks) - 1


class Opening(Struct, frozen=True):
    """How a round begins: with the draft model, with so many tokens of a lookup, or with nothing."""

    source: DraftSource
    looked_up: int = 0
    pause: Pause | None = None


class Fate(Struct, frozen=True):
    """What became of tokens: of the first `known` of them, the first `right` are what the answer has there.

    At most one that is known is wrong, the last: what would have followed it cannot be known.
    """

    known: int = 0
    right: int = 0


class Outcome(Struct, frozen=True):
    """A round that was made: the time it took, the tokens it gave, and what became of all that was proposed.

    Also of what was not verified: the answer goes on as it does, so that a plain step judges the first token.
    """

    seconds: float
    emitted: int
    drafted: Fate = Fate()
    looked_up: Fate = Fate()  # what `open` was told
    extended: Fate = Fate()  # what `close` was told


class Outlook(Struct, frozen=True):
    """The draft that would gain most if it were right: its check in tokens, its cost in plain steps."""

    checked: int
    steps: float
    acceptance: float  # the chance of a first token
    needed: float | None  # the acceptance from which it gains; None: it never does


class AutomaticPolicy:
    """Fed with costs and verdicts, it decides; it knows neither models nor clocks.

    A round is `open`, then `goes_on` after each token of the draft model, `close`, and `observe`.
    """

    def __init__(self, model: Belief | None, lookup: Belief | None) -> None:
        """Beliefs of the sources that there are; they learn here."""
        self.model = model
        self.lookup = lookup
        self.rate = 0.0  # rho: tokens per second
        self._probing = Probing()
        self._missed_out_s = 0.0  # what drafting would have gained since the draft model was left behind
        self._gained_s = 0.0  # against plain steps, in this answer
        self._typical_run, self._run = 8.0, 0  # rounds that share what catching up costs
        self._costs = RoundCosts((1.0,), 0.0)
        self._confidences: list[float] = []  # of the tokens drafted in this round
        self._tokens, self._together = 1.0, 1.0  # E of verifying all of them, and p1 p2 ... so far
        self._end = (
            0,
            0.0,
        )  # how many of them it is best to verify, and the value of that without their drafting
        self._looked_up: Sequence[float] = ()
        self._extension: Sequence[float] = ()
        self._probe_length = 0
        self._later = 0.0  # the mean chance of a token behind the first one

    def open(self, costs: RoundCosts, lookup: Sequence[float], *, can_draft: bool) -> Opening:
        """Decides how the round begins. `lookup` are the confidences of the tokens that a lookup found.

        Of at most `costs.longest` tokens, those that fit the answer and the context.
        """
        self._costs = costs
        self._confidences.clear()
        self._looked_up, self._extension = lookup, ()
        self._probe_length = 0
        self._later = self.model.later if self.model is not None else 0.0
        self._tokens, self._together = 1.0, 1.0
        plain_s = costs.checks[0]
        can_draft = can_draft and self.model is not None and costs.longest > 0
        tokens, seconds = (1.0, plain_s)
        if can_draft:
            tokens, seconds = self._with_model()
        self.rate = max(1.0 / plain_s, tokens / seconds)
        plain = 1.0 - self.rate * plain_s
        self._end = (0, plain)
        looked_up, lookup_value = self._best_lookup(lookup)
        model_value = tokens - self.rate * seconds if can_draft else plain
        other = max(plain, lookup_value)
        if can_draft and model_value > other:
            gain_s = (model_value - other) / self.rate
            if self._typical_run * gain_s + self._missed_out_s >= costs.catching_up:
                self._missed_out_s = 0.0
                self._run += 1
                return Opening(DraftSource.DRAFT_MODEL)
            self._missed_out_s += gain_s
        self._end_run()
        if looked_up > 0 and lookup_value > plain:
            return Opening(DraftSource.PROMPT_LOOKUP, looked_up)
        if can_draft and self._probes():
            return Opening(DraftSource.DRAFT_MODEL)
        return Opening(DraftSource.NONE, pause=self._pause(can_draft, model_value > plain))

    def pays_to_read(self, costs: RoundCosts, tokens_left: int) -> bool:
        """Whether the draft model should read the prompt, which `costs.catching_up` is for."""
        if self.model is None or costs.longest == 0:
            return False
        self._costs = costs
        self._later = self.model.later
        tokens, seconds = self._with_model()
        gain_s = costs.checks[0] - seconds / tokens  # for each token of the answer
        return min(tokens_left, _TYPICAL_ANSWER) * gain_s > costs.catching_up

    def outlook(self) -> Outlook:
        """What the last round's costs and the present belief say of drafting."""
        costs = self._costs
        best = max(range(min(1, costs.longest), costs.longest + 1), key=self._factor_if_right)
        steps = costs.round(best) / costs.checks[0]
        acceptance = float(self.model.first.mean()) if self.model is not None else 0.0
        return Outlook(best + 1, steps, acceptance, _acceptance_for(steps, best))

    def goes_on(self, confidence: float) -> bool:
        """Takes in the token just drafted, and says whether another one is worth its time."""
        assert self.model is not None
        self._confidences.append(confidence)
        drafted = len(self._confidences)
        self._together *= self.model.probability(confidence)
        self._tokens += self._together
        value = self._tokens - self.rate * self._costs.checks[drafted]
        if value > self._end[1]:
            self._end = (drafted, value)
        if drafted >= self._costs.longest:
            return False
        return drafted < self._probe_length if self._probe_length else self._pays_to_go_on()

    def close(self, extension: Sequence[float]) -> tuple[int, int]:
        """How many tokens of the draft to verify, and how many that a lookup found behind all of them."""
        self._extension = extension
        drafted = len(self._confidences)
        if self._probe_length:
            return drafted, 0
        ends, value = self._end
        extended, extended_value = self._best_lookup(extension, drafted)
        return (drafted, extended) if extended_value > value else (ends, 0)

    def observe(self, outcome: Outcome) -> None:
        """Learns from a round that was made."""
        if self.model is not None and self._confidences:
            self.model.drafted(self._confidences)
            _teach(self.model, self._confidences, outcome.drafted)
        if self.lookup is not None:
            _teach(self.lookup, self._looked_up, outcome.looked_up)
            _teach(self.lookup, self._extension, outcome.extended)
        plain_s = outcome.emitted * self._costs.checks[0]
        self._gained_s += plain_s - outcome.seconds
        if self.model is not None and not self._confidences and self._gained_s > 0.0:
            self.model.relax()  # what was gained pays for another try
        lost_s = max(0.0, outcome.seconds - plain_s) if self._probe_length else None
        self._probing.spend(outcome.seconds, lost_s)

    def _with_model(self) -> tuple[float, float]:
        """E and C of a round with the draft model, over the first tokens that it has had lately.

        Each is seen before it is decided how to go on; the ones behind it are taken to be as they mostly are.
        """
        assert self.model is not None
        costs = self._costs
        first = self.model.first
        rate = self.rate or 1.0 / costs.checks[0]
        lengths = np.arange(1, costs.longest + 1)
        behind = np.concatenate(([1.0], np.full(costs.longest - 1, self._later))).cumprod().cumsum()
        tokens: NDArray[np.float64] = 1.0 + first[:, None] * behind[None, :]
        seconds = np.array(costs.checks[1:]) + lengths * costs.step
        # dropping the token and making a plain step is a choice as well
        tokens = np.concatenate((np.ones((len(first), 1)), tokens), axis=1)
        seconds = np.concatenate(([costs.checks[0] + costs.step], seconds))
        chosen = (tokens - rate * seconds).argmax(axis=1)
        return float(tokens[np.arange(len(first)), chosen].mean()), float(seconds[chosen].mean())

    def _end_run(self) -> None:
        if self._run:
            self._typical_run = _RUN_MEMORY * self._typical_run + (1.0 - _RUN_MEMORY) * self._run
            self._run = 0

    def _best_lookup(self, confidences: Sequence[float], drafted: int = 0) -> tuple[int, float]:
        """The most valuable number of tokens found, behind those drafted, with its value; 0 where none is."""
        best = (0, -np.inf)
        room = self._costs.longest - drafted
        if self.lookup is None or room <= 0 or not confidences:
            return best
        tokens, together = self._tokens, self._together
        for count, chance in enumerate(self.lookup.probabilities(confidences[:room]).tolist(), start=1):
            together *= chance
            tokens += together
            value = tokens - self.rate * self._costs.checks[drafted + count]
            if value > best[1]:
                best = (count, value)
        return best

    def _pays_to_go_on(self) -> bool:
        """Whether some longer draft is worth more than what is there by now."""
        tokens, together, seconds = self._tokens, self._together, 0.0
        for length in range(len(self._confidences) + 1, self._costs.longest + 1):
            together *= self._later
            tokens += together
            seconds += self._costs.step
            if tokens - self.rate * (self._costs.checks[length] + seconds) > self._end[1]:
                return True
        return False

    def _probes(self) -> bool:
        """Begins a probe where one is due: the shortest draft that gains if it is right."""
        costs = self._costs
        gaining = (k for k in range(1, costs.longest + 1) if self._factor_if_right(k) > 1.0 + _MARGIN)
        length = next(gaining, 0)
        cost_s = costs.round(length) + costs.catching_up - costs.checks[0]
        if length == 0 or not self._probing.is_due(cost_s):
            return False
        self._probe_length = length
        return True

    def _factor_if_right(self, drafted: int) -> float:
        """How many times as fast as plain steps a round is whose guesses are all right."""
        return (drafted + 1) * self._costs.checks[0] / self._costs.round(drafted)

    def _pause(self, can_draft: bool, would_gain: bool) -> Pause:
        if self._costs.longest == 0:
            return Pause.NO_ROOM
        if self.model is None:
            return Pause.NOTHING_FOUND
        if not can_draft:
            return Pause.OUT_OF_REACH
        if max(map(self._factor_if_right, range(1, self._costs.longest + 1))) <= 1.0 + _MARGIN:
            return Pause.TOO_DEAR
        return Pause.CATCHING_UP if would_gain else Pause.TOO_OFTEN_WRONG


def _acceptance_for(steps: float, drafted: int) -> float | None:
    """The acceptance of each of so many tokens with which a round pays for `steps` plain ones, if any."""
    if steps > drafted + 1:
        return None
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        tokens = sum(middle**place for place in range(drafted + 1))
        low, high = (middle, high) if tokens < steps else (low, middle)
    return high


def _teach(belief: Belief, confidences: Sequence[float], fate: Fate) -> None:
    belief.observe(confidences[: fate.known], fate.right)
