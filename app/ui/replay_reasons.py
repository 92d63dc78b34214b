"""Why an acceptance rule keeps a token, in words and figures that can be followed.

p is the target's probability of the token, q the draft's.
"""

from PySide6.QtCore import QCoreApplication

from app.core.acceptance_rules import used_draft_probability, used_target_probability
from app.core.options import AcceptanceRule, SpeculationMode, SpeculationOptions
from app.core.trace import Trace, TracedToken
from app.figures import share_text

translate = QCoreApplication.translate

_DIGITS = 3
_MOST_DIGITS = 7  # beyond them figures may look alike


def compares(rule: SpeculationOptions) -> bool:
    """Whether it sets the target's probability against the draft's."""
    return rule.acceptance in (AcceptanceRule.REJECTION, AcceptanceRule.DIFFERENCE, AcceptanceRule.RATIO)


def reason(rule: SpeculationOptions, token: TracedToken, kept: bool) -> str:
    """Why a rule keeps a token or not."""
    match rule.acceptance:
        case AcceptanceRule.MATCH:
            return (
                translate("Replay", "the target drew the same token")
                if kept
                else translate("Replay", "the target drew another token")
            )
        case AcceptanceRule.REJECTION if token.target_is_greedy:
            return (
                translate("Replay", "at temperature 0 all of the target's probability is on it")
                if kept
                else translate(
                    "Replay", "at temperature 0 all of the target's probability is on another token"
                )
            )
        case AcceptanceRule.REJECTION:
            return _by_luck(rule, token, kept)
        case _ if token.target_probability == 0.0:
            return translate("Replay", "the target rules it out")
        case AcceptanceRule.TOP_K:
            words = translate(
                "Replay", "it is number {rank} of the target's likeliest tokens, the limit is {limit}"
            )
            return words.format(rank=token.target_rank + 1, limit=rule.top_k_limit)
        case AcceptanceRule.DIFFERENCE:
            return _by_difference(rule, token)
        case AcceptanceRule.RATIO:
            return _by_ratio(rule, token)


def probabilities_sentence(rule: SpeculationOptions, token: TracedToken) -> str:
    """What both models think of a token; and what a rule that compares them takes for q instead."""
    if token.drawn_probability is not None:
        words = translate("Replay", "The draft drew it with {draft}, the target gives it {target}.")
    elif token.draft_probability is not None:
        words = translate("Replay", "The draft gives it {draft}, the target {target}.")
    else:
        words = translate("Replay", "The target gives it {target}.")
    told = words.format(
        draft=fine_share_text(shown_draft_probability(token) or 0.0),
        target=fine_share_text(token.target_probability),
    )
    if compares(rule) and shown_draft_probability(token) != used_draft_probability(rule, token):
        told += " " + translate("Replay", "q is taken as\N{NO-BREAK SPACE}1.")
    return told


def shown_draft_probability(token: TracedToken) -> float | None:
    """With what it was drawn, else what the drafter thinks of it; None where it does not think."""
    return token.draft_probability if token.drawn_probability is None else token.drawn_probability


def draft_note(rule: SpeculationOptions, mode: SpeculationMode, trace: Trace) -> str:
    """Why a rule takes 1 for q in an answer that was drafted in this mode; empty where it does not."""
    tokens = [token for round_ in trace.rounds for token in round_.tested]
    certain = (shown_draft_probability(each) != used_draft_probability(rule, each) for each in tokens)
    if not compares(rule) or not any(certain):
        return ""
    if mode is SpeculationMode.PROMPT_LOOKUP:
        return translate("Replay", "Prompt lookup has no probabilities: q is taken as\N{NO-BREAK SPACE}1.")
    return translate(
        "Replay", "The draft took its likeliest token, with nothing left to chance: q is\N{NO-BREAK SPACE}1."
    )


def fine_share_text(share: float) -> str:
    """A share of 1 in percent, small ones with a decimal, so that their ratio can be told: "3.4 %"."""
    if share == 0.0 or share >= 0.0995:
        return share_text(share)
    return "<0.1 %" if share < 0.0005 else f"{100 * share:.1f} %"


def _by_luck(rule: SpeculationOptions, token: TracedToken, kept: bool) -> str:
    p, q = used_target_probability(rule, token), used_draft_probability(rule, token)
    words = (
        translate("Replay", "the random number {luck} is below p / q = {p} / {q} = {ratio}")
        if kept
        else translate("Replay", "the random number {luck} is not below p / q = {p} / {q} = {ratio}")
    )
    luck, ratio = _apart(token.luck, p / q if q > 0.0 else float("inf"))
    return words.format(luck=luck, p=_figure(p), q=_figure(q), ratio=ratio)


def _by_difference(rule: SpeculationOptions, token: TracedToken) -> str:
    p, q = used_target_probability(rule, token), used_draft_probability(rule, token)
    difference, limit = _apart(abs(p - q), rule.difference_limit)
    words = translate("Replay", "|p − q| = |{p} − {q}| = {difference}, the limit is {limit}")
    return words.format(p=_figure(p), q=_figure(q), difference=difference, limit=limit)


def _by_ratio(rule: SpeculationOptions, token: TracedToken) -> str:
    p, q = used_target_probability(rule, token), used_draft_probability(rule, token)
    ratio, limit = _apart(p / q if q > 0.0 else float("inf"), rule.ratio_limit)
    words = translate("Replay", "p / q = {p} / {q} = {ratio}, the limit is {limit}")
    return words.format(p=_figure(p), q=_figure(q), ratio=ratio, limit=limit)


def _apart(one: float, other: float) -> tuple[str, str]:
    """Both in as many digits as it takes to see which is larger."""
    for digits in range(_DIGITS, _MOST_DIGITS):
        if _figure(one, digits) != _figure(other, digits):
            return _figure(one, digits), _figure(other, digits)
    return _figure(one), _figure(other)


def _figure(value: float, digits: int = _DIGITS) -> str:
    if value == float("inf"):
        return "∞"
    return f"{value:.{digits}g}" if value >= 0.0001 else f"{value:.{digits - 1}e}" if value else "0"
