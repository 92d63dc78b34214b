"""Paints the rows of My Models."""

from PySide6.QtCore import QRect
from PySide6.QtGui import QColor, QPainter

from app.ui.models_table import ModelColumn, ModelRole
from app.ui.row_delegate import Index, RowDelegate

_GAP = 8  # pixels between a name and its tag


class ModelsDelegate(RowDelegate):
    """Names strong, architectures and the uses of models as tags; a loaded model's row stands out."""

    def paint_cell(self, painter: QPainter, place: QRect, index: Index) -> None:
        """Paints one of the columns of text."""
        colours = self.theme.colours
        text = str(index.data())
        match index.column():
            case ModelColumn.ARCH:
                self.paint_tag(painter, place, text, colours.muted, self._tag_paper(index))
            case ModelColumn.NAME:
                self._paint_name(painter, place, text, str(index.data(ModelRole.USE)))
            case ModelColumn.PUBLISHER | ModelColumn.MODIFIED:
                self.paint_text(painter, place, text, colours.muted)
            case _:
                self.paint_text(painter, place, text, colours.text)

    def is_marked(self, index: Index) -> bool:
        """Whether the model is the loaded one."""
        return bool(index.data(ModelRole.IS_LOADED))

    def _tag_paper(self, index: Index) -> QColor:
        """Other than the row's own ground, which is raised where the row is selected."""
        colours = self.theme.colours
        raised = self.view.selectionModel().isSelected(index) and not self.is_marked(index)
        return colours.panel if raised else colours.raised

    def _paint_name(self, painter: QPainter, place: QRect, name: str, use: str) -> None:
        colours = self.theme.colours
        room = place.width() - (self.tag_width(use) + _GAP if use else 0)
        width = self.paint_text(
            painter, QRect(place.left(), place.top(), room, place.height()), name, colours.text, strong=True
        )
        if use:
            rest = place.adjusted(width + _GAP, 0, 0, 0)
            self.paint_tag(painter, rest, use, colours.accent, colours.accent_soft)
