"""Both texts of one prompt of a suite, from the place on where they part."""

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QWidget

from app.core.experiment import Experiment, Run, Variant
from app.core.prompts import Prompt
from app.ui.compare_services import CompareServices
from app.ui.pane_text import PaneText, marked_stretch
from app.ui.variant_words import variant_text
from app.ui.widgets import Card, ElidedLabel, column, row

_SIZE = 860, 460  # pixels


class TextsDialog(QDialog):
    """The first answer of either; of the judged one the first that is another text, if one is."""

    def __init__(
        self,
        services: CompareServices,
        experiment: Experiment,
        prompt: Prompt,
        variants: tuple[Variant, Variant],
        parent: QWidget | None = None,
    ) -> None:
        """`variants` are the reference and the judged one."""
        super().__init__(parent)
        self.setObjectName("texts_dialog")
        self.setWindowTitle(self.tr("Both answers to “{prompt}”").format(prompt=prompt.id))
        self.resize(*_SIZE)
        asked = ElidedLabel(" ".join(prompt.text.split()), tone="muted")
        asked.setObjectName("texts_prompt")
        self._texts: list[PaneText] = []
        sides = row(spacing=12)
        for name, variant, run, mark in _shown(experiment, prompt.id, variants):
            text = PaneText(services.theme, services.icons, services.tasks, f"texts_{name}_text")
            text.show_answer("" if run is None else run.text, () if run is None else run.spans, mark)
            heading = ElidedLabel(variant_text(variant, with_draft=True), strong=True)
            card = Card()
            inside = column(heading, spacing=8, margins=(16, 12, 16, 12))
            inside.addWidget(text, 1)
            card.setLayout(inside)
            sides.addWidget(card, 1)
            self._texts.append(text)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        whole = column(asked, spacing=12, margins=(20, 16, 20, 16))
        whole.addLayout(sides, 1)
        whole.addWidget(buttons)
        self.setLayout(whole)

    @property
    def texts(self) -> tuple[str, ...]:
        """What stands on either side."""
        return tuple(each.text for each in self._texts)

    def showEvent(self, event: QShowEvent) -> None:
        """Goes to where the texts part; there are no places before there is a size."""
        super().showEvent(event)
        for each in self._texts:
            each.go_to_difference()


def _shown(
    experiment: Experiment, prompt: str, variants: tuple[Variant, Variant]
) -> list[tuple[str, Variant, Run | None, tuple[int, int] | None]]:
    reference, judged = variants
    expected = next(iter(experiment.runs_of(reference.id, prompt)), None)
    own = experiment.runs_of(judged.id, prompt)
    found = next((run for run in own if expected is None or run.tokens != expected.tokens), None)
    found = found or next(iter(own), None)
    summary = experiment.summary_of(judged.id, prompt)
    first = None if summary is None else summary.first_difference
    if first is None or expected is None or found is None:
        return [("left", reference, expected, None), ("right", judged, found, None)]
    return [
        ("left", reference, expected, marked_stretch(expected.text, first, first.expected_text)),
        ("right", judged, found, marked_stretch(found.text, first, first.found_text)),
    ]
