"""The experiments that were kept: found again, opened, and deleted without fear."""

from collections.abc import Callable
from datetime import date
from pathlib import Path

from PySide6.QtCore import QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import QDialog, QFileDialog, QLineEdit, QMenu, QStackedLayout, QWidget

from app.core.experiment_entry import ExperimentEntry
from app.ui.experiments import Experiments
from app.ui.history_table import HistoryFilter, HistoryRole, HistoryTable
from app.ui.history_view import HistoryView
from app.ui.history_words import count_text, title_text
from app.ui.icons import Icons
from app.ui.no_history import NoHistory
from app.ui.theme import Theme
from app.ui.undo_bar import UndoBar
from app.ui.widgets import Card, button, column, label, row

_WIDTH, _HEIGHT = 960, 640  # pixels
_AROUND = 32  # that stay of the window behind it
_SEARCH_WIDTH = 240


class HistoryDialog(QDialog):
    """Says what the person wants opened, and closes.

    What is deleted can be brought back for some seconds, all of it together, also if the dialog is
    closed and another one opened meanwhile.
    """

    experiment_chosen = Signal(int)
    file_chosen = Signal(object)  # Path of a file to be opened

    def __init__(
        self,
        theme: Theme,
        icons: Icons,
        experiments: Experiments,
        parent: QWidget | None = None,
        *,
        today: Callable[[], date] = date.today,
    ) -> None:
        super().__init__(parent)
        self._experiments = experiments
        self._entries: tuple[ExperimentEntry, ...] = ()
        self._offer = 0  # counts the offers to undo
        self._file_dialog: QFileDialog | None = None
        self.setObjectName("history_dialog")
        self.setWindowTitle(self.tr("History"))
        self._count = label(tone="muted")
        self._count.setObjectName("history_count")
        self._search = _SearchField()
        self._search.setEnabled(False)  # until there is something to look for
        open_file = button(self.tr("Open a file…"), "open_experiment_file_button")
        open_file.setToolTip(self.tr("An exported comparison, or what “slipstream bench --json” wrote"))
        open_file.clicked.connect(self._ask_for_file)
        close = button(self.tr("Close"), "close_history_button")
        close.clicked.connect(self.reject)
        self._table = HistoryTable(today, self)
        self._rows = HistoryFilter(self._table, self)
        self._view = HistoryView(theme, icons, self._rows)
        self._nothing = NoHistory(theme, icons)
        self._undo = UndoBar()
        self._pages = QStackedLayout()
        for page in (QWidget(), self._view, self._nothing):
            self._pages.addWidget(page)
        card = Card()
        inside = column(margins=(1, 1, 1, 1))
        inside.addLayout(self._pages)
        card.setLayout(inside)
        head = row(
            label(self.tr("History"), size="title"), self._count, None, self._search, open_file, close,
            spacing=12,
        )  # fmt: skip
        whole = column(head, spacing=12, margins=(24, 20, 24, 20))
        whole.addWidget(card, 1)
        whole.addWidget(self._undo)
        self.setLayout(whole)
        room = parent.window().size() if parent is not None else self.maximumSize()
        self.resize(min(_WIDTH, room.width() - _AROUND), min(_HEIGHT, room.height() - _AROUND))
        self._connect()
        if experiments.deleted:
            self._offer_undo()
        experiments.refresh()

    def showEvent(self, event: QShowEvent) -> None:
        """The arrow keys move in the list."""
        super().showEvent(event)
        self._view.setFocus()

    def _connect(self) -> None:
        self._experiments.entries_changed.connect(self._show_entries)
        self._search.textChanged.connect(self._narrow)
        self._search.returnPressed.connect(self._choose_current)
        self._search.left_downwards.connect(self._view.setFocus)
        self._view.row_chosen.connect(self._choose)
        self._view.deletion_requested.connect(self._delete)
        self._view.menu_requested.connect(self._show_menu)
        self._nothing.search_cleared.connect(self._search.clear)
        self._undo.undone.connect(self._bring_back)
        self._undo.expired.connect(self._purge)
        find = QShortcut(QKeySequence(QKeySequence.StandardKey.Find), self)
        find.activated.connect(self._search.setFocus)
        undo = QShortcut(QKeySequence(QKeySequence.StandardKey.Undo), self)
        undo.activated.connect(self._undo.take_back)

    def _show_entries(self, entries: tuple[ExperimentEntry, ...]) -> None:
        self._entries = entries
        self._table.show_entries(entries)
        self._arrange()

    def _narrow(self, text: str) -> None:
        self._rows.narrow(text)
        self._arrange()

    def _arrange(self) -> None:
        """Shows the list, or what there is to say in its place."""
        shown, count = self._rows.rowCount(), len(self._entries)
        self._count.setText(count_text(shown, count, narrowed=self._rows.is_narrowed) if count else "")
        self._search.setEnabled(bool(count) or self._rows.is_narrowed)
        if shown:
            is_new = self._pages.currentWidget() is not self._view
            self._pages.setCurrentWidget(self._view)
            if not self._view.currentIndex().isValid():
                self._view.setCurrentIndex(self._rows.index(0, 0))
            if is_new and not self._search.hasFocus():
                self._view.setFocus()  # a view without a current row would take one and not show it
            return
        self._nothing.show_words(self._search.text() if count else "")
        self._pages.setCurrentWidget(self._nothing)

    def _choose_current(self) -> None:
        if self._view.currentIndex().isValid():
            self._choose(self._view.currentIndex())

    def _choose(self, index: QModelIndex) -> None:
        entry: ExperimentEntry = index.data(HistoryRole.ENTRY)
        self.accept()
        self.experiment_chosen.emit(entry.id)

    def _show_menu(self, index: QModelIndex, place: QPoint) -> None:
        menu = QMenu(self)
        menu.setObjectName("history_menu")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        kept = self._rows.index_of(index.data(HistoryRole.ENTRY).id)
        for text, name, act in (
            (self.tr("Open"), "open_experiment_action", self._choose),
            (self.tr("Delete"), "delete_experiment_action", self._delete),
        ):
            action = menu.addAction(text)
            action.setObjectName(name)
            action.triggered.connect(lambda *, act=act: act(kept))
        menu.popup(place)

    def _delete(self, index: QModelIndex) -> None:
        entry: ExperimentEntry = index.data(HistoryRole.ENTRY)
        self._experiments.delete(entry.id)
        self._offer_undo(title_text(entry))

    def _offer_undo(self, title: str = "") -> None:
        """One offer for all that can be brought back; it takes the place of the one before."""
        count = len(self._experiments.deleted)
        if count == 1 and title:
            sentence = self.tr("Deleted “{title}”").format(title=title)
        elif count == 1:
            sentence = self.tr("1 comparison was deleted")
        else:
            sentence = self.tr("{count} comparisons were deleted").format(count=count)
        self._offer += 1
        self._undo.offer(self._offer, sentence)

    def _bring_back(self) -> None:
        back = self._experiments.deleted
        for id_ in back:
            self._experiments.undo_delete(id_)
        self._view.setFocus()

    def _purge(self, offer: int) -> None:
        if offer == self._offer:  # not one that another took the place of
            for id_ in self._experiments.deleted:
                self._experiments.purge(id_)

    def _ask_for_file(self) -> None:
        if self._file_dialog is not None:
            self._file_dialog.deleteLater()
        dialog = self._file_dialog = QFileDialog(self, self.tr("Open a comparison"))
        dialog.setObjectName("open_experiment_file_dialog")
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilters([self.tr("Comparisons (*.json)"), self.tr("All files (*)")])
        dialog.fileSelected.connect(self._take_file)
        dialog.open()

    def _take_file(self, chosen: str) -> None:
        self.accept()
        self.file_chosen.emit(Path(chosen))


class _SearchField(QLineEdit):
    """Esc clears before it closes, and the arrow keys go to the list."""

    left_downwards = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("history_search_field")
        self.setPlaceholderText(self.tr("Search"))
        self.setAccessibleName(self.tr("Search the history"))
        self.setFixedWidth(_SEARCH_WIDTH)
        self.setMaxLength(200)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Takes the keys that are not for the text."""
        match event.key():
            case Qt.Key.Key_Down:
                self.left_downwards.emit()
            case Qt.Key.Key_Escape if self.text():
                self.clear()
            case _:
                super().keyPressEvent(event)
