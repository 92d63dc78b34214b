"""A pair is prepared for drafts: what passes cost is known, from earlier or measured now."""

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from app.core.errors import OptionsError
from app.core.options import (
    DraftLength,
    GenerationLimits,
    LoadOptions,
    SamplingOptions,
    SpeculationMode,
    SpeculationOptions,
)
from app.core.pair_record import AnsweredSpeedup, PairRecord
from app.core.pass_costs import PassCosts
from app.core.protocol import Done
from app.engine.llama import Library
from app.engine.memory import detect_features
from app.engine.pair import ModelPair
from app.engine.pair_loader import PairLoader
from app.engine.stopping import InterruptedPassError, StopSignal
from app.engine.vocab import VocabularyCache
from app.models.info import read_info
from app.models.pair_records import PairRecords
from tests.fakes.tiny_gguf import write_llama, write_mamba

OPTIONS = LoadOptions(context_length=256, longest_draft=8, threads=1)
DRAFTED = SpeculationOptions(mode=SpeculationMode.DRAFT_MODEL)
LOOKED_UP = SpeculationOptions(mode=SpeculationMode.PROMPT_LOOKUP)
FIXED = replace(DRAFTED, draft_length=DraftLength.FIXED)
COSTS = PassCosts((1, 4), (1.0, 1.5), 0.2, 4, (0.01, 0.02), 0.01, (1, 8), (0.2, 0.5))
UNSTEADY = replace(COSTS, target_spreads=(0.9, 0.9))

Load = Callable[..., ModelPair]


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return write_llama(tmp_path / "target.gguf")


@pytest.fixture
def draft(tmp_path: Path) -> Path:
    return write_llama(tmp_path / "draft.gguf", layers=1)


@pytest.fixture
def records(tmp_path: Path) -> PairRecords:
    return PairRecords(tmp_path / "pairs")


@pytest.fixture
def load(library: Library, records: PairRecords, target: Path) -> Iterator[Load]:
    """Loads as a process of its own would: only what is on disk is known from one to the next."""
    loader = PairLoader(library, VocabularyCache(None), detect_features(), records)
    pairs: list[ModelPair] = []

    def made(path: Path = target, draft: Path | None = None) -> ModelPair:
        pairs.append(loader.load(path, draft, OPTIONS))
        return pairs[-1]

    yield made
    for pair in pairs:
        pair.close()


def prepared(
    pair: ModelPair, speculation: SpeculationOptions, draft: Path | None = None
) -> tuple[PassCosts | None, bool]:
    """The costs, and whether they were measured now."""
    told: list[tuple[int, int]] = []
    costs = pair.prepare(speculation, StopSignal(), lambda done, of: told.append((done, of)), draft=draft)
    return costs, bool(told)


def test_a_pair_is_measured_once_for_all_loads(load: Load, draft: Path) -> None:
    first = load(draft=draft)
    costs, measured = prepared(first, DRAFTED)
    assert measured
    assert costs is not None
    assert costs.longest == OPTIONS.longest_draft + 1
    assert costs.draft_s is not None
    assert costs.feed_s(8) is not None
    assert prepared(first, DRAFTED) == (costs, False)

    steady = replace(costs, target_s=(1.0,) * len(costs.lengths), target_spreads=(), draft_spread=0.0)
    first.keep_record(first._drafts.own, PairRecord(steady))
    assert prepared(load(draft=draft), DRAFTED) == (steady, False)


def test_the_targets_own_times_serve_where_nothing_drafts(load: Load, draft: Path) -> None:
    pair = load(draft=draft)
    costs, _ = prepared(pair, DRAFTED)
    assert costs is not None

    assert prepared(pair, LOOKED_UP) == (costs.without_draft(), False)


def test_lookup_that_is_turned_on_later_is_measured_then(load: Load) -> None:
    pair = load()
    assert prepared(pair, SpeculationOptions()) == (None, False)

    costs, measured = prepared(pair, LOOKED_UP)
    assert measured
    assert costs is not None
    assert costs.draft_s is None


def test_so_is_a_draft_that_is_added(load: Load, draft: Path) -> None:
    pair = load()
    pair.add_draft(draft, OPTIONS, StopSignal())

    costs, measured = prepared(pair, DRAFTED, draft)
    assert measured
    assert costs is not None
    assert costs.draft_s is not None


def test_plain_answers_need_no_costs_but_are_told_those_that_are_known(load: Load, draft: Path) -> None:
    pair = load(draft=draft)
    assert prepared(pair, SpeculationOptions()) == (None, False)

    costs, _ = prepared(pair, DRAFTED)
    assert costs is not None
    assert prepared(pair, SpeculationOptions()) == (costs.without_draft(), False)


def test_with_them_a_fixed_length_tells_what_it_gains(load: Load, draft: Path) -> None:
    pair = load(draft=draft)

    def told() -> list[float | None]:
        prompt, stop = pair.tokenize("hello"), StopSignal()
        events = pair.generate(prompt, SamplingOptions(), FIXED, GenerationLimits(max_tokens=20), stop)
        return [event.stats.estimated_speedup for event in events if isinstance(event, Done)]

    assert told() == [None]
    costs, measured = prepared(pair, FIXED)
    assert measured
    assert costs is not None
    assert told() != [None]


