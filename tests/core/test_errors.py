"""The sentences of failures."""

from app.core.errors import PromptTooLongError


def test_a_prompt_that_is_too_long_tells_both_lengths_as_people_write_them() -> None:
    error = PromptTooLongError(12_345, 4096)

    assert str(error) == (
        "The prompt has 12,345 tokens and the context holds 4,096. "
        "Shorten the conversation or load the model with a longer context."
    )
