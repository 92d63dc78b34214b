"""Why a comparison cannot begin, in a sentence: the one place that says so."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QCoreApplication

from app.core.errors import OptionsError
from app.core.experiment import ExperimentKind, Plan
from app.core.options import SpeculationMode
from app.ui.option_problems import sentence
from app.ui.session import Session
from app.ui.session_state import Loading, Running
from app.ui.side import Side
from app.ui.variant_words import variant_text

translate = QCoreApplication.translate


def engine_problem(session: Session, *, comparing: bool) -> str:
    """Why nothing at all can be compared now; empty where nothing is in the way.

    `comparing` tells whether a comparison is under way.
    """
    state = session.state
    if isinstance(state, Loading):
        return translate("Comparison", "The model is being loaded.")
    if not isinstance(state, Running):
        return translate("Comparison", "Load a model to compare.")
    if comparing:
        return translate("Comparison", "Another comparison is running.")
    if session.is_answering:
        return translate("Comparison", "The chat's answer comes first.")
    if session.is_measuring:
        return translate("Comparison", "The engine is being measured.")
    return ""


def follow_engine(session: Session, heard: Callable[[], None]) -> None:
    """Calls `heard`, a bound method, whenever what `engine_problem` says may have changed."""
    for changed in (
        session.state_changed,
        session.measuring_changed,
        session.answer_finished,
        session.answer_failed,
        session.answer_lost,
    ):
        changed.connect(heard)


def problem_of(plan: Plan, sides: Sequence[Side], session: Session, *, comparing: bool) -> str:
    """What is in the way of carrying out a plan now; empty where nothing is."""
    problem = engine_problem(session, comparing=comparing) or _problem_of_plan(plan)
    return problem or _problem_of_sides(sides, session)


def too_long_text(plan: Plan, prompt: str, context_length: int) -> str:
    """A prompt, by its id, does not fit into the context: there is no conversation to be shortened here."""
    words = translate(
        "Comparison",
        "The prompt is longer than the context of {context} tokens. Shorten the prompt, or load the model "
        "with a longer context.",
    )
    if len(plan.prompts) > 1:
        words = translate(
            "Comparison",
            "The prompt “{prompt}” is longer than the context of {context} tokens. Leave it out, or load the "
            "model with a longer context.",
        )
    return words.format(prompt=prompt, context=f"{context_length:,}")


def _problem_of_plan(plan: Plan) -> str:
    if not plan.prompts and plan.kind is ExperimentKind.SUITE:
        return translate("Comparison", "Choose prompts to compare with.")
    if not plan.prompts or any(not prompt.text.strip() for prompt in plan.prompts):
        return translate("Comparison", "Write a prompt to compare with.")
    if plan.kind is ExperimentKind.SWEEP and not any(variant.drafts for variant in plan.variants):
        return translate("Comparison", "Choose a draft model or prompt lookup.")
    try:
        plan.check()
    except OptionsError as error:
        return str(error)
    problems = [*plan.sampling.problems(), *plan.limits.problems()]
    return " ".join(map(sentence, problems))


def _problem_of_sides(sides: Sequence[Side], session: Session) -> str:
    running = session.state
    assert isinstance(running, Running)
    for side in sides:
        speculation = side.variant.speculation
        if problems := speculation.problems():
            return " ".join(map(sentence, problems))
        if side.variant.drafts and running.loaded.refusal is not None:
            return running.loaded.refusal.sentence
        if speculation.mode is SpeculationMode.DRAFT_MODEL and side.draft is None:
            name = variant_text(side.variant)
            return translate("Comparison", "Choose a draft model for “{name}”.").format(name=name)
    return ""
