"""Which files of a repository are on this computer, or on their way to it."""

from pathlib import Path

from app.models.download import Download, DownloadRequest, Finished, Transferring
from app.models.hub import HubModel, RemoteFile, RemoteModel
from app.models.library import Listing
from app.ui.file_states import file_states
from app.ui.files_table import RowState
from tests.fakes.local_models import local_model
from tests.fakes.scripted_hub import COMMIT, found_model, hub_model, remote_model

ROW = remote_model("Q4_K_M", 1000)
PROJECTOR = remote_model("F16", 50, stem="mmproj")
MODEL = hub_model(found_model("Qwen/Q-GGUF"), ROW, projectors=(PROJECTOR,))
FOLDER = Path("/models")
PLACE = FOLDER / "Qwen" / "Q-GGUF" / "model-Q4_K_M.gguf"


def states(
    *downloads: Download, listing: Listing | None = None, model: HubModel = MODEL
) -> dict[RemoteModel, RowState]:
    return file_states(model, (*model.models, *model.projectors), FOLDER, downloads, listing or Listing())


def download(path: Path | None = None) -> Download:
    request = DownloadRequest(MODEL.repo, COMMIT, ROW.files, FOLDER, "Q")
    return Download(request, Transferring() if path is None else Finished(path), 1)


def test_what_is_on_the_hub_alone_has_no_state() -> None:
    assert states() == {}


def test_what_was_downloaded_is_found_in_my_models() -> None:
    listing = Listing((local_model(path=PLACE, size_bytes=1000),))
    assert states(listing=listing) == {ROW: RowState(path=PLACE)}


def test_so_is_the_same_file_in_another_folder() -> None:
    elsewhere = Path("/other/model-Q4_K_M.gguf")
    listing = Listing((local_model(path=elsewhere, size_bytes=1000),))
    assert states(listing=listing) == {ROW: RowState(path=elsewhere)}


def test_a_file_of_that_name_and_another_size_is_another_file() -> None:
    assert states(listing=Listing((local_model(path=PLACE, size_bytes=999),))) == {}


def test_a_projector_is_found_beside_its_model() -> None:
    place = PLACE.with_name("mmproj-F16.gguf")
    listing = Listing((local_model(path=PLACE, size_bytes=7, projector=place),))
    assert states(listing=listing) == {PROJECTOR: RowState(path=place)}


def test_a_download_belongs_to_its_row() -> None:
    assert states(download()) == {ROW: RowState(download())}


def test_a_finished_one_is_there_at_once_and_gone_once_deleted(tmp_path: Path) -> None:
    path = tmp_path / "model.gguf"
    path.touch()
    finished = download(path)
    assert states(finished) == {ROW: RowState(finished, path)}
    path.unlink()
    assert states(finished) == {ROW: RowState(finished)}


def test_a_name_that_no_file_can_have_is_nowhere() -> None:
    row = RemoteModel((RemoteFile("../../evil.gguf", 5, None),), "")
    assert states(model=hub_model(found_model("Qwen/.."), row)) == {}
