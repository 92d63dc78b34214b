"""What can be done with a model file from a list: its menu, and deleting it after a question."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, QPoint, Signal
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QMenu, QWidget

from app.models.library import LocalModel, UnusableFile
from app.models.model_deletion import Deletion
from app.models.model_names import printable
from app.ui.delete_dialog import DeleteDialog
from app.ui.library_service import LibraryService

Entry = LocalModel | UnusableFile


class ModelActions(QObject):
    """Menus and questions belong to `window`, and never wait for an answer."""

    load_requested = Signal(object)  # LocalModel
    configure_requested = Signal(object)  # LocalModel
    failed = Signal(str)  # a sentence

    def __init__(
        self, library: LibraryService, show_in_folder: Callable[[Path], None], window: QWidget
    ) -> None:
        super().__init__(window)
        self._library = library
        self._show_in_folder = show_in_folder
        self._window = window
        self._menu: QMenu | None = None
        self._dialog: DeleteDialog | None = None

    def show_menu(self, entry: Entry, place: QPoint, *, in_use: bool = False) -> QMenu:
        """Opens the menu of a row at a place on the screen."""
        if self._menu is not None:
            self._menu.deleteLater()
        menu = self._menu = QMenu(self._window)
        menu.setObjectName("model_menu")
        if isinstance(entry, LocalModel):
            model = entry
            self._add(menu, self.tr("Load"), "load_action", lambda: self.load_requested.emit(model))
            self._add(
                menu,
                self.tr("Edit Model Default Config"),
                "configure_action",
                lambda: self.configure_requested.emit(model),
            )
            menu.addSeparator()
        self._add(menu, self.tr("Show in folder"), "show_in_folder_action", lambda: self.show(entry))
        self._add(menu, self.tr("Copy path"), "copy_path_action", lambda: self.copy_path(entry))
        menu.addSeparator()
        text = self.tr("Delete…") if entry.managed else self.tr("Remove from list…")
        if in_use:
            text = self.tr("{action} (in use: eject it first)").format(action=text)
        self._add(menu, text, "delete_action", lambda: self.ask_deletion(entry)).setEnabled(not in_use)
        menu.popup(place)
        return menu

    def show(self, entry: Entry) -> None:
        """Opens the file manager."""
        self._show_in_folder(entry.path)

    def copy_path(self, entry: Entry) -> None:
        """Puts the file's path on the clipboard."""
        QGuiApplication.clipboard().setText(str(entry.path))

    def ask_deletion(self, entry: Entry) -> None:
        """Asks whether to delete a model or, outside the managed folder, to remove it from the list."""
        self._library.plan_deletion(entry, lambda deletion: self._ask(entry, deletion))

    def _ask(self, entry: Entry, deletion: Deletion) -> None:
        if self._dialog is not None:
            self._dialog.deleteLater()
        name = entry.name if isinstance(entry, LocalModel) else printable(entry.path.name)
        dialog = self._dialog = DeleteDialog(name, deletion, managed=entry.managed, parent=self._window)
        dialog.deletion_confirmed.connect(lambda: self._library.delete(entry, self._deleted))
        dialog.removal_confirmed.connect(lambda: self._library.hide(entry))
        dialog.open()

    def _deleted(self, sentence: str) -> None:
        if sentence:
            self.failed.emit(sentence)

    def _add(self, menu: QMenu, text: str, name: str, act: Callable[[], None]) -> QAction:
        action = menu.addAction(text)
        action.setObjectName(name)
        action.triggered.connect(lambda: act())
        return action
