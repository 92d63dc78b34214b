"""One of the connections that bring a file. Imported late, because httpx2 takes its time."""

import zlib
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import BinaryIO

import httpx2
from msgspec import Struct

from app.models.hub import RemoteFile
from app.models.hub_answers import not_the_answer
from app.models.hub_problems import HubError
from app.models.line_cutter import LineCutter
from app.models.part_file import Claim, PartFile
from app.models.patience import Patience
from app.models.stretches import Stretch, Stretches
from app.models.transfer_answer import Answer, check_first_bytes, judge, names_other_bytes, strong
from app.models.transfer_body import pieces
from app.models.transfer_events import Traffic
from app.models.transfer_source import TransferSource


class StartOver(Exception):  # noqa: N818 - a way to go on
    """What is on the disk cannot be gone on with.

    `with_ranges` is False where the server gives no parts, and `is_change` where that alone is the reason.
    """

    def __init__(self, *, with_ranges: bool, is_change: bool = True) -> None:
        super().__init__()
        self.with_ranges = with_ranges
        self.is_change = is_change


class Job(Struct, frozen=True):
    """What all connections of a transfer share."""

    file: RemoteFile
    source: TransferSource
    part: PartFile
    stretches: Stretches
    traffic: Traffic
    at_file: Callable[[], AbstractContextManager[None]]  # around all that has the file open
    accepted: Callable[[], None]  # the server gives parts of the file
    wait: Callable[[float], None]  # returns at once when the transfer ends
    with_ranges: bool
    block_bytes: int
    stall_seconds: float


class TransferConnection:
    """Fetches stretches until nothing is missing; waits and tries again where trouble may pass.

    Raises HubError when its patience is over or the trouble needs a person, StartOver, and disks' OSError.
    """

    def __init__(self, job: Job, number: int, patience: Patience) -> None:
        self._job = job
        self._number = number
        self._patience = patience
        self._is_checked = number > 0  # the first one looks for all of them
        self._has_accepted = False
        self._hub_etag: str | None = None
        self.cutter = LineCutter()

    def run(self) -> None:
        """Works until the end of the transfer."""
        stretches = self._job.stretches
        self._job.traffic.opened()
        try:
            while (stretch := stretches.take()) is not None:
                trouble: HubError | None = None
                try:
                    self._fetch(stretch)
                except HubError as error:
                    trouble = error
                finally:
                    self.cutter.done()
                    stretches.give_back(stretch)
                if stretches.has_ended:
                    return
                if trouble is not None:
                    self._wait(trouble)
                elif stretches.is_whole:
                    self._job.traffic.became_whole()
        finally:
            self._job.traffic.closed()

    def _wait(self, trouble: HubError) -> None:
        patience, job = self._patience, self._job
        seconds = patience.wait_after(trouble)
        if seconds is None:
            raise trouble
        job.traffic.began_waiting(self._number, trouble, seconds, patience.attempt, patience.attempts)
        job.wait(seconds)
        job.traffic.ended_waiting(self._number)
        if job.stretches.is_one_stream and job.stretches.here:
            raise StartOver(with_ranges=False, is_change=False)

    def _fetch(self, stretch: Stretch) -> None:
        if not self._is_checked:
            self._check()
        while stretch.position < stretch.stop and not self._job.stretches.has_ended:
            self._request(stretch)

    def _check(self) -> None:
        self._hub_etag = self._job.source.check()
        known = self._job.part.head.hub_etag
        if known is not None and known != self._hub_etag:
            raise StartOver(with_ranges=True)
        self._is_checked = True

    def _request(self, stretch: Stretch) -> None:
        job = self._job
        start, stop = stretch.position, stretch.stop
        known = job.part.head.etag
        condition = strong(known)
        last = stop if job.with_ranges else None
        with job.source.ask(start, last, condition, self.cutter.watch) as response:
            self.cutter.answered(response.extensions["network_stream"])
            answer = judge(response.status_code, response.headers, start, stop, job.file.size)
            if answer is Answer.OTHER or names_other_bytes(known, response.headers.get("ETag")):
                raise self._other_bytes(with_ranges=job.with_ranges)
            if answer is Answer.WHOLE and not job.stretches.widen(stretch):
                raise self._other_bytes(with_ranges=condition is not None)
            with job.at_file(), job.part.writer() as file:
                file.seek(start)
                self._receive(response, answer, stretch, file)
        if start == stretch.position < stretch.stop and not job.stretches.has_ended:
            raise not_the_answer()  # nothing at all

    def _other_bytes(self, *, with_ranges: bool) -> StartOver:
        """To be raised where the hub still says that the file is the one that was chosen."""
        self._job.source.check()
        return StartOver(with_ranges=with_ranges)

    def _receive(self, response: httpx2.Response, answer: Answer, stretch: Stretch, file: BinaryIO) -> None:
        job = self._job
        is_accepted = False
        crc = 0
        try:
            for piece in pieces(response, job.source.repo, job.stall_seconds):
                if not is_accepted:
                    check_first_bytes(job.file.path, stretch.position, piece)
                    self._accept(response, answer)
                    is_accepted = True
                rest = memoryview(piece)
                while rest:
                    room = job.block_bytes - (stretch.position - stretch.recorded)
                    count = job.stretches.come(stretch, min(len(rest), room))
                    if not count:  # it is another connection's, or the transfer has ended
                        return
                    self._write(stretch, file, rest[:count])
                    crc = zlib.crc32(rest[:count], crc)
                    job.traffic.moved()  # before it is noted: then the last byte may be the end of all
                    if count == room:
                        self._record(stretch, crc)
                        crc = 0
                    rest = rest[count:]
        finally:
            self._record(stretch, crc)

    def _accept(self, response: httpx2.Response, answer: Answer) -> None:
        """The first bytes are right: others may come in, unless the server gives no parts."""
        if answer is Answer.WHOLE:
            self._patience.lose_hope()
            return
        if self._number == 0 and not self._has_accepted:
            self._has_accepted = True
            self._job.part.keep_etags(
                hub=self._hub_etag, storage=response.headers.get("ETag", self._job.part.head.etag)
            )
            self._job.accepted()

    def _write(self, stretch: Stretch, file: BinaryIO, piece: memoryview) -> None:
        written = 0
        try:
            while written < len(piece):
                written += file.write(piece[written:])
        except OSError:
            self._job.stretches.lose(stretch, len(piece))
            raise
        self._patience.gain(len(piece))

    def _record(self, stretch: Stretch, crc: int) -> None:
        length = stretch.position - stretch.recorded
        if length:
            self._job.part.record(Claim(stretch.recorded, length, crc))
            self._job.stretches.hold(stretch)
