"""What is to be known of a pair before its first answer with drafts."""

from app.commands.interrupts import on_ctrl_c
from app.core.errors import LoadCancelledError
from app.core.options import SpeculationOptions
from app.engine.pair import ModelPair
from app.engine.stopping import InterruptedPassError, StopSignal
from app.engine.thread import EngineThread
from app.terminal import ProgressBar


def prepare(engine: EngineThread, pair: ModelPair, speculation: SpeculationOptions) -> None:
    """Times passes where something drafts and they are not known yet, with progress.

    Raises LoadCancelledError after Ctrl+C.
    """
    stop = StopSignal()
    with ProgressBar("Measuring this pair", timed=False) as bar, on_ctrl_c(stop.set):
        try:
            engine.call(
                lambda: pair.prepare(speculation, stop, lambda done, of: bar.update(done / max(1, of)))
            )
        except InterruptedPassError:
            raise LoadCancelledError("Measuring this pair was stopped.") from None
