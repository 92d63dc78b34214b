"""Tooltips with words of strangers: never taken for markup, which Qt looks for in them."""

import html

from PySide6.QtGui import Qt


def plain_tip(text: str) -> str:
    """The text as a tooltip shows it letter for letter."""
    if not Qt.mightBeRichText(text):
        return text
    return "<qt>{}</qt>".format(html.escape(text).replace("\n", "<br>"))
