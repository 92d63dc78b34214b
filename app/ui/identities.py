"""Which model something was measured with, and whether a model here is that one."""

from app.core.experiment import ModelIdentity
from app.models.library import LocalModel
from app.models.model_names import printable


def identity_of(model: LocalModel) -> ModelIdentity:
    """Under the name that the window knows it by; without its header's digest, which takes time to read."""
    return ModelIdentity(
        name=model.name,
        quantisation=printable(model.info.quantisation),
        file=printable(model.path.name),
        size_bytes=model.info.total_bytes,
    )


def is_model(model: LocalModel, identity: ModelIdentity) -> bool:
    """The same file by its name, as far as it can be shown, and its size."""
    return (printable(model.path.name), model.info.total_bytes) == (identity.file, identity.size_bytes)
