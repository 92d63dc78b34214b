"""Reads the header of a GGUF file: its values, where its arrays lie, and its table of tensors.

The file is a stranger's, perhaps cut off or hostile: every count is bounded by the size of the file, and
arrays are walked, not built. The layout is that of the GGUF specification, versions 2 and 3; what
llama.cpp refuses (ggml/src/gguf.cpp) is refused here too, with a sentence.
"""

import struct
from enum import IntEnum
from itertools import pairwise
from pathlib import Path

from msgspec import Struct

from app.core.errors import FileProblem, ModelFileError
from app.models.parts import parts_of as parts_of
from app.models.tensor_types import TENSOR_TYPES, TensorType
from app.models.window import STRIDE, Window, damaged, open_file, truncated, unreadable

Scalar = bool | int | float | str

TOKENS = "tokenizer.ggml.tokens"  # the key of the vocabulary's texts
_MOST_KEYS = 1 << 16
_MOST_TENSORS = 1 << 18
_LARGEST_ARRAY = 256 << 20  # bytes of an array that is read as a whole
_LONGEST_LIST = 1 << 22  # elements of an array that is taken apart
_LONGEST_NAME = 63  # bytes of a tensor's name
_MOST_ELEMENTS = 2**63 - 1
_REMOVED_TYPES = frozenset((4, 5, 31, 32, 33, 36, 37, 38))


class ElementType(IntEnum):
    """The types of values, with GGUF's own numbers."""

    UINT8 = 0
    INT8 = 1
    UINT16 = 2
    INT16 = 3
    UINT32 = 4
    INT32 = 5
    FLOAT32 = 6
    BOOL = 7
    STRING = 8
    ARRAY = 9
    UINT64 = 10
    INT64 = 11
    FLOAT64 = 12


_LAYOUTS = {
    ElementType.UINT8: "B",
    ElementType.INT8: "b",
    ElementType.UINT16: "H",
    ElementType.INT16: "h",
    ElementType.UINT32: "I",
    ElementType.INT32: "i",
    ElementType.FLOAT32: "f",
    ElementType.BOOL: "?",
    ElementType.UINT64: "Q",
    ElementType.INT64: "q",
    ElementType.FLOAT64: "d",
}


class ArrayInfo(Struct, frozen=True):
    """Where an array lies: `offset` and `length` in bytes, from the beginning of the file.

    `marks` are the offsets, within the array, of every 1024th string, so that one is found without a walk
    over all those before it.
    """

    element: ElementType
    count: int
    offset: int
    length: int
    marks: tuple[int, ...] = ()


class TensorInfo(Struct, frozen=True):
    """One row of the table of tensors. Sizes in bytes; `offset` counts from the header's `data_offset`."""

    name: str
    shape: tuple[int, ...]  # the first dimension varies fastest
    type_id: int
    offset: int
    byte_count: int

    @property
    def type(self) -> TensorType:
        """The number format."""
        return TENSOR_TYPES[self.type_id]

    @property
    def elements(self) -> int:
        """The number of weights."""
        product = 1
        for extent in self.shape:
            product *= extent
        return product


class GgufHeader(Struct, frozen=True):
    """What a file says about itself. Sizes and offsets in bytes."""

    path: Path
    version: int
    file_bytes: int
    data_offset: int
    values: dict[str, Scalar]
    arrays: dict[str, ArrayInfo]
    tensors: tuple[TensorInfo, ...]

    def text(self, key: str) -> str | None:
        """The string under a key; None where there is none."""
        value = self.values.get(key)
        return value if isinstance(value, str) else None

    def whole(self, key: str) -> int | None:
        """The whole number under a key; None where there is none."""
        value = self.values.get(key)
        return value if isinstance(value, int) and not isinstance(value, bool) else None

    def flag(self, key: str) -> bool | None:
        """The yes or no under a key; None where there is none."""
        value = self.values.get(key)
        return value if isinstance(value, bool) else None


def read_header(path: Path) -> GgufHeader:
    """Reads a file's header, and checks that the file is as long as its table of tensors says.

    Raises ModelFileError: MISSING, NOT_GGUF, VERSION, TRUNCATED, DAMAGED, or UNSUPPORTED for a number format
    that is not known (any more, or yet).
    """
    with open_file(path) as file:
        return _Parser(path, Window(path, file)).header()


