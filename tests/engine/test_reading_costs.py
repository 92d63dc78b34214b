"""What it costs that the draft model reads, before and after it has read a long text."""

import pytest
from msgspec.structs import replace

from app.core.pass_costs import PassCosts
from app.engine.reading_costs import ReadingCosts

MEASURED = PassCosts(
    (1, 4),
    (0.100, 0.140),
    draft_s=0.020,
    context_tokens=4,
    feed_lengths=(1, 4, 16),
    feed_times_s=(0.020, 0.030, 0.080),
)


class TestAsMeasured:
    def test_the_token_that_each_draft_begins_with_is_free(self) -> None:
        assert ReadingCosts(MEASURED, 1e-6).seconds(1, 1000) == 0.0

    def test_few_take_what_was_timed(self) -> None:
        assert ReadingCosts(MEASURED, 0.0).seconds(4, 0) == pytest.approx(0.010)
        assert ReadingCosts(MEASURED, 0.0).seconds(16, 0) == pytest.approx(0.060)

    def test_a_long_text_is_estimated_from_the_shortest_and_the_longest(self) -> None:
        assert ReadingCosts(MEASURED, 0.0).seconds(116, 0) == pytest.approx(0.060 + 100 * 0.004)

    def test_where_drafting_alone_was_timed_passes_grow_as_the_targets(self) -> None:
        alone = replace(MEASURED, feed_lengths=(1,), feed_times_s=(0.020,))
        assert ReadingCosts(alone, 0.0).seconds(101, 0) == pytest.approx(100 * 0.020 * 0.4 / 3)

    def test_each_token_looks_back_on_what_is_read_by_then(self) -> None:
        assert ReadingCosts(MEASURED, 1e-5).seconds(101, 1000) == pytest.approx(0.060 + 85 * 0.004 + 0.9495)

    def test_nothing_is_said_to_be_learnt(self) -> None:
        assert ReadingCosts(MEASURED, 0.0).token_s is None


class TestRead:
    def test_a_long_text_tells_at_once_what_the_next_one_takes(self) -> None:
        reading = ReadingCosts(MEASURED, 0.0)
        reading.observe(116, 0, 0.060 + 100 * 0.0025)
        assert reading.seconds(1016, 0) == pytest.approx(0.060 + 1000 * 0.0025)
        assert reading.seconds(16, 0) == pytest.approx(0.060), "short ones were timed"
        assert reading.token_s == pytest.approx(0.0025)

    def test_of_later_ones_half_counts(self) -> None:
        reading = ReadingCosts(replace(MEASURED, read_s=0.003), 0.0)
        reading.observe(116, 0, 0.060 + 100 * 0.005)
        assert reading.token_s == pytest.approx(0.004)

    def test_one_that_was_held_up_is_taken_to_have_been_as_slow_as_drafting(self) -> None:
        """Else the draft model might never read a long text again, and so never show how long it takes."""
        reading = ReadingCosts(MEASURED, 0.0)
        reading.observe(116, 0, 3600.0)
        assert reading.token_s == pytest.approx(0.020)

    def test_what_the_context_adds_is_not_taken_for_the_tokens_own(self) -> None:
        reading = ReadingCosts(MEASURED, 1e-5)
        reading.observe(1016, 1016, reading.seconds(1016, 1016))
        assert reading.token_s == pytest.approx(0.004)

    @pytest.mark.parametrize("missed", [2, 16, 31])
    def test_a_short_text_tells_nothing(self, missed: int) -> None:
        assert not ReadingCosts(MEASURED, 0.0).is_telling(missed)

    def test_of_one_that_was_hardly_longer_than_what_was_timed_neither(self) -> None:
        longer = replace(MEASURED, feed_lengths=(1, 64), feed_times_s=(0.020, 0.272))
        assert not ReadingCosts(longer, 0.0).is_telling(127)
        assert ReadingCosts(longer, 0.0).is_telling(128)

    def test_no_reading_is_taken_to_be_free(self) -> None:
        """One that was stopped, or a clock that stood still."""
        reading = ReadingCosts(MEASURED, 0.0)
        reading.observe(116, 0, 0.0)
        assert reading.seconds(1016, 0) > 0.06 + 1000 * 0.001
