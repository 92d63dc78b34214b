"""A name in the bar on top gives way, its quantisation does not."""

import pytest
from pytestqt.qtbot import QtBot

from app.ui.model_pill import ModelPill, shared_widths

LONG = "Meta Llama 3.1 Nemotron Nano Instruct Abliterated 8B"


def pill(qtbot: QtBot, name: str, quantisation: str = "Q4_K_M") -> ModelPill:
    made = ModelPill("pill", "A model")
    qtbot.addWidget(made)
    made.say(name, quantisation)
    return made


def test_with_room_it_says_all(qtbot: QtBot) -> None:
    made = pill(qtbot, LONG)
    made.give(made.whole_width())
    assert made.text().split() == [*LONG.split(), "·", "Q4_K_M"]


@pytest.mark.parametrize("share", [0.8, 0.5])
def test_with_less_the_name_is_cut_in_its_middle(qtbot: QtBot, share: float) -> None:
    made = pill(qtbot, LONG)
    width = round(share * made.whole_width())
    made.give(width)
    name, kind = made.text().split("·")
    assert kind.strip() == "Q4_K_M"
    assert name.strip().startswith("Meta")
    assert name.strip().endswith("8B")
    assert "…" in name
    assert made.width() == width


def test_an_ampersand_is_no_shortcut(qtbot: QtBot) -> None:
    made = pill(qtbot, "Draft & Target")
    made.give(made.whole_width())
    assert "&&" in made.text()


def test_two_share_the_room_and_a_short_name_takes_no_more_than_it_needs(qtbot: QtBot) -> None:
    long, short = pill(qtbot, LONG), pill(qtbot, "Prompt lookup", "")
    room = short.whole_width() + long.whole_width() // 2
    assert shared_widths([long, short], room) == [room - short.whole_width(), short.whole_width()]

    twins = [pill(qtbot, LONG), pill(qtbot, LONG)]
    first, second = shared_widths(twins, twins[0].whole_width())
    assert abs(first - second) <= 1
    assert first + second == twins[0].whole_width()
