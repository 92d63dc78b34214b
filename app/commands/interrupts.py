"""Ctrl+C while native code runs: asked for politely, never thrown into a callback."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from app.terminal import ProgressBar


@contextmanager
def on_ctrl_c(action: Callable[[], None]) -> Iterator[None]:
    """Meanwhile Ctrl+C calls `action` and interrupts nothing. For the main thread."""
    before = signal.signal(signal.SIGINT, lambda _number, _frame: action())
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def load_progress() -> Iterator[Callable[[float], bool]]:
    """Shows a load's progress on standard error; Ctrl+C cancels the load."""
    cancelled = False

    def cancel() -> None:
        nonlocal cancelled
        cancelled = True

    with ProgressBar("Loading") as bar, on_ctrl_c(cancel):

        def show(share: float) -> bool:
            bar.update(share)
            return not cancelled

        yield show
