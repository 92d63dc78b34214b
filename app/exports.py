"""Experiments for other programs: a report in Markdown, and every run's figures as CSV."""

import re
from collections.abc import Iterator, Sequence
from csv import writer
from datetime import UTC, datetime
from io import StringIO

from app.comparison_tables import as_markdown
from app.core.experiment import Experiment, ModelIdentity, Summary, Variant, reference_of
from app.core.gain import Gain
from app.core.options import SpeculationMode, SpeculationOptions
from app.core.prompts import Prompt
from app.core.sameness import Sameness, sameness_in, worst_of
from app.core.suite_result import SuiteResult, suite_result
from app.figures import bytes_text, rate_figure, rate_text
from app.tables import markdown_text, printable

_FORMULA_SIGNS = ("=", "+", "-", "@")  # a spreadsheet takes a text that begins so for a formula
_LONGEST_PROMPT = 2000  # characters

_LENGTH_COLUMNS = ("draft_length", "max_draft_tokens", "min_draft_tokens", "draft_probability")
_VARIANT_COLUMNS = ("variant", "mode", "draft", *_LENGTH_COLUMNS)
_COUNTS = ("generated_tokens", "prompt_tokens", "rounds", "drafted", "tested", "ignored", "accepted")
_BY_LOOKUP = ("looked_up", "looked_up_accepted")
_RATES = ("tok_per_s", "acceptance_rate", "share_from_draft", "mean_accepted_length", "estimated_speedup")
_TIMES = ("prompt_s", "time_to_first_token_s", "decode_s", "draft_s", "verify_s", "sample_s")
_STATS = (*_COUNTS, *_RATES, *_TIMES, "peak_rss_bytes", "stop_reason", *_BY_LOOKUP)


def markdown(experiment: Experiment) -> str:
    """The whole comparison to be read: models, machine, settings, result, tables, differences."""
    parts = [
        f"# Slipstream comparison, {_moment(experiment.created)}",
        "\n".join(_facts(experiment)),
        "## Result",
        "\n".join(f"- {sentence}" for sentence in _results(experiment)),
        as_markdown(experiment),
    ]
    if len(experiment.prompts) == 1:
        parts += ["## Prompt", _quoted(experiment.prompts[0])]
    return "\n\n".join(filter(None, parts)) + "\n"


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
    others = [summary for summary in experiment.summary if summary.variant == reference.id]
    for total in experiment.totals:
        if total.variant == reference.id:
            continue
        own = [summary for summary in experiment.summary if summary.variant == total.variant]
        result = suite_result(experiment.prompts, experiment.variant(total.variant), reference, own + others)
        name, other = markdown_text(total.variant), markdown_text(reference.id)
        speed = _speed_words(result, name, other)
        if result.whole.speedup is None:
            yield speed
        else:
            yield f"{speed} {_identity_words(experiment, own)}"


def _speed_words(result: SuiteResult, name: str, other: str) -> str:
    """What the figures come to, as the window judges them."""
    whole = result.whole
    speedup, interval = whole.speedup, whole.interval
    if speedup is None or result.gain is None:
        return f"{name}: no speed to compare with {other}."
    means = f", medians of {whole.runs}" if whole.runs > 1 else ""
    if whole.prompts > 1:
        means = f", geometric means over {whole.prompts} prompts"
    rates = f"{rate_figure(whole.rate)} against {rate_text(whole.reference_rate)}{means}"
    if result.gain is Gain.SHORT:
        return f"{name} against {other}: too short to tell ({whole.fewest_tokens} tokens): {rates}."
    sure = "one run each" if whole.runs == 1 else "too few runs to know the noise"
    if interval is not None:
        sure = f"{interval.low:.2f} to {interval.high:.2f} times with 95 % confidence"
    if result.scatters:
        return f"{name} against {other}: too noisy to tell ({sure}): {rates}."
    if result.gain is Gain.EVEN:
        return f"{name} against {other}: no clear difference ({sure}): {rates}."
    return f"{name} is {speedup:.2f} times as fast as {other} ({sure}): {rates}."


def _identity_words(experiment: Experiment, summaries: Sequence[Summary]) -> str:
    """Of one variant's summaries."""
    reference = reference_of(experiment.variants)
    match worst_of(sameness_in(each, experiment.variant(each.variant), reference) for each in summaries):
        case None:
            return "Outputs were not compared everywhere."
        case Sameness.IDENTICAL:
            return "The output is identical."
        case Sameness.NEAR_TIE:
            return "The output differs at near-ties alone, as told below."
        case Sameness.RESAMPLED:
            return "The output differs, as it may with rejection sampling."
        case Sameness.DIFFERS:
            return "The output differs, as told below."


def _variant_words(variant: Variant) -> str:
    options = variant.speculation
    if options.mode is SpeculationMode.OFF:
        return "plain generation"
    words = ["prompt lookup"]
    if options.mode is SpeculationMode.DRAFT_MODEL:
        words = ["draft model" if variant.draft is None else markdown_text(variant.draft.title)]
    words += _automatic_words(options) if options.is_automatic else _fixed_words(options)
    return ", ".join([*words, f"acceptance rule “{options.acceptance}”"])


def _automatic_words(options: SpeculationOptions) -> Iterator[str]:
    if options.mode is SpeculationMode.DRAFT_MODEL:
        yield "or prompt lookup where it promises more"
    yield "automatic length"
    yield f"at most {options.longest} tokens"


def _fixed_words(options: SpeculationOptions) -> Iterator[str]:
    yield f"at most {options.longest} tokens"
    if options.min_draft_tokens:
        yield f"at least {options.min_draft_tokens}"
    if options.mode is SpeculationMode.DRAFT_MODEL and options.draft_probability:
        yield f"probability at least {options.draft_probability:g}"


def _model(model: ModelIdentity) -> str:
    words = [markdown_text(model.title), markdown_text(model.file), bytes_text(model.size_bytes)]
    if model.header_digest:
        words.append(f"SHA-256 of the header {markdown_text(model.header_digest)}")
    return ", ".join(words)


def _quoted(prompt: Prompt) -> str:
    """A prompt as it stands, between fences that nothing in it can be taken for."""
    text = prompt.text if len(prompt.text) <= _LONGEST_PROMPT else prompt.text[:_LONGEST_PROMPT] + "…"
    lines = ["\t".join(map(printable, line.split("\t"))) for line in text.splitlines()]
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
    return "\n".join([f"{fence}text", *lines, fence])


def _moment(seconds: float) -> str:
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M} UTC"


def _variant_cells(variant: Variant) -> tuple[object, ...]:
    options = variant.speculation
    draft = variant.draft.title if variant.draft is not None else ""
    lengths: tuple[object, ...] = ("",) * len(_LENGTH_COLUMNS)
    rule = ""
    if variant.drafts:
        fixed = ("", "") if options.is_automatic else (options.min_draft_tokens, options.draft_probability)
        lengths = (options.draft_length.value, options.longest, *fixed)
        rule = options.acceptance.value
    return (variant.id, options.mode.value, draft, *lengths, rule)


def _cell(value: object) -> object:
    """A value as a spreadsheet may have it: texts on one line, and none a formula."""
    if not isinstance(value, str):
        return value
    text = printable(value)
    return f"'{text}" if text.lstrip().startswith(_FORMULA_SIGNS) else text
