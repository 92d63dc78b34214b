"""What is believed of one source of drafts: how its confidences turn out, and which ones it tends to have."""

from collections import deque
from collections.abc import Sequence

import numpy as np

from app.core.learnt import LearntSource
from app.engine.calibration import Calibration, Floats, Leaning

_LONG_RUN = 256  # tokens that what is known from earlier answers counts for
_REMEMBERED = 24  # confidences; a change of the text is noticed within as many rounds

# Where nothing was learnt yet. A draft model may be of the target's family, or a copy with fewer bits,
# which is right even where it is unsure; what a lookup found may be a copy under way, or a chance likeness.
_MODEL = (Leaning(0.3, 1.0, 1.2, 0.3, 0.6), Leaning(2.5, 0.4, 1.5, 0.3, 0.4))
_LOOKUP = (Leaning(-0.4, 0.8, 1.0, 0.3, 1.0),)
_EVERY = 3  # of the confidences kept from earlier answers, as many as there are typical ones
_TYPICAL_FIRST = (0.3, 0.5, 0.7, 0.85, 0.95, 0.98, 0.99, 0.999)
_TYPICAL_LATER = (0.4, 0.6, 0.8, 0.92, 0.98, 0.99, 0.998, 0.999)


class Belief:
    """Learns from every token whose fate is known, tested or not."""

    def __init__(self, leanings: Sequence[Leaning], known: LearntSource) -> None:
        self._calibration = Calibration(leanings, known.weights)
        self._known = np.array(known.weights) if known.weights else self._calibration.weights
        self._counted = np.zeros_like(self._known)  # the weights after each token of this answer, added up
        self._tokens = 0
        # what earlier answers had is mixed with what is typical: they may have been of another kind
        self._typical_first = (*known.first[::_EVERY], *_TYPICAL_FIRST)
        self._typical_later = (*known.later[::_EVERY], *_TYPICAL_LATER)
        self._first = deque(self._typical_first, _REMEMBERED)
        self._later = deque(self._typical_later, _REMEMBERED)
        self._relaxed = 0

    @classmethod
    def in_model(cls, known: LearntSource | None = None) -> "Belief":
        """That in a draft model, with what was learnt of the pair before."""
        return cls(_MODEL, known or LearntSource())

    @classmethod
    def in_lookup(cls) -> "Belief":
        """That in prompt lookup, which depends on the text alone: what others showed says nothing."""
        return cls(_LOOKUP, LearntSource())

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

    @property
    def first(self) -> Floats:
        """Chances of first tokens, as they have been lately."""
        return self._calibration.probabilities(self._first)

    @property
    def later(self) -> float:
        """The mean chance of a token behind the first one, of those that were drafted lately."""
        return float(self._calibration.probabilities(self._later).mean()) if self._later else 0.0

    def drafted(self, confidences: Sequence[float]) -> None:
        """Remembers what a draft looked like."""
        self._first.extend(confidences[:1])
        self._later.extend(confidences[1:])

    def relax(self) -> None:
        """Goes a step back towards the beginning: nothing was learnt, and the text may have changed."""
        self._calibration.relax()
        self._first.append(self._typical_first[self._relaxed % len(self._typical_first)])
        self._later.append(self._typical_later[self._relaxed % len(self._typical_later)])
        self._relaxed += 1

    def observe(self, confidences: Sequence[float], kept: int) -> None:
        """Learns that the first `kept` of these tokens were right, and the one after them, if any, wrong."""
        self._calibration.observe(confidences, kept)
        self._tokens += len(confidences[: kept + 1])
        self._counted += len(confidences[: kept + 1]) * self._calibration.weights
