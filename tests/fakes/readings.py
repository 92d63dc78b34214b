"""Readings of the meters, as they could be."""

from app.core.process_memory import ProcessMemory
from app.core.rates import RateReading
from app.ui.meters import AnswerTally, MeterReading
from app.ui.monitor import MachineSample

GB = 1_000_000_000


def machine_sample(
    *,
    engine: float | None = 4.1,
    droppable: float = 0.0,
    peak: float = 5.3,
    used: float = 7.9,
    total: float = 23.0,
    cpu_share: float | None = 0.96,
) -> MachineSample:
    """A look at a machine; sizes in GB."""
    return MachineSample(
        engine=None
        if engine is None
        else ProcessMemory(int(engine * GB), int(droppable * GB), int(peak * GB)),
        window_bytes=GB // 10,
        total_bytes=int(total * GB),
        available_bytes=int((total - used) * GB),
        cpu_share=cpu_share,
    )


def reading(
    *,
    now: float = 18.3,
    average: float | None = 17.6,
    history: tuple[float, ...] = (0.0, 9.0, 18.3),
    tally: AnswerTally | None = None,
    is_answering: bool = True,
    machine: MachineSample | None = None,
) -> MeterReading:
    """What the meters read in the middle of an answer."""
    return MeterReading(
        rates=RateReading(now, average, history),
        tally=tally or AnswerTally(generated=96, tested=83, accepted=82),
        is_answering=is_answering,
        machine=machine or machine_sample(),
    )
