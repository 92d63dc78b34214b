"""The chat template: Jinja from a model file, that is from a stranger, rendered in a sandbox with limits.

Jinja's own sandbox keeps a template away from Python's internals, but not from using up all time and
memory. So a trace function looks at the clock at each line of the template and at each call that Jinja
makes for it, and everything that makes a text or a list is metered: beforehand where the result can be
much larger than what went in. Only harmless methods and filters are there. Together these keep every
single operation short, so that the clock is looked at often.
"""

import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from enum import StrEnum
from functools import wraps
from inspect import CO_GENERATOR
from threading import Lock
from time import monotonic
from traceback import walk_tb
from types import BuiltinMethodType, FrameType
from typing import Any, NoReturn, TypeVar

from jinja2 import TemplateRuntimeError, TemplateSyntaxError, nodes, pass_context, pass_environment
from jinja2.compiler import CodeGenerator, Frame
from jinja2.exceptions import SecurityError
from jinja2.ext import Extension, loopcontrols
from jinja2.filters import do_indent, do_title, make_attrgetter
from jinja2.lexer import Lexer
from jinja2.parser import Parser
from jinja2.runtime import Context, Undefined
from jinja2.sandbox import ImmutableSandboxedEnvironment, SandboxedFormatter, safe_range
from jinja2.utils import Namespace
from msgspec import Struct

from app.core.chat import Message, Role
from app.core.errors import TemplateError

Value = TypeVar("Value")

_FILE_NAME = "<chat template>"  # tells the template's own code apart in frames
_LONGEST_SOURCE = 128 * 1024  # characters; the longest templates in use have about 20,000
_DEEPEST = 64  # lists in lists, and macros that call macros
_MOST_BITS = 256  # of a whole number
_MOST_INDENT = 32  # spaces a level in JSON
_PER_PIECE = 64  # bytes that a short str and the reference to it take

_LINE_ENDS = "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"
_SPACES = _LINE_ENDS + " \t\x1f\xa0\u1680\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
_PERCENT_WIDTH = re.compile(r"[%).][-#0 +]*(\d+)")
_NUMBER = re.compile(r"\d+")
_DATE_FORMAT = re.compile(r"(?:[^%]|%[-#_]?[A-Za-z%]){0,200}")

_METHODS: Mapping[type, frozenset[str]] = {
    str: frozenset(
        (
            "capitalize casefold count endswith find index isalnum isalpha isascii isdecimal isdigit islower "
            "isnumeric isspace istitle isupper join lower lstrip partition removeprefix removesuffix replace "
            "rfind rindex rpartition rsplit rstrip split splitlines startswith strip swapcase title upper"
        ).split()
    ),
    list: frozenset({"copy", "count", "index"}),
    tuple: frozenset({"count", "index"}),
    dict: frozenset({"copy", "get", "items", "keys", "values"}),
}
_FILTERS = (
    "abs attr capitalize count d default dictsort first float int items last length lower map max min reject "
    "rejectattr reverse select selectattr sort string trim truncate unique upper"
).split()

_CHATML = """\
{% for message in messages %}
{{ '<|im_start|>' ~ message.role ~ '\n' ~ message.content ~ '<|im_end|>\n' }}
{%- endfor %}
{{- '<|im_start|>assistant\n' if add_generation_prompt else '' }}"""

_PLAIN = """\
{% set names = {'user': 'User: ', 'assistant': 'Assistant: '} %}
{% for message in messages %}
{{ names.get(message.role, '') ~ message.content ~ '\n' }}
{%- endfor %}
{{- 'Assistant:' if add_generation_prompt else '' }}"""

_MARKER = "qzxmarkerxzq"  # letters that survive whatever a template does to a text


class TemplateForm(StrEnum):
    """Where the form of a prompt comes from."""

    MODEL = "model"  # the model's own template
    CHATML = "chatml"  # none, but the vocabulary knows ChatML's <|im_start|>
    PLAIN = "plain"  # none; "User: ..." and "Assistant: ..." in plain words


class TemplateLimits(Struct, frozen=True):
    """What one compilation or rendering may use. The size grows with the conversation's own."""

    seconds: float = 2.0
    value_bytes: int = 2 * 1024 * 1024  # of any one text or list, the output too; of all together 16 times it


DEFAULT_LIMITS = TemplateLimits()


class _LimitError(BaseException):
    """A limit is reached. Not an Exception, so that no handler inside Jinja takes it for its own."""


