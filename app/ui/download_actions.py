"""The buttons of a download: those that make sense as it stands."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Signal, SignalInstance
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget

from app.models.download import (
    Download,
    Failed,
    Finished,
    Paused,
    Queued,
    Retrying,
    Transferring,
    Verifying,
)
from app.models.hub_problems import HubProblem
from app.models.projectors import looks_like_projector
from app.ui.icons import Icons
from app.ui.theme import Theme
from app.ui.widgets import Kind, button, icon_button, row

_GAP = 8  # pixels, before a button whose edge is seen


class DownloadActions(QWidget):
    """One line of buttons, made once; `title` is what their accessible names call the download.

    A button that goes while it has the focus hands it to its counterpart, else to `home`: a key that was
    meant for it must not do something else.
    """

    pause_chosen = Signal()
    resume_chosen = Signal()
    retry_chosen = Signal()
    cancel_chosen = Signal()
    up_chosen = Signal()
    down_chosen = Signal()
    page_chosen = Signal()
    settings_chosen = Signal()
    load_chosen = Signal()
    folder_chosen = Signal()
    remove_chosen = Signal()
    files_chosen = Signal()  # those of its repository, as they are now

    def __init__(
        self, theme: Theme, icons: Icons, title: str, home: QWidget, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._icons = icons
        self._title = title
        self._home = home
        self._up = self._icon_button("up", "move_download_up_button", self.tr("Move up"))
        self._up.clicked.connect(self.up_chosen)
        self._down = self._icon_button("down", "move_download_down_button", self.tr("Move down"))
        self._down.clicked.connect(self.down_chosen)
        self._load = self._button(self.tr("Load"), "load_downloaded_button", self.load_chosen, kind="plain")
        self._folder = self._button(self.tr("Show in folder"), "show_downloaded_button", self.folder_chosen)
        self._page = self._button(self.tr("Open page"), "open_download_page_button", self.page_chosen)
        self._settings = self._button(self.tr("Settings"), "download_settings_button", self.settings_chosen)
        self._files = self._button(self.tr("Show its files"), "show_repository_button", self.files_chosen)
        self._retry = self._button(self.tr("Retry"), "retry_download_button", self.retry_chosen)
        self._retry_now = self._button(self.tr("Retry now"), "retry_download_now_button", self.retry_chosen)
        self._pause = self._button(self.tr("Pause"), "pause_download_button", self.pause_chosen)
        self._resume = self._button(self.tr("Resume"), "resume_download_button", self.resume_chosen)
        self._cancel = self._button(self.tr("Cancel"), "cancel_download_button", self.cancel_chosen)
        self._remove = self._button(self.tr("Remove"), "remove_download_button", self.remove_chosen)
        self._all: tuple[QAbstractButton, ...] = (
            self._up,
            self._down,
            self._load,
            self._folder,
            self._page,
            self._settings,
            self._files,
            self._retry,
            self._retry_now,
            self._pause,
            self._resume,
            self._cancel,
            self._remove,
        )
        self._line = row(None, *self._all, spacing=0)
        self.setLayout(self._line)
        self._wanted: tuple[QAbstractButton, ...] | None = None
        self._dress()
        theme.changed.connect(self._dress)

    def show_for(self, download: Download, *, may_rise: bool, may_sink: bool) -> None:
        """Shows what can be done now."""
        wanted = self._fitting(download, movable=may_rise or may_sink)
        if wanted != self._wanted:
            self._wanted = wanted
            heirs = {self._pause: self._resume, self._resume: self._pause}
            show_only(self._all, wanted, heirs, home=self._home)
            self._line.setContentsMargins(_GAP if self._load in wanted else 0, 0, 0, 0)
        for made, possible in ((self._up, may_rise), (self._down, may_sink)):
            made.setEnabled(possible or made.hasFocus())  # the focus stays where it is

    def show_trying(self, *, is_trying: bool) -> None:
        """A try that is under way cannot be hastened."""
        self._retry_now.setEnabled(not is_trying or self._retry_now.hasFocus())

    @property
    def usual_width(self) -> int:
        """Pixels that the buttons take of a download that waits for its turn, or for the next try."""
        sets = (
            (self._up, self._down, self._pause, self._cancel),
            (self._retry_now, self._pause, self._cancel),
        )
        return max(sum(made.sizeHint().width() for made in buttons) for buttons in sets)

    def take_focus_back(self) -> None:
        """Goes to "Cancel", from where a question came."""
        (self._cancel if self._cancel.isVisibleTo(self) else self._home).setFocus()

    def _fitting(self, download: Download, *, movable: bool) -> tuple[QAbstractButton, ...]:
        match download.state:
            case Queued():
                moves = (self._up, self._down) if movable else ()
                return (*moves, self._pause, self._cancel)
            case Transferring() | Verifying():
                return (self._pause, self._cancel)
            case Retrying():
                return (self._retry_now, self._pause, self._cancel)
            case Paused():
                return (self._resume, self._cancel)
            case Failed(problem, _, address):
                page = (self._page,) if address else ()
                token = (self._settings,) if problem.needs_token else ()
                return (*page, *token, *self._retries(problem), self._cancel)
            case Finished(path):
                load = () if looks_like_projector(path) else (self._load,)
                return (*load, self._folder, self._remove)

    def _retries(self, problem: HubProblem) -> tuple[QAbstractButton, ...]:
        match problem:
            case HubProblem.BAD_NAME:
                return ()
            case HubProblem.CHANGED:  # what was asked for is there no more
                return (self._files,)
            case _:
                return (self._retry,)

    def _dress(self) -> None:
        self._up.setIcon(self._icons.icon("up"))
        self._down.setIcon(self._icons.icon("down"))

    def _button(self, text: str, name: str, chosen: SignalInstance, kind: Kind = "quiet") -> QAbstractButton:
        made = button(text, name, kind=kind, small=True)
        made.setAccessibleName(f"{text} {self._title}")
        made.clicked.connect(chosen)
        return made

    def _icon_button(self, icon: str, name: str, text: str) -> QAbstractButton:
        made = icon_button(self._icons.icon(icon), name, f"{text} {self._title}", small=True)
        made.setToolTip(text)
        return made


def show_only(
    buttons: Sequence[QAbstractButton],
    wanted: Sequence[QAbstractButton],
    heirs: Mapping[QAbstractButton, QAbstractButton] | None = None,
    *,
    home: QWidget,
) -> None:
    """Hides the others. One that goes with the focus hands it to its heir, if that is seen, or `home`."""
    focused = QApplication.focusWidget()
    for made in wanted:
        made.show()
    for made in buttons:
        if made is focused and made not in wanted:
            heir = (heirs or {}).get(made)
            (heir if heir in wanted and heir is not None else home).setFocus()
    for made in buttons:
        made.setVisible(made in wanted)
