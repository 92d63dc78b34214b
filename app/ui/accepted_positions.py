"""Accepted tokens by their positions in the draft: counts, shares, and how far these are to be believed."""

from msgspec import Struct
from PySide6.QtCore import QCoreApplication

from app.figures import percent_text

_FEW, _PALE = 10, 0.45  # tokens that were tested, and how opaque the bar of fewer is

translate = QCoreApplication.translate


class AcceptedPositions(Struct, frozen=True):
    """The counts of an answer, or of the named side of a comparison; `role` is that of the colour."""

    accepted: tuple[int, ...]
    tested: tuple[int, ...]
    role: str = "accent"
    name: str = ""

    def share(self, index: int) -> float | None:
        """Accepted of tested at a position from 0; None where nothing was tested."""
        tested = self.tested[index] if index < len(self.tested) else 0
        return self.accepted[index] / tested if tested else None

    def opacity(self, index: int) -> float:
        """Of its bar, which is pale where the share is one of few tokens."""
        return _PALE if self.tested[index] < _FEW else 1.0

    def caption(self, index: int) -> str:
        """The share in short, or the counts behind it where they are few; empty where nothing was tested."""
        share = self.share(index)
        if share is None:
            return ""
        if self.tested[index] < _FEW:
            return f"{self.accepted[index]}/{self.tested[index]}"
        return f"{100 * share:.0f} %"


def position_words(positions: AcceptedPositions, index: int, *, named: bool = False) -> str:
    """The same in a sentence, with the side's name where there is more than one."""
    words = (
        translate("Positions", "{name}, position {position}: {accepted} of {tested} accepted ({share})")
        if named
        else translate("Positions", "Position {position}: {accepted} of {tested} accepted ({share})")
    )
    return words.format(
        name=positions.name,
        position=index + 1,
        accepted=f"{positions.accepted[index]:,}",
        tested=f"{positions.tested[index]:,}",
        share=percent_text(positions.share(index)),
    )
