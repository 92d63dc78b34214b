"""The window: Qt, and the only place that imports it."""
