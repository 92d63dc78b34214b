"""Figures in words, the same in the window and in the terminal."""

import math

MISSING = "–"  # stands for a figure that cannot be given
_NO_BREAK = "\N{NO-BREAK SPACE}"
_WIDE_RATE = 999.95  # tok/s; from here on a decimal tells nothing
_ROUND_SIZE = 450_000_000  # bytes; from here on one decimal of a GB is enough
_UNITS = ("kB", "MB", "GB", "TB", "PB")


def bytes_text(count: int) -> str:
    """A number of bytes in decimal units with three digits: "1.07 GB"."""
    if abs(count) < 1000:
        return f"{count} byte" if abs(count) == 1 else f"{count} bytes"
    value = count / 1000
    power = 0
    while abs(value) >= 999.5 and power < len(_UNITS) - 1:
        value /= 1000
        power += 1
    digits = 2 if abs(value) < 9.995 else 1 if abs(value) < 99.95 else 0
    return f"{value:.{digits}f} {_UNITS[power]}"


def round_bytes_text(count: int) -> str:
    """A number of bytes in round figures, for sentences: "0.5 GB", "145 MB"."""
    return f"{count / 1e9:.1f} GB" if count >= _ROUND_SIZE else bytes_text(count)


def part_texts(part: int, whole: int) -> tuple[str, str]:
    """A part and the whole in bytes, in the same unit, which only the whole names: "1.43", "1.60 GB".

    The part is never rounded up.
    """
    text = bytes_text(whole)
    figure, _, unit = text.partition(" ")
    if part >= whole:
        return figure, text
    digits = len(figure.partition(".")[2])
    per_unit = 1000 ** (_UNITS.index(unit) + 1) if unit in _UNITS else 1
    return f"{math.floor(10**digits * part / per_unit) / 10**digits:.{digits}f}", text


def speed_text(bytes_per_s: float) -> str:
    """Bytes per second in two digits, so that they can be read while they change: "42 MB/s"."""
    size = round(bytes_per_s)
    if size >= 100:
        size = round(size, 2 - len(str(size)))
    figure, _, unit = bytes_text(size).partition(" ")
    return f"{figure[:3].rstrip('.')} {unit}/s"


def time_left_text(seconds: float) -> str:
    """How long something will take, roughly: "12 s", "4 min 20 s", "2 h 05 min"."""
    step = 1 if seconds < 60 else 5 if seconds < 600 else 60
    rounded = step * math.ceil(seconds / step)
    if rounded < 60:
        return f"{rounded} s"
    text = duration_text(rounded)
    return text.removesuffix(" 00 s") if step == 60 else text


def count_text(count: int) -> str:
    """A large number, in short: "494M", "1.5B"."""
    if count >= 9_950_000_000:
        return f"{count / 1e9:.0f}B"
    if count >= 995_000_000:
        return f"{count / 1e9:.1f}B"
    return f"{count / 1e6:.0f}M" if count >= 995_000 else f"{count / 1e3:.0f}K"


def rate_text(tok_per_s: float | None) -> str:
    """Tokens per second: "8.2 tok/s"."""
    return MISSING if tok_per_s is None else f"{rate_figure(tok_per_s)} tok/s"


def rate_figure(tok_per_s: float | None) -> str:
    """The same without its unit, for where that stands elsewhere: "8.2"."""
    if tok_per_s is None:
        return MISSING
    return f"{tok_per_s:.1f}" if tok_per_s < _WIDE_RATE else f"{tok_per_s:.0f}"


def percent_text(share: float | None) -> str:
    """A share of 1 in percent. Only nothing is shown as 0 and only the whole as 100."""
    if share is None:
        return MISSING
    text = f"{100 * share:.1f} %"
    if text == "100.0 %" and share < 1:
        return ">99.9 %"
    if text == "0.0 %" and share > 0:
        return "<0.1 %"
    return text


def share_text(share: float) -> str:
    """A share of 1 in whole percent: "70 %". Only nothing is 0 and only the whole 100.

    For sentences: lines break on neither side of its no-break space.
    """
    percent = round(100 * share)
    if percent == 0 and share > 0.0:
        return f"<1{_NO_BREAK}%"
    return f">99{_NO_BREAK}%" if percent == 100 and share < 1.0 else f"{percent}{_NO_BREAK}%"


def times_text(factor: float | None) -> str:
    """A speed-up: "2.02×". Only nothing is shown as 0."""
    if factor is None:
        return MISSING
    return "<0.01×" if 0.0 < factor < 0.005 else f"{factor:.2f}×"


def duration_text(seconds: float | None) -> str:
    """A length of time: "4.2 ms", "310 ms", "3.2 s", "1 min 15 s", "2 h 05 min"."""
    if seconds is None or not math.isfinite(seconds) or seconds < 0:
        return MISSING
    if seconds < 0.00995:
        return f"{1000 * seconds:.1f} ms"
    if seconds < 0.9995:
        return f"{1000 * seconds:.0f} ms"
    if seconds < 59.95:
        return f"{seconds:.1f} s"
    if seconds < 3599.5:
        minutes, rest = divmod(round(seconds), 60)
        return f"{minutes} min {rest:02} s"
    hours, minutes = divmod(round(seconds / 60), 60)
    return f"{hours} h {minutes:02} min"
