"""What is said of plans and of what came of them."""

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication

from app.core.experiment import Experiment, Plan, Run
from app.core.plan_time import seconds_about
from app.figures import time_left_text
from app.ui.moments import moment_text

translate = QCoreApplication.translate


def amount_text(plan: Plan, runs: Sequence[Run]) -> str:
    """How much a plan is: "16 answers in all, about 3 min". `runs` were measured before."""
    answers = len(plan.variants) * len(plan.prompts) * plan.repeats
    seconds = seconds_about(plan, runs)
    if seconds is None:
        return translate("PlanParts", "{count} answers in all").format(count=answers)
    words = translate("PlanParts", "{count} answers in all, about {time}")
    return words.format(count=answers, time=time_left_text(seconds))


def measured_text(experiment: Experiment) -> str:
    """Where a result is from: "Measured 2026-11-30 09:12 with Coder 1.5B · F16."."""
    words = translate("PlanParts", "Measured {moment} with {target}.")
    return words.format(moment=moment_text(experiment.created), target=experiment.target.title)


def models_text(experiment: Experiment) -> str:
    """What was measured, for captions: the model, its drafts, the machine."""
    drafts = dict.fromkeys(each.draft.title for each in experiment.variants if each.draft is not None)
    models = experiment.target.title
    if drafts:
        words = translate("PlanParts", "{target}, drafted by {drafts}")
        models = words.format(target=models, drafts=" · ".join(drafts))
    return f"{models} — {experiment.machine.processor}"
