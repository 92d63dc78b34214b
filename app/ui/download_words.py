"""What is said about downloads."""

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication

from app.figures import bytes_text, part_texts, speed_text, time_left_text
from app.models.download import (
    Download,
    Failed,
    Finished,
    Paused,
    Queued,
    Retrying,
    Transferring,
    Verifying,
)
from app.models.hub_problems import HubProblem
from app.models.model_names import printable

_DOT = " · "
_LONGEST_TITLE = 200  # characters


def title_text(download: Download) -> str:
    """A download's name."""
    return printable(download.request.title.strip() or download.key, _LONGEST_TITLE)


def amount_text(received: int, total: int) -> str:
    """How much has come: "1.43 of 1.60 GB"."""
    part, whole = part_texts(received, total)
    return _tr("{part} of {whole}").format(part=part, whole=whole)


def state_text(download: Download, now: float, *, is_quiet: bool = False) -> str:
    """How it stands, in a line; `now` is of the clock that a wait is measured by.

    `is_quiet` where nothing has come for some time of what should.
    """
    state = download.state
    whole = bytes_text(download.request.total_bytes)
    is_known = download.is_measured
    amount = amount_text(download.received_bytes, download.request.total_bytes) if is_known else whole
    match state:
        case Queued():
            return _join(amount if download.received_bytes else whole, _tr("waiting for its turn"))
        case Transferring() if is_quiet:
            return _join(amount, _tr("nothing comes"))
        case Transferring():
            return _join(amount, *_speed(download.rate, download.seconds_left))
        case Retrying():
            return _retry_text(state, now)
        case Verifying():
            return _join(whole, _tr("checking"))
        case Paused():
            return _join(amount, _tr("paused"))
        case Failed():
            return _join(amount if download.received_bytes else "", _tr("failed"))
        case Finished():
            return _join(whole, _tr("done"))


def summary_text(downloads: Sequence[Download]) -> str:
    """All of them in a line: what is under way, else what is left to do, else that all is done."""
    active = [download for download in downloads if download.is_active]
    open_ones = active or [download for download in downloads if not isinstance(download.state, Finished)]
    if not open_ones:
        return _tr("all done")
    received = sum(download.received_bytes for download in open_ones)
    total = sum(download.request.total_bytes for download in open_ones)
    rate = sum(download.rate for download in active)
    left = (total - received) / rate if rate else None
    failed = sum(isinstance(download.state, Failed) for download in downloads)
    return _join(
        amount_text(received, total),
        *_speed(rate, left),
        "" if active or len(open_ones) == failed else _tr("paused"),
        "" if not failed else _tr("1 failed") if failed == 1 else _tr("{count} failed").format(count=failed),
    )


def _retry_text(state: Retrying, now: float) -> str:
    seconds = state.at - now
    if state.problem is HubProblem.RATE_LIMITED:
        if seconds <= 0:
            return _tr("trying again")
        return _tr("the hub asks to wait: {time}").format(time=time_left_text(seconds))
    match state.problem:
        case HubProblem.NO_NETWORK:
            what = _tr("line dropped")
        case HubProblem.STALLED:
            what = _tr("nothing comes")
        case HubProblem.SERVER:
            what = _tr("the hub has trouble")
        case _:
            what = _tr("interrupted")
    if seconds > 0:
        when = _tr("trying again in {time}").format(time=time_left_text(seconds))
    else:
        when = _tr("trying again")
    if state.attempts:
        of = _tr("{attempt} of {attempts}").format(attempt=state.attempt, attempts=state.attempts)
        when = f"{when} ({of})"
    return f"{what}, {when}"


def _speed(rate: float, seconds_left: float | None) -> tuple[str, ...]:
    if not rate:
        return ()
    if seconds_left is None:
        return (speed_text(rate),)
    return speed_text(rate), _tr("{time} left").format(time=time_left_text(seconds_left))


def _join(*parts: str) -> str:
    return _DOT.join(part for part in parts if part)


def _tr(text: str) -> str:
    return QCoreApplication.translate("Downloads", text)
