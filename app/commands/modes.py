"""The modes of `slipstream bench`, and what each of them stands for."""

from argparse import Namespace
from collections.abc import Iterator, Sequence
from enum import StrEnum
from pathlib import Path

from msgspec.structs import replace

from app.core.errors import OptionsError
from app.core.experiment import Variant
from app.core.options import DraftLength, SpeculationMode, SpeculationOptions
from app.models.info import read_info
from app.models.model_identity import model_identity


class BenchMode(StrEnum):
    """One way to answer, as it is asked for."""

    OFF = "off"
    DRAFT = "draft"
    LOOKUP = "lookup"
    AUTO = "auto"  # an automatic length: with the draft model where there is one, else with prompt lookup


def chosen_modes(arguments: Namespace) -> tuple[BenchMode, ...]:
    """The modes asked for; by default all that are possible, each once. Raises OptionsError."""
    text, draft = arguments.modes, arguments.draft
    if text is None:
        return tuple(_possible_modes(draft, DraftLength(arguments.policy)))
    try:
        modes = tuple(BenchMode(name.strip()) for name in text.split(","))
    except ValueError as error:
        names = ", ".join(mode.value for mode in BenchMode)
        raise OptionsError(f"The modes are {names}, separated by commas; not “{text}”.") from error
    if BenchMode.DRAFT in modes and draft is None:
        raise OptionsError("The mode “draft” needs a draft model: give one with --draft.")
    return modes


def variants_of(
    modes: Sequence[BenchMode], speculation: SpeculationOptions, draft: Path | None
) -> tuple[Variant, ...]:
    """The modes as variants: all with the same settings, but for the automatic length of `auto`.

    Raises ModelFileError for a draft that is no model.
    """
    identity = None
    if draft is not None and any(_source(mode, draft) is SpeculationMode.DRAFT_MODEL for mode in modes):
        identity = model_identity(read_info(draft))
    found = []
    for mode in modes:
        options = _options(mode, speculation, draft)
        by_model = options.mode is SpeculationMode.DRAFT_MODEL
        found.append(Variant(_id(options), options, identity if by_model else None))
    return tuple(found)


def _possible_modes(draft: Path | None, length: DraftLength) -> Iterator[BenchMode]:
    yield BenchMode.OFF
    if draft is not None:
        yield BenchMode.DRAFT
    yield BenchMode.LOOKUP
    if length is DraftLength.FIXED:  # else one of the others is the same
        yield BenchMode.AUTO


def _source(mode: BenchMode, draft: Path | None) -> SpeculationMode:
    match mode:
        case BenchMode.OFF:
            return SpeculationMode.OFF
        case BenchMode.DRAFT:
            return SpeculationMode.DRAFT_MODEL
        case BenchMode.LOOKUP:
            return SpeculationMode.PROMPT_LOOKUP
        case BenchMode.AUTO:
            return SpeculationMode.PROMPT_LOOKUP if draft is None else SpeculationMode.DRAFT_MODEL


def _options(mode: BenchMode, speculation: SpeculationOptions, draft: Path | None) -> SpeculationOptions:
    if mode is BenchMode.OFF:
        return SpeculationOptions()
    length = DraftLength.AUTOMATIC if mode is BenchMode.AUTO else speculation.draft_length
    return replace(speculation, mode=_source(mode, draft), draft_length=length)


def _id(options: SpeculationOptions) -> str:
    """Of a fixed length the mode, else "auto" with a draft model and "lookup auto" without."""
    if not options.is_automatic:
        return options.mode.value
    if options.mode is SpeculationMode.DRAFT_MODEL:
        return DraftLength.AUTOMATIC.value
    return f"{options.mode.value} {DraftLength.AUTOMATIC.value}"
