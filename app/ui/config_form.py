"""A model's whole config in form: the sections of both pages, filled and read together."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal

from app.settings import ModelConfig
from app.ui.config_section import ConfigSection
from app.ui.option_problems import problems_of, sentence


class Sections(Struct, frozen=True):
    """Who shows which group of settings; the joint problems of a group are told there."""

    load: ConfigSection
    speculation: ConfigSection
    sampling: ConfigSection
    others: tuple[ConfigSection, ...]


class ConfigForm(QObject):
    """Config to form and back. What no section shows comes back as it was.

    `made_for` is the context length that the model was made for, in tokens, None if its file does not tell.
    """

    edited = Signal()
    seen_changed = Signal()  # which problems can be seen beside their fields

    def __init__(self, sections: Sections, made_for: int | None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._sections = sections
        self._made_for = made_for
        self._elsewhere: tuple[str, ...] = ()  # problems of what no section shows
        self._all: Sequence[ConfigSection] = (
            sections.load,
            sections.speculation,
            sections.sampling,
            *sections.others,
        )
        self._base = ModelConfig()
        for section in self._all:
            section.edited.connect(self.edited)
            section.seen_changed.connect(self.seen_changed)

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

    @property
    def problems(self) -> list[str]:
        """All that the last check found, in sentences."""
        return [*self._elsewhere, *(text for section in self._all for text in section.problems)]

    @property
    def unseen_problems(self) -> list[str]:
        """Those of them that are not told beside a field on the screen."""
        hidden = [section for section in self._all if not section.isVisible()]
        return [*self._elsewhere, *(text for section in hidden for text in section.problems)]

    def check(self) -> None:
        """Looks for problems, and shows each beside its field."""
        config = self.config
        load = problems_of(config.load)
        speculation = problems_of(config.speculation)
        sampling = problems_of(replace(config.sampling, seed=config.seed or 0))
        limits = problems_of(config.limits)
        by_field = {**load.by_field, **speculation.by_field, **sampling.by_field, **limits.by_field}
        too_long = config.load.context_problem(self._made_for)
        if too_long is not None:
            by_field["context_length"] = (too_long,)
        joint = {
            id(self._sections.load): load.joint,
            id(self._sections.speculation): speculation.joint,
            id(self._sections.sampling): sampling.joint + limits.joint,
        }
        for section in self._all:
            section.show_problems(by_field, joint.get(id(section), ()))
        shown = {name for section in self._all for name in section.fields}
        self._elsewhere = tuple(
            sentence(text) for name, found in by_field.items() if name not in shown for text in found
        )
