"""Drafts of a length that the person chose, and what they gain where that can be told."""

import numpy as np
import pytest

from app.core.drafting_state import DraftingState
from app.core.options import DraftLength, SpeculationMode, SpeculationOptions
from app.core.pass_costs import PassCosts
from app.core.stats import DraftSource
from app.engine.acceptance import Draft, Verdict
from app.engine.fixed import FixedSpeculation
from app.engine.policy import FixedPolicy
from app.engine.running_costs import RunningCosts
from app.engine.speculating import CheckedRound, Room
from app.engine.tokens import Tokens

CONTEXT = np.arange(4, dtype=np.int32)
COSTS = PassCosts((1, 4, 17), (1.0, 1.3, 5.0), draft_s=0.2, context_tokens=len(CONTEXT))


class Parrot:
    """Drafts so many tokens at most, and keeps what it hears."""

    def __init__(self, most: int) -> None:
        self._most = most
        self.heard: list[Verdict] = []

    def propose(self, context: Tokens, limit: int) -> Draft:
        count = min(limit, self._most)
        source = DraftSource.DRAFT_MODEL if count else DraftSource.NONE
        return Draft(source, (7,) * count, (0.5,) * count)

    def observe(self, draft: Draft, verdict: Verdict) -> None:
        self.heard.append(verdict)


class Bench:
    def __init__(self, drafts: int, least: int = 0, costs: RunningCosts | None = None) -> None:
        options = SpeculationOptions(
            SpeculationMode.DRAFT_MODEL, DraftLength.FIXED, max_draft_tokens=3, min_draft_tokens=least
        )
        self.drafter = Parrot(drafts)
        self.speculation = FixedSpeculation(self.drafter, FixedPolicy(options, 16), options, costs)

    def round(self, accepted: int, draft_s: float, check_s: float) -> DraftingState | None:
        proposal = self.speculation.propose(CONTEXT, Room(50, 50))
        verdict = Verdict(accepted, 9)
        return self.speculation.observe(
            CheckedRound(proposal, verdict, accepted + 1, len(CONTEXT), draft_s, check_s)
        )


@pytest.fixture
def costs() -> RunningCosts:
    return RunningCosts(COSTS, 16, 0.0)


def test_a_round_is_told_in_plain_steps(costs: RunningCosts) -> None:
    bench = Bench(drafts=5, costs=costs)
    state = bench.round(accepted=3, draft_s=0.6, check_s=1.3)

    assert state is not None
    assert (state.source, state.drafted, state.checked) == (DraftSource.DRAFT_MODEL, 3, 4)
    assert state.steps == pytest.approx(1.9)
    assert state.pause is None, "nothing is decided"
    assert state.speedup == pytest.approx(4 / 1.9)
    assert bench.speculation.plain_s == pytest.approx(4.0)
    assert bench.drafter.heard == [Verdict(3, 9)]


def test_what_guesses_that_are_wrong_lose_is_told_as_well(costs: RunningCosts) -> None:
    state = Bench(drafts=5, costs=costs).round(accepted=0, draft_s=0.6, check_s=1.3)
    assert state is not None
    assert state.speedup == pytest.approx(1 / 1.9)


def test_a_round_without_a_draft_took_what_it_took(costs: RunningCosts) -> None:
    bench = Bench(drafts=0, costs=costs)
    state = bench.round(accepted=0, draft_s=0.0, check_s=1.1)

    assert state is not None
    assert (state.source, state.drafted, state.speedup) == (DraftSource.NONE, 0, 1.0)
    assert bench.speculation.plain_s == 1.1
    assert bench.drafter.heard == []


def test_a_draft_that_is_too_short_to_be_verified_has_cost_its_time(costs: RunningCosts) -> None:
    state = Bench(drafts=2, least=3, costs=costs).round(accepted=0, draft_s=0.4, check_s=1.0)

    assert state is not None
    assert (state.drafted, state.checked) == (2, 1)
    assert state.speedup == pytest.approx(1 / 1.4)


def test_a_busy_machine_makes_plain_steps_as_slow_as_all_else(costs: RunningCosts) -> None:
    bench = Bench(drafts=3, costs=costs)
    state = bench.round(accepted=3, draft_s=1.2, check_s=2.6)

    assert state is not None
    assert state.speedup == pytest.approx(4 / 1.9), "twice as slow, and so would plain steps be"
    assert state.steps == pytest.approx(1.9)
    assert costs.round(len(CONTEXT), 0, 1).plain_s == 1.0, "what an automatic length goes by is left alone"


def test_where_costs_are_not_known_nothing_is_told() -> None:
    bench = Bench(drafts=3)
    assert bench.round(accepted=3, draft_s=0.6, check_s=1.3) is None
    assert bench.speculation.plain_s is None
    assert bench.drafter.heard == [Verdict(3, 9)]
