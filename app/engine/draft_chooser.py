"""Choosing the tokens of a draft as the target will choose its own: same penalties, filters and noise."""

from collections.abc import Callable

import numpy as np
from msgspec import Struct

from app.engine.distribution import Distribution, draw, noisy, probability_of
from app.engine.noise import Noise, Purpose
from app.engine.penalties import Penalties
from app.engine.tokens import Logits


class DraftedToken(Struct, frozen=True):
    """A token of a draft.

    `distribution` is what it was drawn from; None: the likeliest was taken. `probability` is its own at
    temperature 1, `confidence` how sure it is, between 0 and 1, that the target draws the same.
    """

    token: int
    distribution: Distribution | None
    probability: float
    confidence: float


class DraftChooser:
    """Draws the tokens of one draft, one step ahead of the last each time."""

    def __init__(
        self,
        penalties: Penalties,
        filtered: Callable[[Logits], Distribution] | None,
        temperature: float,
        noise: Noise,
        purpose: Purpose,
        step: int,
    ) -> None:
        """`filtered`: what may be drawn by some logits, and how likely; None takes the likeliest token."""
        self._penalties = penalties
        self._filtered = filtered
        self._temperature = temperature
        self._noise = noise
        self._purpose = purpose
        self._step = step

    def choose(self, row: Logits) -> DraftedToken:
        """The next token of the draft, after these logits."""
        logits = self._penalties.applied(row)
        if self._filtered is None:
            token, distribution, lead = int(logits.argmax()), None, None
        else:
            distribution = self._filtered(logits)
            token, lead = self._draw(distribution)
        self._penalties.accept(token)
        self._step += 1
        probability = probability_of(row, token)
        return DraftedToken(token, distribution, probability, probability if lead is None else lead)

    def _draw(self, distribution: Distribution) -> tuple[int, float | None]:
        """A token, and by how much it is drawn before the others, if there are others and it can be told.

        The target adds the same noise to logits that are a little different, so the likelier it draws the
        same, the further this one is ahead with its noise: not the more probable it is. The lead is a share
        like a probability, the one of the greedy draw where the temperature goes to 0.
        """
        if self._purpose is not Purpose.CHOICE or len(distribution.ids) == 1:
            return draw(distribution, self._noise, self._purpose, self._step), None
        scores = noisy(distribution, self._noise, self._purpose, self._step)
        place = int(scores.argmax())
        behind = self._temperature * (scores - scores[place])  # in logits, as models differ in those
        return int(distribution.ids[place]), float(1.0 / np.exp(behind).sum())
