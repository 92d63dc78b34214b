"""An answer's text cut into parts while it arrives."""

from collections.abc import Iterator

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from app.ui.markdown_parts import (
    Alignment,
    Closed,
    CodeOpened,
    CodePart,
    Event,
    Line,
    LinesAdded,
    LiveLine,
    Run,
    Style,
    TableBlock,
    TextBlock,
    ThoughtOpened,
    code_text,
)
from app.ui.markdown_stream import LONGEST_BLOCK, LONGEST_PROSE, LONGEST_TABLE, MarkdownStream
from tests.ui.markdown_samples import ANSWER, PIECES, long_texts, markdown_texts, split_texts


def events_of(stream: MarkdownStream) -> list[Event]:
    """What became certain."""
    events: list[Event] = []
    while (some := stream.advance()) is not None:
        for event in some:
            if isinstance(event, LinesAdded) and events and isinstance(events[-1], LinesAdded):
                event = LinesAdded(events.pop().lines + event.lines)  # type: ignore[union-attr]
            events.append(event)
    return events


def read(*pieces: str) -> list[Event]:
    """Everything, for a text that comes in pieces."""
    stream = MarkdownStream()
    events: list[Event] = []
    for piece in pieces:
        stream.add(piece)
        events += events_of(stream)
        stream.live()
    stream.end()
    events += events_of(stream)
    assert stream.live() == []
    return joined(events)


def joined(events: list[Event]) -> list[Event]:
    found: list[Event] = []
    for event in events:
        if isinstance(event, LinesAdded) and found and isinstance(found[-1], LinesAdded):
            event = LinesAdded(found.pop().lines + event.lines)  # type: ignore[union-attr]
        found.append(event)
    return found


def runs_of(events: list[Event]) -> Iterator[Run]:
    for event in events:
        if isinstance(event, TextBlock):
            yield from event.runs
        elif isinstance(event, TableBlock):
            for row in event.rows:
                for cell in row:
                    yield from cell


def lines_of(events: list[Event]) -> Iterator[Line]:
    for event in events:
        if isinstance(event, (CodePart, LinesAdded)):
            yield from event.lines


def text_of(block: Event) -> str:
    return "".join(run.text for run in block.runs) if isinstance(block, TextBlock) else ""


# However it comes


@settings(max_examples=400)
@given(split_texts())
@example(["- a | b\n- c |\n", "--\n"])
@example(["1. \n\n\n  1. \n"])
@example(["``` |\n", "--\n"])
def test_pieces_give_what_the_whole_gives(pieces: list[str]) -> None:
    assert read(*pieces) == read("".join(pieces))


@settings(max_examples=30)
@given(split_texts(long_texts))
def test_pieces_of_a_long_text_as_well(pieces: list[str]) -> None:
    assert read(*pieces) == read("".join(pieces))


@settings(max_examples=100)
@given(st.lists(st.sampled_from(PIECES), max_size=25))
def test_character_by_character_too(pieces: list[str]) -> None:
    text = "".join(pieces)
    assert read(*text) == read(text)


@settings(max_examples=300)
@given(markdown_texts)
def test_every_run_is_found_where_it_is(text: str) -> None:
    events = read(text)
    for run in runs_of(events):
        if run.source is not None and run.length == len(run.text) and run.text not in ("*", "&"):
            assert text[run.source : run.source + run.length].replace("\n", " ") == run.text.replace(
                "\n", " "
            )
    for line in lines_of(events):
        if line.source is not None:
            assert text[line.source : line.source + len(line.text)] == line.text


def test_a_word_keeps_its_place_in_whatever_it_is_in() -> None:
    events = read(ANSWER)
    for word in ("Sorting", "bold", "link", "Install", "later", "quote", "Name", "22", "end"):
        run = next(run for run in runs_of(events) if word in run.text)
        assert run.source is not None
        assert ANSWER[run.source :].startswith(run.text)
    for line in lines_of(events):
        assert line.source is not None and ANSWER[line.source :].startswith(line.text)


def test_what_is_finished_is_given_out_once() -> None:
    stream = MarkdownStream()
    stream.add("One.\n\nTwo")
    assert [text_of(event) for event in events_of(stream)] == ["One."]
    assert stream.advance() is None
    stream.add(" goes on")
    assert stream.advance() is None
    assert [text_of(part) for part in stream.live() if isinstance(part, TextBlock)] == ["Two goes on"]


