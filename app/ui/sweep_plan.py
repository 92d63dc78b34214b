"""Which ways to answer a sweep compares."""

from msgspec.structs import replace

from app.core.options import SpeculationMode
from app.ui.side import Side, off_side
from app.ui.variant_words import variant_id

LENGTHS = tuple(range(1, 9))  # draft tokens at most
_LOOKUP_LENGTHS = (2, 4, 8)  # beside a draft model


def sweep_sides(base: Side) -> tuple[Side, ...]:
    """Off, every draft length with the rest of `base`, and beside a draft model some lengths of lookup."""
    own = tuple(_with_length(base, length) for length in LENGTHS)
    if base.variant.speculation.mode is not SpeculationMode.DRAFT_MODEL:
        return (off_side(), *own)
    options = replace(base.variant.speculation, mode=SpeculationMode.PROMPT_LOOKUP)
    lookup = Side(replace(base.variant, speculation=options, draft=None))
    return (off_side(), *own, *(_with_length(lookup, length) for length in _LOOKUP_LENGTHS))


def _with_length(side: Side, length: int) -> Side:
    options = side.variant.speculation
    options = replace(
        options, max_draft_tokens=length, min_draft_tokens=min(options.min_draft_tokens, length)
    )
    return replace(side, variant=replace(side.variant, id=variant_id(options), speculation=options))
