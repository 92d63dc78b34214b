"""The meters on top of the chat's sidebar."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from app.core.options import SpeculationMode, SpeculationOptions
from app.figures import MISSING
from app.ui.acceptance_meter import AcceptanceMeter
from app.ui.dial import SpeedDial
from app.ui.drafting_line import DraftingLine
from app.ui.form_parts import set_shown
from app.ui.memory_bar import MemoryBar
from app.ui.meters import MeterReading
from app.ui.sparkline import Sparkline
from app.ui.theme import Theme
from app.ui.widgets import column, label, row


class MetersPanel(QWidget):
    """Speed as a dial and a line, memory, processor, acceptance, the last rounds."""

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
        self._drafting = DraftingLine(theme)
        self._drafting.hide()
        processor = row(label(self.tr("CPU"), size="small", tone="muted"), None, self._processor)
        self.setLayout(
            column(
                self._dial,
                self._line,
                4,
                self._memory,
                processor,
                4,
                self._acceptance,
                4,
                self._drafting,
                spacing=4,
            )
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
        self._drafting.show_reading(reading.drafting)

    def show_options(self, options: SpeculationOptions) -> None:
        """Shows what became of drafts where there are any."""
        drafting = options.mode is not SpeculationMode.OFF
        self._drafting.show_options(options)
        set_shown(self._acceptance, drafting)
        set_shown(self._drafting, drafting)
