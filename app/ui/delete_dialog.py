"""Asks before a model is deleted, or removed from the list."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QTextOption
from PySide6.QtWidgets import QCheckBox, QDialog, QPlainTextEdit, QWidget

from app.figures import bytes_text
from app.models.model_deletion import Deletion
from app.models.model_names import printable
from app.ui.widgets import button, column, label, row, set_property

_WIDTH = 560  # pixels
_LINES = 6  # of paths, before they scroll


class DeleteDialog(QDialog):
    """Says which files it is about, in full, and how much room they take.

    A model of the managed folder is deleted. Any other is only removed from the list, unless the box is
    ticked: its files may be somebody else's.
    """

    deletion_confirmed = Signal()  # from the disk
    removal_confirmed = Signal()  # from the list

    def __init__(
        self, name: str, deletion: Deletion, *, managed: bool, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._name = name
        self._deletion = deletion
        self._managed = managed
        self.setObjectName("delete_dialog")
        self.setModal(True)
        self.setFixedWidth(_WIDTH)
        size, count = bytes_text(deletion.freed_bytes), len(deletion.files)
        self._heading = label(size="heading", wrap=True)
        self._heading.setObjectName("delete_heading")
        self._what = label(tone="muted", wrap=True)
        self._what.setObjectName("delete_sentence")
        if count == 1:
            also = self.tr("Also delete the file from the disk ({size})")
        else:
            also = self.tr("Also delete all {count} files from the disk ({size})")
        self._from_disk = QCheckBox(also.format(count=count, size=size))
        self._from_disk.setObjectName("delete_from_disk_box")
        self._from_disk.setVisible(not managed)
        self._from_disk.toggled.connect(self._word)
        cancel = button(self.tr("Cancel"), "cancel_delete_button")
        cancel.clicked.connect(self.reject)
        self._confirm = button("", "confirm_delete_button")
        self._confirm.clicked.connect(self.accept)
        self.accepted.connect(self._tell)
        self._layout = column(
            self._heading,
            self._what,
            _paths(deletion.files, self.tr("Files")),
            self._from_disk,
            8,
            row(None, cancel, self._confirm),
            spacing=12,
            margins=(24, 20, 24, 20),
        )
        self.setLayout(self._layout)
        self._word()
        cancel.setDefault(True)
        cancel.setFocus()

    @property
    def _deletes(self) -> bool:
        return self._managed or self._from_disk.isChecked()

    def _word(self) -> None:
        """Says what will be done as things stand."""
        if self._deletes:
            title, text = self.tr("Delete {name}?"), self.tr("Delete")
        else:
            title, text = self.tr("Remove {name} from the list?"), self.tr("Remove from list")
        title = title.format(name=self._name)
        self.setWindowTitle(title)
        self._heading.setText(title)
        self._what.setText(self._sentence())
        self._confirm.setText(text)
        self._confirm.setAccessibleName(text)
        set_property(self._confirm, "kind", "danger" if self._deletes else "plain")
        self.resize(_WIDTH, self._layout.heightForWidth(_WIDTH))

    def _sentence(self) -> str:
        size, count = bytes_text(self._deletion.freed_bytes), len(self._deletion.files)
        if not self._deletes:
            text = self.tr("It lies outside the models folder and stays on the disk:")
        elif not self._deletion.freed_bytes:
            text = self.tr("This deletes a link, not the file that it points to:")
        elif count == 1:
            text = self.tr("This deletes the file from the disk, for good ({size}):")
        else:
            text = self.tr("This deletes all {count} files from the disk, for good ({size}):")
        return text.format(count=count, size=size)

    def _tell(self) -> None:
        if self._deletes:
            self.deletion_confirmed.emit()
        else:
            self.removal_confirmed.emit()


def _paths(files: Sequence[Path], accessible: str) -> QPlainTextEdit:
    made = QPlainTextEdit("\n".join(printable(str(file)) for file in files))
    made.setObjectName("delete_paths")
    made.setAccessibleName(accessible)
    made.setReadOnly(True)
    made.setWordWrapMode(QTextOption.WrapMode.WrapAnywhere)
    made.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    letters = max((_WIDTH - 80) // made.fontMetrics().averageCharWidth(), 1)
    lines = sum(1 + len(str(file)) // letters for file in files)
    made.setFixedHeight(min(lines, _LINES) * made.fontMetrics().lineSpacing() + 24)
    return made
