"""How a round goes, told on a small example."""

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QWidget

from app.core.options import SpeculationOptions
from app.core.replay import judged
from app.core.stats import DraftSource, RoundStats
from app.core.trace import TracedRound, TracedToken
from app.ui.replay_chip import Chip, ChipKind
from app.ui.replay_chips import ReplayChips, checked_chips, proposed_chips
from app.ui.theme import Theme
from app.ui.widgets import Card, column, label

_BESIDE = 900  # pixels


class ReplayIntro(QWidget):
    """Three steps: draft, check, keep."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("replay_intro")
        round_, rule = _example(), SpeculationOptions()
        kept = checked_chips(round_, judged(round_, rule, rule), rule)
        checked = tuple(
            Chip(ChipKind.PROPOSED, chip.text, chip.draft, chip.target, "", chip.tip)
            for chip in kept
            if chip.target is not None
        )
        self._boxes = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._boxes.setContentsMargins(0, 0, 0, 0)
        self._boxes.setSpacing(16)
        for title, text, chips in (
            (
                self.tr("1  Draft"),
                self.tr(
                    "A small model, or a look at the text so far, proposes a few tokens. That is quick, and "
                    "may be wrong."
                ),
                proposed_chips(round_),
            ),
            (
                self.tr("2  Check"),
                self.tr(
                    "The target reads them all in one pass, most often quicker than it makes as many tokens "
                    "one by one, and tells for each place what it would put there."
                ),
                checked,
            ),
            (
                self.tr("3  Keep"),
                self.tr(
                    "Tokens are kept up to the first that the target would not put. There it puts its own, "
                    "so the answer is its own, word for word. Then the next round begins."
                ),
                kept,
            ),
        ):
            self._boxes.addWidget(_card(theme, title, text, chips), 1)
        self.setLayout(self._boxes)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Puts the steps beside or below each other."""
        super().resizeEvent(event)
        beside = event.size().width() >= _BESIDE
        directions = QBoxLayout.Direction
        self._boxes.setDirection(directions.LeftToRight if beside else directions.TopToBottom)


def _card(theme: Theme, title: str, text: str, chips: tuple[Chip, ...]) -> Card:
    card, picture = Card(), ReplayChips(theme)
    picture.show_chips(chips)
    picture.setObjectName("")
    card.setLayout(
        column(
            label(title, size="heading"),
            label(text, tone="muted", wrap=True),
            None,
            picture,
            spacing=10,
            margins=(16, 14, 16, 14),
        )
    )
    return card


def _example() -> TracedRound:
    """Two tokens after "The", of which the target takes one."""
    return TracedRound(
        tested=(_token(" quick", 0.86, 0.93, matches=True), _token(" red", 0.41, 0.02, matches=False)),
        accepted=1,
        next_token=3,
        next_text=" brown",
        stats=RoundStats(DraftSource.DRAFT_MODEL, 2, 2, 1, 2, 0.0, 0.0, 0.0),
    )


def _token(text: str, draft: float, target: float, *, matches: bool) -> TracedToken:
    return TracedToken(
        token=1,
        text=text,
        draft_probability=draft,
        drawn_probability=None,
        target_probability=target,
        target_rank=0 if matches else 4,
        luck=0.5,
        matches=matches,
    )
