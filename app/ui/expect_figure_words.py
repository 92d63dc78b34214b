"""What the figures of an expectation mean, and where they come from."""

from PySide6.QtCore import QCoreApplication

from app.core.expectation import accepted_share
from app.core.measured_assumptions import Assumptions
from app.core.pass_costs import PassCosts
from app.figures import duration_text, share_text
from app.ui.cost_measurement import CostProgress
from app.ui.expect_words import chance_text, span_text
from app.ui.identities import identity_of
from app.ui.session_state import Setup

translate = QCoreApplication.translate


def chance_meaning(figures: Assumptions) -> str:
    """What the chance of each token is, and what the other pages call acceptance."""
    return translate(
        "Expect",
        "If all before it were kept. In drafts of {count}, {share} of the tested tokens are accepted.",
    ).format(count=figures.drafted, share=share_text(accepted_share(figures.acceptance, figures.drafted)))


def check_meaning(figures: Assumptions, followed: PassCosts | None) -> str:
    """What the verification cost is, and where the costs of other lengths come from."""
    if followed is None:
        words = translate(
            "Expect", "What a check of {count} takes, in plain steps. Other lengths in proportion."
        )
    elif figures.drafted < followed.longest:
        words = translate("Expect", "A check of {count} in plain steps, as measured.")
    else:
        words = translate("Expect", "A check of {count} in plain steps, going on as those measured.")
    return words.format(count=figures.drafted)


def conversion_text(accepted: float, figures: Assumptions) -> str:
    """How a comparison's acceptance becomes the chance of each token."""
    return translate(
        "Expect",
        "There {accepted} of the tested tokens were accepted. What follows a wrong token is lost with it, so "
        "that is a chance of {chance} for each.",
    ).format(accepted=share_text(accepted), chance=share_text(figures.acceptance))


def figures_text(figures: Assumptions) -> str:
    """All five in a line, for a picture."""
    return translate(
        "Expect",
        "Target speed {target} tok/s · Draft speed {draft} tok/s · Draft length {count} · "
        "Chance of each token {chance} · Verification cost {check}×",
    ).format(
        target=f"{figures.target_rate:g}",
        draft=f"{figures.draft_rate:g}",
        count=figures.drafted,
        chance=chance_text(figures.acceptance),
        check=f"{figures.check_factor:g}",
    )


def here_text(setup: Setup, processor: str) -> str:
    """Which models are loaded on which machine."""
    models = identity_of(setup.target).title
    if setup.draft is not None:
        words = translate("Expect", "{target}, drafted by {draft}")
        models = words.format(target=models, draft=identity_of(setup.draft).title)
    return f"{models} — {processor}"


def progress_text(progress: CostProgress) -> str:
    """How far a measurement is."""
    words = (
        translate("Expect", "The times differ, so measuring goes on: {done} of {of} passes, {time}")
        if progress.is_repeated
        else translate("Expect", "Measuring: {done} of {of} passes, {time}")
    )
    return words.format(done=progress.done, of=progress.of, time=duration_text(progress.seconds))


def measured_text(costs: PassCosts, drafted: int) -> str:
    """What a measurement gave."""
    words = (
        translate("Expect", "Measured here: {step} for a plain step, {check} for a check of {count}.")
        if costs.draft_s is None
        else translate(
            "Expect",
            "Measured here: {step} for a plain step, {draft} for drafting a token, {check} for a check of "
            "{count}.",
        )
    )
    if drafted >= costs.longest:
        words += " " + translate(
            "Expect", "That check is longer than those measured, and goes on as they do."
        )
    if costs.draft_s is None:
        words += " " + translate("Expect", "No draft model is loaded, so its speed stays as it is set.")
    return words.format(
        step=span_text(costs.step_s),
        draft=span_text(costs.draft_s or 0.0),
        count=drafted,
        check=span_text(costs.pass_s(drafted + 1)),
    )
