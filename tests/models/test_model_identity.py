"""Which model something was measured with."""

import hashlib
import os
import sys
from pathlib import Path

import pytest

from app.core.errors import FileProblem, ModelFileError
from app.models.gguf import read_header
from app.models.info import read_info
from app.models.model_identity import model_identity
from tests.fakes.tiny_gguf import llama_model, truncate_file, write_llama, write_split


def test_a_model_is_named_without_the_folder_it_lies_in(tmp_path: Path) -> None:
    folder = tmp_path / "anna"
    folder.mkdir()
    path = write_llama(folder / "Tiny-Chat-F32.gguf")
    identity = model_identity(read_info(path))
    assert (identity.name, identity.quantisation, identity.file) == ("Tiny Chat", "F32", "Tiny-Chat-F32.gguf")
    assert identity.title == "Tiny Chat · F32"
    assert identity.size_bytes == path.stat().st_size


def test_a_file_whose_name_says_nothing_is_not_named_after_a_folder(tmp_path: Path) -> None:
    folder = tmp_path / "anna"
    folder.mkdir()
    identity = model_identity(read_info(write_llama(folder / "model.gguf")))
    assert identity.name == "Tiny", "as its header says"


def test_the_digest_is_that_of_everything_before_the_weights(tmp_path: Path) -> None:
    path = write_llama(tmp_path / "a.gguf")
    content = path.read_bytes()
    end = read_header(path).data_offset
    assert model_identity(read_info(path)).header_digest == hashlib.sha256(content[:end]).hexdigest()


def test_other_weights_have_the_same_digest_and_another_header_has_not(tmp_path: Path) -> None:
    one = write_llama(tmp_path / "one.gguf")
    other = tmp_path / "other.gguf"
    other.write_bytes(one.read_bytes()[:-4] + b"\1\2\3\4")
    named = write_llama(tmp_path / "named.gguf", chat_template="{{ messages }}")
    digests = [model_identity(read_info(path)).header_digest for path in (one, other, named)]
    assert digests[0] == digests[1] != digests[2]


def test_a_header_longer_than_a_read_is_taken_whole(tmp_path: Path) -> None:
    path = write_llama(tmp_path / "long.gguf", chat_template="x" * 3_000_000)
    end = read_header(path).data_offset
    assert end > 3_000_000
    expected = hashlib.sha256(path.read_bytes()[:end]).hexdigest()
    assert model_identity(read_info(path)).header_digest == expected


def test_of_a_set_all_parts_count_and_the_first_ones_header(tmp_path: Path) -> None:
    parts = write_split(tmp_path, "Tiny-F32", llama_model())
    identity = model_identity(read_info(parts[0]))
    assert identity.file == parts[0].name
    assert identity.size_bytes == sum(part.stat().st_size for part in parts)
    end = read_header(parts[0]).data_offset
    assert identity.header_digest == hashlib.sha256(parts[0].read_bytes()[:end]).hexdigest()


def test_a_file_that_has_gone_or_shrunk_is_an_error_in_words(tmp_path: Path) -> None:
    path = write_llama(tmp_path / "a.gguf")
    info = read_info(path)
    truncate_file(path, 100)
    with pytest.raises(ModelFileError) as caught:
        model_identity(info)
    assert caught.value.problem is FileProblem.TRUNCATED
    path.unlink()
    with pytest.raises(ModelFileError) as caught:
        model_identity(info)
    assert caught.value.problem is FileProblem.MISSING


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
def test_a_name_that_is_no_text_can_be_written_down(tmp_path: Path) -> None:
    path = write_llama(tmp_path / "a.gguf")
    odd = Path(os.fsdecode(os.fsencode(tmp_path) + b"/b\xff\n.gguf"))
    path.rename(odd)
    identity = model_identity(read_info(odd))
    assert identity.file == "b\ufffd\ufffd.gguf"
    assert identity.name.encode()
