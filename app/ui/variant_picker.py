"""Choosing how one side of a comparison drafts."""

from msgspec.structs import replace
from PySide6.QtCore import QPoint, Signal
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QMenu, QWidget

from app.core.options import SpeculationMode, SpeculationOptions
from app.models.library import LocalModel
from app.settings import ModelConfig
from app.ui.compare_services import CompareServices
from app.ui.field_button import FieldButton
from app.ui.option_words import mode_text
from app.ui.plain_tip import plain_tip
from app.ui.session_state import Running
from app.ui.side import Side, draft_at_hand, off_side, side_of
from app.ui.variant_dialog import VariantDialog
from app.ui.variant_words import variant_text


class VariantPicker(FieldButton):
    """A field with the choice; its menu has the quick choices, and a way to the whole of the settings.

    A quick choice comes with the numbers that it had last, at first those of the model's config. `name` is
    the object name.
    """

    side_chosen = Signal(object)  # Side, by the person
    find_draft_requested = Signal(object)  # LocalModel: a draft for it, from elsewhere

    def __init__(
        self,
        services: CompareServices,
        name: str,
        parent: QWidget | None = None,
        *,
        names_draft: bool = True,
        length_is_swept: bool = False,
    ) -> None:
        """`names_draft`: whether a draft model that is not the loaded one is named in the field.

        `length_is_swept`: the draft length is no choice here, and not drafting is none either.
        """
        super().__init__(services.theme, services.icons, name, parent)
        self._services = services
        self._names_draft = names_draft
        self._length_is_swept = length_is_swept
        self._target: LocalModel | None = None
        self._side = off_side()
        self._last: dict[SpeculationMode, SpeculationOptions] = {}
        self._last_draft: LocalModel | None = None
        self._reason = ""
        self._dialog: VariantDialog | None = None
        self._menu = QMenu(self)
        self._menu.setObjectName(f"{name}_menu")
        self._menu.setToolTipsVisible(True)
        self.clicked.connect(self._show_menu)
        services.session.state_changed.connect(self._update)
        self._update()

    @property
    def side(self) -> Side:
        """What is chosen."""
        return self._side

    def show_side(self, side: Side) -> None:
        """Shows a choice, without a signal."""
        self._side = side
        if side.variant.drafts:
            self._last[side.variant.speculation.mode] = side.variant.speculation
        if side.draft is not None:
            self._last_draft = side.draft
        self._update()

    def set_target(self, target: LocalModel | None) -> None:
        """The model whose drafting is chosen; without one nothing can be. For another one it begins anew."""
        is_other = target is None or self._target is None or target.path != self._target.path
        self._target = target
        if is_other:
            self._close_dialog()
            self._last.clear()
            self._last_draft = None
            self._side = off_side()
        self._update()

    def set_enabled_reason(self, reason: str) -> None:
        """Why nothing can be chosen now, in words; empty if it can."""
        self._reason = reason
        self._update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The words may fit now, or fit no more."""
        super().resizeEvent(event)
        self._tell()

    def _update(self) -> None:
        self.setText(self._text(self._side, with_draft=self._names_draft and self._has_own_draft()))
        self.setEnabled(self._target is not None and not self._reason)
        self.updateGeometry()
        self.update()
        self._tell()

    def _tell(self) -> None:
        whole = self._text(self._side, with_draft=True)
        self.setAccessibleName(self.tr("Drafting: {variant}").format(variant=whole))
        self.setAccessibleDescription(self._reason)
        self.setToolTip(plain_tip(self._reason or (whole if whole != self.text() or self.is_cut else "")))

    def _text(self, side: Side, *, with_draft: bool = False) -> str:
        return variant_text(side.variant, with_draft=with_draft, with_length=not self._length_is_swept)

    def _has_own_draft(self) -> bool:
        """Whether the draft is another one than is loaded, so that its name must be told."""
        state, draft = self._services.session.state, self._side.draft
        if draft is None or not isinstance(state, Running):
            return False
        return state.setup.draft is None or state.setup.draft.path != draft.path

    def _show_menu(self) -> None:
        self._fill_menu()
        self._menu.setMinimumWidth(self.width())
        self._menu.popup(self.mapToGlobal(QPoint(0, self.height() + 2)))

    def _fill_menu(self) -> None:
        self._menu.clear()
        chosen = self._side.variant.speculation.mode
        refusal = self._refusal()
        for mode in SpeculationMode:
            action = self._action(self._words(mode), f"choose_{mode.value}_action")
            action.setCheckable(True)
            action.setChecked(mode is chosen)
            action.triggered.connect(lambda _checked, wanted=mode: self._mode_chosen(wanted))
            action.setVisible(mode is not SpeculationMode.OFF or not self._length_is_swept)
            if refusal and mode is not SpeculationMode.OFF:
                action.setEnabled(False)
                action.setToolTip(plain_tip(refusal))
        self._menu.addSeparator()
        self._action(self.tr("Configure…"), "configure_variant_action").triggered.connect(self._configure)

    def _action(self, text: str, name: str) -> QAction:
        action = self._menu.addAction(text.replace("&", "&&"))
        action.setObjectName(name)
        action.setToolTip("")
        return action

    def _words(self, mode: SpeculationMode) -> str:
        side = self._quick_side(mode)
        return self.tr("{mode}…").format(mode=mode_text(mode)) if side is None else self._text(side)

    def _refusal(self) -> str:
        state = self._services.session.state
        refused = state.loaded.refusal if isinstance(state, Running) else None
        return "" if refused is None else refused.sentence

    def _mode_chosen(self, mode: SpeculationMode) -> None:
        side = self._quick_side(mode)
        if side is None:
            self._open_dialog(Side(replace(off_side().variant, speculation=self._numbers(mode))))
        else:
            self._choose(side)

    def _quick_side(self, mode: SpeculationMode) -> Side | None:
        """The side that a quick choice gives; None where the draft model must be chosen first."""
        draft = self._draft()
        if mode is SpeculationMode.DRAFT_MODEL and draft is None:
            return None
        return side_of(ModelConfig(speculation=self._numbers(mode)), draft)

    def _numbers(self, mode: SpeculationMode) -> SpeculationOptions:
        """Those that the mode had last; else those of the other one, else the model's."""
        known = self._last.get(mode) or next(iter(self._last.values()), None) or self._saved.speculation
        return replace(known, mode=mode)

    def _draft(self) -> LocalModel | None:
        """The draft model that was chosen last and is still there; else one that is at hand."""
        library, state = self._services.library, self._services.session.state
        if self._last_draft is not None and library.find(self._last_draft.path) is not None:
            return self._last_draft
        return draft_at_hand(state, self._saved, library) if isinstance(state, Running) else None

    @property
    def _saved(self) -> ModelConfig:
        settings = self._services.preferences.settings
        return settings.defaults if self._target is None else settings.config_for(self._target.path)

    def _configure(self) -> None:
        mode = self._side.variant.speculation.mode
        variant = replace(self._side.variant, speculation=self._numbers(mode))
        self._open_dialog(Side(variant, self._side.draft or self._draft()))

    def _open_dialog(self, side: Side) -> None:
        if self._target is None:
            return
        self._close_dialog()
        mode = self._services.preferences.settings.mode
        dialog = self._dialog = VariantDialog(
            side,
            self._target,
            self._services,
            mode,
            self.window(),
            length_is_swept=self._length_is_swept,
        )
        dialog.side_chosen.connect(self._choose)
        dialog.find_draft_requested.connect(self.find_draft_requested)
        dialog.open()

    def _close_dialog(self) -> None:
        if self._dialog is not None:
            self._dialog.reject()
            self._dialog.deleteLater()
            self._dialog = None

    def _choose(self, side: Side) -> None:
        if side.variant.speculation != self._side.variant.speculation or side.draft != self._side.draft:
            self.show_side(side)
            self.side_chosen.emit(side)
