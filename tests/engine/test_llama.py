"""Real llama.cpp on tiny random models: the cache, what can be taken back, and speculation over it."""

import gc
import sys
from pathlib import Path

import llama_cpp.llama_cpp as native
import numpy as np
import pytest

from app.core.errors import EngineError, FileProblem, LoadCancelledError, LoadError, ModelFileError
from app.core.options import (
    CacheType,
    DraftLength,
    GenerationLimits,
    LoadOptions,
    SamplingOptions,
    SpeculationOptions,
    Switch,
)
from app.core.stats import StopReason
from app.engine.cache import CHECKPOINTS_KEPT
from app.engine.llama import Library, LlamaCache, LlamaModel
from app.engine.stopping import InterruptedPassError, StopSignal
from tests.fakes.real_models import (
    OPTIONS,
    answer,
    lookup_drafter,
    model_drafter,
    opened,
    prompt_of,
    tokens_of,
)
from tests.fakes.tiny_gguf import (
    LAST_BITS,
    llama_model,
    truncate_file,
    write_gemma_swa,
    write_lfm2,
    write_llama,
    write_mamba,
    write_split,
    write_vocabulary_only,
)

GREEDY = SamplingOptions(temperature=0.0)
WARM = SamplingOptions(temperature=0.9, seed=11, min_p=0.0)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("models")


@pytest.fixture(scope="module")
def llama(folder: Path) -> Path:
    return write_llama(folder / "llama.gguf")


@pytest.fixture(scope="module")
def llama_draft(folder: Path) -> Path:
    return write_llama(folder / "llama-draft.gguf", noise=0.05)


@pytest.fixture(scope="module")
def lfm2(folder: Path) -> Path:
    return write_lfm2(folder / "lfm2.gguf")


@pytest.fixture(scope="module")
def lfm2_draft(folder: Path) -> Path:
    return write_lfm2(folder / "lfm2-draft.gguf", noise=0.05)


@pytest.fixture(scope="module")
def gemma(folder: Path) -> Path:
    return write_gemma_swa(folder / "gemma.gguf", window=32)


class TestLoading:
    def test_progress_is_told_and_reaches_the_end(self, library: Library, llama: Path) -> None:
        shares: list[float] = []

        def report(share: float) -> bool:
            shares.append(share)
            return True

        LlamaModel(library, llama, OPTIONS, memory_map=False, on_progress=report).close()
        assert shares == sorted(shares)
        assert shares[-1] == pytest.approx(1.0)

    def test_a_load_can_be_cancelled(self, library: Library, llama: Path) -> None:
        with pytest.raises(LoadCancelledError, match=r"llama\.gguf"):
            LlamaModel(library, llama, OPTIONS, memory_map=False, on_progress=lambda _: False)

    def test_what_the_progress_report_raises_comes_out_of_the_load(
        self, library: Library, llama: Path
    ) -> None:
        def report(_share: float) -> bool:
            raise ValueError("broken report")

        with pytest.raises(ValueError, match="broken report"):
            LlamaModel(library, llama, OPTIONS, memory_map=False, on_progress=report)

    def test_an_architecture_that_llama_cpp_does_not_know_is_named(
        self, library: Library, tmp_path: Path
    ) -> None:
        odd = write_llama(tmp_path / "odd.gguf", changes={"general.architecture": "mystery"})
        with pytest.raises(ModelFileError, match="mystery") as caught:
            LlamaModel(library, odd, OPTIONS, memory_map=False)
        assert caught.value.problem is FileProblem.UNKNOWN_ARCHITECTURE

    def test_a_file_that_breaks_off_is_refused_with_the_librarys_words(
        self, library: Library, tmp_path: Path
    ) -> None:
        broken = truncate_file(write_llama(tmp_path / "broken.gguf"), 0.7)
        with pytest.raises(LoadError, match=r"broken\.gguf") as caught:
            LlamaModel(library, broken, OPTIONS, memory_map=False)
        assert caught.value.log

    def test_a_file_without_weights_is_refused(self, library: Library, tmp_path: Path) -> None:
        empty = write_vocabulary_only(tmp_path / "vocabulary.gguf")
        with pytest.raises(LoadError):
            LlamaModel(library, empty, OPTIONS, memory_map=False)

    def test_a_split_set_loads_by_its_first_part(self, library: Library, tmp_path: Path, llama: Path) -> None:
        parts = write_split(tmp_path, "tiny", llama_model())
        with opened(library, parts[0]) as split, opened(library, llama) as whole:
            prompt = prompt_of(whole)
            assert np.array_equal(split.sync(prompt), whole.sync(prompt))

    @pytest.mark.parametrize("name", ["モデル　é 模型 - test.gguf", "two  blanks.gguf"])
    def test_any_file_name_loads(self, library: Library, tmp_path: Path, name: str) -> None:
        with opened(library, write_llama(tmp_path / name)) as cache:
            assert cache.vocabulary.size > 256

    @pytest.mark.parametrize(
        "options",
        [
            LoadOptions(context_length=256, longest_draft=4, flash_attention=Switch.OFF),
            LoadOptions(context_length=256, longest_draft=4, flash_attention=Switch.ON),
            LoadOptions(context_length=256, longest_draft=4, threads=1, batch_size=32),
            LoadOptions(context_length=256, longest_draft=0, rope_frequency_base=5000.0),
            LoadOptions(context_length=0, longest_draft=4, keep_in_memory=True),
        ],
    )
    def test_load_settings_reach_llama_cpp(self, library: Library, llama: Path, options: LoadOptions) -> None:
        with opened(library, llama, options) as cache:
            assert cache.context_length == (options.context_length or 512)
            assert np.isfinite(cache.sync(prompt_of(cache))).all()

    @pytest.mark.parametrize("kind", [CacheType.Q8_0, CacheType.BF16, CacheType.F32])
    def test_the_kv_cache_takes_other_number_formats(
        self, library: Library, tmp_path: Path, kind: CacheType
    ) -> None:
        path = write_llama(tmp_path / "wide.gguf", width=128, heads=4, heads_kv=2)
        options = LoadOptions(context_length=256, longest_draft=4, k_cache_type=kind, v_cache_type=kind)
        with opened(library, path, options) as cache:
            assert np.isfinite(cache.sync(prompt_of(cache))).all()

    def test_memory_mapped_and_not_give_the_same_logits(self, library: Library, llama: Path) -> None:
        rows = []
        for memory_map in (False, True):
            model = LlamaModel(library, llama, OPTIONS, memory_map=memory_map)
            cache = LlamaCache(model, OPTIONS)
            rows.append(cache.sync(prompt_of(cache)).copy())
            cache.close()
            model.close()
        assert np.array_equal(rows[0], rows[1])


