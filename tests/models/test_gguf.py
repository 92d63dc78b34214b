"""The header reader, against the gguf library on real files and against hostile ones."""

import ctypes
import os
import struct
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import gguf
import llama_cpp
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.errors import FileProblem, ModelFileError
from app.models.gguf import (
    ArrayInfo,
    ElementType,
    GgufHeader,
    parts_of,
    read_array_bytes,
    read_header,
    read_numbers,
    read_strings,
    string_offsets,
)
from app.models.tensor_types import TENSOR_TYPES
from tests.fakes import tiny_gguf

WRITERS: dict[str, Callable[[Path], Path]] = {
    "llama": tiny_gguf.write_llama,
    "lfm2": tiny_gguf.write_lfm2,
    "mamba": tiny_gguf.write_mamba,
    "gemma": tiny_gguf.write_gemma_swa,
    "projector": tiny_gguf.write_projector,
    "embedding": tiny_gguf.write_embedding_model,
    "vocabulary": tiny_gguf.write_vocabulary_only,
}


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_gguf.write_llama(
        tmp_path_factory.mktemp("gguf") / "tiny.gguf", chat_template=tiny_gguf.CHATML
    )


def text(value: str) -> bytes:
    encoded = value.encode()
    return struct.pack("<Q", len(encoded)) + encoded


def entry(key: str, kind: int, value: bytes) -> bytes:
    return text(key) + struct.pack("<I", kind) + value


def tensor_row(name: str, shape: tuple[int, ...], type_id: int = 0, offset: int = 0) -> bytes:
    layout = f"<I{len(shape)}QIQ"
    return text(name) + struct.pack(layout, len(shape), *shape, type_id, offset)


def write_raw(
    path: Path,
    entries: list[bytes],
    tensors: list[bytes] | None = None,
    *,
    version: int = 3,
    keys: int | None = None,
    tensor_count: int | None = None,
    data: int = 4096,
) -> Path:
    """A file put together by hand, sound or not."""
    rows = tensors or []
    counts = struct.pack(
        "<QQ", len(rows) if tensor_count is None else tensor_count, len(entries) if keys is None else keys
    )
    path.write_bytes(
        b"GGUF" + struct.pack("<I", version) + counts + b"".join([*entries, *rows]) + bytes(data)
    )
    return path


def refusal(path: Path) -> ModelFileError:
    with pytest.raises(ModelFileError) as caught:
        read_header(path)
    assert caught.value.path == path
    assert str(caught.value).startswith(path.name)
    assert str(caught.value).endswith(".")
    return caught.value


