"""What is said about drafting while an answer is written, and after it."""

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication

from app.core.drafting_state import DraftingState, Pause
from app.core.drafting_totals import DraftingTotals
from app.core.recent_drafting import Course, DraftingReading, LatelyDrafted
from app.core.stats import DraftSource, RoundStats
from app.figures import share_text

translate = QCoreApplication.translate


def drafting_sentence(reading: DraftingReading, *, by_model: bool = True) -> str:
    """What has been going on; empty before there is anything to tell.

    `by_model`: whether a draft model drafts as well, whose passes are part of what a round costs.
    """
    if reading.whole is not None and reading.whole.drafting:
        return whole_sentence(reading.whole)
    return _lately_sentence(reading.lately, by_model) if reading.lately is not None else ""


def whole_sentence(totals: DraftingTotals) -> str:
    """How an answer was drafted, once it has ended."""
    if totals.mean_length is None or not totals.paused_share:
        words = translate("Drafting", "Drafted {tokens} in every round.")
    else:
        words = translate("Drafting", "Drafted {tokens} at a time, and nothing in {share} of the rounds.")
    return words.format(tokens=mean_text(totals), share=share_text(totals.paused_share or 0.0))


def mean_text(totals: DraftingTotals) -> str:
    """How long the drafts are that were checked: "4.2 tokens"."""
    length = f"{totals.mean_length or 0.0:.1f}".removesuffix(".0")
    return translate("Drafting", "1 token") if length == "1" else _tokens(length)


def speedup_text(speedup: float) -> str:
    """How fast an answer is against plain generation, by estimate."""
    return translate("Drafting", "about {factor}× plain, estimated").format(factor=f"{speedup:.1f}")


def gains(speedup: float | None) -> bool:
    """Whether `speedup_text` tells of a gain."""
    return speedup is not None and round(speedup, 1) > 1.0


def rounds_text(rounds: Sequence[RoundStats]) -> str:
    """The last rounds in figures, for those who cannot see them."""
    if not rounds:
        return translate("Drafting", "No rounds yet")
    paused = sum(not stats.drafted for stats in rounds)
    lines = [
        translate("Drafting", "The last round")
        if len(rounds) == 1
        else translate("Drafting", "The last {count} rounds").format(count=len(rounds))
    ]
    for source in (DraftSource.DRAFT_MODEL, DraftSource.PROMPT_LOOKUP):
        found = [stats for stats in rounds if stats.source is source and stats.drafted]
        if found:
            words = translate("Drafting", "{source}: {drafted} tokens drafted, {accepted} accepted")
            lines.append(
                words.format(
                    source=source_name(source),
                    drafted=f"{sum(stats.drafted for stats in found):,}",
                    accepted=f"{sum(stats.accepted for stats in found):,}",
                )
            )
    if paused:
        lines.append(
            translate("Drafting", "1 round without a draft")
            if paused == 1
            else translate("Drafting", "{count} rounds without a draft").format(count=paused)
        )
    return "\n".join(lines)


def source_name(source: DraftSource) -> str:
    """What drafted, as a name."""
    if source is DraftSource.PROMPT_LOOKUP:
        return translate("Drafting", "Prompt lookup")
    return translate("Drafting", "Draft model")


def _lately_sentence(lately: LatelyDrafted, by_model: bool) -> str:
    match lately.course:
        case Course.PAUSED:
            return _paused_sentence(lately.typical, by_model)
        case Course.STEADY:
            words = translate("Drafting", "Drafting {tokens} {source}.")
        case Course.AT_TIMES:
            words = translate("Drafting", "Now and then {tokens} {source}.")
    told = words.format(tokens=_range(lately), source=_from(lately.sources))
    is_steady = lately.course is Course.STEADY
    why = _costs(lately.typical, by_model) if is_steady else _between(lately.typical)
    return f"{told} {why}".rstrip()


