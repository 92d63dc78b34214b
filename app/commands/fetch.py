"""Brings files in, with a progress line. Ctrl+C keeps what came."""

import sys
import time
from pathlib import Path

from app.commands.interrupts import on_ctrl_c
from app.core.errors import LoadCancelledError
from app.figures import bytes_text, part_texts, speed_text, time_left_text
from app.models.download import (
    Download,
    DownloadRequest,
    Failed,
    Finished,
    Retrying,
    Transferring,
    Verifying,
)
from app.models.download_queue import DownloadQueue
from app.models.hub_problems import HubError
from app.models.transfer import Transfer
from app.tables import fit, printable
from app.terminal import ProgressBar

_LOOKED_AT_EVERY = 0.1  # seconds
_TITLE_WIDTH = 10  # columns: so that all fits into 80


class FetchStoppedError(LoadCancelledError):
    """Somebody pressed Ctrl+C."""


def fetch(request: DownloadRequest) -> Path:
    """Downloads, or goes on with, one row; gives the path of the file to load.

    The request's title should be short. Raises HubError, or FetchStoppedError after Ctrl+C.
    """
    stopped = False

    def stop() -> None:
        nonlocal stopped
        stopped = True

    queue = DownloadQueue(None, Transfer, at_once=1)
    title = fit(request.title, _TITLE_WIDTH)
    try:
        with ProgressBar(title, request.total_bytes, timed=False) as bar, on_ctrl_c(stop):
            queue.add(request)
            told = 0
            while not stopped:
                (download,) = queue.downloads()
                match download.state:
                    case Finished(path):
                        return path
                    case Failed(problem, sentence, address):
                        raise HubError(problem, sentence, address=address)
                    case Retrying(attempt=attempt) as retry:
                        if attempt != told:
                            bar.clear()
                            print(f"{_wait_text(retry)}: {printable(retry.sentence)}", file=sys.stderr)
                            told = attempt
                    case _:
                        told = 0
                bar.update(download.received_bytes, _note(download))
                time.sleep(_LOOKED_AT_EVERY)
    finally:
        queue.close()
    (download,) = queue.downloads()
    kept = f"{bytes_text(download.received_bytes)} of {bytes_text(request.total_bytes)} are kept"
    raise FetchStoppedError(f"stopped; {kept}, and the same command goes on from there")


def _note(download: Download) -> str:
    match download.state:
        case Retrying() as retry:
            return _wait_text(retry)
        case Verifying():
            return "checking"
        case Transferring():
            part, whole = part_texts(download.received_bytes, download.request.total_bytes)
            shown = [f"{part} of {whole}"]
            if download.rate:
                shown.append(speed_text(download.rate))
            if download.seconds_left is not None:
                shown.append(f"{time_left_text(download.seconds_left)} left")
            return "  ".join(shown)
        case _:
            return ""


def _wait_text(retry: Retrying) -> str:
    """When the next try is, and which of how many."""
    left = max(0.0, retry.at - time.monotonic())
    of = f" of {retry.attempts}" if retry.attempts else ""
    return f"Trying again in {time_left_text(left)} ({retry.attempt}{of})"
