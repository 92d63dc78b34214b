"""How an engine ended, judged from outside, and the words for it."""

import pytest

from app.ui.engine_end import Activity, EndKind, EngineEnd, kind_of_end
from app.ui.engine_words import end_sentence, happened_sentence

BAD_ALLOC = ("loading", "terminate called after throwing an instance of 'std::bad_alloc'")


@pytest.mark.parametrize(
    ("crashed", "code", "log", "kind"),
    [
        (True, 6, (), EndKind.CRASHED),
        (True, 11, (), EndKind.CRASHED),
        (True, 9, (), EndKind.KILLED),
        (True, 15, (), EndKind.KILLED),
        (False, 137, (), EndKind.KILLED),
        (False, 9, (), EndKind.EXITED),
        (False, 0, (), EndKind.EXITED),
        (False, 1, (), EndKind.EXITED),
        (True, 6, BAD_ALLOC, EndKind.OUT_OF_MEMORY),
        (False, 1, ("MemoryError",), EndKind.OUT_OF_MEMORY),
        (
            True,
            6,
            ("ggml_aligned_malloc: insufficient memory (attempted to allocate  19.73 MB)",),
            EndKind.OUT_OF_MEMORY,
        ),
        (True, 6, (*BAD_ALLOC, *["a line"] * 150), EndKind.CRASHED),  # that was long ago
        (True, 9, BAD_ALLOC, EndKind.KILLED),
        (False, 0, BAD_ALLOC, EndKind.EXITED),
        (True, 0xC0000017, (), EndKind.OUT_OF_MEMORY),
        (True, 0xC0000017 - 2**32, (), EndKind.OUT_OF_MEMORY),  # as Qt gives it
        (True, 0xC0000005 - 2**32, (), EndKind.CRASHED),
    ],
)
def test_the_kind_of_an_end(crashed: bool, code: int, log: tuple[str, ...], kind: EndKind) -> None:
    assert kind_of_end(crashed, code, log) is kind


@pytest.mark.parametrize("kind", EndKind)
@pytest.mark.parametrize("during", Activity)
def test_every_end_has_plain_words(kind: EndKind, during: Activity) -> None:
    sentence = end_sentence(EngineEnd(kind, 6, during))

    assert sentence.endswith(".")
    assert sentence == sentence.strip()
    assert not set("{}_\n") & set(sentence)


def test_the_words_name_what_was_going_on_what_happened_and_what_to_do() -> None:
    sentence = end_sentence(EngineEnd(EndKind.OUT_OF_MEMORY, 6, Activity.READING))

    assert sentence == (
        "The engine ran out of memory while it was reading the prompt. Close other programs, or choose a "
        "shorter context or a smaller model; then choose Reload model."
    )


def test_a_kill_from_outside_is_not_put_down_to_memory_for_sure() -> None:
    sentence = end_sentence(EngineEnd(EndKind.KILLED, 9, Activity.ANSWERING))

    assert sentence.startswith(
        "The engine was killed while it was answering, perhaps because the computer ran out of memory."
    )


def test_what_happened_comes_first_and_can_be_told_alone() -> None:
    end = EngineEnd(EndKind.OUT_OF_MEMORY, 134, Activity.ANSWERING)
    assert happened_sentence(end) == "The engine ran out of memory while it was answering."
    assert end_sentence(end).startswith(happened_sentence(end) + " ")