def test_an_item_is_finished_when_the_next_one_has_begun() -> None:
    stream = MarkdownStream()
    stream.add("3. one\n4. two\n5. th")
    found = events_of(stream)
    assert [
        (text_of(event), event.marker.number)
        for event in found
        if isinstance(event, TextBlock) and event.marker
    ] == [("one", 3)]
    live = stream.live()
    assert [text_of(part) for part in live if isinstance(part, TextBlock)] == ["two", "th"]
    markers = [part.marker for part in live if isinstance(part, TextBlock)]
    assert [(marker.number, marker.first) for marker in markers if marker] == [(4, False), (5, False)]


# What it reads


def test_the_parts_of_an_answer() -> None:
    kinds = [
        event.kind.value if isinstance(event, TextBlock) else type(event).__name__ for event in read(ANSWER)
    ]
    assert kinds == [
        *(
            "heading",
            "paragraph",
            "paragraph",
            "CodePart",
            "paragraph",
            "paragraph",
            "paragraph",
            "paragraph",
        ),
        *("TableBlock", "CodeOpened", "LinesAdded", "Closed", "rule", "paragraph"),
    ]


def test_styles_and_links() -> None:
    [block] = read("a **b *c*** ~~d~~ `e  f` [g](https://h.i 'title') <https://j.k>")
    assert isinstance(block, TextBlock)
    looks = {run.text.strip(): (run.style, run.link) for run in block.runs}
    assert looks["b"] == (Style.BOLD, "")
    assert looks["c"] == (Style.BOLD | Style.ITALIC, "")
    assert looks["d"] == (Style.STRUCK, "")
    assert looks["e  f"] == (Style.CODE, "")
    assert looks["g"] == (Style.NONE, "https://h.i")
    assert looks["https://j.k"] == (Style.NONE, "https://j.k")


@pytest.mark.parametrize(
    "text",
    ["[x](file:///etc/passwd)", "[x](ftp://a.b)", "[x](app:do)", "[x](javascript:alert)", "[x](//a.b)"],
)
def test_only_the_web_and_mail_can_be_opened(text: str) -> None:
    assert not any(run.link for run in runs_of(read(text)))
    assert "".join(run.text for run in runs_of(read(text))).strip("[]()") != "x"  # the address is seen


def test_a_picture_is_words_and_an_address() -> None:
    [block] = read("![a cat](https://x.y/cat.png)")
    assert text_of(block) == "a cat (https://x.y/cat.png)"
    assert not any(run.link for run in runs_of([block]))


def test_markup_of_the_web_is_text() -> None:
    [block] = read("<b>bold</b> <img src='https://x.y'>")
    assert text_of(block) == "<b>bold</b> <img src='https://x.y'>"


def test_a_reference_is_text_so_that_nothing_above_changes_later() -> None:
    assert "".join(run.text for run in runs_of(read("[a]\n\n[a]: https://x.y\n"))) == "[a][a]: https://x.y"


def test_a_table_has_its_cells_and_alignments() -> None:
    [table] = read("| a | b \\| c |\n|:-:|--:|\n| 1 |\n| x | `y` |\n")
    assert isinstance(table, TableBlock)
    assert table.alignments == (Alignment.CENTRE, Alignment.RIGHT)
    assert [["".join(run.text for run in cell) for cell in row] for row in table.rows] == [
        ["a", "b | c"],
        ["1", ""],
        ["x", "y"],
    ]


def test_code_loses_the_indentation_of_its_fence() -> None:
    assert code_text(lines_of(read("  ```py\n  a\n    b\n c\n  ```\n"))) == "a\n  b\nc"


def test_code_without_end_is_code() -> None:
    events = read("```\nx = 1\n\ny")
    assert code_text(lines_of(events)) == "x = 1\n\ny"
    assert isinstance(events[-1], Closed)


def test_a_longer_fence_holds_a_shorter_one() -> None:
    events = read("````md\n```py\nx\n```\n````\nafter")
    assert code_text(lines_of(events)) == "```py\nx\n```"
    assert text_of(events[-1]) == "after"


def test_code_appears_line_by_line() -> None:
    stream = MarkdownStream()
    stream.add("```python\nx = 1\ny =")
    assert events_of(stream) == [CodeOpened("python"), LinesAdded((Line("x = 1", 10),))]
    assert stream.live() == [LiveLine(Line("y =", 16))]
    stream.add(" 2\n``")
    assert events_of(stream) == [LinesAdded((Line("y = 2", 16),))]
    assert stream.live() == []  # it may be the end of the code