def _range(lately: LatelyDrafted) -> str:
    if lately.shortest == lately.longest == 1:
        return translate("Drafting", "1 token")
    if lately.shortest == lately.longest:
        return _tokens(f"{lately.longest}")
    words = translate("Drafting", "{fewest} to {most} tokens")
    return words.format(fewest=lately.shortest, most=lately.longest)


def _from(sources: tuple[DraftSource, ...]) -> str:
    """Where the drafts come from."""
    match sources:
        case (DraftSource.PROMPT_LOOKUP,):
            return translate("Drafting", "from prompt lookup")
        case (DraftSource.DRAFT_MODEL, DraftSource.PROMPT_LOOKUP):
            return translate("Drafting", "from the draft model and lookup")
        case (DraftSource.PROMPT_LOOKUP, DraftSource.DRAFT_MODEL):
            return translate("Drafting", "from lookup and the draft model")
    return translate("Drafting", "from the draft model")


def _costs(state: DraftingState | None, by_model: bool) -> str:
    """What a round costs here, where that is known."""
    if state is None or state.checked < 2:
        return ""
    words = (
        translate("Drafting", "Checking {count} tokens costs {steps} plain steps here.")
        if state.source is DraftSource.PROMPT_LOOKUP or not by_model
        else translate("Drafting", "Checking {count} tokens costs {steps} plain steps here, drafts included.")
    )
    return words.format(count=state.checked, steps=f"{state.steps:.1f}")


def _between(state: DraftingState | None) -> str:
    """Why some rounds draft nothing, in short."""
    match state.pause if state is not None else None:
        case None:
            return ""
        case Pause.TOO_DEAR:
            words = translate("Drafting", "In between, a draft would cost too much.")
        case Pause.TOO_OFTEN_WRONG:
            words = translate("Drafting", "In between, too few guesses would be right.")
        case Pause.NOTHING_FOUND:
            words = translate("Drafting", "In between, there is nothing to copy.")
        case Pause.CATCHING_UP:
            words = translate("Drafting", "In between, the draft model has too much to read first.")
        case Pause.OUT_OF_REACH:
            words = translate("Drafting", "In between, the draft model cannot follow the text.")
        case Pause.NO_ROOM:
            words = translate("Drafting", "In between, there is no room for a draft.")
    return words


def _paused_sentence(state: DraftingState | None, by_model: bool) -> str:
    if state is None or state.pause is None:
        return translate("Drafting", "Nothing to draft in the last rounds.")
    match state.pause:
        case Pause.TOO_DEAR:
            words = (
                translate(
                    "Drafting",
                    "Paused: checking {count} tokens costs {steps} plain steps here, drafts included. Even "
                    "right guesses would lose.",
                )
                if by_model
                else translate(
                    "Drafting",
                    "Paused: checking {count} tokens costs {steps} plain steps here. Even right guesses "
                    "would lose.",
                )
            )
            return words.format(count=state.checked, steps=f"{state.steps:.1f}")
        case Pause.TOO_OFTEN_WRONG:
            return f"{_wrong_sentence(state)} {_costs(state, by_model)}".rstrip()
        case Pause.NOTHING_FOUND:
            return translate(
                "Drafting", "Paused: nothing like this stands in the text, so nothing is copied."
            )
        case Pause.CATCHING_UP:
            return translate(
                "Drafting", "Paused: the draft model would have too much of the text to read first."
            )
        case Pause.OUT_OF_REACH:
            return translate(
                "Drafting",
                "Paused: the draft model cannot follow. Its context is full, or it does not know a token of "
                "the text.",
            )
        case Pause.NO_ROOM:
            return translate("Drafting", "Paused: the answer or its context is about to end.")


def _wrong_sentence(state: DraftingState) -> str:
    expected = share_text(state.acceptance)
    if state.needed is None or state.needed <= state.acceptance or share_text(state.needed) == expected:
        return translate("Drafting", "Paused: too few guesses would be right.")
    words = translate("Drafting", "Paused: {expected} of guesses would be right, and it takes {needed}.")
    return words.format(expected=expected, needed=share_text(state.needed))


def _tokens(count: str) -> str:
    return translate("Drafting", "{count} tokens").format(count=count)
