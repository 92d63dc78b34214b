"""What a suite came to, in words."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QCoreApplication

from app.core.experiment import Variant
from app.core.gain import Gain
from app.core.sameness import Sameness, lossy_of
from app.core.suite_result import SuiteResult, SuiteRow
from app.figures import MISSING, times_text
from app.ui.difference_words import difference_text, reason_text
from app.ui.gain_words import bounds_text, headline_text, note_text
from app.ui.sameness_words import choice_text, count_parts, rule_cautions, sameness_parts
from app.ui.sentence_parts import Emphasis, Part, joined
from app.ui.variant_words import variant_text
from app.ui.verdict_words import longer_text, scatter_text

translate = QCoreApplication.translate

_MOST_NAMED = 3


def kind_text(kind: str | None, titles: Mapping[str, str]) -> str:
    """The kind of a prompt: a suite's title; of another file, its name."""
    return translate("Suite", "Own prompt") if kind is None else titles.get(kind, kind)


def prompt_text(row: SuiteRow) -> str:
    """The prompt's id, or how many prompts a row stands for."""
    if row.prompt is not None:
        return row.prompt
    if row.prompts == 1:
        return translate("Suite", "1 prompt")
    return translate("Suite", "{count} prompts").format(count=row.prompts)


def sameness_text(row: SuiteRow) -> str:
    """Whether the text is the same: "Yes", "Near-tie at 12", "Differs at 12"."""
    number = f"{row.difference.position + 1:,}" if row.difference is not None else ""
    match row.sameness:
        case None:
            return MISSING
        case Sameness.IDENTICAL:
            return translate("Suite", "Yes")
        case Sameness.NEAR_TIE if number:
            return translate("Suite", "Near-tie at {number}").format(number=number)
        case Sameness.NEAR_TIE:
            return translate("Suite", "Near-ties")
        case Sameness.RESAMPLED if number:
            return translate("Suite", "Resampled at {number}").format(number=number)
        case Sameness.RESAMPLED:
            return translate("Suite", "Resampled")
        case _ if number:
            return translate("Suite", "Differs at {number}").format(number=number)
    return translate("Suite", "Not all")


def details_text(row: SuiteRow, reference: Variant, judged: Variant) -> str:
    """More on one prompt, in a few sentences."""
    if row.prompt is None:
        return translate("Suite", "Rates and speed-ups of several prompts are geometric means.")
    parts = []
    if row.difference is not None and row.sameness is not None:
        parts.append(difference_text(row.difference, variant_text(reference), variant_text(judged)))
        lossy = bool(lossy_of(judged, reference))
        parts.append(reason_text(row.sameness, row.difference, lossy=lossy))
    elif row.sameness is Sameness.IDENTICAL:
        parts.append(translate("Suite", "Both give the same text, token for token."))
    if row.gain is Gain.EVEN:
        parts.append(translate("Suite", "No clear difference in speed."))
    elif row.gain is Gain.SHORT:
        words = translate("Suite", "Too short to tell the speed: {count} tokens.")
        parts.append(words.format(count=row.fewest_tokens))
    return " ".join(parts)


def headline(result: SuiteResult) -> str:
    """The mean in a few words."""
    return headline_text(result.whole.speedup, result.gain, scatters=result.scatters)


def note(result: SuiteResult) -> str:
    """How sure the mean is."""
    whole = result.whole
    if whole.speedup is None or whole.interval is None or result.compared <= 1:
        return note_text(whole.speedup, whole.interval, whole.runs, whole.runs, whole.fewest_tokens)
    bounds = bounds_text(whole.speedup, whole.interval)
    words = translate("Suite", "{interval}, mean of {count} prompts")
    if not bounds:
        words = translate("Suite", "mean of {count} prompts")
    return words.format(interval=bounds, count=result.compared + result.short)


