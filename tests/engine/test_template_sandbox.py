"""What hostile chat templates can do: nothing, and that quickly."""

import sys
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

import pytest
from jinja2 import nodes
from jinja2.compiler import CodeGenerator, Frame

from app.core.chat import Message, Role
from app.core.errors import TemplateError
from app.engine.template import LONGEST_SOURCE, ChatTemplate
from app.engine.template_limits import TemplateLimits

CHAT = [Message(Role.SYSTEM, "Be brief."), Message(Role.USER, "Hello")]


def template(source: str, seconds: float = 2.0) -> ChatTemplate:
    return ChatTemplate(source, bos="<s>", eos="</s>", limits=TemplateLimits(seconds=seconds))


BIG = '{% set big = "abcdefgh" * 50000 %}'  # 400,000 characters, which is still allowed
MANY_TIMES = "{% for i in range(100000) %}"
FOR_EVER = MANY_TIMES + "{% for j in range(100000) %}{% endfor %}{% endfor %}"


def growing(step: str) -> str:
    return "{% set ns = namespace(x='ab') %}{% for i in range(60) %}{% set ns.x = " + step + " %}{% endfor %}"


TOO_LARGE = {
    "repeated text": '{{ "a" * 10**9 }}',
    "repeated text, the other way round": '{{ 10**9 * "a" }}',
    "repeated list": "{{ [1] * 10**9 }}",
    "repeated list of lists": '{% set x = [["a" * 100] * 1000] * 1000 %}',
    "doubling with ~": growing("ns.x ~ ns.x"),
    "doubling with +": growing("ns.x + ns.x"),
    "doubling a list": growing("[ns.x] + [ns.x, ns.x]"),
    "lists in lists, twice each": growing("[ns.x, ns.x]"),
    "tuples in tuples, twice each": growing("(ns.x, ns.x)"),
    "dicts in dicts, twice each": growing("{1: ns.x, 2: ns.x}"),
    "lists in lists, deep": growing("[ns.x]").replace("60", "90000"),
    "doubling through replace": growing("ns.x.replace('b', ns.x)"),
    "doubling through the filter replace": growing("ns.x|replace('b', ns.x)"),
    "doubling through join": growing("ns.x.join([ns.x, ns.x])"),
    "doubling through the filter join": growing("[ns.x, ns.x]|join(ns.x)"),
    "doubling through a captured block": growing("0").replace(
        "{% set ns.x = 0 %}", "{% set y %}{{ ns.x }}{{ ns.x }}{% endset %}{% set ns.x = y %}"
    ),
    "doubling through %": growing("'%s%s' % (ns.x, ns.x)"),
    "doubling through format": growing("'{0}{0}'.format(ns.x)"),
    "doubling through JSON": growing("ns.x|tojson|tojson"),
    "replaced nothings": BIG + '{{ big.replace("", big) }}',
    "joined characters": BIG + "{{ big.join(big) }}",
    "width in %": '{{ "%1000000000d" % 1 }}',
    "width in % after a name": '{{ "%((a))1000000000d" % {"(a)": 1} }}',
    "width in % from the values": '{{ "%*d" % (10**9, 1) }}',
    "precision in %": '{{ "%.1000000000f" % 1.5 }}',
    "width in the filter format": '{{ "%-1000000000d" | format(1) }}',
    "width in format": '{{ "{:1000000000}".format(1) }}',
    "width in format from the values": '{{ "{:{}}".format(1, 10**9) }}',
    "width in format_map": '{{ "{a:>{w}}".format_map({"a": 1, "w": 10**9}) }}',
    "width of an indent": '{{ "a\nb" | indent(10**9) }}',
    "text of an indent": BIG + '{{ ("a\n" * 10000) | indent(big) }}',
    "separators in JSON": BIG + "{{ range(1000) | list | tojson(separators=(big, big)) }}",
    "many copies by slices": BIG + "{% for i in range(1000) %}{% set x = big[1:] %}{% endfor %}",
    "many copies by methods": BIG + "{% for i in range(1000) %}{% set x = big.upper() %}{% endfor %}",
    "many copies by filters": BIG + "{% for i in range(1000) %}{% set x = big | upper %}{% endfor %}",
    "many copies in a list": BIG + growing("[big ~ i]").replace("60", "1000"),
    "copies in namespaces": BIG + growing("namespace(a=ns.x, b=big ~ i)").replace("60", "1000"),
    "copies in a macro's output": BIG
    + "{% macro m() %}{% for i in range(1000) %}{{ [big] }}{% endfor %}{% endmacro %}{{ m() }}",
    "long output": BIG + "{% for i in range(100) %}{{ big }}{% endfor %}",
    "long output of a macro": BIG + "{% macro m() %}" + "{{ big }}" * 100 + "{% endmacro %}{{ m() }}",
    "much constant output": "{% for i in range(100000) %}" + "x" * 1000 + "{% endfor %}",
    "printed control characters": '{{ ["\\x00" * 400000] }}',
    "power": "{{ 10**10**10 }}",
    "power of a power": "{{ 10**(10**10) }}",
    "growing number": growing("ns.x * ns.x").replace("'ab'", "3"),
    "number from digits": '{{ ("9" * 4000) | int }}',
    "macro that calls itself": "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
    "macro that calls itself twice": "{% macro m() %}{{ m() }}{{ m() }}{% endmacro %}{{ m() }}",
    "loop that calls itself": "{% for x in [1] recursive %}{{ loop([x]) }}{% endfor %}",
    "block that calls itself": "{% block b %}{{ self.b() }}{% endblock %}",
}  # fmt: skip

