"""The list of local models: what is a row, what is not usable, and what never appears."""

import os
from pathlib import Path

import pytest

from app.core.errors import FileProblem
from app.models.header_index import HeaderIndex
from app.models.library import Listing, LocalLibrary
from tests.fakes.tiny_gguf import (
    llama_model,
    truncate_file,
    write_embedding_model,
    write_llama,
    write_projector,
    write_split,
    write_vocabulary_only,
)


def put(path: Path, **options: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    return write_llama(path, **options)  # type: ignore[arg-type]


def scan(managed: Path, *folders: Path) -> Listing:
    return LocalLibrary(HeaderIndex(None)).scan(folders, managed)


def paths(listing: Listing) -> list[Path]:
    return [model.path for model in listing.models]


class TestRows:
    def test_a_folder_for_publisher_and_model_as_well_as_flat(self, tmp_path: Path) -> None:
        deep = put(tmp_path / "publisher" / "Tiny-GGUF" / "tiny-Q4_0.gguf")
        flat = put(tmp_path / "other-f16.gguf", changes={"general.organization": "Header"})
        listing = scan(tmp_path)
        assert [(row.path, row.publisher, row.name) for row in listing.models] == [
            (flat, "Header", "other"),
            (deep, "publisher", "Tiny"),
        ]
        assert all(row.managed for row in listing.models)
        assert listing.total_bytes == deep.stat().st_size + flat.stat().st_size

    def test_the_time_is_that_of_the_newest_file(self, tmp_path: Path) -> None:
        parts = write_split(tmp_path, "m", llama_model(), 2)
        os.utime(parts[0], (1000, 1000))
        os.utime(parts[1], (2000, 2000))
        assert scan(tmp_path).models[0].modified == 2000

    def test_a_split_set_is_one_row_that_loads_its_first_part(self, tmp_path: Path) -> None:
        parts = write_split(tmp_path, "m", llama_model(), 3)
        (row,) = scan(tmp_path).models
        assert (row.path, row.files) == (parts[0], parts)
        assert row.info.total_bytes == sum(part.stat().st_size for part in parts)

    def test_models_that_look_alike_are_called_by_their_files(self, tmp_path: Path) -> None:
        put(tmp_path / "tiny.Q4_0.gguf")
        put(tmp_path / "tiny.Q8_0.gguf")  # the header of both says F32
        assert [row.name for row in scan(tmp_path).models] == ["tiny.Q4_0", "tiny.Q8_0"]

    def test_copies_keep_their_name(self, tmp_path: Path) -> None:
        put(tmp_path / "a" / "tiny.gguf")
        put(tmp_path / "b" / "tiny.gguf", seed=1)
        assert [row.name for row in scan(tmp_path).models] == ["Tiny", "Tiny"]

    def test_a_model_is_known_again_when_looked_at_again(self, tmp_path: Path) -> None:
        put(tmp_path / "tiny.gguf")
        library = LocalLibrary(HeaderIndex(None))
        assert library.scan((), tmp_path) == library.scan((), tmp_path)

    def test_no_folder_is_no_reason_to_fail(self, tmp_path: Path) -> None:
        listing = scan(tmp_path / "missing")
        assert listing == Listing()


class TestFolders:
    def test_only_the_chosen_folder_s_models_are_managed(self, tmp_path: Path) -> None:
        ours, theirs = put(tmp_path / "ours" / "a.gguf"), put(tmp_path / "theirs" / "b.gguf")
        listing = scan(ours.parent, theirs.parent)
        assert [(row.path, row.managed) for row in listing.models] == [(ours, True), (theirs, False)]
        assert listing.folders == (ours.parent, theirs.parent)

    def test_folders_within_each_other_show_a_file_once(self, tmp_path: Path) -> None:
        path = put(tmp_path / "models" / "publisher" / "model" / "a.gguf")
        for managed, other in ((tmp_path, path.parent), (path.parent, tmp_path), (tmp_path, tmp_path)):
            (row,) = scan(managed, other).models
            assert (row.path, row.managed) == (path, True)

    def test_a_folder_that_is_missing_or_a_file_is_told(self, tmp_path: Path) -> None:
        file = tmp_path / "file"
        file.touch()
        gone = tmp_path / "gone"
        assert scan(tmp_path, gone, file).unreadable_folders == (gone, file)

    @pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="everything is open to this user")
    def test_a_closed_folder_is_passed_over(self, tmp_path: Path) -> None:
        put(tmp_path / "closed" / "a.gguf")
        (tmp_path / "closed").chmod(0)
        try:
            assert scan(tmp_path) == Listing(folders=(tmp_path,))
        finally:
            (tmp_path / "closed").chmod(0o755)

    def test_odd_names(self, tmp_path: Path) -> None:
        path = put(tmp_path / "モデル　é 模型 - test" / "  " / "a\u3000b 模型.gguf")
        (row,) = scan(tmp_path).models
        assert (row.path, row.name, row.publisher) == (path, "a b 模型", "モデル　é 模型 - test")

    def test_names_that_are_no_text(self, tmp_path: Path) -> None:
        folder = tmp_path / os.fsdecode(b"\xff")
        try:
            folder.mkdir()
        except OSError:
            pytest.skip("this file system takes no such names")
        good = put(folder / os.fsdecode(b"m\xfe.gguf"))
        bad = truncate_file(put(folder / os.fsdecode(b"n\xfe.gguf")), 0.5)
        listing = scan(tmp_path)
        assert paths(listing) == [good]
        assert listing.models[0].name == "m�"
        assert [(file.path, file.sentence.partition(" ")[0]) for file in listing.unusable] == [
            (bad, "n�.gguf")
        ]

    def test_a_very_deep_tree(self, tmp_path: Path) -> None:
        put(tmp_path / "a.gguf")
        deep = tmp_path
        for _ in range(300):
            deep = deep / "d"
            deep.mkdir()
        put(deep / "b.gguf")
        assert paths(scan(tmp_path)) == [tmp_path / "a.gguf"]

    def test_it_stops_when_told_to(self, tmp_path: Path) -> None:
        put(tmp_path / "a.gguf")
        library = LocalLibrary(HeaderIndex(None))
        assert library.scan((), tmp_path, going_on=lambda: False).models == ()

    def test_it_says_how_far_it_is(self, tmp_path: Path) -> None:
        put(tmp_path / "a.gguf")
        put(tmp_path / "b.gguf")
        told: list[tuple[int, int]] = []
        LocalLibrary(HeaderIndex(None)).scan(
            (), tmp_path, on_progress=lambda done, total: told.append((done, total))
        )
        assert told == [(0, 2), (1, 2)]