def test_a_library_that_is_gone_leaves_no_dangling_log(library: Library, llama: Path) -> None:
    for _ in range(20):
        Library()
    gc.collect()
    keepers = [native.llama_progress_callback(lambda *_: True) for _ in range(50)]
    with opened(library, llama):
        assert any("llama" in line for line in library.recent_log())
    assert len(keepers) == 50


class TestVocabulary:
    @pytest.mark.parametrize("text", ["plain words", "🦙 ก็ 한 ď", "a\nb\t  c", ""])
    def test_text_survives_the_way_there_and_back(self, library: Library, llama: Path, text: str) -> None:
        with opened(library, llama) as cache:
            vocabulary = cache.vocabulary
            pieces = b"".join(vocabulary.piece(token) for token in vocabulary.tokenize(text).tolist())
            assert pieces.decode().strip(" ") == text.strip(" ")

    def test_special_tokens_end_generation_and_have_no_text(self, library: Library, llama: Path) -> None:
        with opened(library, llama) as cache:
            vocabulary = cache.vocabulary
            end = int(vocabulary.tokenize(vocabulary.eos_text)[-1])
            assert vocabulary.ends_generation(end)
            assert vocabulary.piece(end) == b""
            assert not vocabulary.ends_generation(int(vocabulary.tokenize("word")[-1]))


class TestCache:
    def test_a_pass_over_several_tokens_gives_the_logits_of_single_passes(
        self, library: Library, llama: Path
    ) -> None:
        with opened(library, llama) as cache:
            prompt = prompt_of(cache)
            cache.sync(prompt)
            single = np.array([cache.forward(tokens_of(t))[0].copy() for t in (5, 6, 7, 8)])
            cache.truncate(len(prompt))
            assert np.allclose(cache.forward(tokens_of(5, 6, 7, 8)), single, atol=LAST_BITS)

    def test_reading_past_the_context_is_an_error_and_not_a_crash(
        self, library: Library, llama: Path
    ) -> None:
        with opened(library, llama) as cache:
            cache.sync(np.full(256, 7, np.int32))
            with pytest.raises(EngineError, match="no room"):
                cache.forward(tokens_of(1))
            assert cache.length == 256

    def test_a_stop_in_a_long_prompt_is_heard_inside_a_pass(self, library: Library, tmp_path: Path) -> None:
        heavy = write_llama(tmp_path / "heavy.gguf", layers=8, width=256, context_length=4096)
        options = LoadOptions(context_length=4096, batch_size=4096, longest_draft=4)
        with opened(library, heavy, options) as cache:
            stop = StopSignal()
            cache.attach(stop)
            stop.set()
            with pytest.raises(InterruptedPassError):
                cache.sync(np.full(4000, 7, np.int32))
            assert cache.length == 0
            cache.attach(StopSignal())
            assert np.isfinite(cache.sync(prompt_of(cache))).all()


