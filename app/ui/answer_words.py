"""What is said about an answer in figures."""

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication

from app.core.chat import Answer
from app.core.drafting_totals import DraftingTotals, totals_of
from app.core.gain import LEAST_TOKENS
from app.core.stats import GenerationStats, StopReason
from app.figures import MISSING, bytes_text, duration_text, percent_text, rate_text
from app.ui.drafting_words import mean_text, speedup_text
from app.ui.work_colours import CHECKING, DRAFTING, GENERATING, PROMPT, SAMPLING, WorkRole


def summary(answer: Answer) -> list[str]:
    """The line under an answer, figure by figure; the first is the speed, if there is one."""
    stats = answer.stats
    if stats is None or (not stats.generated_tokens and stats.stop_reason is StopReason.STOPPED):
        return []
    words = [] if stats.tok_per_s is None else [rate_text(stats.tok_per_s)]
    words.append(
        _tr("1 token")
        if stats.generated_tokens == 1
        else _tr("{count} tokens").format(count=f"{stats.generated_tokens:,}")
    )
    if stats.time_to_first_token_s is not None:
        words.append(_tr("{time} to first token").format(time=duration_text(stats.time_to_first_token_s)))
    words.append(stop_reason(stats.stop_reason))
    if stats.tested:
        words.append(acceptance(stats))
        words.append(_tr("{share} from drafts").format(share=percent_text(share_from_draft(stats))))
        words.append(estimate(stats))
    elif answer.draft is not None and stats.rounds > 1:
        words.append(_tr("nothing was drafted"))
    if answer.draft is not None:
        named = answer.draft if _is_lookup(answer) else _tr("draft model: {name}").format(name=answer.draft)
        words.append(named)
    return [word for word in words if word]


def estimate(stats: GenerationStats) -> str:
    """How fast drafts made an answer, by estimate; empty where that tells nothing."""
    speedup = stats.estimated_speedup
    if speedup is None or not stats.tested or stats.generated_tokens < LEAST_TOKENS:
        return ""
    return speedup_text(speedup)


def accepted(stats: GenerationStats) -> int:
    """Accepted tokens that are part of the answer: never more than it has."""
    return min(stats.accepted, stats.generated_tokens)


def acceptance(stats: GenerationStats) -> str:
    """How many drafted tokens were accepted, whatever drafted them."""
    return _tr("Accepted {accepted} of {tested} drafted tokens ({share})").format(
        accepted=f"{accepted(stats):,}",
        tested=f"{stats.tested:,}",
        share=percent_text(accepted(stats) / stats.tested if stats.tested else None),
    )


def share_from_draft(stats: GenerationStats) -> float | None:
    """Which share of the answer drafts supplied."""
    return accepted(stats) / stats.generated_tokens if stats.generated_tokens else None


def stop_reason(reason: StopReason) -> str:
    """Why the answer ended."""
    words = {
        StopReason.END_OF_GENERATION: _tr("finished"),
        StopReason.STOP_STRING: _tr("stop string"),
        StopReason.MAX_TOKENS: _tr("token limit"),
        StopReason.CONTEXT_FULL: _tr("context full"),
        StopReason.STOPPED: _tr("stopped by you"),
    }
    return words[reason]


def details(answer: Answer, stats: GenerationStats) -> list[tuple[str, str]]:
    """More about an answer: names and figures."""
    prompt = _tr("{count} tokens").format(count=f"{stats.prompt_tokens:,}")
    if stats.cached_prompt_tokens:
        prompt = _tr("{prompt}, {cached} of them cached").format(
            prompt=prompt, cached=f"{stats.cached_prompt_tokens:,}"
        )
    rows = [(_tr("Model"), answer.target), (_tr("Prompt"), prompt)]
    if answer.draft is not None:
        rows.insert(1, (_tr("Drafts from") if _is_lookup(answer) else _tr("Draft model"), answer.draft))
    if stats.drafted:
        mean = stats.mean_accepted_length
        totals = totals_of(stats)
        rows += [
            (_tr("Rounds"), _rounds(totals)),
            (_tr("Tokens per round"), MISSING if mean is None else f"{mean:.2f}"),
            (_tr("Drafted"), _drafted(stats)),
        ]
        if stats.looked_up and stats.looked_up < stats.tested:
            rows.append((_tr("Accepted"), _by_source(stats, stats.looked_up, stats.looked_up_accepted or 0)))
        if totals.drafting:
            rows.append((_tr("Draft length"), _tr("{tokens} on average").format(tokens=mean_text(totals))))
        if told := estimate(stats):
            rows.append((_tr("Speed-up"), told))
    rows.append((_tr("Peak memory"), bytes_text(stats.peak_rss_bytes)))
    return rows


def details_tips(answer: Answer) -> dict[str, str]:
    """What is to be known of details, by their names."""
    tips = {_tr("Peak memory"): _tr("Of the engine, without draft models that this answer did not use.")}
    if answer.draft is not None and not _is_lookup(answer):
        tips[_tr("Drafted")] = _tr(
            "By the draft model; with an automatic draft length, by the draft model or prompt lookup."
        )
    return tips


def _is_lookup(answer: Answer) -> bool:
    """Answers are stored with a name for people: lookup's is the one that they are begun with."""
    return answer.draft == QCoreApplication.translate("RunningAnswer", "Prompt lookup")


def _rounds(totals: DraftingTotals) -> str:
    """Without the one that reading the prompt gives, as where drafting is shown."""
    paused = totals.rounds - totals.drafting
    if not paused:
        return f"{totals.rounds:,}"
    return _tr("{rounds}, {paused} of them without a draft").format(
        rounds=f"{totals.rounds:,}", paused=f"{paused:,}"
    )


def _drafted(stats: GenerationStats) -> str:
    drafted = f"{stats.drafted:,}"
    if not stats.ignored:
        return drafted
    return _tr("{drafted}, {ignored} of them not verified").format(
        drafted=drafted, ignored=f"{stats.ignored:,}"
    )


def _by_source(stats: GenerationStats, looked_up: int, found: int) -> str:
    """What was accepted of the draft model's tokens, and of those that a lookup found."""
    by_model, tested = stats.accepted - found, stats.tested - looked_up
    return _tr(
        "draft model {model} of {tested} ({share}), lookup {found} of {looked_up} ({of_lookup})"
    ).format(
        model=f"{by_model:,}",
        tested=f"{tested:,}",
        share=percent_text(by_model / tested),
        found=f"{found:,}",
        looked_up=f"{looked_up:,}",
        of_lookup=percent_text(found / looked_up),
    )


def times(stats: GenerationStats) -> Sequence[tuple[str, float, WorkRole]]:
    """Where the time went: what for, seconds, and the role of its colour.

    The rest of the time between tokens comes last.
    """
    spent = [
        (_tr("Prompt"), stats.prompt_s, PROMPT),
        (_tr("Drafting"), stats.draft_s, DRAFTING),
        (_tr("Verifying"), stats.verify_s, CHECKING),
        (_tr("Sampling"), stats.sample_s, SAMPLING),
    ]
    totals = totals_of(stats)
    if totals.drafting < totals.rounds:
        spent[2] = (_tr("Target"), stats.verify_s, CHECKING)
    if not stats.drafted:
        spent[2] = (_tr("Generating"), stats.verify_s, GENERATING)
        del spent[1]
    return spent


def _tr(text: str) -> str:
    return QCoreApplication.translate("AnswerWords", text)
