"""Which files of the hub are among the models on this computer."""

from pathlib import Path

import pytest

from app.models import listed_files
from app.models.hub import RemoteFile, RemoteModel
from app.models.library import Listing
from app.models.listed_files import ListedFiles
from app.models.model_names import core_name
from tests.fakes.local_models import local_model
from tests.fakes.scripted_hub import remote_model

ROW = remote_model("Q4_K_M", 1000, stem="Tiny-7B")


def test_the_first_that_is_listed_is_the_file() -> None:
    first, second = (Path(folder) / ROW.files[0].name for folder in ("/a", "/b"))
    models = tuple(local_model(path=path, size_bytes=1000) for path in (first, second))
    assert ListedFiles(Listing(models)).path_of(ROW) == first
    assert ListedFiles(Listing(models[1:])).path_of(ROW) == second


@pytest.mark.parametrize(
    ("name", "same"),
    [
        ("tiny_7b.f16.gguf", True),
        ("Tiny-7B-Q8_0-00001-of-00002.gguf", True),
        ("Tiny-7B.gguf", True),
        ("Tiny-7B-Chat-Q4_K_M.gguf", False),
        ("Tiny-70B-Q4_K_M.gguf", False),
    ],
)
def test_a_model_is_the_same_in_every_number_format(name: str, same: bool) -> None:
    files = ListedFiles(Listing((local_model(path=Path("/m") / name),)))
    assert files.has_model_of(ROW, "Qwen") is same
    assert not files.has_model_of(ROW, "another"), "who may have built it otherwise"


@pytest.mark.parametrize("name", ["Tiny-Q4.gguf", "Tiny.gguf"])
def test_a_file_from_a_folder_of_a_repository_may_have_its_name(name: str) -> None:
    row = RemoteModel((RemoteFile("Q4/Tiny.gguf", 1000, None),), "Q4")
    path = Path("/m") / name
    files = ListedFiles(Listing((local_model(path=path, size_bytes=1000, projector=path),)))
    assert files.path_of(row) == path
    assert files.projectors_named(row) == (path,)
    assert files.has_model_of(row, "Qwen")


def test_a_large_library_is_not_taken_apart_name_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """The window asks this for each row, whenever something moves."""
    taken_apart: list[Path] = []

    def counted(path: Path) -> str:
        taken_apart.append(path)
        return core_name(path)

    monkeypatch.setattr(listed_files, "core_name", counted)
    models = tuple(local_model(path=Path(f"/m/Model-{number}-Q4_K_M.gguf")) for number in range(300))
    files = ListedFiles(Listing(models))
    assert not files.has_model_of(ROW, "Qwen")
    assert [path.name for path in taken_apart] == [ROW.files[0].name]
