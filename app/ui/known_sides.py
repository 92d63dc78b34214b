"""The sides of an experiment that was opened: with the models that are here now."""

from app.core.experiment import Experiment, ModelIdentity, Variant
from app.models.library import LocalModel
from app.ui.library_service import LibraryService
from app.ui.session_state import Running, SessionState
from app.ui.side import Side


def known_side(variant: Variant, library: LibraryService, state: SessionState) -> Side | None:
    """The variant with its draft model, the loaded one or one that is listed; None where that is not here."""
    if variant.draft is None:
        return Side(variant)
    loaded = state.setup.draft if isinstance(state, Running) else None
    models = library.listing.models if loaded is None else (loaded, *library.listing.models)
    draft = next((model for model in models if is_model(model, variant.draft)), None)
    return None if draft is None else Side(variant, draft)


def is_about_loaded(experiment: Experiment, state: SessionState) -> bool:
    """Whether what was measured is true of the model in memory, so that it can be remembered for it."""
    return isinstance(state, Running) and is_model(state.setup.target, experiment.target)


def is_model(model: LocalModel, identity: ModelIdentity) -> bool:
    """The same file by its name and size."""
    return model.path.name == identity.file and model.info.total_bytes == identity.size_bytes
