"""How answers are made: the second page of the dialog."""

from PySide6.QtWidgets import QWidget

from app.settings import UserMode
from app.ui.acceptance_section import AcceptanceSection
from app.ui.form_parts import set_shown
from app.ui.prompt_section import PromptSection
from app.ui.sampling_section import SamplingSection
from app.ui.widgets import column, row

_BETWEEN = 32  # pixels


class InferenceTab(QWidget):
    """Sampling beside the system prompt; acceptance rules for developers."""

    def __init__(
        self,
        mode: UserMode,
        sampling: SamplingSection,
        prompt: PromptSection,
        acceptance: AcceptanceSection,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("scroll_content")
        set_shown(acceptance, mode is UserMode.DEVELOPER)
        halves = row(
            column(sampling, acceptance, None, spacing=16),
            column(prompt, None),
            spacing=_BETWEEN,
            margins=(24, 16, 24, 16),
        )
        halves.setStretch(0, 1)
        halves.setStretch(1, 1)
        self.setLayout(halves)
