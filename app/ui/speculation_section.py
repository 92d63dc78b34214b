"""Speculative decoding: where drafts come from, the draft model, and how much is drafted."""

from pathlib import Path

from msgspec.structs import replace
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.core.advice import Advisor, DraftSize
from app.core.options import SpeculationMode
from app.models.library import LocalModel
from app.settings import ModelConfig
from app.ui.config_section import ConfigSection
from app.ui.draft_candidates import SameFile, Suitable, takes_back_tokens
from app.ui.draft_picker import DraftPicker
from app.ui.draft_words import name_text, reason_text
from app.ui.form_parts import ChoiceBox, captioned, ended_by, set_shown, show_line
from app.ui.library_service import LibraryService
from app.ui.number_field import NumberField
from app.ui.number_text import decimal, whole
from app.ui.option_words import mode_meaning, mode_text
from app.ui.tasks import Tasks
from app.ui.theme import Theme
from app.ui.widgets import column, label, row

_CHOICE_WIDTH = 150  # pixels


class SpeculationSection(ConfigSection):
    """Off, a draft model, or prompt lookup, with their numbers. A draft that cannot be used is no ban."""

    draft_known = Signal()  # what is known of the chosen draft has changed
    find_draft_requested = Signal()

    def __init__(
        self,
        target: LocalModel,
        theme: Theme,
        library: LibraryService,
        advisor: Advisor,
        tasks: Tasks,
        parent: QWidget | None = None,
        *,
        must_draft: bool = False,
    ) -> None:
        """`must_draft`: what is chosen is not taken where it cannot draft, instead of running without."""
        super().__init__(parent)
        self._target = target
        self._must_draft = must_draft
        title = self.tr("Speculative Decoding")
        self._mode = ChoiceBox(
            "speculation_mode_box", title, [(mode, mode_text(mode)) for mode in SpeculationMode]
        )
        self.picker = DraftPicker(target, theme, library, advisor, tasks)
        self._warning = label(size="small", tone="warning", wrap=True)
        self._warning.setObjectName("speculation_warning")
        self._note = label(size="small", tone="muted", wrap=True)
        self._note.setObjectName("speculation_note")
        most, least = self.tr("Max draft tokens"), self.tr("Min draft tokens")
        probability = self.tr("Draft probability")
        self._most = NumberField(
            "max_draft_tokens_field",
            most,
            whole(),
            3,
            hint=self.tr("The most tokens that are guessed before they are checked."),
        )
        self._least = NumberField(
            "min_draft_tokens_field",
            least,
            whole(),
            0,
            hint=self.tr("A shorter draft is dropped and not checked."),
        )
        self._probability = NumberField(
            "draft_probability_field",
            probability,
            decimal(),
            0.0,
            hint=self.tr("Drafting ends at the first token less likely than this."),
            expected=self.tr("a number from 0 to 1"),
        )
        self.fields = {
            "max_draft_tokens": self._most,
            "min_draft_tokens": self._least,
            "draft_probability": self._probability,
        }
        self._numbers = QWidget()
        self._cutoff = QWidget()
        self._cutoff.setLayout(column(captioned(probability, self._probability)))
        numbers = row(captioned(most, self._most), captioned(least, self._least), self._cutoff, spacing=12)
        for position in range(numbers.count()):
            numbers.setStretch(position, 1)
        self._numbers.setLayout(numbers)
        self.setLayout(
            column(
                ended_by(title, self._mode, strong=True, width=_CHOICE_WIDTH),
                self._warning,
                self.picker,
                self._numbers,
                self.problem_line,
                self._note,
                None,
                spacing=10,
            )
        )
        self._mode.value_chosen.connect(self._edit)
        self.picker.draft_chosen.connect(self._edit)
        self.picker.candidates_changed.connect(self._learn)
        self.picker.find_requested.connect(self.find_draft_requested)
        self._follow(self._most, self._least, self._probability)
        self._update()

    @property
    def draft(self) -> LocalModel | None:
        """The draft model to load; None unless one is wanted, its file is there, and it is not the target.

        One that does not fit is asked for all the same: the engine says why it runs without.
        """
        candidate = self.picker.candidate
        if self._mode.value is not SpeculationMode.DRAFT_MODEL or candidate is None:
            return None
        return None if isinstance(candidate.verdict, SameFile) else candidate.model

    @property
    def likely_draft(self) -> LocalModel | None:
        """The draft model that will take memory: the one to load, unless it is known not to fit."""
        candidate = self.picker.candidate
        fits = candidate is not None and (candidate.can_draft or candidate.is_open)
        return self.draft if fits and takes_back_tokens(self._target.info) else None

    def show_config(self, config: ModelConfig) -> None:
        """Shows a config's values."""
        self._mode.set_value(config.speculation.mode)
        self.picker.set_draft(config.draft)
        self._most.set_value(config.speculation.max_draft_tokens)
        self._least.set_value(config.speculation.min_draft_tokens)
        self._probability.set_value(config.speculation.draft_probability)
        self._update()

    def applied_to(self, config: ModelConfig) -> ModelConfig:
        """The config with the values shown here."""
        speculation = replace(
            config.speculation,
            mode=self._mode.value,
            max_draft_tokens=self._most.value,
            min_draft_tokens=self._least.value,
            draft_probability=self._probability.value,
        )
        draft: Path | None = self.picker.draft
        return replace(config, speculation=speculation, draft=draft)

    def _edit(self) -> None:
        self._update()
        self.edited.emit()

    def _learn(self) -> None:
        self._update()
        self.draft_known.emit()

    def _update(self) -> None:
        mode = self._mode.value
        possible = takes_back_tokens(self._target.info)
        drafting = mode is SpeculationMode.DRAFT_MODEL and possible
        set_shown(self.picker, drafting)
        set_shown(self._numbers, mode is not SpeculationMode.OFF and possible)
        set_shown(self._cutoff, drafting)
        self._show_warning(self._warning_text(mode, possible), keep_room=drafting)
        show_line(self._note, mode_meaning(mode) + self._size_hint(drafting))

    def _show_warning(self, text: str, *, keep_room: bool) -> None:
        """Room that a warning has had is kept, lest the list jumps under the mouse that chooses from it."""
        if text or not keep_room:
            self._warning.setMinimumHeight(0)
            show_line(self._warning, text)
        elif self._warning.isVisible():
            self._warning.setMinimumHeight(self._warning.height())
            self._warning.setText("")
        else:
            show_line(self._warning, "")

    def _warning_text(self, mode: SpeculationMode, possible: bool) -> str:
        if not possible and mode is not SpeculationMode.OFF:
            if self._must_draft:
                return self.tr(
                    "This model keeps a running state and cannot take back rejected tokens, "
                    "so nothing can draft for it."
                )
            return self.tr(
                "This model keeps a running state and cannot take back rejected tokens. "
                "It runs without speculation, whatever is chosen here."
            )
        if mode is not SpeculationMode.DRAFT_MODEL:
            return ""
        candidate = self.picker.candidate
        if candidate is None:
            if any(row.can_draft or row.is_open for row in self.picker.candidates):
                if self._must_draft:
                    return self.tr("Choose a draft model.")
                return self.tr("Choose a draft model. Until then the model runs without one.")
            return ""
        if candidate.can_draft or candidate.is_open:
            return ""
        text = self.tr("{name} cannot be used: {reason}. The model will run without it.")
        if self._must_draft:
            text = self.tr("{name} cannot be used: {reason}. Choose another draft model.")
        return text.format(name=name_text(candidate), reason=reason_text(candidate).rstrip("."))

    def _size_hint(self, drafting: bool) -> str:
        candidate = self.picker.candidate
        if drafting and candidate is not None and candidate.verdict == Suitable(DraftSize.TARGET_SMALL):
            return " " + self.tr(
                "This model is small and quick by itself: as a rule of thumb a draft pays from about 7B on."
            )
        return ""
