"""Which of an answer's characters a draft supplied: their places, their look, and words about each."""

from bisect import bisect_right
from collections.abc import Iterable

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QColor, QTextCharFormat

from app.core.chat import DraftSpan
from app.figures import percent_text
from app.ui.colours import Colours
from app.ui.shown_text import cluster_end

Mark = tuple[int, int, int]  # start, end, number of the span
DIFFERENCE = -1  # stands for the number where two answers part


class DraftMarks:
    """The spans of one answer, in the order of its text. None of them splits a user-perceived character."""

    def __init__(self) -> None:
        self._spans: list[DraftSpan] = []
        self._starts: list[int] = []
        self._ends: list[int] = []
        self._difference: tuple[int, int] | None = None

    @property
    def difference(self) -> tuple[int, int] | None:
        """Where this answer leaves another one, from a character to another."""
        return self._difference

    def mark_difference(self, start: int, end: int) -> None:
        """Marks, from now on, where this answer leaves another one, before what a draft supplied there."""
        self._difference = (start, end)

    def add(self, spans: Iterable[DraftSpan], text: str) -> None:
        """More spans, behind those that are known. `text` is the answer's as far as they reach.

        A character of several code points belongs to the span that has the first of them.
        """
        for span in spans:
            known = self._ends[-1] if self._ends else 0
            start = max(known, cluster_end(text, span.start))
            end = cluster_end(text, min(len(text), span.start + span.length))
            if start < end:
                self._spans.append(span)
                self._starts.append(start)
                self._ends.append(end)

    def within(self, start: int, end: int) -> list[Mark]:
        """What is marked between two places of the text."""
        found: list[Mark] = []
        number = max(0, bisect_right(self._starts, start) - 1)
        while number < len(self._starts) and self._starts[number] < end:
            first, last = max(start, self._starts[number]), min(end, self._ends[number])
            if first < last:
                found.append((first, last, number))
            number += 1
        if self._difference is None:
            return found
        first, last = max(start, self._difference[0]), min(end, self._difference[1])
        return _cut_out(found, first, last) if first < last else found

    def words(self, number: int) -> str:
        """Where a span came from: "Round 12 · position 3 · 87 %"."""
        if number == DIFFERENCE:
            return QCoreApplication.translate("DraftMarks", "Here the two answers part")
        span = self._spans[number]
        told = QCoreApplication.translate("DraftMarks", "Round {round} · position {position}").format(
            round=span.round, position=span.position
        )
        return told if span.probability is None else f"{told} · {percent_text(span.probability)}"


def mark_format(colours: Colours, behind: QColor) -> QTextCharFormat:
    """How text from the draft looks on a background; opaque, so that no seams are seen between tokens."""
    made = QTextCharFormat()
    made.setBackground(_over(colours.accent_soft, behind))
    made.setUnderlineStyle(QTextCharFormat.UnderlineStyle.SingleUnderline)
    made.setUnderlineColor(colours.accent)
    return made


def difference_format(colours: Colours, behind: QColor) -> QTextCharFormat:
    """How the place looks where two answers part."""
    made = QTextCharFormat()
    made.setBackground(_over(colours.warning_soft, behind))
    made.setForeground(colours.warning)
    made.setUnderlineStyle(QTextCharFormat.UnderlineStyle.SingleUnderline)
    made.setUnderlineColor(colours.warning)
    return made


def _cut_out(marks: Iterable[Mark], first: int, last: int) -> list[Mark]:
    """The marks with the difference among them, in order and without overlaps."""
    found: list[Mark] = [(first, last, DIFFERENCE)]
    for start, end, number in marks:
        found += [
            (begin, until, number)
            for begin, until in ((start, min(end, first)), (max(start, last), end))
            if begin < until
        ]
    return sorted(found)


def _over(colour: QColor, behind: QColor) -> QColor:
    share = colour.alphaF()
    mixed = (
        round(share * above + (1 - share) * below)
        for above, below in zip(_parts(colour), _parts(behind), strict=True)
    )
    return QColor(*mixed)


def _parts(colour: QColor) -> tuple[int, int, int]:
    return colour.red(), colour.green(), colour.blue()
