"""The models of an opened experiment, found again here."""

from pathlib import Path

from msgspec.structs import replace

from app.ui.icons import Icons
from app.ui.known_sides import is_about_loaded, known_side
from app.ui.session_state import Empty
from app.ui.side import Side
from app.ui.theme import Theme
from tests.fakes.compare_services import OTHER_DRAFT, compare_place
from tests.fakes.compare_tabs import measured_here
from tests.fakes.experiments import DRAFTED, LOOKUP, OFF, suite_experiment
from tests.fakes.setups import DRAFT, TARGET


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
