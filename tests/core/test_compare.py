"""On/off experiments: order, figures, identity."""

import json
from collections import Counter

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.compare import (
    NEAR_TIE,
    Experiment,
    FirstDifference,
    MemoryUse,
    Mode,
    PlannedRun,
    Run,
    Spread,
    Summary,
    first_difference,
    schedule,
    summarise,
    to_json,
    totals,
)
from app.core.errors import OptionsError
from app.core.machine import Machine
from app.core.stats import GenerationStats, StopReason

OFF, DRAFT, LOOKUP = Mode.OFF, Mode.DRAFT, Mode.LOOKUP
ANSWER = (5, 6, 7, 8)


def stats(
    tok_per_s: float | None = 10.0, rounds: int = 4, tested: int = 0, accepted: int = 0, peak: int = 1000
) -> GenerationStats:
    return GenerationStats(
        generated_tokens=4,
        prompt_tokens=9,
        cached_prompt_tokens=0,
        prompt_s=0.1,
        time_to_first_token_s=0.1,
        decode_s=0.3,
        tok_per_s=tok_per_s,
        rounds=rounds,
        drafted=tested,
        tested=tested,
        ignored=0,
        accepted=accepted,
        accepted_by_position=(accepted,),
        tested_by_position=(tested,),
        acceptance_rate=None,
        share_from_draft=None,
        mean_accepted_length=None,
        draft_s=0.0,
        verify_s=0.3,
        sample_s=0.0,
        peak_rss_bytes=peak,
        stop_reason=StopReason.MAX_TOKENS,
    )


def run(
    mode: Mode,
    measured: GenerationStats | None = None,
    *,
    prompt: str = "p",
    repeat: int = 0,
    tokens: tuple[int, ...] = ANSWER,
) -> Run:
    return Run(mode, prompt, repeat, tokens, "text", measured or stats())


def test_two_modes_run_a_b_b_a() -> None:
    order = [planned.mode for planned in schedule([OFF, DRAFT], ["p"], 4)]
    assert order == [OFF, DRAFT, DRAFT, OFF, OFF, DRAFT, DRAFT, OFF]


def test_three_modes_run_a_b_c_c_b_a() -> None:
    planned = schedule([OFF, DRAFT, LOOKUP], ["p"], 2)
    assert planned == [
        PlannedRun(OFF, "p", 0),
        PlannedRun(DRAFT, "p", 0),
        PlannedRun(LOOKUP, "p", 0),
        PlannedRun(LOOKUP, "p", 1),
        PlannedRun(DRAFT, "p", 1),
        PlannedRun(OFF, "p", 1),
    ]


def test_a_single_repeat_is_balanced_over_the_prompts() -> None:
    order = [(planned.prompt, planned.mode) for planned in schedule([OFF, DRAFT], ["p", "q"], 1)]
    assert order == [("p", OFF), ("p", DRAFT), ("q", DRAFT), ("q", OFF)]


@given(
    modes=st.lists(st.sampled_from(Mode), min_size=1, unique=True),
    prompts=st.lists(st.text("abc", min_size=1), min_size=1, max_size=4, unique=True),
    repeats=st.integers(1, 5),
)
def test_every_run_is_planned_once_and_even_passes_cancel_a_steady_drift(
    modes: list[Mode], prompts: list[str], repeats: int
) -> None:
    planned = schedule(modes, prompts, repeats)
    expected = {(mode, prompt, repeat) for mode in modes for prompt in prompts for repeat in range(repeats)}
    assert Counter((each.mode, each.prompt, each.repeat) for each in planned) == Counter(expected)
    if (repeats * len(prompts)) % 2 == 0:
        moments = Counter[Mode]()
        for moment, each in enumerate(planned):
            moments[each.mode] += moment
        assert len(set(moments.values())) == 1  # the same mean moment for all


@pytest.mark.parametrize(
    ("modes", "prompts", "repeats", "words"),
    [
        ([OFF], ["p"], 0, "repeats must be at least 1"),
        ([], ["p"], 1, "at least one mode"),
        ([OFF], [], 1, "at least one prompt"),
        ([OFF, OFF], ["p"], 1, "mode is named twice"),
        ([OFF], ["p", "p"], 1, "prompt is named twice"),
    ],
)
def test_a_plan_that_makes_no_sense_is_refused(
    modes: list[Mode], prompts: list[str], repeats: int, words: str
) -> None:
    with pytest.raises(OptionsError, match=words):
        schedule(modes, prompts, repeats)


@pytest.mark.parametrize(
    ("expected", "found", "difference"),
    [
        ((), (), None),
        ((1, 2), (1, 2), None),
        ((1, 2, 3), (1, 9, 3), FirstDifference(1, 2, 9)),
        ((1, 2), (1,), FirstDifference(1, 2, None)),
        ((1,), (1, 2, 3), FirstDifference(1, None, 2)),
        ((4,), (5,), FirstDifference(0, 4, 5)),
    ],
)
def test_the_first_difference_is_found(
    expected: tuple[int, ...], found: tuple[int, ...], difference: FirstDifference | None
) -> None:
    assert first_difference(expected, found) == difference