class _Meter:
    """What one compilation or rendering may still use."""

    def __init__(self, limits: TemplateLimits, conversation_bytes: int) -> None:
        self._seconds = limits.seconds
        self._deadline = monotonic() + limits.seconds
        self._largest = limits.value_bytes + 16 * conversation_bytes
        self._left = 16 * self._largest
        self.depth = 0  # of calls

    def trace(self, frame: FrameType, event: str, _argument: object) -> Any:
        """For sys.settrace. Looks at the clock only where an exception is sure to arrive.

        What is raised in a finaliser is lost, and tracing with it. Those of other code run at any time,
        and closing a generator counts as a call of it.
        """
        code = frame.f_code
        own = code.co_filename == _FILE_NAME
        if event == "line" or (event == "call" and not code.co_flags & CO_GENERATOR):
            module = frame.f_globals.get("__name__", "")
            if own or module == __name__ or module.startswith("jinja2."):
                self.check_time()
        return self.trace if own else None

    def check_time(self) -> None:
        if monotonic() > self._deadline:
            raise _LimitError(f"it takes longer than {self._seconds:g} seconds")

    def reserve(self, size: int) -> None:
        """Counts a value of so many bytes, which is about to be made."""
        self._left -= size
        if size > self._largest or self._left < 0:
            raise _LimitError("it makes texts or lists that are too large")

    def weigh(self, value: object) -> int:
        """The bytes of a value with all that is in it, parts that are in it twice counted twice.

        As everything that goes into a list has a limited weight, comparing, hashing or printing any value
        takes limited time, which would not be so if only its memory were limited.
        """
        weight = sys.getsizeof(value)
        containers = [(value, 0)]
        while containers:
            container, depth = containers.pop()
            if isinstance(container, dict):
                parts: Iterable[object] = (*container, *container.values())
            elif isinstance(container, list | tuple):
                parts = container
            else:
                continue
            for part in parts:
                weight += sys.getsizeof(part)
                if isinstance(part, dict | list | tuple):
                    containers.append((part, depth + 1))
            if weight > self._largest or depth > _DEEPEST:
                raise _LimitError("it makes texts or lists that are too large")
        return weight

    def admit(self, value: Value) -> Value:
        """Counts a value that has just been made, and returns it."""
        if sys.gettrace() != self.trace:  # an exception that was lost somewhere has switched it off
            raise _LimitError("it goes round the time limit")
        if isinstance(value, dict | list | tuple):
            self.weigh(value)
        if isinstance(value, str | dict | list | tuple):
            self.reserve(sys.getsizeof(value))
        elif isinstance(value, int) and value.bit_length() > _MOST_BITS:
            raise _LimitError("it computes numbers that are too large")
        return value


class _Position(int):
    """A line number that carries its column; Jinja hands it on from token to node to error."""

    column: int

    def __new__(cls, line: int, column: int) -> "_Position":
        position = super().__new__(cls, line)
        position.column = column
        return position


class _PositionLexer(Lexer):
    """Gives each token a column as well."""

    def tokeniter(
        self, source: str, name: str | None, filename: str | None = None, state: str | None = None
    ) -> Iterator[tuple[int, str, str]]:
        source = source.replace("\r\n", "\n").replace("\r", "\n")
        at = line_start = 0
        line = 1
        try:
            for line, token, value in super().tokeniter(source, name, filename, state):
                start = max(source.find(value, at), at)  # Jinja leaves out white space between tokens
                line_start = max(source.rfind("\n", at, start) + 1, line_start)
                yield _Position(line, start - line_start + 1), token, value
                at = start + len(value)
                line_start = max(source.rfind("\n", start, at) + 1, line_start)
        except TemplateSyntaxError as mistake:
            mistake.lineno = _Position(mistake.lineno, at - line_start + 1)
            raise


