"""What to expect as a picture to share."""

from PySide6.QtWidgets import QWidget

from app.ui.chart import Chart
from app.ui.expect_curves import Curves
from app.ui.widgets import Card, column, label

_WIDTH, _CHART_HEIGHT = 1000, 360  # pixels


class ExpectPicture(QWidget):
    """Never on the screen: what it is, the models and the machine, the figures, and the chart."""

    def __init__(
        self, result: str, where: str, figures: str, chart: Chart, shown: Curves, parent: QWidget
    ) -> None:
        """`chart` is an empty one, which is filled with `shown`; an empty `where` is left out."""
        super().__init__(parent)
        self.setObjectName("expect_picture")
        lines = [label(self.tr("What to expect: {result}").format(result=result), size="heading")]
        lines += [label(text, size="small", tone="muted", wrap=True) for text in (where, figures) if text]
        chart.setFixedHeight(_CHART_HEIGHT)
        chart.show_series(shown.series, shown.levels, x_range=shown.x_range)
        chart.load()
        paper = Card()
        paper.setLayout(column(chart, margins=(16, 12, 16, 12)))
        whole = column(*lines, paper, spacing=8)
        self.setLayout(whole)
        self.hide()
        self.resize(_WIDTH, whole.totalHeightForWidth(_WIDTH))
        whole.activate()
