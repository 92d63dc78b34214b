"""How a model is loaded, in detail."""

from msgspec.structs import replace
from PySide6.QtWidgets import QWidget

from app.core.options import CacheType, Switch
from app.settings import ModelConfig
from app.ui.config_section import ConfigSection
from app.ui.form_parts import ChoiceBox, captioned, ended_by
from app.ui.number_field import NumberField
from app.ui.number_text import decimal, optional, whole
from app.ui.option_words import cache_text, switch_text
from app.ui.theme import Theme
from app.ui.toggle import ToggleSwitch
from app.ui.widgets import column, row

_CHOICE_WIDTH = 150  # pixels


class AdvancedSection(ConfigSection):
    """Flash attention, cache formats, memory mapping, RoPE, and the seed."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        flash, mmap = self.tr("Flash Attention"), self.tr("Try mmap()")
        switches = [(switch, switch_text(switch)) for switch in Switch]
        self._flash = ChoiceBox("flash_attention_box", flash, switches)
        self._mmap = ChoiceBox("mmap_box", mmap, switches)
        self._mmap.setToolTip(
            self.tr(
                "Maps the file into memory instead of reading it. Automatic does so unless most of the "
                "weights would be in memory twice."
            )
        )
        keep = self.tr("Keep Model in Memory")
        self._keep = ToggleSwitch(theme, "keep_in_memory_switch", keep)
        self._keep.setToolTip(self.tr("Locks the weights, so that they are never swapped out."))
        kinds = [(kind, cache_text(kind)) for kind in CacheType]
        k_cache, v_cache = self.tr("K Cache Quantization Type"), self.tr("V Cache Quantization Type")
        self._k_cache = ChoiceBox("k_cache_box", k_cache, kinds)
        self._v_cache = ChoiceBox("v_cache_box", v_cache, kinds)
        automatic = self.tr("Auto")
        base, scale = self.tr("RoPE Frequency Base"), self.tr("RoPE Frequency Scale")
        self._base = NumberField("rope_base_field", base, optional(decimal(0)), None, placeholder=automatic)
        self._scale = NumberField("rope_scale_field", scale, optional(decimal()), None, placeholder=automatic)
        self._seed = NumberField(
            "seed_field",
            self.tr("Seed"),
            optional(whole(grouped=False, largest=2**32 - 1)),
            None,
            placeholder=self.tr("Random"),
        )
        self.fields = {
            "rope_frequency_base": self._base,
            "rope_frequency_scale": self._scale,
            "seed": self._seed,
        }
        self.setLayout(
            column(
                ended_by(flash, self._flash, width=_CHOICE_WIDTH),
                ended_by(mmap, self._mmap, width=_CHOICE_WIDTH),
                ended_by(keep, self._keep),
                row(captioned(k_cache, self._k_cache), captioned(v_cache, self._v_cache), spacing=16),
                row(
                    captioned(base, self._base),
                    captioned(scale, self._scale),
                    captioned(self.tr("Seed"), self._seed),
                    spacing=12,
                ),
                self.problem_line,
                None,
            )
        )
        for box in (self._flash, self._mmap, self._k_cache, self._v_cache):
            box.value_chosen.connect(self.edited)
        self._keep.clicked.connect(self.edited)
        self._follow(self._base, self._scale, self._seed)

    def show_config(self, config: ModelConfig) -> None:
        """Shows a config's values."""
        load = config.load
        self._flash.set_value(load.flash_attention)
        self._mmap.set_value(load.mmap)
        self._keep.setChecked(load.keep_in_memory)
        self._k_cache.set_value(load.k_cache_type)
        self._v_cache.set_value(load.v_cache_type)
        self._base.set_value(load.rope_frequency_base)
        self._scale.set_value(load.rope_frequency_scale)
        self._seed.set_value(config.seed)

    def applied_to(self, config: ModelConfig) -> ModelConfig:
        """The config with the values shown here."""
        load = replace(
            config.load,
            flash_attention=self._flash.value,
            mmap=self._mmap.value,
            keep_in_memory=self._keep.isChecked(),
            k_cache_type=self._k_cache.value,
            v_cache_type=self._v_cache.value,
            rope_frequency_base=self._base.value,
            rope_frequency_scale=self._scale.value,
        )
        return replace(config, load=load, seed=self._seed.value)
