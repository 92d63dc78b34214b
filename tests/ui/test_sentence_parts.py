"""Sentences of which some words are to be seen first."""

from app.ui.sentence_parts import Emphasis, Part, joined, parts_of, plain


def test_what_stands_between_asterisks_is_emphasised() -> None:
    parts = parts_of("**Output identical**, {count} of 5.", Emphasis.STRONG, count=3)
    assert parts == (Part("Output identical", Emphasis.STRONG), Part(", 3 of 5."))
    assert plain(parts) == "Output identical, 3 of 5."


def test_values_make_no_marks() -> None:
    assert parts_of("of {name}", Emphasis.WARNING, name="**x** {y}") == (Part("of **x** {y}"),)


def test_sentences_are_joined_with_blanks_and_empty_ones_left_out() -> None:
    assert plain(joined([(), (Part("One."),), (), (Part("Two"), Part("."))])) == "One. Two."