class TestSoundFiles:
    @pytest.mark.parametrize("kind", WRITERS)
    def test_header_says_what_the_gguf_library_says(self, kind: str, tmp_path: Path) -> None:
        path = WRITERS[kind](tmp_path / "model.gguf")
        header = read_header(path)
        reader = gguf.GGUFReader(path)

        values = {}
        counts = {}
        for key, field in reader.fields.items():
            if key.startswith("GGUF."):
                continue
            if field.types[0] is gguf.GGUFValueType.ARRAY:
                counts[key] = len(field.data)
            else:
                values[key] = field.contents()
        assert header.values == values
        assert {key: array.count for key, array in header.arrays.items()} == counts
        assert (header.version, header.file_bytes) == (3, path.stat().st_size)
        assert [
            (
                row.name,
                list(row.shape),
                row.type_id,
                header.data_offset + row.offset,
                row.byte_count,
                row.elements,
            )
            for row in header.tensors
        ] == [
            (row.name, row.shape.tolist(), row.tensor_type, row.data_offset, row.n_bytes, row.n_elements)
            for row in reader.tensors
        ]

    def test_arrays_say_what_the_gguf_library_says(self, tmp_path: Path) -> None:
        path = tiny_gguf.write_lfm2(tmp_path / "model.gguf")
        header = read_header(path)
        fields = gguf.GGUFReader(path).fields

        tokens = read_strings(header, "tokenizer.ggml.tokens")
        assert [token.decode() for token in tokens] == fields["tokenizer.ggml.tokens"].contents()
        for key in ("tokenizer.ggml.scores", "tokenizer.ggml.token_type", "lfm2.attention.head_count_kv"):
            assert read_numbers(header, key) == fields[key].contents()

    def test_flags_in_an_array_are_numbers(self, tmp_path: Path) -> None:
        flags = struct.pack("<IQ3?", ElementType.BOOL, 3, True, False, True)
        header = read_header(write_raw(tmp_path / "flags.gguf", [entry("flags", ElementType.ARRAY, flags)]))
        assert read_numbers(header, "flags") == [1, 0, 1]

    def test_version_2_has_the_same_layout(self, tiny: Path, tmp_path: Path) -> None:
        older = tmp_path / "older.gguf"
        data = bytearray(tiny.read_bytes())
        data[4] = 2
        older.write_bytes(data)
        header = read_header(older)
        assert header.version == 2
        assert header.tensors == read_header(tiny).tensors

    def test_values_are_asked_for_by_kind(self, tiny: Path) -> None:
        header = read_header(tiny)
        assert header.text("general.architecture") == "llama"
        assert header.whole("llama.block_count") == 2
        assert header.flag("tokenizer.ggml.add_bos_token") is True
        assert header.whole("tokenizer.ggml.add_bos_token") is None
        assert header.text("llama.block_count") is None
        assert header.flag("absent") is None

    def test_text_that_is_not_utf8_is_kept_readable(self, tmp_path: Path) -> None:
        broken = struct.pack("<Q", 3) + b"a\xffb"
        header = read_header(write_raw(tmp_path / "broken.gguf", [entry("name", ElementType.STRING, broken)]))
        assert header.values == {"name": "a\ufffdb"}

    def test_an_array_longer_than_the_window_is_walked(self, tmp_path: Path) -> None:
        texts = [b"x" * (number % 700) for number in range(5000)] + [b"y" * 3_000_000] + [b"end"] * 30
        array = struct.pack("<IQ", ElementType.STRING, len(texts))
        array += b"".join(struct.pack("<Q", len(each)) + each for each in texts)
        entries = [entry("texts", ElementType.ARRAY, array), entry("after", ElementType.UINT8, b"\x07")]
        header = read_header(write_raw(tmp_path / "long.gguf", entries))

        assert header.values == {"after": 7}
        assert read_strings(header, "texts") == texts
        info = header.arrays["texts"]
        data = read_array_bytes(header, "texts")
        offsets = string_offsets(data, info, 0, info.count)
        for first, last in ((0, 0), (1023, 1026), (4999, 5001), (5031, 5031), (5031, info.count)):
            assert string_offsets(data, info, first, last) == offsets[first : last + 1]

    def test_a_count_of_strings_that_fills_the_last_block(self) -> None:
        array = ArrayInfo(ElementType.STRING, 2048, 0, 2048 * 8, marks=(0, 8192))
        assert string_offsets(bytes(2048 * 8), array, 2048, 2048) == [2048 * 8]

    def test_tensors_are_not_expected_by_name(self, tmp_path: Path) -> None:
        # A complete mixture-of-experts file has stacked tensors in place of the plain ones.
        rows = [tensor_row("blk.0.ffn_up_exps.weight", (32, 4, 8)), tensor_row("odd", (8,), offset=4096)]
        header = read_header(write_raw(tmp_path / "moe.gguf", [], rows, data=32 + 4096 + 32))
        assert [row.byte_count for row in header.tensors] == [4096, 32]

    def test_tensors_begin_at_multiples_of_the_alignment(self, tmp_path: Path) -> None:
        alignment = entry("general.alignment", ElementType.UINT32, struct.pack("<I", 64))
        rows = [tensor_row("a", (5,)), tensor_row("b", (17,), offset=64), tensor_row("c", (1,), offset=192)]
        header = read_header(write_raw(tmp_path / "padded.gguf", [alignment], rows))
        assert header.data_offset % 64 == 0
        assert [row.offset for row in header.tensors] == [0, 64, 192]

    def test_bytes_after_the_last_tensor_do_no_harm(self, tiny: Path, tmp_path: Path) -> None:
        longer = tmp_path / "longer.gguf"
        longer.write_bytes(tiny.read_bytes() + b"more")
        assert read_header(longer).tensors == read_header(tiny).tensors


class TestTensorTypes:
    def test_they_are_those_of_the_installed_llama_cpp(self) -> None:
        folder = Path(llama_cpp.__file__).parent / "lib"
        names = ("libggml-base.so", "libggml-base.dylib", "ggml-base.dll")
        ggml = ctypes.CDLL(str(next(folder / name for name in names if (folder / name).exists())))
        ggml.ggml_blck_size.restype = ctypes.c_int64
        ggml.ggml_type_size.restype = ctypes.c_size_t
        ggml.ggml_type_name.restype = ctypes.c_char_p
        for type_id, kind in TENSOR_TYPES.items():
            size = ggml.ggml_blck_size(type_id), ggml.ggml_type_size(type_id)
            assert (kind.block, kind.block_bytes) == size
            assert kind.name.lower() == ggml.ggml_type_name(type_id).decode().lower()
        removed = [type_id for type_id in range(max(TENSOR_TYPES)) if type_id not in TENSOR_TYPES]
        assert all(ggml.ggml_blck_size(type_id) == 0 for type_id in removed)


