"""What is believed of one source of drafts: how its confidences turn out, and which ones it tends to have."""

from collections import deque
from collections.abc import Sequence

import numpy as np
from msgspec.structs import replace

from app.core.learnt import LearntSource
from app.engine.calibration import Calibration, Floats, Leaning, logit

_LONG_RUN = 256  # tokens that what is known from earlier answers counts for
_REMEMBERED = 16  # confidences; a change of the text is noticed within as many rounds

# Where nothing was learnt yet. A draft model may be of the target's family, or a copy with fewer bits,
# which is right even where it is unsure (a Q4_1 of an F32 and a Q4_K_M of an F16 model had 93 of a hundred
# guesses kept whose confidence was 0.1 to 0.5, and 99 of the others); what a lookup found may be a copy under
# way, or a phrase that occurs twice, which ends soon, however long the two places agreed.
_SMALLER = Leaning(0.3, 1.0, 1.2, 0.3, 1.0)
_COPY = Leaning(3.3, 0.6, 1.0, 0.2, 1.0)
_LOOKUP = (Leaning(-0.4, 1.0, 0.8, 0.3, 0.7), Leaning(-0.2, 0.4, 0.6, 0.2, 0.3))
_EVERY = 2  # of the confidences kept from earlier answers, as many as there are typical ones
_TYPICAL_FIRST = tuple(map(logit, (0.3, 0.5, 0.7, 0.85, 0.95, 0.98, 0.99, 0.999)))
_TYPICAL_LATER = tuple(map(logit, (0.4, 0.6, 0.8, 0.92, 0.98, 0.99, 0.998, 0.999)))


class Belief:
    """Learns from every token whose fate is known, tested or not."""

    def __init__(self, leanings: Sequence[Leaning], known: LearntSource) -> None:
        self._calibration = Calibration(leanings, known.weights)
        self._known = np.array(known.weights) if known.weights else self._calibration.weights
        self._counted = np.zeros_like(self._known)  # the weights after each token of this answer, added up
        self._tokens = 0
        # what earlier answers had is mixed with what is typical: they may have been of another kind
        self._typical = (*known.first[::_EVERY], *_TYPICAL_FIRST), (*known.later[::_EVERY], *_TYPICAL_LATER)
        self._first, self._later = (deque(each, _REMEMBERED) for each in self._typical)

    @classmethod
    def in_model(cls, known: LearntSource | None = None, copy: float = 0.4) -> "Belief":
        """That in a draft model, with what was learnt of the pair before.

        `copy`: how likely it is the target itself with fewer bits.
        """
        leanings = (replace(_SMALLER, share=1.0 - copy), replace(_COPY, share=copy))
        return cls(leanings, known or LearntSource())

    @classmethod
    def in_lookup(cls) -> "Belief":
        """That in prompt lookup, which depends on the text alone: what others showed says nothing."""
        return cls(_LOOKUP, LearntSource())

    @property
    def has_learnt(self) -> bool:
        """Whether any token has told of it in this answer."""
        return self._tokens > 0

    @property
    def learnt(self) -> LearntSource:
        """What is to be kept: how it was over many answers, not at the end of the last one."""
        weights = (_LONG_RUN * self._known + self._counted) / (_LONG_RUN + self._tokens)
        return LearntSource(tuple(map(float, weights)), tuple(self._first), tuple(self._later))

    def probability(self, confidence: float) -> float:
        """The chance that a token of this confidence is kept."""
        return self._calibration.probability(confidence)

    def probabilities(self, confidences: Sequence[float]) -> Floats:
        """The same for many at once."""
        return self._calibration.probabilities(confidences)

    def typical(self) -> tuple[Floats, float]:
        """Chances of first tokens, as they have been lately, and the mean of the ones behind them."""
        chances = self._calibration.at_logits((*self._first, *self._later))
        return chances[: len(self._first)], float(chances[len(self._first) :].mean())

    def drafted(self, confidences: Sequence[float]) -> None:
        """Remembers what a draft looked like."""
        self._first.extend(map(logit, confidences[:1]))
        self._later.extend(map(logit, confidences[1:]))

    def renew(self) -> None:
        """Goes back half-way to the beginning: what was thought not to pay does, so the text has changed."""
        self._calibration.renew()
        self._first, self._later = (deque(each, _REMEMBERED) for each in self._typical)

    def observe(self, confidences: Sequence[float], kept: int) -> None:
        """Learns that the first `kept` of these tokens were right, and the one after them, if any, wrong."""
        self._calibration.observe(confidences, kept)
        self._tokens += len(confidences[: kept + 1])
        self._counted += len(confidences[: kept + 1]) * self._calibration.weights
