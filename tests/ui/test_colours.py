"""Themes: every role has a colour, and what is to be read can be read."""

from pathlib import Path

import pytest
from PySide6.QtGui import QColor

from app.paths import resource
from app.ui.colours import Colours, css, read_theme

THEMES = ("dark", "light")
READABLE = 4.5  # the contrast that WCAG 2 asks of text (level AA)


def luminance(colour: QColor) -> float:
    channels = [colour.redF(), colour.greenF(), colour.blueF()]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def over(front: QColor, back: QColor) -> QColor:
    share = front.alphaF()
    mixed = [
        share * f + (1 - share) * b
        for f, b in zip(front.getRgbF()[:3], back.getRgbF()[:3], strict=True)  # type: ignore[index]
    ]
    return QColor.fromRgbF(*mixed)


def contrast(front: QColor, back: QColor) -> float:
    brighter, darker = sorted((luminance(front), luminance(back)), reverse=True)
    return (brighter + 0.05) / (darker + 0.05)


@pytest.fixture(params=THEMES)
def colours(request: pytest.FixtureRequest) -> Colours:
    return read_theme(resource(f"themes/{request.param}.toml")).colours


@pytest.mark.parametrize("role", ["text", "muted", "accent", "warning", "bad", "good"])
@pytest.mark.parametrize("behind", ["window", "panel", "field"])
def test_words_stand_out_from_what_is_behind_them(colours: Colours, role: str, behind: str) -> None:
    assert contrast(getattr(colours, role), getattr(colours, behind)) >= READABLE


@pytest.mark.parametrize(
    ("front", "soft"),
    [("text", "accent_soft"), ("text", "warning_soft"), ("text", "bad_soft")],
)
def test_words_stand_out_from_tinted_grounds(colours: Colours, front: str, soft: str) -> None:
    ground = over(getattr(colours, soft), colours.panel)
    assert contrast(getattr(colours, front), ground) >= READABLE


def test_the_word_on_a_primary_button_stands_out(colours: Colours) -> None:
    assert contrast(colours.accent_text, colours.accent) >= READABLE


@pytest.mark.parametrize(
    "role", ["code_keyword", "code_string", "code_function", "code_comment", "code_number"]
)
def test_code_stands_out(colours: Colours, role: str) -> None:
    assert contrast(getattr(colours, role), colours.code) >= READABLE


@pytest.mark.parametrize("theme", THEMES)
def test_a_theme_gives_every_role_and_no_other(theme: str) -> None:
    path = resource(f"themes/{theme}.toml")
    named = [line.split(" ")[0] for line in path.read_text(encoding="utf-8").splitlines() if '= "#' in line]
    assert named == list(Colours.__struct_fields__)


def test_a_word_that_is_no_colour_is_refused(tmp_path: Path) -> None:
    source = resource("themes/dark.toml").read_text(encoding="utf-8")
    broken = tmp_path / "broken.toml"
    broken.write_text(source.replace("#15181d", "#nothing"), encoding="utf-8")
    with pytest.raises(ValueError, match="#nothing"):
        read_theme(broken)


def test_opacity_is_kept_for_style_sheets() -> None:
    soft = read_theme(resource("themes/dark.toml")).colours.accent_soft
    assert css(soft) == "rgba(53, 201, 176, 0.160)"
