"""The text of an answer and its draft spans, and titles made from prompts."""

import pytest
import regex  # type: ignore[import-untyped]
from hypothesis import given
from hypothesis import strategies as st

from app.core.answer_text import LONGEST_TITLE, AnswerText, title_from
from app.core.chat import DraftSpan
from app.core.protocol import TextPiece


def target(text: str) -> TextPiece:
    return TextPiece(text, False, 0, None)


def draft(text: str, position: int = 1, probability: float | None = 0.5) -> TextPiece:
    return TextPiece(text, True, position, probability)


class TestAnswerText:
    def test_is_empty_at_first(self) -> None:
        assert AnswerText().text == ""
        assert AnswerText().spans == ()

    def test_gathers_pieces_and_tells_which_a_draft_supplied(self) -> None:
        answer = AnswerText()
        answer.add([target("One ")], 1)
        answer.add([draft("two ", 1, 0.9), draft("three", 2, None), target("!")], 2)
        answer.add([draft("🦙é")], 3)

        assert answer.text == "One two three!🦙é"
        assert answer.spans == (
            DraftSpan(4, 4, 2, 1, 0.9),
            DraftSpan(8, 5, 2, 2, None),
            DraftSpan(14, 2, 3, 1, 0.5),
        )

    def test_has_no_span_for_a_token_whose_text_comes_later(self) -> None:
        answer = AnswerText()
        answer.add([draft(""), draft("a", 2)], 1)

        assert answer.spans == (DraftSpan(0, 1, 1, 2, 0.5),)

    @given(st.lists(st.lists(st.tuples(st.text(max_size=4), st.booleans()))))
    def test_spans_cover_exactly_what_a_draft_supplied(self, rounds: list[list[tuple[str, bool]]]) -> None:
        answer = AnswerText()
        marks = ""
        for number, pieces in enumerate(rounds, 1):
            answer.add([draft(text) if drafted else target(text) for text, drafted in pieces], number)
            assert len(answer.text) == len(marks) + sum(len(text) for text, _ in pieces)
            marks += "".join(("d" if drafted else "t") * len(text) for text, drafted in pieces)

        covered = ["t"] * len(answer.text)
        for span in answer.spans:
            for index in range(span.start, span.start + span.length):
                assert covered[index] == "t", "spans do not overlap"
                covered[index] = "d"
        assert "".join(covered) == marks
        assert answer.text == "".join(text for pieces in rounds for text, _ in pieces)


class TestTitles:
    @pytest.mark.parametrize(
        ("prompt", "title"),
        [
            ("", ""),
            ("  \n\t\n", ""),
            ("Rename a variable", "Rename a variable"),
            ("\n\n  First line  \nsecond line", "First line"),
            ("投機的デコーディングとは", "投機的デコーディングとは"),
            ("## Quadratic *formula*", "Quadratic *formula*"),
            ("> **Why** is `x` here?", "Why is x here?"),
            ("- look at [this page](https://example.org/a?b)", "look at this page"),
            ("```python\nprint(1)\n```", "print(1)"),
            ("<b>Bold</b> & 1 < 2", "Bold & 1 < 2"),
            ("<think>The user wants\na title</think>\nQuicksort", "Quicksort"),
            ("Quicksort<think>never ends", "Quicksort"),
            ("a\u202eb\x00c\ufeff", "a b c"),
            ("2 * 3 * 4 and __init__", "2 * 3 * 4 and __init__"),
        ],
    )
    def test_are_the_first_line_without_markup(self, prompt: str, title: str) -> None:
        assert title_from(prompt) == title

    def test_are_cut_between_words(self) -> None:
        prompt = "Write a Python function that implements quicksort, with a docstring"

        assert title_from(prompt) == "Write a Python function that implements…"

    def test_are_not_cut_where_they_just_fit(self) -> None:
        prompt = "a" * 23 + " " + "b" * 24
        assert title_from(prompt) == prompt
        assert title_from(prompt + "c") == "a" * 23 + " " + "b" * 23 + "…"

    def test_are_cut_within_a_word_that_is_too_long(self) -> None:
        assert title_from("あ" * 60) == "あ" * 47 + "…"

    def test_split_no_character(self) -> None:
        family = "👨‍👩‍👧‍👦"

        assert title_from(family * 60) == family * 47 + "…"

    @given(st.text())
    def test_are_short_and_on_one_line(self, prompt: str) -> None:
        title = title_from(prompt)

        assert len(regex.findall(r"\X", title)) <= LONGEST_TITLE
        assert len(title.splitlines()) <= 1
        assert title == title.strip()
        assert title.isprintable() or any(not character.isprintable() for character in prompt)
