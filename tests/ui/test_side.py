"""Sides of a comparison: from a config and back, told apart, and what to begin with."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from pytestqt.qtbot import QtBot

from app.core.experiment import ModelIdentity
from app.core.options import DraftLength, SpeculationMode, SpeculationOptions
from app.core.protocol import Obstacle, Refusal
from app.models.library import LocalModel
from app.settings import ModelConfig
from app.ui.library_service import LibraryService
from app.ui.session_state import Running
from app.ui.side import Side, default_sides, off_side, side_of, with_ids
from tests.fakes.compare_services import OTHER_DRAFT
from tests.fakes.listed_models import ListedModels, library_of, preferences_in
from tests.fakes.setups import DRAFT, TARGET, drafted, drafted_setup, loaded, plain

REFUSED = Refusal(Obstacle.INCOMPATIBLE, "Other tokens.")


def config(mode: SpeculationMode, draft: Path | None = None, **numbers: object) -> ModelConfig:
    """With a fixed draft length."""
    return ModelConfig(
        speculation=replace(SpeculationOptions(mode, DraftLength.FIXED), **numbers), draft=draft
    )


@pytest.fixture
def library(qtbot: QtBot, tmp_path: Path) -> Iterator[LibraryService]:
    preferences = preferences_in(tmp_path)
    made = library_of(ListedModels(TARGET, DRAFT, OTHER_DRAFT), preferences, tmp_path)
    yield made
    made.close()
    preferences.close()
    made.deleteLater()
    preferences.deleteLater()


def drafting_side(draft: LocalModel = DRAFT, **numbers: object) -> Side:
    return side_of(config(SpeculationMode.DRAFT_MODEL, draft.path, **numbers), draft)


def lookup_side(**numbers: object) -> Side:
    return side_of(config(SpeculationMode.PROMPT_LOOKUP, None, **numbers), None)


def test_a_side_has_the_numbers_of_the_config_and_the_identity_of_its_draft() -> None:
    side = drafting_side(max_draft_tokens=5)

    assert side.variant.id == "draft max 5"
    assert side.variant.speculation.max_draft_tokens == 5
    assert side.variant.draft == ModelIdentity(
        DRAFT.name, DRAFT.info.quantisation, "draft.gguf", DRAFT.info.total_bytes
    )
    assert side.draft == DRAFT


def test_only_drafting_with_a_model_needs_a_draft() -> None:
    assert side_of(config(SpeculationMode.PROMPT_LOOKUP), DRAFT).draft is None
    assert side_of(config(SpeculationMode.OFF), DRAFT) == off_side()


def test_without_its_draft_a_side_is_plain_as_the_engine_would_be() -> None:
    assert side_of(config(SpeculationMode.DRAFT_MODEL), None) == off_side()


def test_keeping_a_side_puts_its_drafting_into_the_config_and_leaves_the_rest() -> None:
    before = replace(config(SpeculationMode.OFF, DRAFT.path), seed=7)

    kept = drafting_side(OTHER_DRAFT, max_draft_tokens=6).config_for(before)

    assert kept.draft == OTHER_DRAFT.path
    assert kept.speculation == config(SpeculationMode.DRAFT_MODEL, max_draft_tokens=6).speculation
    assert kept.seed == 7


def test_keeping_the_automatic_length_leaves_the_fixed_numbers_and_back() -> None:
    before = config(SpeculationMode.DRAFT_MODEL, DRAFT.path, max_draft_tokens=6)
    automatic = replace(before.speculation, draft_length=DraftLength.AUTOMATIC)
    side = side_of(replace(before, speculation=automatic), DRAFT)

    kept = side.config_for(config(SpeculationMode.OFF))

    assert side.variant.id == "auto"
    assert kept.speculation.is_automatic
    assert replace(kept.speculation, draft_length=DraftLength.FIXED) == before.speculation


def test_turning_off_leaves_numbers_and_draft_for_the_next_time() -> None:
    before = config(SpeculationMode.DRAFT_MODEL, DRAFT.path, max_draft_tokens=9)

    after = off_side().config_for(before)

    assert after == config(SpeculationMode.OFF, DRAFT.path, max_draft_tokens=9)


def test_prompt_lookup_leaves_the_draft_model() -> None:
    assert lookup_side().config_for(config(SpeculationMode.OFF, DRAFT.path)).draft == DRAFT.path


def ids(left: Side, right: Side) -> list[str]:
    return [side.variant.id for side in with_ids(left, right)]


def test_ids_say_no_more_than_tells_the_sides_apart() -> None:
    assert ids(off_side(), drafting_side()) == ["off", "draft max 3"]
    assert ids(lookup_side(), lookup_side(min_draft_tokens=2)) == ["lookup max 3", "lookup max 3 min 2"]
    assert ids(drafting_side(), drafting_side(OTHER_DRAFT)) == [
        f"draft max 3 {DRAFT.name} · Q4_K_M",
        f"draft max 3 {OTHER_DRAFT.name} · Q8_0",
    ]


def test_automatic_is_told_apart_from_fixed_and_by_its_ceiling() -> None:
    automatic = drafting_side(draft_length=DraftLength.AUTOMATIC)
    short = drafting_side(draft_length=DraftLength.AUTOMATIC, draft_ceiling=8)

    assert ids(drafting_side(), automatic) == ["draft max 3", "auto"]
    assert ids(automatic, short) == ["auto", "auto max 8"]


def test_the_same_on_both_sides_is_numbered() -> None:
    assert ids(off_side(), off_side()) == ["off", "off (2)"]
    assert ids(drafting_side(), drafting_side())[1].endswith("(2)")


def test_only_ids_change() -> None:
    left, right = drafting_side(), drafting_side(OTHER_DRAFT)

    named = with_ids(left, right)

    assert [side.draft for side in named] == [DRAFT, OTHER_DRAFT]
    assert [side.variant.speculation for side in named] == [
        left.variant.speculation,
        right.variant.speculation,
    ]


def test_to_begin_with_plain_generation_stands_against_the_saved_setting(library: LibraryService) -> None:
    saved = config(SpeculationMode.DRAFT_MODEL, DRAFT.path, max_draft_tokens=5)

    left, right = default_sides(drafted(), saved, library)

    assert left == off_side()
    assert right == drafting_side(max_draft_tokens=5)


def test_a_saved_draft_that_is_not_loaded_counts_as_long_as_it_is_listed(library: LibraryService) -> None:
    saved = config(SpeculationMode.DRAFT_MODEL, OTHER_DRAFT.path)

    assert default_sides(drafted(), saved, library)[1].draft == OTHER_DRAFT


def test_a_saved_draft_that_is_gone_gives_way_to_the_one_in_memory(library: LibraryService) -> None:
    saved = config(SpeculationMode.DRAFT_MODEL, Path("/models/gone.gguf"))

    assert default_sides(drafted(), saved, library)[1].draft == DRAFT


def test_to_begin_with_the_length_is_automatic_unless_another_is_saved(library: LibraryService) -> None:
    assert default_sides(drafted(), drafted_setup().config, library)[1].variant.id == "auto"
    assert default_sides(plain(), ModelConfig(), library)[1].variant.id == "lookup auto"


def test_saved_prompt_lookup_stays_prompt_lookup(library: LibraryService) -> None:
    saved = config(SpeculationMode.PROMPT_LOOKUP, DRAFT.path, max_draft_tokens=6)

    assert default_sides(drafted(), saved, library)[1] == lookup_side(max_draft_tokens=6)


@pytest.mark.parametrize(
    ("running", "draft", "expected"),
    [
        (drafted(), OTHER_DRAFT.path, DRAFT),
        (plain(), OTHER_DRAFT.path, OTHER_DRAFT),
        (plain(), Path("/models/gone.gguf"), None),
        (plain(), TARGET.path, None),
        (plain(), None, None),
    ],
    ids=["in memory", "saved", "gone", "the target itself", "none"],
)
def test_where_off_is_saved_the_right_side_drafts_with_what_is_at_hand(
    library: LibraryService, running: Running, draft: Path | None, expected: LocalModel | None
) -> None:
    right = default_sides(running, config(SpeculationMode.OFF, draft, max_draft_tokens=4), library)[1]

    assert right.draft == expected
    assert right.variant.id == ("lookup max 4" if expected is None else "draft max 4")


def test_a_draft_that_the_engine_refused_is_no_default(library: LibraryService) -> None:
    refused = Running(drafted_setup(), loaded(has_draft=False, draft_refusal=REFUSED))

    right = default_sides(refused, config(SpeculationMode.DRAFT_MODEL, DRAFT.path), library)[1]

    assert right == lookup_side()
