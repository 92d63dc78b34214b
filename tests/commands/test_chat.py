"""What `slipstream chat` says below an answer."""

import pytest
from msgspec.structs import replace

from app.commands.chat import summary
from app.core.stats import GenerationStats
from tests.fakes.experiments import AUTO, OFF, run_of

STATS = run_of(AUTO, 16.0).stats


def drafted(speedup: float | None) -> GenerationStats:
    """An answer whose speed-up against plain generation is estimated so."""
    return replace(STATS, plain_s=None if speedup is None else speedup * STATS.decode_s)


def test_the_figures_of_an_answer_are_one_line() -> None:
    parts = summary(drafted(None)).split(" · ")
    assert parts[:3] == ["16.0 tok/s", "96 tokens", "first after 300 ms"]
    assert parts[3].startswith(f"accepted {STATS.accepted} of {STATS.tested} draft tokens (")
    assert parts[-1] == "token limit reached"


@pytest.mark.parametrize(
    ("speedup", "words"), [(1.6, "about 1.60× plain (estimated)"), (0.994, "about 0.99×")]
)
def test_the_speed_up_is_told_where_it_can_be_estimated(speedup: float, words: str) -> None:
    assert words in summary(drafted(speedup))


def test_where_it_cannot_be_nothing_is_claimed() -> None:
    for stats in (drafted(None), replace(drafted(1.6), decode_s=0.0)):
        assert "plain" not in summary(stats)


def test_an_answer_without_a_draft_was_plain_itself() -> None:
    plain = run_of(OFF).stats
    assert "plain" not in summary(replace(plain, plain_s=0.9 * plain.decode_s))
