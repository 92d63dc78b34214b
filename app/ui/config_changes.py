"""In which settings two configs differ, in words."""

from enum import Enum
from pathlib import Path
from typing import Any

from msgspec import Struct, structs
from PySide6.QtCore import QCoreApplication

from app.core.options import (
    AcceptanceRule,
    CacheType,
    DraftLength,
    LoadOptions,
    SpeculationMode,
    SpeculationOptions,
    Switch,
)
from app.settings import ModelConfig, UserMode
from app.ui.draft_length import NUMBERS
from app.ui.number_text import decimal_text, whole_text
from app.ui.option_words import cache_text, draft_length_text, mode_text, rule_text, switch_text
from app.ui.session_state import needs_reload

translate = QCoreApplication.translate


class Change(Struct, frozen=True):
    """A setting that is in force with another value. `value` is that one, empty where it takes many words."""

    label: str
    value: str
    needs_reload: bool
    mode: UserMode  # the first one that shows the setting

    @property
    def text(self) -> str:
        """Such as "Context Length (8,192 in force)"."""
        if not self.value:
            return self.label
        return translate("ConfigChanges", "{label} ({value} in force)").format(
            label=self.label, value=self.value
        )

    @property
    def short_text(self) -> str:
        """Such as "Context Length 8,192"."""
        return f"{self.label} {self.value}" if self.value else self.label

    def is_shown_in(self, mode: UserMode) -> bool:
        """Whether a person in that mode sees the setting anywhere."""
        modes = list(UserMode)
        return modes.index(self.mode) <= modes.index(mode)


def changes_between(in_force: ModelConfig, wanted: ModelConfig) -> tuple[Change, ...]:
    """Every setting that differs and matters, in the order of the dialog."""
    found = []
    without_effect = _without_effect(in_force.speculation, wanted.speculation)
    for group in ("load", "speculation", "sampling", "limits"):
        ours, theirs = getattr(in_force, group), getattr(wanted, group)
        for field in structs.fields(ours):
            value = getattr(ours, field.name)
            if value != getattr(theirs, field.name) and (group, field.name) not in without_effect:
                reload = group == "load" or _alone_needs_reload(in_force, wanted, field.name)
                found.append(_change(field.name, value, needs_reload=reload))
    if wanted.speculation.mode is SpeculationMode.DRAFT_MODEL and in_force.draft != wanted.draft:
        found.append(_change("draft", in_force.draft, needs_reload=True))
    if in_force.seed != wanted.seed:
        found.append(_change("seed", in_force.seed, needs_reload=False))
    if in_force.system_prompt != wanted.system_prompt:
        found.append(_change("system_prompt", (), needs_reload=False))
    return tuple(found)


def _without_effect(in_force: SpeculationOptions, wanted: SpeculationOptions) -> set[tuple[str, str]]:
    """What is no difference: the numbers of a draft length that not both have, and a seed of its own.

    Where the lengths differ, that says it all: numbers that are in force nowhere would only confuse.
    """
    lengths = {in_force.draft_length, wanted.draft_length}
    unused = {
        ("speculation", name) for length in DraftLength if lengths != {length} for name in NUMBERS[length]
    }
    return {("sampling", "seed"), *unused}


def _change(name: str, value: Any, *, needs_reload: bool) -> Change:
    return Change(_label(name), _text(name, value), needs_reload, _shown_from(name))


def _shown_from(name: str) -> UserMode:
    if name in ("acceptance", "difference_limit", "ratio_limit", "top_k_limit"):
        return UserMode.DEVELOPER
    everybodys = ("context_length", "threads", "batch_size", "gpu_layers")
    groups = (LoadOptions, SpeculationOptions)
    of_experts = name == "draft" or any(name in group.__struct_fields__ for group in groups)
    return UserMode.POWER_USER if of_experts and name not in everybodys else UserMode.USER


def _alone_needs_reload(in_force: ModelConfig, wanted: ModelConfig, name: str) -> bool:
    """Drafting with a model that is not in memory needs one; the other speculation settings do not."""
    return name == "mode" and needs_reload(in_force, structs.replace(wanted, load=in_force.load))


