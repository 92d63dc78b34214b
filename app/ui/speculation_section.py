"""Speculative decoding: where drafts come from, the draft model, and how much is drafted."""

from pathlib import Path

from msgspec.structs import replace
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.core.advice import Advisor, DraftSize
from app.core.options import LoadOptions, SpeculationMode, SpeculationOptions
from app.core.pair_expectation import RuleOfThumb
from app.models.library import LocalModel
from app.settings import ModelConfig
from app.ui.config_section import ConfigSection
from app.ui.draft_candidates import SameFile, Suitable, takes_back_tokens
from app.ui.draft_numbers import DraftNumbers
from app.ui.draft_picker import DraftPicker
from app.ui.draft_words import name_text, reason_text
from app.ui.form_parts import ChoiceBox, ended_by, set_shown, show_line
from app.ui.library_service import LibraryService
from app.ui.option_words import mode_meaning, mode_text
from app.ui.pair_outlook import PairOutlook
from app.ui.tasks import Tasks
from app.ui.theme import Theme
from app.ui.widgets import column, label

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
        length_is_swept: bool = False,
    ) -> None:
        """`must_draft`: what is chosen is not taken where it cannot draft, instead of running without.

        `length_is_swept`: how much is drafted is no choice here.
        """
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
        self._numbers = DraftNumbers(theme, length_is_swept=length_is_swept)
        self.fields = self._numbers.fields
        self._outlook = PairOutlook(self.picker.outlooks)
        self.setLayout(
            column(
                ended_by(title, self._mode, strong=True, width=_CHOICE_WIDTH),
                self._warning,
                self.picker,
                self._outlook,
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
        self.picker.outlooks.outlook_changed.connect(self._update)
        self._numbers.length_chosen.connect(self._edit)
        for field in self.fields.values():
            field.value_changed.connect(self._update)
        self._follow(*self.fields.values())
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

    def set_load(self, load: LoadOptions) -> None:
        """How the models would be loaded, on which the expected gain depends."""
        self.picker.outlooks.set_load(load)

    def show_config(self, config: ModelConfig) -> None:
        """Shows a config's values."""
        self._mode.set_value(config.speculation.mode)
        self.picker.set_draft(config.draft)
        self._numbers.show_options(config.speculation)
        self._update()

    def applied_to(self, config: ModelConfig) -> ModelConfig:
        """The config with the values shown here."""
        speculation = self._numbers.applied_to(replace(config.speculation, mode=self._mode.value))
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
        self._numbers.show_mode(mode)
        candidate = self.picker.candidate if drafting else None
        self._outlook.show_choice(
            self._numbers.applied_to(SpeculationOptions(mode=mode if possible else SpeculationMode.OFF)),
            candidate.path if candidate is not None and candidate.can_draft else None,
        )
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
        if candidate is None or not isinstance(self.picker.outlooks.of(candidate.path), RuleOfThumb | None):
            return ""  # more is known than by its size
        if drafting and candidate.verdict == Suitable(DraftSize.TARGET_SMALL):
            return " " + self.tr(
                "This model is small and quick by itself: as a rule of thumb a draft pays from about 7B on."
            )
        return ""
