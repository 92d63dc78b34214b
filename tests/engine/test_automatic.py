"""Automatic speculation on toy models: the tokens are those of plain generation, whatever is decided."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.core.drafting_state import DraftingState, Pause
from app.core.options import GenerationLimits, SamplingOptions, SpeculationMode, SpeculationOptions
from app.core.pass_costs import PassCosts
from app.core.protocol import Done, Round
from app.core.stats import DraftSource, StopReason
from app.engine.automatic import AutomaticSpeculation
from app.engine.automatic_policy import AutomaticPolicy
from app.engine.belief import Belief
from app.engine.drafting import LookupDrafter, ModelDrafter
from app.engine.generate import Generation
from app.engine.running_costs import RunningCosts
from app.engine.sampling import Sampler
from app.engine.stopping import StopSignal
from app.engine.tokens import Tokens
from tests.fakes.toy_model import ToyModel, ToyTable

TABLE = ToyTable(12)
PROMPT = np.array([5, 7, 2, 9], np.int32)
GREEDY = SamplingOptions(temperature=0.0)
CHEAP = PassCosts((1, 17), (1.0, 1.2), draft_s=0.01, context_tokens=4)
MIDDLING = PassCosts((1, 17), (1.0, 3.0), draft_s=0.2, context_tokens=4)
DEAR = PassCosts((1, 2, 17), (1.0, 2.5, 30.0), draft_s=0.5, context_tokens=4)

Given = tuple[list[int], list[Round], Done]


class Watch:
    """A clock that the passes of models push on, as the costs have it."""

    def __init__(self, costs: PassCosts, target: ToyModel, draft: ToyModel | None) -> None:
        self._costs, self._target, self._draft = costs, target, draft

    def __call__(self) -> float:
        drafted = 0 if self._draft is None else sum(self._draft.passes)
        checked = sum(self._costs.pass_s(tokens) for tokens in self._target.passes)
        return checked + drafted * (self._costs.draft_s or 0.0)


def answer(
    target: ToyModel,
    draft: ToyModel | None = None,
    *,
    costs: PassCosts | None = CHEAP,
    sampling: SamplingOptions = GREEDY,
    prompt: Tokens = PROMPT,
    ceiling: int = 16,
    max_tokens: int = 40,
    policy: AutomaticPolicy | None = None,
    made_with: list[AutomaticSpeculation] | None = None,
) -> Given:
    """All tokens, rounds and the end; without costs, plain. `made_with` gets its speculation."""
    stop = StopSignal()
    target.attach(stop)
    sampler = Sampler(TABLE, sampling, prompt)
    options = SpeculationOptions(mode=SpeculationMode.DRAFT_MODEL, draft_ceiling=ceiling)
    speculation = None
    clock = Watch(costs or CHEAP, target, draft)
    if costs is not None:
        model = None
        if draft is not None:
            draft.attach(stop)
            model = ModelDrafter(draft, TABLE, lambda: sampler.draft_chooser(shares_noise=True))
        belief = Belief.in_model() if draft is not None else None
        policy = policy or AutomaticPolicy(belief, Belief.in_lookup())
        running = RunningCosts(costs, 16, 0.0)
        lookup = LookupDrafter(options, TABLE)
        longest = min(16, target.rollback_limit)
        speculation = AutomaticSpeculation(model, lookup, policy, running, options, longest, clock)
        if made_with is not None:
            made_with.append(speculation)
    limits = GenerationLimits(max_tokens=max_tokens)
    generation = Generation(target, TABLE, sampler, speculation, limits, stop, clock)
    *rounds, done = list(generation.rounds(prompt))
    sampler.close()
    assert isinstance(done, Done)
    made = [each for each in rounds if isinstance(each, Round)]
    return [token for each in made for token in each.tokens], made, done


def states(rounds: list[Round]) -> list[DraftingState]:
    return [each.drafting for each in rounds if each.drafting is not None]


def talker(seed: int = 3, **more: int) -> ToyModel:
    return ToyModel(seed=seed, ends=False, **more)


class TestLossless:
    @settings(max_examples=80, deadline=None)
    @given(
        seed=st.integers(0, 10_000),
        draft_seed=st.integers(0, 3),
        temperature=st.sampled_from([0.0, 0.8, 2.0]),
        ceiling=st.integers(1, 16),
        max_tokens=st.integers(1, 50),
        costs=st.sampled_from([CHEAP, DEAR]),
    )
    def test_the_tokens_are_those_of_plain_generation(
        self, seed: int, draft_seed: int, temperature: float, ceiling: int, max_tokens: int, costs: PassCosts
    ) -> None:
        sampling = SamplingOptions(temperature=temperature, seed=seed)
        plain, _, _ = answer(ToyModel(seed=seed), costs=None, sampling=sampling, max_tokens=max_tokens)
        target, draft = ToyModel(seed=seed), ToyModel(seed=seed + draft_seed)
        tokens, rounds, done = answer(
            target, draft, costs=costs, sampling=sampling, ceiling=ceiling, max_tokens=max_tokens
        )
        assert tokens == plain
        assert done.stats.generated_tokens == len(tokens)
        assert all(each.stats.drafted <= ceiling for each in rounds)

    def test_to_the_end_of_the_context(self) -> None:
        plain, _, _ = answer(talker(), costs=None, max_tokens=0)
        tokens, _, _ = answer(talker(), talker(), max_tokens=0)
        assert tokens == plain
        assert len(tokens) > 50

    def test_a_prompt_is_not_read_for_the_few_tokens_that_its_window_has_left(self) -> None:
        draft = talker(context_length=24)
        answer(talker(), draft, prompt=np.resize(PROMPT, 23), costs=MIDDLING, max_tokens=40)
        assert draft.passes == []

    def test_past_the_window_of_the_draft_model(self) -> None:
        plain, _, _ = answer(talker(), costs=None, max_tokens=50)
        tokens, rounds, _ = answer(talker(), talker(context_length=20), max_tokens=50)
        assert tokens == plain
        assert Pause.OUT_OF_REACH in {state.pause for state in states(rounds)}


class TestDeciding:
    def test_where_drafts_are_right_and_cheap_they_become_long(self) -> None:
        _, rounds, done = answer(talker(), talker(), max_tokens=50)
        assert max(each.stats.accepted for each in rounds) >= 8
        assert done.stats.estimated_speedup is not None
        assert done.stats.estimated_speedup > 2.0

    def test_where_checking_is_too_dear_the_draft_model_reads_nothing_at_all(self) -> None:
        draft = talker()
        _, rounds, done = answer(talker(), draft, costs=DEAR)
        assert draft.passes == []
        assert done.stats.drafted == 0
        found = states(rounds)
        assert {state.pause for state in found} <= {Pause.TOO_DEAR, Pause.NO_ROOM}
        assert found[0].checked >= 2
        assert found[0].steps > found[0].checked, "which is why it pauses"
        assert found[0].needed is None

    def test_it_knows_whether_the_draft_model_had_a_part_in_the_answer(self) -> None:
        made: list[AutomaticSpeculation] = []
        repeats = {"seed": 1, "sight": 1}  # so that there are lookups in any case
        for costs in (DEAR, CHEAP):
            answer(talker(**repeats), talker(**repeats), costs=costs, made_with=made)
        answer(talker(**repeats), costs=CHEAP, made_with=made)
        assert [each.model_drafted for each in made] == [False, True, False]

    def test_a_model_that_is_wrong_is_given_up(self) -> None:
        _, rounds, done = answer(talker(seed=3), talker(seed=4), costs=MIDDLING, max_tokens=50)
        assert done.stats.estimated_speedup is not None
        assert done.stats.estimated_speedup > 0.93, "2.5 steps and a hundredth of some fifty"
        late = rounds[len(rounds) // 2 :]
        by_model = [each for each in late if each.stats.source is DraftSource.DRAFT_MODEL]
        assert len(by_model) < len(late) / 4
        assert Pause.TOO_OFTEN_WRONG in {state.pause for state in states(late)}

    def test_text_that_repeats_is_looked_up_without_any_draft_model(self) -> None:
        target = ToyModel(seed=1, ends=False, sight=1)  # what follows a token is always the same
        _, rounds, done = answer(target, max_tokens=50)
        assert {each.stats.source for each in rounds} == {DraftSource.NONE, DraftSource.PROMPT_LOOKUP}
        assert done.stats.accepted > 20
        assert (done.stats.looked_up, done.stats.looked_up_accepted) == (
            done.stats.tested,
            done.stats.accepted,
        )

    def test_a_lookup_goes_on_where_a_draft_ends(self) -> None:
        policy = AutomaticPolicy(Belief.in_model(copy=0.9), Belief.in_lookup())
        target, draft = (ToyModel(seed=1, ends=False, sight=1) for _ in range(2))
        seen = np.array([2, *[11] * 9, 5], np.int32)  # behind 5 the model drafts its way to what was seen
        _, rounds, _ = answer(target, draft, policy=policy, prompt=seen, max_tokens=30)
        pieces = [piece for each in rounds for piece in each.pieces if piece.from_draft]
        by_model = [each for each in rounds if each.stats.source is DraftSource.DRAFT_MODEL]
        assert any(0 < each.stats.looked_up < each.stats.tested for each in by_model)
        assert all(piece.probability is None or 0.0 <= piece.probability <= 1.0 for piece in pieces)

    def test_no_room_is_no_reason_to_think_ill_of_the_pair(self) -> None:
        _, rounds, _ = answer(talker(), talker(), max_tokens=2)
        assert states(rounds)[-1].pause is Pause.NO_ROOM


class TestWhatItTells:
    def test_the_first_round_reads_the_prompt_and_decides_nothing(self) -> None:
        _, rounds, _ = answer(talker(), talker())
        assert rounds[0].drafting is None
        assert all(each.drafting is not None for each in rounds[1:])

    def test_a_round_that_drafts_says_with_what_and_what_it_cost(self) -> None:
        _, rounds, _ = answer(talker(), talker())
        for each, state in zip(rounds[1:], states(rounds), strict=True):
            assert (state.pause is None) == (state.drafted > 0) == (each.stats.drafted > 0)
            assert state.source is (each.stats.source if state.drafted else DraftSource.NONE)
            if state.drafted:
                assert state.checked == each.stats.tested + 1
                assert state.steps == pytest.approx(each.stats.draft_s + each.stats.verify_s, rel=0.3)

    def test_an_end_that_the_model_chose_is_no_gain(self) -> None:
        lengths = []
        for seed in range(40):
            _, _, done = answer(ToyModel(seed=seed), ToyModel(seed=seed), costs=DEAR)
            if done.stats.stop_reason is StopReason.END_OF_GENERATION and done.stats.generated_tokens > 1:
                lengths.append(done.stats.generated_tokens)
                if not done.stats.tested:
                    assert done.stats.estimated_speedup == pytest.approx(1.0)
        assert len(lengths) > 5

    def test_an_answer_without_drafts_was_as_fast_as_plain(self) -> None:
        _, rounds, done = answer(talker(), talker(), costs=DEAR)
        assert done.stats.estimated_speedup == pytest.approx(1.0)
        assert states(rounds)[-1].speedup == pytest.approx(1.0)
