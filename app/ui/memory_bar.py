"""The machine's memory as a bar: what the engine takes, what others take, what is free."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from app.ui.monitor import MachineSample
from app.ui.theme import Theme
from app.ui.track import Segment, Track
from app.ui.widgets import ElidedLabel, column, label, row


def gigabytes(count: int) -> str:
    """Bytes in GB without the unit, with a digit after the point up to 100 GB."""
    value = count / 1e9
    return f"{value:.1f}" if value < 99.95 else f"{value:.0f}"


def memory_text(count: int) -> str:
    """Bytes without jitter: "4.1 GB", and "310 MB" for less than one."""
    return f"{gigabytes(count)} GB" if count >= 999_500_000 else f"{count / 1e6:.0f} MB"


class MemoryBar(QWidget):
    """Engine, others, free; a mark at the most that the engine has taken."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("memory_bar")
        self.setAccessibleName(self.tr("Memory"))
        self._figures = ElidedLabel(size="small", tone="muted")
        self._figures.setObjectName("memory_figures")
        self._figures.setAlignment(Qt.AlignmentFlag.AlignRight)
        self._track = Track(theme)
        heading = row(label(self.tr("Memory"), size="small", tone="muted"))
        heading.addWidget(self._figures, 1)
        self.setLayout(column(heading, self._track, spacing=4))

    @property
    def figures(self) -> str:
        """The words above the bar."""
        return self._figures.whole_text

    @property
    def track(self) -> Track:
        """The bar itself."""
        return self._track

    def show_sample(self, sample: MachineSample) -> None:
        """Shows another look at the machine."""
        engine = sample.engine.resident if sample.engine else 0
        others = max(0, sample.used_bytes - engine)
        total = max(sample.total_bytes, 1)
        self._track.show_segments(
            Segment(engine / total, "accent"),
            Segment(others / total, "faint"),
            mark=sample.engine.peak / total if sample.engine else None,
        )
        used, whole = gigabytes(sample.used_bytes), gigabytes(sample.total_bytes)
        if sample.engine is None:
            words = self.tr("used {used} of {total} GB").format(used=used, total=whole)
            peak = ""
        else:
            words = self.tr("engine {engine} · {used} of {total} GB").format(
                engine=_short(engine), used=used, total=whole
            )
            peak = self.tr("the engine's peak is {peak}").format(peak=memory_text(sample.engine.peak))
        if words != self._figures.whole_text:
            self._figures.set_text(words)
        self._describe(words, peak)

    def _describe(self, words: str, peak: str) -> None:
        described = f"{words}, {peak}" if peak else words
        if described != self.accessibleDescription():
            self.setAccessibleDescription(described)
            self.setToolTip(described[:1].upper() + described[1:])


def _short(count: int) -> str:
    """GB are understood, MB are named."""
    return gigabytes(count) if count >= 999_500_000 else memory_text(count)
