"""Names of models, as people write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.models.model_family import Trait, parse_family

MILLION, BILLION = 1_000_000, 1_000_000_000


@pytest.mark.parametrize(
    ("name", "family", "version", "parameters"),
    [
        ("Qwen/Qwen2.5-Coder-7B-Instruct-GGUF", "qwen", "2.5", 7 * BILLION),
        ("Qwen2.5 Coder 1.5B Instruct", "qwen", "2.5", 1.5 * BILLION),
        ("qwen2.5-coder-0.5b-instruct-q4_k_m.gguf", "qwen", "2.5", 0.5 * BILLION),
        ("bartowski/Qwen_Qwen3-0.6B-GGUF", "qwen", "3", 0.6 * BILLION),
        ("Qwen3-4B-Instruct-2507-UD-Q4_K_XL.gguf", "qwen", "3", 4 * BILLION),
        ("qwen1_5-1_8b-chat-q4_k_m.gguf", "qwen", "1.5", 1.8 * BILLION),
        ("bartowski/Meta-Llama-3.1-8B-Instruct-GGUF", "llama", "3.1", 8 * BILLION),
        ("hugging-quants/Llama-3.2-1B-Instruct-Q4_K_M-GGUF", "llama", "3.2", BILLION),
        ("Llama-3.3-70B-Instruct-Q4_K_M-00001-of-00002.gguf", "llama", "3.3", 70 * BILLION),
        ("Llama-3_3-Nemotron-Super-49B-v1", "llama", "3.3", 49 * BILLION),
        ("Llama-2-7B-Chat-GGUF", "llama", "2", 7 * BILLION),
        ("NousResearch/Hermes-3-Llama-3.1-8B", "llama", "3.1", 8 * BILLION),
        ("Dolphin3.0-Llama3.1-8B-GGUF", "llama", "3.1", 8 * BILLION),
        ("TinyLlama-1.1B-Chat-v1.0", "tinyllama", "1.0", 1.1 * BILLION),
        ("CodeLlama-34b-Instruct-hf", "codellama", "", 34 * BILLION),
        ("DeepSeek-R1-Distill-Qwen-32B-GGUF", "deepseek-r1-distill-qwen", "", 32 * BILLION),
        ("DeepSeek-R1-Distill-Llama-70B-GGUF", "deepseek-r1-distill-llama", "", 70 * BILLION),
        ("unsloth/DeepSeek-R1-0528-Qwen3-8B-GGUF", "deepseek-r1-distill-qwen", "3", 8 * BILLION),
        ("DeepSeek-Coder-V2-Lite-Instruct-GGUF", "deepseek", "2", None),
        ("QwQ-32B-GGUF", "qwq", "", 32 * BILLION),
        ("gemma-3-27b-it-GGUF", "gemma", "3", 27 * BILLION),
        ("google_gemma-3-270m-it-GGUF", "gemma", "3", 270 * MILLION),
        ("gemma-3n-E4B-it-GGUF", "gemma", "3n", 4 * BILLION),
        ("gemma-2-2b-it", "gemma", "2", 2 * BILLION),
        ("gemma-2b-it", "gemma", "", 2 * BILLION),
        ("SmolLM2-1.7B-Instruct", "smollm", "2", 1.7 * BILLION),
        ("SmolLM2-135M-Instruct-Q8_0-GGUF", "smollm", "2", 135 * MILLION),
        ("granite-3.3-8b-instruct", "granite", "3.3", 8 * BILLION),
        ("Falcon3-10B-Instruct", "falcon", "3", 10 * BILLION),
        ("OLMo-2-1124-13B", "olmo", "2", 13 * BILLION),
        ("OLMo-2-0425-1B-Instruct-GGUF", "olmo", "2", BILLION),
        ("EXAONE-3.5-7.8B-Instruct", "exaone", "3.5", 7.8 * BILLION),
        ("internlm2_5-7b-chat-gguf", "internlm", "2.5", 7 * BILLION),
        ("phi-4", "phi", "4", None),
        ("Phi-4-mini-instruct", "phi-mini", "4", None),
        ("Mistral-7B-Instruct-v0.3", "mistral", "0.3", 7 * BILLION),
        ("Mistral-Small-24B-Instruct-2501", "mistral-small", "", 24 * BILLION),
        ("Mistral-Small-3.1-24B-Instruct-2503-GGUF", "mistral-small", "3.1", 24 * BILLION),
        ("Mistral-Nemo-Instruct-2407", "mistral-nemo", "", None),
        ("gpt-oss-20b-GGUF", "gpt-oss", "", 20 * BILLION),
        ("EuroLLM-9B-Instruct", "eurollm", "", 9 * BILLION),
        ("モデル-7B", "モデル", "", 7 * BILLION),
        ("ggml-model-q4_0.gguf", "", "", None),
        ("model.gguf", "", "", None),
    ],
)
def test_family_version_and_size(name: str, family: str, version: str, parameters: float | None) -> None:
    found = parse_family(name)

    assert (found.family, found.version, found.parameters) == (family, version, parameters)


@pytest.mark.parametrize(
    ("name", "parameters", "active"),
    [
        ("Qwen3-30B-A3B", 30 * BILLION, 3 * BILLION),
        ("Qwen3-Coder-30B-A3B-Instruct-1M-GGUF", 30 * BILLION, 3 * BILLION),
        ("Mixtral-8x7B-Instruct-v0.1", 56 * BILLION, 14 * BILLION),
        ("Llama-4-Scout-17B-16E-Instruct", None, 17 * BILLION),
        ("Qwen3-32B", 32 * BILLION, None),
    ],
)
def test_a_mixture_of_experts_works_with_a_part_of_its_parameters(
    name: str, parameters: int | None, active: int | None
) -> None:
    found = parse_family(name)

    assert (found.parameters, found.active_parameters) == (parameters, active)
    assert found.working_parameters == (active or parameters)


@pytest.mark.parametrize(
    ("name", "traits"),
    [
        ("Qwen2.5-Coder-7B-Instruct", {Trait.CODE, Trait.CHAT}),
        ("Qwen2.5-Math-1.5B", {Trait.MATH}),
        ("Qwen2.5-VL-7B-Instruct", {Trait.VISION, Trait.CHAT}),
        ("Qwen3-Embedding-0.6B-GGUF", {Trait.NOT_TEXT}),
        ("bge-reranker-v2-m3", {Trait.NOT_TEXT}),
        ("Qwen3-4B-Thinking-2507", {Trait.REASONING}),
        ("DeepSeek-R1-Distill-Qwen-7B", {Trait.DISTILLED}),
        ("gemma-3-4b-pt", {Trait.BASE}),
        ("Qwen3-8B-EAGLE3", {Trait.PART}),
        ("OLMo-2-1124-13B", set()),
    ],
)
def test_what_it_was_made_for(name: str, traits: set[Trait]) -> None:
    assert parse_family(name).traits == traits


def test_words_that_say_who_tuned_it_are_kept_and_formats_and_dates_are_not() -> None:
    assert parse_family("Llama-3.2-1B-Instruct-uncensored-GGUF").extras == ("uncensored",)
    assert parse_family("unsloth/Qwen3-4B-Instruct-2507-Q4_K_M-GGUF").extras == ()
    assert parse_family("Mistral-Small-3.1-DRAFT-0.5B").extras == ("draft",)


@pytest.mark.parametrize(
    ("name", "stem"),
    [
        ("Meta-Llama-3.1-8B-Instruct-GGUF", "Llama-3.1"),
        ("Qwen2.5 Coder 1.5B Instruct", "Qwen2.5"),
        ("granite-3.3-8b-instruct", "granite-3.3"),
        ("Mistral-Small-3.1-24B-Instruct-2503", "Mistral-Small-3.1"),
        ("DeepSeek-R1-Distill-Qwen-32B-GGUF", "DeepSeek-R1-Distill-Qwen"),
        ("OLMo-2-1124-13B", "OLMo-2"),
    ],
)
def test_the_stem_is_what_a_search_finds_the_family_by(name: str, stem: str) -> None:
    assert parse_family(name).stem == stem


def test_versions_are_families_of_their_own() -> None:
    small, large = parse_family("Qwen2.5-0.5B"), parse_family("Qwen2.5-72B-Instruct")

    assert small.is_kin_of(large)
    assert not small.is_kin_of(parse_family("Qwen3-32B"))
    assert not parse_family("phi-4").is_kin_of(parse_family("Phi-4-mini-instruct"))
    assert not parse_family("model.gguf").is_kin_of(parse_family("ggml-model-q4_0.gguf")), "both tell nothing"


@pytest.mark.parametrize(
    "name",
    [
        "",
        "/",
        "..//..\\",
        "🦙" * 500,
        "-" * 100_000,
        "9" * 10_000 + "b",
        "\0\n\udcff",
        "a/b/c.gguf.gguf",
        "x" * 99,
    ],
)
def test_odd_names_are_no_error(name: str) -> None:
    parse_family(name)


@given(st.text(alphabet=st.characters(exclude_categories=()), max_size=300))
def test_no_name_is_an_error(name: str) -> None:
    found = parse_family(name)

    assert found.parameters is None or found.parameters > 0
