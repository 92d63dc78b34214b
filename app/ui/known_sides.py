"""The sides of an experiment that was opened: with the models that are here now."""

from app.core.experiment import Experiment, Variant
from app.ui.identities import is_model
from app.ui.library_service import LibraryService
from app.ui.session_state import Running, SessionState
from app.ui.side import Side
from app.ui.variant_words import full_variant_id


def known_side(variant: Variant, library: LibraryService, state: SessionState) -> Side | None:
    """The variant with its draft model, the loaded one or one that is listed; None where that is not here."""
    if variant.draft is None:
        return Side(variant)
    loaded = state.setup.draft if isinstance(state, Running) else None
    models = library.listing.models if loaded is None else (loaded, *library.listing.models)
    draft = next((model for model in models if is_model(model, variant.draft)), None)
    return None if draft is None else Side(variant, draft)


def is_in_force(variant: Variant, state: SessionState) -> bool:
    """Whether the next answer is drafted like this: by the same model, with the same settings."""
    if not isinstance(state, Running) or variant.speculation.mode is not state.speculation:
        return False
    if not variant.drafts:
        return True
    if full_variant_id(variant.speculation) != full_variant_id(state.setup.config.speculation):
        return False
    draft = state.setup.draft
    return variant.draft is None or (draft is not None and is_model(draft, variant.draft))


def is_about_loaded(experiment: Experiment, state: SessionState) -> bool:
    """Whether what was measured is true of the model in memory, so that it can be remembered for it."""
    return isinstance(state, Running) and is_model(state.setup.target, experiment.target)
