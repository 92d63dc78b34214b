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
        page.remark_made.connect(self._remark)
        page.withdrawn.connect(notice.withdraw)
        session.state_changed.connect(self._forget_offer)

    def remember(self, side: Side) -> None:
        """Remembers how the loaded model is drafted for. A draft that is not in memory takes a reload."""
        state = self._session.state
        if not isinstance(state, Running):
            return
        path = state.setup.target.path
        self._preferences.remember(path, side.config_for(self._preferences.settings.config_for(path)))
        self._notice.clear()
        if self._session.adjust(side.config_for(state.setup.config)) or side.draft is None:
            return
        sentence = self.tr(
            "Remembered. The draft model {draft} is not in memory yet: load the model again to chat with it."
        )
        title = f"{side.draft.name} · {side.draft.info.quantisation}"
        self._notice.tell(sentence.format(draft=title), tone="muted")
        self._notice.offer(self.tr("Load again"), "load_remembered_button", self._reload)

    def _remark(self, sentence: str) -> None:
        self._notice.tell(sentence, tone="muted")

    def _forget_offer(self) -> None:
        """What is loaded now has the saved settings, or is another model."""
        self._notice.clear()

    def _reload(self) -> None:
        self._notice.clear()
        self.reload_requested.emit()
