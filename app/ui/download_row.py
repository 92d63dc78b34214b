"""A download in the panel: its name, how it stands, and what can be done about it."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
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
from app.ui.widgets import QUIET_INSET, ElidedLabel, Tone, column, label, row, set_property

_NAME, _FIGURES = 140, 250  # pixels that a name and figures want beside the buttons
_GAP = 8
_QUIET = 5.0  # seconds without a byte before that is said
_BREAK = "\u200b"  # where a long path may go on in the next line


class DownloadRow(QWidget):
    """Kept and changed in place for as long as there is the download. `clock` is that of waits.

    It reaches beyond its track on both sides, so that the words of its buttons end where the track does. It
    has the focus where no button of its own should.
    """

    load_requested = Signal(object)  # Path
    address_requested = Signal(str)
    settings_requested = Signal()
    files_requested = Signal(object)  # Download: its repository is to be looked at again

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
        self._theme = theme
        self._downloads = downloads
        self._download = download
        self._moved_at = clock()  # when it last did something
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
        self._actions = DownloadActions(theme, icons, title, self)
        policy = self._actions.sizePolicy()
        policy.setRetainSizeWhenHidden(True)  # while there is the question
        self._actions.setSizePolicy(policy)
        self._question = DownloadQuestion(title)
        self._right = row(self._figures, self._actions, spacing=0)
        self._top = row(self._name, self._right)
        self._top.setStretchFactor(self._name, 1)
        under = column(self._track, self._problem, spacing=2, margins=(0, 0, QUIET_INSET, 0))
        whole = column(self._top, under, self._question, spacing=2, margins=(QUIET_INSET, 2, 0, 4))
        self.setLayout(whole)
        self._connect()

    @property
    def download(self) -> Download:
        """What is shown."""
        return self._download

    def show_download(self, download: Download, *, may_rise: bool, may_sink: bool) -> None:
        """Shows how it stands now. What waits for its turn may be moved up, or down."""
        before, self._download = self._download, download
        if (before.state, before.received_bytes) != (download.state, download.received_bytes):
            self._moved_at = self._clock()
        self.show_time()
        tone, part = _look(download)
        set_property(self._figures, "tone", tone)
        self._track.show_segments(part)
        self._show_problem()
        self._actions.show_for(download, may_rise=may_rise, may_sink=may_sink)
        if isinstance(download.state, Finished):
            self._question.end()
        elif not self._question.isHidden():
            self._question.show_download(download)

    @property
    def needs_time(self) -> bool:
        """Whether it says something else in a while though nothing happens."""
        state = self._download.state
        return isinstance(state, Retrying) or (isinstance(state, Transferring) and not self._download.rate)

    def show_time(self) -> None:
        """Shows how long a wait still is, or that nothing has come for some time."""
        now = self._clock()
        is_quiet = now - self._moved_at >= _QUIET
        self._figures.set_text(state_text(self._download, now, is_quiet=is_quiet))
        state = self._download.state
        if isinstance(state, Retrying):
            self._actions.show_trying(is_trying=state.at <= now)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Puts into lines of their own what has no room."""
        super().resizeEvent(event)
        self._fold()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Shows that it has the focus."""
        super().paintEvent(event)
        if self.hasFocus():
            painter = QPainter(self)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(self._theme.colours.accent)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8)
            painter.end()

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
        actions.files_chosen.connect(self._show_files)
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
        """One line where there is room, else two, else three: by the width alone, whatever there is to say.

        Rows below would jump if one took another height with every state.
        """
        room = self.width() - QUIET_INSET
        right = _FIGURES + self._actions.usual_width
        for layout, needed in ((self._top, _NAME + _GAP + right), (self._right, right)):
            fits = room >= needed
            wanted = QBoxLayout.Direction.LeftToRight if fits else QBoxLayout.Direction.TopToBottom
            if layout.direction() != wanted:
                layout.setDirection(wanted)
        self._top.setSpacing(_GAP if self._top.direction() is QBoxLayout.Direction.LeftToRight else 0)

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
            self._question.ask(self._download)
            self._actions.hide()
        else:
            self._delete_part()

    def _stay(self, had_focus: bool) -> None:
        self._actions.show()
        if had_focus:
            self._actions.take_focus_back()

    def _keep_part(self) -> None:
        """A part that no row is about could not be found again."""
        self._downloads.pause(self._download.key)
        self._question.end()

    def _delete_part(self) -> None:
        self._downloads.cancel(self._download.key, keep_part=False)

    def _open_page(self) -> None:
        state = self._download.state
        if isinstance(state, Failed) and state.address:
            self.address_requested.emit(state.address)

    def _load(self) -> None:
        if isinstance(self._download.state, Finished):
            self.load_requested.emit(self._download.state.path)

    def _show_files(self) -> None:
        self.files_requested.emit(self._download)

    def _show_folder(self) -> None:
        if isinstance(self._download.state, Finished):
            self._show_in_folder(self._download.state.path)


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