@given(st.lists(st.integers(0, 2), max_size=6), st.lists(st.integers(0, 2), max_size=6))
def test_before_the_first_difference_all_is_equal(one: list[int], other: list[int]) -> None:
    difference = first_difference(one, other)
    if difference is None:
        assert one == other
    else:
        assert one[: difference.position] == other[: difference.position]
        assert one[difference.position : difference.position + 1] == (
            [] if difference.expected is None else [difference.expected]
        )
        assert difference.expected != difference.found


def test_logits_that_are_close_are_a_near_tie() -> None:
    bare = FirstDifference(3, 10, 20)
    assert bare.near_tie is None
    assert bare.with_logits(14.2, 14.2 - NEAR_TIE / 2).near_tie is True
    assert bare.with_logits(14.2, 14.2 - NEAR_TIE * 2).near_tie is False
    assert bare.with_logits(14.2 - NEAR_TIE * 2, 14.2).near_tie is False
    filled = bare.with_texts(" a", " b").with_logits(1.0, 1.25)
    assert filled == FirstDifference(3, 10, 20, " a", " b", 1.0, 1.25, True)


def test_medians_and_their_ratio() -> None:
    runs = [run(OFF, stats(rate), repeat=i) for i, rate in enumerate((8.0, 8.4, 7.0))]
    runs += [run(DRAFT, stats(rate), repeat=i) for i, rate in enumerate((15.0, 17.0, 16.0, 20.0))]
    off, draft = summarise(runs)
    assert (off.mode, off.runs, off.tok_per_s, off.speedup) == (OFF, 3, Spread(8.0, 7.0, 8.4), 1.0)
    assert (draft.mode, draft.runs, draft.tok_per_s) == (DRAFT, 4, Spread(16.5, 15.0, 20.0))
    assert draft.speedup == 2.0625


def test_runs_without_a_rate_are_left_out_of_the_speed() -> None:
    off, draft = summarise([run(OFF, stats(None)), run(DRAFT, stats(12.0)), run(DRAFT, stats(None))])
    assert (off.tok_per_s, off.speedup) == (None, None)
    assert (draft.tok_per_s, draft.speedup) == (Spread(12.0, 12.0, 12.0), None)


def test_without_off_there_is_neither_speedup_nor_identity() -> None:
    (draft,) = summarise([run(DRAFT)])
    assert (draft.speedup, draft.identical_to_off, draft.first_difference) == (None, None, None)


def test_acceptance_adds_counts_before_dividing() -> None:
    first = run(DRAFT, stats(rounds=2, tested=4, accepted=4))
    second = run(DRAFT, stats(rounds=8, tested=16, accepted=2), repeat=1)
    (draft,) = summarise([first, second])
    assert draft.acceptance_rate == 6 / 20
    assert draft.share_from_draft == 6 / 8
    assert draft.mean_accepted_length == 1 + 6 / 10


def test_rates_without_drafts_or_rounds_are_none() -> None:
    off, draft = summarise([run(OFF), run(DRAFT, stats(rounds=0))])
    assert off.acceptance_rate is None
    assert off.share_from_draft == 0
    assert draft.mean_accepted_length is None


def test_one_run_that_differs_makes_the_mode_differ() -> None:
    same, other = run(DRAFT), run(DRAFT, repeat=1, tokens=(5, 6, 9))
    off, draft = summarise([run(OFF), run(OFF, repeat=1), same, other])
    assert (off.identical_to_off, off.repeats_differ) == (True, False)
    assert (draft.identical_to_off, draft.repeats_differ) == (False, True)
    assert draft.first_difference == FirstDifference(2, 7, 9)


def test_off_that_disagrees_with_itself_is_reported() -> None:
    off, draft = summarise([run(OFF), run(OFF, repeat=1, tokens=(5,)), run(DRAFT)])
    assert (off.identical_to_off, off.repeats_differ) == (False, True)
    assert off.first_difference == FirstDifference(1, 6, None)
    assert (draft.identical_to_off, draft.repeats_differ) == (True, False)


def test_whoever_has_the_model_explains_a_difference_from_the_run_with_off() -> None:
    asked: list[tuple[Run, FirstDifference]] = []

    def explain(reference: Run, difference: FirstDifference) -> FirstDifference:
        asked.append((reference, difference))
        return difference.with_logits(2.0, 1.9)

    off = run(OFF)
    summaries = summarise([off, run(DRAFT), run(LOOKUP, tokens=(5, 1))], explain)
    assert asked == [(off, FirstDifference(1, 6, 1))]
    found = summaries[2].first_difference
    assert found is not None
    assert (found.expected_logit, found.found_logit, found.near_tie) == (2.0, 1.9, True)


