"""Messages as bytes: what is sent arrives, in whatever portions; what is no message is refused."""

import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.chat import Message, Role
from app.core.framing import LONGEST_FRAME, FrameReader, ProtocolError, command_from, event_from, frame
from app.core.options import GenerationLimits, LoadOptions, SamplingOptions, SpeculationOptions
from app.core.pass_costs import PassCosts
from app.core.protocol import (
    VERSION,
    AddDraft,
    Command,
    CostsMeasured,
    CostsProgressed,
    Done,
    DraftAdded,
    DraftRemoved,
    Event,
    Failed,
    FailureKind,
    Finished,
    Generate,
    Load,
    Loaded,
    LoadProgressed,
    MeasureCosts,
    Obstacle,
    Prefilled,
    Ready,
    Refusal,
    RemoveDraft,
    Round,
    RoundFinished,
    Stop,
    TextPiece,
    Weigh,
    Weighed,
)
from app.core.stats import DraftSource, RoundStats, StatsRecorder, StopReason
from app.core.trace import TracedRound, TracedToken
from app.core.weighing import Weighing

PIECES = (TextPiece("né", True, 1, 0.5), TextPiece(" 🦙", False, 0, None))
COMMANDS: list[Command] = [
    Load(1, Path("/models/a b/モデル.gguf"), None, LoadOptions(context_length=0)),
    Load(2, Path("/target.gguf"), Path("/draft.gguf"), LoadOptions(rope_frequency_base=1e6)),
    Generate(
        3,
        (Message(Role.SYSTEM, "Be brief."), Message(Role.USER, "")),
        SamplingOptions(seed=2**32 - 1),
        SpeculationOptions(),
        GenerationLimits(stop_strings=("\n\n", "é")),
    ),
    Stop(4),
    Generate(
        5,
        (),
        SamplingOptions(),
        SpeculationOptions(),
        GenerationLimits(),
        Path("/drafts/ブ.gguf"),
        fresh=True,
        trace=True,
    ),
    AddDraft(6, Path("/drafts/a b.gguf"), LoadOptions(threads=3)),
    RemoveDraft(7, Path("/drafts/a b.gguf")),
    Weigh(8, (Message(Role.USER, "é"),), SamplingOptions(seed=3), (1, 2, 3), (4, None)),
    MeasureCosts(9, 17),
    MeasureCosts(10, 3, Path("/draft.gguf")),
]
FIGURES = RoundStats(DraftSource.DRAFT_MODEL, 3, 3, 1, 2, 0.1, 0.2, 0.3)
TRACE = TracedRound(
    (
        TracedToken(1, " né", 0.5, None, 0.25, 0, 0.1, True),
        TracedToken(9, "", None, 1 / 3, 0.0, 7, 0.2, False, True),
    ),
    1,
    2,
    " 🦙",
    FIGURES,
)
EVENTS: list[Event] = [
    Ready(VERSION, "llama-cpp-python 0", supports_gpu=False, threads=4),
    LoadProgressed(1, 0.25),
    Loaded(1, 4096, True, 10**10, 0, 1.5, None, Refusal(Obstacle.NOT_LOADED, "No."), "A sentence."),
    Prefilled(2, 512, 4000),
    RoundFinished(2, Round((1, 2), PIECES, FIGURES)),
    RoundFinished(2, Round((1, 2), PIECES, FIGURES, TRACE)),
    Finished(2, Done(PIECES, StatsRecorder(0.0, 5).finish(StopReason.STOPPED, 1))),
    Failed(3, FailureKind.LOAD, "It failed.", ("one", "two")),
    DraftAdded(6, 10**9, None),
    DraftAdded(6, 0, Refusal(Obstacle.INCOMPATIBLE, "No.")),
    DraftRemoved(7),
    Weighed(8, Weighing((12.5, -0.25), (" né", ""), 40, 0.125)),
    Weighed(9, Weighing((12.5,), (" né",), 40)),
    CostsProgressed(9, 3, 16),
    CostsMeasured(9, PassCosts((1, 2), (0.1, 0.11), None, 32)),
    CostsMeasured(10, PassCosts((1,), (0.1,), 0.01, 5, (0.25,), 0.5)),
]


