"""A single token, to be read."""

import pytest

from app.ui.token_text import quoted, token_text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (" sort", "·sort"),
        ("\n\t", "⏎⇥"),
        ("\r\n", "⏎⏎"),
        ("", "∅"),
        ("a\x07\u202eb", "a\ufffd\ufffdb"),
        ("é", "é"),
    ],
)
def test_what_cannot_be_seen_has_a_sign(text: str, shown: str) -> None:
    assert token_text(text) == shown


def test_in_a_sentence_it_is_quoted_and_short() -> None:
    assert quoted(" so") == "“·so”"
    assert quoted("x" * 50) == f"“{'x' * 23}…”"
