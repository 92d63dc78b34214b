"""Drafters: what they propose, what it costs them, and when they keep quiet."""

import numpy as np
import pytest

from app.core.options import SamplingOptions, SpeculationOptions
from app.core.stats import DraftSource
from app.engine.distribution import probability_of
from app.engine.drafting import LookupDrafter, ModelDrafter, lookup_confidence
from app.engine.sampling import Sampler
from app.engine.tokens import Tokens
from tests.fakes.toy_model import END, ToyModel, ToyTable

TABLE = ToyTable(12)


def tokens_of(*values: int) -> Tokens:
    return np.array(values, np.int32)


def drafter_of(model: ToyModel, lowest_probability: float = 0.0) -> ModelDrafter:
    sampler = Sampler(TABLE, SamplingOptions(temperature=0.0), tokens_of())
    return ModelDrafter(model, TABLE, lambda: sampler.draft_chooser(shares_noise=True), lowest_probability)


class TestModelDrafter:
    def test_it_proposes_what_its_model_would_say(self) -> None:
        model = ToyModel(seed=2, ends=False)
        draft = drafter_of(model).propose(tokens_of(1, 2, 3), 4)
        context = [1, 2, 3]
        for token in draft.tokens:
            assert token == int(model.logits_after(context).argmax())
            context.append(token)
        assert len(draft.tokens) == len(draft.probabilities) == 4
        assert draft.source is DraftSource.DRAFT_MODEL

    def test_the_last_drafted_token_is_not_read(self) -> None:
        model = ToyModel(seed=2, ends=False, batch_size=16)
        drafter_of(model).propose(tokens_of(1, 2, 3), 4)
        assert model.passes == [3, 1, 1, 1]

    def test_after_a_round_only_the_tokens_it_lacks_are_read(self) -> None:
        model = ToyModel(seed=2, ends=False, batch_size=16)
        drafter = drafter_of(model)
        first = drafter.propose(tokens_of(1, 2, 3), 3)
        model.passes.clear()
        kept = first.tokens[:1]
        drafter.propose(tokens_of(1, 2, 3, *kept, 9), 1)
        assert model.passes == [1], "the kept token was in the cache; only the recovered one is new"
        model.passes.clear()
        second = drafter.propose(tokens_of(1, 2, 3, *kept, 9), 2)
        drafter.propose(tokens_of(1, 2, 3, *kept, 9, *second.tokens, 8), 1)
        assert model.passes == [1, 1, 2], "all kept: the last drafted token and the bonus are new"

    def test_a_limit_of_nothing_only_reads(self) -> None:
        model = ToyModel(seed=2, batch_size=16)
        assert drafter_of(model).propose(tokens_of(1, 2, 3), 0).tokens == ()
        assert model.passes == [3]

    def test_it_ends_below_the_draft_probability(self) -> None:
        model = ToyModel(seed=2, ends=False)
        everything = drafter_of(model).propose(tokens_of(1, 2, 3), 8)
        weakest = min(everything.probabilities)
        position = everything.probabilities.index(weakest)
        cut = drafter_of(ToyModel(seed=2, ends=False), weakest + 1e-6).propose(tokens_of(1, 2, 3), 8)
        assert cut.tokens == everything.tokens[:position]

    def test_it_never_proposes_an_end(self) -> None:
        proposals = [drafter_of(ToyModel(seed=seed)).propose(tokens_of(1, 2, 3), 8) for seed in range(60)]
        assert all(END not in draft.tokens for draft in proposals)
        assert any(len(draft.tokens) < 8 for draft in proposals)

    def test_past_its_window_it_keeps_quiet_and_reads_nothing(self) -> None:
        model = ToyModel(seed=2, context_length=8, ends=False)
        drafter = drafter_of(model)
        assert len(drafter.propose(tokens_of(*[1] * 6), 5).tokens) == 2
        model.passes.clear()
        assert drafter.propose(tokens_of(*[1] * 9), 5).tokens == ()
        assert model.passes == []

    @pytest.mark.parametrize("size", [8, 16])
    @pytest.mark.parametrize("temperature", [0.0, 2.0])
    def test_its_vocabulary_may_be_smaller_or_larger_than_the_targets(
        self, size: int, temperature: float
    ) -> None:
        options = SamplingOptions(temperature=temperature, top_k=0, presence_penalty=0.1)
        sampler = Sampler(TABLE, options, tokens_of(11, 10))
        model = ToyModel(seed=2, vocabulary=size, sharpness=0.5, ends=False)
        drafter = ModelDrafter(model, TABLE, lambda: sampler.draft_chooser(shares_noise=True))
        for first in range(1, 8):
            draft = drafter.propose(tokens_of(first, 2, 3), 8)
            assert len(draft.tokens) == 8
            assert max(draft.tokens) < min(size, TABLE.size)
        sampler.close()

    def test_a_context_with_a_token_it_does_not_know_silences_it(self) -> None:
        model = ToyModel(seed=2, vocabulary=8)
        assert drafter_of(model).propose(tokens_of(1, 9, 3), 4).tokens == ()
        assert model.passes == []


