"""A comparison carried out on a tiny pair."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.core.compare import FirstDifference, Mode, PlannedRun, summarise
from app.core.options import GenerationLimits, LoadOptions, SamplingOptions, SpeculationOptions
from app.core.prompts import Prompt
from app.engine.experiment import Laboratory, Plan
from app.engine.llama import Library
from app.engine.memory import detect_features
from app.engine.pair import ModelPair, PairLoader
from app.engine.thread import EngineThread
from app.engine.vocab import VocabularyCache
from tests.fakes.tiny_gguf import write_llama

PROMPTS = (Prompt("one", "A short one.", "Be brief."), Prompt("two", "Another one."))


@pytest.fixture
def engine() -> Iterator[EngineThread]:
    with EngineThread() as thread:
        yield thread


@pytest.fixture
def pair(library: Library, tmp_path: Path) -> Iterator[ModelPair]:
    loader = PairLoader(library, VocabularyCache(None), detect_features())
    target = write_llama(tmp_path / "target.gguf")
    draft = write_llama(tmp_path / "draft.gguf", noise=0.03)
    loaded = loader.load(target, draft, LoadOptions(context_length=256, longest_draft=8, threads=1))
    yield loaded
    loaded.close()


def plan_of(**changes: object) -> Plan:
    fields: dict[str, object] = {
        "modes": (Mode.OFF, Mode.DRAFT, Mode.LOOKUP),
        "prompts": PROMPTS,
        "repeats": 1,
        "sampling": SamplingOptions(temperature=0.8, seed=4),
        "speculation": SpeculationOptions(),
        "limits": GenerationLimits(max_tokens=16),
    }
    return Plan(**(fields | changes))  # type: ignore[arg-type]


def test_every_run_starts_from_empty_caches_and_gives_the_same_answer(
    engine: EngineThread, pair: ModelPair
) -> None:
    announced: list[tuple[PlannedRun, int, int]] = []
    runs = Laboratory(engine, pair, plan_of()).run(lambda *progress: announced.append(progress))
    assert len(runs) == len(announced) == 6
    assert [done for _, done, _ in announced] == list(range(6))
    assert all(run.stats.cached_prompt_tokens == 0 for run in runs)
    for prompt in ("one", "two"):
        assert len({run.tokens for run in runs if run.prompt == prompt}) == 1
        assert len({run.text for run in runs if run.prompt == prompt}) == 1
    assert all(summary.identical_to_off for summary in summarise(runs))


def test_only_the_mode_that_drafts_with_the_model_pays_for_its_memory(
    engine: EngineThread, pair: ModelPair
) -> None:
    runs = Laboratory(engine, pair, plan_of()).run(lambda *_: None)
    by_mode = {run.mode: run.stats for run in runs}
    assert by_mode[Mode.DRAFT].drafted > 0
    assert by_mode[Mode.OFF].drafted == 0
    assert by_mode[Mode.OFF].peak_rss_bytes < by_mode[Mode.DRAFT].peak_rss_bytes
    assert pair.draft_bytes > 0


def test_a_difference_is_explained_by_the_targets_own_logits(engine: EngineThread, pair: ModelPair) -> None:
    laboratory = Laboratory(engine, pair, plan_of(sampling=SamplingOptions(temperature=0.0)))
    off = laboratory.run(lambda *_: None)[0]
    expected = off.tokens[5]
    found = laboratory.explain(off, FirstDifference(position=5, expected=expected, found=expected + 1))
    assert found.expected_text is not None
    assert found.expected_logit is not None
    assert found.found_logit is not None
    assert found.expected_logit > found.found_logit, "greedy chose the larger one"


def test_a_difference_at_an_end_has_no_logits(engine: EngineThread, pair: ModelPair) -> None:
    laboratory = Laboratory(engine, pair, plan_of())
    off = laboratory.run(lambda *_: None)[0]
    found = laboratory.explain(off, FirstDifference(position=16, expected=None, found=7))
    assert (found.expected_text, found.expected_logit, found.near_tie) == (None, None, None)