def sentence_parts(
    result: SuiteResult, reference: Variant, judged: Variant, titles: Mapping[str, str], *, is_complete: bool
) -> tuple[Part, ...]:
    """What came of it: "Faster on 6 of 8 prompts, 1.30× on average; slower on Story. Output identical …"."""
    sentences: list[tuple[Part, ...]] = [(Part(_speed_sentence(result, titles)),)]
    if result.compared and result.short:
        words = translate("Suite", "Too short to tell on {count}.")
        sentences.append((Part(words.format(count=result.short)),))
    sentences.append(_sameness_parts(result))
    sentences += [
        (Part(caution, Emphasis.WARNING),) for caution in rule_cautions(lossy_of(judged, reference))
    ]
    if not is_complete:
        sentences.append((Part(translate("Suite", "Stopped early.")),))
    return joined(sentences)


def advice_text(result: SuiteResult, titles: Mapping[str, str]) -> str:
    """What follows from it, where the buttons alone do not say it; may be empty."""
    if result.gain is Gain.FASTER and not result.is_faithful:
        return choice_text(result.whole.sameness)
    if result.gain is Gain.SHORT:
        return longer_text()
    if result.scatters:
        return scatter_text()
    if not result.depends_on_kind:
        return ""
    best, worst = result.kinds[0], result.kinds[-1]
    words = translate(
        "Suite", "The gain depends on the prompt: {best} on {best_kind}, {worst} on {worst_kind}."
    )
    return words.format(
        best=times_text(best.speedup),
        best_kind=kind_text(best.kind, titles),
        worst=times_text(worst.speedup),
        worst_kind=kind_text(worst.kind, titles),
    )


def _speed_sentence(result: SuiteResult, titles: Mapping[str, str]) -> str:
    if result.short and not result.compared:
        return translate("Suite", "The answers are too short to compare their speeds.")
    if not result.compared or result.whole.speedup is None:
        return translate("Suite", "No prompt has two speeds to compare: a speed takes two tokens.")
    slower = [kind for kind in result.kinds if kind.gain is Gain.SLOWER]
    return _speed_template(result, bool(slower)).format(
        faster=result.faster,
        slower=result.slower,
        even=result.even,
        all=result.compared,
        factor=times_text(result.whole.speedup),
        kinds=_named(slower, titles),
    )


def _speed_template(result: SuiteResult, some_kinds_are_slower: bool) -> str:
    if result.compared == 1:
        match result.gain:
            case Gain.FASTER:
                return translate("Suite", "Faster on this prompt.")
            case Gain.SLOWER:
                return translate("Suite", "Slower on this prompt.")
        return translate("Suite", "No clear difference on this prompt.")
    if result.faster and some_kinds_are_slower:
        return translate(
            "Suite", "Faster on {faster} of {all} prompts, {factor} on average; slower on {kinds}."
        )
    if result.faster and result.even:
        return translate(
            "Suite",
            "Faster on {faster} of {all} prompts, {factor} on average; no clear difference on {even}.",
        )
    if result.faster:
        return translate("Suite", "Faster on {faster} of {all} prompts, {factor} on average.")
    if result.slower and result.even:
        return translate(
            "Suite",
            "Slower on {slower} of {all} prompts, {factor} on average; no clear difference on {even}.",
        )
    if result.slower:
        return translate("Suite", "Slower on {slower} of {all} prompts, {factor} on average.")
    return translate("Suite", "No clear difference on any of {all} prompts, {factor} on average.")


def _sameness_parts(result: SuiteResult) -> tuple[Part, ...]:
    whole = result.whole
    if whole.prompts == 1 and result.rows[0].sameness is not None:
        row = result.rows[0]
        return sameness_parts(row.sameness, row.difference, row.tokens)
    return count_parts(whole.sameness, result.same, result.differing, whole.prompts)


def _named(kinds: Sequence[SuiteRow], titles: Mapping[str, str]) -> str:
    """The worst first."""
    names = [kind_text(kind.kind, titles) for kind in reversed(kinds)]
    if len(names) > _MOST_NAMED:
        more = translate("Suite", "{count} more").format(count=len(names) - _MOST_NAMED)
        names = [*names[:_MOST_NAMED], more]
    if len(names) < 2:
        return "".join(names)
    return translate("Suite", "{first} and {last}").format(first=", ".join(names[:-1]), last=names[-1])
