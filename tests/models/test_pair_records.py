"""What is kept of pairs: found again for the same files and settings, and never trusted blindly."""

import logging
import os
import shutil
import threading
from pathlib import Path

import pytest
from msgspec.structs import replace

from app.core.machine import usable_cores
from app.core.options import CacheType, LoadOptions, Switch
from app.core.pair_record import AnsweredSpeedup, PairRecord
from app.core.pass_costs import PassCosts
from app.models.info import ModelInfo, read_info
from app.models.pair_records import PairRecords
from tests.fakes.tiny_gguf import write_llama

LOAD = LoadOptions(threads=2)
VERSION = "llama-cpp-python 1"
COSTS = PassCosts((1, 4), (0.1, 0.15), 0.02, 4, (0.01, 0.02), 0.01, (1, 8), (0.02, 0.05))
UNSTEADY = replace(COSTS, target_spreads=(0.9, 0.9))
ANSWER = AnsweredSpeedup(1.5, 200, 50)


class Kept:
    """A target and a draft on the disk, and records in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "pairs"
        self.target = read_info(write_llama(folder / "target.gguf"))
        self.draft = read_info(write_llama(folder / "draft.gguf", layers=1))
        self.records = PairRecords(self.folder)

    def write(
        self, record: PairRecord, load: LoadOptions = LOAD, version: str = VERSION, *, alone: bool = False
    ) -> None:
        self.records.write(self.target, None if alone else self.draft, load, version, record)

    def read(self, load: LoadOptions = LOAD, version: str = VERSION, *, alone: bool = False) -> PairRecord:
        """As another process would."""
        return PairRecords(self.folder).read(self.target, None if alone else self.draft, load, version)

    @property
    def files(self) -> list[Path]:
        return sorted(self.folder.iterdir()) if self.folder.exists() else []

    def other_target(self, number: int) -> ModelInfo:
        path = self.target.path.with_name(f"target{number}.gguf")
        shutil.copy(self.target.path, path)
        return read_info(path)


@pytest.fixture
def kept(tmp_path: Path) -> Kept:
    return Kept(tmp_path)


def test_nothing_is_known_at_first(kept: Kept, caplog: pytest.LogCaptureFixture) -> None:
    assert kept.read() == PairRecord()
    assert kept.records.costs_of_format(kept.target.quantisation, LOAD, VERSION) == ()
    assert caplog.records == []
    assert kept.files == [], "reading writes nothing"


def test_what_was_written_is_read_again(kept: Kept) -> None:
    kept.write(PairRecord(COSTS, answers=(ANSWER,)))
    assert kept.read() == PairRecord(COSTS, answers=(ANSWER,))


def test_a_target_alone_has_a_record_of_its_own(kept: Kept) -> None:
    kept.write(PairRecord(COSTS))
    assert kept.read(alone=True) == PairRecord()
    kept.write(PairRecord(COSTS.without_draft()), alone=True)
    assert kept.read(alone=True).costs == COSTS.without_draft()
    assert kept.read().costs == COSTS


@pytest.mark.parametrize(
    "load",
    [
        replace(LOAD, threads=1),
        replace(LOAD, context_length=8192),
        replace(LOAD, batch_size=8),
        replace(LOAD, gpu_layers=-1),
        replace(LOAD, flash_attention=Switch.OFF),
        replace(LOAD, k_cache_type=CacheType.Q8_0),
        replace(LOAD, mmap=Switch.OFF),
        replace(LOAD, longest_draft=4),
    ],
)
def test_costs_are_those_of_the_settings_and_the_rest_is_of_all(kept: Kept, load: LoadOptions) -> None:
    kept.write(PairRecord(COSTS, answers=(ANSWER,)))
    assert kept.read(load) == PairRecord(answers=(ANSWER,))

    kept.write(PairRecord(UNSTEADY, answers=(ANSWER, ANSWER)), load)
    assert kept.read(load).costs == UNSTEADY
    assert kept.read() == PairRecord(COSTS, answers=(ANSWER, ANSWER))


@pytest.mark.parametrize("load", [replace(LOAD, keep_in_memory=True), replace(LOAD, rope_frequency_base=1e4)])
def test_settings_that_change_no_time_are_no_others(kept: Kept, load: LoadOptions) -> None:
    kept.write(PairRecord(COSTS))
    assert kept.read(load).costs == COSTS


def test_automatic_threads_are_as_many_as_they_mean(kept: Kept) -> None:
    kept.write(PairRecord(COSTS), replace(LOAD, threads=0))
    assert kept.read(replace(LOAD, threads=usable_cores())).costs == COSTS
    assert kept.read(replace(LOAD, threads=usable_cores() + 1)).costs is None


def test_another_library_has_other_costs(kept: Kept) -> None:
    kept.write(PairRecord(COSTS, answers=(ANSWER,)))
    assert kept.read(version="llama-cpp-python 2") == PairRecord(answers=(ANSWER,))


def test_a_record_without_costs_makes_them_unknown(kept: Kept) -> None:
    kept.write(PairRecord(COSTS))
    kept.write(PairRecord(COSTS), replace(LOAD, threads=1))
    kept.write(PairRecord())
    assert kept.read().costs is None
    assert kept.read(replace(LOAD, threads=1)).costs == COSTS


def test_models_are_known_wherever_they_lie(kept: Kept, tmp_path: Path) -> None:
    kept.write(PairRecord(COSTS))
    (tmp_path / "elsewhere").mkdir()
    moved = read_info(kept.target.path.rename(tmp_path / "elsewhere" / "target.gguf"))
    assert kept.records.read(moved, kept.draft, LOAD, VERSION).costs == COSTS


def test_another_model_in_the_same_place_is_another(kept: Kept) -> None:
    kept.write(PairRecord(COSTS))
    write_llama(kept.target.path, changes={"general.name": "another"})
    changed = read_info(kept.target.path)
    assert kept.records.read(changed, kept.draft, LOAD, VERSION) == PairRecord()


def test_only_the_latest_settings_are_kept(kept: Kept) -> None:
    for threads in range(1, 12):
        kept.write(PairRecord(COSTS), replace(LOAD, threads=threads))
    known = [kept.read(replace(LOAD, threads=threads)).costs is not None for threads in range(1, 12)]
    assert known == [False] * 3 + [True] * 8


@pytest.mark.parametrize("damage", [b"", b"junk", None])
def test_a_damaged_file_is_nothing_known_and_is_logged(
    kept: Kept, damage: bytes | None, caplog: pytest.LogCaptureFixture
) -> None:
    kept.write(PairRecord(COSTS))
    (file,) = kept.files
    data = file.read_bytes()
    file.write_bytes(data[:-1] if damage is None else damage)

    assert kept.read() == PairRecord()
    assert kept.records.costs_of_format(kept.target.quantisation, LOAD, VERSION) == ()
    assert all(record.levelno == logging.WARNING for record in caplog.records)
    assert len(caplog.records) == 2
    kept.write(PairRecord(COSTS))
    assert kept.read().costs == COSTS


def test_a_file_of_another_pair_under_the_name_is_nothing_known(kept: Kept) -> None:
    kept.write(PairRecord(COSTS))
    (pairs,) = kept.files
    kept.write(PairRecord(COSTS.without_draft()), alone=True)
    (alone,) = set(kept.files) - {pairs}
    shutil.copy(alone, pairs)

    assert kept.read() == PairRecord()


def test_a_folder_that_cannot_be_written_is_only_logged(kept: Kept, caplog: pytest.LogCaptureFixture) -> None:
    kept.folder.write_text("a file where the folder should be")
    kept.write(PairRecord(COSTS))

    assert kept.read() == PairRecord()
    assert kept.records.costs_of_format(kept.target.quantisation, LOAD, VERSION) == ()
    assert "could not be saved" in caplog.text


def test_models_that_are_gone_are_only_logged(kept: Kept, caplog: pytest.LogCaptureFixture) -> None:
    kept.draft.path.unlink()
    kept.write(PairRecord(COSTS))

    assert kept.read() == PairRecord()
    assert kept.files == []
    assert "draft.gguf" in caplog.text


def test_the_oldest_files_go(kept: Kept) -> None:
    records = PairRecords(kept.folder, most_files=2)
    targets = [kept.other_target(number) for number in range(3)]
    for target in targets[:2]:
        records.write(target, None, LOAD, VERSION, PairRecord(COSTS))
        for file in kept.files:
            os.utime(file, (file.stat().st_atime, file.stat().st_mtime - 60))
    records.write(targets[2], None, LOAD, VERSION, PairRecord(COSTS))

    found = [records.read(target, None, LOAD, VERSION).costs for target in targets]
    assert found == [None, COSTS, COSTS]


def test_two_that_write_at_once_leave_whole_files(kept: Kept, caplog: pytest.LogCaptureFixture) -> None:
    def write(threads: int) -> None:
        records = PairRecords(kept.folder)
        for _ in range(20):
            load = replace(LOAD, threads=threads)
            records.write(kept.target, kept.draft, load, VERSION, PairRecord(COSTS))
            records.read(kept.target, kept.draft, load, VERSION)

    writers = [threading.Thread(target=write, args=(threads,)) for threads in (1, 2)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()

    assert caplog.records == []
    assert len(kept.files) == 1, "nothing half-written is left"
    assert COSTS in [kept.read(replace(LOAD, threads=threads)).costs for threads in (1, 2)]


class TestCostsOfAFormat:
    def test_they_are_of_targets_alike(self, kept: Kept) -> None:
        kept.write(PairRecord(COSTS))
        (found,) = kept.records.costs_of_format(kept.target.quantisation, LOAD, VERSION)

        assert found.costs == COSTS
        assert found.target.file == "target.gguf"
        assert found.target.size_bytes == kept.target.total_bytes
        assert found.draft is not None
        assert found.draft.file == "draft.gguf"

    def test_the_context_need_not_be_the_same(self, kept: Kept) -> None:
        kept.write(PairRecord(COSTS), replace(LOAD, context_length=512))
        assert len(kept.records.costs_of_format(kept.target.quantisation, LOAD, VERSION)) == 1

    def test_others_do_not_count(self, kept: Kept) -> None:
        kept.write(PairRecord(UNSTEADY))
        kept.write(PairRecord(COSTS), replace(LOAD, threads=1))
        kept.write(PairRecord(COSTS), replace(LOAD, gpu_layers=5))
        kept.write(PairRecord(COSTS), version="another")
        assert kept.records.costs_of_format(kept.target.quantisation, LOAD, VERSION) == ()

        kept.write(PairRecord(COSTS))
        assert kept.records.costs_of_format("IQ1_S", LOAD, VERSION) == ()

    def test_the_latest_come_first(self, kept: Kept) -> None:
        for number in range(2):
            target = kept.other_target(number)
            kept.records.write(target, None, LOAD, VERSION, PairRecord(COSTS))
            for file in kept.files:
                os.utime(file, (file.stat().st_atime, file.stat().st_mtime - 60))
        found = kept.records.costs_of_format(kept.target.quantisation, LOAD, VERSION)

        assert [each.target.file for each in found] == ["target1.gguf", "target0.gguf"]
