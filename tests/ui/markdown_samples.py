"""Markdown to test with: examples, and strategies that make more."""

from itertools import pairwise

from hypothesis import strategies as st

PIECES = [
    *("a", "b ", "text text", "é", "👨‍👩‍👧", "\n", "\n\n", "  \n", "\n   ", "\n    ", "\t", " "),
    *("- ", "* ", "+ ", "1. ", "2) ", "  - ", "\n- ", "\n1. ", "- |", "> ", "> |", "# ", "## ", "#  |"),
    *(
        "```",
        "```\n",
        "```py\n",
        "``` |\n",
        "~~~",
        "\n   ```\n",
        "`",
        "``",
        "    ",
        "---",
        "--",
        "\n--",
        "===",
    ),
    *("|", " |", "| a | b |\n", "|---|---|\n", "|\n--\n", "--|--\n", ":-:", "**", "*", "_", "~~", "[", "]("),
    *("[x](http://a.b)", "![i](u)", "<http://c.d>", "\\*", "&amp;", "<b>", "<think>", "</think>"),
]

markdown_texts = st.lists(st.sampled_from(PIECES), max_size=60).map("".join)
long_texts = st.builds(
    lambda text, times: text * times,
    st.lists(st.sampled_from(PIECES), min_size=3).map("".join),
    st.integers(50, 200),
)

ANSWER = '''# Sorting

A **bold** word, *another*, `code` and a [link](https://example.org).

1. Install it:

   ```bash
   pip install it
   ```

2. Run it:
   - now
   - or later

> A quote.

| Name | Size |
|---|---:|
| one | 1 |
| two | 22 |

```python
def sort(values: list[int]) -> list[int]:
    """Sorted."""
    return sorted(values)  # quick
```

---

The end.
'''


@st.composite
def split_texts(draw: st.DrawFn, texts: st.SearchStrategy[str] = markdown_texts) -> list[str]:
    """A text in pieces."""
    text = draw(texts)
    cuts = draw(st.lists(st.integers(0, len(text)), max_size=12))
    edges = sorted({0, len(text), *cuts})
    return [text[start:end] for start, end in pairwise(edges)]