class TestSpeculation:
    @pytest.mark.parametrize("sampling", [GREEDY, WARM], ids=["greedy", "seeded"])
    @pytest.mark.parametrize("most", [1, 3, 8])
    def test_a_draft_model_changes_no_token(
        self, library: Library, llama: Path, llama_draft: Path, sampling: SamplingOptions, most: int
    ) -> None:
        options = SpeculationOptions(draft_length=DraftLength.FIXED, max_draft_tokens=most)
        with opened(library, llama) as target, opened(library, llama_draft) as draft:
            prompt = prompt_of(target)
            plain = answer(target, prompt, sampling=sampling)
            target.clear()
            drafted = answer(target, prompt, sampling=sampling, drafter=model_drafter(draft), options=options)
            assert drafted.tokens == plain.tokens
            assert drafted.text == plain.text
            assert 0 < drafted.stats.accepted < drafted.stats.tested
            context = prompt.tolist() + plain.tokens
            assert target.tokens.tolist() == context[: target.length]
            assert draft.tokens.tolist()[: len(context)] == context[: draft.length]

    @pytest.mark.parametrize(
        "sampling",
        [
            SamplingOptions(temperature=0.7, seed=3, top_k=5),
            SamplingOptions(temperature=0.7, seed=3, top_k=0, top_p=0.5),
            SamplingOptions(temperature=0.7, seed=3, top_k=0, min_p=0.3),
            SamplingOptions(temperature=0.0, repeat_penalty=1.4),
            SamplingOptions(temperature=0.8, presence_penalty=1.0, frequency_penalty=0.5, seed=9),
            SamplingOptions(temperature=0.0, grammar='root ::= "yes" | [a-z]+ "."'),
            SamplingOptions(temperature=1.2, grammar='root ::= ([a-z]+ " ")+', seed=4),
            SamplingOptions(
                temperature=0.7,
                json_schema='{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"]}',
            ),
        ],
    )
    def test_every_way_of_sampling_works_alike_with_and_without_a_draft(
        self, library: Library, llama: Path, llama_draft: Path, sampling: SamplingOptions
    ) -> None:
        with opened(library, llama) as target, opened(library, llama_draft) as draft:
            prompt = prompt_of(target)
            plain = answer(target, prompt, sampling=sampling)
            target.clear()
            drafted = answer(target, prompt, sampling=sampling, drafter=model_drafter(draft))
            assert drafted.tokens == plain.tokens
            assert plain.tokens

    def test_prompt_lookup_changes_no_token_and_finds_repeats(self, library: Library, llama: Path) -> None:
        options = SpeculationOptions(draft_length=DraftLength.FIXED, max_draft_tokens=8)
        forced = SamplingOptions(temperature=0.0, grammar='root ::= ("z" | "y") "z"+')
        with opened(library, llama) as target:
            prompt = prompt_of(target)
            plain = answer(target, prompt, sampling=forced)
            target.clear()
            drafter = lookup_drafter(target, options)
            drafted = answer(target, prompt, sampling=forced, drafter=drafter, options=options)
            assert drafted.tokens == plain.tokens
            assert drafted.stats.accepted > drafted.stats.generated_tokens / 2

    def test_a_stop_string_inside_an_accepted_run_ends_the_answer(
        self, library: Library, llama: Path
    ) -> None:
        grammar = SamplingOptions(temperature=0.0, grammar='root ::= "abc STOP def ghi jkl mno pqr"')
        limits = GenerationLimits(max_tokens=60, stop_strings=(" STOP",))
        options = SpeculationOptions(draft_length=DraftLength.FIXED, max_draft_tokens=8, lookup_shortest=1)
        with opened(library, llama) as target:
            prompt = prompt_of(target, "abc STOP def ghi jkl mno pqr abc STOP def ghi jkl mno pqr ")
            cut = answer(
                target,
                prompt,
                sampling=grammar,
                limits=limits,
                drafter=lookup_drafter(target, options),
                options=options,
            )
            assert cut.text == "abc"
            assert cut.stats.stop_reason is StopReason.STOP_STRING
            assert cut.stats.accepted > 0

    def test_the_context_limit_is_reached_with_and_without_a_draft_alike(
        self, library: Library, llama: Path, llama_draft: Path
    ) -> None:
        endless = GenerationLimits()
        with opened(library, llama) as target, opened(library, llama_draft) as draft:
            prompt = np.tile(prompt_of(target), 20)[:230]
            plain = answer(target, prompt, sampling=GREEDY, limits=endless)
            target.clear()
            drafted = answer(target, prompt, sampling=GREEDY, limits=endless, drafter=model_drafter(draft))
            assert plain.stats.stop_reason is StopReason.CONTEXT_FULL
            assert drafted.tokens == plain.tokens
            assert len(prompt) + len(plain.tokens) == 257

    def test_a_draft_with_a_smaller_window_stops_drafting_and_the_answer_goes_on(
        self, library: Library, llama: Path, llama_draft: Path
    ) -> None:
        small = LoadOptions(context_length=256, longest_draft=8, batch_size=64)
        with opened(library, llama, LoadOptions(context_length=512, longest_draft=8)) as target:
            prompt = np.tile(prompt_of(target), 20)[:235]
            plain = answer(target, prompt, sampling=GREEDY)
            target.clear()
            with opened(library, llama_draft, small) as draft:
                drafted = answer(target, prompt, sampling=GREEDY, drafter=model_drafter(draft))
                assert drafted.tokens == plain.tokens
                assert draft.length <= 256
                assert drafted.stats.tested > 0

    def test_stopped_in_the_middle_and_asked_again_the_answer_is_the_same(
        self, library: Library, llama: Path, llama_draft: Path
    ) -> None:
        with opened(library, llama) as target, opened(library, llama_draft) as draft:
            prompt = prompt_of(target)
            plain = answer(target, prompt, sampling=WARM)
            stop = StopSignal()
            stopped = answer(
                target,
                prompt,
                sampling=WARM,
                drafter=model_drafter(draft),
                stop=stop,
                on_round=lambda number: stop.set() if number == 4 else None,
            )
            assert stopped.stats.stop_reason is StopReason.STOPPED
            assert stopped.tokens == plain.tokens[: len(stopped.tokens)]
            again = answer(target, prompt, sampling=WARM, drafter=model_drafter(draft))
            assert again.tokens == plain.tokens

    def test_the_next_turn_reads_only_what_is_new(self, library: Library, llama: Path) -> None:
        with opened(library, llama) as target:
            prompt = prompt_of(target)
            first = answer(target, prompt, sampling=GREEDY)
            turn = np.concatenate((prompt, np.array(first.tokens, np.int32), prompt_of(target, " And then?")))
            second = answer(target, turn, sampling=GREEDY)
            assert second.stats.cached_prompt_tokens == len(prompt) + len(first.tokens) - 1
            target.clear()
            assert answer(target, turn, sampling=GREEDY).tokens == second.tokens


