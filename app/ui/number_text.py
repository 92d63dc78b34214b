"""Numbers as people type and read them, the same in every locale: "4,096", "4k", "0.05"."""

import math
import re
from collections.abc import Callable
from typing import Generic, TypeVar

from msgspec import Struct

T = TypeVar("T")

_GROUPED = re.compile(r"[1-9]\d{0,2}(,\d{3})+(\.\d*)?")
_GROUPED_WHOLE = re.compile(r"[1-9]\d{0,2}(,\d{3})+")
_PLAIN = re.compile(r"(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?")
_MULTIPLES = {"k": 1024, "m": 1024**2}
_MOST_DIGITS = 40
_LARGEST = 2**31 - 1  # what llama.cpp takes for most of its numbers


class NumberFormat(Struct, Generic[T], frozen=True):
    """How a field's text becomes a value and back. `read` raises ValueError for what is no such number.

    For one above `largest` it raises TooLargeError.
    """

    read: Callable[[str], T]
    text: Callable[[T], str]
    is_whole: bool


class TooLargeError(ValueError):
    """A whole number, but above `largest`."""

    def __init__(self, largest: int) -> None:
        super().__init__(f"above {largest}, so too large")
        self.largest = largest


def whole_from(text: str) -> int:
    """A whole number: "4096", "4,096", "4 096", "4k" or "1.5k" (of 1024). Raises ValueError."""
    tidy = _tidy(text)
    sign, digits = _signed(tidy)
    if _GROUPED_WHOLE.fullmatch(digits):
        digits = digits.replace(",", "")
    if digits.isascii() and digits.isdigit() and len(digits) <= _MOST_DIGITS:
        value = int(digits)
    else:
        times = _MULTIPLES.get(digits[-1:], 0)
        exact = _decimal(digits[:-1]) * times if times else _decimal(digits)
        value = int(exact)
        if value != exact:
            raise ValueError(f"{text!r} is no whole number")
    return sign * value


def decimal_from(text: str) -> float:
    """A number: "0.05", "0,05", "1,000,000", "1e-3". Raises ValueError."""
    sign, digits = _signed(_tidy(text))
    return sign * _decimal(digits)


def whole_text(value: int) -> str:
    """With commas between thousands."""
    return f"{value:,}"


def decimal_text(value: float, digits: int = 2) -> str:
    """With at least so many decimals, and as many as tell the value from all others."""
    shortest = repr(float(value))
    if "e" in shortest or "n" in shortest:  # exponents, "inf" and "nan" are left as they are
        return shortest
    decimals = len(shortest.partition(".")[2].rstrip("0"))
    return f"{value:.{digits}f}" if decimals <= digits else shortest


def whole(*, grouped: bool = True, largest: int = _LARGEST) -> NumberFormat[int]:
    """A whole number that must be given, with commas between thousands or without."""

    def read(text: str) -> int:
        value = whole_from(text)
        if value > largest:
            raise TooLargeError(largest)
        if value < -largest:
            raise ValueError(f"{text!r} is too far below zero")
        return value

    return NumberFormat(read, whole_text if grouped else str, is_whole=True)


def decimal(digits: int = 2) -> NumberFormat[float]:
    """A number that must be given."""
    return NumberFormat(decimal_from, lambda value: decimal_text(value, digits), is_whole=False)


def or_empty(form: NumberFormat[T], empty: T) -> NumberFormat[T]:
    """The same, and an empty field stands for `empty`."""
    return NumberFormat(
        lambda text: form.read(text) if text.strip() else empty,
        lambda value: "" if value == empty else form.text(value),
        form.is_whole,
    )


def optional(form: NumberFormat[T]) -> NumberFormat[T | None]:
    """The same, and an empty field stands for no value."""
    return NumberFormat(
        lambda text: form.read(text) if text.strip() else None,
        lambda value: "" if value is None else form.text(value),
        form.is_whole,
    )


def _tidy(text: str) -> str:
    """Without spaces (thin and unbreakable ones too) and underscores, in small letters."""
    return "".join(text.split()).replace("_", "").replace("\u2212", "-").lower()


def _signed(tidy: str) -> tuple[int, str]:
    if tidy[:1] in ("+", "-"):
        return (-1 if tidy[0] == "-" else 1), tidy[1:]
    return 1, tidy


def _decimal(digits: str) -> float:
    """A number without a sign."""
    if _GROUPED.fullmatch(digits):
        digits = digits.replace(",", "")
    elif digits.count(",") == 1 and "." not in digits:
        digits = digits.replace(",", ".")  # a decimal comma
    if len(digits) > _MOST_DIGITS or not digits.isascii() or not _PLAIN.fullmatch(digits):
        raise ValueError(f"{digits!r} is no number")
    value = float(digits)
    if not math.isfinite(value):
        raise ValueError(f"{digits!r} is too large")
    return value
