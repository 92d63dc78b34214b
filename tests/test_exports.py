"""Experiments as Markdown and CSV."""

import csv as csv_module
import io

import pytest
from markdown_it import MarkdownIt
from msgspec.structs import replace

from app.core.experiment import Experiment
from app.core.options import AcceptanceRule
from app.exports import csv, markdown
from tests.fakes.experiments import (
    AUTO,
    CODE,
    DRAFTED,
    LOOKUP,
    OFF,
    auto_variant,
    draft_variant,
    prompt_experiment,
    suite_experiment,
    sweep_experiment,
)

RESAMPLING = draft_variant(rule=AcceptanceRule.REJECTION)


def section(text: str, title: str) -> str:
    """What stands below a heading."""
    return text.split(f"## {title}\n\n")[1].split("\n\n")[0]


def rows_of(experiment: Experiment) -> list[dict[str, str]]:
    return list(csv_module.DictReader(io.StringIO(csv(experiment))))


def test_the_report_says_what_was_compared_on_what() -> None:
    lines, header = markdown(prompt_experiment()).splitlines(), "SHA-256 of the header "
    assert lines[:9] == [
        "# Slipstream comparison, 2025-06-15 15:06 UTC",
        "",
        f"- Target: Coder 1.5B Instruct · F16, coder-1.5b-f16.gguf, 3.09 GB, {header}{'ab' * 32}",
        f"- Draft: Coder 0.5B Instruct · Q4_K_M, coder-0.5b-q4_k_m.gguf, 398 MB, {header}{'cd' * 32}",
        "- Machine: Example CPU, Example OS 1, x86_64",
        "- off: plain generation",
        "- draft: Coder 0.5B Instruct · Q4_K_M, at most 5 tokens, acceptance rule “match”",
        "- Settings: greedy, seed 0, at most 96 tokens, context 4096, 5 runs each, interleaved",
        "",
    ]
    assert markdown(prompt_experiment()).endswith("## Prompt\n\n```text\nWrite quicksort in Python.\n```\n")


def test_of_an_automatic_length_the_report_names_its_sources_and_ceiling() -> None:
    lines = markdown(suite_experiment((OFF, AUTO, auto_variant("lookup auto", draft=None)))).splitlines()
    words = "automatic length, at most 16 tokens, acceptance rule “match”"
    by_model = "Coder 0.5B Instruct · Q4_K_M, or prompt lookup where it promises more"
    assert f"- auto: {by_model}, {words}" in lines
    assert f"- lookup auto: prompt lookup, {words}" in lines


def test_the_result_is_a_sentence() -> None:
    assert section(markdown(prompt_experiment()), "Result") == (
        "- draft is 2.02 times as fast as off (1.98 to 2.09 times with 95 % confidence): "
        "16.6 against 8.2 tok/s, medians of 5. The output is identical."
    )


@pytest.mark.parametrize(
    ("experiment", "words"),
    [
        (
            prompt_experiment((8.0, 8.4, 8.2), (8.3, 8.1, 8.2)),
            "draft against off: no clear difference (0.",
        ),
        (
            prompt_experiment((8.0,), (16.0,)),
            "2.00 times as fast as off (one run each): 16.0 against 8.0 tok/s. The output",
        ),
        (prompt_experiment(tokens=1), "draft: no speed to compare with off."),
        (prompt_experiment(identical=False), "The output differs at near-ties alone, as told below."),
        (prompt_experiment(identical=False, near_tie=False), "The output differs, as told below."),
        (
            prompt_experiment(variants=(OFF, RESAMPLING), identical=False, near_tie=False),
            "The output differs, as it may with rejection sampling.",
        ),
        (suite_experiment(), "13.9 against 8.3 tok/s, geometric means over 3 prompts."),
        (prompt_experiment(ended_runs=4), "too few runs to know the noise"),
        (
            prompt_experiment((8.0, 8.1, 8.2), (8.1, 8.2, 8.3)),
            "draft against off: no clear difference (0.",
        ),  # 1.01, which nobody would notice
        (prompt_experiment((8.0, 8.0, 8.0), (4.0, 8.1, 16.0)), "too noisy to tell (0.50 to 2.00"),
        (prompt_experiment((8.0,), (16.0,), tokens=12), "draft against off: too short to tell (12 tokens): "),
        (prompt_experiment((16.0,) * 3, (8.0,) * 3), "draft is 0.50 times as fast"),
    ],
)
def test_the_sentence_is_that_of_the_figures(experiment: Experiment, words: str) -> None:
    assert words in section(markdown(experiment), "Result")


def test_every_variant_of_a_sweep_has_its_sentence() -> None:
    assert section(markdown(sweep_experiment()), "Result").count("times as fast as off") == 9


def test_a_difference_stands_below_the_tables() -> None:
    text = markdown(prompt_experiment(identical=False))
    assert '- code-quicksort, draft: at position 9 " however" (logit 14.180) instead of ":"' in text


def test_an_automatic_length_has_a_ceiling_and_no_other_numbers() -> None:
    _, auto = rows_of(prompt_experiment((8.0,), (16.0,), variants=(OFF, AUTO)))
    assert (auto["draft_length"], auto["max_draft_tokens"]) == ("auto", "16")
    assert (auto["min_draft_tokens"], auto["draft_probability"]) == ("", "")