class TestHybrid:
    """LFM2: some layers keep a running state, which llama.cpp can rewind by a few tokens."""

    def test_it_can_roll_back_as_far_as_a_draft_is_long(self, library: Library, lfm2: Path) -> None:
        with opened(library, lfm2) as cache:
            assert cache.rollback_limit == OPTIONS.longest_draft

    @pytest.mark.parametrize("sampling", [GREEDY, WARM], ids=["greedy", "seeded"])
    def test_a_draft_model_changes_no_token(
        self, library: Library, lfm2: Path, lfm2_draft: Path, sampling: SamplingOptions
    ) -> None:
        options = SpeculationOptions(draft_length=DraftLength.FIXED, max_draft_tokens=4)
        with opened(library, lfm2) as target, opened(library, lfm2_draft) as draft:
            prompt = prompt_of(target)
            plain = answer(target, prompt, sampling=sampling)
            target.clear()
            drafted = answer(target, prompt, sampling=sampling, drafter=model_drafter(draft), options=options)
            assert drafted.tokens == plain.tokens
            assert 0 < drafted.stats.accepted < drafted.stats.tested
            assert target.failed_truncations == draft.failed_truncations == 0

    def test_regenerating_comes_back_to_the_turns_start(self, library: Library, lfm2: Path) -> None:
        with opened(library, lfm2) as target:
            prompt = prompt_of(target)
            first = answer(target, prompt, sampling=GREEDY)
            again = answer(target, prompt, sampling=GREEDY)
            assert again.tokens == first.tokens
            assert target.failed_truncations == 1, "the whole answer is further than snapshots reach"
            assert again.stats.cached_prompt_tokens == len(prompt) - 1, "the checkpoint was restored"

    def test_an_edited_earlier_turn_reads_from_its_own_checkpoint(self, library: Library, lfm2: Path) -> None:
        with opened(library, lfm2) as target:
            prompt = prompt_of(target)
            first = answer(target, prompt, sampling=GREEDY)
            second = np.concatenate((prompt, np.array(first.tokens, np.int32), prompt_of(target, " More.")))
            answer(target, second, sampling=GREEDY)
            edited = np.concatenate((prompt, prompt_of(target, " Else.")))
            after_edit = answer(target, edited, sampling=GREEDY)
            assert after_edit.stats.cached_prompt_tokens == len(prompt) - 1
            target.clear()
            assert answer(target, edited, sampling=GREEDY).tokens == after_edit.tokens

    def test_after_a_stop_inside_a_pass_nothing_half_read_is_trusted(
        self, library: Library, lfm2: Path
    ) -> None:
        with opened(library, lfm2) as target:
            prompt = prompt_of(target)
            plain = answer(target, prompt, sampling=GREEDY)
            target.clear()
            stop = StopSignal()
            stop.set()
            target.attach(stop)
            with pytest.raises(InterruptedPassError):
                target.sync(prompt)
            assert answer(target, prompt, sampling=GREEDY).tokens == plain.tokens

    def test_checkpoints_do_not_pile_up(self, library: Library, lfm2: Path) -> None:
        with opened(library, lfm2) as target:
            text = prompt_of(target)
            for turn in range(CHECKPOINTS_KEPT + 3):
                target.sync(np.concatenate([text] * (turn + 1)), checkpoint=True)
            assert len(target._checkpoints) == CHECKPOINTS_KEPT


