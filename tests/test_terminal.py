"""Tables and the progress line."""

import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.figures import bytes_text
from app.terminal import Column, ProgressBar, Table, display_width, fit, printable


@pytest.mark.parametrize(
    ("text", "width"),
    [("", 0), ("abc", 3), ("日本語", 6), ("ก็ดี", 2), ("한국", 4), ("e\u0301", 1), ("Ａ", 2), ("a\u200db", 2)],
)
def test_wide_characters_take_two_columns_and_marks_none(text: str, width: int) -> None:
    assert display_width(text) == width


def test_a_text_is_cut_between_characters() -> None:
    assert fit("日本語", 6) == "日本語"
    assert fit("日本語", 5) == "日本…"
    assert fit("日本語", 4) == "日…"
    assert fit("ก็ดีมาก", 3) == "ก็ดี…"


@given(st.text(), st.integers(1, 20))
def test_a_cut_text_fits(text: str, width: int) -> None:
    assert display_width(fit(text, width)) <= width


def test_what_would_move_the_cursor_is_escaped() -> None:
    assert printable("a\n\tb\x1b[2J\u202e日 é") == "a\\n\\tb\\u001b[2J\\u202e日 é"
    assert printable("👩\u200d💻") == "👩\u200d💻"


@given(st.text())
def test_printable_text_is_one_line_that_can_be_encoded(text: str) -> None:
    shown = printable(text + "\ud800")
    assert len(shown.splitlines()) == 1
    assert shown.encode()


def test_a_table_aligns_words_left_and_numbers_right() -> None:
    table = Table(
        (Column("model"), Column("tokens\nper second", right=True), Column("fits")),
        (("小さい", "8.2", "yes"), ("large", "110.4", "no")),
    )
    assert table.text().splitlines() == [
        "            tokens",
        "model   per second  fits",
        "------  ----------  ----",
        "小さい         8.2  yes",
        "large        110.4  no",
    ]
    assert table.markdown().splitlines() == [
        "| model | tokens per second | fits |",
        "| --- | ---: | --- |",
        "| 小さい | 8.2 | yes |",
        "| large | 110.4 | no |",
    ]


def test_a_table_that_is_too_wide_shortens_the_column_that_may() -> None:
    table = Table(
        (Column("prompt", shortens=True), Column("n", right=True)), (("a-very-long-prompt-name", "12"),)
    )
    assert table.text(width=15).splitlines()[-1] == "a-very-lon…  12"
    assert table.text(width=3).splitlines()[-1] == "a-very-…  12"


def test_a_cell_cannot_break_a_table() -> None:
    table = Table((Column("x"),), (("a\nb|c",),))
    assert table.text().splitlines()[-1] == "a\\nb|c"
    assert table.markdown().splitlines()[-1] == "| a\\nb\\|c |"


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
