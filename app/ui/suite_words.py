"""What a suite came to, in words."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QCoreApplication

from app.core.experiment import FirstDifference, Variant
from app.core.gain import Gain
from app.core.suite_result import SuiteResult, SuiteRow
from app.figures import MISSING, times_text

_MOST_NAMED = 3


def _tr(text: str) -> str:
    return QCoreApplication.translate("SuiteWords", text)


def kind_text(kind: str | None, titles: Mapping[str, str]) -> str:
    """The kind of a prompt: a suite's title; of another file, its name."""
    return _tr("Own prompt") if kind is None else titles.get(kind, kind)


def prompt_text(row: SuiteRow) -> str:
    """The prompt's id, or how many prompts a row stands for."""
    if row.prompt is not None:
        return row.prompt
    return _tr("{count} prompts").format(count=row.prompts)


def sameness_text(row: SuiteRow) -> str:
    """Whether the text is the same: "Yes", "Near-tie at 12", "Differs at 12"."""
    if row.identical is None:
        return MISSING
    if row.identical:
        return _tr("Yes")
    if row.difference is None:
        return _tr("Near-ties") if row.near_ties_only else _tr("Not all")
    number = row.difference.position + 1
    words = _tr("Near-tie at {number}") if row.near_ties_only else _tr("Differs at {number}")
    return words.format(number=f"{number:,}")


def interval_text(row: SuiteRow) -> str:
    """The interval of a speed-up: "1.92 to 2.10"; empty where there is none."""
    if row.interval is None:
        return ""
    return _tr("{low} to {high}").format(low=f"{row.interval.low:.2f}", high=f"{row.interval.high:.2f}")


def details_text(row: SuiteRow, reference: Variant, judged: Variant) -> str:
    """More on one prompt, in a sentence or two."""
    if row.prompt is None:
        return _tr("Rates and speed-ups of several prompts are geometric means.")
    parts = []
    if row.difference is not None:
        parts.append(_difference_text(row.difference, reference, judged))
    elif row.identical:
        parts.append(_tr("Both give the same text, token for token."))
    if row.gain is Gain.EVEN:
        parts.append(_tr("No difference in speed that can be told from the noise."))
    return " ".join(parts)


def headline(result: SuiteResult) -> str:
    """The mean in a few words."""
    if result.speedup is None:
        return _tr("No speed")
    return _tr("{factor} as fast").format(factor=times_text(result.speedup))


def note(result: SuiteResult) -> str:
    """What the mean is of."""
    if result.compared < 2:
        return ""
    return _tr("on average over {count} prompts").format(count=result.compared)


def sentence(result: SuiteResult, titles: Mapping[str, str]) -> str:
    """What came of it: "Faster on 6 of 8 prompts, 1.30× on average; slower on Story."."""
    if not result.compared or result.speedup is None:
        return _tr("No prompt has two speeds to compare: a speed takes two tokens.")
    parts = [_first_part(result)]
    slower = [kind for kind in result.kinds if kind.gain is Gain.SLOWER]
    if slower and result.slower < result.compared:
        parts.append(_tr("slower on {kinds}").format(kinds=_named(slower, titles)))
    elif result.even and result.even < result.compared:
        parts.append(_tr("no clear difference on {count}").format(count=result.even))
    return "; ".join(parts) + "."


def spread_sentence(result: SuiteResult, titles: Mapping[str, str]) -> str:
    """That the gain depends on the prompt, with the figures; empty of a single kind."""
    if len(result.kinds) < 2:
        return ""
    best, worst = result.kinds[0], result.kinds[-1]
    return _tr("The gain depends on the prompt: {best} on {best_kind}, {worst} on {worst_kind}.").format(
        best=times_text(best.speedup),
        best_kind=kind_text(best.kind, titles),
        worst=times_text(worst.speedup),
        worst_kind=kind_text(worst.kind, titles),
    )


def _first_part(result: SuiteResult) -> str:
    if result.compared == 1:
        words = {
            Gain.FASTER: _tr("Faster on this prompt"),
            Gain.SLOWER: _tr("Slower on this prompt"),
            Gain.EVEN: _tr("No clear difference on this prompt"),
        }
        return words[Gain.FASTER if result.faster else Gain.SLOWER if result.slower else Gain.EVEN]
    if result.faster:
        text = _tr("Faster on {count} of {all} prompts, {factor} on average")
        count = result.faster
    elif result.slower:
        text = _tr("Slower on {count} of {all} prompts, {factor} on average")
        count = result.slower
    else:
        text = _tr("No clear difference on any of {all} prompts, {factor} on average")
        count = 0
    return text.format(count=count, all=result.compared, factor=times_text(result.speedup))


def _named(kinds: Sequence[SuiteRow], titles: Mapping[str, str]) -> str:
    """The worst first."""
    names = [kind_text(kind.kind, titles) for kind in reversed(kinds)]
    if len(names) > _MOST_NAMED:
        more = _tr("{count} more").format(count=len(names) - _MOST_NAMED)
        names = [*names[:_MOST_NAMED], more]
    return (
        names[0]
        if len(names) == 1
        else _tr("{first} and {last}").format(first=", ".join(names[:-1]), last=names[-1])
    )


def _difference_text(first: FirstDifference, reference: Variant, judged: Variant) -> str:
    number = f"{first.position + 1:,}"
    if first.expected_text is None and first.found_text is None:
        return _tr("The texts differ from token {number} on.").format(number=number)
    words = _tr("Token {number}: “{expected}” with {reference}, “{found}” with {judged}.").format(
        number=number,
        expected=_token(first.expected_text),
        found=_token(first.found_text),
        reference=reference.id,
        judged=judged.id,
    )
    if first.expected_logit is None or first.found_logit is None:
        return words
    logits = _tr("Their logits are {expected} and {found}").format(
        expected=f"{first.expected_logit:.2f}", found=f"{first.found_logit:.2f}"
    )
    ending = _tr("a near-tie.") if first.near_tie else _tr("no near-tie.")
    return f"{words} {logits}: {ending}"


def _token(text: str | None) -> str:
    return _tr("the end") if text is None else text.replace("\n", "↵")
