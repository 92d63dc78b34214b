"""Whether a file of the hub is here already, or on its way."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.models.download import DownloadState, Failed, Finished, Paused, Queued, Transferring
from app.models.hub_problems import HubProblem
from app.models.library import Listing
from app.ui.whereabouts import Whereabouts, WhereaboutsService
from tests.fakes.draft_hub import DRAFT
from tests.fakes.listed_downloads import ListedDownloads
from tests.fakes.listed_models import ListedModels, library_of, preferences_in
from tests.fakes.local_models import local_model

ROW = DRAFT.models[0]
FILE = Path("/models") / ROW.files[0].name


@pytest.fixture
def downloads(qtbot: QtBot) -> Iterator[ListedDownloads]:
    made = ListedDownloads()
    yield made
    made.close()


def test_without_a_library_and_downloads_everything_is_elsewhere(qtbot: QtBot) -> None:
    places = WhereaboutsService(None, None)

    assert places.of(DRAFT, ROW) is places.of_any(DRAFT, ROW) is Whereabouts.ELSEWHERE


def test_a_file_of_that_name_and_size_is_the_very_file(qtbot: QtBot, tmp_path: Path) -> None:
    models = ListedModels()
    library = library_of(models, preferences_in(tmp_path), tmp_path)
    places = WhereaboutsService(library, None)
    assert places.of(DRAFT, ROW) is Whereabouts.ELSEWHERE

    models.listing = Listing(models=(local_model(path=FILE, size_bytes=ROW.total_bytes),))
    with qtbot.waitSignal(places.changed):
        library.refresh()
    assert places.of(DRAFT, ROW) is Whereabouts.HERE

    models.listing = Listing(models=(local_model(path=FILE, size_bytes=5),))
    library.refresh()
    assert places.of(DRAFT, ROW) is Whereabouts.ELSEWHERE, "another file has the name"


def test_what_has_just_come_is_on_its_way_until_the_library_has_looked(
    qtbot: QtBot, tmp_path: Path, downloads: ListedDownloads
) -> None:
    library = library_of(ListedModels(), preferences_in(tmp_path), tmp_path)
    places = WhereaboutsService(library, downloads.service)
    downloads.tell((DRAFT, ROW, Transferring()))
    downloads.tell((DRAFT, ROW, Finished(FILE)))
    assert places.of(DRAFT, ROW) is Whereabouts.COMING
    with qtbot.waitSignal(places.changed):
        library.refresh()
    assert places.of(DRAFT, ROW) is Whereabouts.ELSEWHERE, "it is gone again"


def test_another_number_format_is_the_same_model(qtbot: QtBot, tmp_path: Path) -> None:
    path = Path("/models/qwen2.5-coder-0.5b-instruct-q8_0.gguf")
    library = library_of(ListedModels(local_model(path=path)), preferences_in(tmp_path), tmp_path)
    places = WhereaboutsService(library, None)

    assert places.of(DRAFT, ROW) is Whereabouts.ELSEWHERE
    assert places.of_any(DRAFT, ROW) is Whereabouts.HERE


@pytest.mark.parametrize(
    ("state", "where"),
    [
        (Queued(), Whereabouts.COMING),
        (Transferring(), Whereabouts.COMING),
        (Paused(), Whereabouts.COMING),
        (Failed(HubProblem.SERVER, "No."), Whereabouts.ELSEWHERE),
        (Finished(FILE), Whereabouts.ELSEWHERE),  # unless the library lists it
    ],
)
def test_what_is_downloaded_is_coming(
    downloads: ListedDownloads, state: DownloadState, where: Whereabouts
) -> None:
    downloads.tell((DRAFT, ROW, state))
    places = WhereaboutsService(None, downloads.service)

    assert places.of(DRAFT, ROW) is places.of_any(DRAFT, ROW) is where


def test_only_what_changes_the_answer_is_told(qtbot: QtBot, downloads: ListedDownloads) -> None:
    places = WhereaboutsService(None, downloads.service)

    with qtbot.waitSignal(places.changed):
        downloads.tell((DRAFT, ROW, Queued()))
    with qtbot.assertNotEmitted(places.changed):
        downloads.tell((DRAFT, ROW, Transferring()))
