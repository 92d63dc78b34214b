"""The loop, on a toy model: drafting changes the speed and never the tokens."""

from collections.abc import Callable
from time import perf_counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.core.errors import PromptTooLongError
from app.core.options import (
    DraftLength,
    GenerationLimits,
    SamplingOptions,
    SpeculationMode,
    SpeculationOptions,
)
from app.core.protocol import Done, Round
from app.core.stats import StopReason
from app.engine.drafting import Drafter, LookupDrafter, ModelDrafter
from app.engine.fixed import FixedSpeculation
from app.engine.generate import Generation
from app.engine.policy import FixedPolicy
from app.engine.sampling import Sampler
from app.engine.stopping import StopSignal
from app.engine.tokens import Tokens
from tests.fakes.scripted_drafter import ScriptedDrafter
from tests.fakes.toy_model import END, ToyModel, ToyTable

VOCABULARY = 12
TABLE = ToyTable(VOCABULARY)
PROMPT = np.array([5, 7, 2, 9], np.int32)
GREEDY = SamplingOptions(temperature=0.0)

Spoil = Callable[[list[int], int], list[int]]
SPOILERS: dict[str, Spoil] = {
    "always right": lambda tokens, _: tokens,
    "always wrong": lambda tokens, _: [token % (VOCABULARY - 1) + 1 for token in tokens],
    "right until the second": lambda tokens, _: tokens[:1] + [t % (VOCABULARY - 1) + 1 for t in tokens[1:]],
    "empty": lambda tokens, _: [],
    "empty every other round": lambda tokens, round_: tokens if round_ % 2 else [],
    "ending early": lambda tokens, _: tokens[:1],
    "past the end": lambda tokens, _: [*tokens, 3, 3, 3],
}

SAMPLINGS = st.builds(
    SamplingOptions,
    temperature=st.sampled_from([0.0, 0.3, 1.0, 3.0]),
    top_k=st.sampled_from([0, 3]),
    top_p=st.sampled_from([0.8, 1.0]),
    min_p=st.sampled_from([0.0, 0.1]),
    repeat_penalty=st.sampled_from([1.0, 1.3]),
    presence_penalty=st.sampled_from([0.0, 0.7]),
    frequency_penalty=st.sampled_from([0.0, 0.4]),
    penalty_window=st.sampled_from([0, 3, 64]),
    seed=st.integers(0, 2**32 - 1),
)


class Answer:
    """Everything that came of one generation."""

    def __init__(self, events: list[Round | Done]) -> None:
        *rounds, done = events
        assert isinstance(done, Done)
        self.rounds = [each for each in rounds if isinstance(each, Round)]
        self.tokens = [token for round_ in self.rounds for token in round_.tokens]
        pieces = [piece for round_ in self.rounds for piece in round_.pieces] + list(done.pieces)
        self.pieces = pieces
        self.text = "".join(piece.text for piece in pieces)
        self.stats = done.stats


def answer(
    target: ToyModel,
    *,
    sampling: SamplingOptions = GREEDY,
    drafter: Callable[[Sampler], Drafter] | None = None,
    options: SpeculationOptions | None = None,
    limits: GenerationLimits | None = None,
    prompt: Tokens = PROMPT,
    stop: StopSignal | None = None,
    clock: Callable[[], float] | None = None,
) -> Answer:
    options = options or SpeculationOptions(draft_length=DraftLength.FIXED)
    stop = stop or StopSignal()
    target.attach(stop)
    sampler = Sampler(TABLE, sampling, prompt)
    speculation = None
    if drafter is not None:
        policy = FixedPolicy(options, min(16, target.rollback_limit))
        speculation = FixedSpeculation(drafter(sampler), policy, options)
    limits = limits or GenerationLimits(max_tokens=24)
    generation = Generation(target, TABLE, sampler, speculation, limits, stop, clock or perf_counter)
    events = list(generation.rounds(prompt))
    sampler.close()
    found = Answer(events)
    assert generation.text == found.text
    return found


