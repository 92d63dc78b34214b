"""The meters on top of the chat's sidebar."""

import pytest
from msgspec.structs import replace
from pytestqt.qtbot import QtBot

from app.core.options import SpeculationMode, SpeculationOptions
from app.core.recent_drafting import DraftingReading
from app.ui.acceptance_meter import AcceptanceMeter
from app.ui.drafting_line import DraftingLine
from app.ui.meters_panel import MetersPanel
from app.ui.theme import Theme
from tests.fakes.children import child
from tests.fakes.readings import reading
from tests.fakes.scripted_rounds import drafted_round


@pytest.fixture
def panel(theme: Theme, qtbot: QtBot) -> MetersPanel:
    made = MetersPanel(theme)
    qtbot.addWidget(made)
    made.show()
    return made


@pytest.mark.parametrize("mode", SpeculationMode)
def test_drafts_are_shown_where_there_are_any(panel: MetersPanel, mode: SpeculationMode) -> None:
    drafts = mode is not SpeculationMode.OFF
    panel.show_options(SpeculationOptions(mode=mode))
    assert child(panel, AcceptanceMeter, "acceptance_meter").isVisible() is drafts
    assert child(panel, DraftingLine, "drafting_line").isVisible() is drafts


def test_without_a_model_there_is_nothing_of_drafts(panel: MetersPanel) -> None:
    assert not child(panel, DraftingLine, "drafting_line").isVisible()


def test_it_hands_on_what_was_read_of_drafts(panel: MetersPanel) -> None:
    drafting = DraftingReading(rounds=(drafted_round().stats,), speedup=2.0)
    panel.show_reading(replace(reading(), drafting=drafting))
    line = child(panel, DraftingLine, "drafting_line")
    assert line.strip.rounds == drafting.rounds
    assert line.speedup == "about 2.0× plain, estimated"
