"""What can be put in force for good after a comparison."""

from collections.abc import Callable
from enum import Enum, auto

from msgspec import Struct
from PySide6.QtCore import QCoreApplication

from app.core.experiment import Variant
from app.ui.side import Side

translate = QCoreApplication.translate


def _nowhere(_variant: Variant) -> Side | None:
    return None


def _never(_variant: Variant) -> bool:
    return False


class Remembering(Struct, frozen=True):
    """For which model something can be remembered, and how it answers as things are."""

    side_of: Callable[[Variant], Side | None] = _nowhere  # None for what cannot be put in force
    model: str = ""  # its name
    drafts_now: bool = False
    is_in_force: Callable[[Variant], bool] = _never  # whether it answers like this, with all settings


class Offer(Struct, frozen=True):
    """A button: what it says, and the side that it puts in force for good."""

    text: str
    side: Side
    is_advised: bool


class Choice(Enum):
    """Which of two ways to answer the figures speak for."""

    NEITHER = auto()
    FIRST = auto()
    SECOND = auto()


def on_or_off(
    plain: Variant, drafting: Variant, choice: Choice, remembering: Remembering
) -> tuple[Offer, ...]:
    """To draft or not; nothing where one of them cannot be put in force."""
    if not remembering.drafts_now:
        words = translate("Offers", "Keep it off"), translate("Offers", "Turn it on")
    elif remembering.is_in_force(drafting):
        words = translate("Offers", "Turn off"), translate("Offers", "Keep it on")
    else:  # it is on, and otherwise than was measured
        words = translate("Offers", "Turn off"), translate("Offers", "Use this instead")
    return one_of((plain, drafting), words, choice, remembering)


def use_or_keep(variant: Variant, remembering: Remembering, use: str, keep: str) -> str:
    """The words of a button for one way to answer: what is in force already is kept."""
    return keep if remembering.is_in_force(variant) else use


def one_of(
    variants: tuple[Variant, Variant], words: tuple[str, str], choice: Choice, remembering: Remembering
) -> tuple[Offer, ...]:
    """Both ways to answer; nothing where one of them cannot be put in force."""
    first, second = (remembering.side_of(variant) for variant in variants)
    if first is None or second is None:
        return ()
    return (
        Offer(words[0], first, choice is Choice.FIRST),
        Offer(words[1], second, choice is Choice.SECOND),
    )
