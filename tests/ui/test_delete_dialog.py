"""Deleting a model from My Models: never without a question that names the files."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QCheckBox,
    QLabel,
    QPlainTextEdit,
)

from app.ui.delete_dialog import DeleteDialog
from app.ui.models_view import MORE
from tests.fakes.children import child
from tests.fakes.library_places import Places
from tests.fakes.opened_models_page import OpenedModelsPage


class TestDeleting:
    def ask(self, opened: OpenedModelsPage) -> DeleteDialog:
        opened.click_in_row(0, MORE)
        opened.menu_action("delete_action").trigger()
        return opened.dialog()

    def press(self, opened: OpenedModelsPage, dialog: DeleteDialog, name: str) -> None:
        opened.qtbot.mouseClick(child(dialog, QAbstractButton, name), Qt.MouseButton.LeftButton)

    def test_it_asks_with_path_and_size(self, places: Places, opened: OpenedModelsPage) -> None:
        path = places.put("publisher/model/a.gguf")
        opened.show()
        dialog = self.ask(opened)
        assert dialog.windowTitle() == "Delete a?"
        paths = dialog.findChild(QPlainTextEdit, "delete_paths")
        assert paths is not None
        assert paths.toPlainText() == str(path)
        assert any(
            f"{path.stat().st_size / 1000:.0f} kB" in label.text() for label in dialog.findChildren(QLabel)
        )
        self.press(opened, dialog, "cancel_delete_button")
        assert path.exists()
        assert opened.names() == ["a"]

    def test_a_model_of_the_managed_folder_is_deleted(self, places: Places, opened: OpenedModelsPage) -> None:
        places.put("publisher/model/a.gguf")
        opened.show()
        dialog = self.ask(opened)
        assert not child(dialog, QCheckBox, "delete_from_disk_box").isVisible()
        self.press(opened, dialog, "confirm_delete_button")
        assert list(places.managed.iterdir()) == []
        assert opened.names() == []

    def test_another_is_only_removed_from_the_list(self, places: Places, opened: OpenedModelsPage) -> None:
        path = places.put("a.gguf", managed=False)
        places.library.add_folder(places.other)
        opened.show()
        dialog = self.ask(opened)
        assert child(dialog, QAbstractButton, "confirm_delete_button").text() == "Remove from list"
        self.press(opened, dialog, "confirm_delete_button")
        assert path.exists()
        assert opened.names() == []
        opened.click("show_hidden_models_button")
        assert opened.names() == ["a"]

    def test_unless_the_user_says_otherwise(self, places: Places, opened: OpenedModelsPage) -> None:
        path = places.put("a.gguf", managed=False)
        places.library.add_folder(places.other)
        opened.show()
        dialog = self.ask(opened)
        child(dialog, QCheckBox, "delete_from_disk_box").setChecked(True)
        assert child(dialog, QAbstractButton, "confirm_delete_button").text() == "Delete"
        self.press(opened, dialog, "confirm_delete_button")
        assert not path.exists()
        assert opened.names() == []
        assert places.preferences.settings.hidden_files == ()

    def test_its_words_follow_the_tick(self, places: Places, opened: OpenedModelsPage) -> None:
        path = places.put("a.gguf", managed=False)
        places.library.add_folder(places.other)
        opened.show()
        dialog = self.ask(opened)
        box, sentence = (
            child(dialog, QCheckBox, "delete_from_disk_box"),
            child(dialog, QLabel, "delete_sentence"),
        )
        heading = child(dialog, QLabel, "delete_heading")
        removing = ("Remove a from the list?", "It lies outside the models folder and stays on the disk:")
        size = f"{path.stat().st_size / 1000:.0f} kB"
        deleting = ("Delete a?", f"This deletes the file from the disk, for good ({size}):")
        assert (heading.text(), sentence.text()) == removing
        box.setChecked(True)
        assert (heading.text(), sentence.text()) == deleting
        assert dialog.windowTitle() == deleting[0]
        box.setChecked(False)
        assert (heading.text(), sentence.text()) == removing
        assert dialog.windowTitle() == removing[0]

    def test_a_failure_is_told(
        self, places: Places, opened: OpenedModelsPage, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = places.put("a.gguf")
        opened.show()

        def refuse(*_: object, **__: object) -> None:
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr(Path, "unlink", refuse)
        self.press(opened, self.ask(opened), "confirm_delete_button")
        assert opened.notice("models_notice") == f"{path} could not be deleted: Permission denied."
        assert opened.names() == ["a"]
