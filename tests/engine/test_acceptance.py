"""Each acceptance rule on hand-made logits."""

import numpy as np
import numpy.typing as npt
import pytest
from msgspec.structs import replace

from app.core.options import AcceptanceRule, SamplingOptions, SpeculationOptions
from app.core.stats import DraftSource
from app.engine.acceptance import Draft, Verdict, verify
from app.engine.distribution import Distribution
from app.engine.sampling import Sampler
from app.engine.tokens import Logits
from tests.fakes.toy_model import ToyTable

GREEDY = SamplingOptions(temperature=0.0)
UNFILTERED = SamplingOptions(temperature=1.0, top_k=0, top_p=1.0, min_p=0.0)
TABLE = ToyTable(4)
NOTHING = np.zeros(0, np.int32)

Floats = npt.NDArray[np.float64]


def rows(*probabilities: list[float]) -> Logits:
    return np.log(np.array(probabilities, np.float32))


def draft(*tokens: int, probabilities: tuple[float, ...] = ()) -> Draft:
    return Draft(DraftSource.DRAFT_MODEL, tokens, probabilities, (None,) * len(tokens))


def judged(
    target: Logits, proposed: Draft, rule: AcceptanceRule = AcceptanceRule.MATCH, **limits: float | int
) -> Verdict:
    options = SpeculationOptions(acceptance=rule, **limits)  # type: ignore[arg-type]
    return verify(Sampler(TABLE, GREEDY, NOTHING), target, proposed, options)


TARGET = rows([0.1, 0.6, 0.2, 0.1], [0.1, 0.1, 0.7, 0.1], [0.1, 0.1, 0.2, 0.6])  # likeliest: 1, 2, 3


class TestMatch:
    def test_all_right_keeps_all_and_adds_the_bonus(self) -> None:
        assert judged(TARGET, draft(1, 2)) == Verdict(2, 3)

    def test_the_first_wrong_token_is_replaced_and_ends_the_round(self) -> None:
        assert judged(TARGET, draft(1, 3)) == Verdict(1, 2)
        assert judged(TARGET, draft(2, 2)) == Verdict(0, 1)

    def test_without_a_draft_the_target_goes_on_alone(self) -> None:
        assert judged(TARGET[:1], Draft(DraftSource.NONE)) == Verdict(0, 1)

    def test_the_sampler_advances_by_what_was_emitted_and_no_more(self) -> None:
        sampler = Sampler(TABLE, GREEDY, NOTHING)
        verify(sampler, TARGET, draft(1, 3), SpeculationOptions())
        assert sampler.step == 2

    def test_penalties_hold_inside_a_draft(self) -> None:
        options = SamplingOptions(temperature=0.0, frequency_penalty=5.0)
        sampler = Sampler(TABLE, options, NOTHING)
        same = rows([0.1, 0.6, 0.2, 0.1], [0.1, 0.6, 0.2, 0.1])
        verdict = verify(sampler, same, draft(1), SpeculationOptions())
        assert verdict == Verdict(1, 2), "token 1 is penalised once it is part of the text"


class TestRulesThatChangeTheOutput:
    @pytest.mark.parametrize("rule", [rule for rule in AcceptanceRule if rule.changes_output])
    def test_they_say_so(self, rule: AcceptanceRule) -> None:
        assert rule in (AcceptanceRule.DIFFERENCE, AcceptanceRule.RATIO, AcceptanceRule.TOP_K)

    def test_difference_keeps_where_the_probabilities_are_near(self) -> None:
        near = draft(2, probabilities=(0.3,))  # the target gives it 0.2
        far = draft(2, probabilities=(0.6,))
        rule = AcceptanceRule.DIFFERENCE
        assert judged(TARGET[:2], near, rule, difference_limit=0.15) == Verdict(1, 2)
        assert judged(TARGET[:2], far, rule, difference_limit=0.15) == Verdict(0, 1)

    def test_ratio_keeps_where_the_target_is_nearly_as_sure(self) -> None:
        proposed = draft(2, probabilities=(0.4,))  # p / q = 0.5
        assert judged(TARGET[:2], proposed, AcceptanceRule.RATIO, ratio_limit=0.45) == Verdict(1, 2)
        assert judged(TARGET[:2], proposed, AcceptanceRule.RATIO, ratio_limit=0.55) == Verdict(0, 1)

    def test_top_k_keeps_what_is_among_the_targets_likeliest(self) -> None:
        assert judged(TARGET[:2], draft(2), AcceptanceRule.TOP_K, top_k_limit=2) == Verdict(1, 2)
        assert judged(TARGET[:2], draft(2), AcceptanceRule.TOP_K, top_k_limit=1) == Verdict(0, 1)

    @pytest.mark.parametrize("rule", [rule for rule in AcceptanceRule if rule.changes_output])
    def test_none_lets_a_token_through_that_the_filters_took_out(self, rule: AcceptanceRule) -> None:
        sampler = Sampler(TABLE, replace(UNFILTERED, top_k=1), NOTHING)
        options = SpeculationOptions(acceptance=rule, difference_limit=1.0, ratio_limit=0.001, top_k_limit=9)
        assert verify(sampler, TARGET[:2], draft(2, probabilities=(0.2,)), options) == Verdict(0, 1)


class TestRejectionSampling:
    def test_greedy_it_is_sample_and_match(self) -> None:
        assert judged(TARGET, draft(1, 2), AcceptanceRule.REJECTION) == Verdict(2, 3)
        assert judged(TARGET, draft(1, 3), AcceptanceRule.REJECTION) == Verdict(1, 2)

    @pytest.mark.parametrize(
        "q", [[0.7, 0.1, 0.1, 0.1], [0.25, 0.25, 0.25, 0.25], [0.0, 0.0, 0.5, 0.5], [0.1, 0.4, 0.3, 0.2]]
    )
    def test_the_emitted_token_has_the_targets_distribution_whatever_the_drafts_is(
        self, q: list[float]
    ) -> None:
        p = np.array([0.1, 0.4, 0.3, 0.2])
        counts = self._drawn(p, np.array(q))
        total = counts.sum()
        assert ((counts - total * p) ** 2 / (total * p)).sum() < 21.1  # chi-square, 3 degrees: p < 0.0001

    def test_an_undistributed_draft_counts_as_certain(self) -> None:
        p = np.array([0.1, 0.4, 0.3, 0.2])
        counts = self._drawn(p, None)
        total = counts.sum()
        assert ((counts - total * p) ** 2 / (total * p)).sum() < 21.1

    def _drawn(self, p: Floats, q: Floats | None) -> Floats:
        target = np.log(np.array([p, p], np.float32))
        options = SpeculationOptions(acceptance=AcceptanceRule.REJECTION)
        counts = np.zeros(len(p))
        generator = np.random.default_rng(0)
        for seed in range(3000):
            token = 1 if q is None else int(generator.choice(len(q), p=q))
            source = None if q is None else Distribution(np.arange(len(q), dtype=np.int32), q)
            proposed = Draft(DraftSource.DRAFT_MODEL, (token,), (), (source,))
            sampler = Sampler(TABLE, replace(UNFILTERED, seed=seed), NOTHING)
            verdict = verify(sampler, target, proposed, options)
            counts[token if verdict.accepted else verdict.next_token] += 1
            sampler.close()
        return counts
