"""The meters on top of the chat's sidebar."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from app.figures import MISSING
from app.ui.acceptance_meter import AcceptanceMeter
from app.ui.dial import SpeedDial
from app.ui.memory_bar import MemoryBar
from app.ui.meters import MeterReading
from app.ui.sparkline import Sparkline
from app.ui.theme import Theme
from app.ui.widgets import column, label, row


class MetersPanel(QWidget):
    """Speed as a dial and a line, memory, processor, acceptance."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._dial = SpeedDial(theme)
        self._line = Sparkline(theme)
        self._memory = MemoryBar(theme)
        self._processor = label(size="small", tone="muted")
        self._processor.setObjectName("processor_figure")
        self._processor.setAlignment(Qt.AlignmentFlag.AlignRight)
        self._processor.setText(MISSING)
        self._acceptance = AcceptanceMeter(theme)
        self._acceptance.hide()
        processor = row(label(self.tr("CPU"), size="small", tone="muted"), None, self._processor)
        self.setLayout(
            column(self._dial, self._line, 4, self._memory, processor, 4, self._acceptance, spacing=4)
        )

    def show_reading(self, reading: MeterReading) -> None:
        """Shows other figures."""
        self._dial.show_rates(reading.rates)
        self._line.show_values(reading.rates.history)
        self._memory.show_sample(reading.machine)
        share = reading.machine.cpu_share
        if share is not None:
            self._processor.setText(self.tr("{percent:.0f} %").format(percent=100 * share))
        self._acceptance.show_tally(reading.tally)

    def set_drafting(self, drafting: bool) -> None:
        """Shows the acceptance where there is something to accept."""
        self._acceptance.setVisible(drafting)
