"""A process that is killed in the middle of a download loses next to nothing."""

import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from app.models.byte_ranges import ByteRanges
from app.models.part_file import read_notes
from tests.fakes.hub_content import GeneratedContent
from tests.fakes.hub_faults import Fault
from tests.fakes.hub_server import HubServer
from tests.fakes.transfers import PATH, Wanted

SIZE = 64 << 20
BLOCK = 4 << 20
CONNECTIONS = 4
RATE = 24 << 20  # bytes per second of each connection, so that there is a middle
FAULT = Fault(bytes_per_second=RATE, stop_at=SIZE - 1)  # the last byte does not come before the end
MOMENTS = random.Random(2026).sample(range(SIZE), 10)
_PAGE = 4096

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal")


def start(wanted: Wanted) -> subprocess.Popen[bytes]:
    file = wanted.file
    arguments = [wanted.hub.endpoint, wanted.repo, wanted.commit, file.path, str(file.size), str(file.sha256)]
    command = [sys.executable, "-m", "tests.fakes.transfers", *arguments, str(wanted.destination)]
    return subprocess.Popen(command, cwd=Path(__file__).parents[2])


def noted(wanted: Wanted) -> ByteRanges:
    notes = read_notes(wanted.destination)
    return (
        ByteRanges((claim.start, claim.stop) for claim in notes.claims) if notes is not None else ByteRanges()
    )


def on_disk(wanted: Wanted) -> ByteRanges:
    """The pages of the part that are as they should be, noted or not."""
    part = wanted.part.read_bytes() if wanted.part.exists() else b""
    whole = wanted.content.read(0, len(part))
    pages = range(0, len(part) - _PAGE, _PAGE)
    return ByteRanges((at, at + _PAGE) for at in pages if part[at : at + _PAGE] == whole[at : at + _PAGE])


def killed_at(wanted: Wanted, count: int) -> None:
    """Begins, or goes on, and is killed when so many bytes have been sent."""
    child = start(wanted)
    try:
        wanted.hub.requests.wait_until_sent(PATH, count)
    finally:
        child.kill()
        assert child.wait() == -signal.SIGKILL


@pytest.mark.parametrize("moment", MOMENTS)
def test_what_is_on_the_disk_is_not_fetched_again(hub: HubServer, tmp_path: Path, moment: int) -> None:
    wanted = Wanted(hub, GeneratedContent(SIZE), tmp_path / "models")
    hub.faults.set(PATH, FAULT)
    killed_at(wanted, moment)
    hub.faults.clear()
    hub.requests.clear()
    kept, written = noted(wanted), on_disk(wanted)
    wanted.run(block_bytes=BLOCK)
    assert wanted.is_whole()
    assert not any(kept.touches(start, stop) for start, stop in hub.requests.sent_ranges(PATH))
    assert hub.requests.sent(PATH) == SIZE - kept.total
    assert hub.requests.sent_again(PATH) == 0
    for start, stop in kept:
        written.remove(start, stop)
    assert written.total <= CONNECTIONS * BLOCK  # one unfinished block of each connection


def test_killed_again_and_again(hub: HubServer, tmp_path: Path) -> None:
    wanted = Wanted(hub, GeneratedContent(SIZE), tmp_path / "models")
    hub.faults.set(PATH, FAULT)
    for _ in range(3):
        hub.requests.clear()
        killed_at(wanted, SIZE // 5)
    hub.faults.clear()
    hub.requests.clear()
    kept = noted(wanted)
    wanted.run(block_bytes=BLOCK)
    assert wanted.is_whole()
    assert hub.requests.sent(PATH) == SIZE - kept.total
