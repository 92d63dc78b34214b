"""The digest follows what is written, and finds what is not as it was noted."""

import hashlib
import random
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from app.models.digest import FollowingDigest, sha256_of
from app.models.part_file import Claim
from app.models.stretches import Stretches

DATA = random.Random(1).randbytes(3_000_000)


def claim(start: int, stop: int, data: bytes = DATA) -> Claim:
    return Claim(start, stop - start, zlib.crc32(data[start:stop]))


def put(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


def follow(stretches: Stretches, path: Path) -> str | None:
    with path.open("rb", buffering=0) as file:
        return FollowingDigest(stretches, len(DATA)).follow(file)


def test_it_is_the_digest_of_the_whole(tmp_path: Path) -> None:
    path = put(tmp_path / "m", DATA)
    claims = (claim(0, 1_500_000), claim(1_500_000, 3_000_000))
    stretches = Stretches(len(DATA), claims, block_bytes=1 << 20, connections=1)
    assert follow(stretches, path) == hashlib.sha256(DATA).hexdigest()
    assert sha256_of(path, lambda: False) == hashlib.sha256(DATA).hexdigest()


def test_nothing_is_a_file_too(tmp_path: Path) -> None:
    path = put(tmp_path / "m", b"")
    with path.open("rb", buffering=0) as file:
        stretches = Stretches(0, (), block_bytes=4, connections=1)
        assert FollowingDigest(stretches, 0).follow(file) == hashlib.sha256().hexdigest()


def test_what_is_not_as_noted_is_fetched_again(tmp_path: Path) -> None:
    """A power cut can leave zeros where bytes were written."""
    middle = range(1_000_000, 2_000_000)
    path = put(tmp_path / "m", DATA[: middle.start] + bytes(len(middle)) + DATA[middle.stop :])
    claims = (claim(0, middle.start), claim(middle.start, middle.stop), claim(middle.stop, 3_000_000))
    stretches = Stretches(len(DATA), claims, block_bytes=1 << 20, connections=1)
    with ThreadPoolExecutor(1) as threads:
        digest = threads.submit(follow, stretches, path)
        stretch = stretches.take()
        assert stretch is not None
        assert (stretch.position, stretch.stop) == (middle.start, middle.stop)
        with path.open("r+b") as file:
            file.seek(middle.start)
            file.write(DATA[middle.start : middle.stop])
        stretches.come(stretch, len(middle))
        stretches.hold(stretch)
        assert digest.result() == hashlib.sha256(DATA).hexdigest()


def test_so_is_what_is_not_there_at_all(tmp_path: Path) -> None:
    path = put(tmp_path / "m", DATA[:-1000])
    stretches = Stretches(len(DATA), (claim(0, 3_000_000),), block_bytes=1 << 20, connections=1)
    with ThreadPoolExecutor(1) as threads:
        digest = threads.submit(follow, stretches, path)
        stretch = stretches.take()
        assert stretch is not None
        assert stretch.position == 0
        stretches.end()
        assert digest.result() is None


def test_it_ends_when_told(tmp_path: Path) -> None:
    path = put(tmp_path / "m", DATA)
    stretches = Stretches(len(DATA), (), block_bytes=1 << 20, connections=1)
    with ThreadPoolExecutor(1) as threads:
        digest = threads.submit(follow, stretches, path)
        stretches.end()
        assert digest.result() is None
    assert sha256_of(path, lambda: True) is None
