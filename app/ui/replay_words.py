"""What happens in a round, in words."""

from PySide6.QtCore import QCoreApplication

from app.core.experiment import ModelIdentity, Variant
from app.core.options import SpeculationOptions
from app.core.replay import Fate, JudgedRound, RuleTotal
from app.core.stats import DraftSource
from app.core.trace import TracedRound, TracedToken
from app.ui.expect_words import span_text
from app.ui.option_words import rule_text
from app.ui.replay_reasons import probabilities_sentence, reason
from app.ui.token_text import quoted
from app.ui.variant_words import acceptance_text, variant_text

translate = QCoreApplication.translate


def proposed_sentence(round_: TracedRound) -> str:
    """What the drafter does."""
    count = len(round_.tested)
    if round_.stats.source is DraftSource.PROMPT_LOOKUP:
        words = (
            translate("Replay", "One token is copied from the text so far. The target has not seen it yet.")
            if count == 1
            else translate(
                "Replay", "{count} tokens are copied from the text so far. The target has not seen them yet."
            )
        )
    else:
        words = (
            translate("Replay", "The draft model proposes one token. The target has not seen it yet.")
            if count == 1
            else translate(
                "Replay",
                "The draft model proposes {count} tokens, one after the other. The target has not seen them "
                "yet.",
            )
        )
    return words.format(count=count)


def checked_sentence(round_: TracedRound, judged: JudgedRound, rule: SpeculationOptions, first: bool) -> str:
    """What the target's check comes to."""
    if not round_.tested:
        if first:
            return translate("Replay", "Reading the prompt gives the first token. Nothing is drafted yet.")
        return translate("Replay", "Nothing was drafted: a plain step, one token.")
    told = [_verdict(round_, judged, rule)]
    if judged.own_is_drafted:
        told.append(
            translate("Replay", "But the target draws the same token, so it stands there all the same.")
        )
    if not judged.as_it_ran and judged.own_is_drafted:
        told.append(translate("Replay", "How the next round would have gone is not known."))
    elif not judged.as_it_ran:
        told.append(
            translate("Replay", "The answer ran otherwise here, so what would have followed is not known.")
        )
    return " ".join(told)


def drafting_sentence(round_: TracedRound) -> str:
    """How long the drafter took."""
    return translate("Replay", "Drafting {time}").format(time=span_text(round_.stats.draft_s))


def origin_text(target: ModelIdentity, variant: Variant, processor: str = "") -> str:
    """Which models gave an answer, and on what."""
    words = translate("Replay", "{target}, {variant}")
    models = words.format(target=target.title, variant=variant_text(variant, with_draft=True))
    return f"{models} — {processor}" if processor else models


def judged_text(rule: SpeculationOptions) -> str:
    """Which rule judges."""
    return translate("Replay", "Judged by: {rule}").format(rule=acceptance_text(rule))


def text_caption(recorded: SpeculationOptions, *, another_rule: bool) -> str:
    """What the text is, and what its underline means. It stays what was generated, by whatever rule."""
    if not another_rule:
        return translate("Replay", "The answer so far · underlined: from the draft")
    words = translate("Replay", "The answer as it ran, by {rule} · underlined: from the draft")
    return words.format(rule=rule_text(recorded.acceptance))


def time_sentence(round_: TracedRound, *, another_rule: bool = False) -> str:
    """Where a round's time went. By `another_rule` than it ran with the time is not known."""
    stats = round_.stats
    if stats.total_s <= 0.0:
        return translate("Replay", "Its time is that of reading the prompt.")
    if not round_.tested:
        words = translate("Replay", "One token in {time}: a plain step")
    elif another_rule and stats.emitted == 1:
        words = translate("Replay", "As it ran, one token in {time}: drafting {draft}, checking {check}")
    elif another_rule:
        words = translate("Replay", "As it ran, {count} tokens in {time}: drafting {draft}, checking {check}")
    elif stats.emitted == 1:
        words = translate("Replay", "One token in {time}: drafting {draft}, checking {check}")
    else:
        words = translate("Replay", "{count} tokens in {time}: drafting {draft}, checking {check}")
    return words.format(
        count=stats.emitted,
        time=span_text(stats.total_s),
        draft=span_text(stats.draft_s),
        check=span_text(stats.verify_s + stats.sample_s),
    )


