"""The window: Qt, and the only place that imports it."""

from app.ui.none_references import keep_none

keep_none()
