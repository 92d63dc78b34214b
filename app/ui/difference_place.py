"""Where on the screen the place is at which an answer leaves another one."""

from PySide6.QtCore import QPoint
from PySide6.QtGui import QTextCursor

from app.ui.answer_body import AnswerBody
from app.ui.text_view import TextView
from app.ui.thought_view import ThoughtView


def show_thoughts_with(body: AnswerBody) -> None:
    """Unfolds thoughts that hold the place."""
    for thought in body.findChildren(ThoughtView):
        if body.difference_within(
            [(line.source, line.source + len(line.text)) for line in thought.lines if line.source is not None]
        ):
            thought.unfold()


def difference_place(body: AnswerBody) -> int | None:
    """Pixels from the top of the text; None where nothing is marked that can be seen.

    Code that is too wide is scrolled to the place.
    """
    for view in body.findChildren(TextView):
        if view.difference is None or not view.isVisibleTo(body):
            continue
        cursor = QTextCursor(view.document())
        cursor.setPosition(view.difference[0])
        place = view.cursorRect(cursor)
        bar = view.horizontalScrollBar()
        if place.right() > view.viewport().width():
            bar.setValue(bar.value() + place.right() - view.viewport().width() // 2)
        return view.viewport().mapTo(body, QPoint(0, place.top())).y()
    return None
