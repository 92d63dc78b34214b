"""What the history says about an experiment. Each part has a first line and a smaller second one."""

from collections.abc import Iterator
from datetime import date

from PySide6.QtCore import QCoreApplication, QDate, QLocale

from app.core.experiment import ExperimentKind
from app.core.experiment_entry import ExperimentEntry
from app.core.experiment_file import FORMAT, is_read
from app.core.gain import Gain
from app.core.sameness import Sameness
from app.figures import MISSING, times_text
from app.models.model_names import printable
from app.ui.moments import local_moment

translate = QCoreApplication.translate

Lines = tuple[str, str]


def date_lines(created: float, today: date) -> Lines:
    """The day and the time: "today", "14:32"."""
    moment = local_moment(created)
    if moment is None:
        return MISSING, ""
    time = f"{moment:%H:%M}"
    match (today - moment.date()).days:
        case 0:
            return translate("History", "today"), time
        case 1:
            return translate("History", "yesterday"), time
        case _:
            day = QDate(moment.year, moment.month, moment.day)
            return QLocale().toString(day, "d MMM yyyy"), time


def model_lines(entry: ExperimentEntry) -> Lines:
    """The target, and what drafted for it."""
    names = [printable(title) for title in entry.drafts]
    if entry.looks_up:
        names.append(translate("History", "Prompt Lookup"))
    drafted = translate("History", "drafted by {names}").format(names=", ".join(names)) if names else ""
    return printable(entry.target) or MISSING, drafted


def prompt_lines(entry: ExperimentEntry) -> Lines:
    """What was asked, and in which way."""
    return printable(entry.prompt) or MISSING, _kind_text(entry)


def result_lines(entry: ExperimentEntry) -> Lines:
    """What came of it: "2.02× · one run", "identical"."""
    first = ", ".join(filter(None, _doubts(entry)))
    speedup = times_text(entry.speedup)
    return f"{speedup} · {first}" if first else speedup, ", ".join(filter(None, _remarks(entry)))


def result_text(entry: ExperimentEntry) -> str:
    """The same on one line: "2.02× · identical"."""
    return " · ".join(line for line in result_lines(entry) if line)


def title_text(entry: ExperimentEntry) -> str:
    """By what a person knows it again, in a few words."""
    prompt, _ = prompt_lines(entry)
    return prompt if len(prompt) <= 60 else f"{prompt[:59]}…"


def count_text(shown: int, count: int, *, narrowed: bool) -> str:
    """How many there are: "12 comparisons"; with a search "2 of 12 comparisons"."""
    if narrowed:
        return translate("History", "{shown} of {count} comparisons").format(shown=shown, count=count)
    if count == 1:
        return translate("History", "1 comparison")
    return translate("History", "{count} comparisons").format(count=f"{count:,}")


def _kind_text(entry: ExperimentEntry) -> str:
    match entry.kind:
        case ExperimentKind.PROMPT:
            return translate("History", "Prompt")
        case ExperimentKind.SUITE if entry.prompts == 1:
            return translate("History", "Suite, 1 prompt")
        case ExperimentKind.SUITE:
            return translate("History", "Suite, {count} prompts").format(count=entry.prompts)
        case ExperimentKind.SWEEP:
            return translate("History", "Sweep")
        case _:
            return ""


def _remarks(entry: ExperimentEntry) -> tuple[str, ...]:
    if entry.format > FORMAT:
        return (translate("History", "of a newer version"),)
    if not is_read(entry.format):
        return (translate("History", "of an older version"),)
    return (
        _sameness(entry),
        "" if entry.is_complete else translate("History", "stopped early"),
    )


def _doubts(entry: ExperimentEntry) -> Iterator[str]:
    """What stands beside the factor."""
    if entry.gain is None or not is_read(entry.format):
        return
    if entry.gain is Gain.SHORT:
        yield translate("History", "too short to tell")
        return
    if entry.gain is Gain.EVEN:
        yield translate("History", "even")
    if not entry.is_sure:
        yield translate("History", "one run") if entry.runs == 1 else translate("History", "few runs")


def _sameness(entry: ExperimentEntry) -> str:
    match entry.sameness:
        case Sameness.IDENTICAL if entry.may_change:
            return translate("History", "identical here")
        case Sameness.IDENTICAL:
            return translate("History", "identical")
        case Sameness.NEAR_TIE:
            return translate("History", "near-tie")
        case Sameness.RESAMPLED:
            return translate("History", "resampled")
        case Sameness.DIFFERS:
            return translate("History", "text differs")
        case None:
            return ""
