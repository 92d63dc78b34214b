"""A comparison carried out on a tiny pair."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from app.core.compare import WARM_UP_TOKENS, summarise
from app.core.errors import OptionsError
from app.core.experiment import NEAR_TIE, ExperimentKind, Plan, PlannedRun, Run
from app.core.options import GenerationLimits, LoadOptions, SamplingOptions
from app.core.prompts import Prompt
from app.core.stats import StopReason
from app.engine.experiment import Laboratory
from app.engine.llama import Library
from app.engine.memory import detect_features
from app.engine.pair import ModelPair
from app.engine.pair_loader import PairLoader
from app.engine.sampling import Sampler
from app.engine.stopping import StopSignal
from app.engine.thread import EngineThread
from app.engine.tokens import Logits
from app.engine.vocab import VocabularyCache
from tests.fakes.experiments import DRAFTED, LOOKUP, OFF
from tests.fakes.tiny_gguf import write_llama

PROMPTS = (Prompt("one", "A short one.", "Be brief."), Prompt("two", "Another one."))
PLAN = Plan(
    kind=ExperimentKind.SUITE,
    variants=(OFF, DRAFTED, LOOKUP),
    prompts=PROMPTS,
    repeats=1,
    sampling=SamplingOptions(temperature=0.8, seed=4),
    limits=GenerationLimits(max_tokens=16),
)


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


def rounding(random: np.random.Generator, size: int) -> Logits:
    """What another way to compute the same logits adds to them."""
    return random.normal(0.0, 0.15, size).astype(np.float32)


def runs_of(laboratory: Laboratory) -> tuple[Run, ...]:
    return laboratory.run(lambda *_: None)


def test_every_run_starts_from_empty_caches_and_gives_the_same_answer(
    engine: EngineThread, pair: ModelPair
) -> None:
    announced: list[tuple[PlannedRun, int, int]] = []
    laboratory = Laboratory(engine, pair, PLAN)
    runs = laboratory.run(lambda *progress: announced.append(progress))
    assert len(runs) == len(announced) == 6
    assert [done for _, done, _ in announced] == list(range(6))
    assert all(run.stats.cached_prompt_tokens == 0 for run in runs)
    for prompt in ("one", "two"):
        assert len({run.tokens for run in runs if run.prompt == prompt}) == 1
        assert len({run.text for run in runs if run.prompt == prompt}) == 1
    assert laboratory.differences(runs) == {}
    assert all(summary.identical for summary in summarise(runs, PLAN.variants))


def test_each_source_of_drafts_warms_up_before_anything_counts(
    engine: EngineThread, pair: ModelPair, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, int]] = []
    generate = pair.generate

    def noted(*arguments: object) -> object:
        speculation, limits = arguments[2], arguments[3]
        asked.append((speculation.mode.value, limits.max_tokens))  # type: ignore[attr-defined]
        return generate(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(pair, "generate", noted)
    runs_of(Laboratory(engine, pair, replace(PLAN, prompts=PROMPTS[:1])))
    modes = ("off", "draft", "lookup")
    assert asked == [(mode, WARM_UP_TOKENS) for mode in modes] + [(mode, 16) for mode in modes]


def test_only_the_variant_that_drafts_with_the_model_pays_for_its_memory(
    engine: EngineThread, pair: ModelPair
) -> None:
    by_variant = {run.variant: run.stats for run in runs_of(Laboratory(engine, pair, PLAN))}
    assert by_variant["draft"].drafted > 0
    assert by_variant["off"].drafted == 0
    assert by_variant["off"].peak_rss_bytes < by_variant["draft"].peak_rss_bytes
    assert pair.draft_bytes > 0


def test_a_difference_is_explained_by_the_targets_own_logits(engine: EngineThread, pair: ModelPair) -> None:
    laboratory = Laboratory(engine, pair, replace(PLAN, sampling=SamplingOptions(temperature=0.0)))
    runs = runs_of(laboratory)
    off = runs[0]
    other = (*off.tokens[:5], off.tokens[5] + 1, *off.tokens[6:])
    changed = [replace(run, tokens=other) if run.variant == "lookup" else run for run in runs[:3]]
    ((place, found),) = laboratory.differences(changed).items()
    assert (place, found.position) == (("lookup", "one"), 5)
    assert found.expected_text is not None
    assert found.text_position is not None
    assert off.text[found.text_position :].startswith(found.expected_text)
    assert found.expected_logit is not None
    assert found.found_logit is not None
    assert found.expected_logit > found.found_logit, "greedy chose the larger one"


@pytest.mark.parametrize("reason", [StopReason.MAX_TOKENS, StopReason.END_OF_GENERATION])
def test_an_end_is_weighed_where_the_model_chose_it(
    engine: EngineThread, pair: ModelPair, reason: StopReason
) -> None:
    laboratory = Laboratory(engine, pair, PLAN)
    off, draft = runs_of(laboratory)[:2]
    off = replace(off, stats=replace(off.stats, stop_reason=reason))
    longer = replace(draft, tokens=(*draft.tokens, 7))
    (found,) = laboratory.differences([off, longer]).values()
    assert (found.position, found.expected, found.found) == (16, None, 7)
    assert found.expected_text is None
    assert found.found_text is not None
    assert found.text_position == len(off.text)
    is_weighed = reason is StopReason.END_OF_GENERATION
    assert (found.expected_logit is not None, found.near_tie is not None) == (is_weighed, is_weighed)


def test_a_right_answer_that_rounding_turned_is_a_near_tie(engine: EngineThread, pair: ModelPair) -> None:
    """At the usual temperature their logits may be far apart: the noise of the draw is weighed as well."""
    laboratory = Laboratory(engine, pair, PLAN)
    off, draft = runs_of(laboratory)[:2]
    prompt, random = pair.prompt_tokens(PROMPTS[0].messages), np.random.default_rng(0)
    sampler = Sampler(pair.target.vocabulary, PLAN.sampling, prompt)
    gaps = []
    pair.target.attach(StopSignal())
    for place, expected in enumerate(off.tokens):
        row = pair.target.sync(np.concatenate((prompt, np.array(off.tokens[:place], np.int32))))
        turned = {sampler.choose(row + rounding(random, len(row))) for _ in range(100)}
        sampler.accept(expected)
        for token in turned - {expected}:
            changed = replace(draft, tokens=(*off.tokens[:place], token, *off.tokens[place + 1 :]))
            (found,) = laboratory.differences([off, changed]).values()
            assert found.near_tie
            assert found.expected_logit is not None
            assert found.found_logit is not None
            gaps.append(abs(found.expected_logit - found.found_logit))
    sampler.close()
    assert max(gaps) > 2 * NEAR_TIE


def test_a_plan_that_cannot_be_carried_out_is_refused(engine: EngineThread, pair: ModelPair) -> None:
    with pytest.raises(OptionsError, match="repeats"):
        runs_of(Laboratory(engine, pair, replace(PLAN, repeats=0)))
