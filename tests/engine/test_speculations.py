"""What an answer needs of speculation, and what it adds to the record of its pair."""

import pytest
from msgspec.structs import replace

from app.core.learnt import Learnt
from app.core.options import AcceptanceRule, SpeculationOptions
from app.core.pair_record import AnsweredSpeedup, PairRecord
from app.core.pass_costs import PassCosts
from app.core.protocol import Done
from app.core.stats import GenerationStats, StatsRecorder, StopReason
from app.engine.automatic import AutomaticSpeculation
from app.engine.automatic_policy import AutomaticPolicy
from app.engine.automatic_round import Experience
from app.engine.belief import Belief
from app.engine.drafting import LookupDrafter
from app.engine.running_costs import RunningCosts
from app.engine.speculations import LearningSpeculation, experience_of, likelihood_of_copy
from app.models.info import ModelInfo
from tests.fakes.local_models import local_model
from tests.fakes.toy_model import ToyTable

TARGET_INFO = local_model().info
COSTS = PassCosts((1, 2, 17), (0.1, 0.12, 0.3), draft_s=0.02, context_tokens=4)


def learning(
    belief: Belief | None = None,
    running: RunningCosts | None = None,
    *,
    draws: bool = False,
    rule: AcceptanceRule = AcceptanceRule.MATCH,
) -> LearningSpeculation:
    running = running or RunningCosts(COSTS, 16, 1e-6)
    policy = AutomaticPolicy(belief, Belief.in_lookup())
    options = SpeculationOptions(acceptance=rule)
    made = AutomaticSpeculation(None, LookupDrafter(options, ToyTable(12)), policy, running, options, 16)
    return LearningSpeculation(made, belief, running, draws=draws)


def done(tokens: int = 100, decode_s: float = 5.0, plain_s: float | None = 8.0) -> Done:
    empty: GenerationStats = StatsRecorder(0.0, 23).finish(StopReason.MAX_TOKENS, 0)
    return Done((), replace(empty, generated_tokens=tokens, decode_s=decode_s, plain_s=plain_s))


def with_answers(*speedups: float) -> PairRecord:
    return PairRecord(answers=tuple(AnsweredSpeedup(each, 100, 20) for each in speedups))


class TestAfterAnAnswer:
    def test_the_speed_up_is_kept(self) -> None:
        record = learning().added_to(PairRecord(COSTS), done())
        assert record.answers == (AnsweredSpeedup(1.6, 100, 23, model_drafted=False),)

    def test_that_of_a_short_answer_says_too_little(self) -> None:
        assert learning().added_to(PairRecord(COSTS), done(tokens=15)).answers == ()

    def test_without_an_estimate_there_is_none(self) -> None:
        assert learning().added_to(PairRecord(COSTS), done(plain_s=None)).answers == ()

    def test_what_was_learnt_of_the_draft_model_is_kept(self) -> None:
        belief = Belief.in_model()
        belief.drafted([0.5, 0.5])
        belief.observe([0.5, 0.5], 2)
        record = learning(belief).added_to(PairRecord(COSTS), done())
        assert record.learnt == Learnt(belief.learnt)

    def test_what_drawn_tokens_showed_is_kept_beside_what_the_likeliest_did(self) -> None:
        greedy, drawn = Belief.in_model(), Belief.in_model()
        greedy.drafted([0.9, 0.5])
        greedy.observe([0.9, 0.5], 2)
        drawn.drafted([0.5, 0.5])
        drawn.observe([0.5, 0.5], 0)
        record = learning(greedy).added_to(PairRecord(COSTS), done())
        record = learning(drawn, draws=True).added_to(record, done())
        assert record.learnt == Learnt(greedy.learnt, drawn.learnt)

    def test_an_answer_without_the_draft_model_leaves_what_was_learnt_alone(self) -> None:
        belief = Belief.in_model()
        belief.drafted([0.5, 0.5])
        belief.observe([0.5, 0.5], 2)
        known = PairRecord(COSTS, Learnt(belief.learnt))
        record = learning(Belief.in_model(belief.learnt)).added_to(known, done())
        assert record.learnt == known.learnt

    def test_what_other_rules_keep_says_nothing_of_what_the_target_draws(self) -> None:
        belief = Belief.in_model()
        belief.drafted([0.5, 0.5])
        belief.observe([0.5, 0.5], 2)
        record = learning(belief, rule=AcceptanceRule.TOP_K).added_to(PairRecord(COSTS), done())
        assert record.learnt == Learnt()
        assert record.answers == ()
        assert record.costs is not None

    def test_a_lookup_leaves_what_was_learnt_alone(self) -> None:
        known = PairRecord(COSTS, Learnt(Belief.in_model().learnt))
        assert learning().added_to(known, done()).learnt == known.learnt

    def test_how_passes_grow_is_kept_with_their_costs(self) -> None:
        record = learning().added_to(PairRecord(COSTS), done())
        assert record.costs == replace(COSTS, growth_s=1e-6)

    def test_costs_that_turned_out_otherwise_are_dropped(self) -> None:
        running = RunningCosts(COSTS, 16, 0.0)
        for _ in range(30):
            running.observe_check(1, 4, 0.02)
        assert learning(running=running).added_to(PairRecord(COSTS), done()).costs is None


