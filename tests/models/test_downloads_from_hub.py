"""The queue with real transfers from a hub on this computer."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from threading import Condition

import pytest

from app.models.download import (
    Download,
    DownloadRequest,
    Failed,
    Finished,
    Paused,
    Retrying,
    Transferring,
)
from app.models.download_places import model_folder, target_of
from app.models.download_queue import DownloadQueue
from app.models.download_store import DownloadStore
from app.models.hub import RemoteFile
from app.models.hub_problems import HubProblem
from app.models.transfer import Transfer
from app.models.transfer_events import TransferEvents
from tests.fakes.hub_content import GeneratedContent
from tests.fakes.hub_faults import Fault
from tests.fakes.hub_server import HubServer

REPO = "publisher/model-GGUF"
ONE, FIRST, SECOND = "m-Q4_K_M.gguf", "Q8_0/m-00001-of-00002.gguf", "Q8_0/m-00002-of-00002.gguf"
SIZE = 1_000_000  # bytes of each file

_PATIENCE = 60  # seconds; what takes that long hangs


class Computer:
    """A models folder, a list of downloads on disk, and queues that use both, one after the other."""

    def __init__(self, hub: HubServer, root: Path, paths: tuple[str, ...] = (ONE, FIRST, SECOND)) -> None:
        self.hub = hub
        self.commit = hub.add_model(
            REPO,
            {path: GeneratedContent(SIZE, seed=number) for number, path in enumerate(paths)},
        )
        self.folder = model_folder(root / "models", REPO)
        self._store = DownloadStore(root / "downloads.json")

    def request(self, *paths: str) -> DownloadRequest:
        """A request for these files."""
        files = tuple(RemoteFile(path, SIZE, self.hub.content(REPO, path).sha256) for path in paths)
        return DownloadRequest(REPO, self.commit, files, self.folder, "Model")

    @contextlib.contextmanager
    def run(self) -> Iterator["Run"]:
        """The program from its start to its end."""
        made = Run(DownloadQueue(self._store, self._transfer))
        try:
            yield made
        finally:
            made.queue.close()

    def files(self) -> list[str]:
        """What lies in the model's folder."""
        return sorted(path.name for path in self.folder.iterdir()) if self.folder.exists() else []

    def is_whole(self, path: str) -> bool:
        """Whether a file is in its place with the right bytes."""
        (file,) = self.request(path).files
        target = target_of(self.folder, file, [file])
        return target.read_bytes() == self.hub.content(REPO, path).read(0, SIZE)

    def _transfer(
        self, repo: str, commit: str, file: RemoteFile, destination: Path, events: TransferEvents
    ) -> Transfer:
        return Transfer(
            repo,
            commit,
            file,
            destination,
            events,
            endpoint=self.hub.endpoint,
            block_bytes=64 << 10,
            pauses=(600.0,),
        )


class Run:
    """A queue that can be waited for."""

    def __init__(self, queue: DownloadQueue) -> None:
        self.queue = queue
        self._changed = Condition()
        queue.on_change = self._note

    def row(self) -> Download:
        """The only one."""
        (row,) = self.queue.downloads()
        return row

    def wait_for(self, kind: type[object], least_bytes: int = 0) -> Download:
        """Waits for a state and so many bytes."""

        def is_there() -> bool:
            row = self.row()
            return isinstance(row.state, kind) and row.received_bytes >= least_bytes

        with self._changed:
            assert self._changed.wait_for(is_there, _PATIENCE), self.row()
        return self.row()

    def _note(self) -> None:
        with self._changed:
            self._changed.notify_all()


@pytest.fixture
def computer(hub: HubServer, tmp_path: Path) -> Computer:
    return Computer(hub, tmp_path)


def test_a_set_comes_whole_and_appears_at_once(computer: Computer) -> None:
    with computer.run() as run:
        run.queue.add(computer.request(FIRST, SECOND))
        state = run.wait_for(Finished).state
    assert state == Finished(computer.folder / "m-Q8_0-00001-of-00002.gguf")
    assert computer.files() == ["m-Q8_0-00001-of-00002.gguf", "m-Q8_0-00002-of-00002.gguf"]
    assert computer.is_whole(FIRST)
    assert computer.is_whole(SECOND)


