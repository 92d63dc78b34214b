"""How a model is loaded: the first page of the dialog."""

from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QWidget

from app.settings import UserMode
from app.ui.advanced_section import AdvancedSection
from app.ui.basics_section import BasicsSection
from app.ui.disclosure import Disclosure
from app.ui.form_parts import set_shown
from app.ui.icons import Icons
from app.ui.memory_card import MemoryCard
from app.ui.speculation_section import SpeculationSection
from app.ui.theme import Theme
from app.ui.widgets import column, row

_BETWEEN = 32  # pixels
_LEFT_SHARE, _RIGHT_SHARE = 11, 10  # the captions on the left are long


class LoadTab(QWidget):
    """The basics beside the memory they take; below, from Power User on, details and speculation."""

    def __init__(
        self,
        theme: Theme,
        icons: Icons,
        mode: UserMode,
        basics: BasicsSection,
        memory: MemoryCard,
        advanced: AdvancedSection,
        speculation: SpeculationSection,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("scroll_content")
        side = column(memory, None)
        heading = Disclosure(self.tr("Advanced"), "advanced_button", theme, icons)
        details = QWidget()
        details.setLayout(_halves(row(advanced), row(speculation)))
        self.setLayout(
            column(
                _halves(row(basics), side),
                heading,
                details,
                None,
                spacing=12,
                margins=(24, 16, 24, 16),
            )
        )
        heading.toggled.connect(details.setVisible)
        shows_details = mode is not UserMode.USER
        set_shown(heading, shows_details)
        set_shown(details, shows_details)


def _halves(left: QBoxLayout, right: QBoxLayout) -> QHBoxLayout:
    made = row(left, right, spacing=_BETWEEN)
    made.setStretch(0, _LEFT_SHARE)
    made.setStretch(1, _RIGHT_SHARE)
    return made