class TestRefusals:
    def test_missing(self, tmp_path: Path) -> None:
        error = refusal(tmp_path / "absent.gguf")
        assert error.problem is FileProblem.MISSING
        assert "does not exist" in str(error)

    def test_folder(self, tmp_path: Path) -> None:
        folder = tmp_path / "folder.gguf"
        folder.mkdir()
        error = refusal(folder)
        assert error.problem is FileProblem.MISSING
        assert "folder" in str(error)

    @pytest.mark.skipif(sys.platform == "win32", reason="no named pipes in the file system")
    def test_a_pipe_is_not_waited_for(self, tmp_path: Path) -> None:
        pipe = tmp_path / "pipe.gguf"
        os.mkfifo(pipe)
        assert refusal(pipe).problem is FileProblem.MISSING

    def test_a_path_that_no_system_accepts(self, tmp_path: Path) -> None:
        assert refusal(tmp_path / "zero\0byte.gguf").problem is FileProblem.MISSING

    @pytest.mark.parametrize("content", [b"PK\x03\x04 a zip file", b"ggjt old", b"<html>not found</html>"])
    def test_other_formats(self, content: bytes, tmp_path: Path) -> None:
        path = tmp_path / "other.gguf"
        path.write_bytes(content)
        assert refusal(path).problem is FileProblem.NOT_GGUF

    def test_big_endian(self, tmp_path: Path) -> None:
        path = tmp_path / "big.gguf"
        writer = gguf.GGUFWriter(path, "llama", endianess=gguf.GGUFEndian.BIG)
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.close()
        error = refusal(path)
        assert error.problem is FileProblem.VERSION
        assert "big-endian" in str(error)

    @pytest.mark.parametrize("version", [0, 1, 4, 4_000_000_000])
    def test_other_versions(self, version: int, tmp_path: Path) -> None:
        error = refusal(write_raw(tmp_path / "version.gguf", [], version=version))
        assert error.problem is FileProblem.VERSION
        assert str(version) in str(error)

    @pytest.mark.parametrize("keep", [0, 1, 3, 5, 23, 40, 1000, 5000])
    def test_cut_off_in_the_header(self, keep: int, tiny: Path, tmp_path: Path) -> None:
        path = tmp_path / "cut.gguf"
        path.write_bytes(tiny.read_bytes()[:keep])
        assert refusal(path).problem is FileProblem.TRUNCATED

    def test_cut_off_in_the_weights_by_one_byte(self, tiny: Path, tmp_path: Path) -> None:
        path = tmp_path / "cut.gguf"
        path.write_bytes(tiny.read_bytes()[:-1])
        error = refusal(path)
        assert error.problem is FileProblem.TRUNCATED
        assert f"{tiny.stat().st_size:,}" in str(error)

    @pytest.mark.parametrize(
        "entries",
        [
            pytest.param([entry("key", 13, b"")], id="unknown type of value"),
            pytest.param([entry("key", 9, struct.pack("<IQ", 9, 1))], id="array of arrays"),
            pytest.param([entry("key", 9, struct.pack("<IQ", 77, 1))], id="array of unknown type"),
            pytest.param([entry("key", 9, struct.pack("<IQ", 8, 2**40))], id="absurd number of texts"),
            pytest.param([entry("key", 7, b"\1")] * 2, id="the same key twice"),
            pytest.param([entry("", 7, b"\1")], id="empty key"),
            pytest.param([entry("general.alignment", 4, struct.pack("<I", 24))], id="alignment 24"),
            pytest.param([entry("general.alignment", 4, struct.pack("<I", 0))], id="alignment 0"),
            pytest.param([entry("general.alignment", 8, text("32"))], id="alignment in words"),
        ],
    )
    def test_damaged_values(self, entries: list[bytes], tmp_path: Path) -> None:
        assert refusal(write_raw(tmp_path / "bad.gguf", entries)).problem is FileProblem.DAMAGED

    @pytest.mark.parametrize(
        "entries",
        [
            pytest.param([entry("key", 8, struct.pack("<Q", 2**63))], id="endless text"),
            pytest.param([entry("key", 9, struct.pack("<IQ", 5, 2**63))], id="endless array"),
            pytest.param(
                [entry("key", 9, struct.pack("<IQQ", 8, 9, 2**64 - 1))], id="endless text in an array"
            ),
            pytest.param([struct.pack("<Q", 2**64 - 1)], id="endless key"),
        ],
    )
    def test_lengths_beyond_the_end(self, entries: list[bytes], tmp_path: Path) -> None:
        assert refusal(write_raw(tmp_path / "bad.gguf", entries)).problem is FileProblem.TRUNCATED

    @pytest.mark.parametrize("count", [2**32, 2**63, 2**64 - 1])
    def test_absurd_counts(self, count: int, tmp_path: Path) -> None:
        for path in (
            write_raw(tmp_path / "keys.gguf", [], keys=count),
            write_raw(tmp_path / "tensors.gguf", [], tensor_count=count),
        ):
            assert refusal(path).problem is FileProblem.DAMAGED

    @pytest.mark.parametrize(
        "rows",
        [
            pytest.param([tensor_row("a", (8,)), tensor_row("a", (8,), offset=32)], id="the same name twice"),
            pytest.param([tensor_row("a", (8,), offset=32)], id="a gap"),
            pytest.param([tensor_row("a", (8,)), tensor_row("b", (8,))], id="overlapping"),
            pytest.param([tensor_row("a", (1,) * 5)], id="five dimensions"),
            pytest.param([tensor_row("a" * 64, (8,))], id="a name too long for llama.cpp"),
            pytest.param([tensor_row("a", (2**32, 2**32))], id="more weights than can be counted"),
            pytest.param([tensor_row("a", (0, 2**63))], id="a negative dimension"),
            pytest.param([tensor_row("a", (33,), type_id=8)], id="half a block"),
        ],
    )
    def test_damaged_tensors(self, rows: list[bytes], tmp_path: Path) -> None:
        assert refusal(write_raw(tmp_path / "bad.gguf", [], rows)).problem is FileProblem.DAMAGED

    @pytest.mark.parametrize("type_id", [4, 31, 38, 43, 2**32 - 1])
    def test_number_formats_that_llama_cpp_does_not_read(self, type_id: int, tmp_path: Path) -> None:
        error = refusal(write_raw(tmp_path / "format.gguf", [], [tensor_row("a", (32,), type_id=type_id)]))
        assert error.problem is FileProblem.UNSUPPORTED
        assert str(type_id) in str(error)

    def test_a_file_that_shrinks_after_its_header_was_read(self, tmp_path: Path) -> None:
        path = tiny_gguf.write_llama(tmp_path / "model.gguf")
        header = read_header(path)
        tiny_gguf.truncate_file(path, 1000)
        with pytest.raises(ModelFileError) as caught:
            read_strings(header, "tokenizer.ggml.tokens")
        assert caught.value.problem is FileProblem.TRUNCATED

    def test_a_file_that_changes_after_its_header_was_read(self, tmp_path: Path) -> None:
        path = tiny_gguf.write_llama(tmp_path / "model.gguf")
        header = read_header(path)
        path.write_bytes(b"\xff" * header.file_bytes)
        with pytest.raises(ModelFileError) as caught:
            read_strings(header, "tokenizer.ggml.tokens")
        assert caught.value.problem is FileProblem.DAMAGED

    def test_an_array_too_long_for_a_list(self, tmp_path: Path) -> None:
        count = 2**22 + 1
        bytes_ = struct.pack("<IQ", ElementType.UINT8, count)
        path = write_raw(tmp_path / "long.gguf", [entry("bytes", ElementType.ARRAY, bytes_)], data=count)
        header = read_header(path)
        assert len(read_array_bytes(header, "bytes")) == count
        with pytest.raises(ModelFileError, match="bytes has 4194305 elements"):
            read_numbers(header, "bytes")

    def test_texts_are_not_numbers(self, tiny: Path) -> None:
        header = read_header(tiny)
        with pytest.raises(ModelFileError):
            read_numbers(header, "tokenizer.ggml.tokens")
        with pytest.raises(KeyError):
            read_numbers(header, "absent")


