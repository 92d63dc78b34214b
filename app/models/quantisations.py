"""How much of a model its quantisations keep, and which one to take."""

import re
from collections.abc import Callable, Sequence
from enum import StrEnum

from app.models.hub import RemoteModel

USUAL = "Q4_K_M"

_FULLER = ("Q8_0", "Q6_K", "Q5_K_M")  # what a small model is taken in instead, the best first
_SMALL = 2_000_000_000  # bytes: as large as a model may be for more bits than usual to cost little
_BITS = re.compile(r"(UD-)?(I?Q|TQ|MXFP|NVFP)(?P<bits>\d)")
_PLAIN_FOUR = re.compile(r"Q4_[01]")  # one scale a block: clearly behind the others of its size


class Quality(StrEnum):
    """What is left of a model's answers, by what its quantisation usually costs."""

    VERY_LOW = "very_low"
    LOW = "low"
    FAIR = "fair"
    GOOD = "good"
    VERY_GOOD = "very_good"
    NEAR_ORIGINAL = "near_original"
    ORIGINAL = "original"
    UNKNOWN = "unknown"


class Reason(StrEnum):
    """Why a row is recommended."""

    USUAL = "usual"  # the usual balance of quality and size
    SMALL_MODEL = "small_model"  # so small that more bits cost little
    BEST_THAT_FITS = "best_that_fits"  # the usual one is missing or too large


_PREFERENCE = (
    Quality.NEAR_ORIGINAL,
    Quality.VERY_GOOD,
    Quality.GOOD,
    Quality.FAIR,
    Quality.ORIGINAL,  # twice the size and half the speed for what nobody notices
    Quality.UNKNOWN,
)  # below, a smaller model answers better

_BY_BITS = {
    1: Quality.VERY_LOW,
    2: Quality.VERY_LOW,
    3: Quality.LOW,
    4: Quality.GOOD,
    5: Quality.VERY_GOOD,
    6: Quality.NEAR_ORIGINAL,
    8: Quality.NEAR_ORIGINAL,
}


def quality_of(name: str) -> Quality:
    """The quality of a quantisation's name, such as "Q4_K_M"."""
    upper = name.upper()
    if upper in ("F16", "BF16", "F32", "FP16", "FP32"):
        return Quality.ORIGINAL
    if _PLAIN_FOUR.match(upper):
        return Quality.FAIR
    found = _BITS.match(upper)
    return Quality.UNKNOWN if found is None else _BY_BITS.get(int(found["bits"]), Quality.UNKNOWN)


def recommended(
    rows: Sequence[RemoteModel], fits: Callable[[RemoteModel], bool]
) -> tuple[RemoteModel, Reason] | None:
    """The row to take, and why; None where none fits that is worth it."""
    fitting = [row for row in rows if fits(row)]
    for name in _FULLER:
        small = [row for row in fitting if row.quantisation == name and row.total_bytes <= _SMALL]
        if small:
            return max(small, key=_size), Reason.SMALL_MODEL
    usual = [row for row in fitting if row.quantisation == USUAL]
    if usual:
        return max(usual, key=_size), Reason.USUAL
    for quality in _PREFERENCE:
        alike = [row for row in fitting if quality_of(row.quantisation) is quality]
        if alike:
            return max(alike, key=_size), Reason.BEST_THAT_FITS
    return None


def _size(row: RemoteModel) -> int:
    return row.total_bytes
