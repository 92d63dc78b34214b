"""What a pair is expected to gain, from the best that is known here."""

from collections.abc import Callable
from pathlib import Path

from app.core.cost_estimate import CostRange, ModelSize, costs_by_format, costs_by_size, measured_costs
from app.core.options import LoadOptions
from app.core.pair_expectation import (
    DraftLengths,
    Grounds,
    NoGain,
    PairExpectation,
    RuleOfThumb,
    gain_from_answers,
    gain_from_costs,
)
from app.core.pair_record import PairRecord
from app.core.typical_acceptance import LOOKUP, typical_acceptance
from app.models.header_index import HeaderIndex
from app.models.info import ModelInfo
from app.models.memory_speed import MemorySpeed
from app.models.pair_records import PairRecords


class Expectations:
    """Reads headers and records, never weights; some 0.1 s for a file that was not looked at before.

    `version` tells the native library's version, empty while that is not known. May be used from any thread.
    """

    def __init__(
        self, headers: HeaderIndex, records: PairRecords, speed: MemorySpeed, version: Callable[[], str]
    ) -> None:
        self._headers = headers
        self._records = records
        self._speed = speed
        self._version = version

    def of(
        self, target: Path, draft: Path | None, load: LoadOptions, lengths: DraftLengths
    ) -> PairExpectation:
        """What the draft gains for the target, or prompt lookup for None. Raises ModelFileError.

        Of fixed lengths answers tell nothing.
        """
        target_info = self._headers.read(target)
        draft_info = None if draft is None else self._headers.read(draft)
        record = self._records.read(target_info, draft_info, load, self._version())
        typical = LOOKUP
        if draft_info is not None:
            typical = typical_acceptance(target_info.parameters, draft_info.parameters)
        found = self._costs(target_info, draft_info, load, record)
        by_costs = None if found is None else gain_from_costs(found[0], typical, found[1], lengths)
        if isinstance(by_costs, NoGain) and by_costs.grounds.is_measured:
            return by_costs  # whatever answers under other settings have gained
        answers = record.answers if draft_info is None else record.drafted_answers
        by_answers = None if lengths.is_fixed else gain_from_answers(answers)
        return by_answers or by_costs or RuleOfThumb()

    def _costs(
        self, target: ModelInfo, draft: ModelInfo | None, load: LoadOptions, record: PairRecord
    ) -> tuple[CostRange, Grounds] | None:
        own = record.costs
        if own is not None and own.is_steady and (draft is None or own.draft_s is not None):
            return measured_costs(own), Grounds.COSTS
        if target.experts or (draft is not None and draft.experts):
            return None  # how many experts a pass reads depends on its tokens
        sizes = _size(target), None if draft is None else _size(draft)
        version = self._version()
        alike = costs_by_format(
            *sizes,
            self._records.costs_of_format(target.quantisation, load, version),
            () if draft is None else self._records.costs_of_format(draft.quantisation, load, version),
        )
        if alike is not None:
            return alike, Grounds.FORMAT
        speed = None if load.gpu_layers else self._speed.speed()  # that of the processor
        return None if speed is None else (costs_by_size(*sizes, speed), Grounds.SIZES)


def _size(info: ModelInfo) -> ModelSize:
    return ModelSize(max(info.parameters, 1), max(info.total_bytes, 1), info.quantisation)
