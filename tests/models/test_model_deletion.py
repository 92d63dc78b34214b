"""Deleting models: all that belongs to them, nothing that others need, and the folders left empty."""

import os
from pathlib import Path

import pytest

from app.models.header_index import HeaderIndex
from app.models.library import Listing, LocalLibrary, LocalModel, UnusableFile
from app.models.model_deletion import Deletion, DeletionError, delete, deletion_of
from tests.fakes.tiny_gguf import llama_model, write_llama, write_projector, write_split


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "models"
    folder.mkdir()
    return folder


def put(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    return write_llama(path)


def scan(root: Path) -> Listing:
    return LocalLibrary(HeaderIndex(None)).scan((), root)


def entry(listing: Listing, path: Path) -> LocalModel | UnusableFile:
    entries: tuple[LocalModel | UnusableFile, ...] = (*listing.models, *listing.unusable)
    return next(found for found in entries if found.path == path)


def remove(root: Path, path: Path) -> Deletion:
    listing = scan(root)
    deletion = deletion_of(entry(listing, path), listing)
    delete(deletion, (root,))
    return deletion


class TestFiles:
    def test_all_parts_go(self, root: Path) -> None:
        folder = root / "publisher" / "model"
        folder.mkdir(parents=True)
        parts = write_split(folder, "m", llama_model(), 3)
        size = sum(part.stat().st_size for part in parts)
        assert remove(root, parts[0]) == Deletion(parts, size)
        assert list(root.iterdir()) == []

    def test_a_projector_goes_with_the_last_model_that_needs_it(self, root: Path) -> None:
        first, second = put(root / "m" / "m-Q4_0.gguf"), put(root / "m" / "m-Q8_0.gguf")
        projector = write_projector(root / "m" / "mmproj-F16.gguf")
        assert remove(root, first).files == (first,)
        assert remove(root, second).files == (second, projector)
        assert list(root.iterdir()) == []

    def test_so_does_every_other_projector_of_the_folder(self, root: Path) -> None:
        model = put(root / "m" / "m.gguf")
        projectors = [write_projector(root / "m" / f"mmproj-{kind}.gguf") for kind in ("BF16", "F16")]
        assert remove(root, model).files == (model, *projectors)

    def test_a_projector_of_another_model_stays(self, root: Path) -> None:
        model = put(root / "blind.gguf")
        put(root / "sees.gguf")
        projector = write_projector(root / "mmproj-sees.gguf")
        assert remove(root, model).files == (model,)
        assert projector.exists()

    def test_what_is_left_of_a_set_goes_together(self, root: Path) -> None:
        parts = write_split(root, "m", llama_model(), 3)
        parts[0].unlink()
        assert remove(root, parts[1]).files == parts[1:]
        assert list(root.iterdir()) == []

    def test_a_projector_stays_with_what_is_left_of_a_model(self, root: Path) -> None:
        model = put(root / "m.gguf")
        write_projector(root / "mmproj-F16.gguf")
        other = write_projector(root / "mmproj-F32.gguf")
        write_split(root, "s", llama_model(), 2)[0].unlink()
        remove(root, model)
        assert other.exists()

    def test_of_a_link_only_the_link_goes(self, root: Path, tmp_path: Path) -> None:
        model = put(tmp_path / "theirs.gguf")
        link = root / "link.gguf"
        link.symlink_to(model)
        assert remove(root, link) == Deletion((link,), 0)
        assert model.exists()

    def test_a_file_that_is_gone_already(self, root: Path) -> None:
        path = put(root / "m" / "m.gguf")
        listing = scan(root)
        deletion = deletion_of(entry(listing, path), listing)
        path.unlink()
        path.parent.rmdir()
        delete(deletion, (root,))

    @pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="everything is open to this user")
    def test_a_folder_that_cannot_be_changed(self, root: Path) -> None:
        path = put(root / "m" / "m.gguf")
        path.parent.chmod(0o500)
        try:
            with pytest.raises(DeletionError, match=r"m\.gguf could not be deleted: "):
                remove(root, path)
        finally:
            path.parent.chmod(0o755)

    def test_what_cannot_be_deleted_is_said_in_a_sentence(self, root: Path) -> None:
        (root / "folder.gguf").mkdir()
        with pytest.raises(DeletionError, match=r"folder\.gguf could not be deleted: .+\.$"):
            delete(Deletion((root / "folder.gguf",), 0), (root,))


class TestFolders:
    def test_empty_ones_go_but_never_the_models_folder(self, root: Path) -> None:
        remove(root, put(root / "publisher" / "model" / "m.gguf"))
        assert list(root.iterdir()) == []

    def test_what_systems_leave_in_them_does_not_count(self, root: Path) -> None:
        path = put(root / "publisher" / "model" / "m.gguf")
        (path.parent / ".DS_Store").touch()
        (path.parent.parent / "Thumbs.db").touch()
        remove(root, path)
        assert list(root.iterdir()) == []

    def test_one_that_holds_anything_else_stays(self, root: Path) -> None:
        path = put(root / "publisher" / "model" / "m.gguf")
        note = path.parent / "README.md"
        note.touch()
        remove(root, path)
        assert note.exists()

    def test_none_outside_the_given_ones_is_touched(self, root: Path, tmp_path: Path) -> None:
        path = put(tmp_path / "elsewhere" / "m.gguf")
        delete(Deletion((path,), 0), (root,))
        assert list(path.parent.iterdir()) == []

    def test_the_model_can_come_back(self, root: Path) -> None:
        path = root / "publisher" / "model" / "m.gguf"
        remove(root, put(path))
        put(path)
        assert [model.path for model in scan(root).models] == [path]


class TestHuggingFaceCache:
    def cached(self, root: Path, *revisions: str) -> Path:
        repository = root / "models--a--b"
        blob = put(repository / "blobs" / "0123")
        for revision in revisions:
            link = repository / "snapshots" / revision / "m.gguf"
            link.parent.mkdir(parents=True)
            link.symlink_to(Path("..", "..", "blobs", blob.name))
        (repository / "refs").mkdir()
        (repository / "refs" / "main").write_text(revisions[0])
        return repository

    def test_the_bytes_go_with_all_links_to_them(self, root: Path) -> None:
        repository = self.cached(root, "aaa", "bbb")
        blob = repository / "blobs" / "0123"
        links = [repository / "snapshots" / revision / "m.gguf" for revision in ("aaa", "bbb")]
        size = blob.stat().st_size
        assert remove(root, links[0]) == Deletion((*links, blob), size)
        assert list(root.iterdir()) == []

    def test_other_files_of_the_repository_stay(self, root: Path) -> None:
        repository = self.cached(root, "aaa")
        other = put(repository / "blobs" / "4567")
        (repository / "snapshots" / "aaa" / "other.gguf").symlink_to(other)
        remove(root, repository / "snapshots" / "aaa" / "m.gguf")
        assert [model.path.name for model in scan(root).models] == ["other.gguf"]
        assert (repository / "refs" / "main").exists()
