"""The colours of a theme, by what they are for, from its file."""

import tomllib
from pathlib import Path

from msgspec import Struct
from PySide6.QtGui import QColor


class Colours(Struct, frozen=True):
    """One colour for each role. Nothing but a theme's file names a colour."""

    window: QColor  # behind everything
    panel: QColor  # bars, sidebars, cards
    raised: QColor  # selected rows, buttons, tracks
    field: QColor  # inputs
    line: QColor  # hairlines
    text: QColor
    muted: QColor
    faint: QColor  # what is not to be read at once
    accent: QColor  # the one thing to do next, speculation, accepted tokens
    accent_text: QColor  # on accent
    accent_soft: QColor  # behind accepted tokens and chosen rows
    warning: QColor
    warning_soft: QColor
    bad: QColor
    bad_soft: QColor
    good: QColor
    knob: QColor  # of switches and sliders
    code: QColor  # behind code
    code_keyword: QColor
    code_string: QColor
    code_function: QColor
    code_comment: QColor
    code_number: QColor
    chart_1: QColor
    chart_2: QColor
    chart_3: QColor
    chart_4: QColor
    chart_5: QColor


class ThemeFile(Struct, frozen=True):
    """What a theme's file says."""

    name: str
    is_dark: bool
    colours: Colours


def read_theme(path: Path) -> ThemeFile:
    """Reads a theme. Raises OSError, and ValueError or KeyError for a file that is not one: it is ours."""
    content = tomllib.loads(path.read_text(encoding="utf-8"))
    named = content["colours"]
    colours = {role: _colour(named[role]) for role in Colours.__struct_fields__}
    return ThemeFile(content["name"], content["dark"], Colours(**colours))


def css(colour: QColor) -> str:
    """A colour as style sheets write it."""
    return f"rgba({colour.red()}, {colour.green()}, {colour.blue()}, {colour.alphaF():.3f})"


def _colour(text: str) -> QColor:
    value, _, opacity = text.partition(":")
    colour = QColor(value)
    if not colour.isValid():
        raise ValueError(f"{text} is not a colour")
    if opacity:
        colour.setAlphaF(int(opacity) / 100)
    return colour
