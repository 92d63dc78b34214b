"""What a suite came to: the finding, and the table of its prompts."""

from collections.abc import Sequence

from msgspec import Struct
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from app.core.experiment import Summary, Variant, reference_of
from app.core.prompts import Prompt
from app.core.suite_result import SuiteResult, SuiteRow, suite_result
from app.ui.compare_services import CompareServices
from app.ui.finding_card import FindingCard
from app.ui.form_parts import ChoiceBox, set_shown, show_line
from app.ui.offers import Remembering
from app.ui.option_words import mode_text
from app.ui.suite_finding import suite_finding
from app.ui.suite_table import SuiteTable
from app.ui.suite_view import SuiteView
from app.ui.suite_words import details_text
from app.ui.variant_words import variant_text
from app.ui.widgets import Card, button, column, label, row

_LEAST_TABLE = 140  # pixels, high
_EMPTY_WIDTH, _CHOICE_WIDTH = 520, 320


class SuiteFigures(Struct, frozen=True):
    """What is known of a suite, be it under way or over."""

    prompts: tuple[Prompt, ...]
    variants: tuple[Variant, ...]
    summaries: tuple[Summary, ...] = ()
    is_over: bool = False
    is_complete: bool = False


class SuiteResults(QWidget):
    """Of more variants than two, a choice says which is compared with the reference."""

    remember_requested = Signal(object)  # Side
    texts_requested = Signal(str, object)  # a prompt's id, and the Variant that is compared

    def __init__(self, services: CompareServices, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._titles = {suite.name: suite.title for suite in services.suites}
        self._figures: SuiteFigures | None = None
        self._remembering = Remembering()
        self._judged: Variant | None = None
        self._choice: ChoiceBox[Variant] | None = None
        self._finding = FindingCard(services.theme, "suite")
        self._finding.remember_requested.connect(self.remember_requested)
        self._table = SuiteTable(self._titles, self)
        self._view = SuiteView(services.theme, services.icons, self._table)
        self._view.setMinimumHeight(_LEAST_TABLE)
        self._view.row_selected.connect(self._show_details)
        self._details = label(size="small", tone="muted", wrap=True)
        self._details.setObjectName("suite_details")
        self._details.setMargin(12)
        self._both = button(self.tr("Show both answers"), "suite_texts_button", kind="quiet", small=True)
        self._both.clicked.connect(self._ask_for_texts)
        self._choices = row(None)
        self._card = Card()
        inside = column(self._choices, spacing=0, margins=(1, 4, 1, 1))
        inside.addWidget(self._view, 1)
        more = row(self._details, self._both, margins=(0, 0, 12, 0))
        more.setStretch(0, 1)
        inside.addLayout(more)
        self._card.setLayout(inside)
        self._empty = Card()
        self._empty.setLayout(_explanation(self))
        self._pages = QStackedWidget()
        self._pages.addWidget(self._empty)
        self._pages.addWidget(self._card)
        whole = column(self._finding, spacing=12)
        whole.addWidget(self._pages, 1)
        self.setLayout(whole)
        self.clear()

    @property
    def figures(self) -> SuiteFigures | None:
        """What is shown."""
        return self._figures

    @property
    def judged(self) -> Variant | None:
        """The variant that is compared with the reference; None where there is no other."""
        return self._judged

    def clear(self) -> None:
        """Shows nothing but what will be here."""
        self._figures = None
        set_shown(self._finding, False)
        self._pages.setCurrentWidget(self._empty)

    def show_figures(self, figures: SuiteFigures, remembering: Remembering) -> None:
        """Shows what is known, and offers what of it can be remembered."""
        before, self._figures = self._figures, figures
        self._remembering = remembering
        if before is None or before.variants != figures.variants:
            self._offer_choice(figures.variants)
        self._show()

    def result(self) -> SuiteResult | None:
        """What is shown, reckoned together."""
        figures = self._figures
        if figures is None:
            return None
        reference = reference_of(figures.variants)
        return suite_result(figures.prompts, self._judged, reference, figures.summaries)

    def _show(self) -> None:
        figures, judged, result = self._figures, self._judged, self.result()
        if figures is None or result is None:
            return
        reference = reference_of(figures.variants)
        self._table.show_rows(result.rows, *header_texts(reference, judged))
        self._pages.setCurrentWidget(self._card if result.rows or figures.is_over else self._empty)
        set_shown(self._finding, figures.is_over and judged is not None)
        if figures.is_over and judged is not None:
            self._finding.show_finding(
                suite_finding(
                    result,
                    reference,
                    judged,
                    self._titles,
                    self._remembering,
                    is_complete=figures.is_complete,
                )
            )
        self._show_details(self._view.selected)

    def _show_details(self, chosen: SuiteRow | None) -> None:
        figures, judged = self._figures, self._judged
        has_texts = chosen is not None and chosen.prompt is not None and judged is not None
        set_shown(self._both, has_texts and figures is not None and figures.is_over)
        if chosen is None or figures is None or judged is None:
            show_line(self._details, "")
            return
        show_line(self._details, details_text(chosen, reference_of(figures.variants), judged))

    def add_title(self, suite: str, title: str) -> None:
        """How a suite of the person's own is called; those that are built in keep their titles."""
        self._titles.setdefault(suite, title)

    def _ask_for_texts(self) -> None:
        chosen = self._view.selected
        if chosen is not None and chosen.prompt is not None and self._judged is not None:
            self.texts_requested.emit(chosen.prompt, self._judged)

    def _offer_choice(self, variants: Sequence[Variant]) -> None:
        reference = reference_of(tuple(variants))
        others = [variant for variant in variants if variant is not reference]
        self._judged = others[0] if others else None
        if self._choice is not None:
            self._choices.removeWidget(self._choice)
            self._choice.deleteLater()
            self._choice = None
        if len(others) > 1:
            texts = [(each, variant_text(each, with_draft=True)) for each in others]
            self._choice = ChoiceBox("suite_variant_box", self.tr("Compared"), texts)
            self._choice.value_chosen.connect(self._choose)
            self._choices.setContentsMargins(11, 6, 11, 4)
            self._choice.setMinimumWidth(_CHOICE_WIDTH)
            self._choices.insertWidget(0, self._choice)
        else:
            self._choices.setContentsMargins(0, 0, 0, 0)

    def _choose(self) -> None:
        if self._choice is not None:
            self._judged = self._choice.value
            self._show()


def header_texts(reference: Variant, judged: Variant | None) -> tuple[str, str]:
    """What stands over the rates of either: the modes, or the ids where those are the same."""
    if judged is None:
        return mode_text(reference.speculation.mode), ""
    modes = reference.speculation.mode, judged.speculation.mode
    if modes[0] is modes[1]:
        return reference.id, judged.id
    return mode_text(modes[0]), mode_text(modes[1])


def _explanation(owner: QWidget) -> QVBoxLayout:
    title = label(owner.tr("What drafting gains depends on the prompt"), size="heading")
    text = label(
        owner.tr(
            "Code, corrections and summaries repeat what is there, and gain most. Stories go their own way, "
            "and may even lose. Run one prompt of each kind to see how it is with this model here."
        ),
        tone="muted",
        wrap=True,
    )
    text.setFixedWidth(_EMPTY_WIDTH)
    for line in (title, text):
        line.setAlignment(Qt.AlignmentFlag.AlignCenter)
    return column(None, title, row(None, text, None), None, margins=(16, 16, 16, 16))
