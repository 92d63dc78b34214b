"""The window: Qt, and the only place that imports it."""

from app.ui.python_constants import hold_constants

hold_constants()  # before anything of Qt's is used; see there
