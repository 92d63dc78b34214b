"""A model's vocabulary as far as its header tells: type, special tokens, and the texts of all tokens.

Mirrors what llama.cpp makes of the same keys when it loads a model (llama_vocab::impl::load in
src/llama-vocab.cpp), its defaults by tokenizer and pre-tokenizer included.
"""

from collections.abc import Mapping
from enum import StrEnum
from hashlib import blake2b
from pathlib import Path
from types import MappingProxyType

from msgspec import Struct, structs

from app.core.compatibility import LARGEST_DIFFERENCE
from app.core.errors import FileProblem, ModelFileError
from app.models.gguf import (
    TOKENS,
    ArrayInfo,
    ElementType,
    GgufHeader,
    read_array_bytes,
    read_header,
    string_offsets,
)
from app.models.parts import parts_of
from app.models.window import STRIDE, damaged

NO_TOKEN = -1
FIRST_COMPARED = 5  # llama.cpp does not compare the texts of the first five tokens

_DIGEST_BYTES = 16
_DNA_MODEL = "hybriddna"
_DNA_MARK = b"\xee\x80\x80"  # tells DNA tokens from others in a file; llama.cpp takes it off


class VocabularyKind(StrEnum):
    """The types of tokenizer that llama.cpp has."""

    NONE = "none"
    SENTENCE_PIECE = "SentencePiece"
    BPE = "BPE"
    WORD_PIECE = "WordPiece"
    UNIGRAM = "Unigram"
    RWKV = "RWKV"
    PLAMO2 = "PLaMo 2"
    TEST = "test"


class SpecialTokens(Struct, frozen=True):
    """The tokens around a text, NO_TOKEN where there is none, and whether the tokenizer adds them."""

    begin: int
    end: int
    adds_begin: bool = False
    adds_end: bool = False


class VocabularyProfile(Struct, frozen=True):
    """What two vocabularies are compared by. `digests` has one digest for each of the last lengths.

    The digest of a length covers the texts from token 5 to before that length, so that two files whose sizes
    differ by no more than 128 have one for the length that they share.
    """

    kind: VocabularyKind
    special: SpecialTokens
    size: int  # tokens
    digests: bytes

    def digest(self, length: int) -> bytes:
        """The digest of a length, which may be up to 128 less than `size`."""
        place = (self.size - length) * _DIGEST_BYTES
        return self.digests[place : place + _DIGEST_BYTES]


class TextDifference(Struct, frozen=True):
    """The first token whose texts differ."""

    token: int
    target: bytes
    draft: bytes


_KINDS: Mapping[str, tuple[VocabularyKind, SpecialTokens]] = MappingProxyType(
    {
        "no_vocab": (VocabularyKind.NONE, SpecialTokens(NO_TOKEN, NO_TOKEN)),
        "none": (VocabularyKind.NONE, SpecialTokens(NO_TOKEN, NO_TOKEN)),
        "llama": (VocabularyKind.SENTENCE_PIECE, SpecialTokens(1, 2, adds_begin=True)),
        "bert": (VocabularyKind.WORD_PIECE, SpecialTokens(101, NO_TOKEN, adds_begin=True)),
        "gpt2": (VocabularyKind.BPE, SpecialTokens(11, 11)),
        _DNA_MODEL: (VocabularyKind.BPE, SpecialTokens(11, 11)),
        "whitespace": (VocabularyKind.BPE, SpecialTokens(11, 11)),
        "gemma4": (VocabularyKind.BPE, SpecialTokens(NO_TOKEN, NO_TOKEN)),
        "t5": (VocabularyKind.UNIGRAM, SpecialTokens(NO_TOKEN, 1, adds_end=True)),
        "rwkv": (VocabularyKind.RWKV, SpecialTokens(NO_TOKEN, NO_TOKEN)),
        "plamo2": (VocabularyKind.PLAMO2, SpecialTokens(1, 2)),
        "test": (VocabularyKind.TEST, SpecialTokens(NO_TOKEN, NO_TOKEN)),
    }
)

# Pre-tokenizers of BPE vocabularies that change those defaults.
_ADD_BEGIN = frozenset(
    (
        "chameleon",
        "falcon-h1",
        "falcon3",
        "jina-v5-nano",
        "lfm2",
        "llama-bpe",
        "llama-v3",
        "llama3",
        "midm-2.0",
        "pixtral",
        "tekken",
    )
)
_WITHOUT_BEGIN = frozenset(("chatglm-bpe", "glm4", "glm5"))
_ALWAYS_ADD_BEGIN = frozenset(("gemma4", "granite-embed-multi-311m"))  # whatever the file says


def read_profile(path: Path) -> VocabularyProfile:
    """Reads the vocabulary of a model's (first) file. Raises ModelFileError, also if it has none."""
    header = read_header(parts_of(path)[0])
    model = header.text("tokenizer.ggml.model")
    if model is None or model not in _KINDS:
        what = "no tokenizer" if model is None else f"an unknown tokenizer, {model[:40]!a}"
        sentence = f"{header.path.name} has {what}. Choose another file."
        raise ModelFileError(path, FileProblem.UNSUPPORTED, sentence)
    kind, defaults = _KINDS[model]
    if kind is VocabularyKind.NONE:
        size = header.whole(f"{header.text('general.architecture')}.vocab_size") or 0
        return VocabularyProfile(kind, defaults, size, b"")
    array = _tokens(header)
    special = _special_tokens(header, kind, defaults, array.count)
    return VocabularyProfile(kind, special, array.count, _digests(header, array))


