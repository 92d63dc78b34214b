"""A session with engines that obey or misbehave as told, and all that it said."""

from collections.abc import Callable
from pathlib import Path

from pytestqt.qtbot import QtBot

from app.core.chat import Message, Role
from app.core.options import (
    SpeculationMode,
    SpeculationOptions,
)
from app.settings import ModelConfig
from app.ui.session import Session
from app.ui.session_state import (
    Running,
    SessionState,
    Setup,
)
from tests.fakes.local_models import local_model

PATIENCE_MS = 60_000  # a busy machine is not a failing one
DRAFTING = SpeculationOptions(mode=SpeculationMode.DRAFT_MODEL)
DRAFT = Path("/models/draft.gguf")


def setup_of(name: str = "model", draft: Path | None = None, config: ModelConfig | None = None) -> Setup:
    drafting = ModelConfig(speculation=DRAFTING, draft=draft)
    return Setup(
        local_model(path=Path("/models") / f"{name}.gguf"),
        None if draft is None else local_model(path=draft),
        config or (ModelConfig() if draft is None else drafting),
    )


class Watched:
    """A session and all that it said."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.states: list[SessionState] = []
        self.said: list[object] = []  # rounds, and how answers ended
        session.state_changed.connect(self.states.append)
        for signal in (session.round_received, session.answer_finished, session.answer_failed):
            signal.connect(self.said.append)
        session.answer_lost.connect(self.said.append)

    def load(self, qtbot: QtBot, setup: Setup | None = None) -> Running:
        """Loads, and waits for it."""
        self.session.load(setup or setup_of())
        return self.wait_until_running(qtbot)

    def wait_until_running(self, qtbot: QtBot) -> Running:
        qtbot.waitUntil(lambda: isinstance(self.session.state, Running), timeout=PATIENCE_MS)
        assert isinstance(self.session.state, Running)
        return self.session.state

    def ask(self, text: str = "hello") -> None:
        self.session.generate([Message(Role.USER, text)])

    def end_of_answer(self, qtbot: QtBot) -> object:
        """What ended the answer, once it has."""
        qtbot.waitUntil(lambda: not self.session.is_answering, timeout=PATIENCE_MS)
        return self.said[-1]

    def wait_for_round(self, qtbot: QtBot) -> None:
        qtbot.waitUntil(lambda: bool(self.said), timeout=PATIENCE_MS)


Start = Callable[..., Watched]
