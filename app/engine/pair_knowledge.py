"""What is known of a loaded target with each of its drafts."""

from collections import Counter
from pathlib import Path

from msgspec.structs import replace

from app.core.options import LoadOptions
from app.core.pair_record import PairRecord
from app.core.pass_costs import PassCosts
from app.models.info import ModelInfo
from app.models.pair_records import PairRecords

_MOST_MEASUREMENTS = 3  # a machine that is never quiet is not measured for ever


class PairKnowledge:
    """Records of one target under one set of load options: read when first asked for, written when kept."""

    def __init__(
        self, records: PairRecords | None, target: ModelInfo, options: LoadOptions, version: str
    ) -> None:
        """Without `records` it knows what it is told. `version` is the native library's."""
        self._records = records
        self._target = target
        self._options = options
        self._version = version
        self._known: dict[Path | None, PairRecord] = {}
        self._measurements = Counter[Path | None]()  # with these drafts, since the target was loaded
        self._doubted: set[Path | None] = set()

    def record(self, draft: ModelInfo | None) -> PairRecord:
        """What is known of the target with a draft model, or without any."""
        key = _key(draft)
        if key not in self._known:
            self._known[key] = self._read(draft)
        return self._known[key]

    def keep(self, draft: ModelInfo | None, record: PairRecord) -> None:
        """Takes a record in place of the one that there was, here and on disk.

        One without costs has them measured again when they are next wanted, here unless that was done often
        enough, or after the next load; until then those that there were go on serving.
        """
        before, key = self.record(draft), _key(draft)
        self._known[key] = replace(record, costs=record.costs or before.costs)
        if record.costs is None and self._measurements[key] < _MOST_MEASUREMENTS:
            self._doubted.add(key)
        if self._records is not None:
            self._records.write(self._target, draft, self._options, self._version, record)

    def wants_costs(self, draft: ModelInfo | None) -> bool:
        """Whether costs should be measured: they are unknown, in doubt, or from an earlier load and suspect.

        Suspect are those that were disturbed, and those with which nothing was gained: where drafting seems
        too dear it is not done, and what is not done corrects no times.
        """
        record, key = self.record(draft), _key(draft)
        if record.costs is None or key in self._doubted:
            return True
        return not self._measurements[key] and (not record.costs.is_steady or record.gains_nothing)

    def add_costs(self, draft: ModelInfo | None, costs: PassCosts) -> None:
        """Keeps what was measured; the target's own times also for when nothing drafts for it."""
        self._measurements[_key(draft)] += 1
        self._doubted.discard(_key(draft))
        self.keep(draft, replace(self.record(draft), costs=costs))
        if draft is not None and self.wants_costs(None):
            self.add_costs(None, costs.without_draft())

    def _read(self, draft: ModelInfo | None) -> PairRecord:
        if self._records is None:
            return PairRecord()
        return self._records.read(self._target, draft, self._options, self._version)


def _key(draft: ModelInfo | None) -> Path | None:
    return None if draft is None else draft.path