def plain_sentence(tokens: int, step_s: float) -> str:
    """The same without a draft."""
    words = (
        translate("Replay", "As a plain step: {time}")
        if tokens == 1
        else translate("Replay", "As {count} plain steps: {time}")
    )
    return words.format(count=tokens, time=span_text(tokens * step_s))


def total_text(total: RuleTotal) -> str:
    """How much a rule keeps."""
    words = translate("Replay", "{accepted} of {tested}")
    return words.format(accepted=total.accepted, tested=total.tested)


def token_sentence(token: TracedToken, fate: Fate, rule: SpeculationOptions) -> str:
    """What became of a drafted token, and what both models think of it."""
    match fate:
        case Fate.KEPT:
            words = translate("Replay", "{token} is kept: {why}.")
        case Fate.REPLACED:
            words = translate("Replay", "{token} is not kept: {why}.")
        case Fate.DROPPED:
            words = translate("Replay", "{token} is dropped: it follows a token that was replaced.")
        case Fate.BEYOND:
            words = translate("Replay", "{token} stands behind the end of the answer.")
    why = reason(rule, token, fate is Fate.KEPT) if fate in (Fate.KEPT, Fate.REPLACED) else ""
    return f"{words.format(token=quoted(token.text), why=why)} {probabilities_sentence(rule, token)}"


def own_sentence(round_: TracedRound, judged: JudgedRound) -> str:
    """What the target's own token is, or why there is none."""
    if judged.ended:
        return translate("Replay", "The answer ends here.")
    if judged.own_text is None:
        return translate("Replay", "What the target would have put here is not recorded.")
    if not round_.tested:
        words = translate("Replay", "{token} is the target's own token.")
    elif judged.own_is_drafted:
        words = translate("Replay", "{token} is the target's own token: the very one that was drafted.")
    elif Fate.REPLACED in judged.fates:
        words = translate(
            "Replay", "{token} is recovered: the target's own token in place of the drafted one."
        )
    else:
        words = translate("Replay", "{token} is the bonus: the target's own token after a draft kept whole.")
    return words.format(token=quoted(judged.own_text))


def _verdict(round_: TracedRound, judged: JudgedRound, rule: SpeculationOptions) -> str:
    count, kept = len(round_.tested), judged.accepted
    if judged.ended:
        return translate("Replay", "The answer ends here.")
    if kept == count:
        words = (
            translate("Replay", "It is kept, and the target adds {own}, its bonus.")
            if count == 1
            else translate("Replay", "All {count} are kept, and the target adds {own}, its bonus.")
        )
        if judged.own_text is None:
            words = (
                translate("Replay", "It is kept.")
                if count == 1
                else translate("Replay", "All {count} are kept.")
            )
        return words.format(count=count, own=quoted(judged.own_text or ""))
    names_own = judged.own_text is not None and not judged.own_is_drafted
    if kept == 0 and count == 1 and not names_own:
        begin = ""
    elif kept == 0:
        begin = translate("Replay", "It is not kept.") if count == 1 else translate("Replay", "None is kept.")
    elif kept == 1:
        begin = translate("Replay", "One of {count} is kept.").format(count=count)
    else:
        begin = translate("Replay", "{kept} of {count} are kept.").format(kept=kept, count=count)
    token = round_.tested[kept]
    why = reason(rule, token, kept=False)
    if names_own:
        words = translate("Replay", "{own} stands in place of {token}: {why}.")
    elif kept == 0:
        words = translate("Replay", "{token} is not kept: {why}.")
    else:
        words = translate("Replay", "{token} is not: {why}.")
    rest = words.format(token=quoted(token.text), own=quoted(judged.own_text or ""), why=why)
    return f"{begin} {rest}" if begin else rest
