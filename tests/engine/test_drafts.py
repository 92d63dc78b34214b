"""Draft models beside one target: added to compare with, used by name, and removed."""

from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import cast

import numpy as np
import pytest

from app.core.chat import Message, Role
from app.core.errors import LoadCancelledError, OptionsError
from app.core.options import (
    DraftLength,
    GenerationLimits,
    LoadOptions,
    SamplingOptions,
    SpeculationMode,
    SpeculationOptions,
)
from app.core.protocol import Done, Obstacle, Refusal, Round
from app.engine.drafts import DraftLoader, Drafts, LoadedDraft
from app.engine.llama import Library, LlamaCache, LlamaModel, LoadProgress
from app.engine.pair import ModelPair
from app.engine.pair_loader import PairLoader
from app.engine.stopping import InterruptedPassError, StopSignal
from app.engine.vocab import VocabularyCache
from app.models.info import ModelInfo, read_info
from tests.fakes.tiny_gguf import CHATML, LAST_BITS, byte_vocabulary, truncate_file, write_llama, write_mamba

OPTIONS = LoadOptions(context_length=256, longest_draft=8, threads=1)
GREEDY = SamplingOptions(temperature=0.0)
DRAFTED = SpeculationOptions(mode=SpeculationMode.DRAFT_MODEL, draft_length=DraftLength.FIXED)
QUESTION = (Message(Role.USER, "Where does the river end?"),)


@pytest.fixture
def own(tmp_path: Path) -> Path:
    return write_llama(tmp_path / "own.gguf", noise=0.03)


@pytest.fixture
def other(tmp_path: Path) -> Path:
    """Another draft model: the target's own weights, so that every token is kept."""
    return write_llama(tmp_path / "other.gguf")


@pytest.fixture
def pair(loader: PairLoader, own: Path, tmp_path: Path) -> Iterator[ModelPair]:
    loaded = loader.load(write_llama(tmp_path / "target.gguf", chat_template=CHATML), own, OPTIONS)
    yield loaded
    loaded.close()


def answer(
    pair: ModelPair,
    draft: Path | None = None,
    speculation: SpeculationOptions = DRAFTED,
    *,
    forget: bool = True,
) -> tuple[list[int], Done]:
    if forget:
        pair.forget()
    prompt = pair.prompt_tokens(QUESTION)
    limits = GenerationLimits(max_tokens=24)
    events = list(pair.generate(prompt, GREEDY, speculation, limits, StopSignal(), draft=draft))
    done = events[-1]
    assert isinstance(done, Done)
    return [token for event in events if isinstance(event, Round) for token in event.tokens], done


class TestAdding:
    def test_an_answer_uses_the_draft_it_names(self, pair: ModelPair, own: Path, other: Path) -> None:
        plain, _ = answer(pair, speculation=SpeculationOptions())
        added = pair.add_draft(other, OPTIONS, StopSignal())
        assert isinstance(added, int)
        assert added >= 0

        with_own, first = answer(pair)
        with_other, second = answer(pair, other)
        assert with_own == with_other == plain
        assert second.stats.acceptance_rate == 1.0
        assert first.stats.acceptance_rate is not None
        assert first.stats.acceptance_rate < 1.0
        assert answer(pair, own)[1].stats.accepted == first.stats.accepted, "its own may be named too"

    def test_adding_what_is_there_changes_nothing(self, pair: ModelPair, own: Path, other: Path) -> None:
        added = pair.add_draft(other, OPTIONS, StopSignal())
        other.unlink()

        assert pair.add_draft(other, OPTIONS, StopSignal()) == added
        assert pair.add_draft(own, OPTIONS, StopSignal()) == pair.draft_bytes

    def test_a_removed_one_is_gone_and_can_be_added_again(self, pair: ModelPair, other: Path) -> None:
        pair.add_draft(other, OPTIONS, StopSignal())
        pair.remove_draft(other)
        with pytest.raises(OptionsError, match=r"other\.gguf is not loaded"):
            answer(pair, other)
        pair.remove_draft(other)

        pair.add_draft(other, OPTIONS, StopSignal())
        assert answer(pair, other)[1].stats.accepted > 0

    def test_the_targets_own_is_not_removed(self, pair: ModelPair, own: Path) -> None:
        pair.add_draft(own, OPTIONS, StopSignal())
        pair.remove_draft(own)

        assert pair.has_draft
        assert answer(pair)[1].stats.accepted > 0

    def test_a_target_without_a_draft_can_be_given_one(self, loader: PairLoader, own: Path) -> None:
        pair = loader.load(own, None, OPTIONS)
        pair.add_draft(own, OPTIONS, StopSignal())

        assert not pair.has_draft, "none was loaded with it"
        assert answer(pair)[1].stats.drafted == 0
        assert answer(pair, own)[1].stats.accepted > 0
        pair.close()

    @pytest.mark.parametrize("speculation", [SpeculationOptions(), DRAFTED])
    def test_naming_one_that_is_not_there_is_an_error(
        self, pair: ModelPair, other: Path, speculation: SpeculationOptions
    ) -> None:
        with pytest.raises(OptionsError, match=r"other\.gguf is not loaded"):
            answer(pair, other, speculation)
        with pytest.raises(OptionsError, match=r"other\.gguf is not loaded"):
            pair.measure_costs(3, StopSignal(), other)


