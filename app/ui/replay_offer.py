"""What a replay can record: an answer of the comparison that is shown, or an example; or why nothing."""

from PySide6.QtCore import QCoreApplication

from app.core.experiment import Experiment
from app.core.options import GenerationLimits, SamplingOptions
from app.ui.compare_services import CompareServices
from app.ui.comparison_problems import engine_problem
from app.ui.identities import is_model
from app.ui.session_state import Loading, Running
from app.ui.side import default_sides
from app.ui.trace_recorder import Recording

translate = QCoreApplication.translate

_EXAMPLE_TOKENS = 64


def recording_problem(services: CompareServices, experiment: Experiment | None) -> str:
    """Why nothing can be recorded now; empty where it can. Without an experiment an example is wanted."""
    state = services.session.state
    if not isinstance(state, Loading | Running):
        if experiment is None:
            return translate("Replay", "Load a model to record an example now.")
        words = translate("Replay", "Load {name} to record this answer.")
        return words.format(name=experiment.target.title)
    is_loaded = isinstance(state, Running)
    if is_loaded and experiment is not None and not is_model(state.setup.target, experiment.target):
        words = translate(
            "Replay", "This comparison was made with {name}. Load that model to record an answer of it."
        )
        return words.format(name=experiment.target.title)
    return engine_problem(services.session, comparing=services.comparison.is_running)


def example_recording(services: CompareServices) -> Recording | None:
    """A short answer by the loaded model's settings; None where there is no model or no prompt."""
    state = services.session.state
    prompts = [prompt for suite in services.suites for prompt in suite.prompts]
    if not isinstance(state, Running) or not prompts:
        return None
    saved = services.preferences.settings.config_for(state.setup.target.path)
    side = default_sides(state, saved, services.library)[1]
    limits = GenerationLimits(max_tokens=_EXAMPLE_TOKENS)
    return Recording(side.variant, prompts[0], SamplingOptions(temperature=0.0), limits)


def offer_text(experiment: Experiment | None, *, is_recorded: bool, problem: str) -> str:
    """What is said beside the offer to record; empty where nothing needs to be."""
    if experiment is not None:
        if is_recorded:
            return ""
        return problem or translate("Replay", "This answer is not recorded round by round yet.")
    if is_recorded:
        return translate("Replay", "A short example. After a comparison its answers can be watched here.")
    after = translate("Replay", "After a comparison its answers can be watched here.")
    return f"{after} {problem or translate('Replay', 'Or record a short example now.')}"
