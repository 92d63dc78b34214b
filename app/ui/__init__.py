"""The window: Qt, and the only place that imports it."""

from app.ui.lasting_constants import keep_constants

keep_constants()