def _text(name: str, value: Any) -> str:
    match value:
        case None:
            return _absent(name)
        case bool():
            return switch_text(Switch.ON if value else Switch.OFF)
        case Switch():
            return switch_text(value)
        case CacheType():
            return cache_text(value)
        case SpeculationMode():
            return mode_text(value)
        case DraftLength():
            return draft_length_text(value)
        case AcceptanceRule():
            return rule_text(value)
        case Enum():
            return str(value.value)
        case 0 if name in ("context_length", "threads", "max_tokens"):
            return _absent(name)
        case int():
            return str(value) if name == "seed" else whole_text(value)
        case float():
            return decimal_text(value)
        case Path():
            return value.name
        case _:
            return ""


def _absent(name: str) -> str:
    match name:
        case "seed":
            return translate("ConfigChanges", "random")
        case "context_length":
            return translate("ConfigChanges", "model's own")
        case "max_tokens":
            return translate("ConfigChanges", "no limit")
        case "draft" | "grammar" | "json_schema":
            return translate("ConfigChanges", "none")
        case _:
            return translate("ConfigChanges", "automatic")


def _label(name: str) -> str:
    labels = {
        "context_length": translate("ConfigChanges", "Context Length"),
        "threads": translate("ConfigChanges", "CPU Threads"),
        "batch_size": translate("ConfigChanges", "Evaluation Batch Size"),
        "gpu_layers": translate("ConfigChanges", "GPU Offload"),
        "flash_attention": translate("ConfigChanges", "Flash Attention"),
        "k_cache_type": translate("ConfigChanges", "K Cache Quantization Type"),
        "v_cache_type": translate("ConfigChanges", "V Cache Quantization Type"),
        "mmap": translate("ConfigChanges", "Try mmap()"),
        "keep_in_memory": translate("ConfigChanges", "Keep Model in Memory"),
        "rope_frequency_base": translate("ConfigChanges", "RoPE Frequency Base"),
        "rope_frequency_scale": translate("ConfigChanges", "RoPE Frequency Scale"),
        "longest_draft": translate("ConfigChanges", "Longest Draft"),
        "mode": translate("ConfigChanges", "Speculative Decoding"),
        "draft": translate("ConfigChanges", "Draft Model"),
        "draft_length": translate("ConfigChanges", "Draft length"),
        "draft_ceiling": translate("ConfigChanges", "Max draft tokens, automatic"),
        "max_draft_tokens": translate("ConfigChanges", "Max draft tokens"),
        "min_draft_tokens": translate("ConfigChanges", "Min draft tokens"),
        "draft_probability": translate("ConfigChanges", "Draft probability"),
        "acceptance": translate("ConfigChanges", "Acceptance Rule"),
        "difference_limit": translate("ConfigChanges", "Difference Limit"),
        "ratio_limit": translate("ConfigChanges", "Ratio Limit"),
        "top_k_limit": translate("ConfigChanges", "Top-k Limit"),
        "lookup_longest": translate("ConfigChanges", "Longest Lookup"),
        "lookup_shortest": translate("ConfigChanges", "Shortest Lookup"),
        "temperature": translate("ConfigChanges", "Temperature"),
        "top_k": translate("ConfigChanges", "Top K"),
        "top_p": translate("ConfigChanges", "Top P"),
        "min_p": translate("ConfigChanges", "Min P"),
        "repeat_penalty": translate("ConfigChanges", "Repeat Penalty"),
        "presence_penalty": translate("ConfigChanges", "Presence Penalty"),
        "frequency_penalty": translate("ConfigChanges", "Frequency Penalty"),
        "penalty_window": translate("ConfigChanges", "Penalty Window"),
        "seed": translate("ConfigChanges", "Seed"),
        "grammar": translate("ConfigChanges", "Grammar"),
        "json_schema": translate("ConfigChanges", "JSON Schema"),
        "max_tokens": translate("ConfigChanges", "Max Tokens"),
        "stop_strings": translate("ConfigChanges", "Stop Strings"),
        "system_prompt": translate("ConfigChanges", "System Prompt"),
    }
    return labels[name]
