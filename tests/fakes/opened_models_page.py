"""My Models on the screen, as tests operate it."""

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractButton, QLabel, QLineEdit, QMenu
from pytestqt.qtbot import QtBot

from app.models.library import LocalModel
from app.models.model_folders import OfferedFolder
from app.ui.delete_dialog import DeleteDialog
from app.ui.folder_offers import FolderOffers
from app.ui.icons import Icons
from app.ui.models_page import ModelsPage
from app.ui.models_table import ModelColumn
from app.ui.models_view import ModelsView
from app.ui.notice import Notice
from app.ui.theme import Theme
from tests.fakes.library_places import Places


class OpenedModelsPage:
    """A page on the screen, with what it asked for."""

    def __init__(self, places: Places, theme: Theme, icons: Icons, qtbot: QtBot) -> None:
        self.places = places
        self.offered: tuple[OfferedFolder, ...] = ()
        self.shown_in_folder: list[Path] = []
        self.offers = FolderOffers(lambda: self.offered, places.preferences, places.tasks, places.managed)
        self.page = ModelsPage(theme, icons, places.library, self.offers, self.shown_in_folder.append)
        self.loads: list[LocalModel] = []
        self.configures: list[LocalModel] = []
        self.page.load_requested.connect(self.loads.append)
        self.page.configure_requested.connect(self.configures.append)
        qtbot.addWidget(self.page)
        self.page.resize(1216, 720)
        self.qtbot = qtbot

    def show(self) -> None:
        """Shows the page, which looks at the disk."""
        self.page.show()
        self.qtbot.waitExposed(self.page)

    @property
    def view(self) -> ModelsView:
        found = self.page.findChild(ModelsView, "models_table")
        assert found is not None
        return found

    def names(self) -> list[str]:
        """The rows' names, from the top."""
        model = self.view.model()
        return [model.index(row, ModelColumn.NAME).data() for row in range(model.rowCount())]

    def text(self, name: str) -> str:
        label = self.page.findChild(QLabel, name)
        assert label is not None
        return label.text() if label.isVisible() else ""

    def click(self, name: str) -> None:
        button = self.page.findChild(QAbstractButton, name)
        assert button is not None
        assert button.isVisible()
        self.qtbot.mouseClick(button, Qt.MouseButton.LeftButton)

    def click_in_row(self, row: int, name: str) -> None:
        place = self.view.button_place(row, name).center()
        self.qtbot.mouseClick(self.view.viewport(), Qt.MouseButton.LeftButton, pos=place)

    def type_filter(self, text: str) -> None:
        field = self.page.findChild(QLineEdit, "models_filter")
        assert field is not None
        field.setText(text)

    def menu_action(self, name: str) -> QAction:
        """An action of the menu that is open."""
        menus = [menu for menu in self.page.findChildren(QMenu, "model_menu") if menu.isVisible()]
        assert len(menus) == 1
        found = menus[0].findChild(QAction, name)
        assert found is not None
        menus[0].close()
        return found

    def notice(self, name: str) -> str:
        found = self.page.findChild(Notice, name)
        assert found is not None
        return found.sentence if found.isVisible() else ""

    def dialog(self) -> DeleteDialog:
        found = [dialog for dialog in self.page.findChildren(DeleteDialog) if dialog.isVisible()]
        assert len(found) == 1
        return found[0]

    def close(self) -> None:
        """Takes the page off the screen."""
        self.page.close()
        self.offers.deleteLater()
