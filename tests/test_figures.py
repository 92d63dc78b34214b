"""Figures in words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.figures import (
    MISSING,
    bytes_text,
    count_text,
    duration_text,
    part_texts,
    percent_text,
    rate_figure,
    rate_text,
    round_bytes_text,
    share_text,
    speed_text,
    time_left_text,
    times_text,
)


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0, "0 bytes"),
        (1, "1 byte"),
        (999, "999 bytes"),
        (1000, "1.00 kB"),
        (9_994, "9.99 kB"),
        (9_996, "10.0 kB"),
        (99_960, "100 kB"),
        (597_000_000, "597 MB"),
        (999_499_999, "999 MB"),
        (999_500_000, "1.00 GB"),
        (1_066_000_000, "1.07 GB"),
        (-1_803_000_000, "-1.80 GB"),
        (2 * 10**18, "2000 PB"),
    ],
)
def test_bytes_have_three_digits(count: int, text: str) -> None:
    assert bytes_text(count) == text


@given(st.integers(0, 10**17))
def test_bytes_are_right_within_half_a_percent(count: int) -> None:
    number, unit = bytes_text(count).split()
    factor = {"byte": 1, "bytes": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12, "PB": 1e15}[unit]
    assert float(number) * factor == pytest.approx(count, rel=0.00501)
    assert float(number) < 1000


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (None, MISSING),
        (0.0, "0.0 %"),
        (0.0001, "<0.1 %"),
        (0.4567, "45.7 %"),
        (84 / 85, "98.8 %"),
        (0.9999, ">99.9 %"),
        (1.0, "100.0 %"),
    ],
)
def test_only_the_whole_is_a_hundred_percent(share: float | None, text: str) -> None:
    assert percent_text(share) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (None, MISSING),
        (-1.0, MISSING),
        (float("nan"), MISSING),
        (float("inf"), MISSING),
        (0.0, "0.0 ms"),
        (0.0042, "4.2 ms"),
        (0.00996, "10 ms"),
        (0.31, "310 ms"),
        (0.9996, "1.0 s"),
        (3.24, "3.2 s"),
        (59.96, "1 min 00 s"),
        (75.0, "1 min 15 s"),
        (3599.6, "1 h 00 min"),
        (7_500.0, "2 h 05 min"),
    ],
)
def test_durations_carry_over_when_rounded(seconds: float | None, text: str) -> None:
    assert duration_text(seconds) == text


@pytest.mark.parametrize(
    ("share", "text"),
    [(0.0, "0 %"), (0.001, "<1 %"), (0.704, "70 %"), (0.999, ">99 %"), (1.0, "100 %")],
)
def test_only_nothing_is_nought_and_only_the_whole_a_hundred(share: float, text: str) -> None:
    assert share_text(share) == text.replace(" ", "\N{NO-BREAK SPACE}")


@pytest.mark.parametrize(
    ("count", "text"),
    [(537_000_000, "0.5 GB"), (450_000_000, "0.5 GB"), (449_000_000, "449 MB"), (3_620_000_000, "3.6 GB")],
)
def test_round_sizes_are_for_sentences(count: int, text: str) -> None:
    assert round_bytes_text(count) == text


def test_speeds() -> None:
    assert (rate_text(8.24), rate_text(None)) == ("8.2 tok/s", MISSING)
    assert (rate_figure(8.24), rate_figure(1234.5), rate_figure(None)) == ("8.2", "1234", MISSING)
    assert (times_text(2.0249), times_text(None)) == ("2.02×", MISSING)
    assert (times_text(0.0), times_text(0.0049), times_text(0.005)) == ("0.00×", "<0.01×", "0.01×")


def test_large_numbers_in_short() -> None:
    counts = (999_000, 135_000_000, 1_540_000_000, 32_800_000_000, 42_000)
    assert [count_text(count) for count in counts] == ["1M", "135M", "1.5B", "33B", "42K"]


@pytest.mark.parametrize(
    ("part", "whole", "texts"),
    [
        (0, 1_600_000_000, ("0.00", "1.60 GB")),
        (1_432_000_000, 1_600_000_000, ("1.43", "1.60 GB")),
        (1_599_999_999, 1_600_000_000, ("1.59", "1.60 GB")),
        (1_600_000_000, 1_600_000_000, ("1.60", "1.60 GB")),
        (999_500, 999_500, ("1.00", "1.00 MB")),
        (123_456, 24_300_000, ("0.1", "24.3 MB")),
        (5, 400, ("5", "400 bytes")),
        (0, 0, ("0", "0 bytes")),
    ],
)
def test_a_part_has_the_unit_of_the_whole(part: int, whole: int, texts: tuple[str, str]) -> None:
    assert part_texts(part, whole) == texts


@pytest.mark.parametrize(
    ("speed", "text"),
    [
        (0.4, "0 bytes/s"),
        (99.0, "99 bytes/s"),
        (994.0, "990 bytes/s"),
        (995.0, "1.0 kB/s"),
        (42_345_678.0, "42 MB/s"),
        (4_234_567.0, "4.2 MB/s"),
        (423_456_789.0, "420 MB/s"),
        (999_999.0, "1.0 MB/s"),
    ],
)
def test_speeds_have_two_digits(speed: float, text: str) -> None:
    assert speed_text(speed) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.0, "0 s"),
        (0.2, "1 s"),
        (11.3, "12 s"),
        (59.2, "1 min 00 s"),
        (256.0, "4 min 20 s"),
        (601.0, "11 min"),
        (3_541.0, "1 h 00 min"),
        (7_500.0, "2 h 05 min"),
    ],
)
def test_time_left_becomes_rougher_the_more_it_is(seconds: float, text: str) -> None:
    assert time_left_text(seconds) == text
