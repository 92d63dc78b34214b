"""What loading will take of this computer's memory, beside what is free."""

from collections.abc import Callable

import psutil
from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from app.core.estimate import MemoryEstimate
from app.figures import bytes_text
from app.ui.chart_legend import ChartLegend
from app.ui.form_parts import show_line
from app.ui.memory_items import memory_items, missing_text
from app.ui.theme import Theme
from app.ui.track import Segment, Track
from app.ui.widgets import Card, column, label, row, set_property

_EVERY_MS = 2000  # free memory is read again


def available_bytes() -> int:
    """Memory that programs can have now without others being swapped out."""
    return psutil.virtual_memory().available


class MemoryCard(Card):
    """Itemised, as a bar and in words. `loaded_bytes` is what ejecting the loaded model gives back.

    Loading a model ejects the one before it, so that what fits is judged by what is free after that.
    """

    fit_changed = Signal()  # what is free has changed, and with it whether all fits

    def __init__(
        self,
        theme: Theme,
        loaded_bytes: int | None,
        available: Callable[[], int] = available_bytes,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("memory_card")
        self._loaded = loaded_bytes or 0
        self._available = available
        self._estimate: MemoryEstimate | None = None
        self._reason = ""
        self._headline = label(size="small")
        self._headline.setObjectName("memory_headline")
        self._bar = Track(theme)
        self._bar.setObjectName("memory_bar")
        self.legend = ChartLegend(theme)
        self._notes = label(size="small", tone="muted", wrap=True)
        self._notes.setObjectName("memory_notes")
        self._warning = label(size="small", tone="warning", wrap=True)
        self._warning.setObjectName("memory_warning")
        self.setLayout(
            column(
                row(label(self.tr("Estimated memory"), size="small", strong=True), None, self._headline),
                self._bar,
                self.legend,
                self._notes,
                self._warning,
                spacing=6,
                margins=(14, 12, 14, 12),
            )
        )
        self._timer = QTimer(self)
        self._timer.setInterval(_EVERY_MS)
        self._timer.timeout.connect(self._look)
        self._free = 0
        self._look()

    @property
    def is_too_much(self) -> bool:
        """Whether what is known of the estimate does not fit, even after the loaded model is ejected."""
        return self._estimate is not None and self._estimate.fits(self._free + self._loaded) is False

    @property
    def words(self) -> str:
        """All that it says, line by line."""
        lines = (
            self._headline.text(),
            self.legend.accessibleName(),
            self._notes.text(),
            self._warning.text(),
        )
        return "\n".join(line for line in lines if line)

    def show_estimate(self, estimate: MemoryEstimate) -> None:
        """Shows another estimate."""
        self._estimate, self._reason = estimate, ""
        self._update()

    def show_failure(self, reason: str) -> None:
        """Shows why there is none."""
        self._estimate, self._reason = None, reason
        self._update()

    def showEvent(self, event: QShowEvent) -> None:
        """Follows free memory from now on."""
        super().showEvent(event)
        self._look()
        self._timer.start()

    def hideEvent(self, event: QHideEvent) -> None:
        """Stops following it."""
        super().hideEvent(event)
        self._timer.stop()

    def _look(self) -> None:
        was_too_much = self.is_too_much
        self._free = self._available()
        self._update()
        if self.is_too_much is not was_too_much:
            self.fit_changed.emit()

    def _update(self) -> None:
        free = bytes_text(self._free)
        after = self._free + self._loaded
        estimate = self._estimate
        notes = [self._reason] if self._reason else []
        warning = ""
        if estimate is None:
            self._headline.setText(self.tr("{free} free").format(free=free))
            self._bar.show_segments()
            self.legend.show_items(())
        else:
            needed = bytes_text(estimate.known_bytes)
            whole = self.tr("{needed} of {free} free")
            part = self.tr("at least {needed} of {free} free")
            self._headline.setText((whole if estimate.is_complete else part).format(needed=needed, free=free))
            self._show_items(estimate, after)
            notes.append(missing_text(estimate))
            if not estimate.certain:
                notes.append(self.tr("The processor is not fully known; the real figure may differ."))
            if self.is_too_much:
                warning = self._too_much(needed, bytes_text(after))
        if self._loaded:
            text = self.tr("After Eject of the loaded model: {free} free")
            notes.append(text.format(free=bytes_text(after)))
        show_line(self._notes, "\n".join(note for note in notes if note))
        show_line(self._warning, warning)
        set_property(self._headline, "tone", "warning" if warning else "text")

    def _too_much(self, needed: str, free: str) -> str:
        if self._loaded:
            text = self.tr("Needs {needed}, and {free} will be free after Eject. ")
        else:
            text = self.tr("Needs {needed}, and {free} is free. ")
        hint = self.tr("Loading may fail or slow the computer down. A shorter context needs less.")
        return text.format(needed=needed, free=free) + hint

    def _show_items(self, estimate: MemoryEstimate, after: int) -> None:
        items = memory_items(estimate)
        scale = max(after, estimate.known_bytes, 1)
        mark = self._free / scale if self._loaded else after / scale if scale > after else None
        self._bar.show_segments(*(Segment(item.bytes / scale, item.role) for item in items), mark=mark)
        self.legend.show_items(tuple((item.text, item.role) for item in items))
        self._bar.setAccessibleName(self.legend.accessibleName())
