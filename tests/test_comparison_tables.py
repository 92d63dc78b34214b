"""What a comparison came to, in the terminal and in Markdown."""

import pytest
from msgspec.structs import replace

from app.comparison_tables import as_markdown, as_text
from app.core.experiment import Experiment, FirstDifference, Interval, Spread, Summary
from app.core.options import AcceptanceRule
from app.tables import display_width
from tests.fakes.experiments import (
    CODE,
    LOOKUP,
    OFF,
    STORY,
    auto_variant,
    draft_variant,
    experiment_of,
    prompt_experiment,
    suite_experiment,
)

CONDITIONS = [
    "Example CPU, 4 cores, 24.0 GB of memory; llama-cpp-python 0.3.",
    "Target 3.40 GB in memory, draft model 500 MB more.",
]


def with_summaries(experiment: Experiment, *summaries: Summary) -> Experiment:
    """The same with other figures than its runs'."""
    return replace(experiment, summary=summaries)


def remarks_of(experiment: Experiment) -> list[str]:
    """The sentences below the tables, each on one line, without what it was measured on."""
    below = as_text(experiment, width=1000).split("\n\n")[2].splitlines()
    return below[: below.index(CONDITIONS[0])]


PAIR = """\
                                                                        accepted
prompt          mode   tok/s    min–max           speed-up  acceptance    length   memory  identical
--------------  -----  -----  ---------  -----------------  ----------  --------  -------  ---------
code-quicksort  off      8.2    8.0–8.3              1.00×           –         –  3.60 GB  –
                draft   16.6  16.2–17.0  2.02× (1.98–2.09)      78.9 %      4.57  4.10 GB  yes

over all                   speed-up              share from  mean accepted     peak
prompts   prompts  (geometric mean)  acceptance       draft         length   memory  identical
--------  -------  ----------------  ----------  ----------  -------------  -------  ---------
off             1             1.00×           –           –              –  3.60 GB  –
draft           1             2.02×      78.9 %      78.1 %           4.57  4.10 GB  yes

In brackets: where the speed-up lies with 95 % confidence, by bootstrap over the repeats.
Example CPU, 4 cores, 24.0 GB of memory; llama-cpp-python 0.3.
Target 3.40 GB in memory, draft model 500 MB more."""


def test_the_comparison_of_two_variants() -> None:
    assert as_text(prompt_experiment()) == PAIR


def test_one_run_each_has_neither_range_nor_interval() -> None:
    text = as_text(prompt_experiment((8.0,), (16.0,)))
    assert "min–max" not in text
    assert "In brackets" not in text
    assert "2.00×  " in text


def test_a_speed_up_whose_interval_spans_1_is_said_to_be_noise() -> None:
    noisy = prompt_experiment((8.0, 8.4, 8.2), (8.3, 8.1, 8.2))
    assert remarks_of(noisy)[1:] == [
        "draft: no difference beyond the noise on code-quicksort (the interval spans 1)."
    ]
    assert len(remarks_of(prompt_experiment())) == 1


def test_noise_is_said_once_for_each_variant() -> None:
    gains = {CODE.id: 1.0, STORY.id: 1.0, "copy-letter": 2.0}
    sentences = remarks_of(suite_experiment((OFF, LOOKUP), repeats=3, gains=gains))
    assert sentences[1:] == [
        "lookup: no difference beyond the noise on code-quicksort, story-lighthouse (the interval spans 1)."
    ]


def test_figures_that_cannot_be_given_are_dashes() -> None:
    table = as_text(experiment_of(answers=lambda planned: (), variants=(OFF, draft_variant())))
    assert table.splitlines()[4].split() == ["draft", *["–"] * 4, "4.10", "GB", "yes"]


def test_without_a_reference_nothing_is_called_identical() -> None:
    summaries = prompt_experiment(ended_runs=2).summary
    alone = replace(summaries[1], identical=None, speedup=None, speedup_interval=None)
    row = as_text(with_summaries(prompt_experiment(ended_runs=2), alone)).splitlines()[3]
    assert row.endswith("4.10 GB  –")


