"""Stop strings in an editor: one a line, with everything invisible written out."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.ui.stop_strings import stop_lines, stop_strings


def test_line_breaks_are_written_out() -> None:
    assert stop_lines(("\n\n", "User:")) == "\\n\\n\nUser:"
    assert stop_strings("\\n\\n\nUser:") == ("\n\n", "User:")


def test_empty_lines_count_for_nothing_and_spaces_for_something() -> None:
    assert stop_strings("\n a \n\n") == (" a ",)


@pytest.mark.parametrize("text", ["C:\\path", "\\", "\\x", "\\U99999999"])
def test_a_backslash_that_begins_no_escape_is_itself(text: str) -> None:
    assert stop_strings(text) == (text,)


@given(st.lists(st.text(min_size=1), max_size=5).map(tuple))
def test_strings_come_back_from_the_editors_lines(strings: tuple[str, ...]) -> None:
    lines = stop_lines(strings)

    assert stop_strings(lines) == strings
    assert all(line.isprintable() for line in lines.split("\n")), "what an editor would change is written out"
