"""Finding a widget's child by the name that automation uses."""

from typing import TypeVar

from PySide6.QtCore import QObject

Kind = TypeVar("Kind", bound=QObject)


def child(parent: QObject, kind: type[Kind], name: str) -> Kind:
    """The one of that kind and object name; fails where there is none."""
    found = parent.findChild(kind, name)
    assert found is not None, f"{parent.objectName() or parent} has no {kind.__name__} named {name}"
    return found