def first_difference(target: Path, draft: Path, length: int) -> TextDifference | None:
    """The first token from 5 to before `length` whose text differs; None if all are equal.

    Texts are what llama.cpp's llama_vocab_get_text gives: as stored, without decoding, up to the first zero
    byte, and with a made-up text for an empty one. Raises ModelFileError.
    """
    texts = [_Texts(read_header(parts_of(path)[0])) for path in (target, draft)]
    for first in range(0, length, STRIDE):
        last = min(first + STRIDE, length)
        blocks = [side.block(first) for side in texts]
        if blocks[0] == blocks[1] and not any(side.is_dna for side in texts):
            continue
        pairs = zip(texts[0].between(first, last), texts[1].between(first, last), strict=True)
        for token, (ours, theirs) in enumerate(pairs, first):
            if token >= FIRST_COMPARED and ours != theirs:
                return TextDifference(token, ours, theirs)
    return None


def _special_tokens(
    header: GgufHeader, kind: VocabularyKind, defaults: SpecialTokens, size: int
) -> SpecialTokens:
    special = defaults
    pre_tokenizer = header.text("tokenizer.ggml.pre") if kind is VocabularyKind.BPE else None
    if header.text("tokenizer.ggml.model") == "gemma4":
        pre_tokenizer = "gemma4"
    if pre_tokenizer in _WITHOUT_BEGIN:
        special = structs.replace(special, begin=NO_TOKEN)
    adds_begin = header.flag("tokenizer.ggml.add_bos_token")
    if adds_begin is None:
        adds_begin = special.adds_begin or pre_tokenizer in _ADD_BEGIN
    adds_end = header.flag("tokenizer.ggml.add_eos_token")
    return SpecialTokens(
        begin=_within(header.whole("tokenizer.ggml.bos_token_id"), special.begin, size),
        end=_within(header.whole("tokenizer.ggml.eos_token_id"), special.end, size),
        adds_begin=adds_begin or pre_tokenizer in _ALWAYS_ADD_BEGIN,
        adds_end=special.adds_end if adds_end is None else adds_end,
    )


def _within(stated: int | None, default: int, size: int) -> int:
    """The stated id, the default one if that is not a token, or none."""
    if stated is not None and 0 <= stated < size:
        return stated
    return default if default < size else NO_TOKEN


def _tokens(header: GgufHeader) -> ArrayInfo:
    array = header.arrays.get(TOKENS)
    if array is None or array.element is not ElementType.STRING or array.count == 0:
        damaged(header.path, "its vocabulary is missing")
    return array


def _digests(header: GgufHeader, array: ArrayInfo) -> bytes:
    """The digests of the lengths from `array.count` down to 128 less, one after another.

    They are taken from the bytes as they lie in the file, in which lengths and texts alternate: equal digests
    mean equal texts. Different ones do not quite mean different texts; `first_difference` decides.
    """
    data = read_array_bytes(header, TOKENS)
    shortest = max(array.count - LARGEST_DIFFERENCE, 0)
    begin = min(FIRST_COMPARED, array.count)
    try:
        start = string_offsets(data, array, begin, begin)[0]
        ends = string_offsets(data, array, shortest, array.count)
    except ValueError:
        damaged(header.path, "it changed while it was read")
    seed = _DNA_MODEL.encode() if _is_dna(header) else b""
    running = blake2b(seed, digest_size=_DIGEST_BYTES)
    done = start
    digests = []
    for end in ends:
        if end > done:
            running.update(data[done:end])
            done = end
        digests.append(running.copy().digest())
    return b"".join(reversed(digests))


def _is_dna(header: GgufHeader) -> bool:
    return header.text("tokenizer.ggml.model") == _DNA_MODEL


class _Texts:
    """The token texts of one file, block by block."""

    def __init__(self, header: GgufHeader) -> None:
        self._path = header.path
        self._array = _tokens(header)
        self._data = read_array_bytes(header, TOKENS)
        self.is_dna = _is_dna(header)
        self._dna_begins = False

    def block(self, first: int) -> bytes:
        """The bytes of the STRIDE tokens from `first`, a multiple of STRIDE."""
        marks = (*self._array.marks, self._array.length)
        mark = first // STRIDE
        return self._data[marks[mark] : marks[mark + 1]]

    def between(self, first: int, last: int) -> list[bytes]:
        """The texts from `first` to before `last`. Blocks must be asked for in order."""
        try:
            offsets = string_offsets(self._data, self._array, first, last)
        except ValueError:
            damaged(self._path, "it changed while it was read")
        texts = []
        for place in range(last - first):
            text = self._data[offsets[place] + 8 : offsets[place + 1]].partition(b"\0")[0]
            if self._dna_begins and len(text) > len(_DNA_MARK):
                text = text.removesuffix(_DNA_MARK)
            self._dna_begins = self._dna_begins or (self.is_dna and text == b"<oov>")
            texts.append(text or f"[EMPTY_{first + place}]".encode())
        return texts