IN_PIECES = {
    "pieces": '{{ ("жa" * 200000).split("a") }}',
    "pieces from the end": '{{ ("жa" * 200000).rsplit(sep="a") }}',
    "words": '{{ ("ж " * 200000).split() }}',
    "lines": '{{ ("ж\n" * 200000).splitlines() }}',
    "characters": '{{ ("ж" * 400000) | list }}',
    "words with capitals": '{{ ("éa " * 150000) | title }}',
}  # fmt: skip

TOO_SLOW = {
    "nested loops": FOR_EVER,
    "nested loops that print nothing": FOR_EVER.replace("{% endfor %}", "{{ '' if true }}{% endfor %}"),
    "nested loops in a macro": "{% macro m() %}" + FOR_EVER + "{% endmacro %}{{ m() }}",
    "nested loops with a condition": FOR_EVER.replace("j in range(100000)", "j in range(100000) if j < 0"),
    "nested loops that are left": FOR_EVER.replace(
        "{% for j", "{% for k in range(9) if k %}{% break %}{% endfor %}{% for j"
    ),
    "filters": MANY_TIMES + "{{ range(100000) | select('in', []) | list | first }}{% endfor %}",
    "searches": BIG + '{% set part = "b" ~ big[8:] %}' + MANY_TIMES + "{{ '' if part in big }}{% endfor %}",
    "comparisons": "{% set x = range(20000) | list %}{% set y = range(20000) | list %}"
    + MANY_TIMES + "{% if x == y and -1 in x %}{% endif %}{% endfor %}",
}  # fmt: skip

