"""How many tokens to draft, decided round by round: is the next drafted token worth its time?

Verifying k tokens gives E(k) = 1 + p1 + p1 p2 + ... tokens and takes C(k) = T(k + 1) + k d seconds, where the
first d is a little longer, and what the draft model must read before and after comes on top. With rho
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

from app.core.drafting_state import Pause
from app.core.stats import DraftSource
from app.engine.automatic_round import Experience, Fate, Opening, Outcome, Outlook
from app.engine.belief import Belief
from app.engine.round_costs import DraftOdds, RoundCosts, acceptance_for
from app.engine.stake import LOOKUP, MODEL, MODEL_THAT_GAINED, WHOLE, WHOLE_THAT_GAINED, Stake

_RUN_MEMORY = 0.5  # of how many rounds in a row the draft model has been used
_TYPICAL_ANSWER = 256  # tokens; how long an answer is taken to become
_READING_MARGIN = 1.25  # by which drafting must gain more than it costs to read the prompt
_WORTH_KNOWING = 0.02  # of an answer's time, to learn of a pair of which nothing is known
_AT_ONCE = 0.6  # of what may be lost, the most that one draft may


class AutomaticPolicy:
    """Fed with costs and verdicts, it decides; it knows neither models nor clocks.

    A round is `open`, then `goes_on` after each token of the draft model, `close`, and `observe`.
    """

    def __init__(
        self, model: Belief | None, lookup: Belief | None, experience: Experience = Experience.NONE
    ) -> None:
        """Beliefs of the sources that there are, which learn here, and what came of drafts before."""
        self.model = model
        self.lookup = lookup
        self.rate = 0.0  # rho: tokens per second
        trusted = experience in (Experience.GAINED, Experience.LIKELY)
        self._stake = Stake(WHOLE_THAT_GAINED if trusted else WHOLE)
        self._model_stake = Stake(MODEL_THAT_GAINED if trusted else MODEL)
        self._lookup_stake = Stake(LOOKUP)  # whatever the draft model gained: this text may be another
        self._experience = experience
        self._missed_out_s = 0.0  # what drafting would have gained since the draft model was left behind
        self._typical_run, self._run = 8.0, 0  # rounds that share what catching up costs
        self._costs = RoundCosts((1.0,), 0.0)
        self._odds = DraftOdds(self._costs)
        self._confidences: list[float] = []  # of the tokens drafted in this round
        self._tokens, self._together = 1.0, 1.0  # E of verifying all of them, and p1 p2 ... so far
        self._end = (0, 0.0)  # how many of them are best verified, and its value (their drafting is paid)
        self._looked_up: Sequence[float] = ()
        self._extension: Sequence[float] = ()
        self._is_plain, self._is_probe = True, False  # this round
        self._longest = 0  # the most tokens of the draft model in it; 0: it takes no part
        self._was_all_right = False  # the last draft: what must be read again for it was counted as its cost
        self._first, self._later = np.ones(1), 1.0  # chances of a first token; the mean of those behind it

    def open(self, costs: RoundCosts, lookup: Sequence[float], *, can_draft: bool) -> Opening:
        """Decides how the round begins. `lookup` are the confidences of the tokens that a lookup found.

        Of at most `costs.longest` tokens, those that fit the answer and the context.
        """
        self._begin_round(costs, lookup)
        plain_s, catching_up_s = costs.plain_s, self._catching_up_s()
        longest = self._affordable(catching_up_s) if can_draft and self.model is not None else 0
        tokens, seconds = self._with_model(longest) if longest else (1.0, plain_s)
        self.rate = max(1.0 / plain_s, tokens / seconds)
        plain = 1.0 - self.rate * plain_s
        self._end = (0, plain)
        gain_s = tokens * plain_s - seconds
        is_useful = longest > 0 and gain_s > 0.0  # the draft model, which then reads what is looked up
        read_s = costs.again if is_useful else 0.0
        looked_up, lookup_value = self._best_lookup(lookup, read_s=read_s)
        model_value = tokens - self.rate * seconds if longest else plain
        if model_value > max(plain, lookup_value):
            if self._typical_run * gain_s + self._missed_out_s >= catching_up_s:
                self._missed_out_s = 0.0
                self._run += 1
                self._is_plain, self._longest = False, longest
                return Opening(DraftSource.DRAFT_MODEL)
            self._missed_out_s += gain_s / tokens
        self._end_run()
        if looked_up > 0 and lookup_value > plain - self.rate * read_s:  # a plain step's token is read too
            self._is_plain = False
            return Opening(DraftSource.PROMPT_LOOKUP, looked_up)
        if longest and self._probes():
            return Opening(DraftSource.DRAFT_MODEL)
        return Opening(DraftSource.NONE, pause=self._pause(can_draft))

    def pays_to_read(self, costs: RoundCosts, tokens_left: int) -> bool:
        """Whether the draft model should read the prompt, which `costs.catching_up` is for.

        It should if this answer alone makes up for it, with a margin since what is gained is a guess; the
        next answers of a chat then have it for nothing.
        """
        if self.model is None or costs.longest == 0:
            return False
        self._begin_round(costs, ())
        tokens, seconds = self._with_model(costs.longest)
        plain_s, length = costs.plain_s, min(tokens_left, _TYPICAL_ANSWER)
        gain_s = length * (plain_s - seconds / tokens)
        if gain_s > _READING_MARGIN * costs.catching_up:
            return True
        can_gain = self._odds.best() > 0  # and it is worth a little to know whether it does
        worth_s = _WORTH_KNOWING * length * plain_s if self._experience is Experience.NONE else 0.0
        return can_gain and costs.catching_up <= worth_s

    def outlook(self) -> Outlook:
        """What the last round's costs and the present belief say of drafting."""
        costs = self._costs
        best = max(range(min(1, costs.longest), costs.longest + 1), key=costs.factor_if_right)
        steps = costs.round(best) / costs.plain_s
        acceptance = 0.0
        if self.model is not None:
            acceptance = float(self.model.typical()[0].mean())
        elif self.lookup is not None and self._looked_up:
            acceptance = self.lookup.probability(self._looked_up[0])
        return Outlook(best + 1, steps, acceptance, acceptance_for(steps, best))

    def goes_on(self, confidence: float) -> bool:
        """Takes in the token just drafted, and says whether another one is worth its time."""
        assert self.model is not None
        self._confidences.append(confidence)
        drafted = len(self._confidences)
        self._together *= self.model.probability(confidence)
        self._tokens += self._together
        again_s = self._together * self._costs.again
        value = self._tokens - self.rate * (self._costs.checks[drafted] + again_s)
        if value > self._end[1]:
            self._end = (drafted, value)
        if drafted >= self._longest:
            return False
        return self._is_probe or self._pays_to_go_on()

    def close(self, extension: Sequence[float]) -> tuple[int, int]:
        """How many tokens of the draft to verify, and how many that a lookup found behind all of them."""
        self._extension = extension
        drafted = len(self._confidences)
        if self._is_probe:
            return drafted, 0
        ends, value = self._end
        extended, extended_value = self._best_lookup(extension, drafted, self._costs.again)
        if extended_value <= value:
            return ends, 0
        self._end_run()  # which leaves more to be read than a draft that is all right
        return drafted, extended

    def observe(self, outcome: Outcome) -> None:
        """Learns from a round that was made."""
        if self.model is not None and self._confidences:
            self.model.drafted(self._confidences)
            _teach(self.model, self._confidences, outcome.drafted)
        if self.lookup is not None:
            _teach(self.lookup, self._looked_up, outcome.looked_up)
            _teach(self.lookup, self._extension, outcome.extended)
        if self._longest > 0:
            self._was_all_right = 0 < outcome.drafted.right == len(self._confidences)
            if self.model is not None and self._is_probe and self._was_all_right:
                self.model.renew()
        # what a plain step takes longer than most is no loss by drafts
        plain_s = outcome.seconds if self._is_plain else outcome.emitted * self._costs.plain_s
        self._stake.settle(outcome.seconds, plain_s)
        used = self._longest > 0  # in vain as well: its first token may have been an end, which is no draft
        self._model_stake.settle(outcome.seconds, plain_s, counts=used, is_probe=self._is_probe)
        self._lookup_stake.settle(outcome.seconds, plain_s, counts=not used and not self._is_plain)

    def _begin_round(self, costs: RoundCosts, lookup: Sequence[float]) -> None:
        self._costs, self._odds = costs, DraftOdds(costs)
        self._confidences.clear()
        self._looked_up, self._extension = lookup, ()
        self._tokens, self._together = 1.0, 1.0
        self._is_plain, self._is_probe, self._longest = True, False, 0

    def _catching_up_s(self) -> float:
        """What is to be read before drafting, without what the last draft was charged for."""
        return max(0.0, self._costs.catching_up - (self._costs.again if self._was_all_right else 0.0))

    def _affordable(self, catching_up_s: float) -> int:
        """The longest draft by which no more can be lost than may be, if it can gain at all; else 0.

        A part is kept back, so that one unlucky draft does not end drafting for good; but where what is left
        allows no draft that gains, all is risked.
        """
        costs, may_lose_s = self._costs, self._model_may_lose_s()
        most_s = may_lose_s + costs.plain_s - catching_up_s
        at_once_s = most_s - (1.0 - _AT_ONCE) * may_lose_s
        longest = self._odds.best(at_once_s) or self._odds.best(most_s)
        while 0 < longest < costs.longest and costs.round(longest + 1) <= at_once_s:
            longest += 1
        return longest

    def _model_may_lose_s(self) -> float:
        plain_s = self._costs.plain_s
        return min(self._model_stake.most_s(plain_s), self._stake.most_s(plain_s))

    def _with_model(self, longest: int) -> tuple[float, float]:
        """E and C of a round with the draft model, over the first tokens that it has had lately.

        Each is seen before it is decided how to go on, or to drop it and make a plain step after all; the
        ones behind it are taken to be as they mostly are.
        """
        assert self.model is not None
        costs = self._costs
        self._first, self._later = self.model.typical()
        rate = self.rate or 1.0 / costs.plain_s
        behind = np.zeros(longest + 1)
        behind[1:] = (self._later ** np.arange(longest)).cumsum()
        seconds = np.array(costs.checks[: longest + 1]) + costs.begin + costs.step * np.arange(longest + 1)
        seconds[0] += costs.step
        again = np.zeros(longest + 1)
        again[1:] = costs.again * self._later ** np.arange(longest)
        chosen = (self._first[:, None] * (behind - rate * again) - rate * seconds).argmax(axis=1)
        tokens = 1.0 + self._first @ behind[chosen] / len(self._first)
        return float(tokens), float((seconds[chosen] + self._first * again[chosen]).mean())

    def _end_run(self) -> None:
        if self._run:
            self._typical_run = _RUN_MEMORY * self._typical_run + (1.0 - _RUN_MEMORY) * self._run
            self._run = 0

    def _best_lookup(
        self, confidences: Sequence[float], drafted: int = 0, read_s: float = 0.0
    ) -> tuple[int, float]:
        """The most valuable number of tokens found, behind those drafted, with its value; 0 where none is.

        `read_s`: what each token that the answer gets from it will cost, where the draft model goes on later.
        """
        best = (0, -np.inf)
        plain_s = self._costs.plain_s
        drafting_s = self._costs.round(drafted) - self._costs.checks[drafted]
        room = self._costs.longest - drafted
        if self.lookup is None or room <= 0 or not confidences:
            return best
        may_lose_s = min(self._stake.most_s(plain_s), self._lookup_stake.most_s(plain_s))
        most_s = _AT_ONCE * may_lose_s + plain_s - drafting_s
        if self._costs.checks[drafted + 1] > most_s:  # as with the draft model, then all is risked
            most_s = may_lose_s + plain_s - drafting_s
        tokens, together = self._tokens, self._together
        unread = tokens - together if drafted else 0.0  # after a draft that is all right, its last token
        for count, chance in enumerate(self.lookup.probabilities(confidences[:room]).tolist(), start=1):
            together *= chance
            tokens += together
            check_s = self._costs.checks[drafted + count]
            value = tokens - self.rate * (check_s + read_s * (tokens - unread))
            if value > best[1] and check_s <= most_s:
                best = (count, value)
        return best

    def _pays_to_go_on(self) -> bool:
        """Whether some longer draft is worth more than what is there by now."""
        tokens, together, seconds = self._tokens, self._together, 0.0
        for length in range(len(self._confidences) + 1, self._longest + 1):
            together *= self._later
            tokens += together
            seconds += self._costs.step
            again_s = together * self._costs.again
            if tokens - self.rate * (self._costs.checks[length] + seconds + again_s) > self._end[1]:
                return True
        return False

    def _probes(self) -> bool:
        """Begins a probe where one is due."""
        costs, catching_up_s = self._costs, self._catching_up_s()
        length = self._odds.best(self._model_may_lose_s() + costs.plain_s - catching_up_s)
        cost_s = costs.round(length) + catching_up_s - costs.plain_s
        if not self._model_stake.allows_probe(cost_s, costs.plain_s):
            return False
        self._is_plain, self._is_probe, self._longest = False, True, length
        return True

    def _pause(self, can_draft: bool) -> Pause:
        """Why nothing is drafted."""
        costs = self._costs
        if costs.longest == 0:
            return Pause.NO_ROOM
        if self.model is None:
            return Pause.TOO_OFTEN_WRONG if self._looked_up else Pause.NOTHING_FOUND
        if not can_draft:
            return Pause.OUT_OF_REACH
        if self._odds.best() == 0:
            return Pause.TOO_DEAR
        affordable = self._affordable(0.0) if costs.catching_up > costs.plain_s else 0
        tokens, seconds = self._with_model(affordable) if affordable else (0.0, 0.0)
        return Pause.CATCHING_UP if tokens * costs.plain_s > seconds else Pause.TOO_OFTEN_WRONG


def _teach(belief: Belief, confidences: Sequence[float], fate: Fate) -> None:
    belief.observe(confidences[: fate.known], fate.right)