def test_forgetting_empties_the_caches_of_all_of_them(pair: ModelPair, other: Path) -> None:
    pair.add_draft(other, OPTIONS, StopSignal())
    answer(pair)
    answer(pair, other, forget=False)
    caches = [pair.target, *(draft.cache for draft in pair._drafts)]
    assert [cache.length > 0 for cache in caches] == [True] * 3

    pair.forget()
    assert [cache.length for cache in caches] == [0] * 3


class TestRefusals:
    """Whatever is wrong with it, the target and its own draft go on."""

    def refusal_of(self, pair: ModelPair, path: Path) -> Refusal:
        refusal = pair.add_draft(path, OPTIONS, StopSignal())
        assert isinstance(refusal, Refusal)
        assert answer(pair)[1].stats.accepted > 0
        return refusal

    def test_another_vocabulary(self, pair: ModelPair, tmp_path: Path) -> None:
        other = write_llama(tmp_path / "other.gguf", vocabulary=byte_vocabulary(changes={139: "unlike"}))
        refusal = self.refusal_of(pair, other)
        assert refusal.obstacle is Obstacle.INCOMPATIBLE
        assert "differs at token 139" in refusal.sentence

    def test_a_file_that_breaks_off(self, pair: ModelPair, other: Path) -> None:
        assert self.refusal_of(pair, truncate_file(other, 0.5)).obstacle is Obstacle.NOT_LOADED

    def test_one_that_cannot_take_tokens_back(self, pair: ModelPair, tmp_path: Path) -> None:
        refusal = self.refusal_of(pair, write_mamba(tmp_path / "mamba.gguf"))
        assert refusal.obstacle is Obstacle.DRAFT_CANNOT_ROLL_BACK

    def test_any_for_a_target_that_cannot_take_tokens_back(
        self, loader: PairLoader, own: Path, tmp_path: Path
    ) -> None:
        pair = loader.load(write_mamba(tmp_path / "mamba.gguf"), None, OPTIONS)
        refusal = pair.add_draft(own, OPTIONS, StopSignal())
        assert isinstance(refusal, Refusal)
        assert refusal.obstacle is Obstacle.TARGET_CANNOT_ROLL_BACK
        pair.close()

    def test_settings_that_make_no_sense(self, pair: ModelPair, other: Path) -> None:
        with pytest.raises(OptionsError, match="threads"):
            pair.add_draft(other, LoadOptions(threads=-1), StopSignal())


class TestStopping:
    def test_a_stopped_load_is_cancelled_and_the_pair_stays(self, pair: ModelPair, other: Path) -> None:
        stop = StopSignal()
        stop.set()
        with pytest.raises(LoadCancelledError, match=r"other\.gguf was cancelled"):
            pair.add_draft(other, OPTIONS, stop)

        assert answer(pair)[1].stats.accepted > 0
        assert isinstance(pair.add_draft(other, OPTIONS, StopSignal()), int)

    def test_a_stop_while_the_context_is_made_is_heard_after_it(
        self, library: Library, pair: ModelPair, other: Path
    ) -> None:
        made: list[LlamaCache] = []

        def load(
            info: object, options: LoadOptions, outputs: int, on_progress: LoadProgress | None
        ) -> LlamaCache:
            made.append(LlamaCache(LlamaModel(library, other, options, memory_map=False), options, outputs))
            return made[0]

        drafts = Drafts(DraftLoader(read_info(other), pair.target, VocabularyCache(None), load))
        with pytest.raises(LoadCancelledError):
            drafts.add(other, OPTIONS, lambda share: False)

        assert list(drafts) == []
        assert made[0].model.native is None, "its memory is free again"


