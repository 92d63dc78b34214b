"""Rows of the list of models, without files."""

from pathlib import Path

from app.models.info import ModelInfo
from app.models.library import LocalModel


def local_model(
    name: str = "Qwen2.5-Coder 1.5B Instruct",
    *,
    path: Path = Path("/models/Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF/qwen.gguf"),
    parameters: int = 1_540_000_000,
    quantisation: str = "Q4_K_M",
    size_bytes: int = 1_120_000_000,
    architecture: str = "qwen2",
    publisher: str = "Qwen",
    context_length: int | None = 32_768,
    managed: bool = True,
    modified: float = 1_764_400_000.0,
    parts: tuple[Path, ...] | None = None,
    projector: Path | None = None,
) -> LocalModel:
    """A model with the given features and otherwise those of a small Qwen."""
    info = ModelInfo(
        path=path,
        parts=parts or (path,),
        total_bytes=size_bytes,
        weight_bytes=size_bytes,
        architecture=architecture,
        parameters=parameters,
        quantisation=quantisation,
        name=name,
        organisation=publisher,
        basename=None,
        size_label=None,
        finetune=None,
        licence=None,
        context_length=context_length,
        layers=(),
        embedding_width=None,
        key_size=None,
        value_size=None,
        sliding_key_size=None,
        sliding_value_size=None,
        latent_attention=False,
        sliding_window=0,
        vocabulary_size=151_936,
        experts=0,
        experts_used=0,
        is_recurrent=False,
        is_hybrid=False,
        rolls_back=False,
        recurrent_state=None,
        chat_template="{{ messages }}",
    )
    return LocalModel(
        info=info,
        publisher=publisher,
        name=name,
        modified=modified,
        managed=managed,
        projector=projector,
    )
