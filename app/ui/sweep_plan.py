"""Which ways to answer a sweep compares."""

from msgspec.structs import replace

from app.core.options import DraftLength, SpeculationMode, SpeculationOptions
from app.ui.side import Side, off_side
from app.ui.variant_words import variant_id

LENGTHS = tuple(range(1, 9))  # draft tokens at most
_LOOKUP_LENGTHS = (2, 4, 8)  # beside a draft model


def sweep_sides(base: Side) -> tuple[Side, ...]:
    """Off, every fixed length with the rest of `base`, and the automatic one.

    Beside a draft model some lengths of lookup are tried as well.
    """
    own = tuple(_with_length(base, length) for length in LENGTHS)
    automatic = _automatic(base)
    if base.variant.speculation.mode is not SpeculationMode.DRAFT_MODEL:
        return (off_side(), *own, automatic)
    options = replace(base.variant.speculation, mode=SpeculationMode.PROMPT_LOOKUP)
    lookup = Side(replace(base.variant, speculation=options, draft=None))
    return (off_side(), *own, *(_with_length(lookup, length) for length in _LOOKUP_LENGTHS), automatic)


def _with_length(side: Side, length: int) -> Side:
    options = side.variant.speculation
    options = replace(
        options,
        draft_length=DraftLength.FIXED,
        max_draft_tokens=length,
        min_draft_tokens=min(options.min_draft_tokens, length),
    )
    return _with_options(side, options)


def _automatic(side: Side) -> Side:
    return _with_options(side, replace(side.variant.speculation, draft_length=DraftLength.AUTOMATIC))


def _with_options(side: Side, options: SpeculationOptions) -> Side:
    return replace(side, variant=replace(side.variant, id=variant_id(options), speculation=options))
