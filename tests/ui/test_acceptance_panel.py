"""The acceptance rule in the sidebar."""

import pytest
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit
from pytestqt.qtbot import QtBot

from app.core.options import AcceptanceRule, SpeculationOptions
from app.ui.acceptance_panel import AcceptancePanel
from app.ui.option_words import rule_text
from app.ui.theme import Theme
from tests.fakes.children import child

LIMITS = {
    AcceptanceRule.DIFFERENCE: "sidebar_difference_limit_field",
    AcceptanceRule.RATIO: "sidebar_ratio_limit_field",
    AcceptanceRule.TOP_K: "sidebar_top_k_limit_field",
}


@pytest.fixture
def panel(theme: Theme, qtbot: QtBot) -> AcceptancePanel:
    made = AcceptancePanel()
    qtbot.addWidget(made)
    made.set_choosable(True)
    made.show()
    return made


def show(panel: AcceptancePanel, rule: AcceptanceRule) -> None:
    panel.show_options(SpeculationOptions(acceptance=rule), another=True)


@pytest.mark.parametrize("rule", AcceptanceRule)
def test_only_rules_that_change_the_output_are_labelled(panel: AcceptancePanel, rule: AcceptanceRule) -> None:
    show(panel, rule)
    assert child(panel, QComboBox, "sidebar_acceptance_rule_box").currentText() == rule_text(rule)
    assert child(panel, QLabel, "sidebar_changes_output_tag").isVisible() == rule.changes_output


@pytest.mark.parametrize("rule", AcceptanceRule)
def test_a_rule_has_its_own_limit_and_no_other(panel: AcceptancePanel, rule: AcceptanceRule) -> None:
    show(panel, rule)
    visible = [owner for owner, name in LIMITS.items() if child(panel, QLineEdit, name).isVisible()]
    assert visible == ([rule] if rule in LIMITS else [])


def test_choosing_a_rule_is_told(panel: AcceptancePanel, qtbot: QtBot) -> None:
    box = child(panel, QComboBox, "sidebar_acceptance_rule_box")
    index = box.findText(rule_text(AcceptanceRule.TOP_K))
    with qtbot.waitSignal(panel.adjusted) as adjusted:
        box.setCurrentIndex(index)
        box.activated.emit(index)
    assert adjusted.args == [SpeculationOptions(acceptance=AcceptanceRule.TOP_K)]


def test_a_limit_applies_as_it_is_typed(panel: AcceptancePanel, qtbot: QtBot) -> None:
    show(panel, AcceptanceRule.TOP_K)
    field = child(panel, QLineEdit, LIMITS[AcceptanceRule.TOP_K])
    field.selectAll()
    with qtbot.waitSignal(panel.adjusted) as adjusted:
        qtbot.keyClicks(field, "8")
    assert adjusted.args == [SpeculationOptions(acceptance=AcceptanceRule.TOP_K, top_k_limit=8)]


def test_a_limit_that_cannot_be_used_is_marked_and_not_told(panel: AcceptancePanel, qtbot: QtBot) -> None:
    show(panel, AcceptanceRule.TOP_K)
    field = child(panel, QLineEdit, LIMITS[AcceptanceRule.TOP_K])
    field.selectAll()
    with qtbot.assertNotEmitted(panel.adjusted):
        qtbot.keyClicks(field, "0")
    assert field.property("invalid")
    assert "top-k limit" in field.toolTip().lower()


def test_where_it_cannot_be_chosen_the_harmless_rules_are_not_mentioned(panel: AcceptancePanel) -> None:
    panel.set_choosable(False)
    show(panel, AcceptanceRule.REJECTION)
    assert not panel.isVisible()
    show(panel, AcceptanceRule.RATIO)
    assert panel.isVisible()
