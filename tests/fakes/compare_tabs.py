"""Tabs of Compare as a person meets them, and experiments made with the loaded pair."""

from msgspec.structs import replace
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from app.core.experiment import Experiment, ModelIdentity
from app.models.library import LocalModel
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
    return found.text() if found.isVisible() else ""


def measured_here(experiment: Experiment) -> Experiment:
    """The same, measured with the target and the draft model of the loaded setup."""
    variants = tuple(
        each if each.draft is None else replace(each, draft=_identity(DRAFT)) for each in experiment.variants
    )
    return replace(experiment, target=_identity(TARGET), variants=variants)


def _identity(model: LocalModel) -> ModelIdentity:
    return ModelIdentity(model.name, model.info.quantisation, model.path.name, model.info.total_bytes)
