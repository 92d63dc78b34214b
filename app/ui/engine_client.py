"""An engine process, from the window's side: started, spoken to, listened to, and ended for certain."""

import os
from collections import deque
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QObject, QProcess, QProcessEnvironment, Qt, QTimer, Signal

import app
from app.core.errors import SlipstreamError
from app.core.framing import FrameReader, ProtocolError, event_from, frame
from app.core.protocol import (
    VERSION,
    AddDraft,
    Command,
    Ending,
    Event,
    Generate,
    Load,
    Ready,
    Request,
    RoundFinished,
    Stop,
)
from app.ui.engine_end import Activity, EndKind, EngineEnd, kind_of_end
from app.ui.line_log import LineLog

_LOG_PAUSE_MS = 100  # between two batches of log lines


class GracePeriods(Struct, frozen=True):
    """How long an engine is waited for before the next, harder word. Milliseconds.

    A stop is heard between two operations of a pass, and one of them over a whole batch of a big model can
    take a second or two on a slow machine; ending a process costs the user the loaded model.
    """

    stop: int = 5000  # from the Stop message to terminate
    close: int = 2000  # from closing its standard input to terminate
    terminate: int = 2000  # from terminate to kill


class EngineClient(QObject):
    """One engine process and at most one request at a time. `ended` comes once, and is the last signal."""

    became_ready = Signal(object)  # Ready
    event_received = Signal(object)  # Event of the current request
    log_received = Signal(object)  # tuple[str, ...], in batches
    ended = Signal(object)  # EngineEnd

    def __init__(
        self, command: Sequence[str], parent: QObject | None = None, *, grace: GracePeriods | None = None
    ) -> None:
        """`command`: a program and its arguments."""
        super().__init__(parent)
        self._grace = grace or GracePeriods()
        self._frames = FrameReader()
        self._log = LineLog()
        self._unreported: deque[str] = deque(maxlen=self._log.limit)
        self._activity = Activity.STARTING
        self._request_id = 0
        self._reason: EndKind | None = None  # why the process is being ended, once it is
        self._has_ended = False

        self._process = process = QProcess(self)
        process.setProgram(command[0])
        process.setArguments(list(command[1:]))
        process.setProcessEnvironment(_environment())
        process.readyReadStandardOutput.connect(self._read_events)
        process.readyReadStandardError.connect(self._read_log)
        process.finished.connect(self._process_finished)
        # Queued, since on some systems it comes from within start().
        process.errorOccurred.connect(self._process_failed, Qt.ConnectionType.QueuedConnection)

        self._ladder = QTimer(self, singleShot=True)
        self._ladder.timeout.connect(self._climb)
        self._terminated = False
        self._log_timer = QTimer(self, singleShot=True, interval=_LOG_PAUSE_MS)
        self._log_timer.timeout.connect(self._report_log)

    @property
    def pid(self) -> int | None:
        """The process, while there is one."""
        return self._process.processId() or None

    @property
    def activity(self) -> Activity:
        """What the engine is doing; after its end, what it was doing then."""
        return self._activity

    @property
    def log(self) -> tuple[str, ...]:
        """The last lines that the engine printed."""
        return self._log.lines

    def start(self) -> None:
        """Starts the process: `became_ready` follows, or `ended`."""
        self._process.start()

    def ask(self, request: Request) -> None:
        """Asks for something, under an id that is given here. Its events follow, an Ending the last of them.

        Raises RuntimeError while another request is under way.
        """
        if self._activity is not Activity.IDLE:
            raise RuntimeError(f"the engine is {self._activity.value}, not idle")
        self._activity = _activity_of(request)
        self._request_id += 1
        self._send(replace(request, request_id=self._request_id))

    def stop(self) -> None:
        """Ends the request early. An engine that does not hear it in time is ended: UNRESPONSIVE."""
        if self._activity in (Activity.STARTING, Activity.IDLE) or self._reason or self._ladder.isActive():
            return
        self._send(Stop(self._request_id))
        self._ladder.start(self._grace.stop)

    def close(self) -> None:
        """Ends the process, kindly at first. `ended` follows; there are no more events."""
        if self._reason is not None or self._has_ended:
            return
        self._reason = EndKind.CLOSED
        self._process.closeWriteChannel()
        self._ladder.start(self._grace.close)

    def close_now(self) -> None:
        """Ends the process and waits until it is gone: for the end of the program."""
        self.close()
        self._ladder.stop()
        process, grace = self._process, self._grace
        if not self._is_over(grace.close):
            process.terminate()
            if not self._is_over(grace.terminate):
                process.kill()
                process.waitForFinished(-1)
        self._end(EndKind.CLOSED, None)  # in case that it had not even started

    def _is_over(self, within_ms: int) -> bool:
        running = self._process.state() is not QProcess.ProcessState.NotRunning
        return not running or self._process.waitForFinished(within_ms)

    def _send(self, command: Command) -> None:
        if self._reason is None and not self._has_ended:
            self._process.write(frame(command))

    def _read_events(self) -> None:
        data = bytes(self._process.readAllStandardOutput().data())
        try:
            for content in self._frames.feed(data):
                if self._reason is not None:
                    return
                self._take(event_from(content))
        except ProtocolError as error:
            self._give_up(EndKind.BAD_MESSAGE, error)

    def _take(self, event: Event) -> None:
        if self._activity is Activity.STARTING:
            self._take_first(event)
        elif isinstance(event, Ready):
            raise ProtocolError("The engine said twice that it is ready.")
        elif event.request_id == self._request_id and self._activity is not Activity.IDLE:
            if isinstance(event, Ending):
                self._activity = Activity.IDLE
                self._ladder.stop()
            elif isinstance(event, RoundFinished):
                self._activity = Activity.ANSWERING
            self.event_received.emit(event)

    def _take_first(self, event: Event) -> None:
        if not isinstance(event, Ready):
            raise ProtocolError("The engine's first message must say that it is ready.")
        if event.version != VERSION:
            self._give_up(EndKind.WRONG_VERSION)
            return
        self._activity = Activity.IDLE
        self.became_ready.emit(event)

    def _read_log(self) -> None:
        self._add_to_log(self._log.feed(bytes(self._process.readAllStandardError().data())))

    def _add_to_log(self, lines: Sequence[str]) -> None:
        self._unreported.extend(lines)
        if self._unreported and not self._log_timer.isActive():
            self._log_timer.start()

    def _report_log(self) -> None:
        lines = tuple(self._unreported)
        self._unreported.clear()
        if lines:
            self.log_received.emit(lines)

    def _give_up(self, reason: EndKind, error: SlipstreamError | None = None) -> None:
        """Ends a process that cannot be talked with."""
        if error is not None:
            self._add_to_log(self._log.add(str(error)))
        self._reason = reason
        self._ladder.stop()
        self._process.kill()

    def _climb(self) -> None:
        """The next step of the ladder: terminate, then kill."""
        if self._terminated:
            self._process.kill()
            return
        if self._reason is None:
            self._reason = EndKind.UNRESPONSIVE
        self._terminated = True
        self._process.terminate()
        self._ladder.start(self._grace.terminate)

    def _process_failed(self, error: QProcess.ProcessError) -> None:
        """Hears of failures; those of a process that did start are followed by its end."""
        if error is QProcess.ProcessError.FailedToStart:
            self._add_to_log(self._log.add(self._process.errorString()))
            self._end(self._reason or EndKind.NOT_STARTED, None)

    def _process_finished(self, code: int, status: QProcess.ExitStatus) -> None:
        self._read_events()  # an answer that came just before the end is an answer
        self._read_log()
        self._add_to_log(self._log.finish())
        crashed = status is QProcess.ExitStatus.CrashExit
        self._end(self._reason or kind_of_end(crashed, code, self.log), code)

    def _end(self, kind: EndKind, code: int | None) -> None:
        if self._has_ended:
            return
        self._has_ended = True
        self._ladder.stop()
        self._log_timer.stop()
        self._report_log()
        self.ended.emit(EngineEnd(kind, code, self._activity, self.log))


def _activity_of(request: Request) -> Activity:
    match request:
        case Load() | AddDraft():
            return Activity.LOADING
        case Generate():
            return Activity.READING
        case _:
            return Activity.MEASURING


def _environment() -> QProcessEnvironment:
    """This process's, in which the engine finds the very `app` that the window runs."""
    environment = QProcessEnvironment.systemEnvironment()
    root = str(Path(app.__file__).resolve().parent.parent)
    others = environment.value("PYTHONPATH")
    environment.insert("PYTHONPATH", root + os.pathsep + others if others else root)
    return environment