class TestHostileFiles:
    """Whatever happens to a file, there is a header or a ModelFileError, and no huge allocation."""

    def read(self, path: Path) -> GgufHeader | FileProblem:
        tracemalloc.start()
        try:
            return read_header(path)
        except ModelFileError as error:
            return error.problem
        finally:
            peak = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
            assert peak < 16 << 20

    @given(st.data())
    def test_cut_anywhere(self, tiny: Path, data: st.DataObject) -> None:
        whole = tiny.read_bytes()
        header_bytes = read_header(tiny).data_offset
        keep = data.draw(st.integers(0, header_bytes) | st.integers(0, len(whole) - 1))
        path = tiny.with_name("cut.gguf")
        path.write_bytes(whole[:keep])
        assert self.read(path) is FileProblem.TRUNCATED

    @given(st.data())
    def test_any_byte_changed(self, tiny: Path, data: st.DataObject) -> None:
        whole = bytearray(tiny.read_bytes())
        header_bytes = read_header(tiny).data_offset
        for _ in range(data.draw(st.integers(1, 3))):
            whole[data.draw(st.integers(0, header_bytes - 1))] = data.draw(st.integers(0, 255))
        path = tiny.with_name("changed.gguf")
        path.write_bytes(whole)
        found = self.read(path)
        assert isinstance(found, (GgufHeader, FileProblem))
        if isinstance(found, GgufHeader):
            for key, array in found.arrays.items():
                read = read_strings if array.element is ElementType.STRING else read_numbers
                assert len(read(found, key)) == array.count

    @given(st.data())
    def test_any_length_or_count_changed(self, tiny: Path, data: st.DataObject) -> None:
        whole = bytearray(tiny.read_bytes())
        header_bytes = read_header(tiny).data_offset
        place = data.draw(st.integers(0, header_bytes - 8))
        number = data.draw(st.sampled_from((0, 1, 2**20, 2**31, 2**32 - 1, 2**40, 2**62, 2**63, 2**64 - 1)))
        whole[place : place + 8] = struct.pack("<Q", number)
        path = tiny.with_name("counted.gguf")
        path.write_bytes(whole)
        assert isinstance(self.read(path), (GgufHeader, FileProblem))


