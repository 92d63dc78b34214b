"""The report of a comparison."""

import msgspec

from app.core.compare import FirstDifference, Mode, Spread, Summary, Total
from app.report import comparison_table, markdown_table
from app.terminal import display_width

OFF = Summary(
    mode=Mode.OFF,
    prompt="code-fibonacci",
    runs=5,
    tok_per_s=Spread(8.2, 8.0, 8.3),
    speedup=1.0,
    acceptance_rate=None,
    share_from_draft=0.0,
    mean_accepted_length=1.0,
    identical_to_off=True,
    first_difference=None,
    repeats_differ=False,
    peak_rss_bytes=3_600_000_000,
)
DRAFT = msgspec.structs.replace(
    OFF,
    mode=Mode.DRAFT,
    tok_per_s=Spread(16.6, 16.2, 17.0),
    speedup=2.0244,
    acceptance_rate=84 / 85,
    share_from_draft=84 / 96,
    mean_accepted_length=4.55,
    peak_rss_bytes=4_100_000_000,
)


def total_of(summary: Summary) -> Total:
    return Total(
        mode=summary.mode,
        prompts=1,
        speedup=summary.speedup,
        acceptance_rate=summary.acceptance_rate,
        share_from_draft=summary.share_from_draft,
        mean_accepted_length=summary.mean_accepted_length,
        identical_to_off=summary.identical_to_off,
        repeats_differ=summary.repeats_differ,
        peak_rss_bytes=summary.peak_rss_bytes,
    )


def table_of(*summaries: Summary, notes: tuple[str, ...] = ()) -> str:
    return comparison_table(summaries, [total_of(summary) for summary in summaries], notes)


def test_the_comparison_of_two_modes() -> None:
    assert table_of(OFF, DRAFT).splitlines() == [
        "                                                               accepted",
        "prompt          mode   tok/s    min–max  speed-up  acceptance    length   memory  identical",
        "--------------  -----  -----  ---------  --------  ----------  --------  -------  ---------",
        "code-fibonacci  off      8.2    8.0–8.3     1.00×           –         –  3.60 GB  –",
        "                draft   16.6  16.2–17.0     2.02×      98.8 %      4.55  4.10 GB  yes",
        "",
        "over all                   speed-up              share from  mean accepted     peak",
        "prompts   prompts  (geometric mean)  acceptance       draft         length   memory  identical",
        "--------  -------  ----------------  ----------  ----------  -------------  -------  ---------",
        "off             1             1.00×           –           –              –  3.60 GB  –",
        "draft           1             2.02×      98.8 %      87.5 %           4.55  4.10 GB  yes",
    ]


def test_one_run_each_needs_no_range() -> None:
    once = [msgspec.structs.replace(summary, runs=1) for summary in (OFF, DRAFT)]
    assert "min–max" not in table_of(*once)
    assert "min–max" in table_of(OFF, once[1])


def test_figures_that_cannot_be_given_are_dashes() -> None:
    bare = msgspec.structs.replace(
        DRAFT,
        tok_per_s=None,
        speedup=None,
        acceptance_rate=None,
        share_from_draft=None,
        mean_accepted_length=None,
        identical_to_off=None,
    )
    row = table_of(bare).splitlines()[3].split()
    assert row == ["code-fibonacci", "draft", *["–"] * 5, "4.10", "GB", "–"]


def test_a_difference_is_named_with_place_tokens_and_logits() -> None:
    difference = FirstDifference(12, 5, 6, " the\n", " a").with_logits(14.21, 14.18)
    other = msgspec.structs.replace(DRAFT, identical_to_off=False, first_difference=difference)
    text = table_of(OFF, other)
    assert [line.split()[-1] for line in text.splitlines()[4:11:6]] == ["near-tie", "near-tie"]
    sentence = (
        'code-fibonacci, draft: at position 12 " a" (logit 14.180) instead of " the\\n" (logit 14.210), '
        "a near-tie."
    )
    assert " ".join(text.split("\n\n")[2].split()) == " ".join(sentence.split())


def test_a_real_difference_is_a_no() -> None:
    difference = FirstDifference(3, 5, None)
    other = msgspec.structs.replace(DRAFT, identical_to_off=False, first_difference=difference)
    text = table_of(OFF, other)
    assert text.splitlines()[4].endswith("  no")
    assert text.endswith("\n\ncode-fibonacci, draft: at position 3 the end instead of token 5.")


def test_a_mode_that_contradicts_itself_is_named() -> None:
    unsteady = msgspec.structs.replace(OFF, repeats_differ=True, identical_to_off=False)
    text = table_of(unsteady, DRAFT)
    assert text.splitlines()[3].endswith("varies")
    assert "code-fibonacci, off: repeats with the same seed gave different outputs." in text


def test_the_callers_notes_stand_below() -> None:
    note = "The acceptance rule changes the output."
    assert table_of(OFF, notes=(note,)).endswith("\n\n" + note)


def test_the_widest_figures_fit_into_a_hundred_columns() -> None:
    wide = msgspec.structs.replace(
        DRAFT,
        prompt="a-prompt-with-a-name-that-goes-on-and-on",
        tok_per_s=Spread(1110.5, 1101.1, 1120.9),
        speedup=12.3456,
        acceptance_rate=0.99999,
        share_from_draft=0.99999,
        mean_accepted_length=16.5,
        mode=Mode.LOOKUP,
        peak_rss_bytes=-9_990_000_000,
        first_difference=FirstDifference(1234, 151_000, 151_001, "x" * 99, "y" * 99, -14.25, -14.5, True),
        identical_to_off=False,
    )
    assert max(map(display_width, table_of(OFF, wide).splitlines())) <= 100


def test_markdown_repeats_the_prompt_in_each_row() -> None:
    lines = markdown_table([OFF, DRAFT], [total_of(OFF), total_of(DRAFT)]).splitlines()
    assert lines[2] == "| code-fibonacci | off | 8.2 | 8.0–8.3 | 1.00× | – | – | 3.60 GB | – |"
    assert lines[3] == "| code-fibonacci | draft | 16.6 | 16.2–17.0 | 2.02× | 98.8 % | 4.55 | 4.10 GB | yes |"
    assert lines[-1] == "| draft | 1 | 2.02× | 98.8 % | 87.5 % | 4.55 | 4.10 GB | yes |"
