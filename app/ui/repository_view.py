"""One repository: what it is, its files, and what can be done with each."""

from collections.abc import Mapping
from datetime import date

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QWidget

from app.models.hub import FoundModel, Gate, HubModel, RemoteModel
from app.models.model_names import printable
from app.models.parts import whole_name
from app.models.quantisations import Reason
from app.ui.disclosure import Disclosure
from app.ui.file_words import advice_text, no_advice_text
from app.ui.files_table import FilesTable, RowState
from app.ui.files_view import FilesView
from app.ui.fit_hints import FitHint
from app.ui.form_parts import set_shown
from app.ui.hub_model_words import facts_text, figures_text, gate_text, page_address, repository_name
from app.ui.icons import Icons
from app.ui.notice import Notice
from app.ui.theme import Theme
from app.ui.widgets import Card, ElidedLabel, button, column, label, row

_CARD_BOTTOM = 4  # pixels that keep a marked row out of the round corners


class RepositoryView(QWidget):
    """Shows what it is given; who follows the hub, the downloads and the library tells it."""

    action_chosen = Signal(object)  # RemoteModel: what its button says is wanted
    row_selected = Signal(object)  # RemoteModel
    card_requested = Signal()
    settings_requested = Signal()
    search_requested = Signal(str)  # words that may find files that can be used

    def __init__(self, theme: Theme, icons: Icons, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("repository_view")
        self._model: HubModel | None = None
        self._address = ""
        self._told_gate: tuple[str, Gate] | None = None
        self._name = ElidedLabel(size="title", mode=Qt.TextElideMode.ElideMiddle)
        self._name.setObjectName("repository_name")
        self._facts = ElidedLabel(tone="muted")
        self._facts.setObjectName("repository_facts")
        self._figures = ElidedLabel(size="small", tone="faint")
        self._figures.setObjectName("repository_figures")
        self._card_button = button(self.tr("Model card"), "model_card_button")
        self._card_button.clicked.connect(self.card_requested)
        self._page_button = button(
            self.tr("Open on Hugging Face"), "open_on_hub_button", kind="quiet", small=True
        )
        self._page_button.clicked.connect(self._open_page)
        self._gate = Notice(theme, icons)
        self._gate.setObjectName("gate_notice")
        self.table = FilesTable(parent=self)
        self.files = FilesView(theme, icons, self.table, "files_table")
        self.files.setAccessibleName(self.tr("Files"))
        self._files_card = Card()
        self._files_card.setLayout(column(self.files, margins=(1, 1, 1, _CARD_BOTTOM)))
        self._advice = label(size="small", tone="muted", wrap=True)
        self._advice.setObjectName("files_advice")
        self._none = label(tone="muted", wrap=True)
        self._none.setObjectName("no_files")
        self._search = button(self.tr("Search for GGUF versions"), "search_gguf_button")
        self._search.clicked.connect(self._search_versions)
        self._unjoined = label(size="small", tone="muted", wrap=True)
        self._unjoined.setObjectName("unjoined_pieces")
        self.projectors = FilesTable(checks_fit=False, parent=self)
        self._disclosure = Disclosure(self.tr("Image and audio halves"), "projectors_button", theme, icons)
        self._projectors = self._make_projectors(theme, icons)
        words = column(self._name, self._facts, spacing=2)
        head = row(self._card_button, spacing=12)
        head.insertLayout(0, words, 1)
        below = row(self._page_button, spacing=8)
        below.insertWidget(0, self._figures, 1)
        self.setLayout(
            column(
                column(head, below, spacing=2),
                self._gate,
                column(self._advice, self._files_card, spacing=6),
                self._none,
                row(self._search, None),
                self._unjoined,
                self._disclosure,
                self._projectors,
                spacing=12,
            )
        )
        self.files.action_chosen.connect(self.action_chosen)
        self.files.row_selected.connect(self.row_selected)

    @property
    def model(self) -> HubModel | None:
        """What is shown."""
        return self._model

    def show_found(self, found: FoundModel, today: date) -> None:
        """Shows what a search has told, while the rest is on its way."""
        self._model = None
        self._show_head(HubModel(found, "", None, (), (), ()), today)
        if self._told_gate is not None and self._told_gate[0] != found.repo:
            self._told_gate = None
            self._gate.clear()
        self._card_button.setEnabled(False)
        self._none.setText(self.tr("Reading what is in it…"))
        set_shown(self._none, True)
        unknown: tuple[QWidget, ...] = (
            self._search,
            self._files_card,
            self._advice,
            self._unjoined,
            self._disclosure,
            self._projectors,
        )
        for part in unknown:
            set_shown(part, False)

    def show_model(self, model: HubModel, today: date) -> None:
        """Shows a repository, of whose files nothing else is known yet."""
        self._model = model
        self._show_head(model, today)
        self._show_gate(model.found)
        self._card_button.setEnabled(True)
        self._none.setText(self.tr("There are no GGUF files here, which are what Slipstream runs."))
        self.table.show_rows(model.models)
        self.projectors.show_rows(model.projectors)
        set_shown(self._files_card, bool(model.models))
        set_shown(self._advice, bool(model.models))
        set_shown(self._none, not model.models)
        set_shown(self._search, not model.models)
        self._unjoined.setText(self._unjoined_text(model))
        set_shown(self._unjoined, bool(model.unjoined))
        set_shown(self._disclosure, bool(model.projectors))
        self._disclosure.setChecked(bool(model.projectors) and not model.models)
        self._show_projectors()

    def show_hints(self, hints: Mapping[RemoteModel, FitHint]) -> None:
        """Whether the files fit."""
        self.table.show_hints(hints)

    def show_states(self, states: Mapping[RemoteModel, RowState]) -> None:
        """How far the files are on their way to this computer."""
        self.table.show_states(states)
        self.projectors.show_states(states)
        if any(state.has_come for state in states.values()):
            self._gate.clear()  # it stands open

    def recommend(
        self, recommended: tuple[RemoteModel, Reason] | None, *, something_fits: bool = False
    ) -> None:
        """Marks the file to take and says why, or why none is."""
        self.table.recommend(recommended)
        if recommended is None:
            self._advice.setText(no_advice_text(something_fits=something_fits))
        else:
            self._advice.setText(advice_text(*recommended))

    def _show_head(self, model: HubModel, today: date) -> None:
        self._name.set_text(repository_name(model.found))
        self._facts.set_text(facts_text(model))
        self._figures.set_text(figures_text(model.found, today))
        self._address = page_address(model.repo)
        self._page_button.setToolTip(self._address)

    def _search_versions(self) -> None:
        if self._model is not None:
            self.search_requested.emit(self._model.found.name)

    def _make_projectors(self, theme: Theme, icons: Icons) -> QWidget:
        sentence = label(
            self.tr(
                "These let a model see pictures or hear sounds, in programs that use them. Slipstream chats "
                "in text and does not need them."
            ),
            size="small",
            tone="muted",
            wrap=True,
        )
        view = FilesView(theme, icons, self.projectors, "projectors_table")
        view.setAccessibleName(self.tr("Image and audio halves"))
        view.action_chosen.connect(self.action_chosen)
        card = Card()
        card.setLayout(column(view, margins=(1, 1, 1, _CARD_BOTTOM)))
        made = QWidget()
        made.setObjectName("projectors")
        made.setLayout(column(sentence, card))
        self._disclosure.toggled.connect(self._show_projectors)
        return made

    def _show_projectors(self) -> None:
        has_any = self._model is not None and bool(self._model.projectors)
        set_shown(self._projectors, has_any and self._disclosure.isChecked())

    def _show_gate(self, found: FoundModel) -> None:
        """Once for each repository: who has dismissed it has read it."""
        if (found.repo, found.gate) == self._told_gate:
            return
        self._told_gate = found.repo, found.gate
        if found.gate is Gate.OPEN:
            self._gate.clear()
            return
        self._gate.tell(gate_text(found))
        self._gate.offer(self.tr("Open the page"), "gate_page_button", self._open_page)
        self._gate.offer(self.tr("Settings"), "gate_settings_button", self.settings_requested.emit)

    def _unjoined_text(self, model: HubModel) -> str:
        if not model.unjoined:
            return ""
        name = model.unjoined[0].name
        whole = printable(whole_name(name) or name, 120)
        names = ", ".join(printable(file.name, 120) for file in model.unjoined[:4])
        more = len(model.unjoined) - 4
        if more > 0:
            names = self.tr("{names} and {count} more").format(names=names, count=more)
        return self.tr(
            "{whole} was cut into pieces that cannot be used as they are: {names}. Download them on the "
            "model's page and join them, in their order, into one file: cat PIECE1 PIECE2 > {whole} (on "
            "Windows: copy /b PIECE1+PIECE2 {whole})."
        ).format(whole=whole, names=names)

    def _open_page(self) -> None:
        QDesktopServices.openUrl(QUrl(self._address))
