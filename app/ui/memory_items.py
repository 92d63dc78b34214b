"""An estimate of memory as a person reads it: a few items with a figure each, and what is not known."""

from typing import Literal

from msgspec import Struct
from PySide6.QtCore import QCoreApplication

from app.core.estimate import MemoryEstimate, Missing, ModelMemory, PartName
from app.figures import MISSING, bytes_text

ChartRole = Literal["chart_1", "chart_2", "chart_3", "chart_4", "chart_5"]

translate = QCoreApplication.translate

_WEIGHTS = (PartName.WEIGHTS, PartName.REPACKED_WEIGHTS)
_CACHE = (PartName.KV_CACHE, PartName.RECURRENT_STATE)
_BUFFERS = (PartName.COMPUTE, PartName.OUTPUTS, PartName.VOCABULARY, PartName.LIBRARY)


class MemoryItem(Struct, frozen=True):
    """One item. `bytes` is what is known of it; `is_complete` False where something is not."""

    label: str
    bytes: int
    is_complete: bool
    role: ChartRole

    @property
    def text(self) -> str:
        """The item in words: "Target 3.4 GB", with a dash where nothing is known."""
        if self.is_complete:
            return f"{self.label} {bytes_text(self.bytes)}"
        return f"{self.label} ≥ {bytes_text(self.bytes)}" if self.bytes else f"{self.label} {MISSING}"


def memory_items(estimate: MemoryEstimate) -> tuple[MemoryItem, ...]:
    """Both models' weights and caches, and what they have in common, in the order of the bar."""
    models = [estimate.target] if estimate.draft is None else [estimate.target, estimate.draft]
    found = [
        _item(translate("MemoryCard", "Target"), "chart_1", [estimate.target], _WEIGHTS),
        _item(translate("MemoryCard", "target's cache"), "chart_2", [estimate.target], _CACHE),
    ]
    if estimate.draft is not None:
        found.append(_item(translate("MemoryCard", "draft"), "chart_3", [estimate.draft], _WEIGHTS))
        found.append(_item(translate("MemoryCard", "draft's cache"), "chart_5", [estimate.draft], _CACHE))
    found.append(_item(translate("MemoryCard", "buffers"), "chart_4", models, _BUFFERS))
    return tuple(found)


def missing_text(estimate: MemoryEstimate) -> str:
    """What the headers lack, in a sentence; empty where all is known."""
    models = (estimate.target, estimate.draft) if estimate.draft else (estimate.target,)
    missing = {part.missing for model in models for part in model.parts if part.missing is not None}
    if not missing:
        return ""
    named = ", ".join(_lacking(each) for each in Missing if each in missing)
    return translate("MemoryCard", "Not all of it can be told: the file lacks {named}.").format(named=named)


def _item(label: str, role: ChartRole, models: list[ModelMemory], names: tuple[PartName, ...]) -> MemoryItem:
    parts = [part for model in models for part in model.parts if part.name in names]
    known = sum(part.bytes or 0 for part in parts)
    return MemoryItem(label, known, all(part.bytes is not None for part in parts), role)


def _lacking(missing: Missing) -> str:
    match missing:
        case Missing.LAYERS:
            return translate("MemoryCard", "the number of layers")
        case Missing.HEADS:
            return translate("MemoryCard", "the attention heads")
        case Missing.WIDTH:
            return translate("MemoryCard", "the width of the layers")
        case Missing.RECURRENT_STATE:
            return translate("MemoryCard", "the size of the running state")
        case Missing.VOCABULARY:
            return translate("MemoryCard", "the size of the vocabulary")
        case Missing.CONTEXT_LENGTH:
            return translate("MemoryCard", "the context length")
        case Missing.KNOWN_ARCHITECTURE:
            return translate("MemoryCard", "a cache of a kind that is known here")
