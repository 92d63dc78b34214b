"""The words for an engine's end: what was going on, what likely happened, what to do about it."""

from PySide6.QtCore import QCoreApplication

from app.ui.engine_end import Activity, EndKind, EngineEnd

translate = QCoreApplication.translate


def end_sentence(end: EngineEnd) -> str:
    """Plain sentences for a person, on one line."""
    return " ".join(part for part in (happened_sentence(end), _remedy(end)) if part)


def happened_sentence(end: EngineEnd) -> str:
    """The first of them: what happened, without what can be done about it."""
    return _happened(end.kind).format(during=_during(end.during), code=end.code)


def _happened(kind: EndKind) -> str:
    match kind:
        case EndKind.CLOSED:
            return translate("EngineEnd", "The model was ejected {during}.")
        case EndKind.CRASHED:
            return translate("EngineEnd", "The engine crashed {during} (code {code}).")
        case EndKind.KILLED:
            return translate(
                "EngineEnd",
                "The engine was killed {during}, perhaps because the computer ran out of memory.",
            )
        case EndKind.OUT_OF_MEMORY:
            return translate("EngineEnd", "The engine ran out of memory {during}.")
        case EndKind.EXITED:
            return translate("EngineEnd", "The engine ended by itself {during} (exit code {code}).")
        case EndKind.UNRESPONSIVE:
            return translate("EngineEnd", "The engine did not react to Stop {during}, so it was ended.")
        case EndKind.NOT_STARTED:
            return translate("EngineEnd", "The engine could not be started.")
        case EndKind.WRONG_VERSION:
            return translate("EngineEnd", "The engine belongs to another version of Slipstream.")
        case EndKind.BAD_MESSAGE:
            return translate("EngineEnd", "The engine sent something unreadable {during}, so it was ended.")


def _remedy(end: EngineEnd) -> str:
    match end.kind:
        case EndKind.CLOSED:
            return ""
        case EndKind.KILLED | EndKind.OUT_OF_MEMORY:
            return translate(
                "EngineEnd",
                "Close other programs, or choose a shorter context or a smaller model; then choose "
                "Reload model.",
            )
        case EndKind.NOT_STARTED:
            return translate(
                "EngineEnd", "Perhaps a part of the installation is missing; installing again helps then."
            )
        case EndKind.WRONG_VERSION:
            return translate("EngineEnd", "Close Slipstream and start it again.")
        case EndKind.CRASHED | EndKind.EXITED if end.during is Activity.STARTING:
            return translate("EngineEnd", "The details show its last lines; installing again may help.")
        case EndKind.CRASHED | EndKind.EXITED if end.during is Activity.LOADING:
            return translate(
                "EngineEnd", "The model file may be damaged: try Reload model, else download the file again."
            )
        case _:
            return translate("EngineEnd", "What was said is kept. Reload model starts it again.")


def _during(activity: Activity) -> str:
    match activity:
        case Activity.STARTING:
            return translate("EngineEnd", "while it was starting")
        case Activity.IDLE:
            return translate("EngineEnd", "while it was idle")
        case Activity.LOADING:
            return translate("EngineEnd", "while it was loading the model")
        case Activity.READING:
            return translate("EngineEnd", "while it was reading the prompt")
        case Activity.ANSWERING:
            return translate("EngineEnd", "while it was answering")
        case Activity.MEASURING:
            return translate("EngineEnd", "while it was measuring")
