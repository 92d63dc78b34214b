"""A setting on one line: its name on the left, its field on the right."""

from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from app.ui.widgets import label, row

FIELD_WIDTH = 92  # pixels


class SettingRow(QWidget):
    """Hides and shows as one. A click on the name goes to the field."""

    def __init__(self, name: str, field: QWidget, *, width: int | None = FIELD_WIDTH) -> None:
        super().__init__()
        self._name: QLabel = label(name)
        self._name.setBuddy(field)
        if width is not None:
            field.setFixedWidth(width)
        line: QHBoxLayout = row(self._name, field)
        line.setStretchFactor(self._name, 1)
        self.setLayout(line)
