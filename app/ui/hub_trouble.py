"""What Discover shows in place of what the hub did not give: what happened, and what can be done."""

import math
import time
from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QHideEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from app.models.hub_problems import HubError, HubProblem
from app.models.model_names import printable
from app.ui.plain_tip import plain_tip
from app.ui.widgets import button, column, label, row

translate = QCoreApplication.translate

_WIDEST = 440  # pixels
_LEAST_WAIT = 5.0  # seconds before a try that nobody asked for
_MOST_TRIES = 5  # of that kind, one after the other
_FORGOTTEN = 300.0  # seconds after which trouble has nothing to do with the last try any more


class HubTrouble(QWidget):
    """Calm: a title, the error's own sentence, and buttons.

    Where the hub asked to wait, it counts down and tries again by itself, but not without end. `clock` gives
    seconds.
    """

    retry_requested = Signal()
    settings_requested = Signal()

    def __init__(
        self, name: str, clock: Callable[[], float] = time.monotonic, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._clock = clock
        self._address = ""
        self._retry_at: float | None = None
        self._tries = 0  # that nobody asked for
        self._tried_at = 0.0  # by the clock
        self._title = label(size="heading", wrap=True)
        self._title.setObjectName(f"{name}_title")
        self._sentence = label(tone="muted", wrap=True)
        self._sentence.setObjectName(f"{name}_sentence")
        self._sentence.setMaximumWidth(_WIDEST)
        middle = row(self._sentence, spacing=0)
        middle.insertStretch(0, 0)
        middle.setStretch(1, 1)  # as wide as it may be; what is left goes to both sides
        middle.addStretch(0)
        self._wait = label(tone="muted", size="small")
        self._wait.setObjectName(f"{name}_wait")
        for line in (self._title, self._sentence, self._wait):
            line.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._retry = button(self.tr("Retry"), f"{name}_retry_button")
        self._retry.clicked.connect(self._try_when_asked)
        self._page = button(self.tr("Open the page"), f"{name}_page_button")
        self._page.clicked.connect(self._open_page)
        self._settings = button(self.tr("Settings"), f"{name}_settings_button")
        self._settings.clicked.connect(self.settings_requested)
        buttons = row(None, self._retry, self._page, self._settings, None, spacing=6)
        self.setLayout(
            column(
                None,
                self._title,
                middle,
                self._wait,
                8,
                buttons,
                None,
                margins=(16, 24, 16, 48),
                spacing=6,
            )
        )
        self._tick = QTimer(self, interval=1000)
        self._tick.timeout.connect(self._count_down)

    @property
    def sentence(self) -> str:
        """What it says."""
        return self._sentence.text()

    def show_error(self, error: HubError) -> None:
        """Says what happened."""
        self._title.setText(title_of(error.problem))
        self._sentence.setText(printable(str(error)))
        self._address = error.address or ""
        self._retry.setVisible(error.problem.may_end)
        self._page.setVisible(bool(self._address))
        self._page.setToolTip(plain_tip(printable(self._address)))
        self._settings.setVisible(error.problem.needs_token)
        self._retry_at = self._next_try(error.wait_seconds)
        self._wait.setVisible(self._retry_at is not None)
        self._count_down()
        self._set_ticking()

    def showEvent(self, event: QShowEvent) -> None:
        """Goes on counting."""
        super().showEvent(event)
        self._count_down()
        self._set_ticking()

    def hideEvent(self, event: QHideEvent) -> None:
        """Nobody waits for what is not seen."""
        super().hideEvent(event)
        self._tick.stop()

    def _next_try(self, wait: float | None) -> float | None:
        """When it tries again by itself, by the clock; None where it does not."""
        now = self._clock()
        if now - self._tried_at > _FORGOTTEN:
            self._tries = 0
        if wait is None or wait <= 0 or self._tries == _MOST_TRIES:
            return None
        return now + max(wait, _LEAST_WAIT)

    def _set_ticking(self) -> None:
        if self._retry_at is not None and self.isVisible():
            self._tick.start()
        else:
            self._tick.stop()

    def _count_down(self) -> None:
        if self._retry_at is None:
            return
        left = math.ceil(self._retry_at - self._clock())
        if left > 0:
            self._wait.setText(self.tr("Tries again in {seconds} s").format(seconds=left))
        elif self.isVisible():
            self._tries += 1
            self._tried_at = self._clock()
            self._try_again()

    def _try_when_asked(self) -> None:
        self._tries = 0
        self._try_again()

    def _try_again(self) -> None:
        self._retry_at = None
        self._tick.stop()
        self._wait.hide()
        self.retry_requested.emit()

    def _open_page(self) -> None:
        QDesktopServices.openUrl(QUrl(self._address))


def title_of(problem: HubProblem) -> str:
    """Two or three words for a kind of trouble."""
    match problem:
        case HubProblem.NO_NETWORK | HubProblem.STALLED:
            return translate("HubTrouble", "No connection to Hugging Face")
        case HubProblem.OFFLINE_MODE:
            return translate("HubTrouble", "Offline")
        case HubProblem.UNAUTHORISED | HubProblem.FORBIDDEN:
            return translate("HubTrouble", "No access")
        case HubProblem.GATED:
            return translate("HubTrouble", "A licence to accept first")
        case HubProblem.HIDDEN:
            return translate("HubTrouble", "Not found, or private")
        case HubProblem.NOT_FOUND:
            return translate("HubTrouble", "Not found")
        case HubProblem.RATE_LIMITED:
            return translate("HubTrouble", "Too many questions for now")
        case HubProblem.SERVER | HubProblem.NOT_THE_ANSWER:
            return translate("HubTrouble", "Hugging Face does not answer as it should")
        case _:
            return translate("HubTrouble", "That did not work")
