"""Loaded models with their settings, without an engine."""

from pathlib import Path

from msgspec.structs import replace

from app.core.options import SpeculationMode, SpeculationOptions
from app.core.protocol import Loaded, Refusal
from app.settings import ModelConfig
from app.ui.session_state import Running, Setup
from tests.fakes.local_models import local_model

TARGET = local_model("Qwen2.5-Coder 1.5B Instruct", quantisation="F16")
DRAFT = local_model("Qwen2.5-Coder 0.5B Instruct", path=Path("/models/draft.gguf"))


def loaded(
    *, has_draft: bool = True, refusal: Refusal | None = None, draft_refusal: Refusal | None = None
) -> Loaded:
    """What an engine says of a load."""
    return Loaded(
        request_id=1,
        context_length=4096,
        has_draft=has_draft,
        target_bytes=3_500_000_000,
        draft_bytes=500_000_000 if has_draft else 0,
        load_s=1.5,
        refusal=refusal,
        draft_refusal=draft_refusal,
        template_problem=None,
    )


def drafted_setup(**speculation: object) -> Setup:
    """A target with its draft model, drafting unless told otherwise."""
    options = replace(SpeculationOptions(mode=SpeculationMode.DRAFT_MODEL), **speculation)
    return Setup(TARGET, DRAFT, ModelConfig(speculation=options, draft=DRAFT.path))


def plain_setup(mode: SpeculationMode = SpeculationMode.OFF) -> Setup:
    """A target alone."""
    return Setup(TARGET, None, ModelConfig(speculation=SpeculationOptions(mode=mode)))


def drafted(**speculation: object) -> Running:
    """A target and its draft model in memory."""
    return Running(drafted_setup(**speculation), loaded())


def plain(mode: SpeculationMode = SpeculationMode.OFF) -> Running:
    """A target alone in memory."""
    return Running(plain_setup(mode), loaded(has_draft=False))
