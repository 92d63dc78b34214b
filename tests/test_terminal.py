"""The progress line."""

import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.figures import bytes_text
from app.terminal import ProgressBar


class Screen(io.StringIO):
    """A terminal that keeps what was written; `line` is what a person would see."""

    def isatty(self) -> bool:
        return True

    def line(self) -> str:
        cells: list[str] = []
        for part in re.split("(\r)", self.getvalue()):
            if part == "\r":
                column = 0
                continue
            for character in part:
                cells[column : column + 1] = character
                column += 1
        return "".join(cells).rstrip()


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> Screen:
    monkeypatch.setenv("COLUMNS", "80")
    return Screen()


def test_progress_shows_the_share_and_the_time_left(screen: Screen) -> None:
    clock = Clock()
    bar = ProgressBar("load", stream=screen, clock=clock)
    bar.update(0.0)
    assert screen.line() == "load [----------------]   0 %"
    clock.now += 3.0
    bar.update(0.25, "weights")
    assert screen.line() == "load [####------------]  25 %  9.0 s left  weights"
    clock.now += 9.0
    bar.update(1.0)
    assert screen.line() == "load [################] 100 %"


def test_progress_in_bytes_has_a_rate(screen: Screen) -> None:
    clock = Clock()
    bar = ProgressBar("copy", 80_000_000, bytes_text, screen, clock)
    clock.now += 2.0
    bar.update(20_000_000)
    assert screen.line() == "copy [####------------]  25 %  20.0 MB of 80.0 MB  10.0 MB/s  6.0 s left"


def test_progress_that_is_not_timed_leaves_it_to_the_note(screen: Screen) -> None:
    clock = Clock()
    bar = ProgressBar("get", 100, stream=screen, clock=clock, timed=False)
    clock.now += 2.0
    bar.update(25, "8.5 MB/s")
    assert screen.line() == "get [####------------]  25 %  8.5 MB/s"


def test_progress_repaints_at_most_ten_times_a_second_but_always_at_the_end(screen: Screen) -> None:
    clock = Clock()
    bar = ProgressBar("load", 100, stream=screen, clock=clock)
    bar.update(1)
    bar.update(2)
    assert screen.line().endswith("  1 %")
    clock.now += 0.2
    bar.update(3)
    assert screen.line().endswith("  3 %")
    bar.update(100)
    assert screen.line().endswith("100 %")


def test_progress_wipes_its_line_when_the_work_fails(screen: Screen) -> None:
    with pytest.raises(ZeroDivisionError), ProgressBar("load", stream=screen) as bar:
        bar.update(0.5)
        assert screen.line().startswith("load")
        _ = 1 / 0
    assert screen.line() == ""
    assert screen.getvalue().endswith("\r")


def test_progress_stays_within_a_narrow_terminal(screen: Screen, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    ProgressBar("a long title\n", stream=screen).update(0.5)
    assert screen.line() == "a long title\\n [##…"


def test_progress_is_silent_where_nobody_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    with ProgressBar("load", stream=stream) as bar:
        bar.update(0.5)
    assert stream.getvalue() == ""
    monkeypatch.setattr("sys.stderr", None)
    with ProgressBar("load") as bar:
        bar.update(0.5)


@given(done=st.floats(), total=st.floats(allow_nan=False, allow_infinity=False))
def test_odd_amounts_do_no_harm(done: float, total: float) -> None:
    screen = Screen()
    ProgressBar("load", total, stream=screen).update(done)
    percent = re.search(r"(\d+) %", screen.line())
    assert percent is not None
    assert 0 <= int(percent[1]) <= 100