def frames_of(data: bytes, portion: int) -> list[bytes]:
    reader = FrameReader()
    portions = [data[start : start + portion] for start in range(0, len(data), portion)]
    return [content for each in portions for content in reader.feed(each)]


@pytest.mark.parametrize("portion", [1, 2, 3, 5, 64, 10_000])
def test_commands_arrive_in_any_portions(portion: int) -> None:
    data = b"".join(frame(command) for command in COMMANDS)

    assert [command_from(content) for content in frames_of(data, portion)] == COMMANDS


@pytest.mark.parametrize("portion", [1, 2, 3, 5, 64, 10_000])
def test_events_arrive_in_any_portions(portion: int) -> None:
    data = b"".join(frame(event) for event in EVENTS)

    assert [event_from(content) for content in frames_of(data, portion)] == EVENTS


def test_a_frame_that_is_not_whole_waits() -> None:
    reader = FrameReader()
    data = frame(Stop(1))

    assert list(reader.feed(data[:-1])) == []
    assert list(reader.feed(data[-1:])) == [data[4:]]


def test_an_absurd_length_is_refused_after_the_frames_before_it() -> None:
    reader = FrameReader()
    frames = reader.feed(frame(Stop(1)) + (LONGEST_FRAME + 1).to_bytes(4, "little"))

    assert command_from(next(frames)) == Stop(1)
    with pytest.raises(ProtocolError, match="cannot be one of ours"):
        next(frames)


@given(st.binary(max_size=200))
def test_junk_is_refused_and_never_crashes(junk: bytes) -> None:
    for decode in (command_from, event_from):
        try:
            decode(junk)
        except ProtocolError:
            continue
        pytest.fail("junk was taken for a message")


@given(st.binary(max_size=400), st.integers(1, 50))
def test_any_bytes_are_frames_or_refused(junk: bytes, portion: int) -> None:
    try:
        frames = frames_of(junk, portion)
    except ProtocolError:
        return
    assert sum(4 + len(content) for content in frames) <= len(junk)


@pytest.mark.parametrize("message", [*COMMANDS, *EVENTS])
def test_a_message_for_the_other_side_is_refused(message: Command | Event) -> None:
    content = frame(message)[4:]

    with pytest.raises(ProtocolError):
        (event_from if isinstance(message, Command) else command_from)(content)


@pytest.mark.skipif(sys.platform == "win32", reason="file names are text there")
def test_paths_that_are_no_text_arrive() -> None:
    path = Path("/models") / b"caf\xe9.gguf".decode(errors="surrogateescape")

    for command in (Load(1, path, None, LoadOptions()), RemoveDraft(2, path), MeasureCosts(3, 1, path)):
        assert command_from(frame(command)[4:]) == command


def test_half_characters_in_texts_do_not_break_the_pipe() -> None:
    failed = Failed(1, FailureKind.LOAD, "caf\udce9.gguf is damaged.", ("half \ud83e of a llama",))
    generate = Generate(
        2,
        (Message(Role.USER, "\ud83e?"),),
        SamplingOptions(),
        SpeculationOptions(),
        GenerationLimits(),
    )

    assert event_from(frame(failed)[4:]) == Failed(
        1, FailureKind.LOAD, "caf?.gguf is damaged.", ("half ? of a llama",)
    )
    arrived = command_from(frame(generate)[4:])
    assert isinstance(arrived, Generate)
    assert arrived.messages[0].content == "??"


def test_a_path_beside_half_characters_arrives() -> None:
    event = Loaded(1, 8, True, 1, 1, 0.1, Refusal(Obstacle.INCOMPATIBLE, "\udce9"), None, None)

    assert event_from(frame(event)[4:]) == Loaded(
        1, 8, True, 1, 1, 0.1, Refusal(Obstacle.INCOMPATIBLE, "?"), None, None
    )
