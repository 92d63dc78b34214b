"""Whether a model goes into this machine's memory, before it is downloaded."""

from enum import StrEnum

from msgspec import Struct

from app.core.estimate import MemoryEstimate, PartName

_MOST_SPARE = 1_000_000_000  # bytes
_SPARE_SHARE = 0.1  # of what is free
_SYSTEM_SHARE = 0.15  # of all memory: what the system itself keeps
_ROUGH_SHARE, _ROUGH_BYTES = 1.1, 300_000_000  # caches and buffers beside the weights, with a usual context
_TYPICAL_DRAFT_SHARE, _MOST_FOR_TYPICAL_DRAFT = 0.15, 1_200_000_000


class Fit(StrEnum):
    """How a model stands to the memory of this machine."""

    FITS = "fits"  # with a draft
    FITS_WITHOUT_DRAFT = "fits_without_draft"
    TIGHT = "tight"  # with next to nothing to spare, or once other programs make room
    TOO_LARGE = "too_large"
    UNKNOWN = "unknown"  # its header does not tell all, and what is known fits


class Need(Struct, frozen=True):
    """What a model takes, in bytes: what is known of it."""

    bytes: int
    is_complete: bool


class Room(Struct, frozen=True):
    """What there is, in bytes."""

    free: int  # now, with what the loaded model gives back when it is ejected
    total: int | None = None  # all memory of the machine


def fit_of(target: Need, draft_bytes: int, room: Room) -> Fit:
    """How a target stands to what there is, beside a draft of so many bytes.

    A tenth of what is free, and no more than 1 GB, is to be left over; with less than that to spare a model
    is tight. So is one that is larger than what is free now, if it fits into the machine once other programs
    have given way (85 % of all memory). What is unknown is no refusal: a model is too large only if what is
    known of it is.
    """
    spare = min(room.free * _SPARE_SHARE, _MOST_SPARE)
    if target.bytes > max(room.free, (room.total or 0) * (1 - _SYSTEM_SHARE)):
        return Fit.TOO_LARGE
    if not target.is_complete:
        return Fit.UNKNOWN
    if target.bytes > room.free - spare:
        return Fit.TIGHT
    return Fit.FITS if target.bytes + draft_bytes <= room.free - spare else Fit.FITS_WITHOUT_DRAFT


def need_of(estimate: MemoryEstimate, share: float = 1.0) -> Need:
    """What an estimate's target takes if its file were `share` times as large: other numbers, same layers.

    The weights and the second copy of them grow with the file; caches and buffers do not depend on it.
    """
    memory = estimate.target
    weights = sum(memory.bytes_of(name) or 0 for name in (PartName.WEIGHTS, PartName.REPACKED_WEIGHTS))
    return Need(memory.known_bytes - weights + round(weights * share), memory.is_complete)


def rough_need(file_bytes: int) -> Need:
    """What a model is likely to take, from the size of its file alone."""
    return Need(round(file_bytes * _ROUGH_SHARE) + _ROUGH_BYTES, is_complete=True)


def typical_draft_bytes(target_file_bytes: int) -> int:
    """What a draft is likely to take beside a target whose own is not known yet."""
    return min(round(target_file_bytes * _TYPICAL_DRAFT_SHARE), _MOST_FOR_TYPICAL_DRAFT)
