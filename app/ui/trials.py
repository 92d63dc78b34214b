"""The engine, lent for measuring: one request after the other, and nothing of the chat's in between."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.core.chat import Message
from app.core.options import GenerationLimits, SamplingOptions, SpeculationOptions
from app.core.protocol import (
    AddDraft,
    DraftAdded,
    Ending,
    Event,
    Generate,
    MeasureCosts,
    RemoveDraft,
    Request,
    Weigh,
)
from app.ui.engine_client import EngineClient
from app.ui.engine_end import EngineEnd
from app.ui.session_state import Running

_GIVEN_HERE = 0  # the id of a request, which the client replaces


class Trials(QObject):
    """Lends itself from the session until `closed` or `lost`, one of which comes once and last.

    Each request is followed by its events and ends with an Ending; only then may the next one be made.
    """

    event_received = Signal(object)  # Prefilled, RoundFinished, CostsProgressed, or the request's Ending
    lost = Signal(object)  # EngineEnd; its kind is CLOSED where the model was ejected
    closed = Signal()  # the session has the engine back, as it was before

    def __init__(self, engine: EngineClient, running: Running, parent: QObject | None = None) -> None:
        """For the session alone: others ask it for `begin_trials`."""
        super().__init__(parent)
        self._engine = engine
        self._running = running
        self._drafts: list[Path] = []  # that were added here
        self._asked: Request | None = None
        self._is_closing = False
        self._is_over = False

    @property
    def running(self) -> Running:
        """What is loaded, as it was at the beginning."""
        return self._running

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
        """Generates an answer from empty caches: Prefilled and RoundFinished, then Finished or Failed.

        `draft` is one that was added here; None takes the one that was loaded with the target.
        """
        self._ask(
            Generate(
                _GIVEN_HERE,
                tuple(messages),
                sampling,
                speculation,
                limits,
                draft=draft,
                fresh=True,
                trace=trace,
            )
        )

    def add_draft(self, path: Path) -> None:
        """Loads one more draft model, until the end of the trials: DraftAdded or Failed."""
        self._ask(AddDraft(_GIVEN_HERE, path, self._running.setup.config.load))

    def weigh(
        self,
        messages: Sequence[Message],
        sampling: SamplingOptions,
        answer: Sequence[int],
        candidates: Sequence[int | None],
    ) -> None:
        """Asks what the target makes of the tokens that may follow `answer`: Weighed or Failed.

        `sampling` is what the answer was drawn with; None among the candidates stands for its end.
        """
        self._ask(Weigh(_GIVEN_HERE, tuple(messages), sampling, tuple(answer), tuple(candidates)))

    def measure_costs(self, most: int, draft: Path | None = None) -> None:
        """Times passes over 1 to `most` tokens: CostsProgressed, then CostsMeasured or Failed."""
        self._ask(MeasureCosts(_GIVEN_HERE, most, draft))

    def stop(self) -> None:
        """Ends the request early; its Ending comes all the same. An engine that does not hear it is ended."""
        if self._asked is not None:
            self._engine.stop()

    def close(self) -> None:
        """Gives the engine back: what is under way is stopped and untold, and added draft models go."""
        if self._is_closing or self._is_over:
            return
        self._is_closing = True
        if self._asked is None:
            self._leave()
        else:
            self._engine.stop()

    def take(self, event: Event) -> None:
        """For the session: something that the engine said."""
        asked = self._asked
        if isinstance(event, Ending):
            self._asked = None
        if isinstance(event, DraftAdded) and event.refusal is None and isinstance(asked, AddDraft):
            self._drafts.append(asked.draft)
        if not self._is_closing:
            self.event_received.emit(event)
        elif isinstance(event, Ending):
            self._leave()

    def lose(self, end: EngineEnd) -> None:
        """For the session: the engine is gone."""
        self._asked = None
        self._is_over = True
        self.lost.emit(end)

    def _ask(self, request: Request) -> None:
        if self._is_closing or self._is_over:
            raise RuntimeError("the engine was given back")
        self._send(request)

    def _send(self, request: Request) -> None:
        self._engine.ask(request)
        self._asked = request

    def _leave(self) -> None:
        """Removes what was added, then is over."""
        if self._drafts:
            self._send(RemoveDraft(_GIVEN_HERE, self._drafts.pop()))
        else:
            self._is_over = True
            self.closed.emit()
