"""Tells when the settings in force are not the saved ones."""

from collections.abc import Sequence

from msgspec.structs import replace
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.settings import ModelConfig, UserMode
from app.ui.config_changes import Change, changes_between
from app.ui.widgets import button, column, hairline, label, row

_NAMED = 2  # differences; more are counted


class SavedNotice(QWidget):
    """Hidden while both are the same."""

    remember_requested = Signal()  # save what is in force
    reload_requested = Signal()  # load with what is saved

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sentence = label(size="small", tone="muted", wrap=True)
        self._sentence.setObjectName("saved_sentence")
        self._remember = button(self.tr("Remember"), "remember_button", small=True)
        self._remember.setToolTip(self.tr("Save what is in force as this model's default config"))
        self._remember.clicked.connect(self.remember_requested)
        self._reload = button(self.tr("Reload to apply"), "reload_to_apply_button", small=True)
        self._reload.setToolTip(self.tr("Load the model again with the saved settings"))
        self._reload.clicked.connect(self.reload_requested)
        self.setLayout(
            column(
                hairline(),
                column(
                    self._sentence,
                    row(self._reload, self._remember, None),
                    spacing=6,
                    margins=(16, 10, 16, 12),
                ),
                spacing=0,
            )
        )
        self._in_force: ModelConfig | None = None
        self._saved: ModelConfig | None = None
        self._mode = UserMode.POWER_USER
        self.hide()

    @property
    def sentence(self) -> str:
        """What it says; empty while hidden."""
        return "" if self.isHidden() else self._sentence.text()

    def compare(self, in_force: ModelConfig | None, saved: ModelConfig | None) -> None:
        """Shows how two configs differ; None for what does not exist."""
        self._in_force, self._saved = in_force, saved
        self._update()

    def set_mode(self, mode: UserMode) -> None:
        """Leaves out what a mode does not show."""
        self._mode = mode
        self._update()

    def _update(self) -> None:
        in_force, saved = self._in_force, self._saved
        changes = changes_between(in_force, saved) if in_force is not None and saved is not None else ()
        shown = [change for change in changes if change.is_shown_in(self._mode)]
        if in_force is None or (saved is not None and not shown):
            self.hide()
            return
        unsaved = self.tr("These settings are not saved.")
        self._sentence.setText(self._told(shown) if saved is not None else unsaved)
        self._reload.setVisible(any(change.needs_reload for change in shown))
        self.show()

    def _told(self, changes: Sequence[Change]) -> str:
        names = ", ".join(change.short_text for change in changes[:_NAMED])
        if len(changes) > _NAMED:
            names = self.tr("{names} and {more} more").format(names=names, more=len(changes) - _NAMED)
        # What takes a reload may be in force since before the other value was saved: nobody changed it.
        if all(change.needs_reload for change in changes):
            return self.tr("Loaded, not saved: {names}.").format(names=names)
        return self.tr("Changed, not saved: {names}.").format(names=names)


def to_remember(in_force: ModelConfig, saved: ModelConfig) -> ModelConfig:
    """What is in force, as it is to be saved: a saved draft model is kept where none was loaded."""
    return in_force if in_force.draft is not None else replace(in_force, draft=saved.draft)
