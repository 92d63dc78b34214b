"""How large a model's context is and how it is computed, where no model is known yet."""

from msgspec.structs import replace
from PySide6.QtWidgets import QWidget

from app.core.machine import usable_cores
from app.settings import ModelConfig
from app.ui.config_section import ConfigSection
from app.ui.context_length import ContextLength
from app.ui.form_parts import captioned
from app.ui.number_field import NumberField
from app.ui.number_text import or_empty, whole
from app.ui.widgets import column, row


class SizeSection(ConfigSection):
    """Context length, threads, and batch size."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = ContextLength(None)
        automatic = self.tr("Automatic ({threads})").format(threads=usable_cores())
        self._threads = NumberField(
            "cpu_threads_field", self.tr("CPU Threads"), or_empty(whole(), 0), 0, placeholder=automatic
        )
        self._batch = NumberField("batch_size_field", self.tr("Evaluation Batch Size"), whole(), 512)
        self.fields = {
            "context_length": self._context.field,
            "threads": self._threads,
            "batch_size": self._batch,
        }
        second = row(
            captioned(self._threads.accessibleName(), self._threads),
            captioned(self._batch.accessibleName(), self._batch),
            spacing=16,
        )
        self.setLayout(column(self._context, second, self.problem_line, spacing=12))
        self._context.edited.connect(self.edited)
        self._follow(self._threads, self._batch)

    def show_config(self, config: ModelConfig) -> None:
        """Shows a config's values."""
        self._context.set_value(config.load.context_length)
        self._threads.set_value(config.load.threads)
        self._batch.set_value(config.load.batch_size)

    def applied_to(self, config: ModelConfig) -> ModelConfig:
        """The config with the values shown here."""
        load = replace(
            config.load,
            context_length=self._context.value,
            threads=self._threads.value,
            batch_size=self._batch.value,
        )
        return replace(config, load=load)
