"""The quick choice of a model."""

from pathlib import Path

import pytest
from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QListView, QPushButton
from pytestqt.qtbot import QtBot

from app.models.library import LocalModel
from app.ui.model_picker import ModelPicker
from app.ui.theme import Theme
from tests.fakes.children import child
from tests.fakes.local_models import local_model

NAMES = ("Qwen2.5-Coder 1.5B", "Qwen2.5-Coder 0.5B", "SmolLM2 135M")
MODELS = tuple(local_model(name, path=Path(f"/models/{n}.gguf")) for n, name in enumerate(NAMES))


@pytest.fixture
def picker(theme: Theme, qtbot: QtBot) -> ModelPicker:
    made = ModelPicker()
    qtbot.addWidget(made)
    made.show_models(MODELS)
    made.open_at(QPoint(0, 0))
    return made


def chosen(picker: ModelPicker, qtbot: QtBot, *keys: Qt.Key) -> LocalModel:
    field = child(picker, QLineEdit, "model_picker_filter")
    with qtbot.waitSignal(picker.model_chosen) as signal:
        for key in keys:
            QTest.keyClick(field, key)
    model = signal.args[0]
    assert isinstance(model, LocalModel)
    return model


def test_enter_takes_the_first(picker: ModelPicker, qtbot: QtBot) -> None:
    assert chosen(picker, qtbot, Qt.Key.Key_Return) is MODELS[0]
    assert picker.isHidden()


def test_arrow_keys_move_while_the_field_has_the_focus(picker: ModelPicker, qtbot: QtBot) -> None:
    assert chosen(picker, qtbot, Qt.Key.Key_Down, Qt.Key.Key_Return) is MODELS[1]


def test_typing_narrows_the_list(picker: ModelPicker, qtbot: QtBot) -> None:
    QTest.keyClicks(child(picker, QLineEdit, "model_picker_filter"), "smol")
    assert child(picker, QListView, "model_picker_list").model().rowCount() == 1
    assert chosen(picker, qtbot, Qt.Key.Key_Return) is MODELS[2]


def test_nothing_found_chooses_nothing(picker: ModelPicker, qtbot: QtBot) -> None:
    field = child(picker, QLineEdit, "model_picker_filter")
    QTest.keyClicks(field, "zzz")
    with qtbot.assertNotEmitted(picker.model_chosen):
        QTest.keyClick(field, Qt.Key.Key_Return)


def test_my_models_is_one_click_away(picker: ModelPicker, qtbot: QtBot) -> None:
    with qtbot.waitSignal(picker.models_page_requested):
        child(picker, QPushButton, "model_picker_manage_button").click()


def rows(picker: ModelPicker) -> QListView:
    return child(picker, QListView, "model_picker_list")


def test_the_loaded_one_is_marked_and_selected_first(picker: ModelPicker, qtbot: QtBot) -> None:
    picker.set_loaded(MODELS[1].path)
    picker.open_at(QPoint(0, 0))

    model = rows(picker).model()
    said = [str(model.index(row, 0).data(Qt.ItemDataRole.AccessibleTextRole)) for row in range(3)]
    assert [text.endswith(", loaded") for text in said] == [False, True, False]
    assert chosen(picker, qtbot, Qt.Key.Key_Return) is MODELS[1]

    picker.set_loaded(None)
    picker.open_at(QPoint(0, 0))
    assert chosen(picker, qtbot, Qt.Key.Key_Return) is MODELS[0]


def test_the_loaded_one_is_in_sight_in_a_long_list(picker: ModelPicker) -> None:
    many = tuple(local_model(f"model {n:02}", path=Path(f"/models/{n}.gguf")) for n in range(40))
    picker.show_models(many)
    picker.set_loaded(many[30].path)
    picker.open_at(QPoint(0, 0))

    view = rows(picker)
    assert view.currentIndex().row() == 30
    assert view.viewport().rect().contains(view.visualRect(view.currentIndex()))


def test_another_listing_keeps_the_selection(picker: ModelPicker, qtbot: QtBot) -> None:
    QTest.keyClick(child(picker, QLineEdit, "model_picker_filter"), Qt.Key.Key_Down)
    picker.show_models((local_model("A new one", path=Path("/models/new.gguf")), *MODELS))

    assert chosen(picker, qtbot, Qt.Key.Key_Return).path == MODELS[1].path


def test_a_long_name_leaves_room_for_format_and_size(picker: ModelPicker) -> None:
    """The right end of a row looks the same whatever the length of its name."""
    names = ("short", "a name that goes on and on " * 6)
    picker.show_models([local_model(name, path=Path(f"/models/{n}.gguf")) for n, name in enumerate(names)])
    picker.open_at(QPoint(0, 0))
    view = rows(picker)
    view.clearSelection()
    view.setCurrentIndex(QModelIndex())
    ends = []
    for row in range(2):
        place = view.visualRect(view.model().index(row, 0))
        ends.append(view.viewport().grab(place.adjusted(place.width() - 120, 0, 0, 0)).toImage())

    assert ends[0] == ends[1]
    assert len({ends[0].pixel(x, ends[0].height() // 2) for x in range(ends[0].width())}) > 1
    assert view.horizontalScrollBar().maximum() == 0
    assert view.verticalScrollBar().maximum() == 0
