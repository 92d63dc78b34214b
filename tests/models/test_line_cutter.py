"""A request that waits ends when its line is cut, at whatever step it is."""

import socket
from collections.abc import Iterator

import pytest

from app.models.line_cutter import LineCutter
from app.models.transfer_events import TransferStopped


class Stream:
    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection

    def get_extra_info(self, info: str) -> socket.socket | None:
        return self._connection if info == "socket" else None


@pytest.fixture
def line() -> Iterator[tuple[socket.socket, socket.socket]]:
    here, there = socket.socketpair()
    with here, there:
        there.setblocking(False)
        yield here, there


def is_cut(there: socket.socket) -> bool:
    try:
        return there.recv(1) == b""
    except BlockingIOError:
        return False


Line = tuple[socket.socket, socket.socket]


def test_while_it_waits_for_the_answer(line: Line) -> None:
    cutter = LineCutter()
    cutter.watch("connection.connect_tcp.complete", {"return_value": Stream(line[0])})
    cutter.watch("http11.send_request_headers.started", {})
    cutter.cut()
    assert is_cut(line[1])


def test_while_the_body_comes(line: Line) -> None:
    cutter = LineCutter()
    cutter.answered(Stream(line[0]))
    cutter.cut()
    assert is_cut(line[1])


def test_a_line_that_others_may_use_by_now_is_left_alone(line: Line) -> None:
    cutter = LineCutter()
    cutter.watch("connection.connect_tcp.complete", {"return_value": Stream(line[0])})
    cutter.watch("http11.send_request_headers.started", {})
    cutter.watch("http11.send_request_headers.started", {})  # redirected, over a line of somebody else's
    cutter.cut()
    assert not is_cut(line[1])


def test_so_is_one_that_is_done_with(line: Line) -> None:
    cutter = LineCutter()
    cutter.answered(Stream(line[0]))
    cutter.done()
    cutter.cut()
    assert not is_cut(line[1])


def test_afterwards_nothing_begins(line: Line) -> None:
    cutter = LineCutter()
    cutter.cut()
    cutter.watch("connection.connect_tcp.complete", {"return_value": Stream(line[0])})
    assert is_cut(line[1])
    with pytest.raises(TransferStopped):
        cutter.watch("http11.send_request_headers.started", {})
    with pytest.raises(TransferStopped):
        cutter.answered(Stream(line[0]))


def test_a_line_that_is_gone_already(line: Line) -> None:
    cutter = LineCutter()
    cutter.answered(Stream(line[0]))
    line[0].close()
    cutter.cut()
