"""The engine's side of the pipe, with a loader that pretends."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.core.errors import (
    EngineError,
    FileProblem,
    GrammarError,
    LoadError,
    ModelFileError,
    OptionsError,
    PromptTooLongError,
    SlipstreamError,
    TemplateError,
)
from app.core.framing import FrameReader, ProtocolError, event_from
from app.core.protocol import (
    Event,
    Failed,
    FailureKind,
    Finished,
    Loaded,
    LoadProgressed,
    Prefilled,
    RoundFinished,
    Stop,
)
from app.core.stats import StopReason
from app.engine.event_writer import EventWriter, WindowGoneError
from tests.fakes.engine_window import READY, REFUSAL, ROUND, Window, generate, load, pipe


@pytest.fixture
def window() -> Iterator[Window]:
    opened = Window()
    yield opened
    opened.finish()


@pytest.fixture
def loaded(window: Window) -> Window:
    """With a model, Ready and Loaded read."""
    window.send(load(1))
    window.until(Loaded)
    return window


def test_first_it_says_that_it_is_ready(window: Window) -> None:
    assert window.next() == READY


def test_a_load_tells_progress_and_what_was_loaded(window: Window) -> None:
    window.send(load(5))
    _, progress, answer = window.until(Loaded)

    assert progress == LoadProgressed(5, 1.0)
    assert isinstance(answer, Loaded)
    assert answer.load_s >= 0.0
    assert answer == Loaded(5, 4096, True, 1000, 100, answer.load_s, None, REFUSAL, "The template is broken.")


def test_progress_is_not_told_too_often(window: Window) -> None:
    window.loader.steps = 10_000
    window.send(load(1))
    shares = [event.share for event in window.until(Loaded) if isinstance(event, LoadProgressed)]

    assert len(shares) < 1000  # twenty a second, however slow the machine
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def test_an_answer_comes_round_by_round(loaded: Window) -> None:
    loaded.send(generate(2))
    prefilled, *rounds, finished = loaded.until(Finished)

    assert prefilled == Prefilled(2, 7, 7)
    assert rounds == [RoundFinished(2, ROUND)] * 3
    assert isinstance(finished, Finished)
    assert finished.done.stats.stop_reason is StopReason.END_OF_GENERATION


def test_stop_is_heard_while_it_answers(loaded: Window) -> None:
    loaded.send(generate(2, "wait"))
    loaded.until(RoundFinished)
    loaded.send(Stop(2))
    finished = loaded.until(Finished)[-1]

    assert isinstance(finished, Finished)
    assert finished.done.stats.stop_reason is StopReason.STOPPED


def test_stop_is_heard_before_its_request_is_begun(loaded: Window) -> None:
    loaded.send(generate(2, "wait"), generate(3, "wait"), Stop(3), Stop(2))
    loaded.until(Finished)

    assert [type(event) for event in loaded.until(Finished)] == [Prefilled, Finished]


def test_stop_of_another_request_changes_nothing(loaded: Window) -> None:
    loaded.send(Stop(1), Stop(77), generate(2))

    finished = loaded.until(Finished)[-1]
    assert isinstance(finished, Finished)
    assert finished.done.stats.stop_reason is StopReason.END_OF_GENERATION


def test_stop_cancels_a_load(window: Window) -> None:
    window.send(load(1, "slow"))
    window.until(LoadProgressed)
    window.send(Stop(1))

    assert window.until(Failed)[-1] == Failed(1, FailureKind.CANCELLED, "Loading slow was cancelled.")


def test_stop_cancels_a_load_that_does_not_heed_it(window: Window) -> None:
    window.send(load(1, "deaf"))
    window.until(LoadProgressed)
    window.send(Stop(1))

    assert window.until(Failed)[-1] == Failed(1, FailureKind.CANCELLED, "Loading deaf was cancelled.")
    assert window.loader.pairs[0].is_closed


def test_after_a_cancelled_load_another_can_be_asked_for(window: Window) -> None:
    window.send(load(1, "slow"), Stop(1), load(2))

    loaded = window.until(Loaded)[-1]
    assert isinstance(loaded, Loaded)
    assert loaded.request_id == 2


def test_loads_and_answers_happen_on_one_thread_that_is_not_the_one_that_reads(loaded: Window) -> None:
    loaded.send(generate(2), generate(3))
    loaded.until(Finished)
    loaded.until(Finished)

    assert len(loaded.loader.threads) == 1
    assert loaded.serving not in loaded.loader.threads


@pytest.mark.parametrize(
    ("error", "kind", "log"),
    [
        (ModelFileError(Path("x"), FileProblem.DAMAGED, "A sentence."), FailureKind.MODEL_FILE, ()),
        (LoadError("A sentence.", ("a line",)), FailureKind.LOAD, ("a line",)),
        (OptionsError("A sentence."), FailureKind.OPTIONS, ()),
        (TemplateError("A sentence."), FailureKind.TEMPLATE, ()),
        (GrammarError("A sentence."), FailureKind.GRAMMAR, ()),
        (PromptTooLongError(9, 8), FailureKind.PROMPT_TOO_LONG, ()),
        (EngineError("A sentence."), FailureKind.ENGINE, ()),
        (SlipstreamError("A sentence."), FailureKind.ENGINE, ()),
    ],
)
def test_what_people_are_told_of_is_told_to_the_window(
    loaded: Window, error: SlipstreamError, kind: FailureKind, log: tuple[str, ...]
) -> None:
    loaded.loader.failures["this"] = error
    loaded.send(generate(2, "this"), generate(3))

    assert loaded.next() == Failed(2, kind, str(error), log)
    assert isinstance(loaded.until(Finished)[-1], Finished)


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (ValueError("broken"), FailureKind.INTERNAL),
        (OSError("disk on fire"), FailureKind.INTERNAL),
        (MemoryError(), FailureKind.OUT_OF_MEMORY),
    ],
)
def test_what_nobody_foresaw_is_told_with_its_traceback(
    loaded: Window, capsys: pytest.CaptureFixture[str], error: Exception, kind: FailureKind
) -> None:
    loaded.loader.failures["this"] = error
    loaded.send(generate(2, "this"), generate(3))
    failed = loaded.next()

    assert isinstance(failed, Failed)
    assert failed.kind is kind
    assert "Error" not in failed.sentence
    assert failed.log[-1].startswith(type(error).__name__)
    assert type(error).__name__ in capsys.readouterr().err
    assert isinstance(loaded.until(Finished)[-1], Finished)  # and it goes on


def test_a_failed_load_says_why_and_another_can_be_asked_for(window: Window) -> None:
    window.loader.failures["bad"] = LoadError("It is bad.")
    window.send(load(1, "bad"), load(2))

    assert window.until(Failed)[-1] == Failed(1, FailureKind.LOAD, "It is bad.")
    window.until(Loaded)


def test_an_answer_without_a_model_is_refused(window: Window) -> None:
    window.send(generate(1))

    failed = window.until(Failed)[-1]
    assert isinstance(failed, Failed)
    assert failed.kind is FailureKind.NOT_LOADED


def test_a_second_model_is_refused(loaded: Window) -> None:
    loaded.send(load(2))

    failed = loaded.next()
    assert isinstance(failed, Failed)
    assert failed.kind is FailureKind.INTERNAL


def test_the_end_of_the_input_is_heard_while_a_load_hears_nothing(window: Window) -> None:
    window.send(load(1, "blocked"))
    window.until(LoadProgressed)
    window.close()  # waits for serve to return

    assert not window.loader.blocked.is_set()


def test_the_end_of_the_input_stops_an_answer_and_frees_the_model(loaded: Window) -> None:
    loaded.send(generate(2, "wait"))
    loaded.until(RoundFinished)
    loaded.close()
    loaded.close_events()
    (thread,) = loaded.loader.threads
    thread.join(30)

    assert not thread.is_alive()
    assert loaded.loader.pairs[0].is_closed


def test_the_thread_ends_when_nobody_reads_the_events(loaded: Window) -> None:
    loaded.close_events()
    loaded.send(generate(2, "wait"))
    (thread,) = loaded.loader.threads
    thread.join(30)

    assert not thread.is_alive()


@pytest.mark.parametrize("closed_here", [True, False])
def test_events_for_nobody_are_told_as_such(closed_here: bool) -> None:
    """The thread may have something to say yet when the process has done with its streams."""
    read, write = pipe()
    (write if closed_here else read).close()
    with pytest.raises(WindowGoneError):
        EventWriter(write).send(Failed(1, FailureKind.ENGINE, "x"))
    (read if closed_here else write).close()


def test_what_is_no_command_ends_it(window: Window) -> None:
    window.send_bytes(b"\x04\x00\x00\x00junk")
    window.serving.join(30)

    assert isinstance(window.failure, ProtocolError)


def test_frames_of_two_threads_do_not_mix() -> None:
    read, write = pipe()
    writer = EventWriter(write)
    events: list[Event] = [Failed(number, FailureKind.ENGINE, "x" * 20_000) for number in range(20)]

    def send_all(some: list[Event]) -> None:
        for event in some:
            writer.send(event)

    threads = [threading.Thread(target=send_all, args=(some,)) for some in (events[::2], events[1::2])]
    for thread in threads:
        thread.start()
    frames = FrameReader()
    arrived: list[Event] = []
    while len(arrived) < len(events):
        arrived += [event_from(content) for content in frames.feed(read.read(4096))]
    for thread in threads:
        thread.join()
    read.close()
    write.close()

    assert sorted(event.request_id for event in arrived if isinstance(event, Failed)) == list(range(20))
