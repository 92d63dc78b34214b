"""What drafting has come to over the last rounds."""

from collections.abc import Iterable

import pytest
from msgspec.structs import replace

from app.core.drafting_state import Pause
from app.core.drafting_totals import DraftingTotals
from app.core.protocol import Done, Round
from app.core.recent_drafting import ROUNDS_SHOWN, Course, LatelyDrafted, RecentDrafting
from app.core.stats import DraftSource, StatsRecorder, StopReason
from tests.fakes.scripted_rounds import FIRST, drafted_round, drafted_rounds, paused_round, undrafted_round

MODEL, LOOKUP = DraftSource.DRAFT_MODEL, DraftSource.PROMPT_LOOKUP


def followed(*rounds: Round) -> RecentDrafting:
    recent = RecentDrafting()
    for round_ in (FIRST, *rounds):
        recent.add(round_)
    return recent


def lately(rounds: Iterable[Round]) -> LatelyDrafted:
    told = followed(*rounds).read(0.0).lately
    assert told is not None
    return told


def test_the_first_rounds_tell_nothing_yet() -> None:
    recent = followed(drafted_round(), drafted_round())
    assert recent.read(0.0).lately is None
    recent.add(drafted_round())
    assert recent.read(0.0).lately is not None, "at once, when there is something to tell"


def test_the_prompts_own_round_is_not_shown() -> None:
    assert followed(drafted_round()).read(0.0).rounds == (drafted_round().stats,)
    assert followed().read(0.0).rounds == ()


def test_the_last_hundred_rounds_are_kept() -> None:
    rounds = [drafted_round(1 + number % 7, 0) for number in range(130)]
    assert followed(*rounds).read(0.0).rounds == tuple(each.stats for each in rounds[-ROUNDS_SHOWN:])


def test_lengths_are_a_range_without_the_odd_draft() -> None:
    told = lately([*drafted_rounds([4, 5, 6, 7], 12), drafted_round(16), drafted_round(1), drafted_round(5)])
    assert told.course is Course.STEADY
    assert (told.shortest, told.longest) == (4, 7)
    assert told.sources == (MODEL,)


def test_costs_are_those_of_a_draft_of_the_middle_length_without_the_odd_slow_one() -> None:
    slow = drafted_round(4)
    assert slow.drafting is not None
    slow = replace(slow, drafting=replace(slow.drafting, steps=9.0))
    told = lately([*drafted_rounds([2, 4, 9], 9), slow])
    assert told.typical == drafted_round(4).drafting


def test_the_commoner_source_comes_first() -> None:
    told = lately([drafted_round(source=MODEL), *[drafted_round(source=LOOKUP)] * 3])
    assert told.sources == (LOOKUP, MODEL)


def test_the_commonest_reason_for_a_pause_is_told_with_its_latest_figures() -> None:
    newer = paused_round(Pause.TOO_OFTEN_WRONG, acceptance=0.5)
    older = paused_round(Pause.TOO_OFTEN_WRONG, acceptance=0.4)
    told = lately([older, newer, newer, paused_round(Pause.NO_ROOM)])
    assert told == LatelyDrafted(Course.PAUSED, typical=newer.drafting)


def test_a_probe_is_no_end_of_a_pause() -> None:
    told = lately([paused_round()] * 15 + [drafted_round(2)])
    assert told.course is Course.PAUSED


def test_only_the_last_stretch_counts() -> None:
    assert lately([*drafted_rounds([4], 60), *[paused_round()] * 16]).course is Course.PAUSED
    assert lately([*[paused_round()] * 60, *drafted_rounds([4], 16)]).course is Course.STEADY


def test_drafts_now_and_then_come_with_what_keeps_them_apart() -> None:
    told = lately([drafted_round(8), paused_round(Pause.NOTHING_FOUND)] * 6)
    assert told.course is Course.AT_TIMES
    assert (told.shortest, told.longest) == (8, 8)
    assert told.typical == paused_round(Pause.NOTHING_FOUND).drafting


def test_a_fixed_length_has_no_decisions() -> None:
    assert lately(drafted_rounds([3], 8, automatic=False)).typical is None
    assert lately([undrafted_round()] * 8) == LatelyDrafted(Course.PAUSED)


@pytest.mark.parametrize(
    ("before", "drafting", "course"),
    [
        (drafted_round(), 10, Course.STEADY),
        (paused_round(), 10, Course.AT_TIMES),
        (drafted_round(), 3, Course.AT_TIMES),
        (paused_round(), 3, Course.PAUSED),
    ],
)
def test_what_lies_between_two_courses_stays_what_it_was(
    before: Round, drafting: int, course: Course
) -> None:
    recent = followed(*[before] * 16)
    recent.read(0.0)
    for round_ in [drafted_round()] * drafting + [paused_round()] * (16 - drafting):
        recent.add(round_)
    told = recent.read(10.0).lately
    assert told is not None
    assert told.course is course


def test_a_change_is_told_after_a_second_at_the_earliest() -> None:
    recent = followed(*[paused_round()] * 16)
    first = recent.read(5.0).lately
    for round_ in drafted_rounds([4], 16):
        recent.add(round_)
    assert recent.read(5.9).lately == first
    changed = recent.read(6.0).lately
    assert changed is not None
    assert changed.course is Course.STEADY
    assert len(recent.read(6.0).rounds) == 32, "the rounds themselves are there at once"


def test_the_estimate_is_the_latest_one_once_there_are_enough_tokens() -> None:
    recent = followed(drafted_round(8, 8, speedup=2.0))
    assert recent.read(0.0).speedup is None
    recent.add(drafted_round(8, 8, speedup=1.7))
    assert recent.read(0.1).speedup == 1.7


def test_an_answer_that_drafts_nothing_gains_nothing() -> None:
    assert followed(*[paused_round()] * 30).read(0.0).speedup is None


def test_the_estimate_of_the_whole_answer_is_the_one_that_stands_under_it() -> None:
    recent = followed(*drafted_rounds([4], 10))
    recorder = StatsRecorder(0.0, prompt_tokens=5)
    for moment in (1.0, 2.0):
        recorder.add(drafted_round().stats, moment)
    stats = replace(recorder.finish(StopReason.STOPPED, 0), plain_s=1.5)
    assert recent.read(0.0).whole is None
    recent.end(Done((), stats))
    reading = recent.read(0.1)
    assert reading.speedup == 1.5
    assert reading.whole == DraftingTotals(rounds=10, drafting=10, tested=40)


def test_an_answer_that_was_cut_off_keeps_what_was_known() -> None:
    recent = followed(*drafted_rounds([4], 10))
    recent.end()
    assert recent.read(0.0).speedup == 1.6
    assert recent.read(0.0).whole == DraftingTotals(rounds=10, drafting=10, tested=40)


def test_another_answer_begins_from_nothing() -> None:
    recent = followed(*drafted_rounds([4], 30))
    recent.read(0.0)
    recent.end()
    recent.begin()
    assert recent.read(0.1) == RecentDrafting().read(0.1)
