"""A download in the panel: its name, how it stands, and what can be done about it."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QSizePolicy, QWidget

from app.models.download import Download, Failed, Finished, Paused, Queued, Retrying, Transferring
from app.models.model_names import printable
from app.ui.download_actions import DownloadActions
from app.ui.download_question import DownloadQuestion
from app.ui.download_words import state_text, title_text
from app.ui.downloads_service import DownloadsService
from app.ui.icons import Icons
from app.ui.theme import Theme
from app.ui.track import Segment, Track
from app.ui.widgets import ElidedLabel, Tone, column, label, row, set_property

_NAME, _FIGURES = 140, 250  # pixels that a name and figures want beside the buttons
_GAP = 8
_BREAK = "\u200b"  # where a long path may go on in the next line


class DownloadRow(QWidget):
    """Kept and changed in place for as long as there is the download. `clock` is that of waits."""

    load_requested = Signal(object)  # Path
    address_requested = Signal(str)
    settings_requested = Signal()

    def __init__(
        self,
        theme: Theme,
        icons: Icons,
        downloads: DownloadsService,
        download: Download,
        clock: Callable[[], float],
        show_in_folder: Callable[[Path], None],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._downloads = downloads
        self._download = download
        self._clock = clock
        self._show_in_folder = show_in_folder
        title = title_text(download)
        self.setObjectName("download_row")
        self.setAccessibleName(title)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)  # it folds
        self._name = ElidedLabel(title, size="small", strong=True, mode=Qt.TextElideMode.ElideMiddle)
        self._name.setObjectName("download_name")
        self._figures = ElidedLabel(size="small", tone="muted")
        self._figures.setObjectName("download_figures")
        self._figures.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self._track = Track(theme)
        self._problem = label(size="small", tone="bad", wrap=True)
        self._problem.setObjectName("download_problem")
        self._problem.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._problem.hide()
        self._actions = DownloadActions(theme, icons, title)
        policy = self._actions.sizePolicy()
        policy.setRetainSizeWhenHidden(True)  # while there is the question
        self._actions.setSizePolicy(policy)
        self._question = DownloadQuestion(title)
        self._right = row(self._figures, self._actions)
        self._top = row(self._name, self._right)
        self._top.setStretchFactor(self._name, 1)
        self.setLayout(column(self._top, self._track, self._problem, self._question, spacing=2))
        self._connect()

    @property
    def download(self) -> Download:
        """What is shown."""
        return self._download

    def show_download(self, download: Download, *, may_rise: bool, may_sink: bool) -> None:
        """Shows how it stands now. What waits for its turn may be moved up, or down."""
        self._download = download
        self.show_time()
        tone, part = _look(download)
        set_property(self._figures, "tone", tone)
        self._track.show_segments(part)
        self._show_problem()
        self._actions.show_for(download, may_rise=may_rise, may_sink=may_sink)
        self._fold()
        if not self._question.isHidden():
            if isinstance(download.state, Finished):
                self._question.end()
            self._question.show_amount(_received(download))

    def show_time(self) -> None:
        """Shows how long a wait still is."""
        self._figures.set_text(state_text(self._download, self._clock()))

    def take_focus(self) -> None:
        """Goes to the first button."""
        self._actions.take_focus()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Puts into lines of their own what has no room."""
        super().resizeEvent(event)
        self._fold()

    def _connect(self) -> None:
        actions, question = self._actions, self._question
        actions.pause_chosen.connect(self._pause)
        actions.resume_chosen.connect(self._resume)
        actions.retry_chosen.connect(self._retry)
        actions.cancel_chosen.connect(self._cancel)
        actions.up_chosen.connect(self._move_up)
        actions.down_chosen.connect(self._move_down)
        actions.page_chosen.connect(self._open_page)
        actions.settings_chosen.connect(self.settings_requested)
        actions.load_chosen.connect(self._load)
        actions.folder_chosen.connect(self._show_folder)
        actions.remove_chosen.connect(self._remove)
        question.keep_chosen.connect(self._keep_part)
        question.delete_chosen.connect(self._delete_part)
        question.ended.connect(self._stay)

    def _show_problem(self) -> None:
        state = self._download.state
        sentence = printable(state.sentence) if isinstance(state, Failed) else ""
        if sentence != self._problem.accessibleName():
            self._problem.setAccessibleName(sentence)
            self._problem.setText(sentence.replace("/", f"/{_BREAK}").replace("\\", f"\\{_BREAK}"))
        self._problem.setVisible(bool(sentence))
        self._figures.setAccessibleDescription(
            printable(state.sentence) if isinstance(state, Retrying) else ""
        )

    def _fold(self) -> None:
        """One line where there is room, else two, else three. Changing figures do not fold it to and fro."""
        changing = isinstance(self._download.state, Transferring | Retrying)
        figures = _FIGURES if changing else self._figures.sizeHint().width()
        right = figures + _GAP + self._actions.sizeHint().width()
        for layout, needed in ((self._top, _NAME + _GAP + right), (self._right, right)):
            fits = self.width() >= needed
            wanted = QBoxLayout.Direction.LeftToRight if fits else QBoxLayout.Direction.TopToBottom
            if layout.direction() != wanted:
                layout.setDirection(wanted)
                layout.setSpacing(_GAP if fits else 0)

    def _pause(self) -> None:
        self._downloads.pause(self._download.key)

    def _resume(self) -> None:
        self._downloads.resume(self._download.key)

    def _retry(self) -> None:
        self._downloads.retry_now(self._download.key)

    def _move_up(self) -> None:
        self._downloads.move(self._download.key, -1)

    def _move_down(self) -> None:
        self._downloads.move(self._download.key, 1)

    def _remove(self) -> None:
        self._downloads.remove(self._download.key)

    def _cancel(self) -> None:
        if self._download.may_hold_bytes:
            self._question.ask(_received(self._download))
            self._actions.hide()
        else:
            self._delete_part()

    def _stay(self) -> None:
        self._actions.show()
        self._actions.take_focus_back()

    def _keep_part(self) -> None:
        self._downloads.cancel(self._download.key, keep_part=True)

    def _delete_part(self) -> None:
        self._downloads.cancel(self._download.key, keep_part=False)

    def _open_page(self) -> None:
        state = self._download.state
        if isinstance(state, Failed) and state.address:
            self.address_requested.emit(state.address)

    def _load(self) -> None:
        if isinstance(self._download.state, Finished):
            self.load_requested.emit(self._download.state.path)

    def _show_folder(self) -> None:
        if isinstance(self._download.state, Finished):
            self._show_in_folder(self._download.state.path)


def _received(download: Download) -> int | None:
    return download.received_bytes if download.is_measured else None


def _look(download: Download) -> tuple[Tone, Segment]:
    """The tone of the figures, and what of the track is filled."""
    share = download.received_bytes / max(download.request.total_bytes, 1)
    match download.state:
        case Queued() | Paused():
            return "muted", Segment(share, "faint")
        case Retrying():
            return "warning", Segment(share, "warning")
        case Failed():
            return "bad", Segment(share, "bad")
        case Finished():
            return "good", Segment(1.0, "good")
        case _:
            return "muted", Segment(share, "accent")
