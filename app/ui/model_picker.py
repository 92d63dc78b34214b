"""The quick choice of a model: a list under the model bar, filtered while typing."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QPoint, QSortFilterProxyModel, Qt, Signal
from PySide6.QtGui import QKeyEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QFrame, QLineEdit, QListView, QWidget

from app.figures import bytes_text
from app.models.library import LocalModel
from app.models.model_names import printable
from app.ui.picker_delegate import ROW_HEIGHT, PickerDelegate, PickerRole
from app.ui.plain_tip import plain_tip
from app.ui.widgets import button, column, label, row

_WIDTH = 480  # pixels
_ROWS_SHOWN = 9


class ModelPicker(QFrame):
    """A popup. Enter or a click chooses; its settings dialog comes next."""

    model_chosen = Signal(object)  # LocalModel
    models_page_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setObjectName("model_picker")
        self.setProperty("popup", True)
        self.setFixedWidth(_WIDTH)
        self._models: tuple[LocalModel, ...] = ()
        self._loaded: Path | None = None
        self._filter = QLineEdit()
        self._filter.setObjectName("model_picker_filter")
        self._filter.setAccessibleName(self.tr("Filter models"))
        self._filter.setPlaceholderText(self.tr("Choose a model to load"))
        self._rows = QStandardItemModel(self)
        self._shown = QSortFilterProxyModel(self)
        self._shown.setSourceModel(self._rows)
        self._shown.setFilterRole(PickerRole.HAYSTACK)
        self._shown.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self._list = QListView()
        self._list.setObjectName("model_picker_list")
        self._list.setAccessibleName(self.tr("Models"))
        self._list.setModel(self._shown)
        self._list.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self._list.setUniformItemSizes(True)
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self._list.setItemDelegate(PickerDelegate(self._list))
        self._list.setProperty("picker", True)
        self._empty = label(self.tr("No model here yet."), tone="muted")
        manage = button(self.tr("My Models"), "model_picker_manage_button", kind="quiet", small=True)
        manage.clicked.connect(self._manage)
        hint = label(self.tr("Enter opens its settings"), tone="faint", size="small")
        self.setLayout(
            column(
                self._filter,
                self._list,
                self._empty,
                row(hint, None, manage),
                margins=(8, 8, 8, 8),
            )
        )
        self._filter.textChanged.connect(self._narrow)
        self._filter.installEventFilter(self)
        self._list.clicked.connect(lambda index: self._choose(index.row()))
        self._list.activated.connect(lambda index: self._choose(index.row()))

    def show_models(self, models: Sequence[LocalModel]) -> None:
        """What there is to choose from. A row that was chosen with the arrow keys stays chosen."""
        before = self._selected_path
        self._models = tuple(models)
        self._rows.clear()
        for number, model in enumerate(self._models):
            item = QStandardItem(model.name)
            item.setData(number, PickerRole.NUMBER)
            item.setToolTip(plain_tip(printable(str(model.path))))
            self._describe(item, model)
            self._rows.appendRow(item)
        self._narrow(self._filter.text())
        self._select_path(before)

    def set_loaded(self, path: Path | None) -> None:
        """Marks the model in use, which is the one selected when the list opens."""
        if path != self._loaded:
            self._loaded = path
            for number, model in enumerate(self._models):
                self._describe(self._rows.item(number), model)

    def open_at(self, place: QPoint) -> None:
        """Opens at a place on the screen."""
        self._filter.clear()
        self._narrow("")
        self.move(place)
        self.show()
        self._filter.setFocus()
        self._select_path(self._loaded)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Lets the arrow keys move in the list while typing goes on in the field."""
        if watched is self._filter and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            row_ = self._list.currentIndex().row()
            match event.key():
                case Qt.Key.Key_Down:
                    self._select(row_ + 1)
                    return True
                case Qt.Key.Key_Up:
                    self._select(row_ - 1)
                    return True
                case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                    self._choose(max(row_, 0))
                    return True
        return super().eventFilter(watched, event)

    def _narrow(self, text: str) -> None:
        self._shown.setFilterFixedString(text.strip())
        found = self._shown.rowCount()
        self._list.setVisible(found > 0)
        self._list.setFixedHeight(ROW_HEIGHT * min(max(found, 1), _ROWS_SHOWN))
        self._empty.setVisible(found == 0)
        self._empty.setText(
            self.tr("No model has that in its name.") if self._models else self.tr("No model here yet.")
        )
        self._select(0)
        self.adjustSize()

    def _describe(self, item: QStandardItem, model: LocalModel) -> None:
        details = f"{model.info.quantisation} · {bytes_text(model.info.total_bytes)}"
        loaded = self.tr("loaded") if model.path == self._loaded else ""
        said = ", ".join(part for part in (model.name, details, loaded) if part)
        item.setData(details, PickerRole.DETAILS)
        item.setData(loaded, PickerRole.LOADED)
        item.setData(f"{model.name} {details}", PickerRole.HAYSTACK)
        item.setData(said, Qt.ItemDataRole.AccessibleTextRole)

    @property
    def _selected_path(self) -> Path | None:
        index = self._list.currentIndex()
        return self._models[index.data(PickerRole.NUMBER)].path if index.isValid() else None

    def _select_path(self, path: Path | None) -> None:
        for row_ in range(self._shown.rowCount()):
            if self._models[self._shown.index(row_, 0).data(PickerRole.NUMBER)].path == path:
                self._select(row_)

    def _select(self, row_: int) -> None:
        if 0 <= row_ < self._shown.rowCount():
            self._list.setCurrentIndex(self._shown.index(row_, 0))

    def _choose(self, row_: int) -> None:
        if 0 <= row_ < self._shown.rowCount():
            number = self._shown.index(row_, 0).data(PickerRole.NUMBER)
            self.hide()
            self.model_chosen.emit(self._models[number])

    def _manage(self) -> None:
        self.hide()
        self.models_page_requested.emit()
