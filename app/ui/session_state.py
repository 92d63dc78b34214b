"""What the window knows of the engine at a moment, and which changes of a config need a reload."""

from msgspec import Struct
from msgspec.structs import replace

from app.core.options import SpeculationMode
from app.core.protocol import Failed, Loaded
from app.models.library import LocalModel
from app.settings import ModelConfig
from app.ui.engine_end import EngineEnd


class Setup(Struct, frozen=True):
    """What is in force, or asked for.

    In force, `draft` and `config.draft` are what this load asked for: None unless it was to draft with a
    model. They stay while drafting is switched off between answers, since the draft stays in memory.
    """

    target: LocalModel
    draft: LocalModel | None
    config: ModelConfig


class Empty(Struct, frozen=True):
    """No model, and no engine process."""


class Loading(Struct, frozen=True):
    """A model is on its way into memory, the one before it perhaps still on its way out."""

    setup: Setup


class Running(Struct, frozen=True):
    """A model is in memory."""

    setup: Setup
    loaded: Loaded

    @property
    def has_draft(self) -> bool:
        """True where a draft model is in memory and of use; `loaded` says why where one was asked for."""
        return self.loaded.has_draft and self.loaded.refusal is None

    @property
    def speculation(self) -> SpeculationMode:
        """How the next answer is really drafted, after everything that was refused."""
        mode = self.setup.config.speculation.mode
        if self.loaded.refusal is not None:
            return SpeculationMode.OFF
        if mode is SpeculationMode.DRAFT_MODEL and not self.loaded.has_draft:
            return SpeculationMode.OFF
        return mode


class LoadFailed(Struct, frozen=True):
    """A load that the engine refused, being well itself."""

    setup: Setup
    failed: Failed


class EngineLost(Struct, frozen=True):
    """The engine ended, and nobody had asked it to."""

    setup: Setup
    end: EngineEnd


SessionState = Empty | Loading | Running | LoadFailed | EngineLost


def to_load(setup: Setup) -> Setup:
    """A setup as it will be in force: without a draft model that would only take memory."""
    if setup.config.speculation.mode is SpeculationMode.DRAFT_MODEL and setup.draft is not None:
        return replace(setup, config=replace(setup.config, draft=setup.draft.path))
    return replace(setup, draft=None, config=replace(setup.config, draft=None))


def needs_reload(in_force: ModelConfig, wanted: ModelConfig) -> bool:
    """Whether `wanted` takes a reload where `in_force` (a Setup's own) is loaded.

    Load options do, and drafting with a model that is not in memory. All else applies to the next answer:
    speculation's switch and figures, sampling, limits, system prompt, seed.
    """
    return wanted.load != in_force.load or _misses_draft(in_force, wanted)


def adjusted(in_force: ModelConfig, wanted: ModelConfig) -> ModelConfig:
    """`in_force` with all of `wanted` that needs no reload.

    What does need one is left as it is: load options, the draft model, and drafting with a model where
    `wanted` names one that is not in memory.
    """
    speculation = wanted.speculation
    if _misses_draft(in_force, wanted):
        speculation = replace(speculation, mode=in_force.speculation.mode)
    return replace(wanted, load=in_force.load, draft=in_force.draft, speculation=speculation)


def _misses_draft(in_force: ModelConfig, wanted: ModelConfig) -> bool:
    return wanted.speculation.mode is SpeculationMode.DRAFT_MODEL and wanted.draft != in_force.draft