def scripted(expected: list[int], spoil: Spoil) -> Callable[[Sampler], Drafter]:
    return lambda _: ScriptedDrafter(len(PROMPT), expected, spoil)


class TestLossless:
    @settings(max_examples=150)
    @given(
        seed=st.integers(0, 10_000),
        sampling=SAMPLINGS,
        spoiler=st.sampled_from(sorted(SPOILERS)),
        most=st.integers(1, 8),
        least=st.integers(0, 4),
        max_tokens=st.integers(1, 40),
    )
    def test_any_drafter_gives_the_tokens_of_plain_generation(
        self, seed: int, sampling: SamplingOptions, spoiler: str, most: int, least: int, max_tokens: int
    ) -> None:
        limits = GenerationLimits(max_tokens=max_tokens)
        plain = answer(ToyModel(seed=seed), sampling=sampling, limits=limits)
        target = ToyModel(seed=seed)
        options = SpeculationOptions(
            draft_length=DraftLength.FIXED, max_draft_tokens=most, min_draft_tokens=min(least, most)
        )
        drafted = answer(
            target,
            sampling=sampling,
            drafter=scripted(plain.tokens, SPOILERS[spoiler]),
            options=options,
            limits=limits,
        )
        assert drafted.tokens == plain.tokens
        assert drafted.text == plain.text
        assert drafted.stats.stop_reason == plain.stats.stop_reason
        context = PROMPT.tolist() + plain.tokens
        held = target.tokens.tolist()
        assert held == [*context, END][: len(held)]

    @settings(max_examples=100)
    @given(
        seed=st.integers(0, 10_000),
        sampling=SAMPLINGS,
        draft_seed=st.integers(0, 1),
        most=st.integers(1, 8),
        cutoff=st.sampled_from([0.0, 0.3, 0.7]),
        recurrent=st.booleans(),
    )
    def test_a_draft_model_gives_the_tokens_of_plain_generation_and_both_caches_follow(
        self, seed: int, sampling: SamplingOptions, draft_seed: int, most: int, cutoff: float, recurrent: bool
    ) -> None:
        limits = GenerationLimits(max_tokens=30)
        rollback = 8 if recurrent else None
        plain = answer(ToyModel(seed=seed, ends=False), sampling=sampling, limits=limits)
        target = ToyModel(seed=seed, ends=False, rollback_limit=rollback)
        draft = ToyModel(seed=seed + draft_seed, ends=False, rollback_limit=rollback, context_length=40)
        draft.attach(StopSignal())

        def drafter(sampler: Sampler) -> Drafter:
            return ModelDrafter(draft, TABLE, lambda: sampler.draft_chooser(shares_noise=True), cutoff)

        options = SpeculationOptions(
            mode=SpeculationMode.DRAFT_MODEL, draft_length=DraftLength.FIXED, max_draft_tokens=most
        )
        drafted = answer(target, sampling=sampling, drafter=drafter, options=options, limits=limits)
        assert drafted.tokens == plain.tokens
        context = PROMPT.tolist() + plain.tokens
        assert target.tokens.tolist() == context[: target.length]
        assert target.failed_truncations == 0
        assert draft.failed_truncations == 0
        if draft_seed == 0 and cutoff == 0.0 and sampling.penalty_window == 0:
            assert drafted.stats.acceptance_rate == 1.0, (
                "the same model with the same noise agrees with itself"
            )

    @settings(max_examples=60)
    @given(seed=st.integers(0, 10_000), sampling=SAMPLINGS, most=st.integers(1, 8))
    def test_prompt_lookup_gives_the_tokens_of_plain_generation(
        self, seed: int, sampling: SamplingOptions, most: int
    ) -> None:
        repetitive = np.array([1, 2, 3, 4, 1, 2, 3, 4, 1, 2], np.int32)
        plain = answer(ToyModel(seed=seed, sight=1), sampling=sampling, prompt=repetitive)
        options = SpeculationOptions(draft_length=DraftLength.FIXED, max_draft_tokens=most, lookup_shortest=1)
        drafted = answer(
            ToyModel(seed=seed, sight=1),
            sampling=sampling,
            drafter=lambda _: LookupDrafter(options, TABLE),
            options=options,
            prompt=repetitive,
        )
        assert drafted.tokens == plain.tokens


