"""The figures under one side, in words."""

import pytest
from msgspec.structs import replace

from app.core.stats import StopReason
from app.ui.pane_words import figures_of
from tests.fakes.experiments import OFF, run_of


@pytest.mark.parametrize(
    ("reason", "tokens", "words"),
    [
        (StopReason.MAX_TOKENS, 96, "96 tokens"),
        (StopReason.CONTEXT_FULL, 2, "ended after 2 tokens: the context is full"),
        (StopReason.END_OF_GENERATION, 1, "1 token, then the model ended it"),
        (StopReason.STOP_STRING, 40, "40 tokens, then a stop string ended it"),
    ],
)
def test_it_says_why_an_answer_is_no_longer(reason: StopReason, tokens: int, words: str) -> None:
    stats = replace(run_of(OFF).stats, stop_reason=reason, generated_tokens=tokens)
    assert figures_of(stats, None, 0)[0] == words


@pytest.mark.parametrize(("tokens", "is_told"), [(7, True), (8, False)])
def test_a_speed_over_few_tokens_is_hardly_one(tokens: int, is_told: bool) -> None:
    stats = replace(run_of(OFF).stats, generated_tokens=tokens)
    words = figures_of(stats, None, 0)
    assert words[0] == f"{tokens} tokens"
    assert ("so few are hardly a speed" in words) is is_told
    assert "so few are hardly a speed" not in figures_of(replace(stats, tok_per_s=None), None, 0)


@pytest.mark.parametrize(
    ("rounds", "drafting", "tested", "words"),
    [
        (21, 17, 71, "drafts of 4.2 tokens, paused in 15\N{NO-BREAK SPACE}% of the rounds"),
        (18, 17, 34, "drafts of 2 tokens"),
        (21, 0, 0, "drafting paused throughout"),
    ],
)
def test_of_an_automatic_draft_length_its_lengths_are_told(
    rounds: int, drafting: int, tested: int, words: str
) -> None:
    by_position = (drafting,) if drafting else ()
    stats = replace(run_of(OFF).stats, rounds=rounds, tested=tested, tested_by_position=by_position)
    assert words in figures_of(stats, None, 0, is_automatic=True)
    assert words not in figures_of(stats, None, 0)
