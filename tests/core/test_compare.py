"""Comparisons: figures and identity."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from app.core.compare import experiment_of, summarise, totals
from app.core.deviations import deviations
from app.core.experiment import (
    Experiment,
    ExperimentKind,
    FirstDifference,
    Interval,
    MemoryUse,
    Plan,
    Run,
    Spread,
    Variant,
)
from app.core.options import GenerationLimits, LoadOptions, SamplingOptions
from app.core.weighing import Weighing
from tests.fakes.experiments import CODE, DRAFTED, LOOKUP, MACHINE, OFF, TARGET, run_of

ALL = (OFF, DRAFTED, LOOKUP)
ANSWER = (100, 101, 102, 103)


def run(
    variant: Variant,
    rate: float | None = 10.0,
    *,
    prompt: str = "p",
    repeat: int = 0,
    tokens: tuple[int, ...] = ANSWER,
    **figures: object,
) -> Run:
    """A run whose figures can be followed by hand: those of four plain tokens, but for what is given."""
    made = run_of(OFF, rate or 1.0, prompt=prompt, repeat=repeat, tokens=ANSWER)
    stats = replace(made.stats, tok_per_s=rate, **figures)
    return replace(made, variant=variant.id, tokens=tokens, stats=stats)


class TestSummary:
    def test_medians_and_their_ratio(self) -> None:
        runs = [run(OFF, rate, repeat=i) for i, rate in enumerate((8.0, 8.4, 7.0))]
        runs += [run(DRAFTED, rate, repeat=i) for i, rate in enumerate((15.0, 17.0, 16.0, 20.0))]
        off, draft = summarise(runs, ALL)
        assert (off.variant, off.runs, off.tok_per_s, off.speedup) == ("off", 3, Spread(8.0, 7.0, 8.4), 1.0)
        assert (draft.variant, draft.runs, draft.tok_per_s) == ("draft", 4, Spread(16.5, 15.0, 20.0))
        assert draft.speedup == 2.0625

    def test_the_interval_is_there_from_three_runs_on_and_not_for_the_reference(self) -> None:
        first = [run(OFF, 8.0), run(DRAFTED, 16.0)]
        assert [each.speedup_interval for each in summarise(first, ALL)] == [None, None]
        both = [*first, run(OFF, 10.0, repeat=1), run(DRAFTED, 20.0, repeat=1)]
        assert [each.speedup_interval for each in summarise(both, ALL)] == [None, None]
        all_three = [*both, run(OFF, 9.0, repeat=2), run(DRAFTED, 18.0, repeat=2)]
        assert [each.speedup_interval for each in summarise(all_three, ALL)] == [None, Interval(1.6, 2.5)]

    def test_while_it_still_runs_the_intervals_can_be_left_out(self) -> None:
        runs = [run(variant, repeat=repeat) for variant in (OFF, DRAFTED) for repeat in range(3)]
        quick = summarise(runs, ALL, intervals=False)
        whole = summarise(runs, ALL)
        assert [each.speedup_interval for each in quick] == [None, None]
        assert quick == tuple(replace(each, speedup_interval=None) for each in whole)
        assert whole[1].speedup_interval is not None

    def test_a_comparison_stopped_between_two_runs_keeps_what_it_has(self) -> None:
        runs = [run(OFF, 8.0), run(DRAFTED, 16.0), run(DRAFTED, 18.0, repeat=1)]
        off, draft = summarise(runs, ALL)
        assert (off.runs, draft.runs, draft.speedup, draft.speedup_interval) == (1, 2, 2.125, None)

    def test_runs_without_a_rate_are_left_out_of_the_speed(self) -> None:
        off, draft = summarise([run(OFF, None), run(DRAFTED, 12.0), run(DRAFTED, None, repeat=1)], ALL)
        assert (off.tok_per_s, off.speedup) == (None, None)
        assert (draft.tok_per_s, draft.speedup) == (Spread(12.0, 12.0, 12.0), None)
        assert draft.speedup_interval is None

    def test_an_answer_of_one_token_has_no_speed_and_can_be_identical(self) -> None:
        one = [run_of(variant, tokens=(100,)) for variant in (OFF, DRAFTED)]
        off, draft = summarise(one, ALL)
        assert (off.tok_per_s, draft.tok_per_s, draft.speedup) == (None, None, None)
        assert (draft.generated_tokens, draft.identical) == (1, True)
        assert draft.time_to_first_token_s == pytest.approx(0.3)

    def test_an_answer_without_a_token_has_no_first_one(self) -> None:
        (off,) = summarise([run_of(OFF, tokens=())], ALL)
        assert (off.generated_tokens, off.time_to_first_token_s) == (0, None)

    def test_without_the_reference_there_is_neither_speedup_nor_identity(self) -> None:
        (draft,) = summarise([run(DRAFTED)], ALL)
        assert (draft.speedup, draft.identical, draft.first_difference) == (None, None, None)

    def test_counts_are_added_before_they_are_divided(self) -> None:
        first = run(DRAFTED, rounds=2, tested=4, accepted=4)
        second = run(DRAFTED, rounds=8, tested=16, accepted=2, repeat=1)
        (draft,) = summarise([first, second], ALL)
        assert (draft.tested, draft.accepted) == (20, 6)
        assert draft.acceptance_rate == 6 / 20
        assert draft.share_from_draft == 6 / 8
        assert draft.mean_accepted_length == 1 + 6 / 10

    def test_positions_are_added_whatever_their_number(self) -> None:
        short = run(DRAFTED, tested_by_position=(3, 1), accepted_by_position=(2, 0))
        long = run(DRAFTED, tested_by_position=(5, 4, 2), accepted_by_position=(4, 2, 1), repeat=1)
        (draft,) = summarise([short, long], ALL)
        assert draft.tested_by_position == (8, 5, 2)
        assert draft.accepted_by_position == (6, 2, 1)

    def test_times_are_added_and_memory_is_the_most(self) -> None:
        one = run(DRAFTED, draft_s=0.5, verify_s=2.0, sample_s=0.25, peak_rss_bytes=10)
        two = run(DRAFTED, draft_s=0.25, verify_s=1.0, sample_s=0.5, peak_rss_bytes=30, repeat=1)
        (draft,) = summarise([one, two], ALL)
        assert (draft.draft_s, draft.verify_s, draft.sample_s) == (0.75, 3.0, 0.75)
        assert draft.peak_rss_bytes == 30

    def test_rates_without_drafts_or_rounds_are_none(self) -> None:
        off, draft = summarise([run(OFF), run(DRAFTED, rounds=0)], ALL)
        assert off.acceptance_rate is None
        assert off.share_from_draft == 0
        assert draft.mean_accepted_length is None

    def test_one_run_that_differs_makes_the_variant_differ(self) -> None:
        same, other = run(DRAFTED), run(DRAFTED, repeat=1, tokens=(100, 101, 9))
        off, draft = summarise([run(OFF), run(OFF, repeat=1), same, other], ALL)
        assert (off.identical, off.repeats_differ) == (True, False)
        assert (draft.identical, draft.repeats_differ) == (False, True)
        assert draft.first_difference == FirstDifference(2, 102, 9)

    def test_a_reference_that_disagrees_with_itself_is_reported(self) -> None:
        off, draft = summarise([run(OFF), run(OFF, repeat=1, tokens=(100,)), run(DRAFTED)], ALL)
        assert (off.identical, off.repeats_differ) == (False, True)
        assert off.first_difference == FirstDifference(1, 101, None)
        assert (draft.identical, draft.repeats_differ) == (True, False)

    def test_differences_that_were_explained_are_kept(self) -> None:
        runs = [run(OFF), run(DRAFTED), run(LOOKUP, tokens=(100, 1))]
        explained = {
            place: each.difference.weighed(Weighing((2.0, 1.9), (" a", " b"), 4, 0.1))
            for place, each in deviations(runs, ALL).items()
        }
        found = summarise(runs, ALL, explained)[2].first_difference
        assert found == FirstDifference(1, 101, 1, " a", " b", 2.0, 1.9, True, 4, 0.1)

    def test_prompts_stand_by_first_appearance_and_variants_as_planned(self) -> None:
        runs = [
            run(DRAFTED, prompt="q", tokens=(1,)),
            run(OFF, prompt="q"),
            run(DRAFTED, prompt="p"),
            run(OFF, prompt="p"),
        ]
        found = [(each.prompt, each.variant, each.identical) for each in summarise(runs, ALL)]
        assert found == [("q", "off", True), ("q", "draft", False), ("p", "off", True), ("p", "draft", True)]

    def test_no_runs_give_no_summaries(self) -> None:
        assert summarise([], ALL) == ()
        assert totals([], []) == ()

    @given(
        st.lists(
            st.builds(
                run,
                st.sampled_from(ALL),
                st.none() | st.floats(0.1, 1000.0),
                prompt=st.sampled_from("pq"),
                repeat=st.integers(0, 2),
                tokens=st.lists(st.integers(0, 1), max_size=3).map(tuple),
            ),
            max_size=8,
        )
    )
    def test_identity_and_speed_hold_together_for_any_runs(self, runs: list[Run]) -> None:
        summaries = summarise(runs, ALL)
        assert sum(summary.runs for summary in summaries) == len(runs)
        for summary in summaries:
            of_prompt = [each for each in runs if each.prompt == summary.prompt]
            reference = next((each for each in of_prompt if each.variant == "off"), None)
            own = [each for each in of_prompt if each.variant == summary.variant]
            if reference is None:
                assert (summary.identical, summary.speedup) == (None, None)
            else:
                assert summary.identical == all(each.tokens == reference.tokens for each in own)
                assert (summary.first_difference is None) == summary.identical
            if summary.tok_per_s is not None:
                assert summary.tok_per_s.min <= summary.tok_per_s.median <= summary.tok_per_s.max


class TestTotals:
    def test_the_speed_up_is_a_geometric_mean(self) -> None:
        runs = [
            run(OFF, 10.0, prompt="p"),
            run(DRAFTED, 40.0, prompt="p", rounds=1, tested=3, accepted=3, peak_rss_bytes=3000),
            run(OFF, 10.0, prompt="q"),
            run(DRAFTED, 10.0, prompt="q", rounds=3, tested=9, accepted=0, peak_rss_bytes=2000),
            run(DRAFTED, None, prompt="r", rounds=0, peak_rss_bytes=0),
        ]
        off, draft = totals(runs, summarise(runs, ALL))
        assert off.speedup == pytest.approx(1.0)
        assert off.identical is True
        assert (draft.variant, draft.prompts, draft.peak_rss_bytes) == ("draft", 3, 3000)
        assert draft.speedup == pytest.approx(2.0)  # the root of 4 x 1
        assert draft.acceptance_rate == 3 / 12
        assert draft.share_from_draft == 3 / 12
        assert draft.mean_accepted_length == 1 + 3 / 4
        assert draft.identical is None  # nothing to compare the third prompt with

    def test_one_prompt_that_differs_makes_the_total_differ(self) -> None:
        runs = [run(OFF, prompt="p"), run(DRAFTED, prompt="p", tokens=(1,)), run(DRAFTED, prompt="q")]
        assert totals(runs, summarise(runs, ALL))[1].identical is False

    def test_a_variant_without_any_speed_has_no_speed_up(self) -> None:
        runs = [run(OFF), run(DRAFTED, None)]
        assert totals(runs, summarise(runs, ALL))[1].speedup is None


class TestExperiment:
    PLAN = Plan(ExperimentKind.PROMPT, (OFF, DRAFTED), (CODE,), 2, SamplingOptions(), GenerationLimits())

    def made(self, runs: list[Run], **differences: FirstDifference) -> Experiment:
        places = {(variant, CODE.id): each for variant, each in differences.items()}
        return experiment_of(
            self.PLAN,
            runs,
            places,
            created=1.0,
            machine=MACHINE,
            target=TARGET,
            load=LoadOptions(),
            memory=MemoryUse(10, {"draft": 2}),
        )

    def test_it_is_complete_with_the_last_of_the_planned_runs(self) -> None:
        runs = [
            run(variant, prompt=CODE.id, repeat=repeat) for repeat in range(2) for variant in (OFF, DRAFTED)
        ]
        assert self.made(runs).is_complete
        assert not self.made(runs[:3]).is_complete

    def test_its_peak_is_that_of_the_run_that_took_most(self) -> None:
        runs = [
            run(OFF, prompt=CODE.id, peak_rss_bytes=900),
            run(DRAFTED, prompt=CODE.id, peak_rss_bytes=1100),
            run(OFF, prompt=CODE.id, repeat=1, peak_rss_bytes=1000),
        ]
        assert self.made(runs).memory == MemoryUse(10, {"draft": 2}, 1100)

    def test_differences_are_there_weighed_or_not(self) -> None:
        runs = [run(OFF, prompt=CODE.id), run(DRAFTED, prompt=CODE.id, tokens=(100, 9))]
        bare = FirstDifference(1, 101, 9)
        weighed = bare.weighed(Weighing((2.0, 1.9), (" a", " b"), 4, 0.1))

        assert [each.first_difference for each in self.made(runs).summary] == [None, bare]
        assert self.made(runs, draft=weighed).summary[1].first_difference == weighed