OUT_OF_BOUNDS = {
    "class": "{{ ''.__class__.__mro__ }}",
    "class as an item": "{{ ''['__class__'] }}",
    "class by a filter": "{{ '' | attr('__class__') }}",
    "class by map": "{{ messages | map(attribute='__class__') | list }}",
    "class by format": "{{ '{0.__class__}'.format(1) }}",
    "class by format_map": "{{ '{a.__class__}'.format_map({'a': 1}) }}",
    "class by a format that is passed on": "{{ (['{0.__class__}'.format] | first)(1) }}",
    "globals of a function": "{{ raise_exception.__globals__ }}",
    "function of a macro": "{% macro m() %}{% endmacro %}{{ m._func }}",
    "context of blocks": "{{ self._TemplateReference__context }}",
    "changed messages": "{{ messages.append(1) }}",
    "method of a class": "{{ dict.fromkeys([1]) }}",
    "padding": '{{ "a".ljust(10**9) }}',
    "centring": '{{ "a".center(10**9) }}',
    "centring by a filter": '{{ "a" | center(10**9) if true }}',
    "zeros": '{{ "1".zfill(10**9) }}',
    "tabs": '{{ "\\t".expandtabs(10**9) }}',
    "table of texts": '{{ "a".translate({97: "b" * 1000}) }}',
    "bytes": '{{ (1).to_bytes(10**9, "big") }}',
    "placeholder text": "{{ lipsum(10**9) }}",
    "range": "{% for i in range(10**9) %}{% endfor %}",
    "dict from pairs": "{{ dict([[1, 2]]) }}",
    "indented JSON": "{{ [1] | tojson(indent=10**9) }}",
    "widths in a date": '{{ strftime_now("%1000000000Y") }}',
    "long date": '{{ strftime_now("%Y" * 1000) }}',
}  # fmt: skip


@contextmanager
def memory_below(mebibytes: int) -> Iterator[None]:
    """Fails where more than that was in use at any time in the block."""
    tracemalloc.start()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] < mebibytes * 1024 * 1024
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("source", TOO_LARGE.values(), ids=TOO_LARGE.keys())
def test_what_grows_without_end_is_stopped(source: str) -> None:
    hostile = template(source, seconds=30.0)

    with memory_below(48), pytest.raises(TemplateError, match=r"stopped.*too (large|many|deep)"):
        hostile.render(CHAT)


@pytest.mark.parametrize("source", IN_PIECES.values(), ids=IN_PIECES.keys())
def test_what_takes_a_text_to_pieces_is_stopped_beforehand(source: str) -> None:
    hostile = template(source, seconds=30.0)

    with memory_below(6), pytest.raises(TemplateError, match="too large"):
        hostile.render(CHAT)


@pytest.mark.parametrize("source", TOO_SLOW.values(), ids=TOO_SLOW.keys())
def test_what_takes_for_ever_is_stopped(source: str) -> None:
    hostile = template(source, seconds=0.02)  # before a quick machine has made a text that is too large

    with pytest.raises(TemplateError, match=r"stopped.*longer than 0.02 seconds"):
        hostile.render(CHAT)


@pytest.mark.parametrize("source", OUT_OF_BOUNDS.values(), ids=OUT_OF_BOUNDS.keys())
def test_what_a_template_has_no_business_with_is_not_there(source: str) -> None:
    answers = "out of bounds|not available|no attribute|too big|dict takes|JSON cannot|date format"

    with memory_below(48), pytest.raises(TemplateError, match=rf"No filter|undefined|{answers}"):
        template(source).render(CHAT)


