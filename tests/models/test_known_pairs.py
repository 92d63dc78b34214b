"""The table of known pairs, by the names that people see."""

import pytest

from app.models.known_pairs import is_named, known_drafts
from app.models.model_family import parse_family


@pytest.mark.parametrize(
    ("target", "draft"),
    [
        ("Meta-Llama-3.1-8B-Instruct-GGUF", "Llama-3.2-1B"),
        ("Llama-3.1-70B-Instruct", "Llama-3.2-1B"),
        ("Llama-3.3-70B-Instruct-GGUF", "Llama-3.2-1B"),
        ("Qwen2.5-7B-Instruct-GGUF", "Qwen2.5-0.5B"),
        ("Qwen2.5-14B-Instruct-GGUF", "Qwen2.5-0.5B"),
        ("Qwen2.5-72B-Instruct-GGUF", "Qwen2.5-0.5B"),
        ("Qwen2.5-Coder-1.5B-Instruct-GGUF", "Qwen2.5-Coder-0.5B"),
        ("Qwen2.5-Coder-32B-Instruct-GGUF", "Qwen2.5-Coder-0.5B"),
        ("Qwen_Qwen3-8B-GGUF", "Qwen3-0.6B"),
        ("DeepSeek-R1-Distill-Qwen-32B-GGUF", "DeepSeek-R1-Distill-Qwen-1.5B"),
        ("gemma-3-27b-it-GGUF", "gemma-3-1b"),
        ("gemma-3-12b-it-qat-q4_0-gguf", "gemma-3-270m"),
        ("SmolLM2-1.7B-Instruct-GGUF", "SmolLM2-135M"),
        ("Mistral-Small-3.1-24B-Instruct-2503-GGUF", "Mistral-Small-3.1-DRAFT-0.5B"),
    ],
)
def test_pairs_that_people_have_run(target: str, draft: str) -> None:
    assert known_drafts(parse_family(target), None)[0] == draft


@pytest.mark.parametrize(
    "target",
    [
        "gemma-2-27b-it-GGUF",  # token 139 differs from the 2B's
        "DeepSeek-R1-Distill-Llama-70B-GGUF",  # special tokens of its own
        "Meta-Llama-3-8B-Instruct-GGUF",  # the reserved tokens got names in 3.1
        "DeepSeek-R1-0528-Qwen3-8B-GGUF",
        "Qwen3-30B-A3B-GGUF",  # three of its thirty billion work at a time
        "Qwen2.5-VL-7B-Instruct-GGUF",
        "Qwen2.5-Math-7B-Instruct-GGUF",
        "Qwen2.5-0.5B-Instruct-GGUF",
        "model.gguf",
    ],
)
def test_look_alikes_are_not_in_it(target: str) -> None:
    assert known_drafts(parse_family(target), None) == ()


def test_a_counted_size_serves_where_the_name_has_none() -> None:
    nameless = parse_family("Qwen2.5-Instruct-GGUF")

    assert known_drafts(nameless, 14_770_000_000) == ("Qwen2.5-0.5B",)
    assert known_drafts(nameless, 500_000_000) == ()
    assert known_drafts(nameless, None) == ()


@pytest.mark.parametrize(
    ("repository", "is_it"),
    [
        ("Llama-3.2-1B-Instruct-Q4_K_M-GGUF", True),
        ("Llama-3.2-1B-GGUF", True),
        ("Llama-3.2-1B-Instruct-uncensored-GGUF", True),
        ("Llama-3.2-3B-Instruct-GGUF", False),
        ("Llama-3.2-11B-Vision-Instruct", False),
        ("Llama-3.1-1B-GGUF", False),
        ("Llama-3.2-1B-Embedding-GGUF", False),
    ],
)
def test_the_drafts_repository_is_told_from_its_neighbours(repository: str, is_it: bool) -> None:
    assert is_named(parse_family(repository), "Llama-3.2-1B") is is_it


def test_a_model_that_was_made_as_a_draft_is_found_by_that_word() -> None:
    name = "Mistral-Small-3.1-DRAFT-0.5B"

    assert is_named(parse_family("Mistral-Small-3.1-DRAFT-0.5B-GGUF"), name)
    assert not is_named(parse_family("Mistral-Small-3.1-0.5B-GGUF"), name)