def test_prompts_are_kept_apart_and_in_order() -> None:
    runs = [
        run(OFF, prompt="q"),
        run(DRAFT, prompt="q", tokens=(1,)),
        run(DRAFT, prompt="p"),
        run(OFF, prompt="p"),
    ]
    found = [(each.prompt, each.mode, each.identical_to_off) for each in summarise(runs)]
    assert found == [("q", OFF, True), ("q", DRAFT, False), ("p", OFF, True), ("p", DRAFT, True)]


def test_no_runs_give_no_summaries() -> None:
    assert summarise([]) == ()
    assert totals([], []) == ()


def test_the_total_is_a_geometric_mean() -> None:
    runs = [
        run(OFF, stats(10.0), prompt="p"),
        run(DRAFT, stats(40.0, rounds=1, tested=3, accepted=3, peak=3000), prompt="p"),
        run(OFF, stats(10.0), prompt="q"),
        run(DRAFT, stats(10.0, rounds=3, tested=9, accepted=0, peak=2000), prompt="q"),
        run(DRAFT, stats(None, rounds=0), prompt="r"),
    ]
    off, draft = totals(runs, summarise(runs))
    assert off.speedup == pytest.approx(1.0)
    assert off.identical_to_off is True
    assert (draft.mode, draft.prompts, draft.peak_rss_bytes) == (DRAFT, 3, 3000)
    assert draft.speedup == pytest.approx(2.0)  # the root of 4 x 1
    assert draft.acceptance_rate == 3 / 12
    assert draft.share_from_draft == 3 / 12
    assert draft.mean_accepted_length == 1 + 3 / 4
    assert draft.identical_to_off is None  # nothing to compare the third prompt with


def test_one_prompt_that_differs_makes_the_total_differ() -> None:
    runs = [run(OFF, prompt="p"), run(DRAFT, prompt="p", tokens=(1,)), run(DRAFT, prompt="q")]
    draft = totals(runs, summarise(runs))[1]
    assert draft.identical_to_off is False


def experiment() -> Experiment:
    runs = (run(OFF), run(DRAFT, stats(20.0, tested=3, accepted=2), tokens=(5, 6)))
    summaries = summarise(runs)
    return Experiment(
        machine=Machine("Example CPU", 2, 4, 8_000_000_000, "Example OS", "3.11.7", "llama.cpp 1"),
        memory=MemoryUse(50, 500, 250, 900, None),
        runs=runs,
        summary=summaries,
        totals=totals(runs, summaries),
    )


def test_the_json_has_the_names_that_readers_rely_on() -> None:
    document = json.loads(to_json(experiment()))
    assert document["machine"]["processor"] == "Example CPU"
    assert document["memory"]["peak_rss_bytes"] == 900
    first = document["runs"][0]
    assert (first["mode"], first["prompt"], first["repeat"], first["tokens"]) == ("off", "p", 0, [5, 6, 7, 8])
    assert (first["text"], first["stats"]["stop_reason"]) == ("text", "max_tokens")
    draft = document["summary"][1]
    assert (draft["mode"], draft["prompt"], draft["speedup"], draft["identical_to_off"]) == (
        "draft",
        "p",
        2.0,
        False,
    )
    assert draft["tok_per_s"] == {"median": 20.0, "min": 20.0, "max": 20.0}
    assert draft["first_difference"]["position"] == 2
    assert (draft["first_difference"]["expected"], draft["first_difference"]["found"]) == (7, None)
    assert {"expected_text", "found_text", "expected_logit", "found_logit"} < set(draft["first_difference"])
    assert document["totals"][1]["speedup"] == pytest.approx(2.0)


def test_an_experiment_survives_the_way_through_json() -> None:
    assert msgspec.json.decode(to_json(experiment()), type=Experiment) == experiment()


@given(
    st.lists(
        st.builds(
            run,
            st.sampled_from(Mode),
            st.builds(stats, st.none() | st.floats(0.1, 1000.0)),
            prompt=st.sampled_from("pq"),
            repeat=st.integers(0, 2),
            tokens=st.lists(st.integers(0, 1), max_size=3).map(tuple),
        ),
        max_size=8,
    )
)
def test_identity_and_speed_hold_together_for_any_runs(runs: list[Run]) -> None:
    def first_off(summary: Summary) -> Run | None:
        return next((each for each in runs if (each.mode, each.prompt) == (OFF, summary.prompt)), None)

    summaries = summarise(runs)
    assert sum(summary.runs for summary in summaries) == len(runs)
    for summary in summaries:
        reference = first_off(summary)
        own = [each for each in runs if (each.mode, each.prompt) == (summary.mode, summary.prompt)]
        if reference is None:
            assert (summary.identical_to_off, summary.speedup) == (None, None)
        else:
            assert summary.identical_to_off == all(each.tokens == reference.tokens for each in own)
            assert (summary.first_difference is None) == summary.identical_to_off
        if summary.tok_per_s is not None:
            assert summary.tok_per_s.min <= summary.tok_per_s.median <= summary.tok_per_s.max
