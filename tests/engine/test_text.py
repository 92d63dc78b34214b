"""The text of a streamed answer: as if decoded and cut in one go, and given out as early as can be."""

import codecs
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

import pytest
import regex  # type: ignore[import-untyped]
from hypothesis import given, settings
from hypothesis import strategies as st

from app.core.protocol import TextPiece
from app.engine.text import TextStream

LLAMA = "🦙"
FAMILY = "\N{MAN}\N{ZERO WIDTH JOINER}\N{WOMAN}\N{ZERO WIDTH JOINER}\N{GIRL}"
THAI = "ก็"
THAI_AM = "น\N{THAI CHARACTER SARA AM}"
HANGUL = "한"
HANGUL_JAMO = "\N{HANGUL CHOSEONG HIEUH}\N{HANGUL JUNGSEONG A}\N{HANGUL JONGSEONG NIEUN}"
D_CARON = "d\N{COMBINING CARON}"
FLAG = "\N{REGIONAL INDICATOR SYMBOL LETTER C}\N{REGIONAL INDICATOR SYMBOL LETTER H}"
WAVE = "\N{WAVING HAND SIGN}\N{EMOJI MODIFIER FITZPATRICK TYPE-4}"
SINGLE_CHARACTERS = [LLAMA, FAMILY, THAI, THAI_AM, HANGUL, HANGUL_JAMO, D_CARON, FLAG, WAVE, "\r\n"]

CONJUNCT = "क\N{DEVANAGARI SIGN VIRAMA}ष"
PREPENDED = "\N{ARABIC NUMBER SIGN}1"

ALPHABET = sorted({*"abc \n\r", *"".join(SINGLE_CHARACTERS), *CONJUNCT, *PREPENDED})
unhurried = settings(deadline=None)
texts = st.text(st.sampled_from(ALPHABET), max_size=40) | st.text(max_size=20)
letters = st.text(st.sampled_from("ab\N{COMBINING CARON}🦙"), max_size=30)
stop_strings = st.lists(
    st.text(st.sampled_from("ab\N{COMBINING CARON}🦙"), min_size=1, max_size=5), max_size=4
).map(tuple)


class Run(NamedTuple):
    """What came out of a stream, push by push; the last entry is what `finish` gave."""

    stream: TextStream
    outputs: list[tuple[TextPiece, ...]]

    @property
    def pieces(self) -> list[TextPiece]:
        return [piece for output in self.outputs for piece in output]

    @property
    def text(self) -> str:
        return joined(self.pieces)


def joined(pieces: Iterable[TextPiece]) -> str:
    return "".join(piece.text for piece in pieces)


def stream(tokens: Sequence[bytes], stops: tuple[str, ...] = ()) -> Run:
    """Pushes all tokens; each is drafted, with its own index as position, so that it can be told apart."""
    text_stream = TextStream(stops)
    outputs = [
        text_stream.push(token, from_draft=True, position=index, probability=index / 2)
        for index, token in enumerate(tokens)
    ]
    outputs.append(text_stream.finish())
    return Run(text_stream, outputs)


@st.composite
def split(draw: st.DrawFn, whole: st.SearchStrategy[bytes]) -> list[bytes]:
    """Bytes cut into tokens anywhere, also inside a character; some tokens may be empty."""
    data = draw(whole)
    cuts = sorted(draw(st.lists(st.integers(0, len(data)), max_size=len(data) + 2)))
    return [data[a:b] for a, b in zip([0, *cuts], [*cuts, len(data)], strict=True)]


def encoded(strategy: st.SearchStrategy[str]) -> st.SearchStrategy[bytes]:
    return strategy.map(lambda text: text.encode("utf-8", "replace"))


def bytewise(text: str) -> list[bytes]:
    return [bytes([byte]) for byte in text.encode()]


def settled(decoded: str, stops: tuple[str, ...]) -> int:
    """How many leading characters can be part of no stop string, whatever follows."""
    for start in range(len(decoded)):
        rest = decoded[start:]
        if any(rest.startswith(stop) or stop.startswith(rest) for stop in stops):
            return start
    return len(decoded)


def cut(text: str, stops: tuple[str, ...]) -> str:
    return text[: min((text.find(stop) for stop in stops if stop in text), default=len(text))]


