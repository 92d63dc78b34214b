"""Why a comparison cannot begin, in a sentence."""

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication

from app.core.errors import OptionsError
from app.core.experiment import Plan
from app.core.options import SpeculationMode
from app.ui.option_problems import sentence
from app.ui.session import Session
from app.ui.session_state import Loading, Running
from app.ui.side import Side
from app.ui.variant_words import variant_text

translate = QCoreApplication.translate


def problem_of(plan: Plan, sides: Sequence[Side], session: Session) -> str:
    """What is in the way of carrying out a plan now; empty where nothing is."""
    state = session.state
    if isinstance(state, Loading):
        return translate("Comparison", "The model is still loading.")
    if not isinstance(state, Running):
        return translate("Comparison", "Load a model to compare.")
    if session.is_answering:
        return translate("Comparison", "The chat is being answered. Compare when it has ended.")
    if session.is_measuring:
        return translate("Comparison", "Something is being measured already.")
    return _problem_of_plan(plan) or _problem_of_sides(sides, state)


def _problem_of_plan(plan: Plan) -> str:
    if any(not prompt.text.strip() for prompt in plan.prompts):
        return translate("Comparison", "Write a prompt to compare with.")
    try:
        plan.check()
    except OptionsError as error:
        return str(error)
    problems = [*plan.sampling.problems(), *plan.limits.problems()]
    return " ".join(map(sentence, problems))


def _problem_of_sides(sides: Sequence[Side], running: Running) -> str:
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
