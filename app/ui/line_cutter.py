"""Text cut into lines while it arrives: of code, and of thoughts."""

from app.ui.markdown_parts import Line
from app.ui.shown_text import LONGEST_CLUSTER, cluster_end

LONGEST_LINE = 4000  # characters in one line of a view
_MOST_LINES = 40  # at once


def cut_lines(text: str, start: int, end: int, *, last: bool) -> tuple[list[Line], int]:
    """Some of the lines between two places, and where they end.

    A line is given once it is over; `last` says that there is nothing behind `end`, which ends a line as
    well. One that is too long is given in pieces, the same ones however the text arrives.
    """
    lines: list[Line] = []
    spare = 0 if last else LONGEST_CLUSTER  # what comes next may belong to the last character
    while len(lines) < _MOST_LINES and start < end:
        stop = text.find("\n", start, min(end, start + LONGEST_LINE + 1))
        if stop >= 0:
            lines.append(Line(text[start:stop], start))
            start = stop + 1
        elif end - start > LONGEST_LINE + spare:
            stop = cluster_end(text, start + LONGEST_LINE)
            lines.append(Line(text[start:stop], start, whole=False))
            start = stop
        elif last:
            lines.append(Line(text[start:end], start))
            start = end
        else:
            break
    return lines, start
