"""Experiments for other programs: a report in Markdown, and every run's figures as CSV."""

from collections.abc import Iterator
from csv import writer
from datetime import UTC, datetime
from io import StringIO

from app.comparison_tables import prompt_table, remarks, total_table
from app.core.experiment import Experiment, ModelIdentity, Summary, Total, Variant, reference_of
from app.core.options import SpeculationMode
from app.core.prompts import Prompt
from app.figures import bytes_text, rate_text
from app.tables import markdown_text, printable

_FORMULA_SIGNS = ("=", "+", "-", "@")  # a spreadsheet takes a text that begins so for a formula
_LONGEST_PROMPT = 2000  # characters

_VARIANT_COLUMNS = ("variant", "mode", "draft", "max_draft_tokens", "min_draft_tokens", "draft_probability")
_COUNTS = ("generated_tokens", "prompt_tokens", "rounds", "drafted", "tested", "ignored", "accepted")
_RATES = ("tok_per_s", "acceptance_rate", "share_from_draft", "mean_accepted_length")
_TIMES = ("prompt_s", "time_to_first_token_s", "decode_s", "draft_s", "verify_s", "sample_s")
_STATS = (*_COUNTS, *_RATES, *_TIMES, "peak_rss_bytes", "stop_reason")


def markdown(experiment: Experiment) -> str:
    """The whole comparison to be read: models, machine, settings, result, tables, differences."""
    parts = [
        f"# Slipstream comparison, {_moment(experiment.created)}",
        "\n".join(_facts(experiment)),
        "## Result",
        "\n".join(f"- {sentence}" for sentence in _results(experiment)),
        markdown_table(experiment),
    ]
    if len(experiment.prompts) == 1:
        parts += ["## Prompt", _quoted(experiment.prompts[0])]
    return "\n\n".join(filter(None, parts)) + "\n"


def markdown_table(experiment: Experiment) -> str:
    """The tables with the remarks below, without a line break at the end."""
    tables = [prompt_table(experiment, repeat_prompt=True).markdown(), total_table(experiment).markdown()]
    notes = "\n".join(f"- {markdown_text(line)}" for line in remarks(experiment))
    return "\n\n".join([*tables, notes])


def csv(experiment: Experiment) -> str:
    """One line for each run below a line of names. Figures are plain numbers, unknown ones empty."""
    out = StringIO()
    table = writer(out, lineterminator="\n")
    table.writerow(
        ["created", "target", *_VARIANT_COLUMNS, "acceptance_rule", "prompt", "suite", "repeat", *_STATS]
    )
    created = datetime.fromtimestamp(experiment.created, UTC).isoformat(timespec="seconds")
    suites = {prompt.id: prompt.suite or "" for prompt in experiment.prompts}
    for run in experiment.runs:
        cells: list[object] = [
            created,
            experiment.target.title,
            *_variant_cells(experiment.variant(run.variant)),
            run.prompt,
            suites[run.prompt],
            run.repeat,
            *(getattr(run.stats, name) for name in _STATS),
        ]
        table.writerow([_cell(each) for each in cells])
    return out.getvalue()


def _facts(experiment: Experiment) -> Iterator[str]:
    sampling, load = experiment.sampling, experiment.load
    yield f"- Target: {_model(experiment.target)}"
    for draft in dict.fromkeys(each.draft for each in experiment.variants if each.draft is not None):
        yield f"- Draft: {_model(draft)}"
    machine = experiment.machine
    yield "- Machine: " + markdown_text(f"{machine.processor}, {machine.operating_system}")
    for variant in experiment.variants:
        yield f"- {markdown_text(variant.id)}: {_variant_words(variant)}"
    words = [
        "greedy" if sampling.temperature == 0 else f"temperature {sampling.temperature:g}",
        f"seed {sampling.seed}",
        f"at most {experiment.limits.max_tokens} tokens" if experiment.limits.max_tokens else "no limit",
        f"context {load.context_length}" if load.context_length else "the model's own context",
        "1 run each" if experiment.repeats == 1 else f"{experiment.repeats} runs each, interleaved",
    ]
    yield f"- Settings: {', '.join(words)}"


