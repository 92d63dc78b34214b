"""My Models: the models on this computer, what can be done with them, and what cannot be used."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QHideEvent, QIcon, QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import QFileDialog, QLineEdit, QVBoxLayout, QWidget

from app.models.library import Listing
from app.models.model_names import printable
from app.ui.folder_notices import FolderNotices
from app.ui.folder_offers import FolderOffers
from app.ui.icons import Icons
from app.ui.library_service import LibraryService
from app.ui.model_actions import ModelActions
from app.ui.model_words import total_text
from app.ui.models_table import ModelsFilter, ModelsTable
from app.ui.models_view import CONFIGURE, LOAD, ModelsView
from app.ui.no_models import NoModels
from app.ui.notice import Notice
from app.ui.show_in_folder import show_in_folder
from app.ui.theme import Theme
from app.ui.unusable_section import UnusableSection
from app.ui.widgets import Card, Tag, button, column, label, row, set_property

_FILTER_WIDTH = 220  # pixels
_EMPTY_HEIGHT = 360
_CARD_BOTTOM = 4  # pixels that keep a marked row out of the round corners
_FRAME = 2 + _CARD_BOTTOM


class ModelsPage(QWidget):
    """Follows the library while it is shown."""

    load_requested = Signal(object)  # LocalModel
    configure_requested = Signal(object)  # LocalModel
    discover_requested = Signal()

    def __init__(
        self,
        theme: Theme,
        icons: Icons,
        library: LibraryService,
        offers: FolderOffers,
        show_file: Callable[[Path], None] = show_in_folder,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("models_page")
        self._library = library
        self._offers = offers
        self._show_file = show_file
        self._in_use: tuple[Path | None, Path | None] = (None, None)
        self._added: Path | None = None
        self._folder_dialog: QFileDialog | None = None
        self._actions = ModelActions(library, show_file, self)
        self._actions.load_requested.connect(self.load_requested)
        self._actions.configure_requested.connect(self.configure_requested)
        self._table = ModelsTable(parent=self)
        self._rows = ModelsFilter(self._table, self)
        self._total = Tag("")
        self._total.setObjectName("models_total")
        self._icons = icons
        self._filter = self._make_filter()
        self._take_theme()
        theme.changed.connect(self._take_theme)
        add = button(self.tr("Add folder"), "add_folder_button")
        add.clicked.connect(self.choose_folder)
        self._discover = button(self.tr("Discover models"), "discover_models_button", kind="primary")
        self._discover.clicked.connect(self.discover_requested)
        self._notice = Notice(theme, icons)
        self._notice.setObjectName("models_notice")
        self._view = ModelsView(theme, icons, self._rows)
        self._empty = NoModels(theme, icons)
        self._card = Card()
        self._card.setLayout(column(self._view, self._empty, margins=(0, 0, 0, _CARD_BOTTOM)))
        self._unusable = UnusableSection(theme, icons, self._actions)
        self._hidden_text = label(tone="muted", size="small")
        self._hidden_button = button(
            self.tr("Show again"), "show_hidden_models_button", kind="quiet", small=True
        )
        self._hidden_button.clicked.connect(library.show_hidden)
        title = label(self.tr("My Models"), size="title")
        layout = column(
            row(title, self._total, None, self._filter, add, self._discover, spacing=12),
            FolderNotices(theme, icons, library, offers),
            self._notice,
            self._card,
            self._unusable,
            row(self._hidden_text, self._hidden_button, None),
            spacing=16,
            margins=(32, 24, 32, 24),
        )
        self._let_card_grow(layout)
        self.setLayout(layout)
        self._connect()
        self._show_listing(library.listing)

    def set_loaded(self, target: Path | None, draft: Path | None) -> None:
        """Marks the models in use."""
        self._in_use = (target, draft)
        self._table.set_loaded(target, draft)

    def choose_folder(self) -> None:
        """Asks for another folder, and lists what is in it."""
        if self._folder_dialog is not None:
            self._folder_dialog.deleteLater()
        dialog = self._folder_dialog = QFileDialog(self, self.tr("Add a folder with models"))
        dialog.setObjectName("add_folder_dialog")
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.fileSelected.connect(lambda chosen: self.add_folder(Path(chosen)))
        dialog.open()

    def add_folder(self, folder: Path) -> None:
        """Lists a folder's models, and says so if there are none."""
        self._notice.clear()
        self._added = folder
        if not self._library.add_folder(folder):
            self._added = None
            self._notice.tell(self.tr("{folder} is already listed.").format(folder=printable(str(folder))))

    def showEvent(self, event: QShowEvent) -> None:
        """Looks at the disk, and keeps looking."""
        super().showEvent(event)
        self._library.follow_growth(True)
        self._offers.look()

    def hideEvent(self, event: QHideEvent) -> None:
        """Changes on disk are still noticed by their folders."""
        super().hideEvent(event)
        self._library.follow_growth(False)

    def _make_filter(self) -> QLineEdit:
        made = QLineEdit()
        made.setObjectName("models_filter")
        made.setPlaceholderText(self.tr("Filter"))
        made.setAccessibleName(self.tr("Filter models"))
        clear = made.addAction(QIcon(), QLineEdit.ActionPosition.TrailingPosition)
        clear.setObjectName("clear_models_filter")
        clear.setText(self.tr("Clear filter"))
        clear.setVisible(False)
        clear.triggered.connect(made.clear)
        made.textChanged.connect(lambda text: clear.setVisible(bool(text)))
        self._clear_filter = clear
        made.setFixedWidth(_FILTER_WIDTH)
        return made

    def _take_theme(self) -> None:
        self._clear_filter.setIcon(self._icons.icon("close"))

    def _let_card_grow(self, layout: QVBoxLayout) -> None:
        """The table takes the room that its rows need and there is; what is left stays below everything."""
        layout.setStretchFactor(self._card, 1000)
        layout.addStretch(1)

    def _connect(self) -> None:
        self._library.listing_changed.connect(self._show_listing)
        self._library.progressed.connect(self._show_progress)
        self._library.looked.connect(self._tell_of_added)
        self._actions.failed.connect(lambda sentence: self._notice.tell(sentence, tone="bad"))
        self._filter.textChanged.connect(self._narrow)
        self._view.row_chosen.connect(lambda index: self.load_requested.emit(self._rows.model_of(index)))
        self._view.button_clicked.connect(self._act)
        self._view.menu_requested.connect(self._show_menu)
        self._empty.discover_requested.connect(self.discover_requested)
        self._empty.add_folder_requested.connect(self.choose_folder)
        self._empty.open_folder_requested.connect(self._open_models_folder)
        self._empty.filter_cleared.connect(self._filter.clear)
        find = QShortcut(QKeySequence(QKeySequence.StandardKey.Find), self)
        find.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        find.activated.connect(self._filter.setFocus)

    def _show_listing(self, listing: Listing) -> None:
        self._table.show_models(listing.models)
        self._unusable.show_files(listing.unusable)
        hidden = self._library.hidden_count
        if hidden == 1:
            self._hidden_text.setText(self.tr("1 file was removed from the list."))
        else:
            self._hidden_text.setText(
                self.tr("{count} files were removed from the list.").format(count=hidden)
            )
        self._hidden_text.setVisible(hidden > 0)
        self._hidden_button.setVisible(hidden > 0)
        self._arrange()

    def _arrange(self) -> None:
        """Shows the table, or what there is to say in its place."""
        listing = self._library.listing
        shown = self._rows.rowCount()
        narrowed = self._rows.is_narrowed
        self._total.setText(total_text(listing, shown if narrowed else None))
        self._total.setVisible(bool(listing.models))
        self._filter.setEnabled(bool(listing.models) or narrowed)
        if shown == 0:
            if not self._library.has_looked:
                self._empty.show_looking()
            elif listing.models:
                self._empty.show_no_match(self._filter.text())
            else:
                more = len(listing.folders) > 1
                self._empty.show_empty(self._library.models_folder, more)
        self._view.setVisible(shown > 0)
        self._empty.setVisible(shown == 0)
        # Where there are none, the same button stands out in the middle.
        set_property(self._discover, "kind", "primary" if listing.models else "plain")
        height = self._view.content_height + _FRAME if shown else _EMPTY_HEIGHT
        self._card.setMaximumHeight(height)
        self._view.updateGeometry()

    def _show_progress(self, done: int, total: int) -> None:
        if not self._library.has_looked:
            self._empty.show_looking(done, total)

    def _narrow(self, text: str) -> None:
        self._rows.narrow(text)
        self._arrange()

    def _act(self, name: str, index: QModelIndex) -> None:
        model = self._rows.model_of(index)
        if name == LOAD:
            self.load_requested.emit(model)
        elif name == CONFIGURE:
            self.configure_requested.emit(model)
        else:
            place = self._view.button_place(index.row(), name).bottomLeft()
            self._show_menu(index, self._view.viewport().mapToGlobal(place))

    def _show_menu(self, index: QModelIndex, place: QPoint) -> None:
        model = self._rows.model_of(index)
        self._actions.show_menu(model, place, in_use=model.path in self._in_use)

    def _open_models_folder(self) -> None:
        folder = self._library.models_folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            text = self.tr("{folder} cannot be made: {reason}.")
            reason = error.strerror or str(error)
            self._notice.tell(text.format(folder=printable(str(folder)), reason=reason), tone="bad")
            return
        self._show_file(folder)

    def _tell_of_added(self) -> None:
        added, self._added = self._added, None
        listing = self._library.listing
        if added is None or added in listing.unreadable_folders:
            return
        paths = (*(model.path for model in listing.models), *(file.path for file in listing.unusable))
        if not any(path.is_relative_to(added) for path in paths):
            text = self.tr("No new models were found in {folder}.")
            self._notice.tell(text.format(folder=printable(str(added))))
