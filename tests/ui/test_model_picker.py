"""The quick choice of a model."""

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
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