class TestLikelihoodOfCopy:
    @pytest.mark.parametrize(
        ("draft", "likelihood"),
        [
            (replace(TARGET_INFO, quantisation="Q2_K"), 0.95),
            (replace(TARGET_INFO, name="Another training"), 0.8),
            (replace(TARGET_INFO, name=None), 0.8),
            (replace(TARGET_INFO, parameters=TARGET_INFO.parameters // 3), 0.2),
        ],
    )
    def test_files_of_one_size_are_mostly_one_model(self, draft: ModelInfo, likelihood: float) -> None:
        assert likelihood_of_copy(TARGET_INFO, draft) == likelihood


class TestExperience:
    @pytest.mark.parametrize(
        ("speedups", "experience"),
        [
            ((), Experience.NONE),
            ((1.8,), Experience.NONE),
            ((1.8, 1.6), Experience.GAINED),
            ((1.8, 1.0, 1.3), Experience.MIXED),
            ((1.8, 1.0, 1.3, 1.6), Experience.GAINED),
            ((1.8, 1.0, 1.3, 1.6, 1.0), Experience.MIXED),
            ((1.0, 0.99, 1.3), Experience.DID_NOT_GAIN),
            ((1.04, 1.04), Experience.DID_NOT_GAIN),
        ],
    )
    def test_it_is_what_the_latest_answers_showed(
        self, speedups: tuple[float, ...], experience: Experience
    ) -> None:
        assert experience_of(with_answers(*speedups)) is experience

    def test_answers_without_the_draft_model_are_none(self) -> None:
        plain = tuple(AnsweredSpeedup(1.0, 100, 20, model_drafted=False) for _ in range(9))
        long = tuple(AnsweredSpeedup(1.0, 100, 20, model_drafted=False) for _ in range(12))
        gained = with_answers(1.8, 1.6).answers
        assert experience_of(PairRecord(answers=plain)) is Experience.NONE
        assert experience_of(PairRecord(answers=plain), is_copy=True) is Experience.LIKELY
        assert experience_of(PairRecord(answers=gained + plain)) is Experience.GAINED
        assert experience_of(PairRecord(answers=with_answers(1.0, 1.0).answers + long)) is Experience.NONE, (
            "a pair that began badly is tried again"
        )

    def test_before_the_first_answers_a_copy_of_the_target_is_expected_to_gain(self) -> None:
        assert experience_of(with_answers(), is_copy=True) is Experience.LIKELY
        assert experience_of(with_answers(1.0, 1.0), is_copy=True) is Experience.DID_NOT_GAIN
