"""What the computer is doing: memory and processor, four times a second."""

from collections import deque

import psutil
from msgspec import Struct
from PySide6.QtCore import QObject, QTimer, Signal

from app.core.process_memory import ProcessMemory, process_memory

_INTERVAL_MS = 250
_CPU_SAMPLES = 4  # averaged, so that the figure can be read


class MachineSample(Struct, frozen=True):
    """One look at the machine. Sizes in bytes."""

    engine: ProcessMemory | None  # None where none runs
    window_bytes: int
    total_bytes: int
    available_bytes: int
    cpu_share: float | None  # of all processors, from 0 to 1; None in the first sample

    @property
    def used_bytes(self) -> int:
        """What is in use, the model's file included: the system could drop it, and answers would crawl."""
        droppable = self.engine.droppable if self.engine else 0
        return min(self.total_bytes - self.available_bytes + droppable, self.total_bytes)


class Monitor(QObject):
    """Looks at the machine while somebody watches; one look takes well under a millisecond."""

    sampled = Signal(object)  # MachineSample

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._window = psutil.Process()
        self._engine: psutil.Process | None = None
        self._cpu: deque[float] = deque(maxlen=_CPU_SAMPLES)
        self._timer = QTimer(self)
        self._timer.setInterval(_INTERVAL_MS)
        self._timer.timeout.connect(self._tick)

    @property
    def is_active(self) -> bool:
        """Whether it looks."""
        return self._timer.isActive()

    def set_active(self, active: bool) -> None:
        """Looks at once and from now on, or no more: for a window that nobody sees."""
        if active and not self.is_active:
            self._cpu.clear()
            psutil.cpu_percent()  # the share is counted from here
            self._timer.start()
            self.sampled.emit(self.sample())
        elif not active:
            self._timer.stop()

    def set_engine(self, pid: int | None) -> None:
        """Watches an engine process, or none. One that ends is forgotten; tell as often as you like."""
        if self._engine is not None and self._engine.pid == pid:
            return
        try:
            self._engine = psutil.Process(pid) if pid is not None else None
        except psutil.NoSuchProcess:  # it has ended already
            self._engine = None

    def sample(self) -> MachineSample:
        """One look, whether active or not."""
        system = psutil.virtual_memory()
        return MachineSample(
            engine=self._engine_memory(),
            window_bytes=self._window.memory_info().rss,
            total_bytes=system.total,
            available_bytes=system.available,
            cpu_share=sum(self._cpu) / len(self._cpu) if self._cpu else None,
        )

    def free_bytes(self) -> int:
        """The memory that another model could have: what is free, and what the loaded one would give back."""
        now = self.sample()
        return now.available_bytes + (now.engine.resident if now.engine else 0)

    def close(self) -> None:
        """Ends looking."""
        self._timer.stop()
        self._engine = None

    def _tick(self) -> None:
        self._cpu.append(psutil.cpu_percent() / 100)
        self.sampled.emit(self.sample())

    def _engine_memory(self) -> ProcessMemory | None:
        if self._engine is None:
            return None
        try:
            memory = process_memory(self._engine)
        except psutil.Error:  # it has ended
            self._engine = None
            return None
        return memory if memory.resident else None
