"""What the disk says, in words that say what to do."""

import errno
import os
from pathlib import Path

import pytest

from app.models.disk_trouble import disk_error, disk_of, free_bytes, no_room
from app.models.hub_problems import HubProblem


def test_no_room_names_the_disk_and_the_figures(tmp_path: Path) -> None:
    error = no_room(tmp_path / "m.gguf", 4_370_000_000, 1_200_000_000)
    assert error.problem is HubProblem.DISK_FULL
    for part in (disk_of(tmp_path), "m.gguf", "4.37 GB", "1.20 GB", "256 MB", "Make room"):
        assert part in str(error)


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
def test_full_in_the_middle(tmp_path: Path, number: int) -> None:
    error = disk_error(OSError(number, os.strerror(number)), tmp_path / "m.gguf", 1_000_000)
    assert error.problem is HubProblem.DISK_FULL
    for part in (disk_of(tmp_path), "m.gguf", "1.00 MB are missing", "are free", "is kept"):
        assert part in str(error)


def test_a_folder_that_is_gone_has_no_figure(tmp_path: Path) -> None:
    error = disk_error(OSError(errno.ENOSPC, "No space"), tmp_path / "gone" / "m.gguf", 1)
    assert "are free" not in str(error)


@pytest.mark.parametrize("number", [errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR, errno.EIO])
def test_what_cannot_be_written(tmp_path: Path, number: int) -> None:
    error = disk_error(OSError(number, os.strerror(number)), tmp_path / "m.gguf", 1)
    assert error.problem is HubProblem.UNWRITABLE
    for part in (str(tmp_path), "m.gguf", os.strerror(number), "another folder"):
        assert part in str(error)


def test_a_file_that_is_too_large_for_the_disk(tmp_path: Path) -> None:
    error = disk_error(OSError(errno.EFBIG, "File too large"), tmp_path / "m.gguf", 1)
    assert "does not take files as large" in str(error)


def test_the_disk_is_where_it_is_mounted(tmp_path: Path) -> None:
    assert os.path.ismount(disk_of(tmp_path))
    assert free_bytes(tmp_path) > 0
