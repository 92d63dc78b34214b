"""Numbers are read in every common spelling, and written in one."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.ui.number_text import (
    TooLargeError,
    decimal,
    decimal_from,
    decimal_text,
    optional,
    or_empty,
    whole,
    whole_from,
    whole_text,
)


@pytest.mark.parametrize(
    "text",
    ["4096", "4,096", "4 096", "4\u202f096", "4_096", "4k", "4K", "4 k", "+4096", "4096.0", "4.0k", " 4096 "],
)
def test_4096_in_many_spellings(text: str) -> None:
    assert whole_from(text) == 4096


@pytest.mark.parametrize(
    ("text", "value"),
    [("0", 0), ("-1", -1), ("\u22121", -1), ("1.5k", 1536), ("1m", 1_048_576), ("131,072", 131_072)],
)
def test_other_whole_numbers(text: str, value: int) -> None:
    assert whole_from(text) == value


@pytest.mark.parametrize(
    "text", ["", "k", "many", "4,09", "4.5", "4,0,9,6", "--4", "0x10", "1e999", "٤", "nan"]
)
def test_what_is_no_whole_number(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        whole_from(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.05", 0.05),
        (".05", 0.05),
        ("0,05", 0.05),
        ("0,125", 0.125),  # not grouped: no group begins with 0
        ("5.", 5.0),
        ("1,000,000", 1e6),
        ("1,000,000.5", 1000000.5),
        ("1e-3", 0.001),
        ("-2", -2.0),
    ],
)
def test_decimals_with_a_point_or_a_comma(text: str, value: float) -> None:
    assert decimal_from(text) == value


@pytest.mark.parametrize("text", ["", "-", "0.1.2", "0,1,2", "inf", "nan", "1e999", "1/2", "5 %"])
def test_what_is_no_decimal(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        decimal_from(text)


@given(st.integers(-(2**40), 2**40))
def test_a_whole_number_comes_back_from_its_text(value: int) -> None:
    assert whole_from(whole_text(value)) == value


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_decimal_comes_back_from_its_text(value: float) -> None:
    assert decimal_from(decimal_text(value)) == value


def test_decimals_have_as_many_digits_as_they_need_and_two_at_least() -> None:
    assert [decimal_text(value) for value in (0.0, 0.75, 0.333, 1e-7)] == ["0.00", "0.75", "0.333", "1e-07"]
    assert decimal_text(10000.0, 0) == "10000"


def test_an_empty_field_may_stand_for_a_value_or_for_none() -> None:
    automatic, seed = or_empty(whole(), 0), optional(whole())

    assert (automatic.read(" "), automatic.text(0), automatic.text(8)) == (0, "", "8")
    assert (seed.read(""), seed.text(None), seed.text(0)) == (None, "", "0")
    with pytest.raises(ValueError, match=r"."):
        decimal().read("")


def test_numbers_that_no_setting_can_have_are_refused() -> None:
    assert whole().read("2147483647") == 2**31 - 1
    with pytest.raises(TooLargeError, match="too large") as raised:
        whole().read("2147483648")
    assert raised.value.largest == 2**31 - 1
    with pytest.raises(ValueError, match="below zero"):
        whole().read("-2147483648")
    assert math.isfinite(decimal().read("1e300"))