def read_strings(header: GgufHeader, key: str) -> list[bytes]:
    """All strings of an array. Raises KeyError without it, ModelFileError if the file has changed."""
    array = _listable(header, key)
    data = read_array_bytes(header, key)
    try:
        offsets = string_offsets(data, array, 0, array.count)
    except ValueError:
        damaged(header.path, f"{key} does not hold text any more")
    return [data[start + 8 : end] for start, end in pairwise(offsets)]


def read_numbers(header: GgufHeader, key: str) -> list[int] | list[float]:
    """All numbers of an array, flags as 0 and 1. Raises like `read_strings`."""
    array = _listable(header, key)
    if array.element is ElementType.STRING:
        damaged(header.path, f"{key} does not hold numbers")
    numbers = struct.unpack(f"<{array.count}{_LAYOUTS[array.element]}", read_array_bytes(header, key))
    return [+number for number in numbers]


def read_array_bytes(header: GgufHeader, key: str) -> bytes:
    """An array as it lies in the file (strings with their lengths in front). Raises like `read_strings`."""
    array = header.arrays[key]
    if array.length > _LARGEST_ARRAY:
        damaged(header.path, f"{key} is absurdly long")
    with open_file(header.path) as file:
        try:
            file.seek(array.offset)
            data = file.read(array.length)
        except OSError as error:
            unreadable(header.path, error)
    if len(data) != array.length:
        truncated(header.path, "became shorter while it was read")
    return data


def string_offsets(data: bytes, array: ArrayInfo, first: int, last: int) -> list[int]:
    """Where the strings from `first` to before `last` begin in `data`, and where the last of them ends.

    `data` comes from `read_array_bytes`; a string's 8 bytes of length come first, then its text. Raises
    ValueError if `data` is something else.
    """
    mark = first // STRIDE
    position = array.marks[mark] if mark < len(array.marks) else array.length
    offsets = []
    unpack = struct.Struct("<Q").unpack_from
    try:
        for index in range(mark * STRIDE, last):
            if index >= first:
                offsets.append(position)
            position += 8 + unpack(data, position)[0]
    except (struct.error, OverflowError) as error:
        raise ValueError("these are not the bytes of the array") from error
    return [*offsets, position]


def _listable(header: GgufHeader, key: str) -> ArrayInfo:
    array = header.arrays[key]
    if array.count > _LONGEST_LIST:
        damaged(header.path, f"{key} has {array.count} elements")
    return array


