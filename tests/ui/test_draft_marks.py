"""Which characters a draft supplied."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from app.core.chat import DraftSpan
from app.ui.draft_marks import DIFFERENCE, DraftMarks, difference_format, mark_format
from app.ui.theme import Theme

FAMILY = "👨‍👩‍👧"


def spans_of(text: str, edges: list[int]) -> list[DraftSpan]:
    """Every second stretch between the edges."""
    places = sorted({min(edge, len(text)) for edge in edges})
    pairs = list(pairwise(places))[::2]
    return [DraftSpan(start, end - start, number, 1, 0.5) for number, (start, end) in enumerate(pairs, 1)]


def marks_of(text: str, spans: list[DraftSpan]) -> DraftMarks:
    marks = DraftMarks()
    marks.add(spans, text)
    return marks


@given(st.text("ab \n", max_size=40), st.lists(st.integers(0, 40)), st.integers(0, 40), st.integers(0, 40))
def test_what_is_marked_is_what_the_spans_say(text: str, edges: list[int], start: int, end: int) -> None:
    spans = spans_of(text, edges)
    marked = {
        place: spans[number].round
        for first, last, number in marks_of(text, spans).within(start, end)
        for place in range(first, last)
    }
    expected = {
        place: span.round
        for span in spans
        for place in range(span.start, span.start + span.length)
        if start <= place < end
    }
    assert marked == expected


def test_a_colour_does_not_split_a_character() -> None:
    text = f"a{FAMILY}b"
    marks = marks_of(text, [DraftSpan(0, 3, 1, 1, None), DraftSpan(3, len(text) - 3, 2, 1, None)])
    assert marks.within(0, len(text)) == [(0, 1 + len(FAMILY), 0), (1 + len(FAMILY), len(text), 1)]


def test_a_span_that_has_no_beginning_of_a_character_marks_nothing() -> None:
    text = "e\u0301x"
    assert marks_of(text, [DraftSpan(1, 1, 1, 1, None)]).within(0, 3) == []


def test_spans_that_come_later_are_known_as_well() -> None:
    marks = DraftMarks()
    marks.add([DraftSpan(0, 2, 1, 1, None)], "abcd")
    marks.add([DraftSpan(4, 2, 2, 1, None)], "abcdef")
    assert marks.within(1, 6) == [(1, 2, 0), (4, 6, 1)]


def test_words_tell_where_text_came_from() -> None:
    marks = marks_of("abcd", [DraftSpan(0, 2, 12, 3, 0.87), DraftSpan(2, 2, 13, 1, None)])
    assert marks.words(0) == "Round 12 · position 3 · 87.0 %"
    assert marks.words(1) == "Round 13 · position 1"


def test_the_look_is_opaque_and_underlined_in_the_accent(theme: Theme) -> None:
    look = mark_format(theme.colours, theme.colours.window)
    assert look.background().color().alpha() == 255
    assert look.underlineColor() == theme.colours.accent
    assert look.fontUnderline()


def test_where_two_answers_part_is_marked_before_what_a_draft_supplied() -> None:
    text = "one two three"
    marks = marks_of(text, [DraftSpan(0, 7, 1, 1, 0.5), DraftSpan(7, 6, 1, 2, 0.5)])
    marks.mark_difference(4, 9)
    assert marks.within(0, 13) == [(0, 4, 0), (4, 9, DIFFERENCE), (9, 13, 1)]
    assert marks.within(0, 3) == [(0, 3, 0)]
    assert marks.within(5, 6) == [(5, 6, DIFFERENCE)]
    assert marks.words(DIFFERENCE) == "Here the two answers part"
    assert marks.difference == (4, 9)


def test_that_place_is_marked_without_any_draft() -> None:
    marks = DraftMarks()
    marks.mark_difference(4, 7)
    assert marks.within(0, 13) == [(4, 7, DIFFERENCE)]


def test_it_looks_like_a_warning(theme: Theme) -> None:
    look = difference_format(theme.colours, theme.colours.panel)
    assert look.foreground().color() == theme.colours.warning
    assert look.background().color() != mark_format(theme.colours, theme.colours.panel).background().color()
    assert look.background().color().alpha() == 255