@pytest.mark.parametrize(("near_tie", "word"), [(True, "near-tie"), (False, "no")])
def test_a_difference_is_named_with_place_tokens_and_logits(near_tie: bool, word: str) -> None:
    differs = prompt_experiment(identical=False, near_tie=near_tie)
    rows = as_text(differs).splitlines()
    assert [rows[4].split()[-1], rows[10].split()[-1]] == [word, word]
    logit, end = ("14.180", "a near-tie.") if near_tie else ("11.020", "not a near-tie.")
    place = "code-quicksort, draft: at position 9"
    assert remarks_of(differs)[0] == (
        f'{place} " however" (logit {logit}) instead of ":" (logit 14.210), {end}'
    )


@pytest.mark.parametrize(
    ("rule", "word", "end"),
    [
        (AcceptanceRule.TOP_K, "no", "(logit 14.210)."),  # no excuse
        (AcceptanceRule.REJECTION, "resampled", ", as it may with rejection sampling."),
    ],
)
def test_the_rule_decides_what_a_difference_means(rule: AcceptanceRule, word: str, end: str) -> None:
    differs = prompt_experiment(variants=(OFF, draft_variant(rule=rule)), identical=False, near_tie=True)
    assert as_text(differs).splitlines()[4].split()[-1] == word
    assert remarks_of(differs)[0].endswith(end)


def test_an_output_that_ended_early_is_named() -> None:
    off, draft = prompt_experiment().summary
    shorter = replace(draft, identical=False, first_difference=FirstDifference(3, 5, None))
    found = with_summaries(prompt_experiment(), off, shorter)
    assert as_text(found).splitlines()[4].endswith("  no")
    assert remarks_of(found)[0] == "code-quicksort, draft: at position 3 the end instead of token 5."


def test_a_variant_that_contradicts_itself_is_named() -> None:
    off, draft = prompt_experiment().summary
    unsteady = replace(off, repeats_differ=True, identical=False, first_difference=FirstDifference(1, 2, 3))
    found = with_summaries(prompt_experiment(), unsteady, draft)
    assert as_text(found).splitlines()[3].endswith("varies")
    assert remarks_of(found)[0] == (
        "code-quicksort, off: repeats with the same seed gave different outputs."
    ), "and the reference is not said to differ from itself"
    assert len(remarks_of(found)) == 2


def test_what_was_stopped_and_what_changes_the_output_is_said() -> None:
    lossy = draft_variant(rule=AcceptanceRule.TOP_K)
    text = as_text(prompt_experiment(variants=(OFF, lossy), ended_runs=3))
    assert text.endswith("\nIt was stopped before its end.\nThe acceptance rule “top-k” changes the output.")
    assert "changes the output" not in as_text(prompt_experiment())


def test_the_widest_figures_fit_into_a_hundred_columns() -> None:
    variants = (OFF, auto_variant("lookup auto", draft=None))
    base = experiment_of(variants=variants, prompts=(replace(CODE, id="a-prompt-with-a-name-that-goes-on"),))
    off, lookup = base.summary
    wide = replace(
        lookup,
        runs=2,
        tok_per_s=Spread(1110.5, 1101.1, 1120.9),
        speedup=12.3456,
        speedup_interval=Interval(12.0123, 12.7123),
        acceptance_rate=0.99999,
        mean_accepted_length=16.5,
        peak_rss_bytes=9_990_000_000,
        first_difference=FirstDifference(1234, 151_000, 151_001, "x" * 99, "y" * 99, -14.25, -14.5, True),
        identical=False,
    )
    table = as_text(with_summaries(base, off, wide))
    assert max(map(display_width, table.splitlines())) <= 100
    assert "1101–1121  12.35× (12.01–12.71)" in table


def test_in_markdown_the_prompt_stands_in_each_row() -> None:
    lines = as_markdown(prompt_experiment()).splitlines()
    assert lines[2:4] == [
        "| code-quicksort | off | 8.2 | 8.0–8.3 | 1.00× | – | – | 3.60 GB | – |",
        "| code-quicksort | draft | 16.6 | 16.2–17.0 | 2.02× (1.98–2.09) | 78.9 % | 4.57 | 4.10 GB | yes |",
    ]
    assert "| draft | 1 | 2.02× | 78.9 % | 78.1 % | 4.57 | 4.10 GB | yes |" in lines
    assert lines[-1] == "- Target 3.40 GB in memory, draft model 500 MB more."
