"""Where ticks are, and how values are written."""

import pytest

from app.ui.chart_series import Level, Series, highest_value, point_ticks, tick_text, ticks, value_text


@pytest.mark.parametrize(
    ("low", "high", "wanted"),
    [
        (0.0, 14.7, [0.0, 2.5, 5.0, 7.5, 10.0, 12.5]),
        (0.0, 1.0, [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]),
        (0.0, 90.0, [0.0, 20.0, 40.0, 60.0, 80.0]),
        (0.3, 2.2, [0.5, 1.0, 1.5, 2.0]),
        (5.0, 5.0, [5.0]),
    ],
)
def test_ticks_are_at_round_values(low: float, high: float, wanted: list[float]) -> None:
    assert ticks(low, high, 6) == pytest.approx(wanted)


def test_draft_lengths_are_whole_numbers() -> None:
    lengths = [Series("", ((1.0, 5.0), (4.0, 6.0), (8.0, 5.5)), "accent")]
    assert point_ticks(lengths, 1.0, 8.0, 4) == [1, 2, 3, 4, 5, 6, 7, 8]
    shares = [Series("", ((0.0, 5.0), (0.5, 6.0), (1.0, 5.5)), "accent")]
    assert point_ticks(shares, 0.0, 1.0, 5) == pytest.approx([0.0, 0.2, 0.4, 0.6, 0.8, 1.0])


def test_many_whole_numbers_are_thinned_out() -> None:
    assert point_ticks([Series("", ((0.0, 1.0), (96.0, 2.0)), "accent")], 0.0, 96.0, 5) == [0, 20, 40, 60, 80]


def test_the_highest_value_counts_spreads_and_levels() -> None:
    series = Series("", ((1.0, 5.0),), "accent", spread=((4.0, 6.5),))
    assert highest_value([series], []) == 6.5
    assert highest_value([series], [Level("", 7.0, "muted")]) == 7.0
    assert highest_value([], []) == 0.0


@pytest.mark.parametrize(
    ("value", "text"), [(1.524, "1.52"), (9.996, "10.0"), (12.34, "12.3"), (140.4, "140"), (None, "–")]
)
def test_values_have_three_digits(value: float | None, text: str) -> None:
    assert value_text(value) == text


def test_ticks_are_written_as_short_as_they_are() -> None:
    assert [tick_text(value) for value in (0.0, 2.5, 10.0, 0.30000000000000004)] == ["0", "2.5", "10", "0.3"]
