"""What a row of the history says."""

from datetime import date, datetime

import pytest

from app.core.experiment import ExperimentKind
from app.core.experiment_entry import ExperimentEntry
from app.core.experiment_file import FORMAT
from app.core.gain import Gain
from app.core.sameness import Sameness
from app.ui.history_words import (
    count_text,
    date_lines,
    model_lines,
    prompt_lines,
    result_lines,
    result_text,
    title_text,
)
from tests.fakes.history_entries import history_entry

TODAY = date(2026, 11, 30)


@pytest.mark.parametrize(
    ("moment", "lines"),
    [
        (datetime(2026, 11, 30, 0, 5), ("today", "00:05")),
        (datetime(2026, 11, 29, 23, 59), ("yesterday", "23:59")),
        (datetime(2026, 11, 28, 9, 7), ("28 Nov 2026", "09:07")),
        (datetime(2026, 12, 1, 9, 7), ("1 Dec 2026", "09:07")),
    ],
)
def test_dates(moment: datetime, lines: tuple[str, str]) -> None:
    assert date_lines(moment.timestamp(), TODAY) == lines


@pytest.mark.parametrize("created", [float("inf"), 1e15, -1e15])
def test_a_time_that_no_calendar_has(created: float) -> None:
    assert date_lines(created, TODAY) == ("–", "")


@pytest.mark.parametrize(
    ("entry", "drafted"),
    [
        (history_entry(), "drafted by Coder 0.5B Instruct · Q4_K_M"),
        (history_entry(drafts=(), looks_up=True), "drafted by Prompt Lookup"),
        (history_entry(drafts=("A", "B"), looks_up=True), "drafted by A, B, Prompt Lookup"),
        (history_entry(drafts=()), ""),
    ],
)
def test_models(entry: ExperimentEntry, drafted: str) -> None:
    assert model_lines(entry) == ("Coder 1.5B Instruct · F16", drafted)


@pytest.mark.parametrize(
    ("entry", "kind"),
    [
        (history_entry(), "Prompt"),
        (history_entry(kind=ExperimentKind.SUITE, prompts=12), "Suite, 12 prompts"),
        (history_entry(kind=ExperimentKind.SUITE), "Suite, 1 prompt"),
        (history_entry(kind=ExperimentKind.SWEEP), "Sweep"),
        (history_entry(kind=None), ""),
    ],
)
def test_prompts(entry: ExperimentEntry, kind: str) -> None:
    assert prompt_lines(entry) == ("Write quicksort in Python.", kind)


def test_what_no_screen_can_show_is_replaced() -> None:
    odd = history_entry(target="a\u202eb", drafts=("c\x07d",), prompt="e\x1bf")

    assert model_lines(odd) == ("a\ufffdb", "drafted by c\ufffdd")
    assert prompt_lines(odd)[0] == "e\ufffdf"


def test_what_is_empty_has_a_dash() -> None:
    assert model_lines(history_entry(target=""))[0] == "–"
    assert prompt_lines(history_entry(prompt=""))[0] == "–"


@pytest.mark.parametrize(
    ("entry", "lines"),
    [
        (history_entry(), ("2.02×", "identical")),
        (history_entry(sameness=Sameness.DIFFERS), ("2.02×", "text differs")),
        (history_entry(sameness=Sameness.NEAR_TIE), ("2.02×", "near-tie")),
        (history_entry(sameness=Sameness.RESAMPLED), ("2.02×", "resampled")),
        (history_entry(speedup=1.01, gain=Gain.EVEN), ("1.01× · even", "identical")),
        (history_entry(is_sure=False), ("2.02× · few runs", "identical")),
        (history_entry(is_sure=False, runs=1), ("2.02× · one run", "identical")),
        (history_entry(gain=Gain.SHORT, is_sure=False), ("2.02× · too short to tell", "identical")),
        (history_entry(may_change=True), ("2.02×", "identical here")),
        (
            history_entry(speedup=1.01, gain=Gain.EVEN, is_sure=False),
            ("1.01× · even, few runs", "identical"),
        ),
        (history_entry(is_complete=False), ("2.02×", "identical, stopped early")),
        (history_entry(speedup=None, gain=None, sameness=None, is_complete=False), ("–", "stopped early")),
        (history_entry(speedup=None, gain=None, is_sure=False), ("–", "identical")),
        (history_entry(format_=FORMAT + 1), ("2.02×", "of a newer version")),
        (history_entry(format_=FORMAT - 1), ("2.02×", "identical")),
        (history_entry(format_=FORMAT - 2), ("2.02×", "of an older version")),
    ],
)
def test_results(entry: ExperimentEntry, lines: tuple[str, str]) -> None:
    assert result_lines(entry) == lines


def test_a_result_on_one_line() -> None:
    assert result_text(history_entry()) == "2.02× · identical"
    assert result_text(history_entry(sameness=None)) == "2.02×"


def test_titles_are_short() -> None:
    assert title_text(history_entry()) == "Write quicksort in Python."
    long = title_text(history_entry(prompt="word " * 40))
    assert len(long) == 60
    assert long.endswith("…")


def test_counts() -> None:
    assert count_text(1, 1, narrowed=False) == "1 comparison"
    assert count_text(1200, 1200, narrowed=False) == "1,200 comparisons"
    assert count_text(0, 7, narrowed=True) == "0 of 7 comparisons"