class TestMeasuring:
    def test_costs_of_real_models_are_positive_times(self, pair: ModelPair, other: Path) -> None:
        pair.add_draft(other, OPTIONS, StopSignal())
        plain, _ = answer(pair, speculation=SpeculationOptions())
        for draft in (None, other):
            started = perf_counter()
            costs = pair.measure_costs(4, StopSignal(), draft)
            taken = perf_counter() - started
            assert costs.lengths == (1, 2, 3, 4)
            assert costs.draft_s is not None
            times = (*costs.target_s, costs.draft_s)
            assert all(seconds > 0.0 for seconds in times)
            assert sum(times) < taken, "each is one of the passes that were made"
        prompt = pair.prompt_tokens(QUESTION)
        limits = GenerationLimits(max_tokens=24)
        events = list(pair.generate(prompt, GREEDY, DRAFTED, limits, StopSignal()))
        after = [token for event in events if isinstance(event, Round) for token in event.tokens]
        assert after == plain, "answers are the same from caches that were measured with"

    def test_no_more_tokens_are_timed_than_a_round_can_have(self, pair: ModelPair) -> None:
        assert pair.measure_costs(16, StopSignal()).longest == OPTIONS.longest_draft + 1

    def test_a_target_that_cannot_take_tokens_back_is_timed_with_one(
        self, loader: PairLoader, tmp_path: Path
    ) -> None:
        pair = loader.load(write_mamba(tmp_path / "mamba.gguf"), None, OPTIONS)
        costs = pair.measure_costs(4, StopSignal())
        assert len(costs.target_s) == 1
        assert costs.draft_s is None
        pair.close()

    def test_measuring_can_be_stopped(self, pair: ModelPair) -> None:
        stop = StopSignal()
        stop.set()
        with pytest.raises(InterruptedPassError):
            pair.measure_costs(4, stop)
        with pytest.raises(InterruptedPassError):
            pair.weigh(pair.prompt_tokens(QUESTION), GREEDY, (), (1,), stop)

        assert answer(pair)[1].stats.accepted > 0

    def test_weights_are_the_logits_of_the_place(self, pair: ModelPair) -> None:
        tokens, _ = answer(pair)
        prompt = pair.prompt_tokens(QUESTION)
        found = pair.weigh(prompt, GREEDY, tokens[:5], (tokens[5], 7), StopSignal())
        row = pair.target.sync(np.concatenate((prompt, np.array(tokens[:5], np.int32))))

        assert found.logits == (row[tokens[5]], row[7])
        assert found.margin == pytest.approx(found.logits[0] - found.logits[1]), "greedy chose the first"
        assert found.texts[0] == pair.target.vocabulary.special_text(tokens[5])

    def test_the_end_of_an_answer_has_a_weight_too(self, pair: ModelPair) -> None:
        prompt, vocabulary = pair.prompt_tokens(QUESTION), pair.target.vocabulary
        found = pair.weigh(prompt, GREEDY, (), (7, None), StopSignal())
        row = pair.target.sync(prompt)

        assert vocabulary.end_tokens == tuple(filter(vocabulary.ends_generation, range(vocabulary.size)))
        ends = max(row[token] for token in vocabulary.end_tokens)
        assert found.logits == pytest.approx((row[7], ends), abs=LAST_BITS)


class TestMemory:
    """What an answer is said to have taken leaves out what it does not use."""

    class Cache:
        """Takes no memory."""

        def __init__(self) -> None:
            self.model = self

        def close(self) -> None:
            """Nothing to free."""

    class Loader(DraftLoader):
        """Drafts take as many bytes as their names say."""

        def __init__(self) -> None:
            pass

        def load(
            self, path: Path, options: LoadOptions, on_progress: LoadProgress | None = None
        ) -> LoadedDraft:
            return LoadedDraft(cast(LlamaCache, TestMemory.Cache()), int(path.name), cast(ModelInfo, None))

    def drafts(self, *sizes: int) -> Drafts:
        made = Drafts(self.Loader())
        for size in sizes:
            made.add(Path(str(size)), OPTIONS)
        return made

    def test_drafts_that_are_idle_do_not_count(self) -> None:
        drafts = self.drafts(300, 50)

        assert drafts.peak_without_idle(1350, 1340, None) == 1000
        assert drafts.peak_without_idle(1350, 1340, drafts.find(Path("50"))) == 1050

    def test_nor_do_drafts_that_are_gone(self) -> None:
        drafts = self.drafts(300)
        drafts.remove(Path("300"))
        drafts.add(Path("50"), OPTIONS)

        assert drafts.peak_without_idle(1300, 1050, None) == 1000
        assert drafts.peak_without_idle(1300, 1050, drafts.find(Path("50"))) == 1050

    def test_what_the_process_has_now_is_the_least_it_needs(self) -> None:
        drafts = self.drafts(300)
        drafts.remove(Path("300"))

        assert drafts.peak_without_idle(1300, 1200, None) == 1200

    def test_answers_say_so(self, pair: ModelPair, tmp_path: Path) -> None:
        large = write_llama(tmp_path / "large.gguf", layers=6, width=512, heads=8, heads_kv=8)
        added = pair.add_draft(large, OPTIONS, StopSignal())
        assert isinstance(added, int)
        assert added > 10_000_000

        idle = answer(pair, speculation=SpeculationOptions())[1].stats.peak_rss_bytes
        used = answer(pair, large)[1].stats.peak_rss_bytes
        assert used - idle == pytest.approx(added, rel=0.3)
