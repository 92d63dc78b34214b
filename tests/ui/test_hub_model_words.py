"""What Discover says about repositories."""

from datetime import date

import pytest

from app.models.hub import Gate
from app.ui.hub_model_words import (
    download_title,
    facts_text,
    figures_text,
    found_details,
    gate_text,
    licence_text,
    page_address,
    short_count,
)
from tests.fakes.scripted_hub import found_model, hub_model, remote_model

TODAY = date(2024, 11, 30)


def test_a_repository_is_described_in_a_line() -> None:
    assert facts_text(hub_model()) == "Qwen · Apache-2.0 · qwen2 · 1.5B · 32,768 tokens of context"


def test_what_is_not_known_is_left_out() -> None:
    found = found_model("Qwen/Q", architecture=None, parameters=None, context_length=None)
    assert facts_text(hub_model(found, licence=None)) == "Qwen"


def test_its_figures_are_told() -> None:
    assert figures_text(found_model(), TODAY) == "212k downloads · 57 likes · updated 7 Nov 2024"
    assert found_details(found_model(likes=0)) == "Qwen · 212k downloads"


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0, "0"),
        (999, "999"),
        (1000, "1.0k"),
        (9_949, "9.9k"),
        (9_950, "10k"),
        (212_345, "212k"),
        (999_499, "999k"),
        (999_500, "1.0M"),
        (12_300_000, "12M"),
    ],
)
def test_counts_are_short(count: int, text: str) -> None:
    assert short_count(count) == text


@pytest.mark.parametrize(
    ("licence", "text"),
    [
        (None, ""),
        ("unknown", ""),
        ("apache-2.0", "Apache-2.0"),
        ("mit", "MIT"),
        ("cc-by-nc-4.0", "CC-BY-NC-4.0"),
        ("llama3.1", "Llama3.1"),
        ("other", "its own licence"),
        ("evil\n\u202e", "Evil\ufffd\ufffd"),
    ],
)
def test_licences_are_written_as_their_authors_do(licence: str | None, text: str) -> None:
    assert licence_text(licence) == text


def test_a_download_is_called_by_its_model_and_format() -> None:
    model = hub_model()
    assert download_title(model, model.models[0]) == "Qwen2.5-Coder-1.5B-Instruct Q4_K_M"
    nameless = remote_model("", 1, stem="weights")
    assert download_title(model, nameless) == "Qwen2.5-Coder-1.5B-Instruct weights"


def test_a_gate_says_what_to_do() -> None:
    assert gate_text(found_model()) == ""
    assert "accept a licence" in gate_text(found_model(gate=Gate.AUTOMATIC))
    assert "Ask for access" in gate_text(found_model(gate=Gate.MANUAL))


def test_the_page_is_that_of_the_hub_in_use(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HF_ENDPOINT", raising=False)
    assert page_address("Qwen/Q 1") == "https://huggingface.co/Qwen/Q%201"
    monkeypatch.setenv("HF_ENDPOINT", "https://mirror.example/")
    assert page_address("Qwen/Q") == "https://mirror.example/Qwen/Q"
    monkeypatch.setenv("HF_ENDPOINT", "file:///etc")
    assert page_address("Qwen/Q") == "https://huggingface.co/Qwen/Q"
