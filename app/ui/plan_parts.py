"""What every plan of a comparison takes over from the model's config, and what is said of plans."""

import secrets
from collections.abc import Sequence
from datetime import datetime

from msgspec.structs import replace
from PySide6.QtCore import QCoreApplication

from app.core.experiment import Experiment, Plan, Run
from app.core.options import SamplingOptions
from app.core.plan_time import seconds_at_most
from app.core.prompts import Prompt
from app.figures import time_left_text
from app.settings import ModelConfig

translate = QCoreApplication.translate

_SEEDS = 2**32


def sampling_of(config: ModelConfig) -> SamplingOptions:
    """How the model samples, with one seed for all runs: the config's, or one that is drawn here."""
    seed = secrets.randbelow(_SEEDS) if config.seed is None else config.seed
    return replace(config.sampling, seed=seed)


def prompt_with_system(prompt: Prompt, config: ModelConfig) -> Prompt:
    """The prompt as this model would be asked: with the model's system prompt where it brings none."""
    if prompt.system is not None or not config.system_prompt.strip():
        return prompt
    return replace(prompt, system=config.system_prompt)


def amount_text(plan: Plan, runs: Sequence[Run]) -> str:
    """How much a plan is: "16 answers in all, at most about 3 min". `runs` were measured before."""
    answers = len(plan.variants) * len(plan.prompts) * plan.repeats
    seconds = seconds_at_most(plan, runs)
    if seconds is None:
        return translate("PlanParts", "{count} answers in all").format(count=answers)
    words = translate("PlanParts", "{count} answers in all, at most about {time}")
    return words.format(count=answers, time=time_left_text(seconds))


def measured_text(experiment: Experiment) -> str:
    """Where a result is from: "Measured 2026-11-30 09:12 with Coder 1.5B · F16."."""
    moment = datetime.fromtimestamp(experiment.created).strftime("%Y-%m-%d %H:%M")
    words = translate("PlanParts", "Measured {moment} with {target}.")
    return words.format(moment=moment, target=experiment.target.title)


def models_text(experiment: Experiment) -> str:
    """What was measured, for captions: the model, its drafts, the machine."""
    drafts = dict.fromkeys(each.draft.title for each in experiment.variants if each.draft is not None)
    models = experiment.target.title
    if drafts:
        words = translate("PlanParts", "{target}, drafted by {drafts}")
        models = words.format(target=models, drafts=" · ".join(drafts))
    return f"{models} — {experiment.machine.processor}"
