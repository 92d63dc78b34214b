"""A model's whole config in form: the sections of both pages, filled and read together."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal

from app.settings import ModelConfig
from app.ui.config_section import ConfigSection
from app.ui.option_problems import Problems, problems_of, sentence


class Sections(Struct, frozen=True):
    """Who shows which group of settings; the joint problems of a group are told there."""

    load: ConfigSection
    speculation: ConfigSection
    sampling: ConfigSection
    others: tuple[ConfigSection, ...]


class ConfigForm(QObject):
    """Config to form and back. What no section shows comes back as it was."""

    edited = Signal()

    def __init__(self, sections: Sections, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._sections = sections
        self._all: Sequence[ConfigSection] = (
            sections.load,
            sections.speculation,
            sections.sampling,
            *sections.others,
        )
        self._base = ModelConfig()
        for section in self._all:
            section.edited.connect(self.edited)

    @property
    def config(self) -> ModelConfig:
        """The config as the form has it."""
        config = self._base
        for section in self._all:
            config = section.applied_to(config)
        return config

    def show_config(self, config: ModelConfig) -> None:
        """Fills the form."""
        self._base = config
        for section in self._all:
            section.show_config(config)

    def check(self) -> list[str]:
        """Shows each problem beside its field, and gives all of them as sentences."""
        config = self.config
        load = problems_of(config.load)
        speculation = problems_of(config.speculation)
        sampling = problems_of(replace(config.sampling, seed=config.seed or 0))
        limits = problems_of(config.limits)
        everything = (load, speculation, sampling, limits)
        by_field = {name: found for group in everything for name, found in group.by_field.items()}
        joint = {
            id(self._sections.load): load.joint,
            id(self._sections.speculation): speculation.joint,
            id(self._sections.sampling): sampling.joint + limits.joint,
        }
        sentences: list[str] = []
        for section in self._all:
            sentences += section.show_problems(by_field, joint.get(id(section), ()))
        return sentences + [sentence(problem) for group in everything for problem in _all_of(group)]


def _all_of(problems: Problems) -> tuple[str, ...]:
    return (*(text for found in problems.by_field.values() for text in found), *problems.joint)
