"""Records of rounds: they tell what every rule would keep, and change nothing."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.core.acceptance_rules import kept_by
from app.core.options import (
    AcceptanceRule,
    DraftLength,
    GenerationLimits,
    LoadOptions,
    SamplingOptions,
    SpeculationOptions,
)
from app.core.protocol import Done, Round
from app.core.stats import DraftSource
from app.core.trace import TracedRound
from app.engine.acceptance import Draft, verify
from app.engine.distribution import Distribution
from app.engine.drafting import ModelDrafter
from app.engine.fixed import FixedSpeculation
from app.engine.generate import Generation
from app.engine.llama import Library, LlamaModel
from app.engine.noise import Noise, Purpose
from app.engine.policy import FixedPolicy
from app.engine.sampling import Sampler
from app.engine.stopping import StopSignal
from app.engine.tokens import Logits
from app.engine.tracing import traced_tokens
from tests.fakes.scripted_drafter import ScriptedDrafter
from tests.fakes.tiny_gguf import write_llama
from tests.fakes.toy_model import ToyModel, ToyTable

VOCABULARY = 12
TABLE = ToyTable(VOCABULARY)
PROMPT = np.array([5, 7, 2, 9], np.int32)
NOTHING = np.zeros(0, np.int32)
GREEDY = SamplingOptions(temperature=0.0)
WARM = SamplingOptions(temperature=1.0, top_k=0, top_p=1.0, min_p=0.0, seed=3)

SAMPLINGS = st.builds(
    SamplingOptions,
    temperature=st.sampled_from([0.0, 0.7, 2.0]),
    top_k=st.sampled_from([0, 3]),
    top_p=st.sampled_from([0.8, 1.0]),
    min_p=st.sampled_from([0.0, 0.1]),
    repeat_penalty=st.sampled_from([1.0, 1.5]),
    frequency_penalty=st.sampled_from([0.0, 0.8]),
    seed=st.integers(0, 2**32 - 1),
)
RULES = st.builds(
    SpeculationOptions,
    acceptance=st.sampled_from(AcceptanceRule),
    difference_limit=st.sampled_from([0.05, 0.3, 1.0]),
    ratio_limit=st.sampled_from([0.1, 0.5, 1.0]),
    top_k_limit=st.integers(1, 6),
)


def rows(*probabilities: list[float]) -> Logits:
    return np.log(np.array(probabilities, np.float32))


def drafted(*tokens: int) -> Draft:
    return Draft(DraftSource.DRAFT_MODEL, tokens, (0.5,) * len(tokens), (None,) * len(tokens))


TARGET = rows([0.1, 0.6, 0.2, 0.1], [0.1, 0.1, 0.7, 0.1], [0.1, 0.1, 0.2, 0.6])


class TestTokens:
    def test_they_carry_what_the_target_thought(self) -> None:
        likely, unlikely = traced_tokens(Sampler(TABLE, GREEDY, NOTHING), TABLE, TARGET, drafted(1, 3))

        assert (likely.token, likely.text, likely.matches) == (1, "a", True)
        assert likely.target_probability == pytest.approx(0.6)
        assert likely.target_rank == 0
        assert (unlikely.token, unlikely.text, unlikely.matches) == (3, "c", False)
        assert unlikely.target_probability == pytest.approx(0.1)
        assert unlikely.target_rank == 1, "three tokens share the second place"
        assert unlikely.target_is_greedy

    def test_they_carry_what_the_drafter_thought(self) -> None:
        source = Distribution(np.arange(4, dtype=np.int32), np.array([0.1, 0.2, 0.3, 0.4]))
        draft = Draft(DraftSource.DRAFT_MODEL, (3, 2), (0.35, 0.6), (source, None))
        drawn, likeliest = traced_tokens(Sampler(TABLE, WARM, NOTHING), TABLE, TARGET, draft)

        assert (drawn.draft_probability, drawn.drawn_probability) == (0.35, 0.4)
        assert (likeliest.draft_probability, likeliest.drawn_probability) == (0.6, None)

    def test_prompt_lookup_has_no_probabilities(self) -> None:
        copied = Draft(DraftSource.PROMPT_LOOKUP, (1,))
        (token,) = traced_tokens(Sampler(TABLE, WARM, NOTHING), TABLE, TARGET, copied)

        assert (token.draft_probability, token.drawn_probability) == (None, None)

    def test_what_the_filters_take_out_has_no_probability(self) -> None:
        only_two = SamplingOptions(temperature=1.0, top_k=2, top_p=1.0, min_p=0.0)
        (token,) = traced_tokens(Sampler(TABLE, only_two, NOTHING), TABLE, TARGET, drafted(3))

        assert token.target_probability == 0.0
        assert not token.matches

    def test_luck_belongs_to_the_position(self) -> None:
        sampler = Sampler(TABLE, WARM, NOTHING)
        sampler.accept(4)
        tokens = traced_tokens(sampler, TABLE, TARGET, drafted(1, 2))

        noise = Noise(WARM.seed)
        assert [token.luck for token in tokens] == [
            noise.uniform(Purpose.ACCEPTANCE, step) for step in (1, 2)
        ]

    def test_penalties_count_the_drafted_tokens_before(self) -> None:
        penalised = SamplingOptions(temperature=0.0, frequency_penalty=5.0)
        same = rows([0.1, 0.6, 0.2, 0.1], [0.1, 0.6, 0.2, 0.1])
        tokens = traced_tokens(Sampler(TABLE, penalised, NOTHING), TABLE, same, drafted(1, 2))

        assert [token.matches for token in tokens] == [True, True]

    def test_the_sampler_stays_where_it_is(self) -> None:
        sampler = Sampler(TABLE, SamplingOptions(temperature=0.0, frequency_penalty=5.0), NOTHING)
        before = sampler.step, sampler.likelihood(TARGET[0]).probabilities.tolist()
        traced_tokens(sampler, TABLE, TARGET, drafted(1, 2))

        assert (sampler.step, sampler.likelihood(TARGET[0]).probabilities.tolist()) == before

    def test_nothing_drafted_is_nothing_recorded(self) -> None:
        nothing = Draft(DraftSource.NONE)
        assert traced_tokens(Sampler(TABLE, GREEDY, NOTHING), TABLE, TARGET[:1], nothing) == ()


@settings(max_examples=400)
@given(
    seed=st.integers(0, 2**32 - 1),
    length=st.integers(0, 5),
    sampling=SAMPLINGS,
    rule=RULES,
    knows=st.sampled_from(["nothing", "its own probability", "what it drew from"]),
)
def test_what_a_rule_keeps_can_be_told_from_the_record(
    seed: int, length: int, sampling: SamplingOptions, rule: SpeculationOptions, knows: str
) -> None:
    random = np.random.default_rng(seed)
    logits = (random.standard_normal((length + 1, VOCABULARY)) * 2).astype(np.float32)
    likeliest = logits[:-1].argmax(axis=1)
    tokens = np.where(random.random(length) < 0.6, likeliest, random.integers(1, VOCABULARY, length))
    probabilities: tuple[float, ...] = ()
    distributions: tuple[Distribution | None, ...] = ()
    if knows != "nothing":
        probabilities = tuple(random.random(length).tolist())
    if knows == "what it drew from":
        ids = np.arange(VOCABULARY, dtype=np.int32)
        distributions = tuple(Distribution(ids, random.dirichlet(ids + 1.0)) for _ in range(length))
    draft = Draft(DraftSource.DRAFT_MODEL, tuple(tokens.tolist()), probabilities, distributions)
    sampler = Sampler(TABLE, sampling, PROMPT)

    traced = traced_tokens(sampler, TABLE, logits, draft)

    assert kept_by(rule, traced) == verify(sampler, logits, draft, rule).accepted
    sampler.close()


class SlowSampler(Sampler):
    """A choice takes a second."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._now = [0.0]  # shared with the copies that look ahead

    def time(self) -> float:
        return self._now[0]

    def choose(self, row: Logits) -> int:
        self._now[0] += 1.0
        return super().choose(row)


