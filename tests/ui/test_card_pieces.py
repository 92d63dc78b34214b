"""A model card taken apart into text and pictures."""

import pytest

from app.ui.card_pieces import CardPicture, CardText, picture_count, read_card


def test_text_without_pictures_is_one_piece() -> None:
    assert read_card("# A\r\n\r\nb\n\n\nc\n") == (CardText("# A\n\nb\n\nc"),)


@pytest.mark.parametrize("card", ["", " \n\n", "<div></div>", "<!-- nothing -->"])
def test_a_card_that_says_nothing_has_no_pieces(card: str) -> None:
    assert read_card(card) == ()


def test_a_picture_stands_behind_its_paragraph() -> None:
    assert read_card("See ![the curve](a.png) here.\n\nMore.") == (
        CardText("See the curve here."),
        CardPicture("the curve", "a.png"),
        CardText("More."),
    )


def test_a_row_of_badges_is_pictures_and_no_text() -> None:
    card = "[![One](https://x.org/1.png)](https://x.org) ![](2.png)\n\nText"
    assert read_card(card) == (
        CardPicture("One", "https://x.org/1.png"),
        CardPicture("", "2.png"),
        CardText("Text"),
    )


def test_a_list_is_not_taken_apart() -> None:
    card = "1. One ![p](p.png)\n\n   goes on\n\nAfter"
    assert read_card(card) == (
        CardText("1. One p\n\n   goes on"),
        CardPicture("p", "p.png"),
        CardText("After"),
    )


def test_pictures_in_code_are_code() -> None:
    card = "Write `![a](b.png)`:\n\n```\n![a](b.png)\n\n[c](d)\n```"
    assert read_card(card) == (CardText(card),)


def test_code_in_a_list_is_code_to_all_who_read_it() -> None:
    card = "1. Run\n\n    ```html\n    <b>x</b> <!-- y --> ![a](b.png)\n    ```\n\nAfter <b>z</b>"
    assert read_card(card) == (CardText(card.replace("<b>z</b>", "**z**")),)


def test_pictures_inside_the_card_itself_are_left_out() -> None:
    assert read_card("a ![x](data:image/png;base64,AAAA) b") == (CardText("a x b"),)


def test_links_to_elsewhere_stay_and_others_are_their_words() -> None:
    card = "[a](https://x.org) [b](./docs/b.md) [c](#usage) [d](mailto:d@x.org) [e](javascript:alert)"
    assert read_card(card) == (CardText("[a](https://x.org) b c [d](mailto:d@x.org) e"),)


def test_links_by_name_are_resolved() -> None:
    card = 'See [the docs][Docs], [Docs] and ![p][pic].\n\n[docs]: https://x.org/d "title"\n[pic]: p.png\n'
    assert read_card(card) == (
        CardText("See [the docs](https://x.org/d), [Docs](https://x.org/d) and p."),
        CardPicture("p", "p.png"),
    )


def test_html_is_read_first() -> None:
    assert read_card('<p align="center"><img src="a.png" alt="A"></p>\n<b>B</b>') == (
        CardPicture("A", "a.png"),
        CardText("**B**"),
    )


def test_the_same_picture_counts_once() -> None:
    assert picture_count(read_card("![a](a.png) ![b](b.png) ![c](a.png)")) == 2


def test_a_card_as_long_as_a_book_is_cut() -> None:
    pieces = read_card("a line of text\n\n" * 40_000)
    assert isinstance(pieces[0], CardText)
    assert len(pieces[0].text) < 410_000
    assert pieces[0].text.endswith("…")


@pytest.mark.parametrize("piece", ["[", "![a](", "![a][", "]: ", "`a", "[a]: b\n", "> ", ">"])
def test_hostile_cards_take_no_long_time(piece: str) -> None:
    """The limit of the whole suite would end this test."""
    read_card(piece * 50_000)
