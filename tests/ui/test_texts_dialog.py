"""Both answers to one prompt of a suite."""

from pytestqt.qtbot import QtBot

from app.ui.suite_tab import SuiteTab
from app.ui.suite_view import SuiteView
from app.ui.texts_dialog import TextsDialog
from tests.fakes.compare_services import ComparePlace
from tests.fakes.compare_tabs import part, press
from tests.fakes.experiments import CODE, DRAFTED, OFF, STORY, suite_experiment


def test_it_shows_what_either_side_answered(place: ComparePlace, qtbot: QtBot) -> None:
    experiment = suite_experiment((OFF, DRAFTED), identical=False)
    dialog = TextsDialog(place.services, experiment, STORY, (OFF, DRAFTED))
    qtbot.addWidget(dialog)
    dialog.show()
    left, right = (experiment.runs_of(each.id, STORY.id)[0].text for each in (OFF, DRAFTED))
    assert left != right
    assert dialog.texts == (left, right)


def test_a_side_that_did_not_answer_is_empty(place: ComparePlace, qtbot: QtBot) -> None:
    experiment = suite_experiment((OFF, DRAFTED), ended_runs=1)
    dialog = TextsDialog(place.services, experiment, CODE, (OFF, DRAFTED))
    qtbot.addWidget(dialog)
    assert dialog.texts == (experiment.runs[0].text, "")


def test_a_row_of_the_suite_leads_to_it(place: ComparePlace, qtbot: QtBot) -> None:
    tab = SuiteTab(place.services)
    qtbot.addWidget(tab)
    tab.resize(1100, 600)
    tab.show()
    tab.show_experiment(suite_experiment((OFF, DRAFTED)))
    assert not part(tab, "suite_texts_button").isVisible()
    view = tab.findChild(SuiteView)
    assert view is not None
    view.selectRow(3)
    assert not part(tab, "suite_texts_button").isVisible(), "all of them together have no text"
    view.selectRow(0)
    press(tab, "suite_texts_button")
    dialog = tab.findChild(TextsDialog)
    assert dialog is not None
    assert dialog.isVisible()
    assert dialog.texts[0] == dialog.texts[1] != ""
    dialog.reject()