class SimilarModel(ToyModel):
    """Says nearly what the model with its seed says."""

    def logits_after(self, tokens: list[int]) -> Logits:
        other = np.random.default_rng(tokens[-3:]).standard_normal(self.vocabulary_size)
        found: Logits = (super().logits_after(tokens) + 1.5 * other).astype(np.float32)
        return found


def answer(
    *,
    trace: bool,
    options: SpeculationOptions | None = None,
    sampling: SamplingOptions = WARM,
    limits: GenerationLimits | None = None,
    perfect: list[int] | None = None,
    sampler: Sampler | None = None,
    clock: Callable[[], float] | None = None,
) -> list[Round | Done]:
    """Of a toy model, drafted for by a similar one, or by one that knows the `perfect` answer."""
    options = options or SpeculationOptions(draft_length=DraftLength.FIXED)
    target = ToyModel(seed=4, ends=False)
    draft = SimilarModel(seed=4, ends=False)
    for model in (target, draft):
        model.attach(StopSignal())
    sampler = sampler or Sampler(TABLE, sampling, PROMPT)
    shares_noise = options.acceptance is AcceptanceRule.MATCH
    drafter: ModelDrafter | ScriptedDrafter = ModelDrafter(
        draft, TABLE, lambda: sampler.draft_chooser(shares_noise=shares_noise)
    )
    if perfect is not None:
        drafter = ScriptedDrafter(len(PROMPT), perfect, lambda tokens, _: tokens)
    generation = Generation(
        target,
        TABLE,
        sampler,
        FixedSpeculation(drafter, FixedPolicy(options, 16), options),
        limits or GenerationLimits(max_tokens=24),
        StopSignal(),
        clock or (lambda: 0.0),
        trace=trace,
    )
    events = list(generation.rounds(PROMPT))
    sampler.close()
    return events


