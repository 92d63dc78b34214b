"""A field for a number: what is typed, what it means, how it is written."""

from typing import Any

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.ui.number_field import NumberField
from app.ui.number_text import decimal, or_empty, whole


@pytest.fixture
def field(qtbot: QtBot) -> NumberField[int]:
    made = NumberField("context_field", "Context Length", or_empty(whole(), 0), 2048, placeholder="Own")
    qtbot.addWidget(made)
    made.show()
    return made


def typed(qtbot: QtBot, field: NumberField[Any], text: str) -> None:
    field.selectAll()
    qtbot.keyClick(field, Qt.Key.Key_Delete)
    qtbot.keyClicks(field, text)


def test_shows_and_names_itself(field: NumberField[int]) -> None:
    assert field.text() == "2,048"
    assert (field.objectName(), field.accessibleName()) == ("context_field", "Context Length")


@pytest.mark.parametrize("text", ["4096", "4,096", "4k"])
def test_a_number_is_spelt_anew_when_the_field_is_left(
    qtbot: QtBot, field: NumberField[int], text: str
) -> None:
    with qtbot.waitSignal(field.value_changed):
        typed(qtbot, field, text)
    assert (field.value, field.text()) == (4096, text)

    qtbot.keyClick(field, Qt.Key.Key_Return)

    assert field.text() == "4,096"


def test_what_is_no_number_is_marked_and_stays_to_be_mended(qtbot: QtBot, field: NumberField[int]) -> None:
    typed(qtbot, field, "4x")
    qtbot.keyClick(field, Qt.Key.Key_Return)

    assert (field.is_readable, field.text(), field.value) == (False, "4x", 4)
    assert field.property("invalid") is True

    typed(qtbot, field, "8")
    assert field.is_readable
    assert field.property("invalid") is False


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("1.5", "Context Length must be a whole number."),
        ("abc", "Context Length must be a whole number."),
        ("99999999999", "Context Length can be at most 2,147,483,647."),
        ("4096", ""),
    ],
)
def test_says_what_it_takes(qtbot: QtBot, field: NumberField[int], text: str, sentence: str) -> None:
    typed(qtbot, field, text)

    assert field.unreadable == sentence


def test_says_it_closer_where_it_knows_more(qtbot: QtBot) -> None:
    plain = NumberField("p", "Top P", decimal(), 1.0)
    share = NumberField("p", "Draft probability", decimal(), 0.0, expected="a number from 0 to 1")
    for field in (plain, share):
        qtbot.addWidget(field)
        typed(qtbot, field, "x")

    assert plain.unreadable == "Top P must be a number."
    assert share.unreadable == "Draft probability must be a number from 0 to 1."


def test_an_empty_field_means_what_its_placeholder_says(qtbot: QtBot, field: NumberField[int]) -> None:
    typed(qtbot, field, "")

    assert (field.value, field.is_readable, field.placeholderText()) == (0, True, "Own")


def test_setting_a_value_is_no_change_by_the_person(qtbot: QtBot, field: NumberField[int]) -> None:
    with qtbot.assertNotEmitted(field.value_changed):
        field.set_value(512)
    assert field.text() == "512"


def test_a_value_of_many_digits_comes_back_untouched(qtbot: QtBot) -> None:
    field = NumberField("p", "Probability", decimal(), 0.1 + 0.2)
    qtbot.addWidget(field)
    field.editingFinished.emit()

    assert field.value == 0.1 + 0.2


def test_a_problem_is_told_in_the_tooltip_and_to_screen_readers(qtbot: QtBot) -> None:
    field = NumberField("k", "k", whole(), 0, hint="How many.")
    qtbot.addWidget(field)

    field.set_problem("Too few.")
    assert (field.toolTip(), field.accessibleDescription()) == ("Too few.", "Too few.")
    assert field.property("invalid") is True

    field.set_problem("")
    assert (field.toolTip(), field.property("invalid")) == ("How many.", False)


def test_an_unavailable_field_says_why_and_keeps_its_value(field: NumberField[int]) -> None:
    field.set_unavailable("none in this build")
    field.set_value(7)

    assert (field.isEnabled(), field.text(), field.value) == (False, "", 7)
    assert field.placeholderText() == field.toolTip() == "none in this build"
