"""The list of what a search has found, by mouse and keyboard."""

from PySide6.QtCore import QItemSelectionModel, QModelIndex, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent, QMouseEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QListView, QWidget

from app.models.hub import FoundModel
from app.ui.search_delegate import ROW_HEIGHT, SearchDelegate
from app.ui.search_results import ResultRole, SearchResults
from app.ui.theme import Theme

_SETTLE = 180  # milliseconds that the arrow keys must rest before a row is opened
_AHEAD = 8  # rows below what is seen, at which the next page is wanted


class SearchView(QListView):
    """A row that is selected is opened: at once by a click, a moment later by the arrow keys.

    A click on the one that is open, or Enter, opens it again: what is there may have changed.
    """

    opened = Signal(object)  # FoundModel
    more_wanted = Signal()
    retry_wanted = Signal()  # of the page that did not come

    def __init__(self, theme: Theme, results: SearchResults, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._results = results
        self._delegate = SearchDelegate(theme, self)
        self._opened: str | None = None
        self._opened_before: str | None = None  # when the mouse was pressed
        self.setObjectName("search_results")
        self.setAccessibleName(self.tr("Models found"))
        self.setModel(results)
        self.setItemDelegate(self._delegate)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.verticalScrollBar().setSingleStep(ROW_HEIGHT // 2)
        self._settle = QTimer(self, singleShot=True, interval=_SETTLE)
        self._settle.timeout.connect(self.open_current)
        self.clicked.connect(self._clicked)
        self.selectionModel().currentChanged.connect(self._moved)
        self.verticalScrollBar().valueChanged.connect(self.look_ahead)
        # queued: rows must not come while the view lays them out
        queued = Qt.ConnectionType.QueuedConnection
        self.verticalScrollBar().rangeChanged.connect(self.look_ahead, queued)

    @property
    def has_to_scroll(self) -> bool:
        """Whether there are more rows than can be seen."""
        self.executeDelayedItemsLayout()
        return self.verticalScrollBar().maximum() > 0

    def set_dimmed(self, dimmed: bool) -> None:
        """Whether what is listed is of an earlier search."""
        if dimmed != self._delegate.is_dimmed:
            self._delegate.is_dimmed = dimmed
            self.viewport().update()

    def select(self, repo: str | None) -> None:
        """Marks the row of a repository that is open already, if it has one."""
        self._opened = repo
        row = self._results.row_of(repo) if repo is not None else -1
        self._settle.stop()
        if row < 0:
            self.selectionModel().clear()
        elif row != self.currentIndex().row():
            self.setCurrentIndex(self._results.index(row))
        self._settle.stop()

    def step(self, by: int) -> None:
        """Moves the choice by so many rows."""
        current = self.currentIndex().row()
        wanted = 0 if current < 0 else current + by
        if 0 <= wanted < len(self._results.found):
            self.setCurrentIndex(self._results.index(wanted))

    def open_current(self) -> None:
        """Opens the row that is selected, unless it is open."""
        self._settle.stop()
        found: FoundModel | None = self.currentIndex().data(ResultRole.FOUND)
        if found is not None and found.repo != self._opened:
            self._opened = found.repo
            self.opened.emit(found)

    def look_ahead(self) -> None:
        """Wants more rows if the end is in sight, or nearly so."""
        self.executeDelayedItemsLayout()  # else the scroll bar does not know of the last rows
        bar = self.verticalScrollBar()
        if self.isVisible() and self._results.found and bar.value() >= bar.maximum() - _AHEAD * ROW_HEIGHT:
            self.more_wanted.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter opens, or tries again."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self._opened_before = self._opened
            self._clicked(self.currentIndex())
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Remembers what is open now: a press that takes long opens its row before it is a click."""
        self._opened_before = self._opened
        super().mousePressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """More rows may be seen."""
        super().resizeEvent(event)
        self.look_ahead()

    def showEvent(self, event: QShowEvent) -> None:
        """What is seen decides what is wanted."""
        super().showEvent(event)
        self.look_ahead()

    def hideEvent(self, event: QHideEvent) -> None:
        """Opens nothing behind the reader's back."""
        super().hideEvent(event)
        self._settle.stop()

    def _clicked(self, index: QModelIndex) -> None:
        if index.data(ResultRole.IS_FAILED):
            self.retry_wanted.emit()
            return
        if index != self.currentIndex():
            self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        found: FoundModel | None = index.data(ResultRole.FOUND)
        if found is not None and found.repo == self._opened == self._opened_before:
            self._opened = None  # it is read anew
        self.open_current()

    def _moved(self, current: QModelIndex) -> None:
        if current.isValid():
            self._settle.start()
        else:
            self._settle.stop()