class TestLookup:
    def propose(self, context: list[int], limit: int = 4, **options: int) -> tuple[int, ...]:
        settings = SpeculationOptions(**options)  # type: ignore[arg-type]
        return LookupDrafter(settings, TABLE).propose(tokens_of(*context), limit).tokens

    def test_it_repeats_what_followed_the_last_tokens_before(self) -> None:
        assert self.propose([1, 2, 3, 4, 5, 6, 9, 1, 2]) == (3, 4, 5, 6)

    def test_it_finds_nothing_where_nothing_repeats(self) -> None:
        assert self.propose([1, 2, 3, 4, 5, 6]) == ()

    def test_the_longest_match_wins(self) -> None:
        assert self.propose([7, 1, 2, 3, 9, 1, 2, 8, 7, 1, 2], limit=1) == (3,)

    def test_of_matches_as_long_the_most_recent_wins(self) -> None:
        assert self.propose([1, 2, 3, 9, 1, 2, 8, 9, 5, 1, 2], limit=1) == (8,)

    def test_a_match_shorter_than_the_shortest_does_not_count(self) -> None:
        context = [5, 2, 3, 4, 1, 2]
        assert self.propose(context) == ()
        assert self.propose(context, lookup_shortest=1) == (3, 4, 1, 2)

    def test_it_goes_on_with_a_period_that_reaches_the_end(self) -> None:
        assert self.propose([1, 2, 3, 1, 2, 3], limit=7) == (1, 2, 3, 1, 2, 3, 1)

    def test_it_stops_before_an_end(self) -> None:
        assert self.propose([1, 2, 3, END, 4, 1, 2]) == (3,)

    def test_a_growing_context_is_indexed_once(self) -> None:
        drafter = LookupDrafter(SpeculationOptions(), TABLE)
        context = [1, 2, 3, 4]
        drafter.propose(tokens_of(*context), 4)
        assert drafter.propose(tokens_of(*context, 9, 1, 2), 2).tokens == (3, 4)

    def test_another_context_is_indexed_anew(self) -> None:
        drafter = LookupDrafter(SpeculationOptions(), TABLE)
        drafter.propose(tokens_of(1, 2, 3, 4, 5), 4)
        assert drafter.propose(tokens_of(6, 7, 8, 9, 1, 2), 4).tokens == ()

    @pytest.mark.parametrize("seed", range(20))
    def test_the_index_agrees_with_a_search_through_the_context(self, seed: int) -> None:
        context = np.random.default_rng(seed).integers(1, 4, 60).tolist()
        drafter = LookupDrafter(SpeculationOptions(), TABLE)
        for length in range(1, len(context) + 1):
            found = drafter.propose(tokens_of(*context[:length]), 1).tokens
            assert found == _searched(context[:length])


def _searched(context: list[int]) -> tuple[int, ...]:
    """Prompt lookup by plain search: sizes 4 to 2, latest occurrence first."""
    for size in (4, 3, 2):
        tail = context[-size:]
        for start in range(len(context) - size - 1, -1, -1):
            if len(tail) == size and context[start : start + size] == tail:
                return (context[start + size],)
    return ()


