"""An engine lent for measuring, without an engine: the test says what it tells."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal

from app.core.chat import Message
from app.core.options import GenerationLimits, SamplingOptions, SpeculationOptions
from app.core.protocol import Event
from app.ui.engine_end import Activity, EndKind, EngineEnd
from tests.fakes.session import FakeSession


class ScriptedTrials(QObject):
    """Has the signals and methods of Trials that measuring and recording use; remembers what was asked."""

    event_received = Signal(object)
    lost = Signal(object)

    def __init__(self, session: FakeSession) -> None:
        super().__init__()
        self._session = session
        self.measured: list[int] = []  # the `most` of each measurement
        self.answers: list[dict[str, Any]] = []
        self.drafts: list[Path] = []
        self.stops = 0
        self.is_closed = False
        session.trials = self

    def measure_costs(self, most: int, draft: Path | None = None) -> None:
        assert draft is None
        self.measured.append(most)

    def add_draft(self, path: Path) -> None:
        self.drafts.append(path)

    def answer(
        self,
        messages: Sequence[Message],
        sampling: SamplingOptions,
        speculation: SpeculationOptions,
        limits: GenerationLimits,
        *,
        draft: Path | None = None,
        trace: bool = False,
    ) -> None:
        self.answers.append(
            {
                "messages": tuple(messages),
                "sampling": sampling,
                "speculation": speculation,
                "limits": limits,
                "draft": draft,
                "trace": trace,
            }
        )

    def stop(self) -> None:
        self.stops += 1

    def close(self) -> None:
        self.is_closed = True
        self._session.measure(False)

    def tell(self, event: Event) -> None:
        """The engine says something."""
        self.event_received.emit(event)

    def lose(self) -> None:
        """The engine crashed."""
        self._session.measure(False)
        self.lost.emit(EngineEnd(EndKind.CRASHED, 11, Activity.ANSWERING, ()))
