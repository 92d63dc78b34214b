"""Tables, and words of strangers in them."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from app.tables import Column, Table, display_width, fit, markdown_text, printable

PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])


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


def test_of_two_columns_that_may_the_first_gives_way_first() -> None:
    columns = (Column("prompt", shortens=True), Column("mode", shortens=True))
    table = Table(columns, (("a-very-long-prompt", "lookup auto"),))
    assert table.text(width=25).splitlines()[-1] == "a-very-long…  lookup auto"
    assert table.text(width=19).splitlines()[-1] == "a-very-…  lookup a…"


def test_a_cell_cannot_break_a_table() -> None:
    table = Table((Column("x"),), (("a\nb|c",),))
    assert table.text().splitlines()[-1] == "a\\nb|c"
    assert table.markdown().splitlines()[-1] == "| a\\\\nb\\|c |"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("q4_k_m", "q4_k_m"),
        ("_so_", "\\_so\\_"),
        ("[click](http://x)", "\\[click\\](http://x)"),
        ("<img src=x> *b* `c` ~d~ &amp;", "\\<img src=x\\> \\*b\\* \\`c\\` \\~d\\~ \\&amp;"),
        ("two\nlines", "two\\\\nlines"),
        ("a __b__ c_d", "a \\_\\_b\\_\\_ c_d"),
        ("# one", "\\# one"),
        ("- one", "\\- one"),
        ("+ one", "\\+ one"),
        ("---", "\\---"),
        ("===", "\\==="),
        ("1. one", "1\\. one"),
        ("2) two", "2\\) two"),
        ("    code", "code"),
        ("#1 -2 3.5", "#1 -2 3.5"),
        ("a # b - c + d = 1. e", "a # b - c + d = 1. e"),
    ],
)
def test_words_of_strangers_are_no_marks_in_markdown(text: str, shown: str) -> None:
    assert markdown_text(text) == shown


@given(st.text(alphabet="#-+=1.) \n\t_*`~>|[]()!&;<a:\\", max_size=12) | st.text())
def test_markdown_shows_them_as_they_stand(text: str) -> None:
    shown = printable(text).strip()
    assume(shown)
    for around in ("", "- ", "> "):
        tokens, word = PARSER.parse(around + markdown_text(text)), PARSER.parse(f"{around}word")
        assert [token.type for token in tokens] == [token.type for token in word]
        (inline,) = [token.children for token in tokens if token.children]
        assert [(part.type, part.content) for part in inline] == [("text", shown)]