def rounds_of(events: list[Round | Done]) -> list[tuple[Round, TracedRound]]:
    found = []
    for event in events:
        if isinstance(event, Round):
            assert event.trace is not None
            found.append((event, event.trace))
    return found


def tokens_of(events: list[Round | Done]) -> list[int]:
    return [token for event in events if isinstance(event, Round) for token in event.tokens]


class TestAnswers:
    @pytest.mark.parametrize("rule", AcceptanceRule)
    @pytest.mark.parametrize("sampling", [GREEDY, WARM])
    def test_every_round_is_recorded_and_nothing_else_changes(
        self, rule: AcceptanceRule, sampling: SamplingOptions
    ) -> None:
        options = SpeculationOptions(acceptance=rule)
        plain = answer(trace=False, options=options, sampling=sampling)
        traced = answer(trace=True, options=options, sampling=sampling)

        assert tokens_of(traced) == tokens_of(plain)
        assert all(event.trace is None for event in plain if isinstance(event, Round))
        for round_, record in rounds_of(traced):
            assert record.stats == round_.stats
            assert len(record.tested) == record.stats.tested
            assert record.accepted == kept_by(options, record.tested)
        some = [record for _, record in rounds_of(traced) if record.tested]
        assert any(record.accepted > 0 for record in some)
        assert any(record.accepted < len(record.tested) for record in some)

    def test_the_first_round_has_nothing_proposed(self) -> None:
        (round_, first), *_ = rounds_of(answer(trace=True))

        assert (first.tested, first.accepted) == ((), 0)
        assert (first.next_token,) == round_.tokens
        assert first.next_text == round_.pieces[0].text

    def test_a_round_tells_the_targets_own_token(self) -> None:
        for round_, record in rounds_of(answer(trace=True))[:-1]:
            kept = [token.token for token in record.tested[: record.accepted]]
            assert [*kept, record.next_token] == list(round_.tokens)
            assert record.next_text == chr(96 + record.next_token)

    def test_where_the_answer_ends_within_a_draft_the_verdict_still_stands(self) -> None:
        plain = answer(trace=False)
        perfect = tokens_of(plain)
        limits = GenerationLimits(stop_strings=("".join(chr(96 + token) for token in perfect[1:3]),))
        options = SpeculationOptions(draft_length=DraftLength.FIXED, max_draft_tokens=6)
        round_, last = rounds_of(answer(trace=True, limits=limits, perfect=perfect, options=options))[-1]

        assert round_.stats.emitted == round_.stats.accepted == 2
        assert last.accepted == len(last.tested) == 6

    def test_a_draft_too_short_to_be_tested_is_not_judged(self) -> None:
        options = SpeculationOptions(
            draft_length=DraftLength.FIXED, max_draft_tokens=3, min_draft_tokens=3, draft_probability=0.4
        )
        dropped = [record for _, record in rounds_of(answer(trace=True, options=options))[1:]]

        assert any(record.stats.ignored and not record.tested for record in dropped)

    def test_recording_does_not_count_as_sampling(self) -> None:
        times = []
        for trace in (False, True):
            sampler = SlowSampler(TABLE, WARM, PROMPT)
            events = answer(trace=trace, sampler=sampler, clock=sampler.time)
            times.append([event.stats.sample_s for event in events if isinstance(event, Round)])
        assert times[0] == times[1]
        assert sum(times[0]) == len(tokens_of(events)) - 1, "the first token is no round's"


class TestGrammars:
    @pytest.fixture
    def model(self, library: Library, tmp_path: Path) -> LlamaModel:
        return LlamaModel(library, write_llama(tmp_path / "model.gguf"), LoadOptions(), memory_map=False)

    def test_what_follows_a_forbidden_token_is_left_out(self, model: LlamaModel) -> None:
        vocabulary = model.vocabulary
        letters = [int(vocabulary.tokenize(letter)[-1]) for letter in "abc"]
        options = SamplingOptions(temperature=0.0, grammar='root ::= "ab"+')
        sampler = Sampler(vocabulary, options, NOTHING)
        a, b, c = letters
        flat = np.zeros((4, vocabulary.size), np.float32)
        flat[:, letters] = 1.0

        right, wrong = traced_tokens(sampler, vocabulary, flat, drafted(a, c, b))
        assert right.target_probability > 0.0
        assert right.matches
        assert (wrong.target_probability, wrong.matches) == (0.0, False)

        assert len(traced_tokens(sampler, vocabulary, flat, drafted(a, b, a))) == 3
        assert sampler.allows(a), "the grammar of the answer itself has not moved"
        assert not sampler.allows(b)
        sampler.close()
        model.close()
