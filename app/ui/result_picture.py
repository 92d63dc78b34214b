"""The result of a comparison as a picture to share."""

from PySide6.QtWidgets import QWidget

from app.core.experiment import Experiment
from app.core.verdict import Verdict
from app.ui.finding_card import FindingCard
from app.ui.offers import Remembering
from app.ui.result_strips import ResultStrips
from app.ui.theme import Theme
from app.ui.verdict_finding import verdict_finding
from app.ui.widgets import ElidedLabel, column, label

_WIDTH = 1000  # pixels


class ResultPicture(QWidget):
    """Never on the screen: what was compared, the verdict, and the strips."""

    def __init__(self, theme: Theme, experiment: Experiment, verdict: Verdict, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("result_picture")
        prompt = experiment.prompts[0]
        card = FindingCard(theme, "result_picture")
        card.show_finding(verdict_finding(verdict, Remembering()))
        strips = ResultStrips(theme)
        strips.show_experiment(experiment, prompt.id)
        asked = ElidedLabel(prompt.text.replace("\n", " "), strong=True)
        drafts = " · ".join(
            dict.fromkeys(variant.draft.title for variant in experiment.variants if variant.draft is not None)
        )
        models = experiment.target.title
        if drafts:
            models = self.tr("{target}, drafted by {draft}").format(target=models, draft=drafts)
        machine = label(f"{models} — {experiment.machine.processor}", size="small", tone="muted", wrap=True)
        whole = column(asked, machine, card, strips, spacing=10)
        self.setLayout(whole)
        self.hide()
        self.resize(_WIDTH, whole.totalHeightForWidth(_WIDTH))
        whole.activate()
