"""The last lines of a process, from bytes in any portions."""

import pytest

from app.ui.line_log import LONGEST_LINE, LineLog

TEXT = "one\ntwo é\r\n\nthree 🦙\nunfinished"


@pytest.mark.parametrize("portion", [1, 2, 3, 7, 1000])
def test_lines_are_whole_in_whatever_portions_they_come(portion: int) -> None:
    log = LineLog()
    data = TEXT.encode()
    added = [
        line for start in range(0, len(data), portion) for line in log.feed(data[start : start + portion])
    ]

    assert added == ["one", "two é", "three 🦙"]
    assert log.lines == ("one", "two é", "three 🦙", "unfinished")


def test_the_oldest_lines_go_first() -> None:
    log = LineLog(limit=2)
    log.feed(b"one\ntwo\nthree\n")

    assert log.lines == ("two", "three")


def test_an_endless_line_is_cut() -> None:
    log = LineLog()
    for _ in range(100):
        log.feed(b"x" * 1000)

    assert all(len(line) <= LONGEST_LINE for line in log.lines)
    assert sum(len(line) for line in log.lines) == 100_000


def test_bytes_that_are_no_text_are_shown_as_such() -> None:
    log = LineLog()

    assert log.feed(b"caf\xe9\n") == ["caf\ufffd"]


def test_what_was_begun_becomes_a_line_before_one_from_elsewhere() -> None:
    log = LineLog()
    log.feed(b"begun")

    assert log.add("another") == ["begun", "another"]
    assert log.finish() == []
