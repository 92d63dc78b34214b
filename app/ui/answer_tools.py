"""What every message of a transcript needs to draw itself."""

from PySide6.QtCore import QObject
from PySide6.QtGui import QTextCharFormat

from app.ui.code_colours import Lexers
from app.ui.icons import Icons
from app.ui.slices import Slices
from app.ui.tasks import Tasks
from app.ui.text_formats import TextFormats
from app.ui.theme import Theme


class AnswerTools(QObject):
    """Shared by all messages of one transcript."""

    def __init__(
        self,
        theme: Theme,
        icons: Icons,
        tasks: Tasks,
        parent: QObject | None = None,
        *,
        behind: str = "window",
    ) -> None:
        """`behind` is the role of the colour that the text stands on."""
        super().__init__(parent)
        self._behind = behind
        self.theme = theme
        self.icons = icons
        self.slices = Slices(self)
        self.lexers = Lexers(tasks)
        self.formats = TextFormats(theme, behind)
        self._visualize = False
        theme.changed.connect(self._take_theme)

    @property
    def mark_look(self) -> QTextCharFormat | None:
        """How text from the draft looks; None where it looks like any other."""
        return self.formats.mark if self._visualize else None

    @property
    def code_mark_look(self) -> QTextCharFormat | None:
        """The same in blocks of code."""
        return self.formats.code_mark if self._visualize else None

    @property
    def visualizes(self) -> bool:
        """Whether text from the draft is coloured."""
        return self._visualize

    def set_visualize(self, shown: bool) -> None:
        """Whether text from the draft is coloured."""
        self._visualize = shown

    def _take_theme(self) -> None:
        self.formats = TextFormats(self.theme, self._behind)
