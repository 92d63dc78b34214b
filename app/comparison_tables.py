"""What a comparison came to, as tables and sentences: for the terminal and for Markdown alike."""

import textwrap
from collections.abc import Iterator, Sequence

from app.core.experiment import Experiment, FirstDifference, Spread, Summary, reference_of
from app.core.sameness import Sameness, sameness_in, worst_of
from app.figures import MISSING, bytes_text, percent_text, rate_figure, times_text
from app.tables import TABLE_WIDTH, Column, Table, fit, markdown_text, printable


def as_text(experiment: Experiment, width: int = TABLE_WIDTH) -> str:
    """For the terminal: each prompt with each variant, then each variant over all prompts.

    Below stand the places where outputs differ, what is noise, and what it was measured on.
    """
    lines = [textwrap.fill(line, width, subsequent_indent="  ") for line in _remarks(experiment)]
    prompts = _prompt_table(experiment, repeat_prompt=False).text(width)
    return "\n\n".join([prompts, _total_table(experiment).text(width), "\n".join(lines)])


def as_markdown(experiment: Experiment) -> str:
    """The same in Markdown, without a line break at the end."""
    lines = [f"- {markdown_text(line)}" for line in _remarks(experiment)]
    prompts = _prompt_table(experiment, repeat_prompt=True).markdown()
    return "\n\n".join([prompts, _total_table(experiment).markdown(), "\n".join(lines)])


