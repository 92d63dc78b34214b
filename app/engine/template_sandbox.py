"""The Jinja environment of chat templates: Jinja's own sandbox, metered, with what is harmless in it.

Jinja's sandbox keeps a template away from Python's internals, but not from using up time and memory.
Settings and names are those that Transformers gives to chat templates.
"""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import wraps
from threading import Lock
from types import BuiltinMethodType
from typing import Any, NoReturn

from jinja2 import Template, nodes, pass_context
from jinja2.compiler import CodeGenerator, Frame
from jinja2.exceptions import SecurityError
from jinja2.ext import Extension, loopcontrols
from jinja2.parser import Parser
from jinja2.runtime import Context
from jinja2.sandbox import safe_range

from app.engine.template_functions import (
    FILTERS,
    MeteredEnvironment,
    MeteredFormatter,
    before_method,
    join,
    make_dict,
    make_namespace,
    percent,
    raise_exception,
    replace,
    strftime_now,
)
from app.engine.template_limits import Meter, TemplateLimits

# fmt: off
_TEXT_METHODS = frozenset({
    "capitalize", "casefold", "count", "endswith", "find", "index", "isalnum", "isalpha", "isascii",
    "isdecimal", "isdigit", "islower", "isnumeric", "isspace", "istitle", "isupper", "join", "lower",
    "lstrip", "partition", "removeprefix", "removesuffix", "replace", "rfind", "rindex", "rpartition",
    "rsplit", "rstrip", "split", "splitlines", "startswith", "strip", "swapcase", "title", "upper",
})
_JINJA_FILTERS = (
    "abs", "attr", "capitalize", "count", "d", "default", "dictsort", "first", "float", "int", "items",
    "last", "length", "lower", "map", "max", "min", "reject", "rejectattr", "reverse", "select",
    "selectattr", "sort", "string", "trim", "truncate", "unique", "upper",
)
# fmt: on
_METHODS: Mapping[type, frozenset[str]] = {
    str: _TEXT_METHODS,
    list: frozenset({"copy", "count", "index"}),
    tuple: frozenset({"count", "index"}),
    dict: frozenset({"copy", "get", "items", "keys", "values"}),
}


class _MeteringGenerator(CodeGenerator):
    """Sends lists, slices and concatenations, which Jinja leaves to Python, through the sandbox.

    Looks at the clock at each node itself: tracing every call would make compiling three times as slow.
    """

    def visit(self, node: nodes.Node, *args: Any, **kwargs: Any) -> Any:
        environment = self.environment
        assert isinstance(environment, MeteredEnvironment)
        environment.meter.check_time()
        return super().visit(node, *args, **kwargs)

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
        self.fail("a chat template can neither use other templates nor escape for HTML", node.lineno)

    visit_Extends = visit_Include = visit_Import = visit_FromImport = _refuse  # noqa: N815
    visit_ScopedEvalContextModifier = _refuse  # noqa: N815


class _GenerationTag(Extension):
    """`{% generation %}`, which marks answers for training and means nothing here."""

    tags = {"generation"}  # noqa: RUF012

    def parse(self, parser: Parser) -> list[nodes.Node]:
        next(parser.stream)
        return parser.parse_statements(("name:endgeneration",), drop_needle=True)


@pass_context
def _finalize(context: Context, value: Any) -> Any:
    """What `{{ value }}` prints. Takes the context so that Jinja does not call it while compiling."""
    environment = context.environment
    assert isinstance(environment, TemplateSandbox)
    return value if isinstance(value, str) else environment.meter.admit(str(value))


