"""What chat templates may call: metered counterparts of some of Python's and Jinja's own functions."""

import json
import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, NoReturn

from jinja2 import TemplateRuntimeError, pass_environment
from jinja2.filters import do_indent, do_title, make_attrgetter
from jinja2.sandbox import ImmutableSandboxedEnvironment, SandboxedFormatter
from jinja2.utils import Namespace

from app.engine.template_limits import PER_PIECE, Meter

_LINE_ENDS = "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"
_SPACES = _LINE_ENDS + " \t\x1f\xa0\u1680\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
_PERCENT_WIDTH = re.compile(r"[%).][-#0 +]*(\d+)")
_NUMBER = re.compile(r"\d+")
_DATE_FORMAT = re.compile(r"(?:[^%]|%[-#_]?[A-Za-z%]){0,200}")
_MOST_INDENT = 32  # spaces a level in JSON


class MeteredEnvironment(ImmutableSandboxedEnvironment):
    """Jinja's sandbox with a place for the meter of the rendering in progress."""

    meter: Meter


class RefusedError(TemplateRuntimeError):
    """The template has called raise_exception."""


def join(meter: Meter, pieces: Iterable[Any], separator: str = "") -> str:
    """`separator.join(pieces)`."""
    texts: list[str] = []
    size = 0
    for piece in pieces:
        if not isinstance(piece, str):
            raise TypeError(f"only texts can be joined, not {type(piece).__name__}")
        texts.append(piece)
        size += 4 * (len(piece) + len(separator)) + PER_PIECE
        if size > meter.largest:
            break
    meter.check_size(size)
    return meter.admit(separator.join(texts))


def replace(meter: Meter, text: str, old: str, new: str, count: int = -1) -> str:
    """`text.replace(old, new, count)`."""
    times = text.count(old) if count < 0 else min(count, text.count(old))
    meter.check_size(4 * (len(text) + times * max(0, len(new) - len(old))))
    return meter.admit(text.replace(old, new, count))


def percent(meter: Meter, form: str, values: Any) -> str:
    """`form % values`."""
    parts = (
        values.values() if isinstance(values, dict) else values if isinstance(values, tuple) else (values,)
    )
    widths = sum(map(int, _PERCENT_WIDTH.findall(form)))
    widths += form.count("*") * sum(abs(part) for part in parts if isinstance(part, int))
    longest = max(map(meter.longest_text, parts), default=0)
    meter.check_size(4 * (len(form) + widths + form.count("%") * longest))
    return meter.admit(str(form % values))


class MeteredFormatter(SandboxedFormatter):
    """`str.format`."""

    def __init__(self, environment: MeteredEnvironment) -> None:
        super().__init__(environment)
        self._meter = environment.meter

    def format_field(self, value: Any, format_spec: str) -> str:
        """Formats one value, its width counted beforehand."""
        width = sum(map(int, _NUMBER.findall(format_spec)))
        self._meter.reserve(4 * (width + self._meter.longest_text(value)))
        return str(super().format_field(value, format_spec))


def before_method(meter: Meter, owner: str, name: str, separator: Any) -> None:
    """Counts what a method that takes a text to pieces is about to make."""
    separators: Iterable[str]
    if name == "splitlines":
        separators = _LINE_ENDS
    elif name in ("split", "rsplit"):
        separators = (separator,) if isinstance(separator, str) and separator else _SPACES
    else:
        return
    pieces = 1 + sum(map(owner.count, separators))
    meter.reserve(pieces * PER_PIECE + 4 * len(owner))


class OpaqueNamespace(Namespace):
    """A namespace that prints no contents. It is not weighed, as namespaces may contain each other."""

    def __repr__(self) -> str:
        return "<namespace>"


def make_dict(*mapping: dict[str, Any], **items: Any) -> dict[str, Any]:
    """`dict`, but not from pairs: keys that the template makes could all have the same hash."""
    if not all(isinstance(one, dict) for one in mapping):
        raise TypeError("dict takes another dict, or names with values")
    return dict(*mapping, **items)


def make_namespace(*mapping: dict[str, Any], **items: Any) -> OpaqueNamespace:
    """`namespace`, from the same as `dict`."""
    return OpaqueNamespace(make_dict(*mapping, **items))


def raise_exception(message: object = "") -> NoReturn:
    """Lets a template refuse a conversation. Raises RefusedError."""
    raise RefusedError(str(message))


def strftime_now(form: str) -> str:
    """The local date and time."""
    if not _DATE_FORMAT.fullmatch(form):  # the C library's own formats have widths as well
        raise ValueError("the date format is too long or has widths")
    return datetime.now().strftime(form)


@pass_environment
def _format(environment: MeteredEnvironment, form: object, *args: Any, **kwargs: Any) -> str:
    return percent(environment.meter, str(form), kwargs or args)


@pass_environment
def _indent(
    environment: MeteredEnvironment,
    value: object,
    width: int | str = 4,
    first: bool = False,
    blank: bool = False,
) -> str:
    text = str(value)
    lines = 2 + sum(map(text.count, _LINE_ENDS))
    each = len(width) if isinstance(width, str) else max(0, width)
    environment.meter.check_size(4 * len(text) + lines * (PER_PIECE + 4 * each))
    return do_indent(text, width, first, blank)


@pass_environment
def _join(
    environment: MeteredEnvironment,
    values: Iterable[Any],
    separator: object = "",
    attribute: str | int | None = None,
) -> str:
    if attribute is not None:
        values = map(make_attrgetter(environment, attribute), values)
    return join(environment.meter, map(str, values), str(separator))


@pass_environment
def _list(environment: MeteredEnvironment, values: Iterable[Any]) -> list[Any]:
    if isinstance(values, str):
        environment.meter.reserve(2 * PER_PIECE * len(values))  # the list may hold a new str for each
    return list(values)


@pass_environment
def _replace(
    environment: MeteredEnvironment, value: object, old: object, new: object, count: int | None = None
) -> str:
    return replace(environment.meter, str(value), str(old), str(new), -1 if count is None else count)


@pass_environment
def _title(environment: MeteredEnvironment, value: object) -> str:
    text = str(value)
    environment.meter.check_size(PER_PIECE * len(text))  # Jinja takes it to pieces
    return do_title(text)


@pass_environment
def _tojson(
    environment: MeteredEnvironment,
    value: Any,
    ensure_ascii: bool = False,
    indent: int | None = None,
    separators: tuple[str, str] | None = None,
    sort_keys: bool = False,
) -> str:
    """JSON as it is; Jinja's own filter escapes it for HTML."""
    if indent is not None and indent > _MOST_INDENT:
        raise ValueError(f"JSON cannot be indented by more than {_MOST_INDENT} spaces")
    encoder = json.JSONEncoder(
        ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys
    )
    return join(environment.meter, encoder.iterencode(value))


FILTERS: Mapping[str, Any] = {
    "format": _format,
    "indent": _indent,
    "join": _join,
    "list": _list,
    "replace": _replace,
    "safe": str,
    "title": _title,
    "tojson": _tojson,
}