@unhurried
@given(split(encoded(texts) | st.binary(max_size=40)))
def test_text_is_what_decoding_all_bytes_at_once_gives(tokens: list[bytes]) -> None:
    run = stream(tokens)

    assert run.text == b"".join(tokens).decode("utf-8", "replace")
    assert run.stream.text == run.text


@unhurried
@given(split(encoded(letters)), stop_strings)
def test_text_is_cut_before_the_first_stop_string(tokens: list[bytes], stops: tuple[str, ...]) -> None:
    run = stream(tokens, stops)

    whole = b"".join(tokens).decode()
    assert run.text == cut(whole, stops)
    assert run.stream.text == run.text
    stopped_by = run.stream.stopped_by
    if any(stop in whole for stop in stops):
        assert stopped_by is not None
        assert whole.startswith(stopped_by, len(run.text))
    else:
        assert stopped_by is None


@unhurried
@given(split(encoded(letters) | st.binary(max_size=20)), stop_strings)
def test_every_character_comes_out_at_the_first_push_that_settles_it(
    tokens: list[bytes], stops: tuple[str, ...]
) -> None:
    run = stream(tokens, stops)

    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    decoded = given_out = ""
    for token, output in zip(tokens, run.outputs, strict=False):
        decoded += decoder.decode(token)
        given_out += joined(output)
        assert given_out == decoded[: settled(decoded, stops)]


@unhurried
@given(split(encoded(texts)))
def test_a_cluster_is_marked_with_the_token_of_its_first_byte(tokens: list[bytes]) -> None:
    run = stream(tokens)

    owners = [index for index, token in enumerate(tokens) for _ in token]
    expected: list[int] = []
    offset = 0
    for cluster in regex.findall(r"\X", b"".join(tokens).decode()):
        expected += [owners[offset]] * len(cluster)
        offset += len(cluster.encode())
    assert [piece.position for piece in run.pieces for _ in piece.text] == expected
    assert all(piece.probability == piece.position / 2 for piece in run.pieces)


@unhurried
@given(split(encoded(texts) | st.binary(max_size=40)), stop_strings)
def test_marks_do_not_change_inside_a_cluster_whatever_the_bytes(
    tokens: list[bytes], stops: tuple[str, ...]
) -> None:
    run = stream(tokens, stops)

    positions = [piece.position for piece in run.pieces for _ in piece.text]
    for cluster in regex.finditer(r"\X", run.text):
        assert len(set(positions[cluster.start() : cluster.end()])) == 1


@unhurried
@given(split(encoded(letters)), stop_strings)
def test_pieces_are_never_empty_and_neighbours_in_one_push_differ_in_origin(
    tokens: list[bytes], stops: tuple[str, ...]
) -> None:
    for output in stream(tokens, stops).outputs:
        assert all(piece.text for piece in output)
        positions = [piece.position for piece in output]
        assert all(a != b for a, b in pairwise(positions))


@pytest.mark.parametrize("character", SINGLE_CHARACTERS)
def test_a_character_arriving_byte_by_byte_is_never_shown_broken(character: str) -> None:
    run = stream(bytewise(character))

    assert run.text == character
    assert "\N{REPLACEMENT CHARACTER}" not in run.text
    assert {piece.position for piece in run.pieces} == {0}
    ends = [len(character[: n + 1].encode()) for n in range(len(character))]
    assert [joined(output) for output in run.outputs[:-1]] == [
        character[ends.index(n)] if n in ends else "" for n in range(1, len(character.encode()) + 1)
    ]


@pytest.mark.parametrize("character", SINGLE_CHARACTERS)
@pytest.mark.parametrize("drafted_first", [True, False])
def test_a_draft_cut_in_the_middle_of_a_character_does_not_split_its_colour(
    character: str, drafted_first: bool
) -> None:
    data = character.encode()
    for length in range(1, len(data)):
        text_stream = TextStream()
        before = text_stream.push(b"x", from_draft=False, position=0, probability=None)
        drafted: dict[str, object] = {"from_draft": True, "position": 3, "probability": 0.25}
        target: dict[str, object] = {"from_draft": False, "position": 0, "probability": None}
        first, second = (drafted, target) if drafted_first else (target, drafted)
        pieces = text_stream.push(data[:length], **first)  # type: ignore[arg-type]
        pieces += text_stream.push(data[length:] + b"y", **second)  # type: ignore[arg-type]

        assert joined(before) == "x"
        assert joined(pieces) == character + "y"
        assert {piece.from_draft for piece in pieces[:-1]} == {drafted_first}
        assert {piece.position for piece in pieces[:-1]} == {first["position"]}
        assert {piece.probability for piece in pieces[:-1]} == {first["probability"]}
        assert pieces[-1] == TextPiece("y", **second)  # type: ignore[arg-type]
        assert text_stream.finish() == ()