class _MeteringGenerator(CodeGenerator):
    """Sends lists, slices and concatenations, which Jinja leaves to Python, through the sandbox."""

    def visit_List(self, node: nodes.List, frame: Frame) -> None:  # noqa: N802
        self._admit(super().visit_List, node, frame)

    def visit_Dict(self, node: nodes.Dict, frame: Frame) -> None:  # noqa: N802
        self._admit(super().visit_Dict, node, frame)

    def visit_Tuple(self, node: nodes.Tuple, frame: Frame) -> None:  # noqa: N802
        if node.ctx == "load":
            self._admit(super().visit_Tuple, node, frame)
        else:
            super().visit_Tuple(node, frame)

    def _admit(self, visit: Callable[[Any, Frame], None], node: nodes.Node, frame: Frame) -> None:
        self.write("environment.meter.admit(")
        visit(node, frame)
        self.write(")")

    def visit_Concat(self, node: nodes.Concat, frame: Frame) -> None:  # noqa: N802
        self.write("environment.concat(map(str, (")
        for part in node.nodes:
            self.visit(part, frame)
            self.write(", ")
        self.write(")))")

    def visit_Getitem(self, node: nodes.Getitem, frame: Frame) -> None:  # noqa: N802
        if not isinstance(node.arg, nodes.Slice):
            super().visit_Getitem(node, frame)
            return
        self.write("environment.cut(")
        self.visit(node.node, frame)
        for bound in (node.arg.start, node.arg.stop, node.arg.step):
            self.write(", ")
            self.visit(bound or nodes.Const(None), frame)
        self.write(")")

    def _refuse(self, node: nodes.Node, frame: Frame) -> NoReturn:
        self.fail("a chat template can neither load other templates nor escape for HTML", node.lineno)

    visit_Extends = visit_Include = visit_Import = visit_FromImport = _refuse  # noqa: N815
    visit_ScopedEvalContextModifier = _refuse  # noqa: N815


class _GenerationTag(Extension):
    """`{% generation %}`, which marks the answer for training and means nothing here."""

    tags = {"generation"}  # noqa: RUF012

    def parse(self, parser: Parser) -> list[nodes.Node]:
        next(parser.stream)
        return parser.parse_statements(("name:endgeneration",), drop_needle=True)


class _Namespace(Namespace):
    """Prints no contents: namespaces are not weighed, as they may contain each other."""

    def __repr__(self) -> str:
        return "<namespace>"


class _Formatter(SandboxedFormatter):
    """str.format with the widths counted in advance."""

    def __init__(self, sandbox: "_Sandbox") -> None:
        super().__init__(sandbox)
        self._meter = sandbox.meter

    def format_field(self, value: Any, format_spec: str) -> str:
        width = sum(map(int, _NUMBER.findall(format_spec)))
        self._meter.reserve(4 * (width + _length_as_text(self._meter, value)))
        return str(super().format_field(value, format_spec))


