"""Compare and the rest of the window: what is remembered of a comparison, and what is said about it."""

from PySide6.QtCore import QObject, Signal

from app.ui.compare_page import ComparePage
from app.ui.notice import Notice
from app.ui.preferences import Preferences
from app.ui.session import Session
from app.ui.session_state import Running
from app.ui.side import Side


class Comparing(QObject):
    """Puts a side's settings in force, and keeps them for the model."""

    reload_requested = Signal()  # the model in use, with what is saved for it

    def __init__(
        self,
        session: Session,
        preferences: Preferences,
        page: ComparePage,
        notice: Notice,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._preferences = preferences
        self._notice = notice
        page.remember_requested.connect(self.remember)

    def remember(self, side: Side) -> None:
        """Remembers how the loaded model is drafted for. A draft that is not in memory takes a reload."""
        state = self._session.state
        if not isinstance(state, Running):
            return
        path = state.setup.target.path
        self._preferences.remember(path, side.config_for(self._preferences.settings.config_for(path)))
        if self._session.adjust(side.config_for(state.setup.config)):
            return
        self._notice.tell(
            self.tr("Remembered. {draft} is not in memory yet: load the model again to chat with it.").format(
                draft="" if side.draft is None else side.draft.name
            ),
            tone="muted",
        )
        self._notice.offer(self.tr("Load again"), "load_remembered_button", self._reload)

    def _reload(self) -> None:
        self._notice.clear()
        self.reload_requested.emit()
