"""The figures of a generation, by hand."""

import pytest
from msgspec.structs import replace

from app.core.stats import DraftSource, RoundStats, StatsRecorder, StopReason, generation_rate


def round_of(drafted: int, tested: int, accepted: int, emitted: int) -> RoundStats:
    return RoundStats(DraftSource.DRAFT_MODEL, drafted, tested, accepted, emitted, 0.1, 0.2, 0.01)


def test_an_answer_of_four_rounds() -> None:
    recorder = StatsRecorder(started=10.0, prompt_tokens=7)
    recorder.prompt_read(11.0, cached_tokens=3)
    recorder.add(round_of(0, 0, 0, 1), now=12.0)
    recorder.add(round_of(3, 3, 2, 3), now=13.0)
    recorder.add(round_of(2, 0, 0, 1), now=14.0)  # too short a draft: ignored
    recorder.add(round_of(3, 3, 3, 4), now=16.0)
    stats = recorder.finish(StopReason.MAX_TOKENS, peak_rss_bytes=99)

    assert (stats.generated_tokens, stats.prompt_tokens, stats.cached_prompt_tokens) == (9, 7, 3)
    assert (stats.prompt_s, stats.time_to_first_token_s, stats.decode_s) == (1.0, 2.0, 4.0)
    assert stats.tok_per_s == pytest.approx(8 / 4.0)
    assert (stats.rounds, stats.drafted, stats.tested, stats.ignored, stats.accepted) == (4, 8, 6, 2, 5)
    assert stats.accepted_by_position == (2, 2, 1)
    assert stats.tested_by_position == (2, 2, 2)
    assert stats.acceptance_rate == pytest.approx(5 / 6)
    assert stats.share_from_draft == pytest.approx(5 / 9)
    assert stats.mean_accepted_length == pytest.approx(1 + 5 / 4)
    assert (stats.draft_s, stats.verify_s, stats.sample_s) == pytest.approx((0.4, 0.8, 0.04))
    assert stats.peak_rss_bytes == 99


def test_what_a_lookup_found_behind_a_draft_is_told_apart() -> None:
    recorder = StatsRecorder(started=0.0, prompt_tokens=1)
    for accepted in (1, 2, 4):  # of two tokens of the model and two of a lookup behind them
        recorder.add(replace(round_of(4, 4, accepted, accepted + 1), looked_up=2), now=1.0)
    recorder.add(round_of(3, 3, 3, 4), now=2.0)
    stats = recorder.finish(StopReason.MAX_TOKENS, peak_rss_bytes=0)

    assert (stats.tested, stats.accepted) == (15, 10)
    assert (stats.looked_up, stats.looked_up_accepted) == (6, 2)


def test_what_lies_behind_the_last_token_is_in_no_estimate_of_plain_speed() -> None:
    recorder = StatsRecorder(started=0.0, prompt_tokens=1)
    recorder.add(RoundStats(DraftSource.NONE, 0, 0, 0, 1, 0.0, 0.0, 0.0), now=1.0)
    recorder.add(round_of(0, 0, 0, 1), now=1.4)  # 0.3 s of passes, and 0.1 s of other things
    recorder.add(round_of(3, 3, 0, 0), now=1.8)  # the end
    stats = recorder.finish(StopReason.END_OF_GENERATION, 0, plain_passes_s=0.5)

    assert stats.decode_s == pytest.approx(0.4)
    assert stats.plain_s == pytest.approx(0.1 + 0.5)


def test_nothing_generated_gives_no_rates_and_no_division() -> None:
    stats = StatsRecorder(started=0.0, prompt_tokens=5).finish(StopReason.STOPPED, 1)
    assert stats.generated_tokens == 0
    assert stats.time_to_first_token_s is None
    assert stats.tok_per_s is stats.acceptance_rate is stats.share_from_draft is None
    assert stats.mean_accepted_length is None


@pytest.mark.parametrize(("tokens", "seconds"), [(0, 1.0), (1, 1.0), (5, 0.0)])
def test_there_is_no_rate_without_two_tokens_and_some_time(tokens: int, seconds: float) -> None:
    assert generation_rate(tokens, seconds) is None
