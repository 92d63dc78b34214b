"""Where models are looked for, and what was removed from the list."""

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QVBoxLayout, QWidget

from app.models.model_names import printable
from app.settings import Settings
from app.ui.library_service import LibraryService
from app.ui.preferences import Preferences
from app.ui.settings_card import SettingsCard, Show, nearest_folder, path_label, path_line
from app.ui.show_in_folder import show_in_folder
from app.ui.widgets import button, column, label, row


class FoldersCard(SettingsCard):
    """`default_folder` is the program's own, which Reset goes back to."""

    def __init__(
        self,
        preferences: Preferences,
        library: LibraryService,
        default_folder: Path,
        show_folder: Show = show_in_folder,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__("folders_card", parent)
        self._preferences = preferences
        self._library = library
        self._default_folder = default_folder
        self._show_folder = show_folder
        self._dialog: QFileDialog | None = None
        self.add_heading(
            self.tr("Models"),
            self.tr("Models are listed from these folders. Changing them moves and deletes no files."),
        )
        self._own = path_label(default_folder, "models_folder_path")
        choose = button(self.tr("Choose…"), "choose_models_folder_button", small=True)
        choose.clicked.connect(self._choose_own)
        open_own = button(self.tr("Open"), "open_models_folder_button", small=True)
        open_own.clicked.connect(lambda: self._open(self._models_folder))
        self._reset = button(self.tr("Reset"), "reset_models_folder_button", kind="quiet", small=True)
        self._reset.clicked.connect(lambda: preferences.update(models_folder=None))
        caption = label(self.tr("Models folder"), size="small", tone="muted")
        self.add(column(caption, path_line(self._own, self._reset, choose, open_own), spacing=4))
        add = button(self.tr("Add folder…"), "add_models_folder_button", small=True)
        add.clicked.connect(self._choose_another)
        self._lines: QVBoxLayout = column(spacing=4)
        caption = label(self.tr("More folders"), size="small", tone="muted")
        self.add(column(caption, self._lines, row(add, None), spacing=4))
        self._hidden = label()
        self._hidden.setObjectName("hidden_files_sentence")
        self._show_hidden = button(self.tr("Show again"), "show_hidden_button", small=True)
        self._show_hidden.clicked.connect(library.show_hidden)
        self.add(row(self._hidden, None, self._show_hidden))
        self._shown: tuple[Path, ...] | None = None
        self._show(preferences.settings)
        preferences.changed.connect(self._show)

    @property
    def _models_folder(self) -> Path:
        return self._preferences.settings.models_folder or self._default_folder

    def _show(self, settings: Settings) -> None:
        self._own.set_text(printable(str(self._models_folder)))
        self._reset.setVisible(settings.models_folder is not None)
        if settings.extra_folders != self._shown:
            self._shown = settings.extra_folders
            self._show_more(settings.extra_folders)
        hidden = len(settings.hidden_files)
        self._show_hidden.setVisible(hidden > 0)
        if hidden == 1:
            self._hidden.setText(self.tr("One file is removed from the list and still on the disk."))
        else:
            text = self.tr("{count} files are removed from the list and still on the disk.")
            self._hidden.setText(text.format(count=hidden))
        self._hidden.setVisible(hidden > 0)

    def _show_more(self, folders: tuple[Path, ...]) -> None:
        while (item := self._lines.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.setParent(None)
                widget.deleteLater()
        for number, folder in enumerate(folders):
            self._lines.addWidget(self._line(number, folder))
        if not folders:
            self._lines.addWidget(label(self.tr("None"), tone="faint"))

    def _line(self, number: int, folder: Path) -> QWidget:
        shown = path_label(folder, f"folder_path_{number}")
        remove = button(self.tr("Remove"), f"remove_folder_button_{number}", kind="quiet", small=True)
        remove.setAccessibleName(self.tr("Remove {folder}").format(folder=shown.whole_text))
        remove.clicked.connect(lambda: self._library.remove_folder(folder))
        open_it = button(self.tr("Open"), f"open_folder_button_{number}", small=True)
        open_it.setAccessibleName(self.tr("Open {folder}").format(folder=shown.whole_text))
        open_it.clicked.connect(lambda: self._open(folder))
        made = QWidget()
        made.setLayout(path_line(shown, remove, open_it))
        return made

    def _open(self, folder: Path) -> None:
        self._show_folder(nearest_folder(folder))

    def _choose_own(self) -> None:
        dialog = self._folder_dialog(self.tr("Choose the models folder"), self._models_folder)
        dialog.fileSelected.connect(lambda chosen: self._take_own(Path(chosen)))
        dialog.open()

    def _take_own(self, folder: Path) -> None:
        own = None if folder == self._default_folder else folder
        others = tuple(kept for kept in self._preferences.settings.extra_folders if kept != folder)
        self._preferences.update(models_folder=own, extra_folders=others)

    def _choose_another(self) -> None:
        dialog = self._folder_dialog(self.tr("Add a folder with models"), Path.home())
        dialog.fileSelected.connect(lambda chosen: self._library.add_folder(Path(chosen)))
        dialog.open()

    def _folder_dialog(self, title: str, start: Path) -> QFileDialog:
        if self._dialog is not None:
            self._dialog.deleteLater()
        self._dialog = QFileDialog(self, title, str(nearest_folder(start)))
        self._dialog.setObjectName("models_folder_dialog")
        self._dialog.setFileMode(QFileDialog.FileMode.Directory)
        self._dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        self._dialog.setWindowModality(Qt.WindowModality.WindowModal)
        return self._dialog
