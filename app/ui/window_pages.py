"""The pages of the window, built once."""

from PySide6.QtWidgets import QStackedWidget, QWidget

from app.ui.chat_page import ChatPage
from app.ui.chat_sidebar import ChatSidebar
from app.ui.compare_page import ComparePage
from app.ui.compare_services import CompareServices
from app.ui.composer import Composer
from app.ui.discover_page import DiscoverPage
from app.ui.models_page import ModelsPage
from app.ui.rail import PageName
from app.ui.services import Services
from app.ui.settings_page import SettingsPage
from app.ui.transcript import Transcript


class WindowPages(QStackedWidget):
    """All of them, one shown."""

    def __init__(self, services: Services, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        theme, icons = services.theme, services.icons
        self.sidebar = ChatSidebar(theme)
        self.transcript = Transcript(theme, icons, services.tasks)
        self.composer = Composer(theme, icons)
        self.chat = ChatPage(self.transcript, self.composer, self.sidebar)
        self.compare = ComparePage(_for_comparing(services), services.experiments)
        self.models = ModelsPage(theme, icons, services.library, services.offers)
        self.discover = DiscoverPage(
            theme,
            icons,
            services.network,
            services.headers,
            services.hub,
            services.downloads,
            services.advisor,
            services.library,
            models_folder=lambda: services.library.models_folder,
            free_memory=services.monitor.free_bytes,
            load_options=lambda: services.preferences.settings.defaults.load,
        )
        self.settings = SettingsPage(
            theme,
            icons,
            services.preferences,
            services.library,
            services.account,
            services.tasks,
            services.network,
        )
        self._pages = {
            PageName.CHAT: self.chat,
            PageName.COMPARE: self.compare,
            PageName.MODELS: self.models,
            PageName.DISCOVER: self.discover,
            PageName.SETTINGS: self.settings,
        }
        for page in self._pages.values():
            self.addWidget(page)

    def show_page(self, page: PageName) -> None:
        """Goes to a page, and to where a person begins there."""
        self.setCurrentWidget(self._pages[page])
        match page:
            case PageName.CHAT:
                self.composer.take_focus()
            case PageName.COMPARE:
                self.compare.take_focus()
            case PageName.DISCOVER:
                self.discover.take_focus()


def _for_comparing(services: Services) -> CompareServices:
    return CompareServices(
        theme=services.theme,
        icons=services.icons,
        tasks=services.tasks,
        session=services.session,
        library=services.library,
        advisor=services.advisor,
        preferences=services.preferences,
        comparison=services.comparison,
        suites=services.suites,
    )
