"""Why a comparison cannot be begun now."""

from PySide6.QtCore import QCoreApplication

from app.ui.compare_services import CompareServices
from app.ui.session_state import Loading, Running


def reason_not_to_run(services: CompareServices) -> str:
    """A sentence; empty where nothing is in the way. For tabs without a comparison under way themselves."""
    state = services.session.state
    if isinstance(state, Loading):
        return _tr("The model is being loaded.")
    if not isinstance(state, Running):
        return _tr("Load a model to compare.")
    if services.comparison.is_running:
        return _tr("Another comparison is running.")
    if services.session.is_answering:
        return _tr("The chat's answer comes first.")
    if services.session.is_measuring:
        return _tr("The engine is being measured.")
    return ""


def _tr(text: str) -> str:
    return QCoreApplication.translate("RunReason", text)
