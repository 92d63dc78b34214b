"""The line in the load dialog that says what the chosen draft is expected to gain."""

from pathlib import Path

from PySide6.QtWidgets import QWidget

from app.core.options import DraftLength, SpeculationMode, SpeculationOptions
from app.core.pair_expectation import DraftLengths, ExpectedGain, NoGain
from app.ui.form_parts import set_shown, show_line
from app.ui.outlook_words import outlook_sentence
from app.ui.outlooks import Outlooks
from app.ui.widgets import column, label, set_property


class PairOutlook(QWidget):
    """Takes no room while there is nothing to say."""

    def __init__(self, outlooks: Outlooks, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._outlooks = outlooks
        self._options = SpeculationOptions()
        self._draft: Path | None = None
        self._line = label(size="small", wrap=True)
        self._line.setObjectName("pair_outlook")
        self.setLayout(column(self._line))
        outlooks.outlook_changed.connect(self._update)
        self._update()

    def show_choice(self, options: SpeculationOptions, draft: Path | None) -> None:
        """Tells of prompt lookup, or of a draft model that can draft; None where there is none."""
        self._options, self._draft = options, draft
        if not options.problems():
            fixed = options.draft_length is DraftLength.FIXED
            self._outlooks.set_lengths(DraftLengths(options.longest, is_fixed=fixed))
        if options.mode is SpeculationMode.PROMPT_LOOKUP:
            self._outlooks.look_at(None)
        self._update()

    def _update(self) -> None:
        lookup = self._options.mode is SpeculationMode.PROMPT_LOOKUP
        drafts = self._options.mode is SpeculationMode.DRAFT_MODEL and self._draft is not None
        is_told = (drafts or lookup) and not self._options.problems()
        outlook = self._outlooks.of(self._draft if drafts else None) if is_told else None
        is_loss = isinstance(outlook, NoGain) or (isinstance(outlook, ExpectedGain) and outlook.is_loss)
        set_property(self._line, "tone", "warning" if is_loss else "text")
        show_line(self._line, outlook_sentence(outlook))
        set_shown(self, bool(self._line.text()))