class _Sandbox(ImmutableSandboxedEnvironment):
    """Jinja's sandbox with a meter. Chat templates expect the settings and names that Transformers gives."""

    code_generator_class = _MeteringGenerator
    intercepted_binops = frozenset({"+", "*", "**", "%"})
    meter: _Meter

    def __init__(self) -> None:
        super().__init__(
            trim_blocks=True,
            lstrip_blocks=True,
            extensions=[_GenerationTag, loopcontrols],
            optimized=False,  # or constants would be computed while compiling
            finalize=_finalize,
        )
        self._position_lexer = _PositionLexer(self)
        self.globals = {
            "range": safe_range,
            "dict": _dict,
            "namespace": _namespace,
            "raise_exception": _raise_exception,
            "strftime_now": _strftime_now,
        }
        own = {
            "format": _format,
            "indent": _indent,
            "join": _join,
            "list": _list,
            "replace": _replace,
            "safe": str,
            "title": _title,
            "tojson": _tojson,
        }
        kept = {name: self.filters[name] for name in _FILTERS}
        self.filters = {name: self._metered(filter_) for name, filter_ in (kept | own).items()}
        self.tests = {name: self._metered(test) for name, test in self.tests.items()}

    @property
    def lexer(self) -> Lexer:
        return self._position_lexer

    def _metered(self, function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def metered(*args: Any, **kwargs: Any) -> Any:
            return self.meter.admit(function(*args, **kwargs))

        return metered

    def unsafe_undefined(self, obj: Any, attribute: str) -> NoReturn:
        raise SecurityError(f"{attribute!r} of a {type(obj).__name__} is out of bounds")

    def call(self, context: Context, function: Any, /, *args: Any, **kwargs: Any) -> Any:
        """Calls a macro, one of our functions, or a method that is on the list."""
        if isinstance(function, type):
            raise SecurityError(f"{function.__name__!r} is out of bounds")
        if isinstance(function, BuiltinMethodType):
            kwargs = {name: value for name, value in kwargs.items() if not name.startswith("_")}
            return self._call_method(function, args, kwargs)
        self.meter.depth += 1
        if self.meter.depth > _DEEPEST:
            raise _LimitError("its macros call each other too deeply")
        try:
            return self.meter.admit(super().call(context, function, *args, **kwargs))
        finally:
            self.meter.depth -= 1

    def _call_method(self, method: BuiltinMethodType, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        owner, name = method.__self__, method.__name__
        if name not in _METHODS.get(type(owner), ()):
            raise SecurityError(f"the method {name!r} is not available")
        if isinstance(owner, str):
            if name == "join" and args:
                return self.concat(args[0], owner)
            if name == "replace" and len(args) > 1:
                return self.replace(owner, *args)
            if name in ("split", "rsplit"):
                self._reserve_pieces(owner, args[0] if args else kwargs.get("sep"))
            elif name == "splitlines":
                self._reserve_pieces(owner, *_LINE_ENDS)
        return self.meter.admit(method(*args, **kwargs))

    def _reserve_pieces(self, text: str, *separators: Any) -> None:
        known = separators if all(isinstance(one, str) and one for one in separators) else _SPACES
        pieces = 1 + sum(map(text.count, known))
        self.meter.reserve(pieces * _PER_PIECE + 4 * len(text))

    def concat(self, pieces: Iterable[Any], separator: str = "") -> str:  # type: ignore[override]
        """Joins texts; Jinja calls it too, for what macros, blocks and the like have printed."""
        texts: list[str] = []
        size = 0
        for piece in pieces:
            if not isinstance(piece, str):
                raise TypeError(f"only texts can be joined, not {type(piece).__name__}")
            texts.append(piece)
            size += 4 * (len(piece) + len(separator)) + _PER_PIECE
            self.meter.check_size(size)
        self.meter.reserve(size)
        return separator.join(texts)

    def replace(self, text: str, old: str, new: str, count: int = -1) -> str:
        """`str.replace`."""
        times = text.count(old) if count < 0 else min(count, text.count(old))
        self.meter.reserve(4 * (len(text) + times * max(0, len(new) - len(old))))
        return text.replace(old, new, count)

    def cut(self, value: Any, start: Any, stop: Any, step: Any) -> Any:
        """`value[start:stop:step]`; not weighed, as a part is no heavier than the whole."""
        part = value[start:stop:step]
        self.meter.reserve(sys.getsizeof(part))
        return part

    def percent(self, form: str, values: Any) -> str:
        """`form % values`."""
        parts = values if isinstance(values, tuple) else (*values.values(),) if isinstance(values, dict) else (values,)
        widths = sum(map(int, _PERCENT_WIDTH.findall(form)))
        widths += form.count("*") * sum(abs(part) for part in parts if isinstance(part, int))
        longest = max((_length_as_text(self.meter, part) for part in parts), default=0)
        self.meter.reserve(4 * (len(form) + widths + form.count("%") * longest))
        return form % values

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        """`+`, `*`, `**` and `%`."""
        if operator == "%" and isinstance(left, str):
            return self.percent(left, right)
        if operator == "*":
            for value, times in ((left, right), (right, left)):
                if isinstance(value, str | list | tuple) and isinstance(times, int):
                    self.meter.reserve(self.meter.weigh(value) * max(times, 0))
        elif operator == "**" and isinstance(left, int) and isinstance(right, int):
            if left.bit_length() * right > _MOST_BITS:
                raise _LimitError("it computes numbers that are too large")
        return self.meter.admit(super().call_binop(context, operator, left, right))

    def wrap_str_format(self, value: Any) -> Callable[..., str] | None:
        """Replaces `str.format` and `str.format_map`, which can reach attributes and know widths."""
        if super().wrap_str_format(value) is None:
            return None
        text, formatter = value.__self__, _Formatter(self)
        if value.__name__ == "format_map":
            return lambda mapping: formatter.vformat(text, (), mapping)
        return lambda *args, **kwargs: formatter.vformat(text, args, kwargs)


def _length_as_text(meter: _Meter, value: object) -> int:
    """At most how many characters `str` makes of a value."""
    return len(value) if isinstance(value, str) else 4 * meter.weigh(value) + 400  # digits of the longest number


@pass_context
def _finalize(context: Context, value: Any) -> Any:
    """What `{{ value }}` prints. Takes the context so that Jinja does not call it while compiling."""
    return value if isinstance(value, str) else _sandbox_of(context).meter.admit(str(value))


def _sandbox_of(context: Context) -> _Sandbox:
    sandbox = context.environment
    assert isinstance(sandbox, _Sandbox)
    return sandbox


def _dict(*mapping: dict[str, Any], **items: Any) -> dict[str, Any]:
    """`dict`, but not from pairs: keys that a template chooses could all have one hash."""
    if not all(isinstance(one, dict) for one in mapping):
        raise TypeError("dict takes another dict, or names with values")
    return dict(*mapping, **items)


def _namespace(*mapping: dict[str, Any], **items: Any) -> _Namespace:
    return _Namespace(_dict(*mapping, **items))


class _RefusedError(TemplateRuntimeError):
    """The template has called raise_exception."""


def _raise_exception(message: object = "") -> NoReturn:
    raise _RefusedError(str(message))


def _strftime_now(form: str) -> str:
    if not _DATE_FORMAT.fullmatch(form):  # the C library knows widths, too
        raise ValueError("the date format is too long or has widths")
    return datetime.now().strftime(form)


@pass_environment
def _format(sandbox: _Sandbox, form: object, *args: Any, **kwargs: Any) -> str:
    return sandbox.percent(str(form), kwargs or args)


@pass_environment
def _indent(
    sandbox: _Sandbox, value: object, width: int | str = 4, first: bool = False, blank: bool = False
) -> str:
    text = str(value)
    lines = 2 + sum(map(text.count, _LINE_ENDS))
    each = len(width) if isinstance(width, str) else width
    sandbox.meter.reserve(4 * len(text) + lines * (_PER_PIECE + 4 * max(0, each)))
    return do_indent(text, width, first, blank)


@pass_environment
def _join(
    sandbox: _Sandbox, values: Iterable[Any], separator: object = "", attribute: str | int | None = None
) -> str:
    if attribute is not None:
        values = map(make_attrgetter(sandbox, attribute), values)
    return sandbox.concat(map(str, values), str(separator))


@pass_environment
def _list(sandbox: _Sandbox, values: Iterable[Any]) -> list[Any]:
    if isinstance(values, str):
        sandbox.meter.reserve(2 * _PER_PIECE * len(values))
    return list(values)


@pass_environment
def _replace(sandbox: _Sandbox, value: object, old: object, new: object, count: int | None = None) -> str:
    return sandbox.replace(str(value), str(old), str(new), -1 if count is None else count)


@pass_environment
def _title(sandbox: _Sandbox, value: object) -> str:
    text = str(value)
    sandbox.meter.reserve(_PER_PIECE * len(text))  # it is taken to pieces
    return do_title(text)


@pass_environment
def _tojson(
    sandbox: _Sandbox,
    value: Any,
    ensure_ascii: bool = False,
    indent: int | None = None,
    separators: tuple[str, str] | None = None,
    sort_keys: bool = False,
) -> str:
    """JSON as it is, without the escapes for HTML of Jinja's own filter."""
    if indent is not None and indent > _MOST_INDENT:
        raise ValueError(f"JSON cannot be indented by more than {_MOST_INDENT} spaces")
    encoder = json.JSONEncoder(
        ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys
    )
    return sandbox.concat(encoder.iterencode(value))


class ChatTemplate:
    """Turns messages into the text of a prompt. Compiled once; `render` may be called from any thread."""

    def __init__(
        self,
        source: str | None,
        *,
        bos: str,
        eos: str,
        chatml: bool = False,
        limits: TemplateLimits = DEFAULT_LIMITS,
    ) -> None:
        """`source` is the Jinja text, None or blank where the model has none; `bos` and `eos` are the texts of
        those tokens; `chatml` says whether the vocabulary has `<|im_start|>`, for a model without a template.

        Raises TemplateError.
        """
        own = source is not None and bool(source.strip())
        self.form = TemplateForm.MODEL if own else TemplateForm.CHATML if chatml else TemplateForm.PLAIN
        self._variables = {"bos_token": bos, "eos_token": eos, "tools": None, "documents": None}
        self._limits = limits
        self._lock = Lock()
        self._accepted: dict[Role, bool] = {}  # may such a message come first?
        self._sandbox = _Sandbox()
        with self._limited(0):
            self._template = self._compiled({TemplateForm.CHATML: _CHATML, TemplateForm.PLAIN: _PLAIN}.get(self.form, source or ""))