def _results(experiment: Experiment) -> Iterator[str]:
    """A sentence for each variant against the reference."""
    reference = reference_of(experiment.variants)
    for total in experiment.totals:
        if total.variant == reference.id:
            continue
        own = [summary for summary in experiment.summary if summary.variant == total.variant]
        name, other = markdown_text(total.variant), markdown_text(reference.id)
        if total.speedup is None:
            yield f"{name}: no speed to compare with {other}."
        elif len(own) == 1:
            yield f"{_speed_words(experiment, own[0], name, other)} {_identity_words(total)}"
        else:
            over = f"geometric mean over {len(own)} prompts"
            yield f"{name} is {total.speedup:.2f} times as fast as {other} ({over}). {_identity_words(total)}"


def _speed_words(experiment: Experiment, summary: Summary, name: str, other: str) -> str:
    against = experiment.summary_of(reference_of(experiment.variants).id, summary.prompt)
    interval = summary.speedup_interval
    rates = ""
    if against is not None and against.tok_per_s is not None and summary.tok_per_s is not None:
        rates = f": {summary.tok_per_s.median:.1f} against {rate_text(against.tok_per_s.median)}"
    faster = f"{name} is {summary.speedup:.2f} times as fast as {other}"
    if interval is None:
        return f"{faster}{rates}; too few runs to know the noise."
    sure = f"{interval.low:.2f} to {interval.high:.2f} times with 95 % confidence"
    if interval.contains(1.0):
        return f"{name} against {other}: no difference beyond the noise ({sure}){rates}."
    return f"{faster} ({sure}){rates}, medians of {summary.runs}."


def _identity_words(total: Total) -> str:
    if total.identical is None:
        return "Outputs were not compared everywhere."
    return "The output is identical." if total.identical else "The output differs, as told below."


def _variant_words(variant: Variant) -> str:
    options = variant.speculation
    if options.mode is SpeculationMode.OFF:
        return "plain generation"
    words = ["prompt lookup"]
    if options.mode is SpeculationMode.DRAFT_MODEL:
        words = ["draft model" if variant.draft is None else markdown_text(variant.draft.title)]
    words.append(f"at most {options.max_draft_tokens} tokens")
    if options.min_draft_tokens:
        words.append(f"at least {options.min_draft_tokens}")
    if options.mode is SpeculationMode.DRAFT_MODEL and options.draft_probability:
        words.append(f"probability at least {options.draft_probability:g}")
    return ", ".join([*words, f"acceptance rule “{options.acceptance}”"])


def _model(model: ModelIdentity) -> str:
    words = [markdown_text(model.title), markdown_text(model.file), bytes_text(model.size_bytes)]
    if model.header_digest:
        words.append(f"SHA-256 of the header {markdown_text(model.header_digest)}")
    return ", ".join(words)


def _quoted(prompt: Prompt) -> str:
    """A prompt as a quotation, each line one that cannot be taken for anything else."""
    text = prompt.text if len(prompt.text) <= _LONGEST_PROMPT else prompt.text[:_LONGEST_PROMPT] + "…"
    return "\n".join(f"> {markdown_text(line)}\\" for line in text.splitlines()).removesuffix("\\")


def _moment(seconds: float) -> str:
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M} UTC"


def _variant_cells(variant: Variant) -> tuple[object, ...]:
    options = variant.speculation
    draft = variant.draft.title if variant.draft is not None else ""
    if not variant.drafts:
        return (variant.id, options.mode.value, draft, "", "", "", "")
    limits = (options.max_draft_tokens, options.min_draft_tokens, options.draft_probability)
    return (variant.id, options.mode.value, draft, *limits, options.acceptance.value)


def _cell(value: object) -> object:
    """A value as a spreadsheet may have it: texts on one line, and none a formula."""
    if not isinstance(value, str):
        return value
    text = printable(value)
    return f"'{text}" if text.lstrip().startswith(_FORMULA_SIGNS) else text
