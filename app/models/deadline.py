"""A time by which an answer has to be whole: with a time-out for each read alone, a drip goes on for ever."""

from collections.abc import Mapping
from threading import Timer
from types import TracebackType
from typing import Any, Self

from app.models.hub_problems import HubError, HubProblem
from app.models.line_cutter import LineCutter
from app.models.transfer_events import TransferStopped


class Deadline:
    """Around a request: once `seconds` are over, whoever waits gets an error, and it comes out as STALLED.

    `extensions` go with the request; `answered` is called with each answer, before its body is read.
    """

    def __init__(self, seconds: float) -> None:
        self._cutter = LineCutter()
        self._timer = Timer(seconds, self._end)
        self._timer.daemon = True
        self._is_over = False

    @property
    def extensions(self) -> dict[str, Any]:
        """What a request takes along, so that its line can be cut and its answer be found."""
        return {"trace": self._cutter.watch, "deadline": self}

    def answered(self, extensions: Mapping[str, Any]) -> None:
        """An answer has begun, with these extensions. Raises HubError if it comes too late."""
        self.check()
        if "network_stream" in extensions:
            self._cutter.answered(extensions["network_stream"])

    def check(self) -> None:
        """Raises HubError (STALLED) once the time is over: a cut line can look like the end of an answer."""
        if self._is_over:
            raise HubError(
                HubProblem.STALLED,
                "The answer comes so slowly that it was given up. The line may be poor; try again.",
            )

    def __enter__(self) -> Self:
        self._timer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        self._cutter.done()
        self._timer.cancel()
        self._timer.join()
        if isinstance(error, HubError | TransferStopped):
            self.check()

    def _end(self) -> None:
        self._is_over = True
        self._cutter.cut()
