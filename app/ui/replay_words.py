"""What happens in a round, in words."""

from PySide6.QtCore import QCoreApplication

from app.core.acceptance_rules import drafted_probability
from app.core.options import AcceptanceRule, SpeculationOptions
from app.core.replay import JudgedRound, RuleTotal, time_of
from app.core.stats import DraftSource
from app.core.trace import TracedRound, TracedToken
from app.ui.expect_words import share_text, span_text
from app.ui.shown_text import shown

translate = QCoreApplication.translate

_LONGEST = 24  # characters of a token in a sentence
_SIGNS = str.maketrans({" ": "·", "\n": "⏎", "\t": "⇥", "\r": "⏎"})


def token_sign(text: str) -> str:
    """A token on one line, with its blanks to be seen: "·sort", "⏎"."""
    return shown(text.translate(_SIGNS)) if text else "∅"


def quoted(text: str) -> str:
    """A token in a sentence."""
    sign = token_sign(text)
    return f"“{sign if len(sign) <= _LONGEST else sign[:_LONGEST] + '…'}”"


def proposed_sentence(round_: TracedRound) -> str:
    """What the drafter does."""
    count = len(round_.proposed)
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
    if not round_.proposed:
        if first:
            return translate("Replay", "Reading the prompt gives the first token. Nothing is drafted yet.")
        return translate("Replay", "Nothing was drafted: a plain step, one token.")
    told = [_verdict(round_, judged, rule)]
    if not judged.as_it_ran:
        told.append(
            translate("Replay", "The answer ran otherwise here, so what would have followed is not known.")
        )
    return " ".join(told)


def drafting_sentence(round_: TracedRound) -> str:
    """How long the drafter took."""
    return translate("Replay", "Drafting {time}").format(time=span_text(time_of(round_).draft_s))


def time_sentence(round_: TracedRound) -> str:
    """Where a round's time went."""
    time, tokens = time_of(round_), round_.stats.emitted
    if time.total_s <= 0.0:
        return translate("Replay", "Its time is that of reading the prompt.")
    parts = []
    if time.draft_s > 0.0 and round_.proposed:
        parts.append(translate("Replay", "drafting {time}").format(time=span_text(time.draft_s)))
    parts.append(translate("Replay", "checking {time}").format(time=span_text(time.check_s + time.sample_s)))
    words = (
        translate("Replay", "One token in {time}: {parts}")
        if tokens == 1
        else translate("Replay", "{count} tokens in {time}: {parts}")
    )
    return words.format(count=tokens, time=span_text(time.total_s), parts=", ".join(parts))


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
    return translate("Replay", "{kept} of {tested}").format(kept=total.kept, tested=total.tested)


def reason(rule: SpeculationOptions, token: TracedToken, kept: bool) -> str:
    """Why a rule keeps a token or not. p is the target's probability, q the draft's."""
    p = token.target_probability
    match rule.acceptance:
        case AcceptanceRule.REJECTION if not token.target_is_greedy:
            q = 1.0 if token.drawn_probability is None else token.drawn_probability
            words = (
                translate("Replay", "the random number {luck} is below p / q = {ratio}")
                if kept
                else translate("Replay", "the random number {luck} is not below p / q = {ratio}")
            )
            return words.format(luck=_figure(token.luck), ratio=_ratio(p, q))
        case AcceptanceRule.MATCH | AcceptanceRule.REJECTION:
            return (
                translate("Replay", "the target drew the same token")
                if kept
                else translate("Replay", "the target drew another token")
            )
        case _ if p == 0.0:
            return translate("Replay", "the target rules it out")
        case AcceptanceRule.TOP_K:
            words = translate(
                "Replay", "it is number {rank} of the target's likeliest tokens, the limit is {limit}"
            )
            return words.format(rank=token.target_rank + 1, limit=rule.top_k_limit)
    q = drafted_probability(token.drawn_probability, token.draft_probability)
    if rule.acceptance is AcceptanceRule.DIFFERENCE:
        words = translate("Replay", "|p − q| is {difference}, the limit is {limit}")
        return words.format(difference=_figure(abs(p - q)), limit=f"{rule.difference_limit:g}")
    words = translate("Replay", "p / q is {ratio}, the limit is {limit}")
    return words.format(ratio=_ratio(p, q), limit=f"{rule.ratio_limit:g}")


def probabilities_text(token: TracedToken) -> str:
    """What both models think of a token."""
    target = translate("Replay", "target {share}").format(share=share_text(token.target_probability))
    if token.draft_probability is None:
        return target
    draft = translate("Replay", "draft {share}").format(share=share_text(token.draft_probability))
    return f"{draft}, {target}"


def _verdict(round_: TracedRound, judged: JudgedRound, rule: SpeculationOptions) -> str:
    count, kept = len(round_.proposed), judged.kept
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
    if kept == 0:
        begin = translate("Replay", "It is not kept.") if count == 1 else translate("Replay", "None is kept.")
    else:
        begin = translate("Replay", "{kept} of {count} are kept.").format(kept=kept, count=count)
    token = round_.proposed[kept]
    why = reason(rule, token, kept=False)
    if judged.own_text is None:
        words = translate("Replay", "{token} is not: {why}.")
    else:
        words = translate("Replay", "{own} stands in place of {token}: {why}.")
    rest = words.format(token=quoted(token.text), own=quoted(judged.own_text or ""), why=why)
    return f"{begin} {rest}"


def _figure(value: float) -> str:
    return f"{value:.2f}"


def _ratio(p: float, q: float) -> str:
    return f"{p / q:.2f}" if q > 0.0 else "∞"