class TestParts:
    def make_set(self, folder: Path, count: int = 3) -> list[Path]:
        parts = [folder / f"model-{number:05d}-of-{count:05d}.gguf" for number in range(1, count + 1)]
        for part in parts:
            part.touch()
        return parts

    def test_any_part_leads_to_all(self, tmp_path: Path) -> None:
        parts = self.make_set(tmp_path)
        for part in parts:
            assert parts_of(part) == tuple(parts)

    @pytest.mark.parametrize("name", ["model.gguf", "model-00001-of-2.gguf", "a-00001-of-00002.gguf.bak"])
    def test_an_ordinary_file_is_a_set_of_its_own(self, name: str, tmp_path: Path) -> None:
        assert parts_of(tmp_path / name) == (tmp_path / name,)

    def test_missing_parts_are_named(self, tmp_path: Path) -> None:
        first, second, third = self.make_set(tmp_path)
        second.unlink()
        third.unlink()
        with pytest.raises(ModelFileError) as caught:
            parts_of(first)
        assert caught.value.problem is FileProblem.INCOMPLETE_SET
        assert second.name in str(caught.value)
        assert third.name in str(caught.value)
        assert first.name not in str(caught.value)

    def test_many_missing_parts_are_counted(self, tmp_path: Path) -> None:
        with pytest.raises(ModelFileError, match="and 99996 more"):
            parts_of(tmp_path / "model-00001-of-99999.gguf")

    @pytest.mark.parametrize("name", ["model-00004-of-00003.gguf", "model-00000-of-00003.gguf"])
    def test_impossible_numbers(self, name: str, tmp_path: Path) -> None:
        with pytest.raises(ModelFileError) as caught:
            parts_of(tmp_path / name)
        assert caught.value.problem is FileProblem.INCOMPLETE_SET

    @pytest.mark.parametrize("tail", [".part1of2", ".part2of2", "-split-a", ".part1", ".001", "-part-1-of-2"])
    def test_pieces_are_to_be_joined(self, tail: str, tmp_path: Path) -> None:
        path = tmp_path / f"big.Q8_0.gguf{tail}"
        with pytest.raises(ModelFileError) as caught:
            parts_of(path)
        assert caught.value.problem is FileProblem.INCOMPLETE_SET
        assert "Join" in str(caught.value)
        assert "> big.Q8_0.gguf" in str(caught.value)

    def test_a_set_in_a_folder_that_is_gone(self, tmp_path: Path) -> None:
        with pytest.raises(ModelFileError) as caught:
            parts_of(tmp_path / "gone" / "model-00001-of-00002.gguf")
        assert caught.value.problem is FileProblem.MISSING
