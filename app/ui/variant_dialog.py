"""How one side of a comparison drafts, in full."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDialog, QFrame, QLayout, QScrollArea, QWidget

from app.core.options import DraftLength, SpeculationMode
from app.models.library import LocalModel
from app.settings import ModelConfig, UserMode
from app.ui.acceptance_section import AcceptanceSection
from app.ui.compare_services import CompareServices
from app.ui.draft_candidates import takes_back_tokens
from app.ui.enter_key import press_by_enter
from app.ui.form_parts import show_line
from app.ui.option_problems import problems_of, sentence
from app.ui.session_state import Running
from app.ui.side import Side, side_of
from app.ui.speculation_section import SpeculationSection
from app.ui.widgets import button, column, hairline, label, row

_WIDTH, _DEVELOPER_WIDTH, _SMALLEST = 520, 880, QSize(420, 240)  # pixels
_AROUND = QSize(48, 64)  # pixels kept free on a small screen, for the window's frame
_BETWEEN = 32  # pixels


class VariantDialog(QDialog):
    """Source of drafts, draft model and numbers; acceptance rules for developers.

    `side` is what it begins with: its numbers and its draft model are shown even where it is plain. The draft
    may be another one than is loaded. OK is there once all of it can be carried out. `length_is_swept`: how
    much is drafted is no choice here.
    """

    side_chosen = Signal(object)  # Side
    find_draft_requested = Signal(object)  # LocalModel: a draft for it, from elsewhere

    def __init__(
        self,
        side: Side,
        target: LocalModel,
        services: CompareServices,
        mode: UserMode,
        parent: QWidget | None = None,
        *,
        length_is_swept: bool = False,
    ) -> None:
        super().__init__(parent)
        self._target = target
        self._services = services
        self._fitted: tuple[SpeculationMode, DraftLength] | None = None  # what the height was made for
        self._base = ModelConfig(
            speculation=side.variant.speculation, draft=side.draft.path if side.draft else None
        )
        self.setObjectName("variant_dialog")
        self.setProperty("panel", True)
        self.setWindowTitle(self.tr("What to compare"))
        self.setModal(True)
        self._speculation = SpeculationSection(
            target,
            services.theme,
            services.library,
            services.advisor,
            services.tasks,
            must_draft=True,
            length_is_swept=length_is_swept,
        )
        state = services.session.state
        if isinstance(state, Running):
            self._speculation.set_load(state.setup.config.load)
        self._acceptance = AcceptanceSection()
        self._beside = label(size="small", tone="muted", wrap=True)
        self._beside.setObjectName("draft_beside_note")
        self._problem = label(size="small", tone="bad", wrap=True)
        self._problem.setObjectName("variant_problem")
        self._ok = button(self.tr("OK"), "variant_ok_button", kind="primary")
        self._ok.clicked.connect(self._finish)
        cancel = button(self.tr("Cancel"), "variant_cancel_button")
        cancel.clicked.connect(self.reject)
        self._footer = column(
            self._problem, row(None, cancel, self._ok, spacing=10), spacing=6, margins=(24, 14, 24, 14)
        )
        self._content = QWidget()
        area = self._form(is_developer=mode is UserMode.DEVELOPER)
        layout = column(area, hairline(), self._footer, spacing=0)
        layout.setStretch(0, 1)
        self.setLayout(layout)
        for section in (self._speculation, self._acceptance):
            section.show_config(self._base)
            section.edited.connect(self._update)
        self._speculation.draft_known.connect(self._update)
        self._speculation.picker.outlooks.outlook_changed.connect(self._update)
        self._speculation.find_draft_requested.connect(self._find_draft)
        self._room = self.screen().availableSize() - _AROUND
        self.setMinimumSize(_SMALLEST.boundedTo(self._room))
        width = _DEVELOPER_WIDTH if mode is UserMode.DEVELOPER else _WIDTH
        self.resize(min(width, self._room.width()), _SMALLEST.height())
        self._update()

    @property
    def side(self) -> Side:
        """What is chosen, as things stand."""
        return side_of(self._config, self._speculation.draft)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter presses the button that has the focus, and from a field OK."""
        if not press_by_enter(self, event, self._ok):
            super().keyPressEvent(event)

    @property
    def _config(self) -> ModelConfig:
        return self._acceptance.applied_to(self._speculation.applied_to(self._base))

    def _form(self, *, is_developer: bool) -> QScrollArea:
        """The sections, which scroll where they do not fit. What is not shown keeps its values."""
        content = self._content
        content.setObjectName("scroll_content")
        halves = row(
            column(self._speculation, self._beside, None, spacing=10),
            spacing=_BETWEEN,
            margins=(24, 18, 24, 18),
        )
        halves.setStretch(0, 11)
        if is_developer:
            halves.addLayout(column(self._acceptance, None), 10)
        else:
            self._acceptance.setParent(content)
            self._acceptance.hide()
        content.setLayout(halves)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(content)
        return area

    def _update(self) -> None:
        speculation = self._config.speculation
        found = problems_of(speculation)
        told = (
            *self._speculation.show_problems(found.by_field, found.joint),
            *self._acceptance.show_problems(found.by_field, ()),
        )
        shown = {*self._speculation.fields, *self._acceptance.fields}
        unseen = [
            sentence(text) for name, texts in found.by_field.items() if name not in shown for text in texts
        ]
        if self._acceptance.isHidden():
            unseen += self._acceptance.problems
        show_line(self._problem, " ".join(unseen))
        reason = next(iter((*told, *unseen)), "") or self._why_not(speculation.mode)
        self._ok.setEnabled(not reason)
        self._ok.setToolTip(reason)
        self._ok.setAccessibleDescription(reason)
        show_line(self._beside, self._beside_text())
        self._fit_height((speculation.mode, speculation.draft_length))

    def _why_not(self, mode: SpeculationMode) -> str:
        """What stands in the way besides the numbers; the form tells it as well."""
        if mode is SpeculationMode.OFF:
            return ""
        if not takes_back_tokens(self._target.info):
            return self.tr("This model cannot take back rejected tokens, so nothing can draft for it.")
        if mode is SpeculationMode.DRAFT_MODEL and self._speculation.likely_draft is None:
            return self.tr("Choose a draft model that fits.")
        return ""

    def _beside_text(self) -> str:
        draft, state = self._speculation.likely_draft, self._services.session.state
        if draft is None or not isinstance(state, Running):
            return ""
        loaded = state.setup.draft if state.has_draft else None
        if loaded is not None and loaded.path == draft.path:
            return ""
        return self.tr("The comparison loads this draft model beside your model, and frees it afterwards.")

    def _finish(self) -> None:
        side = self.side
        self.accept()
        self.side_chosen.emit(side)

    def _find_draft(self) -> None:
        self.reject()
        self.find_draft_requested.emit(self._target)

    def _fit_height(self, form: tuple[SpeculationMode, DraftLength]) -> None:
        """As high as one of its forms, which words that come later only make higher."""
        for section in (self._speculation, self._acceptance):
            _laid_out_anew(section)
        content = _laid_out_anew(self._content).totalHeightForWidth(self.width())
        wanted = content + 1 + self._footer.totalSizeHint().height()
        least = self.height() if form == self._fitted else 0
        self._fitted = form
        self.resize(self.width(), min(max(wanted, least), self._room.height()))


def _laid_out_anew(part: QWidget) -> QLayout:
    """The layout of a part of which something was hidden or shown just now."""
    layout = part.layout()
    assert layout is not None
    layout.invalidate()
    layout.activate()
    return layout