class TestRecurrent:
    """Mamba: nothing can be taken back."""

    def test_no_token_can_be_taken_back_and_the_cache_says_so(self, library: Library, folder: Path) -> None:
        with opened(library, write_mamba(folder / "mamba.gguf")) as cache:
            assert cache.rollback_limit == 0

    def test_it_generates_and_regenerates(self, library: Library, folder: Path) -> None:
        with opened(library, write_mamba(folder / "mamba2.gguf")) as cache:
            prompt = prompt_of(cache)
            first = answer(cache, prompt, sampling=GREEDY)
            assert answer(cache, prompt, sampling=GREEDY).tokens == first.tokens
            turn = np.concatenate((prompt, np.array(first.tokens, np.int32), prompt_of(cache, " And?")))
            second = answer(cache, turn, sampling=GREEDY)
            cache.clear()
            assert answer(cache, turn, sampling=GREEDY).tokens == second.tokens


class TestSlidingWindow:
    """Gemma with a window of 32: old tokens are forgotten, so going back far means reading again."""

    @pytest.mark.parametrize("sampling", [GREEDY, WARM], ids=["greedy", "seeded"])
    def test_a_draft_model_changes_no_token(
        self, library: Library, gemma: Path, folder: Path, sampling: SamplingOptions
    ) -> None:
        path = write_gemma_swa(folder / "gemma-draft.gguf", window=32, noise=0.05)
        with opened(library, gemma) as target, opened(library, path) as draft:
            prompt = prompt_of(target)
            plain = answer(target, prompt, sampling=sampling)
            target.clear()
            drafted = answer(target, prompt, sampling=sampling, drafter=model_drafter(draft))
            assert drafted.tokens == plain.tokens
            assert drafted.stats.accepted > 0

    def test_going_back_beyond_the_window_gives_the_same_answer_as_a_fresh_start(
        self, library: Library, gemma: Path
    ) -> None:
        with opened(library, gemma) as target:
            prompt = prompt_of(target)
            first = answer(target, prompt, sampling=GREEDY, limits=GenerationLimits(max_tokens=180))
            assert len(first.tokens) == 180
            again = answer(target, prompt, sampling=GREEDY, limits=GenerationLimits(max_tokens=40))
            assert again.tokens == first.tokens[:40]


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_loading_and_freeing_many_times_returns_the_memory(library: Library, llama: Path) -> None:
    def resident() -> int:
        return int(Path("/proc/self/statm").read_text().split()[1])

    def load() -> None:
        with opened(library, llama) as cache:
            cache.sync(prompt_of(cache))

    for _ in range(5):
        load()
    before = resident()
    for _ in range(20):
        load()
    assert resident() - before < 2048, "pages of 4 kB: no more than 8 MB in twenty loads"