def test_a_paused_download_goes_on_after_a_restart_where_it_stopped(computer: Computer) -> None:
    computer.hub.faults.set(ONE, Fault(stall_after=300_000))
    with computer.run() as run:
        run.queue.add(computer.request(ONE))
        run.wait_for(Transferring, 300_000)
        run.queue.pause(computer.request(ONE).key)
        assert run.row().received_bytes == 300_000
    assert computer.files() == [f"{ONE}.part", f"{ONE}.part.json"]

    computer.hub.faults.clear()
    computer.hub.requests.clear()
    with computer.run() as run:
        assert run.wait_for(Paused, 300_000).state == Paused(by_restart=True)
        run.queue.resume(computer.request(ONE).key)
        assert run.wait_for(Finished).received_bytes == SIZE
    assert computer.files() == [ONE]
    assert computer.is_whole(ONE)
    assert computer.hub.requests.sent(ONE) == SIZE - 300_000
    with computer.run() as run:
        assert run.queue.downloads() == ()


def test_closing_while_the_hub_is_silent_takes_a_moment(computer: Computer) -> None:
    computer.hub.faults.set(ONE, Fault(silent=True))
    with computer.run() as run:
        run.queue.add(computer.request(ONE))
        computer.hub.requests.wait_for(
            lambda: any(each.file.endswith(ONE) for each in computer.hub.requests.all())
        )
    assert run.row().state == Paused()


def test_cancelling_leaves_nothing(computer: Computer) -> None:
    computer.hub.faults.set(ONE, Fault(stall_after=300_000))
    with computer.run() as run:
        run.queue.add(computer.request(ONE))
        run.wait_for(Transferring, 300_000)
        run.queue.cancel(computer.request(ONE).key, keep_part=False)
        assert run.queue.downloads() == ()
    assert computer.files() == []
    assert not computer.folder.parent.exists(), "the folders that were made for it"


def test_nobody_has_to_wait_for_the_next_try(computer: Computer) -> None:
    computer.hub.faults.refuse(503)
    with computer.run() as run:
        run.queue.add(computer.request(ONE))
        run.wait_for(Retrying)
        computer.hub.faults.clear()
        run.queue.retry_now(computer.request(ONE).key)
        run.wait_for(Finished)
    assert computer.is_whole(ONE)


def test_two_files_of_one_name_in_two_folders_do_not_meet(hub: HubServer, tmp_path: Path) -> None:
    paths = ("Q4/model.gguf", "Q8/model.gguf")
    computer = Computer(hub, tmp_path, paths)
    computer.hub.faults.set(paths[0], Fault(stall_after=300_000))
    with computer.run() as run:
        run.queue.add(computer.request(paths[0]))
        run.wait_for(Transferring, 300_000)
        run.queue.cancel(computer.request(paths[0]).key, keep_part=True)
        run.queue.add(computer.request(paths[1]))
        run.wait_for(Finished)
    computer.hub.faults.clear()
    computer.hub.requests.clear()
    with computer.run() as run:
        run.queue.add(computer.request(paths[0]))
        run.wait_for(Finished)
    assert computer.hub.requests.sent(paths[0]) == SIZE - 300_000
    assert all(computer.is_whole(path) for path in paths)


def test_a_refused_download_leaves_no_files(computer: Computer) -> None:
    computer.hub.repositories[REPO].gated = "manual"
    with computer.run() as run:
        run.queue.add(computer.request(ONE))
        state = run.wait_for(Failed).state
        assert isinstance(state, Failed)
        assert state.problem is HubProblem.GATED
        assert computer.files() == []


def test_what_needs_a_person_can_be_tried_again(computer: Computer) -> None:
    computer.folder.mkdir(parents=True)
    (computer.folder / ONE).write_bytes(b"somebody else's")
    with computer.run() as run:
        run.queue.add(computer.request(ONE))
        state = run.wait_for(Failed).state
        assert isinstance(state, Failed)
        assert state.problem is HubProblem.NAME_CLASH
        (computer.folder / ONE).unlink()
        run.queue.retry_now(computer.request(ONE).key)
        run.wait_for(Finished)
    assert computer.is_whole(ONE)
