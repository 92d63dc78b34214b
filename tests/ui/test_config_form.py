"""Any config can be shown by the form, and is given back unchanged."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from PySide6.QtWidgets import (
    QApplication,
    QLineEdit,
)

from app.core.options import (
    AcceptanceRule,
    CacheType,
    DraftLength,
    GenerationLimits,
    LoadOptions,
    SamplingOptions,
    SpeculationMode,
    SpeculationOptions,
    Switch,
)
from app.core.protocol import Ready
from app.settings import ModelConfig, ThemeChoice, UserMode
from app.ui.icons import Icons
from app.ui.load_dialog import LoadDialog
from app.ui.theme import Theme
from tests.fakes.advisor import FakeAdvisor
from tests.fakes.listed_models import ListedModels, library_of, preferences_in
from tests.fakes.local_models import local_model
from tests.fakes.tasks import ImmediateTasks

TARGET = local_model("Qwen 7B", path=Path("/m/7b.gguf"))
DRAFT = local_model("Qwen 0.5B", path=Path("/m/0.5b.gguf"))
CPU_BUILD = Ready(version=1, engine_version="0.3", supports_gpu=False, threads=6)

finite = st.floats(allow_nan=False, allow_infinity=False)
whole = st.integers(-(2**31), 2**31 - 1)
text = st.text(st.characters(exclude_categories=["Cs"]))
configs = st.builds(
    ModelConfig,
    load=st.builds(
        LoadOptions,
        context_length=whole,
        threads=whole,
        batch_size=whole,
        gpu_layers=whole,
        flash_attention=st.sampled_from(Switch),
        k_cache_type=st.sampled_from(CacheType),
        v_cache_type=st.sampled_from(CacheType),
        mmap=st.sampled_from(Switch),
        keep_in_memory=st.booleans(),
        rope_frequency_base=st.none() | finite,
        rope_frequency_scale=st.none() | finite,
        longest_draft=whole,
    ),
    speculation=st.builds(
        SpeculationOptions,
        mode=st.sampled_from(SpeculationMode),
        draft_length=st.sampled_from(DraftLength),
        draft_ceiling=whole,
        max_draft_tokens=whole,
        min_draft_tokens=whole,
        draft_probability=finite,
        acceptance=st.sampled_from(AcceptanceRule),
        difference_limit=finite,
        ratio_limit=finite,
        top_k_limit=whole,
        lookup_longest=whole,
        lookup_shortest=whole,
    ),
    draft=st.none() | st.sampled_from([DRAFT.path, TARGET.path, Path("/elsewhere/x.gguf")]),
    sampling=st.builds(
        SamplingOptions,
        temperature=finite,
        top_k=whole,
        top_p=finite,
        min_p=finite,
        repeat_penalty=finite,
        presence_penalty=finite,
        frequency_penalty=finite,
        penalty_window=whole,
        seed=whole,
        grammar=st.none() | text,
        json_schema=st.none() | text,
    ),
    limits=st.builds(GenerationLimits, max_tokens=whole, stop_strings=st.lists(text, max_size=4).map(tuple)),
    system_prompt=text,
    seed=st.none() | whole,
)


@pytest.fixture(scope="module")
def form(qapp: QApplication, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LoadDialog]:
    """One dialog for many configs, in the mode that shows everything."""
    folder = tmp_path_factory.mktemp("settings")
    theme = Theme(qapp, ThemeChoice.DARK)
    preferences = preferences_in(folder)
    library = library_of(ListedModels(TARGET, DRAFT), preferences, folder)
    made = LoadDialog(
        TARGET,
        theme,
        Icons(theme),
        preferences,
        library,
        FakeAdvisor(),
        ImmediateTasks(threads=1),
        replace(CPU_BUILD, supports_gpu=True),
        UserMode.DEVELOPER,
        None,
        None,
    )
    yield made
    made.deleteLater()
    theme.deleteLater()


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(config=configs)
def test_a_config_comes_back_from_the_form_unchanged(form: LoadDialog, config: ModelConfig) -> None:
    form.show_config(config)
    for field in form.findChildren(QLineEdit):
        field.editingFinished.emit()

    assert form.config == config
