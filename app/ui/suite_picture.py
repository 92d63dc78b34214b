"""The result of a suite as a picture to share."""

from PySide6.QtWidgets import QWidget

from app.core.experiment import Experiment, Variant, reference_of
from app.core.suite_result import SuiteResult
from app.ui.compare_services import CompareServices
from app.ui.finding_card import FindingCard
from app.ui.offers import Remembering
from app.ui.plan_parts import models_text
from app.ui.suite_finding import suite_finding
from app.ui.suite_results import header_texts
from app.ui.suite_table import SuiteTable
from app.ui.suite_view import SuiteView
from app.ui.widgets import Card, column, label

_WIDTH = 1000  # pixels
_TABLE_MARGIN = 4


class SuitePicture(QWidget):
    """Never on the screen: the models, the finding, and the table with all its rows."""

    def __init__(
        self,
        services: CompareServices,
        experiment: Experiment,
        judged: Variant,
        result: SuiteResult,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("suite_picture")
        titles = {suite.name: suite.title for suite in services.suites}
        reference = reference_of(experiment.variants)
        card = FindingCard(services.theme, "suite_picture")
        card.show_finding(
            suite_finding(
                result,
                reference,
                judged,
                titles,
                Remembering(),
                is_complete=experiment.is_complete,
            )
        )
        table = SuiteTable(titles, self)
        table.show_rows(result.rows, *header_texts(reference, judged))
        view = SuiteView(services.theme, services.icons, table)
        view.setFixedHeight(view.content_height + _TABLE_MARGIN)
        paper = Card()
        paper.setLayout(column(view, margins=(1, 4, 1, 1)))
        machine = label(models_text(experiment), size="small", tone="muted", wrap=True)
        whole = column(machine, card, paper, spacing=10)
        self.setLayout(whole)
        self.hide()
        self.resize(_WIDTH, whole.totalHeightForWidth(_WIDTH))
        whole.activate()
