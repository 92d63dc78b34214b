"""The load dialog of a target, over a library with one draft, as tests operate it."""

from pathlib import Path
from typing import TypeVar

from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QLabel,
    QLineEdit,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.core.options import (
    DraftLength,
    SpeculationMode,
    SpeculationOptions,
)
from app.core.protocol import Ready
from app.models.library import LocalModel
from app.settings import ModelConfig, UserMode
from app.ui.icons import Icons
from app.ui.load_dialog import LoadDialog
from app.ui.theme import Theme
from tests.fakes.advisor import FakeAdvisor
from tests.fakes.listed_models import ListedModels, library_of, preferences_in
from tests.fakes.local_models import local_model
from tests.fakes.tasks import ImmediateTasks

GB = 1_000_000_000
TARGET = local_model("Qwen 7B", path=Path("/m/7b.gguf"), parameters=7_600_000_000, size_bytes=4_700_000_000)
DRAFT = local_model("Qwen 0.5B", path=Path("/m/0.5b.gguf"), parameters=500_000_000, size_bytes=470_000_000)
CPU_BUILD = Ready(version=1, engine_version="0.3", supports_gpu=False, threads=6)
DRAFTING = ModelConfig(
    speculation=SpeculationOptions(mode=SpeculationMode.DRAFT_MODEL), draft=DRAFT.path, seed=5
)
FIXED = replace(DRAFTING, speculation=replace(DRAFTING.speculation, draft_length=DraftLength.FIXED))

Widget = TypeVar("Widget", bound=QWidget)


class Bench:
    """Opens dialogs over a library of two models, on a machine with some memory."""

    def __init__(self, qtbot: QtBot, theme: Theme, folder: Path) -> None:
        self.qtbot = qtbot
        self.theme = theme
        self.preferences = preferences_in(folder)
        self.models = ListedModels(TARGET, DRAFT)
        self.library = library_of(self.models, self.preferences, folder)
        self.advisor = FakeAdvisor()
        self.requests: list[object] = []
        self.dialog: LoadDialog

    def open(
        self,
        saved: ModelConfig | None = None,
        *,
        model: LocalModel = TARGET,
        mode: UserMode = UserMode.POWER_USER,
        in_force: ModelConfig | None = None,
        loaded: int | None = None,
        free: int = 16 * GB,
        capabilities: Ready | None = CPU_BUILD,
    ) -> LoadDialog:
        if saved is not None:
            self.preferences.remember(model.path, saved)
        self.dialog = LoadDialog(
            model,
            self.theme,
            Icons(self.theme),
            self.preferences,
            self.library,
            self.advisor,
            ImmediateTasks(threads=1),
            capabilities,
            mode,
            in_force,
            loaded,
            available=lambda: free,
        )
        self.qtbot.addWidget(self.dialog)
        self.dialog.load_requested.connect(self.requests.append)
        self.dialog.adjust_requested.connect(self.requests.append)
        self.dialog.open()
        return self.dialog

    def part(self, kind: type[Widget], name: str) -> Widget:
        found = self.dialog.findChild(kind, name)
        assert found is not None, name
        return found

    def text(self, name: str) -> str:
        return self.part(QLabel, name).text()

    def press(self, name: str) -> None:
        self.qtbot.mouseClick(self.part(QAbstractButton, name), Qt.MouseButton.LeftButton)

    def type(self, name: str, text: str) -> None:
        field = self.part(QLineEdit, name)
        field.setFocus()
        field.selectAll()
        self.qtbot.keyClick(field, Qt.Key.Key_Delete)
        self.qtbot.keyClicks(field, text)

    @property
    def load_button(self) -> QAbstractButton:
        return self.part(QAbstractButton, "load_model_button")
