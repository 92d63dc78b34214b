"""The report of a comparison, as a table for the terminal or in Markdown."""

import textwrap
from collections.abc import Sequence

from app.core.compare import FirstDifference, Mode, Summary, Total
from app.figures import MISSING, bytes_text, percent_text, times_text
from app.terminal import TABLE_WIDTH, Column, Table, fit, printable


def comparison_table(
    summaries: Sequence[Summary],
    totals: Sequence[Total],
    notes: Sequence[str] = (),
    width: int = TABLE_WIDTH,
) -> str:
    """What `bench` and `demo` print: each prompt and mode, then each mode over all prompts.

    Below stand the places where outputs differ, and `notes`, whole sentences of the caller.
    """
    remarks = [
        textwrap.fill(line, width, subsequent_indent="  ") for line in [*_differences(summaries), *notes]
    ]
    prompts = _prompt_table(summaries, repeat_prompt=False).text(width)
    return "\n\n".join(
        filter(None, [prompts, _total_table(totals, summaries).text(width), "\n".join(remarks)])
    )


def markdown_table(summaries: Sequence[Summary], totals: Sequence[Total], notes: Sequence[str] = ()) -> str:
    """The same in Markdown."""
    remarks = [f"- {line}" for line in [*_differences(summaries), *notes]]
    prompts = _prompt_table(summaries, repeat_prompt=True).markdown()
    return "\n\n".join(
        filter(None, [prompts, _total_table(totals, summaries).markdown(), "\n".join(remarks)])
    )


def _prompt_table(summaries: Sequence[Summary], repeat_prompt: bool) -> Table:
    repeated = any(summary.runs > 1 for summary in summaries)
    columns = (
        Column("prompt", shortens=True),
        Column("mode"),
        Column("tok/s", right=True),
        *([Column("min–max", right=True)] if repeated else []),
        Column("speed-up", right=True),
        Column("acceptance", right=True),
        Column("accepted\nlength", right=True),
        Column("memory", right=True),
        Column("identical"),
    )
    rows = []
    before: str | None = None
    for summary in summaries:
        speed = summary.tok_per_s
        drafts = summary.mode is not Mode.OFF
        span = f"{speed.min:.1f}–{speed.max:.1f}" if speed else MISSING
        row = (
            summary.prompt if repeat_prompt or summary.prompt != before else "",
            summary.mode.value,
            f"{speed.median:.1f}" if speed else MISSING,
            *([span] if repeated else []),
            times_text(summary.speedup),
            percent_text(summary.acceptance_rate if drafts else None),
            _length_text(summary.mean_accepted_length if drafts else None),
            bytes_text(summary.peak_rss_bytes),
            _identical_text([summary]),
        )
        rows.append(row)
        before = summary.prompt
    return Table(columns, tuple(rows))


def _total_table(totals: Sequence[Total], summaries: Sequence[Summary]) -> Table:
    columns = (
        Column("over all\nprompts"),
        Column("prompts", right=True),
        Column("speed-up\n(geometric mean)", right=True),
        Column("acceptance", right=True),
        Column("share from\ndraft", right=True),
        Column("mean accepted\nlength", right=True),
        Column("peak\nmemory", right=True),
        Column("identical"),
    )
    rows = []
    for total in totals:
        drafts = total.mode is not Mode.OFF
        row = (
            total.mode.value,
            str(total.prompts),
            times_text(total.speedup),
            percent_text(total.acceptance_rate if drafts else None),
            percent_text(total.share_from_draft if drafts else None),
            _length_text(total.mean_accepted_length if drafts else None),
            bytes_text(total.peak_rss_bytes),
            _identical_text([summary for summary in summaries if summary.mode is total.mode]),
        )
        rows.append(row)
    return Table(columns, tuple(rows))


def _identical_text(summaries: Sequence[Summary]) -> str:
    """One word for the outputs of one mode on one or more prompts."""
    if any(summary.repeats_differ for summary in summaries):
        return "varies"
    differing = [summary for summary in summaries if summary.identical_to_off is False]
    if differing:
        found = [summary.first_difference for summary in differing]
        return "near-tie" if all(each is not None and each.near_tie for each in found) else "no"
    unknown = any(summary.identical_to_off is None for summary in summaries)
    return MISSING if unknown or summaries[0].mode is Mode.OFF else "yes"


def _differences(summaries: Sequence[Summary]) -> list[str]:
    """A sentence for each output that is not what it should be."""
    lines = []
    for summary in summaries:
        name = f"{printable(summary.prompt)}, {summary.mode.value}"
        if summary.repeats_differ:
            lines.append(f"{name}: repeats with the same seed gave different outputs.")
        difference = summary.first_difference
        if difference is not None and summary.mode is not Mode.OFF:
            lines.append(f"{name}: {_difference_text(difference)}.")
    return lines


def _difference_text(difference: FirstDifference) -> str:
    expected = _token_text(difference.expected, difference.expected_text, difference.expected_logit)
    found = _token_text(difference.found, difference.found_text, difference.found_logit)
    words = {None: "", True: ", a near-tie", False: ", not a near-tie"}[difference.near_tie]
    return f"at position {difference.position} {found} instead of {expected}{words}"


def _token_text(token: int | None, text: str | None, logit: float | None) -> str:
    if token is None:
        return "the end"
    shown = f"token {token}" if text is None else f'"{fit(printable(text), 24)}"'
    return shown if logit is None else f"{shown} (logit {logit:.3f})"


def _length_text(tokens: float | None) -> str:
    return MISSING if tokens is None else f"{tokens:.2f}"
