"""How many drafted tokens were accepted."""

import pytest
from pytestqt.qtbot import QtBot

from app.ui.acceptance_meter import AcceptanceMeter
from app.ui.chat_sidebar import WIDTH
from app.ui.meters import AnswerTally
from app.ui.theme import Theme
from app.ui.track import Segment
from app.ui.widgets import ElidedLabel
from tests.fakes.children import child


@pytest.fixture
def meter(theme: Theme, qtbot: QtBot) -> AcceptanceMeter:
    made = AcceptanceMeter(theme)
    qtbot.addWidget(made)
    return made


def test_before_the_first_draft_there_is_no_rate(meter: AcceptanceMeter) -> None:
    assert meter.figures == "no draft tokens yet"
    assert meter.share == ""
    assert meter.track.segments == ()


def test_it_shows_both_rates_by_name(meter: AcceptanceMeter) -> None:
    meter.show_tally(AnswerTally(generated=96, tested=83, accepted=82))
    assert meter.figures == "98.8 % · 82 of 83"
    assert meter.share == "85.4 % of the answer from drafts"
    assert meter.track.segments == (Segment(0.988, "accent"),)
    assert meter.accessibleDescription() == f"{meter.figures}, {meter.share}"


def test_drafts_that_were_all_rejected_are_a_rate_of_nothing(meter: AcceptanceMeter) -> None:
    meter.show_tally(AnswerTally(generated=4, tested=9, accepted=0))
    assert meter.figures == "0.0 % · 0 of 9"
    assert meter.share == "0.0 % of the answer from drafts"


def test_long_answers_leave_room_for_all_figures_in_the_sidebar(meter: AcceptanceMeter) -> None:
    meter.resize(WIDTH - 2 * 16, meter.sizeHint().height())
    meter.show()
    meter.show_tally(AnswerTally(generated=12_000, tested=11_149, accepted=11_146))
    figures = child(meter, ElidedLabel, "acceptance_figures")
    assert meter.figures == ">99.9 % · 11,146 of 11,149"
    assert figures.text() == meter.figures, "not cut"


def test_another_answer_empties_it(meter: AcceptanceMeter) -> None:
    meter.show_tally(AnswerTally(generated=96, tested=83, accepted=82))
    meter.show_tally(AnswerTally())
    assert meter.figures == "no draft tokens yet"
    assert meter.track.segments == ()
