"""Every setting, typed, with its default."""

from enum import StrEnum
from pathlib import Path

from msgspec import Struct

from app.core.options import GenerationLimits, LoadOptions, SamplingOptions, SpeculationOptions


class ThemeChoice(StrEnum):
    """The colours of the window."""

    SYSTEM = "system"
    DARK = "dark"
    LIGHT = "light"


class UserMode(StrEnum):
    """How much is shown. Each mode shows what the one before it does, and more."""

    USER = "user"
    POWER_USER = "power_user"  # speculative decoding and advanced load settings
    DEVELOPER = "developer"  # acceptance rules, the engine's log


class ModelConfig(Struct, frozen=True):
    """Everything that can be chosen for one model: its default config."""

    load: LoadOptions = LoadOptions()
    speculation: SpeculationOptions = SpeculationOptions()
    draft: Path | None = None  # kept while speculation is off, so that it can be turned on again
    sampling: SamplingOptions = SamplingOptions()  # its seed is not used: `seed` is
    limits: GenerationLimits = GenerationLimits()
    system_prompt: str = ""
    seed: int | None = None  # None: another one for every answer

    def problems(self) -> list[str]:
        """Sentences for every value that cannot be used; empty when all is well."""
        found = [
            *self.load.problems(),
            *self.speculation.problems(),
            *self.sampling.problems(),
            *self.limits.problems(),
        ]
        if self.seed is not None and not 0 <= self.seed < 2**32:
            found.append("the seed must be between 0 and 4294967295")
        return found


class Settings(Struct, frozen=True):
    """All of them."""

    theme: ThemeChoice = ThemeChoice.SYSTEM
    mode: UserMode = UserMode.POWER_USER
    models_folder: Path | None = None  # None: the program's own
    extra_folders: tuple[Path, ...] = ()
    declined_folders: tuple[Path, ...] = ()  # of other programs, once offered
    hidden_files: tuple[Path, ...] = ()  # removed from the list of models, not from the disk
    defaults: ModelConfig = ModelConfig()  # for models without a config of their own
    configs: dict[Path, ModelConfig] = {}  # by the file that is loaded
    visualize_accepted: bool = False
    load_last_at_start: bool = False
    last_model: Path | None = None
    ended_cleanly: bool = True  # False while the window is open, or after it or the engine crashed
    window_geometry: str = ""  # Qt's, in Base64

    def config_for(self, model: Path) -> ModelConfig:
        """A model's own config, or the defaults."""
        return self.configs.get(model, self.defaults)