def _prompt_table(experiment: Experiment, *, repeat_prompt: bool) -> Table:
    """Each prompt with each variant; `repeat_prompt` names it in every row, not in its first alone."""
    repeated = any(summary.runs > 1 for summary in experiment.summary)
    columns = (
        Column("prompt", shortens=True),
        Column("mode", shortens=True),
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
    for summary in experiment.summary:
        drafts = _drafts(experiment, summary.variant)
        row = (
            summary.prompt if repeat_prompt or summary.prompt != before else "",
            summary.variant,
            rate_figure(summary.tok_per_s.median if summary.tok_per_s else None),
            *([_span_text(summary.tok_per_s)] if repeated else []),
            _speedup_text(summary),
            percent_text(summary.acceptance_rate if drafts else None),
            _length_text(summary.mean_accepted_length if drafts else None),
            bytes_text(summary.peak_rss_bytes),
            _identical_word(experiment, summary.variant, [summary]),
        )
        rows.append(row)
        before = summary.prompt
    return Table(columns, tuple(rows))


def _total_table(experiment: Experiment) -> Table:
    """Each variant over all prompts."""
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
    for total in experiment.totals:
        drafts = _drafts(experiment, total.variant)
        row = (
            total.variant,
            str(total.prompts),
            times_text(total.speedup),
            percent_text(total.acceptance_rate if drafts else None),
            percent_text(total.share_from_draft if drafts else None),
            _length_text(total.mean_accepted_length if drafts else None),
            bytes_text(total.peak_rss_bytes),
            _identical_word(experiment, total.variant, _summaries_of(experiment, total.variant)),
        )
        rows.append(row)
    return Table(columns, tuple(rows))


def _remarks(experiment: Experiment) -> list[str]:
    """Sentences on what the tables do not say: outputs that differ, what is noise, what was measured on."""
    return [*_difference_remarks(experiment), *_interval_remarks(experiment), *_conditions(experiment)]


def _difference_remarks(experiment: Experiment) -> list[str]:
    """A sentence for each output that is not what it should be."""
    lines = []
    for summary in experiment.summary:
        name = f"{printable(summary.prompt)}, {printable(summary.variant)}"
        if summary.repeats_differ:
            lines.append(f"{name}: repeats with the same seed gave different outputs.")
        difference = summary.first_difference
        if difference is not None and not _is_reference(experiment, summary.variant):
            lines.append(f"{name}: {_difference_text(difference, _sameness(experiment, summary))}.")
    return lines


def _interval_remarks(experiment: Experiment) -> Iterator[str]:
    """What the intervals are, and for each variant the prompts on which it is neither faster nor slower."""
    if not any(summary.speedup_interval for summary in experiment.summary):
        return
    yield "In brackets: where the speed-up lies with 95 % confidence, by bootstrap over the repeats."
    for variant in experiment.variants:
        prompts = [
            printable(summary.prompt)
            for summary in _summaries_of(experiment, variant.id)
            if summary.speedup_interval is not None and summary.speedup_interval.contains(1.0)
        ]
        if prompts:
            name = printable(variant.id)
            yield f"{name}: no difference beyond the noise on {', '.join(prompts)} (the interval spans 1)."


def _conditions(experiment: Experiment) -> Iterator[str]:
    machine, memory = experiment.machine, experiment.memory
    cores = f"{machine.physical_cores or machine.logical_cores} cores"
    yield (
        f"{printable(machine.processor)}, {cores}, {bytes_text(machine.memory_bytes)} of memory; "
        f"{printable(machine.engine_version)}."
    )
    loaded = f"Target {bytes_text(memory.target_bytes)} in memory"
    drafts = sorted(set(memory.draft_bytes.values()))
    if drafts:
        loaded += f", draft model {' or '.join(map(bytes_text, drafts))} more"
    yield f"{loaded}."
    if not experiment.is_complete:
        yield "It was stopped before its end."
    rules = (each.speculation.acceptance for each in experiment.variants if each.drafts)
    for rule in dict.fromkeys(rule for rule in rules if rule.changes_output):
        yield f"The acceptance rule “{rule}” changes the output."


def _speedup_text(summary: Summary) -> str:
    """A speed-up with its interval, where repeats allow one: "1.54× (1.50–1.58)"."""
    text, interval = times_text(summary.speedup), summary.speedup_interval
    return text if interval is None else f"{text} ({interval.low:.2f}–{interval.high:.2f})"


def _identical_word(experiment: Experiment, variant: str, summaries: Sequence[Summary]) -> str:
    """One word for the outputs of a variant on one or more prompts."""
    if any(summary.repeats_differ for summary in summaries):
        return "varies"
    if _is_reference(experiment, variant):
        return MISSING
    match worst_of(_sameness(experiment, summary) for summary in summaries):
        case None:
            return MISSING
        case Sameness.IDENTICAL:
            return "yes"
        case Sameness.NEAR_TIE:
            return "near-tie"
        case Sameness.RESAMPLED:
            return "resampled"
        case Sameness.DIFFERS:
            return "no"


def _sameness(experiment: Experiment, summary: Summary) -> Sameness | None:
    return sameness_in(summary, experiment.variant(summary.variant), reference_of(experiment.variants))


def _drafts(experiment: Experiment, variant: str) -> bool:
    return experiment.variant(variant).drafts


def _is_reference(experiment: Experiment, variant: str) -> bool:
    return reference_of(experiment.variants).id == variant


def _summaries_of(experiment: Experiment, variant: str) -> list[Summary]:
    return [summary for summary in experiment.summary if summary.variant == variant]


def _difference_text(difference: FirstDifference, sameness: Sameness | None) -> str:
    expected = _token_text(difference.expected, difference.expected_text, difference.expected_logit)
    found = _token_text(difference.found, difference.found_text, difference.found_logit)
    words = ""
    if sameness is Sameness.NEAR_TIE:
        words = ", a near-tie"
    elif sameness is Sameness.RESAMPLED:
        words = ", as it may with rejection sampling"
    elif difference.near_tie is False:
        words = ", not a near-tie"
    return f"at position {difference.position} {found} instead of {expected}{words}"


def _token_text(token: int | None, text: str | None, logit: float | None) -> str:
    if token is None:
        return "the end"
    shown = f"token {token}" if text is None else f'"{fit(printable(text), 24)}"'
    return shown if logit is None else f"{shown} (logit {logit:.3f})"


def _span_text(speed: Spread | None) -> str:
    return f"{rate_figure(speed.min)}–{rate_figure(speed.max)}" if speed else MISSING


def _length_text(tokens: float | None) -> str:
    return MISSING if tokens is None else f"{tokens:.2f}"