def test_a_thought_is_apart_from_the_answer() -> None:
    events = read("<think>\nHm.\n# no heading\n</think>\n\n**Yes.**")
    assert isinstance(events[0], ThoughtOpened)
    assert [line.text for line in lines_of(events)] == ["Hm.", "# no heading"]
    assert text_of(events[-1]) == "Yes."


def test_a_thought_without_end_is_a_thought() -> None:
    events = read("<think>Hm")
    assert [type(event) for event in events] == [ThoughtOpened, LinesAdded, Closed]


def test_a_thinking_tag_in_the_middle_is_text() -> None:
    assert "".join(run.text for run in runs_of(read("Use <think> so."))) == "Use <think> so."


def test_an_item_without_text_has_its_marker() -> None:
    first, second = read("- \n- a\n")
    assert isinstance(first, TextBlock) and first.marker is not None and first.runs == ()
    assert text_of(second) == "a"


def test_two_kinds_of_list_are_two_lists() -> None:
    found = [event.marker for event in read("- a\n- b\n* c\n1. d\n") if isinstance(event, TextBlock)]
    assert [(marker.number, marker.first) for marker in found if marker] == [
        (None, True),
        (None, False),
        (None, True),
        (1, True),
    ]


@pytest.mark.parametrize("text", ["", " ", "\n\n\n", " \t\n"])
def test_nothing_to_be_seen_is_nothing(text: str) -> None:
    assert read(text) == []


# Without end


def test_a_paragraph_without_end_is_cut_between_words() -> None:
    text = "word " * 4000
    blocks = read(text)
    assert all(len(text_of(block)) <= LONGEST_PROSE for block in blocks)
    assert " ".join(text_of(block) for block in blocks).split() == text.split()


def test_a_word_without_end_is_cut_between_characters() -> None:
    text = "👨‍👩‍👧" * 3000
    blocks = read(text)
    assert "".join(text_of(block) for block in blocks) == text
    assert all(text_of(block).startswith("👨") for block in blocks)


def test_a_table_without_end_goes_on_under_its_head_again() -> None:
    rows = [f"| {number} | x |\n" for number in range(2000)]
    tables = read("| a | b |\n|---|---|\n" + "".join(rows))
    assert all(isinstance(table, TableBlock) for table in tables)
    found = [row for table in tables if isinstance(table, TableBlock) for row in table.rows[1:]]
    assert [row[0][0].text for row in found] == [str(number) for number in range(2000)]
    heads = [table.rows[0][0][0] for table in tables if isinstance(table, TableBlock)]
    assert {head.text for head in heads} == {"a"}
    assert [head.source is None for head in heads] == [False] + [True] * (len(heads) - 1)
    assert len(tables) > len("".join(rows)) // LONGEST_TABLE - 1


def test_a_table_stays_whole_where_longer_ones_are_allowed() -> None:
    stream = MarkdownStream(longest_table=10 * LONGEST_TABLE)
    stream.add("| a | b |\n|---|---|\n" + "| 1 | x |\n" * 1500 + "\nWords.\n")
    stream.end()
    (first, *_, last) = [event for events in iter(stream.advance, None) for event in events]
    assert isinstance(first, TableBlock)
    assert len(first.rows) == 1501
    assert isinstance(last, TextBlock)


def test_long_code_in_an_item_stays_in_one_piece() -> None:
    code = "".join(f"   line {number}\n" for number in range(1500))
    assert LONGEST_PROSE < len(code) < LONGEST_BLOCK
    parts = [
        event for event in read(f"1. x\n\n   ```py\n{code}   ```\n2. y\n") if isinstance(event, CodePart)
    ]
    assert [len(part.lines) for part in parts] == [1500]


def test_a_line_of_code_without_end_goes_on_in_the_next() -> None:
    text = "x" * 50_000
    lines = list(lines_of(read(f"```\n{text}\n```")))
    assert len(lines) > 1
    assert code_text(lines) == text


@pytest.mark.parametrize("mark", ["[", "![", "*a ", "`a", "<", "[a](", "_a__b ", ">", "- ", "\n"])
def test_marks_without_end_are_read_in_time(mark: str) -> None:
    """Each step is bounded: the parser never sees more than a few thousand characters."""
    stream = MarkdownStream()
    stream.add(mark * 20_000)
    stream.end()
    assert sum(1 for _ in iter(stream.advance, None)) >= 5
    assert stream.live() == []
