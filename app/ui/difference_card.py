"""Says where two answers part, and why."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.core.verdict import Verdict
from app.ui.difference_words import difference_text, reason_text
from app.ui.form_parts import set_shown
from app.ui.widgets import Card, button, column, label, row


class DifferenceCard(Card):
    """Hidden while there is no difference to tell of."""

    shown_requested = Signal()  # the marks in both texts

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("difference_card")
        self.setAccessibleName(self.tr("Where the answers part"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        self._place = label(wrap=True)
        self._place.setObjectName("difference_place")
        self._reason = label(size="small", tone="muted", wrap=True)
        self._reason.setObjectName("difference_reason")
        self._show = button(self.tr("Show the place"), "show_difference_button", small=True)
        self._show.setToolTip(self.tr("Scrolls both texts to it"))
        self._show.clicked.connect(self.shown_requested)
        whole = row(spacing=20, margins=(16, 8, 16, 8))
        whole.addLayout(column(self._place, self._reason, spacing=2), 1)
        whole.addWidget(self._show)
        self.setLayout(whole)
        self._told: tuple[Verdict, str, str] | None = None
        self._logits = True
        self.hide()

    @property
    def text(self) -> str:
        """All that it says."""
        return "" if self.isHidden() else f"{self._place.text()} {self._reason.text()}"

    def show_verdict(self, verdict: Verdict | None, left: str, right: str) -> None:
        """Tells of its difference, if it has one. `left` and `right` are the sides' names."""
        first = verdict.difference if verdict is not None else None
        if verdict is not None and first is not None:
            self._told = (verdict, left, right)
            self._tell()
            self._reason.setText(reason_text(verdict.sameness, first, lossy=bool(verdict.lossy_variants)))
            self._show.setVisible(first.text_position is not None)
        set_shown(self, first is not None)

    def set_logits(self, shown: bool) -> None:
        """Whether the target's logits are told."""
        self._logits = shown
        self._tell()

    def _tell(self) -> None:
        if self._told is not None:
            verdict, left, right = self._told
            assert verdict.difference is not None
            other, judged = (left, right) if verdict.judged_is_right else (right, left)
            self._place.setText(difference_text(verdict.difference, other, judged, logits=self._logits))
