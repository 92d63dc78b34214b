"""Numbers that can be dragged or typed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QLineEdit, QSlider
from pytestqt.qtbot import QtBot

from app.ui.slider_field import SliderField, SliderScale
from app.ui.theme import Theme
from tests.fakes.children import child

RATES = SliderScale(0.5, 500.0, 0.01, 100_000.0, even_factors=True)
LENGTHS = SliderScale(1, 16, 1, 16, step=1.0)


@pytest.fixture
def field(theme: Theme, qtbot: QtBot) -> SliderField:
    made = SliderField("rate_field", "Speed", "tok/s", RATES, 10.0)
    qtbot.addWidget(made)
    made.show()
    return made


def typed(field: SliderField, text: str, qtbot: QtBot) -> None:
    line = child(field, QLineEdit, "rate_field")
    line.selectAll()
    qtbot.keyClicks(line, text)


def slider(field: SliderField) -> QSlider:
    return child(field, QSlider, "rate_field_slider")


def test_dragging_changes_the_number(field: SliderField, qtbot: QtBot) -> None:
    with qtbot.waitSignal(field.value_changed):
        slider(field).setValue(slider(field).maximum())
    assert field.value == 500.0
    assert child(field, QLineEdit, "rate_field").text() == "500"


def test_typing_moves_the_slider(field: SliderField, qtbot: QtBot) -> None:
    typed(field, "500", qtbot)
    assert field.value == 500.0
    assert slider(field).value() == slider(field).maximum()


def test_a_number_beyond_the_slider_can_be_typed(field: SliderField, qtbot: QtBot) -> None:
    typed(field, "2000", qtbot)
    assert field.value == 2000.0
    assert child(field, QLineEdit, "rate_field").text() == "2000"


@pytest.mark.parametrize("text", ["0", "fast", "200000", ""])
def test_what_cannot_be_used_is_marked_and_the_number_stays(
    field: SliderField, text: str, qtbot: QtBot
) -> None:
    typed(field, text or "\b", qtbot)
    if not text:
        child(field, QLineEdit, "rate_field").clear()
        child(field, QLineEdit, "rate_field").textEdited.emit("")
    line = child(field, QLineEdit, "rate_field")
    assert line.property("invalid")
    assert "Speed must be a number from 0.01 to 100000." in line.toolTip()
    assert field.value != 0.0


def test_setting_tells_nothing_and_rounds(field: SliderField, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(field.value_changed):
        field.set_value(8.2345)
    assert field.value == 8.23


def test_the_keyboard_steps_by_one_where_numbers_are_whole(theme: Theme, qtbot: QtBot) -> None:
    made = SliderField("count_field", "Tokens", "", LENGTHS, 5)
    qtbot.addWidget(made)
    made.show()
    for wanted in range(6, 17):
        qtbot.keyClick(child(made, QSlider, "count_field_slider"), Qt.Key.Key_Right)
        assert made.value == wanted


@given(st.floats(0.5, 500.0))
def test_a_place_on_the_slider_is_near_its_value(value: float) -> None:
    assert RATES.value(RATES.position(value)) == pytest.approx(value, rel=0.02)


@given(st.integers(1, 16))
def test_every_whole_number_has_a_place(value: int) -> None:
    assert LENGTHS.value(LENGTHS.position(value)) == value


def test_number_and_slider_have_names_of_their_own(field: SliderField) -> None:
    number, slider = child(field, QLineEdit, "rate_field"), child(field, QSlider, "rate_field_slider")
    assert slider.accessibleName() == f"{number.accessibleName()}, slider"


def test_a_number_that_cannot_be_used_is_explained_in_plain_view(theme: Theme, qtbot: QtBot) -> None:
    field = SliderField("rate_field", "Speed", "tok/s", RATES, 10.0, "How fast it is.")
    qtbot.addWidget(field)
    field.show()
    line = child(field, QLabel, "rate_field_line")
    assert line.text() == "How fast it is."
    with qtbot.waitSignal(field.problem_changed):
        typed(field, "fast", qtbot)
    assert line.text() == field.problem == "Speed must be a number from 0.01 to 100000."
    field.set_explained(False)
    assert line.isVisible(), "a problem is told in any case"
    with qtbot.waitSignal(field.problem_changed):
        typed(field, "20", qtbot)
    assert field.problem == ""
    assert not line.isVisible()


def test_one_has_a_unit_of_its_own(theme: Theme, qtbot: QtBot) -> None:
    field = SliderField("rate_field", "Length", "tokens", LENGTHS, 2, single="token")
    qtbot.addWidget(field)
    units = [each for each in field.findChildren(QLabel) if each.text().startswith("token")]
    assert [each.text() for each in units] == ["tokens"]
    typed(field, "1", qtbot)
    assert [each.text() for each in units] == ["token"]