def test_probabilities_are_those_of_the_softmax() -> None:
    row = np.log(np.array([0.7, 0.2, 0.1], np.float32)) + np.float32(3.0)
    assert [probability_of(row, token) for token in range(3)] == pytest.approx([0.7, 0.2, 0.1], rel=1e-5)


class TestGoingOn:
    def test_it_is_asked_after_each_token_and_told_its_probability(self) -> None:
        told: list[float] = []

        def twice(probability: float) -> bool:
            told.append(probability)
            return len(told) < 2

        draft = drafter_of(ToyModel(seed=2, ends=False)).propose(tokens_of(1, 2, 3), 8, twice)
        assert len(draft.tokens) == 2
        assert tuple(told) == draft.probabilities

    def test_what_it_missed_is_what_it_has_not_read(self) -> None:
        drafter = drafter_of(ToyModel(seed=2, ends=False))
        assert drafter.missed(tokens_of(1, 2, 3)) == 3
        drafter.propose(tokens_of(1, 2, 3), 0)
        assert drafter.missed(tokens_of(1, 2, 3, 4, 5)) == 2
        assert drafter.missed(tokens_of(1, 9, 3)) == 2

    def test_where_its_memory_cannot_go_back_it_will_have_to_read_from_a_saved_state(self) -> None:
        model = ToyModel(seed=2, ends=False, rollback_limit=2)
        drafter = drafter_of(model)
        drafter.propose(tokens_of(1, 2, 3), 0)  # saved before its last token
        model.sync(tokens_of(1, 2, 3, 4, 5, 6, 7, 8))
        for again in (tokens_of(1, 2, 3, 4, 9), tokens_of(1, 9, 9)):
            expected = drafter.missed(again)
            model.passes.clear()
            drafter.propose(again, 0)
            assert sum(model.passes) == expected

    def test_it_cannot_read_what_does_not_fit_or_what_it_does_not_know(self) -> None:
        drafter = drafter_of(ToyModel(seed=2, context_length=4))
        assert drafter.can_read(tokens_of(1, 2, 3, 4))
        assert not drafter.can_read(tokens_of(1, 2, 3, 4, 5))
        assert not drafter.can_read(tokens_of(1, 2, 12))


class TestFinding:
    def lookup(self, *context: int) -> LookupDrafter:
        drafter = LookupDrafter(SpeculationOptions(), ToyTable(100))
        drafter.propose(tokens_of(*context), 0)
        return drafter

    def test_it_says_how_far_the_two_places_agree(self) -> None:
        found = self.lookup(1, 2, 3, 4, 5, 6, 7, 50, 2, 3, 4, 5, 6).find((), 2)
        assert found.draft.tokens == (7, 50)
        assert found.agreement == 5, "further than the n-grams that are looked for"

    def test_it_goes_on_behind_tokens_that_are_only_drafted(self) -> None:
        found = self.lookup(1, 2, 3, 4, 5, 60, 1, 2).find((3, 4), 3)
        assert found.draft.tokens == (5, 60, 1)
        assert found.agreement == 4

    def test_no_token_of_a_phrase_is_surer_than_its_first(self) -> None:
        found = self.lookup(1, 2, 3, 4, 5, 1, 2).find((), 3)
        assert found.draft.tokens == (3, 4, 5)
        assert found.confidences == (lookup_confidence(2),) * 3

    def test_drafted_tokens_are_no_place_to_copy_from(self) -> None:
        assert self.lookup(1, 2).find((7, 8, 9, 7, 8), 4).draft.tokens == ()

    @pytest.mark.parametrize("limit", [0, -3])
    def test_without_room_nothing_is_found(self, limit: int) -> None:
        assert self.lookup(1, 2, 3, 1, 2).find((), limit).draft.tokens == ()

    def test_the_further_places_agree_the_surer_a_token_is(self) -> None:
        confidences = [lookup_confidence(agreement) for agreement in range(1, 40)]
        assert confidences == sorted(confidences)
        assert lookup_confidence(2) == 0.5
        assert lookup_confidence(32) == lookup_confidence(1000) < 1.0
