"""What people type and paste to find a model, and what is made of it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.models.hub_problems import HubError, HubProblem
from app.models.hub_query import Query, Repository, Words, parse_query

REPO = "bartowski/Llama-3.2-1B-Instruct-GGUF"
FILE = "Llama-3.2-1B-Instruct-Q4_K_M.gguf"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("llama", "llama"),
        ("  qwen 2.5   coder\n", "qwen 2.5 coder"),
        ("", ""),
        ('"phi 4"', "phi 4"),
        ("llama 3 / 8b", "llama 3 / 8b"),
        ("a/b/c", "a/b/c"),
        ("../etc", "../etc"),
        ("https://huggingface.co", ""),
        ("https://huggingface.co/models?search=qwen+coder&sort=downloads", "qwen coder"),
        ("https://huggingface.co/bartowski", "bartowski"),
        ("モデル", "モデル"),
        ("what is this: http://", "what is this: http://"),
    ],
)
def test_words_are_searched_by(text: str, words: str) -> None:
    assert parse_query(text) == Words(words)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        (REPO, Repository(REPO)),
        (f"  <{REPO}> ", Repository(REPO)),
        (f"“{REPO}”", Repository(REPO)),
        (f"{REPO}:Q4_K_M", Repository(REPO, quantisation="Q4_K_M")),
        (f"https://huggingface.co/{REPO}", Repository(REPO)),
        (f"http://huggingface.co/{REPO}/", Repository(REPO)),
        (f"https://HuggingFace.co/{REPO}?not-for-all-audiences=true#readme", Repository(REPO)),
        (f"https://www.huggingface.co/{REPO}", Repository(REPO)),
        (f"huggingface.co/{REPO}", Repository(REPO)),
        (f"hf.co/{REPO}:Q8_0", Repository(REPO, quantisation="Q8_0")),
        (f"ollama run hf.co/{REPO}:Q8_0", Repository(REPO, quantisation="Q8_0")),
        (f"https://hf.co/{REPO}", Repository(REPO)),
        (f"hf://{REPO}", Repository(REPO)),
        (f"https://huggingface.co/{REPO}/tree/main", Repository(REPO)),
        (f"https://huggingface.co/{REPO}/discussions/3", Repository(REPO)),
        (f"https://huggingface.co/{REPO}/blob/main/{FILE}", Repository(REPO, FILE)),
        (f"https://huggingface.co/{REPO}/resolve/main/{FILE}?download=true", Repository(REPO, FILE)),
        (f"https://huggingface.co/{REPO}/resolve/main/Q4/a%20b.gguf", Repository(REPO, "Q4/a b.gguf")),
        (f"https://huggingface.co/{REPO}/blob/refs%2Fpr%2F1/{FILE}", Repository(REPO, FILE)),
        (f"https://huggingface.co/{REPO}/raw/refs/pr/1/{FILE}", Repository(REPO, FILE)),
        (f"https://huggingface.co/{REPO}/blob/main", Repository(REPO)),
        (f"https://huggingface.co/api/models/{REPO}", Repository(REPO)),
        (f"git clone https://huggingface.co/{REPO}.git", Repository(REPO)),
        (f"get this one: https://huggingface.co/{REPO}, it is good", Repository(REPO)),
    ],
)
def test_names_and_addresses_of_repositories_are_understood(text: str, meant: Query) -> None:
    assert parse_query(text) == meant


@pytest.mark.parametrize("endpoint", ["https://mirror.example/hub", "http://127.0.0.1:8080"])
def test_a_mirror_has_addresses_of_its_own(endpoint: str) -> None:
    assert parse_query(f"{endpoint}/{REPO}/blob/main/{FILE}", endpoint) == Repository(REPO, FILE)
    assert parse_query(f"https://huggingface.co/{REPO}", endpoint) == Repository(REPO)
    with pytest.raises(HubError):
        parse_query(f"{endpoint}/{REPO}")


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("https://huggingface.co/datasets/squad/plain", "datasets"),
        ("https://huggingface.co/spaces/someone/demo", "spaces"),
        ("https://huggingface.co/docs/hub/gguf", "not the page of a model"),
        ("https://huggingface.co/settings/tokens", "not the page of a model"),
        ("https://ollama.com/library/llama3.2", "ollama.com is not Hugging Face"),
        ("https://huggingface.co.evil.example/a/b", "huggingface.co.evil.example is not"),
        ("ftp://huggingface.co/a/b", "is not Hugging Face"),
        ("https://huggingface.co/a%2F..%2Fb/c", "not the page of a model"),
        ("https://[not-an-address/a/b", "is not Hugging Face"),
    ],
)
def test_an_address_without_a_model_is_refused_with_a_sentence(address: str, says: str) -> None:
    with pytest.raises(HubError, match=says) as refused:
        parse_query(address)

    assert refused.value.problem is HubProblem.NOT_FOUND
    assert "Type words" in str(refused.value)


@given(st.text(max_size=80) | st.text(alphabet="htps:/.co@%?#[]hfa-_ 1", max_size=60))
def test_nothing_that_is_typed_does_harm(text: str) -> None:
    try:
        query = parse_query(text, "http://127.0.0.1:80/x")
    except HubError:
        return
    if isinstance(query, Repository):
        assert query.repo.count("/") == 1
        assert ".." not in query.repo.split("/")
