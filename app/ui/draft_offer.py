"""A draft model for the repository that is looked at, to be downloaded with it."""

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from app.core.advice import Advisor
from app.figures import bytes_text
from app.models.draft_facts import Outlook, facts_of_hub
from app.models.draft_suggestions import DraftSuggestion
from app.models.hub import Hub, HubModel, RemoteModel
from app.models.model_names import printable
from app.ui.draft_search import Checked, DraftSearch, Failed, Finding, Found, Hopeless, Looking
from app.ui.draft_search_words import (
    details_text,
    draft_name,
    file_text,
    loss_text,
    not_checked_text,
    outlook_text,
    size_note,
    verdict_text,
    where_text,
)
from app.ui.fit_hints import row_to_look_at
from app.ui.form_parts import set_shown, show_line
from app.ui.hub_model_words import row_name
from app.ui.icons import Icons
from app.ui.plain_tip import plain_tip
from app.ui.tasks import Tasks
from app.ui.theme import Theme
from app.ui.whereabouts import Whereabouts, WhereaboutsService
from app.ui.widgets import Card, Size, Tone, button, column, label, row, set_property

_LIMIT = 3  # suggestions: each costs questions to the hub
_MARGINS = (16, 14, 16, 14)  # pixels, of the card


class DraftOffer(Card):
    """Hidden until `show_for`, and for what writes no text. Looks on its own, and says what it finds.

    Where there is no sense in looking it is no card: one line says why.
    """

    pair_requested = Signal(object)  # tuple[tuple[HubModel, RemoteModel], tuple[HubModel, RemoteModel]]
    draft_requested = Signal(object)  # tuple[HubModel, RemoteModel]
    draft_changed = Signal(object)  # RemoteModel | None: the one that is offered now

    def __init__(
        self,
        theme: Theme,
        icons: Icons,
        hub: Hub,
        advisor: Advisor,
        tasks: Tasks,
        places: WhereaboutsService,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("draft_offer")
        self._hub = hub
        self._target: tuple[HubModel, RemoteModel] | None = None
        self._offered: RemoteModel | None = None
        self._places = places
        self._search = DraftSearch(hub, advisor, tasks, limit=_LIMIT, parent=self)
        self._line = label(tone="muted", wrap=True)
        self._line.setObjectName("draft_offer_line")
        self._note = label(size="small", tone="muted", wrap=True)
        self._note.setObjectName("draft_offer_note")
        self._icons = icons
        self._others = button(self.tr("Others"), "other_drafts_button", kind="quiet")
        self._others.setLayoutDirection(Qt.LayoutDirection.RightToLeft)  # the arrow stands behind the word
        self._retry = button(self.tr("Retry"), "retry_draft_search_button")
        self._download = button(self.tr("Download both"), "download_both_button", kind="primary")
        self._menu = QMenu(self)
        self._menu.setObjectName("other_drafts_menu")
        self._heading = label(self.tr("Draft model for it"), size="heading")
        self._heading.setObjectName("draft_offer_heading")
        words = column(self._heading, self._line, spacing=4)
        offer = row(self._others, self._retry, self._download)
        offer.insertLayout(0, words, 1)
        self._whole = column(offer, self._note, spacing=6, margins=_MARGINS)
        self.setLayout(self._whole)
        self._search.changed.connect(self._update)
        self._places.changed.connect(self._update)
        self._others.clicked.connect(self._show_menu)
        self._retry.clicked.connect(self._search.again)
        self._download.clicked.connect(self._request)
        theme.changed.connect(self._take_theme)
        self._take_theme()
        self.hide()

    @property
    def suggestion(self) -> DraftSuggestion | None:
        """The one that is offered."""
        current = self._search.current
        return None if current is None else current.suggestion

    def show_for(self, model: HubModel, row: RemoteModel) -> None:
        """Offers a draft for a row of a repository. Another row of the same one is no new question."""
        is_known = self._target is not None and self._target[0] == model
        self._target = model, row
        if is_known:
            self._update()
            return
        looked_at = row_to_look_at(model) if model.models else row
        self._search.begin(facts_of_hub(model), lambda: self._hub.header(model, looked_at))

    def clear(self) -> None:
        """Offers nothing, and looks for nothing."""
        self._search.stop()
        self._target = None
        self._update()

    def _take_theme(self) -> None:
        self._others.setIcon(self._icons.icon("chevron"))

    def _update(self) -> None:
        state = self._search.state
        has_place = self._target is not None and state != Hopeless(Outlook.NO_TEXT)
        set_shown(self, has_place)
        if not has_place:
            self._tell_offered(None)
            return
        self._show_card(not isinstance(state, Hopeless))
        current = self._search.current
        match state:
            case Looking():
                self._say(self.tr("Looking for a small model of its family…"))
            case Hopeless(outlook=outlook):
                self._say(outlook_text(outlook), tone="faint", size="small")
            case Failed(sentence=sentence):
                self._say(sentence)
            case Found(findings=()):
                self._say(self.tr("No smaller model of its family was found on Hugging Face."))
            case Found() if current is not None:
                self._say_finding(current)
            case Found():
                self._say(self.tr("None of the small models of its family that were found fits."))
                show_line(self._note, self._losses())
        self._show_buttons(current)
        self._tell_offered(None if current is None else current.suggestion.row)

    def _show_card(self, wanted: bool) -> None:
        if self._heading.isHidden() is wanted:
            set_property(self, "card", wanted)
            self._heading.setVisible(wanted)
            self._whole.setContentsMargins(*(_MARGINS if wanted else (0, 0, 0, 0)))

    def _say(self, text: str, tone: Tone = "muted", size: Size = "body") -> None:
        self._line.setText(text)
        self._line.setToolTip("")
        set_property(self._line, "tone", tone)
        set_property(self._line, "text_size", size)
        show_line(self._note, "")

    def _say_finding(self, finding: Finding) -> None:
        suggestion = finding.suggestion
        where = where_text(self._places.of_any(suggestion.model, suggestion.row))
        parts = (draft_name(suggestion), file_text(suggestion), verdict_text(finding), where)
        self._say(" · ".join(part for part in parts if part))
        self._line.setToolTip(plain_tip(printable(suggestion.model.repo)))
        notes = (
            self._pair_note(suggestion),
            not_checked_text(finding),
            self._losses(),
            size_note(suggestion),
        )
        show_line(self._note, "\n".join(note for note in notes if note))

    def _pair_note(self, suggestion: DraftSuggestion) -> str:
        """Which of the repository's files goes with it: the one that is selected may be out of sight."""
        if self._target is None or self._places.of(*self._target) is not Whereabouts.ELSEWHERE:
            return ""
        row = self._target[1]
        size = bytes_text(row.total_bytes + suggestion.row.total_bytes)
        return self.tr("Together with {name}: {size}.").format(name=row_name(row), size=size)

    def _losses(self) -> str:
        """Why those that were looked at and do not fit do not."""
        return "\n".join(loss_text(each) for each in self._search.findings if not each.may_fit)

    def _show_buttons(self, current: Finding | None) -> None:
        has_failed = isinstance(self._search.state, Failed) or (current is not None and current.has_failed)
        set_shown(self._retry, has_failed)
        others = [each for each in self._search.findings if each.may_fit and each != current]
        set_shown(self._others, bool(others))
        wanted = False
        if current is not None and self._target is not None and current.may_fit:
            suggestion = current.suggestion
            wanted = self._places.of_any(suggestion.model, suggestion.row) is Whereabouts.ELSEWHERE
            both = self._places.of(*self._target) is Whereabouts.ELSEWHERE
            text = self.tr("Download both") if both else self.tr("Download draft")
            self._download.setText(text)
            self._download.setAccessibleName(text)
            set_property(
                self._download, "kind", "primary" if isinstance(current.verdict, Checked) else "plain"
            )
        set_shown(self._download, wanted)

    def _show_menu(self) -> None:
        self._menu.clear()
        for finding in self._search.findings:
            suggestion = finding.suggestion
            told = f"{draft_name(suggestion)} · {details_text(suggestion)} · {verdict_text(finding)}"
            action = QAction(told.replace("&", "&&"), self._menu)
            action.setCheckable(True)
            action.setChecked(suggestion == self.suggestion)
            action.setEnabled(finding.may_fit)
            action.triggered.connect(lambda _=False, chosen=suggestion: self._search.choose(chosen))
            self._menu.addAction(action)
        self._menu.popup(self._others.mapToGlobal(QPoint(0, self._others.height() + 4)))

    def _request(self) -> None:
        suggestion = self.suggestion
        if suggestion is None or self._target is None:
            return
        draft = suggestion.model, suggestion.row
        if self._places.of(*self._target) is Whereabouts.ELSEWHERE:
            self.pair_requested.emit((self._target, draft))
        else:
            self.draft_requested.emit(draft)

    def _tell_offered(self, offered: RemoteModel | None) -> None:
        if offered != self._offered:
            self._offered = offered
            self.draft_changed.emit(offered)
