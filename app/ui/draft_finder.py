"""Draft models on the hub for a model on this computer."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from app.core.advice import Advisor
from app.models.draft_facts import facts_of_local
from app.models.draft_suggestions import DraftSuggestion, query_for
from app.models.hub import Hub
from app.models.library import LocalModel
from app.models.model_names import printable
from app.ui.draft_search import Checked, DraftSearch, Failed, Finding, Found, Hopeless, Looking
from app.ui.draft_search_words import (
    details_text,
    draft_name,
    not_checked_text,
    outlook_text,
    reason_text,
    size_note,
    verdict_text,
    where_text,
)
from app.ui.form_parts import set_shown, show_line
from app.ui.icons import Icons
from app.ui.plain_tip import plain_tip
from app.ui.tasks import Tasks
from app.ui.theme import Theme
from app.ui.whereabouts import Whereabouts, WhereaboutsService
from app.ui.widgets import Card, ElidedLabel, Tone, button, column, hairline, label, row, set_property

_BUTTON_WIDTH = 96  # pixels


class DraftFinder(QWidget):
    """A heading, and a row for each suggestion with what the comparison of vocabularies came to."""

    draft_requested = Signal(object)  # tuple[HubModel, RemoteModel]
    repository_requested = Signal(str)
    query_known = Signal(str)  # words that find drafts for the target

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
        self.setObjectName("draft_finder")
        self._places = places
        self._search = DraftSearch(hub, advisor, tasks, check_all=True, parent=self)
        self._shown: list[_Row] = []
        self._title = label(size="title", wrap=True)
        self._title.setObjectName("draft_finder_title")
        about = label(
            self.tr(
                "A draft model is a small model with the same vocabulary. It guesses ahead and your model "
                "checks, so that the answer stays the same and comes sooner."
            ),
            tone="muted",
            wrap=True,
        )
        self._line = label(tone="muted", wrap=True)
        self._line.setObjectName("draft_finder_line")
        self._note = label(size="small", tone="muted", wrap=True)
        self._note.setObjectName("draft_finder_note")
        self._retry = button(self.tr("Retry"), "retry_finder_button")
        self._card = Card()
        self._rows = QVBoxLayout()
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setSpacing(0)
        self._card.setLayout(self._rows)
        line = row(self._retry)
        line.insertWidget(0, self._line, 1)
        self.setLayout(
            column(
                self._title,
                about,
                8,
                line,
                self._card,
                self._note,
                spacing=8,
            )
        )
        self._search.changed.connect(self._update)
        self._places.changed.connect(self._update)
        self._retry.clicked.connect(self._search.again)

    def show_for(self, model: LocalModel) -> None:
        """Looks for drafts for a model."""
        text = self.tr("Draft models for {name}")
        self._title.setText(text.format(name=printable(model.name)))
        facts = facts_of_local(model)
        self.query_known.emit(query_for(facts))
        self._search.begin(facts, lambda: model.path)

    def _update(self) -> None:
        state = self._search.state
        sentence = note = ""
        some_failed = any(finding.has_failed for finding in self._search.findings)
        match state:
            case Looking():
                sentence = self.tr("Looking on Hugging Face…")
            case Hopeless(outlook=outlook):
                sentence = outlook_text(outlook)
            case Failed(sentence=reason):
                sentence = reason
            case Found(findings=()):
                sentence = self.tr("No smaller model of its family was found on Hugging Face.")
            case Found(findings=findings):
                note = size_note(findings[0].suggestion)
                if not any(finding.may_fit for finding in findings):
                    sentence = self.tr("None of these fits. Another search may find one that does.")
                elif some_failed:
                    sentence = self.tr("Not all of these could be checked.")
        show_line(self._line, sentence)
        show_line(self._note, note)
        set_shown(self._retry, isinstance(state, Failed) or some_failed)
        self._show_rows()

    def _show_rows(self) -> None:
        findings = self._search.findings
        if [shown.suggestion for shown in self._shown] != [each.suggestion for each in findings]:
            self._make_rows()
        for shown, finding in zip(self._shown, findings, strict=True):
            suggestion = finding.suggestion
            where = self._places.of_any(suggestion.model, suggestion.row)
            is_best = finding == self._search.current and isinstance(finding.verdict, Checked)
            shown.show_finding(finding, where, is_best=is_best)
        set_shown(self._card, bool(findings))

    def _make_rows(self) -> None:
        while (item := self._rows.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.setParent(None)
                widget.deleteLater()
        self._shown = []
        for number, finding in enumerate(self._search.findings):
            if number:
                self._rows.addWidget(hairline())
            shown = _Row(finding.suggestion, number)
            shown.draft_requested.connect(self.draft_requested)
            shown.repository_requested.connect(self.repository_requested)
            self._rows.addWidget(shown)
            self._shown.append(shown)


class _Row(QFrame):
    """One suggestion."""

    draft_requested = Signal(object)
    repository_requested = Signal(str)

    def __init__(self, suggestion: DraftSuggestion, number: int) -> None:
        super().__init__()
        self.suggestion = suggestion
        self.setObjectName(f"found_draft_{number}")
        name = ElidedLabel(draft_name(suggestion), strong=True)
        self._verdict = label(size="small", wrap=True)
        self._verdict.setObjectName(f"found_draft_verdict_{number}")
        self._see = button(self.tr("See all files"), f"see_draft_button_{number}", kind="quiet", small=True)
        self._see.setToolTip(plain_tip(printable(suggestion.model.repo)))
        self._download = button(self.tr("Download"), f"download_draft_button_{number}", small=True)
        self._download.setMinimumWidth(_BUTTON_WIDTH)
        policy = self._download.sizePolicy()
        policy.setRetainSizeWhenHidden(True)  # so that the buttons of all rows stand in columns
        self._download.setSizePolicy(policy)
        named = self.tr("Download {name}").format(name=draft_name(suggestion))
        self._download.setAccessibleName(named)
        words = column(
            name, ElidedLabel(details_text(suggestion), size="small", tone="muted"), self._verdict, spacing=2
        )
        whole = row(self._see, self._download, spacing=8, margins=(16, 10, 12, 10))
        whole.insertLayout(0, words, 1)
        self.setLayout(whole)
        self._see.clicked.connect(self._ask_for_repository)
        self._download.clicked.connect(self._ask_for_draft)

    def show_finding(self, finding: Finding, where: Whereabouts, *, is_best: bool) -> None:
        """Shows what is known of it, and where it is; the best one's button stands out."""
        verdict = reason_text(finding) or not_checked_text(finding) or verdict_text(finding)
        self._verdict.setText(" · ".join(part for part in (verdict, where_text(where)) if part))
        set_property(self._verdict, "tone", _tone(finding))
        set_shown(self._download, finding.may_fit and where is Whereabouts.ELSEWHERE)
        set_property(self._download, "kind", "primary" if is_best else "plain")

    def _ask_for_repository(self) -> None:
        self.repository_requested.emit(self.suggestion.model.repo)

    def _ask_for_draft(self) -> None:
        self.draft_requested.emit((self.suggestion.model, self.suggestion.row))


def _tone(finding: Finding) -> Tone:
    if isinstance(finding.verdict, Checked):
        return "good"
    return "muted" if finding.may_fit else "warning"