class _Parser:
    """Takes a header apart, in the order in which it lies in the file."""

    def __init__(self, path: Path, window: Window) -> None:
        self._path = path
        self._window = window

    def header(self) -> GgufHeader:
        version = self._version()
        tensor_count, key_count = self._window.unpack("<QQ")
        if key_count > _MOST_KEYS or tensor_count > _MOST_TENSORS:
            damaged(self._path, f"it claims {key_count} keys and {tensor_count} tensors")
        values: dict[str, Scalar] = {}
        arrays: dict[str, ArrayInfo] = {}
        for _ in range(key_count):
            key = self._window.text()
            if not key or key in values or key in arrays:
                damaged(self._path, f"the key {_shown(key)} is empty or comes twice")
            kind = self._element_type()
            if kind is ElementType.ARRAY:
                arrays[key] = self._array()
            else:
                values[key] = self._scalar(kind)
        alignment = self._alignment(values)
        tensors = self._tensors(tensor_count, alignment)
        end = self._window.position
        data_offset = _padded(end, alignment) if tensors else end
        self._check_length(data_offset, tensors)
        return GgufHeader(self._path, version, self._window.size, data_offset, values, arrays, tensors)

    def _version(self) -> int:
        name = self._path.name
        magic = self._window.take(min(4, self._window.size))
        if magic != b"GGUF":
            if b"GGUF".startswith(magic):
                truncated(self._path, "ends at once" if magic else "is empty")
            sentence = f"{name} is not a GGUF file. Choose a file whose name ends in .gguf."
            raise ModelFileError(self._path, FileProblem.NOT_GGUF, sentence)
        (version,) = self._window.unpack("<I")
        if version in (2, 3):
            return version
        if version == 1:
            reason = "has the old GGUF version 1, which is no longer read. Get a newer conversion"
        elif version and version & 0xFFFF == 0:
            reason = "is written for big-endian machines. Get the ordinary, little-endian file"
        else:
            reason = f"has GGUF version {version}, and versions 2 and 3 can be read. Get another conversion"
        raise ModelFileError(self._path, FileProblem.VERSION, f"{name} {reason} of the model.")

    def _element_type(self) -> ElementType:
        (number,) = self._window.unpack("<I")
        if number > max(ElementType):
            damaged(self._path, f"it holds a value of type {number}, which does not exist")
        return ElementType(number)

    def _scalar(self, kind: ElementType) -> Scalar:
        if kind is ElementType.STRING:
            return self._window.text()
        layout = "<" + _LAYOUTS[kind]
        value: Scalar = struct.unpack(layout, self._window.take(struct.calcsize(layout)))[0]
        return value

    def _array(self) -> ArrayInfo:
        kind = self._element_type()
        (count,) = self._window.unpack("<Q")
        offset = self._window.position
        marks: tuple[int, ...] = ()
        if kind is ElementType.ARRAY:
            damaged(self._path, "it holds an array of arrays")
        if kind is ElementType.STRING:
            marks = self._window.skip_strings(count)
        else:
            self._window.skip(count * struct.calcsize("<" + _LAYOUTS[kind]))
        return ArrayInfo(kind, count, offset, self._window.position - offset, marks)

    def _alignment(self, values: dict[str, Scalar]) -> int:
        alignment = values.get("general.alignment", 32)
        if type(alignment) is not int or alignment < 1 or alignment & (alignment - 1):
            damaged(self._path, "its alignment is not a power of two")
        return alignment

    def _tensors(self, count: int, alignment: int) -> tuple[TensorInfo, ...]:
        tensors = []
        names = set()
        expected = 0
        for _ in range(count):
            tensor = self._tensor()
            if tensor.name in names:
                damaged(self._path, f"the tensor {_shown(tensor.name)} comes twice")
            if tensor.offset != expected:
                damaged(self._path, f"the tensor {_shown(tensor.name)} does not lie where it should")
            names.add(tensor.name)
            tensors.append(tensor)
            expected += _padded(tensor.byte_count, alignment)
        return tuple(tensors)

    def _tensor(self) -> TensorInfo:
        name = self._window.text()
        (dimensions,) = self._window.unpack("<I")
        if len(name.encode()) > _LONGEST_NAME or dimensions > 4:
            damaged(self._path, f"its tensor {_shown(name)} has too long a name or {dimensions} dimensions")
        shape = self._window.unpack(f"<{dimensions}Q")
        type_id, offset = self._window.unpack("<IQ")
        kind = self._tensor_type(type_id)
        elements = 1
        for extent in shape:
            elements *= extent
            if max(extent, elements) > _MOST_ELEMENTS:
                damaged(self._path, f"its tensor {_shown(name)} is absurdly large")
        if (shape[0] if shape else 1) % kind.block:
            damaged(self._path, f"the rows of its tensor {_shown(name)} do not fit the format {kind.name}")
        return TensorInfo(name, shape, type_id, offset, elements // kind.block * kind.block_bytes)

    def _tensor_type(self, type_id: int) -> TensorType:
        if type_id in TENSOR_TYPES:
            return TENSOR_TYPES[type_id]
        age = "no longer" if type_id in _REMOVED_TYPES else "not"
        raise ModelFileError(
            self._path,
            FileProblem.UNSUPPORTED,
            f"{self._path.name} stores weights in a format (number {type_id}) that is {age} supported. "
            "Get another quantisation of the model.",
        )

    def _check_length(self, data_offset: int, tensors: tuple[TensorInfo, ...]) -> None:
        needed = max((data_offset + tensor.offset + tensor.byte_count for tensor in tensors), default=0)
        size = self._window.size
        if needed > size:
            truncated(self._path, f"has {size:,} bytes, and its table of tensors needs {needed:,}")


def _padded(size: int, alignment: int) -> int:
    return (size + alignment - 1) // alignment * alignment


def _shown(text: str) -> str:
    return ascii(text[:60])