class TestLinks:
    def test_a_file_and_a_link_to_it_are_one_row(self, tmp_path: Path) -> None:
        path = put(tmp_path / "z.gguf")
        (tmp_path / "a.gguf").symlink_to(path)
        assert paths(scan(tmp_path)) == [path]

    def test_links_that_lead_round_in_circles(self, tmp_path: Path) -> None:
        path = put(tmp_path / "folder" / "m.gguf")
        (path.parent / "up").symlink_to(tmp_path)
        (path.parent / "self").symlink_to(path.parent / "self")
        (path.parent / "self.gguf").symlink_to(path.parent / "self.gguf")
        listing = scan(tmp_path)
        assert paths(listing) == [path]
        assert [file.path.name for file in listing.unusable] == ["self.gguf"]

    def test_a_link_to_nothing_is_not_usable(self, tmp_path: Path) -> None:
        (tmp_path / "m.gguf").symlink_to(tmp_path / "gone")
        (file,) = scan(tmp_path).unusable
        assert file.problem is FileProblem.MISSING
        assert file.sentence == "m.gguf is a link to a file that does not exist."

    def test_a_linked_folder_is_not_ours_to_delete_from(self, tmp_path: Path) -> None:
        path = put(tmp_path / "theirs" / "m.gguf")
        (tmp_path / "ours").mkdir()
        (tmp_path / "ours" / "link").symlink_to(path.parent)
        (row,) = scan(tmp_path / "ours").models
        assert row.path == tmp_path / "ours" / "link" / "m.gguf"
        assert not row.managed

    def test_the_hugging_face_cache(self, tmp_path: Path) -> None:
        root = tmp_path / "hub" / "models--some-body--Tiny-7B-GGUF"
        blob = put(root / "blobs" / "0123abcd")
        for revision in ("aaa", "bbb"):
            link = root / "snapshots" / revision / "tiny-7b-q4_0.gguf"
            link.parent.mkdir(parents=True)
            link.symlink_to(Path("..", "..", "blobs", blob.name))
        (row,) = scan(tmp_path / "ours", tmp_path / "hub").models
        assert row.path == root / "snapshots" / "aaa" / "tiny-7b-q4_0.gguf"
        assert (row.publisher, row.name, row.managed) == ("some-body", "Tiny 7b", False)
        assert row.info.total_bytes == blob.stat().st_size


