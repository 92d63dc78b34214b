"""Tabs of Compare as a person meets them, and experiments made with the loaded pair."""

from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from app.core.experiment import Experiment
from app.ui.identities import identity_of
from tests.fakes.setups import DRAFT, TARGET


def part(tab: QWidget, name: str) -> QWidget:
    """What has this object name."""
    found = tab.findChild(QWidget, name)
    assert found is not None, name
    return found


def press(tab: QWidget, name: str) -> QPushButton:
    """Presses a button that is there and can be pressed."""
    found = part(tab, name)
    assert isinstance(found, QPushButton)
    assert found.isVisible(), f"{name} is hidden"
    assert found.isEnabled(), f"{name} is disabled"
    found.click()
    return found


def words(tab: QWidget, name: str) -> str:
    """What a line says; empty where it is not shown."""
    found = part(tab, name)
    assert isinstance(found, QLabel)
    text = found.accessibleName() if found.textFormat() is Qt.TextFormat.RichText else found.text()
    return text if found.isVisible() else ""


def measured_here(experiment: Experiment) -> Experiment:
    """The same, measured with the target and the draft model of the loaded setup."""
    variants = tuple(
        each if each.draft is None else replace(each, draft=identity_of(DRAFT))
        for each in experiment.variants
    )
    return replace(experiment, target=identity_of(TARGET), variants=variants)
