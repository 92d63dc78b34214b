"""Speculative decoding in the chat's sidebar: on and off between answers, and its figures."""

from msgspec.structs import replace
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.core.options import SpeculationMode
from app.settings import UserMode
from app.ui.acceptance_panel import AcceptancePanel
from app.ui.draft_figures import DraftFigures
from app.ui.elided_choice import ElidedChoice
from app.ui.explanation import Explanation
from app.ui.form_parts import captioned
from app.ui.option_words import mode_text
from app.ui.plain_tip import plain_tip
from app.ui.session_state import Running
from app.ui.theme import Theme
from app.ui.toggle import ToggleSwitch
from app.ui.widgets import column, label, row

_CHOOSE = "choose"  # the entry of the list that is no source


class SpeculationPanel(QWidget):
    """Shows what is really done, whatever was asked for, and says why where the two differ.

    What the user wants is told by `adjusted`; the panel changes when it is shown the new settings.
    """

    adjusted = Signal(object)  # SpeculationOptions
    configure_requested = Signal()
    visualize_changed = Signal(bool)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._running: Running | None = None
        self._source: SpeculationMode | None = None  # that the switch turns on; None: there is none
        self._draft_missed = False  # it was to be turned on, and there is none
        self._switch = ToggleSwitch(theme, "speculation_switch", self.tr("Speculative Decoding"))
        self._switch.clicked.connect(self._switched)
        heading = label(self.tr("Speculative Decoding"), size="heading")
        self._explanation = Explanation()
        self._source_box = ElidedChoice("draft_source_box", mode_text(SpeculationMode.DRAFT_MODEL))
        self._source_box.setPlaceholderText(self.tr("None loaded"))
        self._entries: list[tuple[str, str]] = []
        self._source_box.activated.connect(self._source_chosen)
        self._figures = DraftFigures(theme)
        self._figures.adjusted.connect(self.adjusted)
        self._acceptance = AcceptancePanel()
        self._acceptance.adjusted.connect(self.adjusted)
        self._visualize = ToggleSwitch(theme, "visualize_switch", self.tr("Visualize accepted draft tokens"))
        self._visualize.toggled.connect(self.visualize_changed)
        self._summary = label(tone="muted", wrap=True)
        self._summary.setObjectName("drafting_summary")
        self._settings = QWidget()
        self._settings.setLayout(
            column(
                row(heading, None, self._switch),
                self._explanation,
                captioned(mode_text(SpeculationMode.DRAFT_MODEL), self._source_box),
                4,
                self._figures,
                self._acceptance,
                4,
                row(label(self.tr("Visualize accepted draft tokens")), None, self._visualize),
            )
        )
        self.setLayout(column(self._settings, self._summary, spacing=0))
        self.set_mode(UserMode.POWER_USER)

    @property
    def explanation(self) -> str:
        """Why nothing is drafted; empty where there is nothing to explain."""
        return self._explanation.sentence

    @property
    def summary(self) -> str:
        """The line that is shown in place of the settings in User mode."""
        return self._summary.text()

    def set_mode(self, mode: UserMode) -> None:
        """Shows as much as a mode does."""
        self._settings.setVisible(mode is not UserMode.USER)
        self._summary.setVisible(mode is UserMode.USER)
        self._acceptance.set_choosable(mode is UserMode.DEVELOPER)

    def set_visualize(self, visualize: bool) -> None:
        """Shows whether accepted tokens are coloured, without a signal."""
        self._visualize.blockSignals(True)
        self._visualize.setChecked(visualize)
        self._visualize.blockSignals(False)
        self._visualize.update()

    def show_running(self, running: Running) -> None:
        """Shows what is in force in a loaded model. What is being typed stays as long as it says the same."""
        before, self._running = self._running, running
        another = (
            before is None or before.loaded != running.loaded or before.setup.target != running.setup.target
        )
        in_force = running.speculation
        if in_force is not SpeculationMode.OFF:
            self._source = in_force
        elif another:
            self._source = SpeculationMode.DRAFT_MODEL if running.has_draft else None
        if another or in_force is not SpeculationMode.OFF:
            self._draft_missed = False
        self._list_sources(running)
        options = running.setup.config.speculation
        self._figures.show_options(options, another=another)
        self._acceptance.show_options(options, another=another)
        self._refresh()

    def _switched(self, on: bool) -> None:
        if self._running is None:
            return
        if not on:
            self._adjust(SpeculationMode.OFF)
        elif self._source is None:
            self._draft_missed = True
        else:
            self._adjust(self._source)
        self._refresh()

    def _source_chosen(self, index: int) -> None:
        chosen = self._source_box.itemData(index)
        if self._running is None:
            return
        if chosen == _CHOOSE:
            self.configure_requested.emit()
        else:
            self._source = SpeculationMode(chosen)
            self._draft_missed = False
            if self._running.speculation is not SpeculationMode.OFF:
                self._adjust(self._source)
        self._list_sources(self._running)
        self._refresh()

    def _use_lookup(self) -> None:
        self._source = SpeculationMode.PROMPT_LOOKUP
        self._adjust(self._source)

    def _adjust(self, mode: SpeculationMode) -> None:
        assert self._running is not None
        self.adjusted.emit(replace(self._running.setup.config.speculation, mode=mode))

    def _list_sources(self, running: Running) -> None:
        entries = []
        draft = running.setup.draft
        if running.has_draft and draft is not None:
            entries.append((f"{draft.name} · {draft.info.quantisation}", SpeculationMode.DRAFT_MODEL.value))
        entries.append((mode_text(SpeculationMode.PROMPT_LOOKUP), SpeculationMode.PROMPT_LOOKUP.value))
        entries.append((self.tr("Choose in the load settings…"), _CHOOSE))
        if entries != self._entries:
            self._entries = entries
            self._source_box.clear()
            for text, value in entries:
                self._source_box.addItem(text, value)
        self._source_box.setCurrentIndex(
            self._source_box.findData(self._source.value) if self._source is not None else -1
        )
        self._source_box.setToolTip(plain_tip(self._source_box.currentText()))

    def _refresh(self) -> None:
        running = self._running
        if running is None:
            return
        in_force = running.speculation
        on = in_force is not SpeculationMode.OFF
        self._switch.setChecked(on)
        self._switch.setEnabled(running.loaded.refusal is None)
        self._source_box.setEnabled(running.loaded.refusal is None)
        self._figures.show_mode(self._source or SpeculationMode.DRAFT_MODEL)
        self._explain(running, on)
        self._summary.setText(self._summary_text(running, in_force))

    def _explain(self, running: Running, on: bool) -> None:
        loaded = running.loaded
        self._explanation.clear()
        if loaded.refusal is not None:
            self._explanation.tell(loaded.refusal.sentence)
            return
        if on:
            return
        if loaded.draft_refusal is not None:
            self._explanation.tell(loaded.draft_refusal.sentence)
        elif self._draft_missed:
            self._explanation.tell(
                self.tr("No draft model is loaded. Choose one in Load settings, or draft by prompt lookup.")
            )
        else:
            return
        self._explanation.offer(self.tr("Use prompt lookup"), "use_lookup_button", self._use_lookup)
        self._explanation.offer(
            self.tr("Load settings"), "choose_draft_button", self.configure_requested.emit
        )

    def _summary_text(self, running: Running, in_force: SpeculationMode) -> str:
        match in_force:
            case SpeculationMode.OFF:
                return self.tr("Drafting: off")
            case SpeculationMode.PROMPT_LOOKUP:
                return self.tr("Drafting: on, by prompt lookup")
            case SpeculationMode.DRAFT_MODEL:
                draft = running.setup.draft
                name = draft.name if draft is not None else self.tr("a draft model")
                return self.tr("Drafting: on, by {name}").format(name=name)
