"""What is said about an answer in figures."""

import pytest
from msgspec.structs import replace

from app.core.stats import GenerationStats, StopReason
from app.ui.answer_words import details, details_tips, estimate, stop_reason, summary, times
from tests.ui.answers import answer_of, stats_of


def test_the_line_under_an_answer() -> None:
    assert summary(answer_of(stats=stats_of())) == [
        "18.3 tok/s",
        "96 tokens",
        "310 ms to first token",
        "finished",
        "Accepted 82 of 83 drafted tokens (98.8 %)",
        "85.4 % from drafts",
        "draft model: Small 0.5B",
    ]


def test_without_a_draft_nothing_is_said_of_one() -> None:
    answer = answer_of(stats=stats_of(tested=0, accepted=0, drafted=0), draft=None)
    assert summary(answer) == ["18.3 tok/s", "96 tokens", "310 ms to first token", "finished"]


def test_one_token_has_no_speed() -> None:
    words = summary(answer_of(stats=stats_of(generated=1, accepted=1, tested=8, tok_per_s=None)))
    assert words[0] == "1 token"
    assert not any("tok/s" in word for word in words)


def test_accepted_is_never_more_than_the_answer_has() -> None:
    words = summary(answer_of(stats=stats_of(generated=2, accepted=5, tested=8)))
    assert "Accepted 2 of 8 drafted tokens (25.0 %)" in words
    assert "100.0 % from drafts" in words


def test_why_an_answer_ended_is_told() -> None:
    stats = stats_of(reason=StopReason.MAX_TOKENS)
    assert "token limit" in summary(answer_of(stats=stats))


def test_an_answer_that_was_stopped_before_its_first_token_has_no_figures() -> None:
    stats = stats_of(generated=0, accepted=0, tested=0, drafted=0, tok_per_s=None, reason=StopReason.STOPPED)
    assert summary(answer_of(stats=stats)) == []


def test_an_answer_without_room_for_a_token_says_why() -> None:
    full = StopReason.CONTEXT_FULL
    stats = stats_of(generated=0, accepted=0, tested=0, drafted=0, tok_per_s=None, reason=full)
    assert summary(answer_of(stats=stats))[0] == "0 tokens"
    assert "context full" in summary(answer_of(stats=stats))


@pytest.mark.parametrize("reason", StopReason)
def test_every_reason_to_stop_has_words(reason: StopReason) -> None:
    assert stop_reason(reason) != reason.value


def test_no_figures_no_words() -> None:
    assert summary(answer_of()) == []


def test_details() -> None:
    stats = stats_of()
    assert dict(details(answer_of(stats=stats), stats)) == {
        "Model": "Large 7B",
        "Draft model": "Small 0.5B",
        "Prompt": "1,204 tokens, 1,100 of them cached",
        "Rounds": "15",
        "Tokens per round": "6.47",
        "Drafted": "90, 7 of them not verified",
        "Draft length": "5.5 tokens on average",
        "Peak memory": "4.10 GB",
    }


def test_what_drafted_is_not_told_where_it_is_not_known() -> None:
    tip = details_tips(answer_of(stats=stats_of()))["Drafted"]
    assert "the draft model or prompt lookup" in tip


def test_where_both_drafted_what_was_accepted_is_told_of_each() -> None:
    stats = replace(stats_of(), tested=100, accepted=70, looked_up=40, looked_up_accepted=16)
    told = dict(details(answer_of(stats=stats), stats))["Accepted"]
    assert told == "draft model 54 of 60 (90.0 %), lookup 16 of 40 (40.0 %)"

    by_one = replace(stats, looked_up=100, looked_up_accepted=70)
    assert "Accepted" not in dict(details(answer_of(stats=by_one), by_one))


def test_lookup_is_no_draft_model() -> None:
    answer = answer_of(stats=stats_of(), draft="Prompt lookup")
    assert summary(answer)[-1] == "Prompt lookup"
    assert dict(details(answer, stats_of()))["Drafts from"] == "Prompt lookup"
    assert "Drafted" not in details_tips(answer)
    assert "Drafted" not in details_tips(answer_of(stats=stats_of(), draft=None))


def test_it_is_told_whose_memory_the_peak_leaves_out() -> None:
    assert "did not use" in details_tips(answer_of(stats=stats_of(), draft=None))["Peak memory"]


def test_details_of_an_automatic_length() -> None:
    stats = replace(stats_of(), rounds=21, plain_s=8.3)
    found = dict(details(answer_of(stats=stats), stats))
    assert found["Rounds"] == "20, 5 of them without a draft"
    assert found["Speed-up"] == "about 1.6× plain, estimated"


def test_an_answer_with_a_known_cost_of_plain_steps_is_held_against_them() -> None:
    words = summary(answer_of(stats=replace(stats_of(), plain_s=8.3)))
    assert words[-2:] == ["about 1.6× plain, estimated", "draft model: Small 0.5B"]


@pytest.mark.parametrize(
    "stats",
    [
        replace(stats_of(tested=0, accepted=0, drafted=0), plain_s=8.3),
        replace(stats_of(generated=15, accepted=15), plain_s=8.3),
        replace(stats_of(), plain_s=None),
    ],
)
def test_there_is_no_estimate_where_it_would_tell_nothing(stats: GenerationStats) -> None:
    assert estimate(stats) == ""
    assert not any("plain" in word for word in summary(answer_of(stats=stats)))


def test_a_draft_that_stayed_away_is_told() -> None:
    words = summary(answer_of(stats=stats_of(tested=0, accepted=0, drafted=0)))
    assert words[-2:] == ["nothing was drafted", "draft model: Small 0.5B"]


def test_where_the_time_went() -> None:
    assert [name for name, _, _ in times(stats_of())] == ["Prompt", "Drafting", "Verifying", "Sampling"]
    paused = times(replace(stats_of(), rounds=stats_of().rounds + 40))
    assert [name for name, _, _ in paused][2] == "Target"
    plain = times(stats_of(tested=0, accepted=0, drafted=0))
    assert [name for name, _, _ in plain] == ["Prompt", "Generating", "Sampling"]
