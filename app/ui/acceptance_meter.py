"""How many drafted tokens of the running answer were accepted."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from app.figures import percent_text
from app.ui.meters import AnswerTally
from app.ui.theme import Theme
from app.ui.track import Segment, Track
from app.ui.widgets import ElidedLabel, column, label, row


class AcceptanceMeter(QWidget):
    """Accepted of tested tokens as a bar and in figures, and the share of the answer that was drafted."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("acceptance_meter")
        self.setAccessibleName(self.tr("Accepted drafted tokens"))
        self._figures = ElidedLabel(size="small", tone="muted")
        self._figures.setObjectName("acceptance_figures")
        self._figures.setAlignment(Qt.AlignmentFlag.AlignRight)
        self._track = Track(theme)
        self._share = label(size="small", tone="muted")
        self._share.setObjectName("share_from_draft")
        heading = row(label(self.tr("Accepted"), size="small", tone="muted"))
        heading.addWidget(self._figures, 1)
        self.setLayout(column(heading, self._track, self._share, spacing=4))
        self._tally: AnswerTally | None = None
        self.show_tally(AnswerTally())

    @property
    def figures(self) -> str:
        """The words above the bar."""
        return self._figures.whole_text

    @property
    def share(self) -> str:
        """The words below the bar."""
        return self._share.text()

    @property
    def track(self) -> Track:
        """The bar itself."""
        return self._track

    def show_tally(self, tally: AnswerTally) -> None:
        """Shows an answer's counts so far."""
        if tally == self._tally:
            return
        self._tally = tally
        if tally.tested:
            figures = self.tr("{percent} · {accepted} of {tested}").format(
                accepted=f"{tally.accepted:,}",
                tested=f"{tally.tested:,}",
                percent=percent_text(tally.accepted / tally.tested),
            )
            share = self.tr("{percent} of the answer from drafts").format(
                percent=percent_text(tally.accepted / tally.generated if tally.generated else None)
            )
            self._track.show_segments(Segment(tally.accepted / tally.tested, "accent"))
        else:
            figures, share = self.tr("no draft tokens yet"), ""
            self._track.show_segments()
        self._figures.set_text(figures)
        self._share.setText(share)
        self._share.setVisible(bool(share))
        self.setAccessibleDescription(f"{figures}, {share}" if share else figures)
