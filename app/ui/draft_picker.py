"""Choosing a draft model among all local models."""

from pathlib import Path

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QListView, QWidget

from app.core.advice import Advisor
from app.models.library import LocalModel
from app.ui.draft_candidates import Candidate
from app.ui.draft_checks import DraftChecks
from app.ui.draft_delegate import ROW_HEIGHT, DraftDelegate
from app.ui.draft_list import DraftList, DraftRole
from app.ui.form_parts import set_shown
from app.ui.library_service import LibraryService
from app.ui.outlooks import Outlooks
from app.ui.tasks import Tasks
from app.ui.theme import Theme
from app.ui.widgets import Card, button, column, label, row, set_property

_ROWS_SHOWN = 4
_CHOOSING_KEYS = (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Select)


class DraftPicker(QWidget):
    """The list of candidates, and a word where none of them can draft.

    Files are looked at while the picker is shown; `outlooks` tells what those that can draft are expected to
    gain. `draft` is the chosen file; it stays chosen if it turns out that it cannot draft or is gone, and the
    list says so.
    """

    draft_chosen = Signal()  # by the person
    candidates_changed = Signal()
    find_requested = Signal()  # a draft model elsewhere

    def __init__(
        self,
        target: LocalModel,
        theme: Theme,
        library: LibraryService,
        advisor: Advisor,
        tasks: Tasks,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._checks = DraftChecks(target, library, advisor, tasks, self)
        self._draft: Path | None = None
        self._placing = False
        self.outlooks = Outlooks(target.path, advisor, tasks, self)
        self._rows = DraftList(self.outlooks.of, self)
        self.view = _DraftView(theme)
        self.view.setModel(self._rows)
        self.view.selectionModel().currentChanged.connect(self._choose)
        self.view.chosen.connect(self._choose)
        self.view.clicked.connect(self._choose)
        frame = Card()
        frame.setLayout(column(self.view, margins=(4, 4, 4, 4)))
        self._explanation = label(
            self.tr(
                "None of your models can draft for this one. A draft model is a smaller model of the same "
                "family, with the same vocabulary, such as a 0.5B beside a 7B. One that you download is "
                "listed here."
            ),
            size="small",
            tone="muted",
            wrap=True,
        )
        self._explanation.setObjectName("no_draft_explanation")
        self._find = button(self.tr("Find a draft model on Hugging Face"), "find_draft_button", small=True)
        self._find.clicked.connect(self.find_requested)
        self.setLayout(column(self._explanation, frame, row(self._find, None)))
        self._checks.candidates_changed.connect(self._update)
        self.outlooks.outlook_changed.connect(self._rows.tell_outlooks)
        library.listing_changed.connect(self.outlooks.refresh)
        theme.changed.connect(self.view.viewport().update)
        self._update()

    @property
    def draft(self) -> Path | None:
        """The chosen file."""
        return self._draft

    @property
    def candidate(self) -> Candidate | None:
        """The chosen file with what is known of it."""
        return next((row for row in self._checks.candidates if row.path == self._draft), None)

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """All of them, as listed."""
        return self._checks.candidates

    def set_draft(self, path: Path | None) -> None:
        """Chooses a file, without `draft_chosen`."""
        self._draft = path
        self._checks.choose(path)

    def showEvent(self, event: QShowEvent) -> None:
        """Files are looked at from now on."""
        super().showEvent(event)
        self.view.scrollTo(self.view.currentIndex())
        self._checks.start()
        self._look_at_outlooks()

    def hideEvent(self, event: QHideEvent) -> None:
        """Nobody is waiting for answers any more."""
        super().hideEvent(event)
        self._checks.stop()

    def _choose(self, index: QModelIndex) -> None:
        if self._placing:
            return
        candidate = index.data(DraftRole.CANDIDATE)
        if isinstance(candidate, Candidate) and candidate.can_draft and candidate.path != self._draft:
            self.set_draft(candidate.path)
            self.draft_chosen.emit()

    def _look_at_outlooks(self) -> None:
        if self.isVisible():
            self.outlooks.look_at(*(row.path for row in self._checks.candidates if row.can_draft))

    def _update(self) -> None:
        candidates = self._checks.candidates
        scrolled = self.view.verticalScrollBar().value()
        current = self.view.currentIndex().data(DraftRole.CANDIDATE)
        self._rows.show_candidates(candidates, self._draft)
        if not self.view.currentIndex().isValid() and candidates:
            at = self._rows.row_of(current.path if current else self._draft)
            self._placing = True  # reaching a row by key is choosing it; this is not
            self.view.setCurrentIndex(self._rows.index(at or 0))
            self.view.verticalScrollBar().setValue(scrolled)
            self._placing = False
        has_any = any(row.can_draft or row.is_open for row in candidates)
        set_shown(self._explanation, not has_any)
        set_property(self._find, "kind", "quiet" if has_any else "plain")
        self.view.setFixedHeight(min(max(len(candidates), 1), _ROWS_SHOWN) * ROW_HEIGHT)
        self._look_at_outlooks()
        self.candidates_changed.emit()


class _DraftView(QListView):
    """A list in which Space or Enter chooses, and Enter goes no further."""

    chosen = Signal(QModelIndex)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("draft_model_picker")
        self.setAccessibleName(self.tr("Draft model"))
        self.setItemDelegate(DraftDelegate(theme, self))
        self.setSelectionMode(QListView.SelectionMode.NoSelection)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setTabKeyNavigation(False)
        self.setFrameShape(QFrame.Shape.NoFrame)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Chooses, or moves."""
        if event.key() in _CHOOSING_KEYS:
            self.chosen.emit(self.currentIndex())
            event.accept()
        else:
            super().keyPressEvent(event)
