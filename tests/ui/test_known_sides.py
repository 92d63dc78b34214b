"""The models of an opened experiment, found again here."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from app.core.experiment import Variant
from app.core.options import DraftLength, SpeculationMode, SpeculationOptions
from app.ui.icons import Icons
from app.ui.identities import identity_of
from app.ui.known_sides import is_about_loaded, is_in_force, known_side
from app.ui.session_state import Empty, SessionState
from app.ui.side import Side
from app.ui.theme import Theme
from tests.fakes.compare_services import OTHER_DRAFT, compare_place
from tests.fakes.compare_tabs import measured_here
from tests.fakes.experiments import DRAFTED, LOOKUP, OFF, suite_experiment
from tests.fakes.setups import DRAFT, TARGET, drafted, plain

SPECULATION = SpeculationOptions(SpeculationMode.DRAFT_MODEL)
FIXED = replace(SPECULATION, draft_length=DraftLength.FIXED)
IN_FORCE = Variant("auto", SPECULATION, identity_of(DRAFT))
BY_LOOKUP = Variant("lookup", SpeculationOptions(SpeculationMode.PROMPT_LOOKUP))


def test_a_draft_model_is_found_by_its_file(theme: Theme, icons: Icons, tmp_path: Path) -> None:
    place = compare_place(theme, icons, tmp_path, models=(TARGET, OTHER_DRAFT))
    library, state = place.services.library, place.session.state
    drafted = measured_here(suite_experiment()).variants[1]
    assert known_side(drafted, library, state) == Side(drafted, DRAFT)  # in memory, though not listed
    assert drafted.draft is not None
    other = replace(
        drafted,
        draft=replace(drafted.draft, file=OTHER_DRAFT.path.name, size_bytes=OTHER_DRAFT.info.total_bytes),
    )
    assert known_side(other, library, state) == Side(other, OTHER_DRAFT)
    resized = replace(other, draft=replace(drafted.draft, file=OTHER_DRAFT.path.name, size_bytes=1))
    assert known_side(resized, library, state) is None
    assert known_side(DRAFTED, library, state) is None
    place.close()


def test_what_needs_no_model_is_always_known(theme: Theme, icons: Icons, tmp_path: Path) -> None:
    place = compare_place(theme, icons, tmp_path, loaded=False)
    for variant in (OFF, LOOKUP):
        assert known_side(variant, place.services.library, Empty()) == Side(variant)
    place.close()


def test_an_experiment_is_about_one_model(theme: Theme, icons: Icons, tmp_path: Path) -> None:
    place = compare_place(theme, icons, tmp_path)
    assert is_about_loaded(measured_here(suite_experiment()), place.session.state)
    assert not is_about_loaded(suite_experiment(), place.session.state)
    assert not is_about_loaded(measured_here(suite_experiment()), Empty())
    place.close()


@pytest.mark.parametrize(
    ("variant", "state", "expected"),
    [
        (IN_FORCE, drafted(), True),
        (OFF, drafted(), False),
        (BY_LOOKUP, drafted(), False),
        (replace(IN_FORCE, speculation=FIXED), drafted(), False),
        (replace(IN_FORCE, speculation=FIXED), drafted(draft_length=DraftLength.FIXED), True),
        (
            replace(IN_FORCE, speculation=replace(FIXED, max_draft_tokens=7)),
            drafted(draft_length=DraftLength.FIXED),
            False,
        ),
        (replace(IN_FORCE, speculation=replace(SPECULATION, max_draft_tokens=7)), drafted(), True),
        (replace(IN_FORCE, speculation=replace(SPECULATION, draft_ceiling=8)), drafted(), False),
        (replace(IN_FORCE, draft=identity_of(OTHER_DRAFT)), drafted(), False),
        (OFF, plain(), True),
        (replace(OFF, speculation=SpeculationOptions(max_draft_tokens=9)), plain(), True),  # of no effect
        (BY_LOOKUP, plain(SpeculationMode.PROMPT_LOOKUP), True),
        (IN_FORCE, Empty(), False),
    ],
)
def test_the_mode_the_model_and_the_numbers_count(
    variant: Variant, state: SessionState, expected: bool
) -> None:
    assert is_in_force(variant, state) is expected
