"""What is said about downloads."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from app.models.download import (
    Download,
    DownloadState,
    Failed,
    Finished,
    Paused,
    Queued,
    Retrying,
    Transferring,
    Verifying,
)
from app.models.hub_problems import HubProblem
from app.ui.download_words import state_text, summary_text, title_text
from tests.fakes.scripted_transfer import request_for

GB = 10**9


def download(
    state: DownloadState, received: int = 0, *, total: int = 1_600_000_000, rate: float = 0.0
) -> Download:
    return Download(request_for("m.gguf", size=total), state, received, rate)


def retrying(problem: HubProblem, at: float, attempt: int = 2, attempts: int = 5) -> Download:
    return download(Retrying(problem, "A sentence.", at, attempt, attempts))


DONE = Finished(Path("m.gguf"))
FAILED = Failed(HubProblem.DISK_FULL, "The disk is full.")


class TestOneOfThem:
    @pytest.mark.parametrize(
        ("shown", "text"),
        [
            (download(Queued()), "1.60 GB · waiting for its turn"),
            (download(Queued(), GB), "1.00 of 1.60 GB · waiting for its turn"),
            (download(Transferring(), 1_400_000_000), "1.40 of 1.60 GB"),
            (
                download(Transferring(), 1_400_000_000, rate=42e6),
                "1.40 of 1.60 GB · 42 MB/s · 5 s left",
            ),
            (download(Verifying(), 1_600_000_000, rate=42e6), "1.60 GB · checking"),
            (download(Paused(), GB), "1.00 of 1.60 GB · paused"),
            (download(Paused(by_restart=True)), "0.00 of 1.60 GB · paused"),
            (download(FAILED), "failed"),
            (download(FAILED, GB), "1.00 of 1.60 GB · failed"),
            (download(DONE, 1_600_000_000), "1.60 GB · done"),
        ],
    )
    def test_how_it_stands(self, shown: Download, text: str) -> None:
        assert state_text(shown, now=0.0) == text

    def test_that_nothing_comes(self) -> None:
        shown = download(Transferring(), 1_400_000_000)
        assert state_text(shown, 0.0, is_quiet=True) == "1.40 of 1.60 GB · nothing comes"
        assert state_text(download(Paused(), GB), 0.0, is_quiet=True) == "1.00 of 1.60 GB · paused"

    @pytest.mark.parametrize(
        ("shown", "text"),
        [
            (retrying(HubProblem.NO_NETWORK, 103.2), "line dropped, trying again in 4 s (2 of 5)"),
            (retrying(HubProblem.STALLED, 116.0), "nothing comes, trying again in 16 s (2 of 5)"),
            (retrying(HubProblem.SERVER, 101.0), "the hub has trouble, trying again in 1 s (2 of 5)"),
            (retrying(HubProblem.CHECKSUM, 101.0, attempts=0), "interrupted, trying again in 1 s"),
            (retrying(HubProblem.NO_NETWORK, 99.0), "line dropped, trying again (2 of 5)"),
            (retrying(HubProblem.RATE_LIMITED, 142.0), "the hub asks to wait: 42 s"),
            (retrying(HubProblem.RATE_LIMITED, 200.0), "the hub asks to wait: 1 min 40 s"),
            (retrying(HubProblem.RATE_LIMITED, 100.0), "trying again"),
        ],
    )
    def test_a_wait_is_counted_down(self, shown: Download, text: str) -> None:
        assert state_text(shown, now=100.0) == text

    def test_its_title_is_a_strangers(self) -> None:
        shown = download(Queued())
        assert (
            title_text(replace(shown, request=request_for("m.gguf", title="a\u202eb\nc")))
            == "a\ufffdb\ufffdc"
        )
        assert len(title_text(replace(shown, request=request_for("m.gguf", title="x" * 999)))) == 200
        assert (
            title_text(replace(shown, request=request_for("m.gguf", title="  "))) == "publisher/model/m.gguf"
        )


class TestAllOfThem:
    @pytest.mark.parametrize(
        ("shown", "text"),
        [
            (
                [
                    download(Transferring(), 1_400_000_000, rate=42e6),
                    download(Queued(), total=500_000_000),
                    download(Paused(), GB),  # does not come without a person
                    download(DONE, 1_600_000_000),
                ],
                "1.40 of 2.10 GB · 42 MB/s · 17 s left",
            ),
            ([download(Queued())], "0.00 of 1.60 GB"),
            ([download(Paused(), GB), download(DONE)], "1.00 of 1.60 GB · paused"),
            ([download(FAILED, GB)], "1.00 of 1.60 GB · 1 failed"),
            (
                [download(Paused(), GB), download(FAILED), download(FAILED)],
                "1.00 of 4.80 GB · paused · 2 failed",
            ),
            ([download(Transferring(), GB), download(FAILED)], "1.00 of 1.60 GB · 1 failed"),
            ([download(DONE), download(DONE)], "all done"),
        ],
    )
    def test_in_a_line(self, shown: list[Download], text: str) -> None:
        assert summary_text(shown) == text
