"""The bar at the bottom: memory, processor, drafting and speed in small, downloads, and the mode."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QFrame, QLabel, QMenu, QToolButton, QWidget

from app.core.options import SpeculationMode
from app.figures import rate_text
from app.models.download import Download, Failed
from app.settings import UserMode
from app.ui.comparison_state import ComparisonState, Phase
from app.ui.download_words import summary_text
from app.ui.memory_bar import gigabytes, memory_text
from app.ui.meters import MeterReading
from app.ui.mode_words import mode_meaning, mode_name
from app.ui.session_state import Running, SessionState
from app.ui.widgets import column, hairline, label, row

HEIGHT = 28  # pixels


class StatusBar(QFrame):
    """Figures on the left, the mode chooser on the right."""

    mode_chosen = Signal(object)  # UserMode
    log_requested = Signal()  # by developers
    downloads_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("status_bar")
        self.setProperty("panel", True)
        self.setFixedHeight(HEIGHT)
        self._engine = self._figure("status_engine")
        self._system = self._figure("status_system")
        self._processor = self._figure("status_processor")
        self._drafting = self._figure("status_drafting")
        self._speed = self._figure("status_speed")
        self._comparison = self._figure("status_comparison")
        self._processor.setMinimumWidth(self._processor.fontMetrics().horizontalAdvance("CPU 100 %"))
        self._downloads = self._button("downloads_status_button", "")
        self._downloads.clicked.connect(self.downloads_requested)
        self._downloads.hide()
        self._log = self._button("engine_log_button", self.tr("Engine log"))
        self._log.clicked.connect(self.log_requested)
        self._actions: dict[UserMode, QAction] = {}
        self._mode = self._mode_button()
        figures = row(
            self._engine,
            self._system,
            self._processor,
            self._drafting,
            self._speed,
            self._comparison,
            None,
            row(self._downloads, self._log, self._mode, spacing=4),
            spacing=20,
            margins=(16, 0, 8, 0),
        )
        self.setLayout(column(hairline(), figures, spacing=0))
        self.set_mode(UserMode.POWER_USER)

    def show_reading(self, reading: MeterReading) -> None:
        """Shows other figures."""
        machine = reading.machine
        self._show(
            self._engine,
            self.tr("Engine {size}").format(size=memory_text(machine.engine.resident))
            if machine.engine
            else "",
        )
        used, total = gigabytes(machine.used_bytes), gigabytes(machine.total_bytes)
        self._show(self._system, self.tr("System {used} of {total} GB").format(used=used, total=total))
        if machine.cpu_share is not None:
            self._show(self._processor, self.tr("CPU {share:.0f} %").format(share=100 * machine.cpu_share))
        self._show(self._speed, rate_text(reading.rates.now) if reading.is_answering else "")

    def show_state(self, state: SessionState) -> None:
        """Says whether the next answer is drafted; call it for another config as well."""
        if not isinstance(state, Running):
            self._show(self._drafting, "")
        elif state.speculation is SpeculationMode.OFF:
            self._show(self._drafting, self.tr("Drafting: off"))
        else:
            self._show(self._drafting, self.tr("Drafting: on"))

    def show_comparison(self, state: ComparisonState) -> None:
        """Says which run of how many is on, while a comparison is."""
        running = state.phase is Phase.RUNNING
        text = self.tr("Run {number} of {count}").format(number=state.done + 1, count=state.of)
        self._show(self._comparison, text if running else "")

    def show_downloads(self, downloads: Sequence[Download]) -> None:
        """Says how far the downloads are, while any is under way or has failed."""
        wanted = any(download.is_active or isinstance(download.state, Failed) for download in downloads)
        self._downloads.setVisible(wanted)
        if wanted:
            text = self.tr("Downloads: {summary}").format(summary=summary_text(downloads))
            self._downloads.setText(text)
            self._downloads.setAccessibleName(text)

    def set_mode(self, mode: UserMode) -> None:
        """Shows another mode, without a signal."""
        self._actions[mode].setChecked(True)
        self._log.setVisible(mode is UserMode.DEVELOPER)
        self._mode.setText(f"{mode_name(mode)} ▾")
        self._mode.setAccessibleName(self.tr("Mode: {mode}").format(mode=mode_name(mode)))
        self._mode.setToolTip(f"{mode_name(mode)}: {mode_meaning(mode)}")

    @staticmethod
    def _button(name: str, text: str) -> QToolButton:
        made = QToolButton()
        made.setObjectName(name)
        made.setText(text)
        made.setAccessibleName(text)
        _dress(made)
        return made

    @staticmethod
    def _figure(name: str) -> QLabel:
        made = label(size="small", tone="muted")
        made.setObjectName(name)
        made.hide()
        return made

    @staticmethod
    def _show(figure: QLabel, text: str) -> None:
        figure.setText(text)
        figure.setVisible(bool(text))

    def _mode_button(self) -> QToolButton:
        made = QToolButton()
        made.setObjectName("mode_button")
        _dress(made)
        made.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(made)
        menu.setObjectName("mode_menu")
        group = QActionGroup(menu)
        for mode in UserMode:
            action = QAction(f"{mode_name(mode)}  –  {mode_meaning(mode)}", menu, checkable=True)
            action.setObjectName(f"mode_{mode.value}")
            action.triggered.connect(lambda _checked, chosen=mode: self._choose(chosen))
            group.addAction(action)
            menu.addAction(action)
            self._actions[mode] = action
        made.setMenu(menu)
        return made

    def _choose(self, mode: UserMode) -> None:
        self.set_mode(mode)
        self.mode_chosen.emit(mode)


def _dress(made: QToolButton) -> None:
    made.setProperty("status", True)
    made.setCursor(Qt.CursorShape.PointingHandCursor)
    made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
