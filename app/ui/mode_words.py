"""The words for how much the window shows."""

from PySide6.QtCore import QCoreApplication

from app.settings import UserMode

translate = QCoreApplication.translate


def mode_name(mode: UserMode) -> str:
    """A mode's name for people."""
    match mode:
        case UserMode.USER:
            return translate("UserMode", "User")
        case UserMode.POWER_USER:
            return translate("UserMode", "Power User")
        case UserMode.DEVELOPER:
            return translate("UserMode", "Developer")


def mode_meaning(mode: UserMode) -> str:
    """What a mode shows, in a sentence."""
    match mode:
        case UserMode.USER:
            return translate("UserMode", "Chat, and the settings that everybody needs.")
        case UserMode.POWER_USER:
            return translate("UserMode", "Speculative Decoding and everything about how a model is loaded.")
        case UserMode.DEVELOPER:
            return translate("UserMode", "Acceptance rules and the engine's log as well.")
