"""The page of settings: one column of cards."""

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QScrollArea, QWidget

from app import paths
from app.models.hub import Account
from app.ui.about_card import AboutCard
from app.ui.appearance_card import AppearanceCard
from app.ui.defaults_card import DefaultsCard
from app.ui.folders_card import FoldersCard
from app.ui.icons import Icons
from app.ui.library_service import LibraryService
from app.ui.places_card import Place, PlacesCard
from app.ui.preferences import Preferences
from app.ui.settings_card import Show
from app.ui.show_in_folder import show_in_folder
from app.ui.start_card import StartCard
from app.ui.tasks import Tasks
from app.ui.theme import Theme
from app.ui.token_card import TokenCard
from app.ui.widgets import column, label, row

_WIDEST = 760  # pixels


class SettingsPage(QScrollArea):
    """Everything applies at once and is saved by itself. `network` is for what asks Hugging Face."""

    def __init__(
        self,
        theme: Theme,
        icons: Icons,
        preferences: Preferences,
        library: LibraryService,
        account: Account,
        tasks: Tasks,
        network: Tasks,
        show_folder: Show = show_in_folder,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("settings_page")
        self.setAccessibleName(self.tr("Settings"))
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._token_card = TokenCard(account, tasks, network)
        cards = QWidget()
        cards.setMaximumWidth(_WIDEST)
        cards.setLayout(
            column(
                label(self.tr("Settings"), size="title"),
                AppearanceCard(preferences),
                FoldersCard(preferences, library, paths.models_folder(), show_folder),
                self._token_card,
                DefaultsCard(theme, icons, preferences),
                StartCard(theme, preferences),
                PlacesCard(self._places(preferences.path), show_folder),
                AboutCard(),
                None,
                spacing=16,
            )
        )
        content = QWidget()
        content.setObjectName("scroll_content")
        middle = row(margins=(32, 24, 32, 32), spacing=0)
        middle.addStretch(0)
        middle.addWidget(cards, 1)  # as wide as it may be; the stretches take the rest
        middle.addStretch(0)
        content.setLayout(middle)
        self.setWidget(content)

    def ask_for_token(self) -> None:
        """Brings the token's card into view, ready for one to be pasted."""
        self.ensureWidgetVisible(self._token_card)
        self._token_card.take_focus()

    def _places(self, settings_file: Path) -> tuple[Place, ...]:
        return (
            Place("data", self.tr("Chats and models"), paths.data_folder()),
            Place("config", self.tr("Settings"), settings_file.parent),
            Place("cache", self.tr("Cache: rebuilt when missing"), paths.cache_folder()),
        )
