"""Copies of headers: to everything that reads headers they are the whole file, and to nothing else."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from app.core.errors import FileProblem, ModelFileError
from app.core.options import LoadOptions
from app.engine.advisor import ModelAdvisor
from app.engine.memory import detect_features
from app.engine.vocab import VocabularyCache
from app.models.gguf import read_header
from app.models.header_copy import is_header_copy, write_header_copy
from app.models.header_index import HeaderIndex
from app.models.info import ModelInfo, read_info
from app.models.library import LocalLibrary
from app.models.window import CopyTooShortError
from tests.fakes.expectations import no_expectations
from tests.fakes.tiny_gguf import (
    byte_vocabulary,
    llama_model,
    truncate_file,
    write_lfm2,
    write_llama,
    write_split,
)


def copied(path: Path, folder: Path) -> Path:
    """A copy of a file's header, under the same name."""
    folder.mkdir(exist_ok=True)
    data = path.read_bytes()
    end = read_header(path).data_offset
    write_header_copy(folder / path.name, data[:end], len(data))
    return folder / path.name


def without_place(info: ModelInfo) -> ModelInfo:
    return replace(info, path=Path(info.path.name), parts=tuple(Path(part.name) for part in info.parts))


def advisor() -> ModelAdvisor:
    headers = HeaderIndex(None)
    return ModelAdvisor(headers, VocabularyCache(None), detect_features(), no_expectations(headers))


def whole_models(folder: Path) -> list[list[Path]]:
    """The files of a plain model, of a hybrid one, and of a split set."""
    return [
        [write_llama(folder / "plain.gguf")],
        [write_lfm2(folder / "hybrid.gguf")],
        list(write_split(folder, "set", llama_model(layers=3), 3)),
    ]


class TestAsTheWholeFile:
    @pytest.mark.parametrize("kind", [0, 1, 2])
    def test_it_says_the_same_of_itself(self, kind: int, tmp_path: Path) -> None:
        files = whole_models(tmp_path)[kind]
        copies = [copied(file, tmp_path / "copies") for file in files]

        assert without_place(read_info(copies[0])) == without_place(read_info(files[0]))
        assert without_place(HeaderIndex(None).read(copies[0])) == without_place(read_info(files[0]))
        assert sum(copy.stat().st_size for copy in copies) < sum(file.stat().st_size for file in files) / 4

    @pytest.mark.parametrize("kind", [0, 1, 2])
    def test_it_needs_the_same_memory(self, kind: int, tmp_path: Path) -> None:
        files = whole_models(tmp_path)[kind]
        copies = [copied(file, tmp_path / "copies") for file in files]
        draft = write_llama(tmp_path / "draft.gguf", layers=1)
        draft_copy = copied(draft, tmp_path / "copies")
        options = LoadOptions()

        assert advisor().estimate(copies[0], None, options) == advisor().estimate(files[0], None, options)
        whole = advisor().estimate(files[0], draft, options)
        assert advisor().estimate(copies[0], draft_copy, options) == whole
        assert advisor().estimate(copies[0], draft, options) == whole

    def test_it_has_the_same_vocabulary(self, tmp_path: Path) -> None:
        other = byte_vocabulary()
        other[200] = "other"
        target = write_llama(tmp_path / "target.gguf")
        for draft in (
            write_llama(tmp_path / "same.gguf", layers=1),
            write_llama(tmp_path / "other.gguf", vocabulary=other),
            write_split(tmp_path, "set", llama_model(vocabulary=other), 3)[0],
        ):
            parts = draft.parent.glob(f"{draft.stem.partition('-0')[0]}*.gguf")
            copies = [copied(part, tmp_path / "copies") for part in sorted(parts)]
            expected = advisor().compatibility(target, draft)

            assert advisor().compatibility(copied(target, tmp_path / "copies"), copies[0]) == expected
            assert advisor().compatibility(target, copies[0]) == expected

    def test_the_same_is_wrong_with_it(self, tmp_path: Path) -> None:
        broken = write_llama(tmp_path / "broken.gguf")
        end = read_header(broken).data_offset
        truncate_file(broken, 0.5)
        data = broken.read_bytes()
        (tmp_path / "copies").mkdir()
        copy = tmp_path / "copies" / "broken.gguf"
        write_header_copy(copy, data[:end], len(data))

        for path in (broken, copy):
            with pytest.raises(ModelFileError, match="table of tensors needs") as refused:
                read_info(path)
            assert refused.value.problem is FileProblem.TRUNCATED


class TestAsWhatItIs:
    def test_it_is_told_apart(self, tmp_path: Path) -> None:
        model = write_llama(tmp_path / "m.gguf")
        (tmp_path / "empty.gguf").touch()

        assert is_header_copy(copied(model, tmp_path / "copies"))
        assert not is_header_copy(model)
        assert not is_header_copy(tmp_path / "empty.gguf")
        with pytest.raises(ModelFileError):
            is_header_copy(tmp_path / "missing.gguf")

    @pytest.mark.parametrize("keep", [0, 3, 8, 30, 2000, -1])
    def test_a_copy_that_is_too_short_says_so(self, keep: int, tmp_path: Path) -> None:
        model = write_llama(tmp_path / "m.gguf")
        data = model.read_bytes()
        header = data[: read_header(model).data_offset]
        model.write_bytes(b"")
        write_header_copy(model, header[:keep] if keep >= 0 else header[:-64], len(data))

        with pytest.raises(CopyTooShortError):
            read_header(model)

    def test_the_mark_is_never_taken_for_content(self, tmp_path: Path) -> None:
        """Whatever the header is cut at, what comes after it is not there."""
        model = write_llama(tmp_path / "m.gguf", vocabulary=byte_vocabulary()[:280])
        data = model.read_bytes()
        end = read_header(model).data_offset
        last_byte = len(data[:end].rstrip(b"\0"))
        for cut in range(0, last_byte, 97):
            write_header_copy(model, data[:cut], len(data))
            with pytest.raises(CopyTooShortError):
                read_header(model)

    @pytest.mark.parametrize("kind", [0, 2])
    def test_in_a_models_folder_it_is_no_model(self, kind: int, tmp_path: Path) -> None:
        (tmp_path / "whole").mkdir()
        for file in whole_models(tmp_path / "whole")[kind]:
            copied(file, tmp_path / "models")
        write_llama(tmp_path / "models" / "good.gguf")
        listing = LocalLibrary(HeaderIndex(None)).scan([], tmp_path / "models")

        assert [model.path.name for model in listing.models] == ["good.gguf"]
        (unusable,) = listing.unusable
        assert unusable.problem is FileProblem.TRUNCATED
        assert "only the header of a model. Download the model itself." in unusable.sentence
