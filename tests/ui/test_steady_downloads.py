"""Several tries that fail are shown as one wait."""

import pytest
from msgspec.structs import replace

from app.models.download import Download, DownloadState, Failed, Paused, Retrying, Transferring, Verifying
from app.models.hub_problems import HubProblem
from app.ui.steady_downloads import SteadyDownloads
from tests.fakes.scripted_transfer import request_for

WAIT = Retrying(HubProblem.NO_NETWORK, "The line dropped.", 104.0, 2, 5)


class Seen:
    """What is shown of one download, at a time that a test sets."""

    def __init__(self) -> None:
        self.now = 100.0
        self._steady = SteadyDownloads(lambda: self.now)

    def show(self, state: DownloadState, received: int = 400, rate: float = 0.0) -> Download:
        (shown,) = self._steady.shown((Download(request_for("a.gguf"), state, received, rate),))
        return shown


@pytest.fixture
def seen() -> Seen:
    return Seen()


def test_a_try_that_has_brought_nothing_is_part_of_the_wait(seen: Seen) -> None:
    seen.show(WAIT)
    seen.now = 104.5
    for _ in range(2):
        assert seen.show(Transferring(), rate=7.0) == Download(request_for("a.gguf"), WAIT, 400)
    assert seen.show(replace(WAIT, attempt=3, at=112.0)).state == replace(WAIT, attempt=3, at=112.0)


def test_with_the_first_byte_it_is_over(seen: Seen) -> None:
    seen.show(WAIT)
    assert seen.show(Transferring(), 401, 7.0) == Download(request_for("a.gguf"), Transferring(), 401, 7.0)
    assert seen.show(Transferring(), 401).state == Transferring()


def test_it_is_not_waited_on_when_somebody_wants_the_try_now(seen: Seen) -> None:
    seen.show(WAIT)
    for seen.now in (101.0, 103.0):
        assert seen.show(Transferring()).state == replace(WAIT, at=101.0)


def test_while_it_waits_it_has_no_speed(seen: Seen) -> None:
    assert seen.show(WAIT, rate=7.0).rate == 0


@pytest.mark.parametrize("state", [Paused(), Verifying(), Failed(HubProblem.SERVER, "No answer.")])
def test_what_else_becomes_of_it_is_shown_and_ends_the_wait(seen: Seen, state: DownloadState) -> None:
    seen.show(WAIT)
    assert seen.show(state).state == state
    assert seen.show(Transferring()).state == Transferring()


def test_nothing_is_kept_of_one_that_never_waited(seen: Seen) -> None:
    assert seen.show(Transferring(), rate=7.0).rate == 7.0