class TestRounds:
    def test_a_perfect_drafter_saves_passes(self) -> None:
        plain = answer(ToyModel(seed=4, ends=False))
        target = ToyModel(seed=4, ends=False)
        options = SpeculationOptions(draft_length=DraftLength.FIXED, max_draft_tokens=3)
        drafted = answer(target, drafter=scripted(plain.tokens, SPOILERS["always right"]), options=options)
        assert len(plain.tokens) == 24
        # one token from the prompt, five rounds of four, one of three: 1 + 5 * 4 + 3 = 24
        assert [round_.stats.emitted for round_ in drafted.rounds] == [1, 4, 4, 4, 4, 4, 3]
        assert drafted.stats.drafted == drafted.stats.tested == drafted.stats.accepted == 5 * 3 + 2
        assert drafted.stats.mean_accepted_length == pytest.approx(1 + 17 / 7)

    def test_a_draft_below_the_minimum_is_ignored_and_costs_no_verification(self) -> None:
        plain = answer(ToyModel(seed=4, ends=False))
        options = SpeculationOptions(draft_length=DraftLength.FIXED, max_draft_tokens=4, min_draft_tokens=2)
        drafted = answer(
            ToyModel(seed=4, ends=False),
            drafter=scripted(plain.tokens, SPOILERS["ending early"]),
            options=options,
        )
        assert drafted.tokens == plain.tokens
        assert drafted.stats.tested == 0
        assert drafted.stats.ignored == drafted.stats.drafted > 0

    def test_nothing_is_emitted_past_the_end_of_generation(self) -> None:
        ended = next(
            found
            for found in (answer(ToyModel(seed=seed)) for seed in range(100))
            if found.stats.stop_reason is StopReason.END_OF_GENERATION and len(found.tokens) > 3
        )
        assert 0 not in ended.tokens

    def test_tokens_from_the_draft_are_marked_with_their_position(self) -> None:
        plain = answer(ToyModel(seed=4, ends=False))
        drafted = answer(
            ToyModel(seed=4, ends=False),
            drafter=scripted(plain.tokens, SPOILERS["always right"]),
            options=SpeculationOptions(draft_length=DraftLength.FIXED, max_draft_tokens=3),
        )
        marks = [(piece.from_draft, piece.position) for piece in drafted.pieces][:9]
        round_of_four = [(True, 1), (True, 2), (True, 3), (False, 0)]
        assert marks == [(False, 0), *round_of_four, *round_of_four]


