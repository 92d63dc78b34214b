"""What the models of expectation come to, in words and figures."""

from PySide6.QtCore import QCoreApplication

from app.core.expectation import (
    StepCosts,
    best_length,
    break_even,
    expected_tokens,
    simple_speedup,
    speedup,
)
from app.core.measured_assumptions import Assumptions
from app.core.options import LONGEST_DRAFT
from app.figures import times_text

translate = QCoreApplication.translate


def span_text(seconds: float) -> str:
    """A length of time in three digits, so that sums can be followed: "33.3 ms", "267 ms", "1.25 s"."""
    if seconds == 0.0:
        return "0 ms"
    value, unit = (seconds, "s") if seconds >= 0.9995 else (1000 * seconds, "ms")
    digits = 2 if value < 9.995 else 1 if value < 99.95 else 0
    return f"{value:.{digits}f} {unit}"


def chance_text(share: float) -> str:
    """A chance in percent, with a decimal where it has one: "70 %", "96.5 %"."""
    return f"{100 * share:.1f}".removesuffix(".0") + " %"


def stale_text(problem: str) -> str:
    """Why what is shown does not follow what is typed."""
    return translate("Expect", "{problem} Until then this is of the last figures that can be used.").format(
        problem=problem
    )


def headline(figures: Assumptions, costs: StepCosts) -> str:
    """The expected speed-up in a few words, for large letters."""
    return translate("Expect", "{factor} as fast").format(
        factor=times_text(speedup(costs, figures.drafted, figures.acceptance))
    )


def verdict(figures: Assumptions, costs: StepCosts) -> str:
    """What would have to be true to gain, in a sentence or two."""
    needed = break_even(costs, figures.drafted)
    if needed is None:
        return _hopeless(figures, costs)
    if needed == 0.0:
        first = translate(
            "Expect", "Here a draft of {count} costs no more than a plain step: it always pays."
        )
    elif figures.acceptance > needed:
        first = translate(
            "Expect",
            "Here a draft of {count} pays when each token has a chance of more than {needed}; it is {share}.",
        )
    else:
        first = translate(
            "Expect",
            "Here a draft of {count} pays only when each token has a chance of more than {needed}; it is "
            "{share}.",
        )
    words = first.format(
        count=figures.drafted, needed=chance_text(needed), share=chance_text(figures.acceptance)
    )
    return f"{words} {_best(figures, costs)}"


def plain_sum(costs: StepCosts, count: int) -> str:
    """The time of so many plain steps: "5 plain steps of 100 ms: 500 ms"."""
    words = (
        translate("Expect", "One plain step: {whole}")
        if count == 1
        else translate("Expect", "{count} plain steps of {step}: {whole}")
    )
    return words.format(count=count, step=span_text(costs.target), whole=span_text(costs.plain(count)))


def round_sum(costs: StepCosts, count: int) -> str:
    """The time of a round: "5 drafts of 33.3 ms and one check of 100 ms: 267 ms"."""
    words = (
        translate("Expect", "One draft of {draft} and one check of {check}: {whole}")
        if count == 1
        else translate("Expect", "{count} drafts of {draft} and one check of {check}: {whole}")
    )
    return words.format(
        count=count,
        draft=span_text(costs.draft),
        check=span_text(costs.check(count)),
        whole=span_text(costs.round(count)),
    )


def simple_results(figures: Assumptions, costs: StepCosts) -> tuple[str, str]:
    """What the simple model comes to: where the draft is always right, and where plain steps are mixed in."""
    count = figures.drafted
    always = translate("Expect", "Always right: {factor} as fast.")
    often = translate("Expect", "Right in {share} of the rounds, plain steps in the rest: {factor} as fast.")
    return (
        always.format(factor=times_text(simple_speedup(costs, count, 1.0))),
        often.format(
            share=chance_text(figures.acceptance),
            factor=times_text(simple_speedup(costs, count, figures.acceptance)),
        ),
    )


def simple_note(figures: Assumptions, costs: StepCosts) -> str:
    """What the simple model leaves out."""
    if simple_speedup(costs, figures.drafted, 1.0) < 1.0:
        return translate(
            "Expect",
            "Here drafts lose even when they are right; with fewer of them it only nears plain steps.",
        )
    return translate("Expect", "It leaves out what a wrong draft costs, and the token that each check adds.")


def standard_sum(figures: Assumptions, costs: StepCosts) -> str:
    """The arithmetic of the standard model."""
    tokens = expected_tokens(figures.acceptance, figures.drafted)
    return translate(
        "Expect", "A round gives {tokens} tokens on average, in {round}. As many plain steps: {plain}."
    ).format(
        tokens=f"{tokens:.2f}",
        round=span_text(costs.round(figures.drafted)),
        plain=span_text(costs.plain(tokens)),
    )


def standard_result(figures: Assumptions, costs: StepCosts) -> str:
    """What the standard model comes to."""
    factor = times_text(speedup(costs, figures.drafted, figures.acceptance))
    return translate("Expect", "{factor} as fast.").format(factor=factor)


def _best(figures: Assumptions, costs: StepCosts) -> str:
    """Which draft length is best; empty where it is the chosen one."""
    best = best_length(costs, figures.acceptance, LONGEST_DRAFT)
    if best == figures.drafted:
        return translate("Expect", "No other length would be faster.")
    if best == 0:
        return translate("Expect", "At this chance no draft pays, however short.")
    return translate("Expect", "A draft of {count} would be best: {factor}.").format(
        count=best, factor=times_text(speedup(costs, best, figures.acceptance))
    )


def _hopeless(figures: Assumptions, costs: StepCosts) -> str:
    """Nothing is gained even where every drafted token is accepted."""
    count = figures.drafted
    others = [length for length in range(1, LONGEST_DRAFT + 1) if break_even(costs, length) is not None]
    words = (
        translate(
            "Expect",
            "A draft of {count} cannot pay here, not even when every token is accepted: its round takes "
            "{round}, and its {tokens} tokens as plain steps {plain}.",
        )
        if others
        else translate(
            "Expect",
            "No draft can pay here, not even when every token is accepted: a round with a draft of {count} "
            "takes {round}, and its {tokens} tokens as plain steps {plain}.",
        )
    )
    return words.format(
        count=count,
        tokens=count + 1,
        round=span_text(costs.round(count)),
        plain=span_text(costs.plain(count + 1)),
    )
