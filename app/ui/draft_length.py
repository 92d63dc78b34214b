"""Which numbers belong to which draft length."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from msgspec.structs import replace

from app.core.options import DraftLength, SpeculationOptions
from app.ui.number_field import NumberField

NUMBERS: Final = MappingProxyType(
    {
        DraftLength.AUTOMATIC: ("draft_ceiling",),
        DraftLength.FIXED: ("max_draft_tokens", "min_draft_tokens", "draft_probability"),
    }
)


def leave_usable(
    fields: Mapping[str, NumberField[Any]], shown: DraftLength, options: SpeculationOptions
) -> None:
    """Puts numbers that will not be seen back to those of `options` where they cannot be used.

    A person could not mend them where they are hidden. `shown` is the draft length whose numbers stay.
    """
    hidden = [name for length, names in NUMBERS.items() if length is not shown for name in names]
    values = {name: fields[name].value for name in hidden}
    are_readable = all(fields[name].is_readable for name in hidden)
    if not are_readable or replace(SpeculationOptions(), **values).problems():
        for name in hidden:
            fields[name].set_value(getattr(options, name))
