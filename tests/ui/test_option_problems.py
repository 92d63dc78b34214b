"""Problems find their fields."""

from app.core.options import CacheType, LoadOptions, SpeculationOptions, Switch
from app.ui.option_problems import problems_of, sentence


def test_nothing_is_wrong_with_the_defaults() -> None:
    assert not problems_of(LoadOptions())


def test_each_problem_is_with_the_field_at_fault() -> None:
    found = problems_of(LoadOptions(context_length=3, batch_size=0))

    assert found.by_field == {
        "context_length": ("the context length must be at least 8 tokens",),
        "batch_size": ("the evaluation batch size must be at least 1",),
    }
    assert found.joint == ()


def test_a_problem_of_two_values_together_is_a_joint_one() -> None:
    options = LoadOptions(v_cache_type=CacheType.Q8_0, flash_attention=Switch.OFF)

    found = problems_of(options)

    assert found.by_field == {}
    assert found.joint == ("a quantised V cache needs flash attention",)


def test_a_problem_is_told_once() -> None:
    options = SpeculationOptions(max_draft_tokens=2, min_draft_tokens=5)

    found = problems_of(options)

    told = [text for texts in found.by_field.values() for text in texts] + list(found.joint)
    assert told == options.problems()


def test_a_problem_becomes_a_sentence() -> None:
    assert sentence("top-k cannot be negative") == "Top-k cannot be negative."