class TestEnds:
    @pytest.mark.parametrize("drafting", [False, True])
    def test_a_stop_string_inside_an_accepted_run_ends_the_answer_there(self, drafting: bool) -> None:
        plain = answer(ToyModel(seed=4, ends=False))
        stop_string = plain.text[6:8]
        limits = GenerationLimits(max_tokens=24, stop_strings=(stop_string,))
        drafter = scripted(plain.tokens, SPOILERS["always right"]) if drafting else None
        options = SpeculationOptions(draft_length=DraftLength.FIXED, max_draft_tokens=8)
        cut = answer(ToyModel(seed=4, ends=False), limits=limits, drafter=drafter, options=options)
        assert cut.text == plain.text[: plain.text.index(stop_string)]
        assert cut.stats.stop_reason is StopReason.STOP_STRING
        assert cut.stats.accepted <= cut.stats.generated_tokens == len(cut.tokens)

    @pytest.mark.parametrize("drafting", [False, True])
    def test_the_context_limit_ends_the_answer_without_reading_past_it(self, drafting: bool) -> None:
        endless = GenerationLimits()
        plain = answer(ToyModel(seed=4, ends=False, context_length=20), limits=endless)
        drafter = scripted(plain.tokens, SPOILERS["past the end"]) if drafting else None
        target = ToyModel(seed=4, ends=False, context_length=20)
        full = answer(target, limits=endless, drafter=drafter)
        assert full.stats.stop_reason is StopReason.CONTEXT_FULL
        assert full.tokens == plain.tokens
        assert len(PROMPT) + len(full.tokens) == 21, "the last token needs no place of its own"

    def test_a_prompt_as_long_as_the_context_is_refused_before_it_is_read(self) -> None:
        target = ToyModel(seed=4, context_length=8)
        with pytest.raises(PromptTooLongError, match="8 tokens"):
            answer(target, prompt=np.ones(8, np.int32))
        assert target.passes == []

    def test_stopping_in_a_long_prompt_gives_an_empty_answer_and_a_sound_cache(self) -> None:
        target = ToyModel(seed=4, batch_size=2)
        target.passes_until_stop = 1
        stopped = answer(target, prompt=np.arange(1, 9, dtype=np.int32))
        assert stopped.stats.stop_reason is StopReason.STOPPED
        assert stopped.stats.generated_tokens == 0
        assert stopped.stats.tok_per_s is None
        assert target.tokens.tolist() == [1, 2]

    @pytest.mark.parametrize("passes", range(7))
    def test_after_a_stop_anywhere_the_same_caches_give_the_same_answer(self, passes: int) -> None:
        plain = answer(ToyModel(seed=4, ends=False))
        target, draft = ToyModel(seed=4, ends=False), ToyModel(seed=4, ends=False, sharpness=1.9)

        def drafter(sampler: Sampler) -> Drafter:
            return ModelDrafter(draft, TABLE, lambda: sampler.draft_chooser(shares_noise=True))

        target.passes_until_stop = passes
        draft.attach(StopSignal())
        stopped = answer(target, drafter=drafter)
        assert stopped.stats.stop_reason is StopReason.STOPPED
        assert stopped.tokens == plain.tokens[: len(stopped.tokens)]
        target.passes_until_stop = None
        assert answer(target, drafter=drafter).tokens == plain.tokens

    def test_giving_up_between_rounds_leaves_caches_that_can_go_on(self) -> None:
        plain = answer(ToyModel(seed=4, ends=False))
        target = ToyModel(seed=4, ends=False)
        target.attach(StopSignal())
        options = SpeculationOptions(draft_length=DraftLength.FIXED)
        speculation = FixedSpeculation(
            ScriptedDrafter(len(PROMPT), plain.tokens, SPOILERS["always right"]),
            FixedPolicy(options, 16),
            options,
        )
        sampler = Sampler(TABLE, GREEDY, PROMPT)
        generation = Generation(target, TABLE, sampler, speculation, GenerationLimits(), StopSignal())
        rounds = generation.rounds(PROMPT)
        next(rounds)
        next(rounds)
        del rounds
        assert answer(target).tokens == plain.tokens


class TestNextTurn:
    def test_what_the_turns_share_is_not_read_again(self) -> None:
        target = ToyModel(seed=4, ends=False, batch_size=16)
        first = answer(target, limits=GenerationLimits(max_tokens=6))
        conversation = np.array([*PROMPT.tolist(), *first.tokens, 8, 8], np.int32)
        target.passes.clear()
        second = answer(target, prompt=conversation, limits=GenerationLimits(max_tokens=1))
        assert target.passes == [3], "the answer's last token and the two new ones"
        assert second.stats.cached_prompt_tokens == len(conversation) - 3


class TestSpeed:
    def test_tokens_per_second_count_from_the_first_token_to_the_last(self) -> None:
        ticks = iter(range(10_000))
        plain = answer(ToyModel(seed=4, ends=False), clock=lambda: float(next(ticks)))
        stats = plain.stats
        assert stats.tok_per_s == pytest.approx((stats.generated_tokens - 1) / stats.decode_s)
        assert stats.time_to_first_token_s is not None
        assert stats.time_to_first_token_s >= stats.prompt_s > 0

    def test_one_token_has_no_rate(self) -> None:
        assert answer(ToyModel(seed=4), limits=GenerationLimits(max_tokens=1)).stats.tok_per_s is None