class TestUnusable:
    def test_every_model_file_is_in_one_of_the_two_lists(self, tmp_path: Path) -> None:
        put(tmp_path / "good.gguf")
        truncate_file(put(tmp_path / "cut.gguf"), 0.5)
        write_embedding_model(tmp_path / "embedding.gguf")
        write_vocabulary_only(tmp_path / "vocabulary.gguf")
        (tmp_path / "page.gguf").write_text("<html>not found</html>")
        (tmp_path / "empty.gguf").touch()
        listing = scan(tmp_path)
        assert [row.path.name for row in listing.models] == ["good.gguf"]
        assert {file.path.name: file.problem for file in listing.unusable} == {
            "cut.gguf": FileProblem.TRUNCATED,
            "embedding.gguf": FileProblem.EMBEDDING,
            "vocabulary.gguf": FileProblem.NO_WEIGHTS,
            "page.gguf": FileProblem.NOT_GGUF,
            "empty.gguf": FileProblem.TRUNCATED,
        }
        for file in listing.unusable:
            assert file.path.name in file.sentence
            assert (file.size_bytes, file.managed) == (file.path.stat().st_size, True)

    def test_an_incomplete_set_is_one_row_that_names_what_is_missing(self, tmp_path: Path) -> None:
        parts = write_split(tmp_path, "m", llama_model(), 3)
        size = parts[0].stat().st_size + parts[2].stat().st_size
        parts[1].unlink()
        listing = scan(tmp_path)
        assert listing.models == ()
        (file,) = listing.unusable
        assert (file.files, file.size_bytes) == ((parts[0], parts[2]), size)
        assert parts[1].name in file.sentence

    def test_pieces_are_one_row_that_says_how_to_join_them(self, tmp_path: Path) -> None:
        names = ("m.gguf.part1of2", "m.gguf.part2of2")
        for name in names:
            (tmp_path / name).write_bytes(b"piece")
        (file,) = scan(tmp_path).unusable
        assert [path.name for path in file.files] == list(names)
        assert file.problem is FileProblem.INCOMPLETE_SET
        assert "Join" in file.sentence
        put(tmp_path / "m.gguf")
        assert scan(tmp_path).unusable == ()

    def test_what_never_appears(self, tmp_path: Path) -> None:
        for name in (
            "m.gguf.part",
            "m.gguf.incomplete",
            ".m.gguf",
            "._m.gguf",
            ".cache/m.gguf",
            "m.bin",
            "m.safetensors",
            "README.md",
        ):
            put(tmp_path / name)
        (tmp_path / "folder.gguf").mkdir()
        listing = scan(tmp_path)
        assert (listing.models, listing.unusable) == ((), ())

    @pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes here")
    def test_a_pipe_keeps_nobody_waiting(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "m.gguf")
        (file,) = scan(tmp_path).unusable
        assert file.problem is FileProblem.MISSING


class TestProjectors:
    def test_belong_to_the_model_beside_them(self, tmp_path: Path) -> None:
        put(tmp_path / "m" / "tiny-Q4_0.gguf")
        projector = write_projector(tmp_path / "m" / "mmproj-F16.gguf")
        listing = scan(tmp_path)
        assert listing.unusable == ()
        assert listing.models[0].projector == projector
        assert listing.models[0].files == (tmp_path / "m" / "tiny-Q4_0.gguf", projector)

    def test_alone_are_not_usable(self, tmp_path: Path) -> None:
        put(tmp_path / "m" / "tiny.gguf")
        projector = write_projector(tmp_path / "mmproj-F16.gguf")
        listing = scan(tmp_path)
        assert [file.path for file in listing.unusable] == [projector]
        assert listing.models[0].projector is None

    def test_in_a_folder_of_many_models_go_by_their_names(self, tmp_path: Path) -> None:
        put(tmp_path / "sees-Q4_0.gguf")
        put(tmp_path / "sees-Q8_0.gguf")
        put(tmp_path / "blind.gguf")
        projector = write_projector(tmp_path / "mmproj-sees-f16.gguf")
        listing = scan(tmp_path)
        assert {row.path.name: row.projector for row in listing.models} == {
            "sees-Q4_0.gguf": projector,
            "sees-Q8_0.gguf": projector,
            "blind.gguf": None,
        }

    def test_with_another_name_still_go_with_the_only_model(self, tmp_path: Path) -> None:
        put(tmp_path / "tiny-Q4_0.gguf")
        projector = write_projector(tmp_path / "mmproj-vision-tower.gguf")
        assert scan(tmp_path).models[0].projector == projector
