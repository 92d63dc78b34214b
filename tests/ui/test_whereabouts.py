"""Whether a file of the hub is here already, or on its way."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from pytestqt.qtbot import QtBot

from app.models.download import DownloadState, Failed, Finished, Paused, Queued, Transferring
from app.models.hub import RemoteFile, RemoteModel
from app.models.hub_problems import HubProblem
from app.models.library import LocalModel
from app.ui.whereabouts import Whereabouts, WhereaboutsService
from tests.fakes.draft_hub import DRAFT
from tests.fakes.listed_downloads import ListedDownloads
from tests.fakes.listed_models import ListedModels, library_of, preferences_in
from tests.fakes.local_models import local_model
from tests.fakes.scripted_hub import remote_model

ROW = DRAFT.models[0]
FILE = Path("/models") / ROW.files[0].name


class Bench:
    """A library and downloads that say what the test says."""

    def __init__(self, folder: Path) -> None:
        self.models = ListedModels()
        self.library = library_of(self.models, preferences_in(folder), folder)
        self.downloads = ListedDownloads()
        self.places = WhereaboutsService(self.library, self.downloads.service)

    def list_models(self, *models: LocalModel) -> None:
        """The library has these from now on."""
        self.models.listing = replace(self.models.listing, models=models)
        self.library.refresh()

    def where(self) -> Whereabouts:
        """Where the very file is."""
        return self.places.of(DRAFT, ROW)


@pytest.fixture
def bench(qtbot: QtBot, tmp_path: Path) -> Iterator[Bench]:
    made = Bench(tmp_path)
    yield made
    made.downloads.close()


class TestHere:
    def test_what_nobody_has_is_elsewhere(self, bench: Bench) -> None:
        assert bench.places.path_of(DRAFT, ROW) is None
        assert bench.where() is bench.places.of_any(DRAFT, ROW) is Whereabouts.ELSEWHERE

    def test_a_file_of_that_name_and_size_is_the_very_file(self, qtbot: QtBot, bench: Bench) -> None:
        with qtbot.waitSignal(bench.places.changed):
            bench.list_models(local_model(path=FILE, size_bytes=ROW.total_bytes))
        assert bench.where() is Whereabouts.HERE
        assert bench.places.path_of(DRAFT, ROW) == FILE

        bench.list_models(local_model(path=FILE, size_bytes=5))
        assert bench.where() is Whereabouts.ELSEWHERE, "another file has the name"

    def test_another_number_format_is_the_same_model(self, bench: Bench) -> None:
        path = Path("/models/qwen2.5-coder-0.5b-instruct-q8_0.gguf")
        bench.list_models(local_model(path=path))
        assert bench.where() is Whereabouts.ELSEWHERE
        assert bench.places.of_any(DRAFT, ROW) is Whereabouts.HERE

    def test_an_image_half_is_found_beside_its_model(self, bench: Bench, tmp_path: Path) -> None:
        row = remote_model("F16", 50, stem="mmproj")
        place = tmp_path / DRAFT.repo / row.files[0].name
        bench.list_models(local_model(path=place.with_name("m.gguf"), projector=place))
        assert bench.places.path_of(DRAFT, row) == place

        other = Path("/models/other/mmproj-F16.gguf")
        bench.list_models(local_model(path=other.with_name("m.gguf"), projector=other))
        assert bench.places.path_of(DRAFT, row) is None, "that is another model's"

    def test_a_name_that_no_file_can_have_is_nowhere(self, bench: Bench) -> None:
        projector = Path("/models/evil.gguf")
        bench.list_models(local_model(path=Path("/models/m.gguf"), projector=projector))
        row = RemoteModel((RemoteFile("../../evil.gguf", 5, None),), "")
        assert bench.places.path_of(DRAFT, row) is None


class TestDownloads:
    @pytest.mark.parametrize(
        ("state", "where"),
        [
            (Queued(), Whereabouts.COMING),
            (Transferring(), Whereabouts.COMING),
            (Paused(), Whereabouts.COMING),
            (Failed(HubProblem.SERVER, "No."), Whereabouts.ELSEWHERE),
        ],
    )
    def test_what_is_downloaded_is_coming(
        self, bench: Bench, state: DownloadState, where: Whereabouts
    ) -> None:
        bench.downloads.tell((DRAFT, ROW, state))
        assert bench.where() is bench.places.of_any(DRAFT, ROW) is where
        download = bench.places.download_of(DRAFT, ROW)
        assert download is not None and download.state == state

    def test_what_has_come_is_here_at_once_and_elsewhere_once_deleted(
        self, qtbot: QtBot, bench: Bench, tmp_path: Path
    ) -> None:
        path = tmp_path / FILE.name
        path.touch()
        bench.downloads.tell((DRAFT, ROW, Transferring()))
        with qtbot.waitSignal(bench.places.changed):
            bench.downloads.tell((DRAFT, ROW, Finished(path)))
        assert bench.where() is bench.places.of_any(DRAFT, ROW) is Whereabouts.HERE
        assert bench.places.path_of(DRAFT, ROW) == path
        path.unlink()
        assert bench.where() is Whereabouts.ELSEWHERE

    def test_what_was_there_before_it_listened_counts(self, bench: Bench) -> None:
        bench.downloads.tell((DRAFT, ROW, Queued()))
        late = WhereaboutsService(bench.library, bench.downloads.service)
        assert late.of(DRAFT, ROW) is Whereabouts.COMING

    def test_what_changes_no_answer_is_told_as_progress(self, qtbot: QtBot, bench: Bench) -> None:
        with qtbot.waitSignal(bench.places.changed):
            bench.downloads.tell((DRAFT, ROW, Queued()))
        with qtbot.assertNotEmitted(bench.places.changed), qtbot.waitSignal(bench.places.progressed):
            bench.downloads.tell((DRAFT, ROW, Transferring()))
