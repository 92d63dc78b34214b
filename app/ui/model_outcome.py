"""What is said about a model that did not load, was lost, or runs otherwise than asked."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.core.options import SpeculationMode
from app.ui.engine_words import end_sentence
from app.ui.notice import Notice
from app.ui.session_state import EngineLost, LoadFailed, Running, SessionState


class ModelOutcome(QObject):
    """Speaks through one notice, and offers what can be done."""

    reload_requested = Signal()
    configure_requested = Signal()

    def __init__(self, notice: Notice, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._notice = notice

    def show_state(self, state: SessionState, missing_draft: Path | None) -> None:
        """`missing_draft` is the draft that was asked for and is no longer on the disk."""
        match state:
            case Running():
                self._tell_of_shortcomings(state, missing_draft)
            case LoadFailed(failed=failed):
                self._notice.tell(failed.sentence, tone="bad", details=failed.log)
                self._offer_reload()
            case EngineLost(end=end):
                self._notice.tell(end_sentence(end), tone="bad", details=end.log)
                self._offer_reload()
            case _:
                self._notice.clear()

    def offer_last(self, name: str, load: Callable[[], None]) -> None:
        """After an unclean end, in place of loading by itself."""
        self._notice.tell(
            self.tr("Slipstream did not end properly the last time, so no model was loaded by itself.")
        )
        self._notice.offer(self.tr("Load {name}").format(name=name), "load_last_button", load)

    def _offer_reload(self) -> None:
        self._notice.offer(
            self.tr("Reload model"), "notice_reload_button", lambda: self.reload_requested.emit()
        )
        self._notice.offer(
            self.tr("Settings"), "notice_settings_button", lambda: self.configure_requested.emit()
        )

    def _tell_of_shortcomings(self, state: Running, missing_draft: Path | None) -> None:
        draft = self._draft_sentence(state, missing_draft)
        template = ""
        if state.loaded.template_problem is not None:
            template = self.tr("{problem} A plain form of chat is used instead.").format(
                problem=state.loaded.template_problem
            )
        if not draft and not template:
            self._notice.clear()
            return
        self._notice.tell(" ".join(filter(None, (draft, template))))
        if draft and state.loaded.refusal is None:
            self._notice.offer(
                self.tr("Choose another"), "choose_another_draft_button", self.configure_requested.emit
            )

    def _draft_sentence(self, state: Running, missing_draft: Path | None) -> str:
        loaded = state.loaded
        if state.setup.config.speculation.mode is SpeculationMode.OFF:
            return ""
        if loaded.refusal is not None:
            return loaded.refusal.sentence
        if loaded.draft_refusal is not None:
            reason = loaded.draft_refusal.sentence
            return self.tr("Running without its draft model: {reason}").format(reason=reason)
        if missing_draft is not None:
            name = missing_draft.name
            return self.tr("Running without its draft model: {name} is not there any more.").format(name=name)
        return ""
