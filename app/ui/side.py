"""One side of a comparison: the way to answer, and the model that drafts for it."""

from msgspec import Struct
from msgspec.structs import replace

from app.core.experiment import Variant
from app.core.options import SpeculationMode, SpeculationOptions
from app.models.library import LocalModel
from app.settings import ModelConfig
from app.ui.identities import identity_of
from app.ui.library_service import LibraryService
from app.ui.session_state import Running
from app.ui.variant_words import full_variant_id, variant_id


class Side(Struct, frozen=True):
    """A variant, and the draft model to load for it: None unless a model drafts."""

    variant: Variant
    draft: LocalModel | None = None

    def config_for(self, config: ModelConfig) -> ModelConfig:
        """A model's config with drafting as it is on this side.

        Off leaves the numbers and the draft model as they are, so that drafting can be turned on again; and
        prompt lookup leaves the draft model.
        """
        speculation = self.variant.speculation
        if not self.variant.drafts:
            speculation = replace(config.speculation, mode=SpeculationMode.OFF)
        draft = self.draft.path if self.draft is not None else config.draft
        return replace(config, speculation=speculation, draft=draft)


def side_of(config: ModelConfig, draft: LocalModel | None) -> Side:
    """The side that answers as a config says. Without the draft model that it takes, that is plain."""
    speculation = config.speculation
    if speculation.mode is SpeculationMode.OFF:
        return off_side()
    if speculation.mode is SpeculationMode.PROMPT_LOOKUP:
        return Side(Variant(variant_id(speculation), speculation))
    if draft is None:
        return off_side()
    return Side(Variant(variant_id(speculation), speculation, identity_of(draft)), draft)


def off_side() -> Side:
    """Plain generation."""
    speculation = SpeculationOptions()
    return Side(Variant(variant_id(speculation), speculation))


def with_ids(left: Side, right: Side) -> tuple[Side, Side]:
    """Both, with ids that tell them apart."""
    for ids in (
        [variant_id(side.variant.speculation) for side in (left, right)],
        [full_variant_id(side.variant.speculation) for side in (left, right)],
        [_id_with_draft(side.variant) for side in (left, right)],
    ):
        if ids[0] != ids[1]:
            return _named(left, ids[0]), _named(right, ids[1])
    return _named(left, ids[0]), _named(right, f"{ids[1]} (2)")


def default_sides(running: Running, saved: ModelConfig, library: LibraryService) -> tuple[Side, Side]:
    """Plain generation on the left; on the right what is saved for the model.

    Where that is plain as well, or its draft model is not to be had, the right side drafts with whichever
    model is at hand: the one in memory, else the saved one if it is listed; else by prompt lookup.
    """
    speculation = saved.speculation
    if speculation.mode is not SpeculationMode.PROMPT_LOOKUP:
        draft = draft_at_hand(running, saved, library)
        mode = SpeculationMode.DRAFT_MODEL if draft is not None else SpeculationMode.PROMPT_LOOKUP
        return off_side(), side_of(replace(saved, speculation=replace(speculation, mode=mode)), draft)
    return off_side(), side_of(saved, None)


def draft_at_hand(running: Running, saved: ModelConfig, library: LibraryService) -> LocalModel | None:
    """A draft model that can be compared with, where one is in memory or saved and listed.

    The saved one comes first where the config drafts with it, else the one in memory.
    """
    in_memory = running.setup.draft if running.has_draft else None
    chosen = library.find(saved.draft) if saved.draft is not None else None
    refused = running.setup.draft if running.loaded.draft_refusal is not None else None
    if chosen is not None and (chosen.path == running.setup.target.path or chosen == refused):
        chosen = None
    if saved.speculation.mode is SpeculationMode.DRAFT_MODEL:
        return chosen or in_memory
    return in_memory or chosen


def _id_with_draft(variant: Variant) -> str:
    name = full_variant_id(variant.speculation)
    return f"{name} {variant.draft.title}" if variant.draft is not None else name


def _named(side: Side, id_: str) -> Side:
    return replace(side, variant=replace(side.variant, id=id_))
