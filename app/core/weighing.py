"""What the target makes of the place where two answers part."""

from msgspec import Struct


class Weighing(Struct, frozen=True):
    """Two tokens that may follow the same text, or one where there is nothing to weigh it against.

    `margin` tells how near the draw was, in logits: by how much the target's logits would have to be
    disturbed for the one token to be drawn in place of the other. At temperature 0 that is the gap of the
    logits behind the penalties; above, the noise of the draw and the filters decide too. None with a single
    token, and where no disturbance would do, since a grammar forbids one of them.
    """

    logits: tuple[float, ...]  # the target's own, of each
    texts: tuple[str, ...]  # of each
    text_length: int  # characters of the answer before them
    margin: float | None = None
