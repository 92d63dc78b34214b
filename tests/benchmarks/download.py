"""Compares a download with `curl` followed by `sha256sum`. Run by hand, from the root of the source tree:

    python -m tests.benchmarks.download [--size 1000] [--repeats 5] [--folder DIR]

The file comes from a hub on this computer, a process of its own. Both sides write to the same folder, in
turns; each download is a process of its own, timed from the first request to the file's final name, with its
digest checked. Memory is what it takes above what the process has when it is ready to begin. Ends with exit
code 1 above 1.6 times the time, or above 80 MB.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from app.core.machine import memory_in_use
from app.models.hub import RemoteFile
from app.models.hub_problems import HubError
from tests.fakes.hub_content import GeneratedContent

_REPO, _NAME = "bench/model-GGUF", "model-Q4_K_M.gguf"
_PIECE = 8 << 20  # bytes
_LONGEST, _LARGEST = 1.6, 80e6  # times the time, and bytes


class Job(msgspec.Struct, frozen=True):
    """One download."""

    endpoint: str
    commit: str
    file: RemoteFile
    destination: str


class Measured(msgspec.Struct, frozen=True):
    """Seconds, and bytes above idle."""

    seconds: float
    processor_seconds: float
    grown: int


class Silent:
    """Hears what a transfer says."""

    def held(self, count: int) -> None:
        """So many bytes are on the disk."""

    def retrying(self, error: HubError, seconds: float, attempt: int, attempts: int) -> None:
        """Nothing should go wrong here."""
        print(f"{error}; again in {seconds} s", file=sys.stderr)

    def transferring(self) -> None:
        """Bytes come."""

    def verifying(self) -> None:
        """All bytes are there."""


def measure(job: Job) -> Measured:
    """Downloads in this process."""
    from huggingface_hub import get_session

    from app.models.hub_session import use_patient_client
    from app.models.publishing import publish
    from app.models.transfer import Transfer

    use_patient_client()
    get_session()
    destination = Path(job.destination)
    destination.parent.mkdir()
    with _peak() as peak:
        begun, worked = time.perf_counter(), time.process_time()
        Transfer(_REPO, job.commit, job.file, destination, Silent(), endpoint=job.endpoint).run()
        publish([(destination, job.file)])
        seconds, worked = time.perf_counter() - begun, time.process_time() - worked
    return Measured(seconds, worked, peak[0])


@contextmanager
def _peak() -> Iterator[list[int]]:
    """The most memory above that of the beginning, looked at every 10 ms."""
    before = memory_in_use()
    most = [0]
    ended = threading.Event()

    def look() -> None:
        while not ended.wait(0.01):
            most[0] = max(most[0], memory_in_use() - before)

    thread = threading.Thread(target=look)
    thread.start()
    try:
        yield most
    finally:
        ended.set()
        thread.join()


def curl(address: str, destination: Path) -> tuple[float, float]:
    """Seconds for the download, and for the checksum."""
    begun = time.perf_counter()
    subprocess.run(["curl", "-sSfL", "-o", str(destination), address], check=True)
    between = time.perf_counter()
    subprocess.run(["sha256sum", str(destination)], check=True, stdout=subprocess.DEVNULL)
    return between - begun, time.perf_counter() - between


@contextmanager
def served(file: Path) -> Iterator[str]:
    """A hub with this file; gives its endpoint."""
    command = [sys.executable, "-m", "tests.fakes.hub_server", _REPO, str(file)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as hub:
        assert hub.stdout is not None
        assert hub.stdin is not None
        yield hub.stdout.readline().strip()
        hub.stdin.close()


def main() -> None:
    """Runs both sides in turns and prints a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--size", type=int, default=1000, help="of the file, in MB (1000)")
    parser.add_argument("--repeats", type=int, default=5, help="of each side (5)")
    parser.add_argument("--folder", type=Path, help="where to write (a temporary folder)")
    parser.add_argument("--job", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.job:
        sys.stdout.buffer.write(msgspec.json.encode(measure(msgspec.json.decode(arguments.job, type=Job))))
        return
    with tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
        source = Path(folder, "source", _NAME)
        source.parent.mkdir()
        content = GeneratedContent(arguments.size * 1_000_000)
        with source.open("wb") as file:
            for start in range(0, content.size, _PIECE):
                file.write(content.read(start, _PIECE))
        with served(source) as endpoint:
            if not _compare(endpoint, content, Path(folder), arguments.repeats):
                sys.exit(1)


def _compare(endpoint: str, content: GeneratedContent, folder: Path, repeats: int) -> bool:
    """Whether the bounds hold."""
    from huggingface_hub import HfApi, hf_hub_url

    commit = HfApi(endpoint=endpoint, token=False).model_info(_REPO).sha or ""
    address = hf_hub_url(_REPO, _NAME, endpoint=endpoint)
    remote = RemoteFile(_NAME, content.size, content.sha256)
    print(f"{'curl':>8}{'sha256sum':>11}{'together':>10}{'ours':>8}{'CPU':>8}{'ratio':>8}{'memory':>11}")
    ratios, grown = [], 0
    for repeat in range(repeats):
        job = Job(endpoint, commit, remote, str(folder / f"ours {repeat}" / _NAME))
        os.sync()
        ours = _in_own_process(job)
        Path(job.destination).unlink()
        os.sync()
        fetched, summed = curl(address, folder / "curl.gguf")
        (folder / "curl.gguf").unlink()
        grown = max(grown, ours.grown)
        ratios.append(ours.seconds / (fetched + summed))
        print(
            f"{fetched:8.2f}{summed:11.2f}{fetched + summed:10.2f}{ours.seconds:8.2f}"
            f"{ours.processor_seconds:8.2f}{ratios[-1]:8.2f}{ours.grown / 1e6:8.1f} MB",
            flush=True,
        )
    print(f"\nmedian ratio {statistics.median(ratios):.2f}, {min(ratios):.2f} to {max(ratios):.2f}")
    return statistics.median(ratios) <= _LONGEST and grown <= _LARGEST


def _in_own_process(job: Job) -> Measured:
    command = [sys.executable, "-m", "tests.benchmarks.download", "--job"]
    encoded = msgspec.json.encode(job).decode()
    done = subprocess.run([*command, encoded], stdout=subprocess.PIPE, check=True)
    return msgspec.json.decode(done.stdout, type=Measured)


if __name__ == "__main__":
    main()