def test_without_the_draft_that_was_asked_for_there_is_nothing_to_measure(load: Load) -> None:
    assert prepared(load(), DRAFTED) == (None, False)


def test_a_target_that_cannot_be_drafted_for_is_not_measured(load: Load, tmp_path: Path) -> None:
    assert prepared(load(write_mamba(tmp_path / "mamba.gguf")), LOOKED_UP) == (None, False)


def test_times_that_were_disturbed_are_measured_again_at_the_next_load(
    load: Load, records: PairRecords, target: Path
) -> None:
    info, version = read_info(target), load().target.model.library.version
    records.write(info, None, OPTIONS, version, PairRecord(UNSTEADY.without_draft()))
    pair = load()
    assert pair.costs_for(None) == UNSTEADY.without_draft(), "they are used meanwhile"

    costs, measured = prepared(pair, LOOKED_UP)
    assert measured
    assert costs != UNSTEADY.without_draft()
    pair.keep_record(None, PairRecord(UNSTEADY.without_draft()))
    assert prepared(pair, LOOKED_UP) == (UNSTEADY.without_draft(), False), "but once for a load"


def test_so_are_times_with_which_nothing_was_gained(load: Load, records: PairRecords, target: Path) -> None:
    info, version = read_info(target), load().target.model.library.version
    known = COSTS.without_draft()
    for speedup, again in ((1.0, True), (1.4, False)):
        answers = (AnsweredSpeedup(speedup, 200, 50),) * 4
        records.write(info, None, OPTIONS, version, PairRecord(known, answers=answers))
        pair = load()
        assert prepared(pair, LOOKED_UP)[1] is again
        assert not prepared(pair, LOOKED_UP)[1], "but once for a load"


def test_a_record_is_kept_for_the_next_load(load: Load, draft: Path) -> None:
    pair = load(draft=draft)
    own = pair._drafts.own
    assert pair.record_for(own) == PairRecord()
    record = PairRecord(COSTS, answers=(AnsweredSpeedup(1.5, 200, 50),))
    pair.keep_record(own, record)

    assert pair.record_for(own) == record
    later = load(draft=draft)
    assert later.record_for(later._drafts.own) == record
    assert later.record_for(None) == PairRecord()


def test_costs_that_were_taken_back_serve_until_they_are_measured_again(load: Load) -> None:
    pair = load()
    pair.keep_record(None, PairRecord(COSTS.without_draft()))
    answer = AnsweredSpeedup(1.5, 200, 50)
    pair.keep_record(None, PairRecord(answers=(answer,)))

    assert pair.record_for(None) == PairRecord(COSTS.without_draft(), answers=(answer,))
    measured, was_measured = prepared(pair, LOOKED_UP)
    assert was_measured
    assert measured != COSTS.without_draft()
    assert prepared(pair, LOOKED_UP) == (measured, False)


def test_a_conversation_that_was_read_is_worth_more_than_newer_costs(load: Load) -> None:
    pair = load()
    prepared(pair, LOOKED_UP)
    read = np.arange(100, dtype=np.int32) % 50
    pair.target.sync(read)
    pair.keep_record(None, PairRecord())  # they turned out wrong

    pair.prepare(LOOKED_UP, StopSignal(), prompt=np.concatenate((read, read)))
    assert len(pair.target.tokens) == len(read), "what was read is there still"
    pair.prepare(LOOKED_UP, StopSignal(), prompt=read[:20] + 1)
    assert len(pair.target.tokens) < len(read), "of another text nothing is lost"


def test_costs_are_measured_at_most_three_times_while_a_model_is_loaded(load: Load) -> None:
    pair = load()
    measurements = []
    for _ in range(5):
        measurements.append(prepared(pair, LOOKED_UP)[1])
        pair.keep_record(None, PairRecord())  # they turned out wrong

    assert measurements == [True, True, True, False, False]
    assert prepared(load(), LOOKED_UP)[1], "the next load begins anew"


def test_without_a_place_to_keep_them_records_last_as_long_as_the_pair(
    library: Library, target: Path
) -> None:
    pair = PairLoader(library, VocabularyCache(None), detect_features()).load(target, None, OPTIONS)
    costs, _ = prepared(pair, LOOKED_UP)

    assert prepared(pair, LOOKED_UP) == (costs, False)
    pair.close()


def test_what_was_stopped_is_not_known(load: Load) -> None:
    pair, stop = load(), StopSignal()
    with pytest.raises(InterruptedPassError):
        pair.prepare(LOOKED_UP, stop, lambda done, of: stop.set())

    assert pair.costs_for(None) is None
    assert prepared(pair, LOOKED_UP)[1]


def test_a_draft_that_was_not_added_is_an_error_with_a_sentence(load: Load, draft: Path) -> None:
    with pytest.raises(OptionsError, match=r"draft\.gguf is not loaded"):
        prepared(load(), DRAFTED, draft)
