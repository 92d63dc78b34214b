"""Expectations of pairs, from the best that is known of them here."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from app.core.errors import ModelFileError
from app.core.machine_speed import MachineSpeed
from app.core.options import LoadOptions
from app.core.pair_expectation import DraftLengths, ExpectedGain, Grounds, NoGain, RuleOfThumb
from app.core.pair_record import AnsweredSpeedup, PairRecord
from app.core.pass_costs import PassCosts
from app.models.expectations import Expectations
from app.models.header_index import HeaderIndex
from app.models.info import ModelInfo, read_info
from app.models.memory_speed import MeasuredSpeed, MemorySpeed
from app.models.pair_records import PairRecords
from tests.fakes.tiny_gguf import write_llama

LOAD = LoadOptions(threads=2)
VERSION = "0.3.35"
FLAT = PassCosts((1, 17), (0.3, 0.4), 0.03, 32, (0.0, 0.0))
STEEP = PassCosts((1, 2, 17), (0.1, 0.2, 1.9), 0.05, 32, (0.0, 0.0, 0.0))
ANSWERS = tuple(AnsweredSpeedup(speedup, 200, 50) for speedup in (1.3, 1.5, 1.8))

ANY_LENGTH = DraftLengths()


class Bench:
    """A target and a draft on the disk, and what is kept of them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.target = self.write("target")
        self.draft = self.write("draft", layers=1)
        self.records = PairRecords(folder / "pairs")
        self.speed: MachineSpeed | None = None
        self.version = VERSION
        self.measured = 0

    def write(self, name: str, layers: int = 2) -> ModelInfo:
        path = write_llama(self.folder / f"{name}.gguf", layers=layers, changes={"general.name": name})
        return read_info(path)

    def measure(self) -> MeasuredSpeed | None:
        self.measured += 1
        return None if self.speed is None else MeasuredSpeed(self.speed, is_steady=True)

    def keep(self, target: ModelInfo, draft: ModelInfo | None, record: PairRecord) -> None:
        self.records.write(target, draft, LOAD, VERSION, record)

    def expect(
        self, draft: ModelInfo | None = None, load: LoadOptions = LOAD, lengths: DraftLengths = ANY_LENGTH
    ) -> object:
        speed = MemorySpeed(None, self.measure)
        made = Expectations(HeaderIndex(None), self.records, speed, lambda: self.version)
        return made.of(self.target.path, None if draft is None else draft.path, load, lengths)


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def test_answers_of_the_pair_say_most(bench: Bench) -> None:
    bench.keep(bench.target, bench.draft, PairRecord(costs=FLAT, answers=ANSWERS))
    assert bench.expect(bench.draft) == ExpectedGain(1.3, 1.8, Grounds.ANSWERS, 3)


def test_those_in_which_the_draft_model_never_drafted_say_nothing_of_it(bench: Bench) -> None:
    plain = tuple(replace(answer, model_drafted=False) for answer in ANSWERS)
    bench.keep(bench.target, bench.draft, PairRecord(answers=plain))
    assert bench.expect(bench.draft) == RuleOfThumb()


def test_they_say_nothing_of_prompt_lookup(bench: Bench) -> None:
    bench.keep(bench.target, bench.draft, PairRecord(answers=ANSWERS))
    assert bench.expect() == RuleOfThumb()

    bench.keep(bench.target, None, PairRecord(answers=ANSWERS))
    assert bench.expect() == ExpectedGain(1.3, 1.8, Grounds.ANSWERS, 3)


def test_of_a_fixed_length_they_say_nothing(bench: Bench) -> None:
    bench.keep(bench.target, bench.draft, PairRecord(costs=FLAT, answers=ANSWERS))
    found = bench.expect(bench.draft, lengths=DraftLengths(3, is_fixed=True))

    assert isinstance(found, ExpectedGain)
    assert found.grounds is Grounds.COSTS
    assert found.high < 4.0, "three tokens and one more"


def test_without_answers_the_times_of_its_passes_do(bench: Bench) -> None:
    bench.keep(bench.target, bench.draft, PairRecord(costs=FLAT))
    found = bench.expect(bench.draft)

    assert isinstance(found, ExpectedGain)
    assert found.grounds is Grounds.COSTS
    assert found.high > 1.5


def test_measured_costs_that_cannot_pay_outweigh_answers_of_before(bench: Bench) -> None:
    bench.keep(bench.target, bench.draft, PairRecord(costs=STEEP, answers=ANSWERS))
    found = bench.expect(bench.draft)

    assert isinstance(found, NoGain)
    assert found.grounds is Grounds.COSTS


def test_times_that_were_disturbed_prove_nothing(bench: Bench) -> None:
    disturbed = replace(STEEP, target_spreads=(0.0, 0.9, 0.0))
    bench.keep(bench.target, bench.draft, PairRecord(costs=disturbed))
    assert bench.expect(bench.draft) == RuleOfThumb()

    bench.keep(bench.target, bench.draft, PairRecord(costs=disturbed, answers=ANSWERS))
    assert bench.expect(bench.draft) == ExpectedGain(1.3, 1.8, Grounds.ANSWERS, 3)


def test_another_pair_of_the_same_format_is_the_next_best(bench: Bench) -> None:
    other = bench.write("other", layers=3)
    bench.keep(other, None, PairRecord(costs=replace(FLAT, draft_s=None)))
    found = bench.expect(bench.draft)

    assert isinstance(found, ExpectedGain)
    assert found.grounds is Grounds.FORMAT
    assert bench.measured == 0, "no need to look further"


def test_costs_under_other_settings_do_not_count(bench: Bench) -> None:
    bench.keep(bench.target, bench.draft, PairRecord(costs=FLAT))

    assert bench.expect(bench.draft, replace(LOAD, threads=7)) == RuleOfThumb()
    bench.version = "0.4"
    assert bench.expect(bench.draft) == RuleOfThumb()


def test_then_the_sizes_of_the_files_and_the_speed_of_the_machine(bench: Bench) -> None:
    bench.speed = MachineSpeed(10e9, 100e9)
    found = bench.expect(bench.draft)

    assert isinstance(found, ExpectedGain)
    assert found.grounds is Grounds.SIZES


def test_which_says_nothing_of_a_gpu(bench: Bench) -> None:
    bench.speed = MachineSpeed(10e9, 100e9)

    assert bench.expect(bench.draft, replace(LOAD, gpu_layers=-1)) == RuleOfThumb()
    assert bench.measured == 0


def test_a_mixture_of_experts_is_known_from_its_own_passes_alone(bench: Bench) -> None:
    bench.speed = MachineSpeed(10e9, 100e9)
    path = write_llama(
        bench.folder / "experts.gguf", changes={"llama.expert_count": 4, "llama.expert_used_count": 2}
    )
    bench.target = read_info(path)
    assert bench.target.experts == 4
    assert bench.expect(bench.draft) == RuleOfThumb()

    bench.keep(bench.target, bench.draft, PairRecord(costs=FLAT))
    assert isinstance(bench.expect(bench.draft), ExpectedGain)


def test_a_file_that_is_gone_is_told(bench: Bench) -> None:
    bench.draft.path.unlink()
    with pytest.raises(ModelFileError):
        bench.expect(bench.draft)
