"""Where the program keeps what belongs to the person."""

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct
from PySide6.QtWidgets import QWidget

from app.ui.settings_card import SettingsCard, Show, nearest_folder, path_label, path_line
from app.ui.show_in_folder import show_in_folder
from app.ui.widgets import button, column, label


class Place(Struct, frozen=True):
    """A folder, and a word for what is in it; `name` is for object names."""

    name: str
    text: str
    folder: Path


class PlacesCard(SettingsCard):
    """Lists folders, each with a button that opens it."""

    def __init__(
        self, places: Sequence[Place], show_folder: Show = show_in_folder, parent: QWidget | None = None
    ) -> None:
        super().__init__("places_card", parent)
        self._show_folder = show_folder
        self.add_heading(
            self.tr("Your data"),
            self.tr("Everything stays on this computer, in these folders."),
        )
        for place in places:
            shown = path_label(place.folder, f"{place.name}_path")
            open_it = button(self.tr("Open"), f"open_{place.name}_button", small=True)
            open_it.setAccessibleName(self.tr("Open {folder}").format(folder=shown.whole_text))
            open_it.clicked.connect(lambda _=False, folder=place.folder: self._open(folder))
            caption = label(place.text, size="small", tone="muted")
            self.add(column(caption, path_line(shown, open_it), spacing=4))

    def _open(self, folder: Path) -> None:
        self._show_folder(nearest_folder(folder))