class TemplateSandbox(MeteredEnvironment):
    """Compiles and renders, both inside a `limited` block."""

    code_generator_class = _MeteringGenerator
    intercepted_binops = frozenset({"+", "*", "**", "%"})

    def __init__(self) -> None:
        super().__init__(
            trim_blocks=True,
            lstrip_blocks=True,
            extensions=[_GenerationTag, loopcontrols],
            optimized=False,  # otherwise constants are computed while compiling
            finalize=_finalize,
        )
        self._lock = Lock()
        self.globals = {
            "range": safe_range,
            "dict": make_dict,
            "namespace": make_namespace,
            "raise_exception": raise_exception,
            "strftime_now": strftime_now,
        }
        filters = {name: self.filters[name] for name in _JINJA_FILTERS} | dict(FILTERS)
        self.filters = {name: self._metered(function) for name, function in filters.items()}
        self.tests = {name: self._metered(function) for name, function in self.tests.items()}

    @contextmanager
    def limited(self, limits: TemplateLimits, input_bytes: int = 0) -> Iterator[None]:
        """A block within limits; other threads wait for its end. Raises LimitError.

        `input_bytes` is the size of the variables that the template will be given.
        """
        with self._lock:
            self.meter = Meter(limits, input_bytes)
            yield

    def text_of(self, template: Template, variables: Mapping[str, Any]) -> str:
        """What the template prints. Raises LimitError and whatever the template does."""
        before = sys.gettrace()
        sys.settrace(self.meter.trace)
        try:
            return self.concat(template.root_render_func(template.new_context(dict(variables))))
        finally:
            sys.settrace(before)

    def _metered(self, function: Any) -> Callable[..., Any]:
        @wraps(function)
        def metered(*args: Any, **kwargs: Any) -> Any:
            return self.meter.admit(function(*args, **kwargs))

        return metered

    def unsafe_undefined(self, obj: Any, attribute: str) -> NoReturn:
        """Refuses what Jinja would let pass until it is used."""
        raise SecurityError(f"{attribute!r} of {type(obj).__name__!r} is out of bounds")

    def call(self, context: Context, function: Any, /, *args: Any, **kwargs: Any) -> Any:
        """Calls a macro, a function that a template is given, or one of the harmless methods."""
        if isinstance(function, type):
            raise SecurityError(f"{function.__name__!r} is out of bounds")
        if isinstance(function, BuiltinMethodType):
            kwargs.pop("_loop_vars", None)  # these are meant for macros
            kwargs.pop("_block_vars", None)
            return self._call_method(function, args, kwargs)
        self.meter.enter()
        try:
            return self.meter.admit(super().call(context, function, *args, **kwargs))
        finally:
            self.meter.leave()

    def _call_method(self, method: BuiltinMethodType, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        owner, name = method.__self__, method.__name__
        if name not in _METHODS.get(type(owner), ()):
            raise SecurityError(f"the method {name!r} is not available")
        if isinstance(owner, str):
            if name == "join" and len(args) == 1:
                return join(self.meter, args[0], owner)
            if name == "replace" and len(args) > 1:
                return replace(self.meter, owner, *args, **kwargs)
            before_method(self.meter, owner, name, args[0] if args else kwargs.get("sep"))
        return self.meter.admit(method(*args, **kwargs))

    def concat(self, pieces: Iterable[Any]) -> str:
        """Joins texts. Jinja calls it as well, for what macros, blocks and captured parts print."""
        return join(self.meter, pieces)

    def cut(self, value: Any, start: Any, stop: Any, step: Any) -> Any:
        """`value[start:stop:step]`, which need not be weighed: a part is no heavier than the whole."""
        part = value[start:stop:step]
        self.meter.reserve(sys.getsizeof(part))
        return part

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        """`+`, `*`, `**` and `%`."""
        if operator == "+":
            return self.meter.admit(left + right)
        if operator == "%" and isinstance(left, str):
            return percent(self.meter, left, right)
        if operator == "*":
            for value, times in ((left, right), (right, left)):
                if isinstance(value, str | list | tuple) and isinstance(times, int):
                    each = 4 * len(value) if isinstance(value, str) else self.meter.weigh(value)
                    self.meter.check_size(each * max(0, times))
        elif operator == "**" and isinstance(left, int) and isinstance(right, int):
            self.meter.check_bits(left.bit_length() * right)
        return self.meter.admit(super().call_binop(context, operator, left, right))

    def wrap_str_format(self, value: Any) -> Callable[..., str] | None:
        """Takes the place of `str.format` and `str.format_map`, which reach attributes and know widths."""
        if not isinstance(value, BuiltinMethodType) or value.__name__ not in ("format", "format_map"):
            return None
        text, formatter = value.__self__, MeteredFormatter(self)
        if not isinstance(text, str):
            return None
        if value.__name__ == "format_map":
            return lambda mapping: formatter.vformat(text, (), mapping)
        return lambda *args, **kwargs: formatter.vformat(text, args, kwargs)
