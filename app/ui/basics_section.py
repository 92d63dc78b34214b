"""What everybody sees of how a model is loaded: context, GPU, threads, batch."""

from collections.abc import Mapping

from msgspec.structs import replace
from PySide6.QtWidgets import QWidget

from app.core.machine import usable_cores
from app.core.protocol import Ready
from app.models.info import ModelInfo
from app.settings import ModelConfig
from app.ui.config_section import ConfigSection
from app.ui.context_length import ContextLength
from app.ui.form_parts import captioned
from app.ui.number_field import NumberField
from app.ui.number_text import or_empty, whole
from app.ui.widgets import column, row

_ALL_LAYERS = -1
_THREADS_WIDTH = 126  # pixels


class BasicsSection(ConfigSection):
    """`capabilities` are the engine's, None before it was ever started."""

    def __init__(self, info: ModelInfo, capabilities: Ready | None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = ContextLength(info.context_length)
        self._gpu = NumberField(
            "gpu_offload_field",
            self.tr("GPU Offload"),
            or_empty(whole(), _ALL_LAYERS),
            0,
            placeholder=self.tr("All layers"),
            hint=self.tr("Layers that are put on the GPU; empty for all of them."),
        )
        if capabilities is not None and not capabilities.supports_gpu:
            self._gpu.set_unavailable(self.tr("none in this build"))
        threads = usable_cores() if capabilities is None else capabilities.threads
        automatic = self.tr("Automatic ({threads})").format(threads=threads)
        self._threads = NumberField(
            "cpu_threads_field", self.tr("CPU Threads"), or_empty(whole(), 0), 0, placeholder=automatic
        )
        self._threads.setFixedWidth(_THREADS_WIDTH)
        self._batch = NumberField("batch_size_field", self.tr("Evaluation Batch Size"), whole(), 512)
        self.fields = {
            "context_length": self._context.field,
            "gpu_layers": self._gpu,
            "threads": self._threads,
            "batch_size": self._batch,
        }
        second = row(
            captioned(self._gpu.accessibleName(), self._gpu),
            captioned(self._threads.accessibleName(), self._threads),
            captioned(self.tr("Evaluation Batch Size"), self._batch),
            spacing=10,
        )
        second.setStretch(0, 3)
        second.setStretch(2, 1)
        self.setLayout(column(self._context, second, self.problem_line, None, spacing=12))
        self._context.edited.connect(self.edited)
        self._follow(self._gpu, self._threads, self._batch)

    def show_config(self, config: ModelConfig) -> None:
        """Shows a config's values."""
        self._context.set_value(config.load.context_length)
        self._gpu.set_value(config.load.gpu_layers)
        self._threads.set_value(config.load.threads)
        self._batch.set_value(config.load.batch_size)

    def show_problems(
        self, by_field: Mapping[str, tuple[str, ...]], joint: tuple[str, ...]
    ) -> tuple[str, ...]:
        """Marks the fields at fault, and says why below."""
        self._context.set_refused("context_length" in by_field)
        return super().show_problems(by_field, joint)

    def applied_to(self, config: ModelConfig) -> ModelConfig:
        """The config with the values shown here."""
        load = replace(
            config.load,
            context_length=self._context.value,
            gpu_layers=self._gpu.value,
            threads=self._threads.value,
            batch_size=self._batch.value,
        )
        return replace(config, load=load)