def test_a_mark_that_continues_a_character_comes_out_at_once_with_the_colour_of_its_base() -> None:
    text_stream = TextStream()

    base = text_stream.push(b"d", from_draft=True, position=2, probability=0.5)
    rest = text_stream.push("\N{COMBINING CARON}e".encode(), from_draft=False, position=0, probability=None)

    assert base == (TextPiece("d", True, 2, 0.5),)
    assert rest == (TextPiece("\N{COMBINING CARON}", True, 2, 0.5), TextPiece("e", False, 0, None))


def test_regional_indicators_pair_up_from_the_start_of_their_run() -> None:
    letters_of_two_flags = (FLAG + FLAG).encode()

    run = stream([letters_of_two_flags[n : n + 4] for n in range(0, 16, 4)])

    assert [piece.position for piece in run.pieces] == [0, 0, 2, 2]


def test_any_number_of_combining_marks_keeps_the_colour_of_the_base() -> None:
    run = stream([b"a", *["\N{COMBINING ACUTE ACCENT}".encode()] * 2000, b"b"])

    assert [piece.position for piece in run.pieces] == [0] * 2001 + [2001]


def test_a_character_left_unfinished_becomes_one_replacement_character_of_its_first_token() -> None:
    text_stream = TextStream()
    first, second = LLAMA.encode()[:2], LLAMA.encode()[2:3]

    assert text_stream.push(b"a" + first, from_draft=True, position=1, probability=0.5) == (
        TextPiece("a", True, 1, 0.5),
    )
    assert text_stream.push(second, from_draft=False, position=0, probability=None) == ()
    assert text_stream.finish() == (TextPiece("\N{REPLACEMENT CHARACTER}", True, 1, 0.5),)
    assert text_stream.finish() == ()


def test_bytes_that_break_off_a_character_are_replaced_for_the_token_that_began_it() -> None:
    run = stream([LLAMA.encode()[:2], b"z"])

    assert [(piece.text, piece.position) for piece in run.pieces] == [
        ("\N{REPLACEMENT CHARACTER}", 0),
        ("z", 1),
    ]


def test_the_beginning_of_a_stop_string_waits_over_rounds_and_is_released_when_it_was_none() -> None:
    run = stream([b"one <", b"|im", b"_", b"x two"], ("<|im_end|>",))

    assert [joined(output) for output in run.outputs] == ["one ", "", "", "<|im_x two", ""]
    assert [(piece.text, piece.position) for piece in run.outputs[3]] == [
        ("<", 0),
        ("|im", 1),
        ("_", 2),
        ("x two", 3),
    ]


def test_text_held_back_for_a_stop_string_is_released_at_the_end() -> None:
    run = stream([b"one <|im"], ("<|im_end|>",))

    assert [joined(output) for output in run.outputs] == ["one ", "<|im"]
    assert run.stream.stopped_by is None


def test_nothing_comes_out_after_a_stop_string() -> None:
    run = stream([b"one ST", b"OP two", b"three"], ("STOP",))

    assert run.text == "one "
    assert run.stream.stopped_by == "STOP"


def test_a_stop_string_inside_an_earlier_one_waits_until_the_earlier_one_is_decided() -> None:
    stops = ("bc", "abcd")

    assert stream(bytewise("xabcd"), stops).stream.stopped_by == "abcd"
    assert stream(bytewise("xabcd"), stops).text == "x"
    assert stream(bytewise("xabce"), stops).stream.stopped_by == "bc"
    assert stream(bytewise("xabce"), stops).text == "xa"
    assert stream(bytewise("xabc"), stops).text == "xa"


@pytest.mark.parametrize("tokens", [[b"abc"], [b"a", b"b", b"c"]])
def test_of_two_stop_strings_at_one_place_the_shorter_stops(tokens: list[bytes]) -> None:
    assert stream(tokens, ("abc", "ab")).stream.stopped_by == "ab"


def test_an_empty_stop_string_is_refused() -> None:
    with pytest.raises(ValueError, match="empty"):
        TextStream(("",))
