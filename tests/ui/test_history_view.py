"""How the list of the history looks."""

from collections.abc import Callable
from datetime import date
from itertools import product

import pytest
from PySide6.QtGui import QColor, QFontMetrics
from pytestqt.qtbot import QtBot

from app.core.experiment_entry import ExperimentEntry
from app.core.gain import Gain
from app.core.sameness import Sameness
from app.ui.history_table import HistoryColumn, HistoryFilter, HistoryTable
from app.ui.history_view import HistoryView
from app.ui.history_words import result_lines
from app.ui.icons import Icons
from app.ui.theme import Theme
from tests.fakes.history_entries import history_entry

WIDTH = 910  # of the list in the dialog, pixels
PADDING = 12  # of a cell, on each side

Show = Callable[[ExperimentEntry], HistoryView]


@pytest.fixture
def show(theme: Theme, icons: Icons, qtbot: QtBot) -> Show:
    def shown(entry: ExperimentEntry) -> HistoryView:
        table = HistoryTable(date.today)
        view = HistoryView(theme, icons, HistoryFilter(table))
        table.setParent(view)
        qtbot.addWidget(view)
        table.show_entries([entry])
        view.resize(WIDTH, 120)
        view.show()
        return view

    return shown


def result_colours(view: HistoryView) -> set[str]:
    """Those in the cell with the result."""
    cell = view.visualRect(view.model().index(0, HistoryColumn.RESULT))
    image = view.viewport().grab(cell).toImage()
    return {QColor(image.pixel(x, y)).name() for x, y in product(range(image.width()), range(image.height()))}


@pytest.mark.parametrize(
    ("entry", "is_good"),
    [
        (history_entry(), True),
        (history_entry(sameness=Sameness.NEAR_TIE), True),
        (history_entry(sameness=Sameness.DIFFERS), False),
        (history_entry(may_change=True), False),
    ],
)
def test_only_a_gain_with_the_same_text_has_the_colour_of_one(
    show: Show, theme: Theme, entry: ExperimentEntry, is_good: bool
) -> None:
    found = result_colours(show(entry))
    assert (theme.colours.accent.name() in found) is is_good
    assert (theme.colours.warning.name() in found) is not is_good


def test_no_result_is_cut(show: Show, theme: Theme) -> None:
    room = show(history_entry()).columnWidth(HistoryColumn.RESULT) - 2 * PADDING
    strong, small = QFontMetrics(theme.body_font(strong=True)), QFontMetrics(theme.body_font(12))
    for gain, runs, sameness, is_complete in product(Gain, (1, 2), Sameness, (True, False)):
        first, second = result_lines(
            history_entry(
                speedup=12.34,
                gain=gain,
                runs=runs,
                is_sure=False,
                sameness=sameness,
                may_change=True,
                is_complete=is_complete,
            )
        )
        assert strong.horizontalAdvance(first) <= room, first
        assert small.horizontalAdvance(second) <= room, second
