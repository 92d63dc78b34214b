"""Where a model card has code."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.ui.card_fences import stretches


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("no code", []),
        ("a\n```\nb\n```\nc", ["```\nb\n```\n"]),
        ("~~~python\n```\n~~~", ["~~~python\n```\n~~~"]),
        ("````\n```\n`````\nb", ["````\n```\n`````\n"]),
        ("- ```\n  b\n  ```\nc", ["- ```\n  b\n  ```\n"]),
        ("1. x\n\n    ```\n    b\n    ```\nc", ["    ```\n    b\n    ```\n"]),
        ("> ```\n> b\n> ```\nc", ["> ```\n> b\n> ```\n"]),
        ("```\nb\n``` c\n```\nd", ["```\nb\n``` c\n```\n"]),
        ("```\nnever closed\n", ["```\nnever closed\n"]),
        ("```one``` line\nb", []),
        ("`` ` ``\nb", []),
    ],
)
def test_code_is_what_stands_between_fences(text: str, codes: list[str]) -> None:
    assert [stretch for is_code, stretch in stretches(text) if is_code] == codes


@given(st.text(alphabet="`~> -a\n\t\u2028"))
def test_nothing_is_lost(text: str) -> None:
    assert "".join(stretch for _, stretch in stretches(text)) == text
