"""Pages under a model's name, with a button for each."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QButtonGroup, QFrame, QHBoxLayout, QScrollArea, QStackedWidget, QWidget

from app.figures import bytes_text
from app.models.library import LocalModel
from app.ui.widgets import ElidedLabel, button, column, hairline, row


class DialogPages(QWidget):
    """Pages scroll where they do not fit."""

    def __init__(self, model: LocalModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._group = QButtonGroup(self)
        self._pages = QStackedWidget()
        self._tabs = QHBoxLayout()
        self._tabs.setSpacing(4)
        title = ElidedLabel(model.name, size="title")
        title.setObjectName("load_dialog_title")
        facts = ElidedLabel(self._facts(model), tone="muted")
        facts.setObjectName("load_dialog_facts")
        header = row(column(title, facts, spacing=0), self._tabs, spacing=24, margins=(24, 16, 24, 12))
        header.setStretch(0, 1)
        self.setLayout(column(header, hairline(), self._pages, spacing=0))
        self._group.idClicked.connect(self._pages.setCurrentIndex)

    def add_page(self, title: str, name: str, page: QWidget) -> None:
        """Adds a page; its button is named `name`.

        Quickest where this is in its window already: Qt styles a page anew each time it gets another parent.
        """
        tab = button(title, name, kind="tab")
        tab.setCheckable(True)
        number = self._pages.count()
        self._group.addButton(tab, number)
        self._tabs.addWidget(tab)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._pages.addWidget(area)
        area.setWidget(page)
        if number == 0:
            tab.setChecked(True)

    def _facts(self, model: LocalModel) -> str:
        info = model.info
        facts = [info.quantisation, bytes_text(info.total_bytes)]
        if info.context_length is not None:
            facts.append(self.tr("{count} tokens of context").format(count=f"{info.context_length:,}"))
        return " · ".join(facts)
