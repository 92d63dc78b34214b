"""HTML in model cards becomes Markdown; code stays what it is; nothing hidden is shown."""

import pytest

from app.ui.card_html import without_html


def flat(card: str) -> str:
    """The result without blank lines and blanks at the ends."""
    return "\n".join(line.strip() for line in without_html(card).splitlines() if line.strip())


@pytest.mark.parametrize(
    ("card", "expected"),
    [
        ("plain *text*", "plain *text*"),
        ('<h1 align="center">\n  Name\n</h1>', "# Name"),
        ("<b> strong </b> and <i>slanted</i>", "**strong** and *slanted*"),
        ("<summary>A <b>b</b></summary>", "**A b**"),
        ('<a href="https://x.org/a(b) c">x</a>', "[x](https://x.org/a%28b%29%20c)"),
        ('<a name="top"></a>Top', "Top"),
        ('<img src="a.png" alt="A  [b]">', "![A b](a.png)"),
        ('<a href="https://x.org"><img src=a.png></a>', "[![](a.png)](https://x.org)"),
        ("<ul><li>one</li><li>two</li></ul>", "- one\n- two"),
        ("a<br>b<br/>", "a\\\nb"),
        ("| a<br>b | c |", "| a b | c |"),
        ("<p>a</p><p>b</p>", "a\nb"),
        ("a <hr> b", "a\n---\nb"),
        ("x <sup>2</sup>", "x 2"),
        ('<b>Bold</b> <a href="https://x.org">a</a> <i>c</i>', "**Bold** [a](https://x.org) *c*"),
        ("<b>Size: </b>4 GB", "**Size:** 4 GB"),
        ("<i><b>x </b></i>y<b> z</b>", "***x*** y **z**"),
        ("a<i><b> c</b></i>d", "a ***c***d"),
        ("<b>a </b><br><b>c</b>", "**a** \\\n**c**"),
        ("<summary>A </summary>x", "**A**\nx"),
        ('<a href="https://x.org">never closed', "[never closed](https://x.org)"),
    ],
)
def test_what_html_says_is_said_in_markdown(card: str, expected: str) -> None:
    assert flat(card) == expected


@pytest.mark.parametrize(
    "card",
    [
        "a<!-- hidden\n\nlines -->b",
        "a<script>alert(1)</script>b",
        "a<style>\n\n* { color: red }</style>b",
        "a<svg><text>no</text></svg>b",
        "a<iframe src='https://x.org'></iframe>b",
    ],
)
def test_what_nobody_is_to_read_is_gone(card: str) -> None:
    assert without_html(card) == "ab"


def test_a_script_without_an_end_takes_its_line_alone() -> None:
    assert flat("a\n<script>alert(1)\nb") == "a\nb"


def test_what_has_no_end_does_not_save_what_has_one() -> None:
    card = "a\n<script>x\nb<style>y</STYLE>\n<!-- z\nc<svg>w</svg>\n<Script>x\nd"
    assert flat(card) == "a\nb\nc\nd"


@pytest.mark.parametrize(
    "card",
    [
        "```html\n<div><b>x</b></div>\n<!-- y -->\n```\n",
        "~~~\n<script>x</script>\n```\n~~~\n",
        "Say `<b>` and ``<i> ` </i>``.",
        "A <think> tag, <|im_start|> and <https://x.org>, 1 < 2 > 0.",
        "```\n<b>never closed",
    ],
)
def test_code_and_what_is_no_html_stay_as_they_are(card: str) -> None:
    assert without_html(card) == card


def test_a_table_becomes_one_of_markdowns() -> None:
    card = "<table>\n<tr><th>A</th>\n <th>B</th></tr>\n<tr>\n<td>1</td><td>two\nwords</td></tr></table>"
    lines = [line.replace(" ", "") for line in without_html(card).splitlines() if line.strip()]
    assert lines == ["|A|B|", "|---|---|", "|1|twowords|"]


def test_indented_html_is_no_code() -> None:
    card = "<div>\n    <p>\n        words\n    </p>\n</div>"
    assert without_html(card).strip("\n") == "words"


@pytest.mark.parametrize(
    "piece", ['<a "', "<div ", "<!--", "<script", "`" * 3 + "`", "<a href='x'>", "<b>", ">"]
)
def test_hostile_cards_take_no_long_time(piece: str) -> None:
    """The limit of the whole suite would end this test."""
    without_html(piece * 20_000)


@pytest.mark.parametrize("piece", ["<!--\n", "<script>\n", "<style>\n<svg>\n"])
def test_what_never_ends_is_not_looked_for_again_and_again(piece: str) -> None:
    """The limit of the whole suite would end this test."""
    assert set(without_html(piece * 300_000)) == {"\n"}