@pytest.mark.parametrize(
    "source",
    [
        "{{ a }}" * (LONGEST_SOURCE // 7),
        "{{ a" + " ~ a" * (LONGEST_SOURCE // 5) + " }}",
        "{% set a = b %}" * 4000,
    ],
)
def test_compiling_for_ever_is_stopped(source: str) -> None:
    with pytest.raises(TemplateError, match=r"given up.*longer than 0.05 seconds"):
        template(source, seconds=0.05)


@pytest.mark.parametrize("links", [300, 600, 800, 1500])
def test_a_lost_exception_does_not_switch_the_time_limit_off(links: int) -> None:
    """`is sequence` swallows every exception, also one for too deep a recursion, which ends tracing."""
    source = (
        "{% set ns = namespace(chain=range(10)) %}"
        "{% for i in range(" + str(links) + ") %}{% set ns.chain = ns.chain | map('string') %}{% endfor %}"
        "{% macro ask(x, n) %}{% if n %}{{ ask(x, n - 1) }}{% elif x is sequence %}{% endif %}{% endmacro %}"
        "{% for x in ns.chain %}{{ ask(loop, 50) }}" + FOR_EVER + "{% endfor %}"
    )
    hostile = template(source, seconds=0.5)

    with pytest.raises(TemplateError, match=r"longer than|recursion|evades"):
        hostile.render(CHAT)


class Clock:
    """Stands still for some readings, and then is past every limit."""

    def __init__(self, readings: float) -> None:
        self.readings_left = readings

    def __call__(self) -> float:
        self.readings_left -= 1
        return 0.0 if self.readings_left >= 0 else 1000.0

    def install(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("app.engine.template_limits.monotonic", self)
        monkeypatch.setattr("app.engine.template_limits.thread_time", self)


def test_there_is_no_moment_at_which_the_end_of_the_time_goes_unnoticed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Leaving the first loop closes a generator, where an exception would be lost, and tracing with it."""
    leaving = "{% for k in range(9) if k %}{% break %}{% endfor %}"
    hostile = template(leaving + "{% for i in range(200) %}{% endfor %}")

    for readings in range(3, 200):
        Clock(readings).install(monkeypatch)
        with pytest.raises(TemplateError, match="longer than"):
            hostile.render(CHAT)


def test_waiting_for_a_busy_machine_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    slow = template("{{ messages[-1].content }}")
    monkeypatch.setattr("app.engine.template_limits.monotonic", Clock(2))
    monkeypatch.setattr("app.engine.template_limits.thread_time", lambda: 0.0)

    assert slow.render(CHAT).endswith("Hello")


def test_time_is_limited_while_code_is_generated(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(float("inf"))
    clock.install(monkeypatch)
    generate = CodeGenerator.visit_Template

    def generate_late(self: CodeGenerator, node: nodes.Template, frame: Frame | None = None) -> None:
        clock.readings_left = 0
        generate(self, node, frame)

    monkeypatch.setattr(CodeGenerator, "visit_Template", generate_late)

    with pytest.raises(TemplateError, match="longer than"):
        template("{{ a }}")


def test_a_namespace_prints_nothing_of_its_contents() -> None:
    assert template(growing("namespace(a=ns.x, b=ns.x)") + "{{ ns.x }}").render(CHAT) == "<namespace>"


def test_a_template_that_refuses_every_conversation_is_not_tried_for_ever() -> None:
    hostile = template(FOR_EVER, seconds=0.1)

    with pytest.raises(TemplateError, match="longer than"):
        hostile.render(CHAT)


def test_constants_are_not_computed_while_compiling() -> None:
    template('{{ "a" * 10**9 }}{{ "a" ~ 1 // 0 }}{% if 0 ** -1 %}{% endif %}{{ "x" | replace("", 1 // 0) }}')


def test_a_template_works_again_after_it_was_stopped() -> None:
    moody = template("{% if messages[0].content == 'Hello' %}" + FOR_EVER + "{% endif %}fine", seconds=0.1)

    with pytest.raises(TemplateError):
        moody.render([Message(Role.USER, "Hello")])
    assert moody.render([Message(Role.USER, "y")]) == "fine"


def test_the_trace_function_of_others_is_put_back() -> None:
    def others(_frame: FrameType, _event: str, _argument: object) -> None:
        return None

    before = sys.gettrace()
    good, bad, hostile = (
        template("{{ messages | length }}"),
        template("{{ nothing.x }}"),
        template(FOR_EVER, seconds=0.05),
    )
    sys.settrace(others)
    try:
        good.render(CHAT)
        assert sys.gettrace() is others
        for failing in (bad, hostile):
            with pytest.raises(TemplateError):
                failing.render(CHAT)
            assert sys.gettrace() is others
    finally:
        sys.settrace(before)