def test_the_estimated_speed_up_of_a_run_is_a_figure() -> None:
    found = prompt_experiment((8.0,), (16.0,), variants=(OFF, AUTO))
    off, auto = found.runs
    known = replace(auto, stats=replace(auto.stats, plain_s=1.5 * auto.stats.decode_s))
    rows = rows_of(replace(found, runs=(off, known)))
    assert rows[0]["estimated_speedup"] == ""
    assert float(rows[1]["estimated_speedup"]) == pytest.approx(1.5)


def hostile() -> Experiment:
    """An experiment whose names want to be more than names."""
    name = "=1+1|<b>\n# head[x](http://y)"
    found = prompt_experiment((8.0,), (9.0,))
    prompt = replace(CODE, id=name, suite="+suite")
    return replace(
        found,
        target=replace(found.target, name=name, file=name),
        prompts=(prompt,),
        runs=tuple(replace(run, prompt=name) for run in found.runs),
        summary=tuple(replace(each, prompt=name) for each in found.summary),
    )


def test_names_of_strangers_are_no_marks() -> None:
    lines = markdown(hostile()).splitlines()
    assert [line for line in lines if line.startswith("#")] == [lines[0], "## Result", "## Prompt"]
    shown = r"=1+1\|\<b\>\\n# head\[x\](http://y)"
    assert lines[2].startswith(f"- Target: {shown} · F16, {shown}, ")
    rows = [line for line in lines if line.startswith(f"| {shown} | ")]
    assert len(rows) == 2


@pytest.mark.parametrize(
    "text",
    [
        "# one\n- two\n1. three\n===\n<script>\n| four |",
        "```\ncode\n```\n````",
        "    def f():\n\treturn 1\n\n> quoted\\",
        "",
        "\n",
    ],
)
def test_a_prompt_stands_in_the_report_as_it_is(text: str) -> None:
    found = prompt_experiment()
    *_, heading, prompt = MarkdownIt().parse(markdown(replace(found, prompts=(replace(CODE, text=text),))))
    assert (heading.type, prompt.type, prompt.content.rstrip("\n")) == (
        "heading_close",
        "fence",
        text.rstrip("\n"),
    )


def test_a_long_prompt_is_cut() -> None:
    found = prompt_experiment()
    shown = markdown(replace(found, prompts=(replace(CODE, text="0123456789" * 201),)))
    assert shown.endswith(f"```text\n{'0123456789' * 200}…\n```\n")


def test_each_run_is_a_line_of_plain_numbers() -> None:
    experiment = suite_experiment(repeats=2)
    rows = rows_of(experiment)
    assert csv(experiment).count("\n") == len(experiment.runs) + 1 == 19
    first, draft = rows[0], rows[1]
    assert first["created"] == "2025-06-15T15:06:40+00:00"
    assert (first["variant"], first["mode"], first["prompt"], first["suite"], first["repeat"]) == (
        "off",
        "off",
        "code-quicksort",
        "code",
        "0",
    )
    settings = ("draft", "draft_length", "max_draft_tokens", "min_draft_tokens", "acceptance_rule")
    assert [first[name] for name in settings] == [""] * 5
    assert [draft[name] for name in settings] == ["Coder 0.5B Instruct · Q4_K_M", "fixed", "5", "0", "match"]
    stats = experiment.runs[1].stats
    assert float(draft["tok_per_s"]) == stats.tok_per_s
    assert float(draft["acceptance_rate"]) == stats.acceptance_rate
    assert int(draft["peak_rss_bytes"]) == stats.peak_rss_bytes
    assert draft["stop_reason"] == "max_tokens"


def test_a_figure_that_is_not_known_is_empty() -> None:
    row = rows_of(prompt_experiment(tokens=1))[0]
    assert (row["tok_per_s"], row["acceptance_rate"]) == ("", "")


def test_no_cell_is_a_formula_or_has_two_lines() -> None:
    experiment = hostile()
    assert csv(experiment).count("\n") == 3
    row = rows_of(experiment)[0]
    assert row["prompt"] == "'=1+1|<b>\\n# head[x](http://y)"
    assert row["target"].startswith("'=")
    assert row["suite"] == "'+suite"


@pytest.mark.parametrize("text", ["=a", "+a", "-a", "@a", " =a"])
def test_whatever_a_spreadsheet_reckons_with_is_quoted(text: str) -> None:
    experiment = prompt_experiment((8.0,), (9.0,))
    named = replace(experiment, target=replace(experiment.target, name=text))
    assert rows_of(named)[0]["target"].startswith(f"'{text}")


def test_all_kinds_of_experiments_can_be_exported() -> None:
    for experiment in (
        prompt_experiment(),
        prompt_experiment(variants=(DRAFTED, LOOKUP)),
        prompt_experiment(tokens=0),
        prompt_experiment(ended_runs=1),
        prompt_experiment(traced=True),
        suite_experiment(ended_runs=1),
        sweep_experiment(lookup=None),
    ):
        assert markdown(experiment).endswith("\n")
        assert len(rows_of(experiment)) == len(experiment.runs)
