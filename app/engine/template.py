"""The chat template of a model: from messages to the text of a prompt.

The template is Jinja text from the model's file. Many templates refuse or lose what does not suit them,
such as a system message; what can be said in another form is adapted beforehand.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from itertools import groupby
from traceback import walk_tb

from jinja2 import Template, TemplateSyntaxError
from jinja2.lexer import TOKEN_FLOAT, TOKEN_INTEGER, Lexer

from app.core.chat import Message, Role
from app.core.errors import TemplateError
from app.engine.template_functions import RefusedError
from app.engine.template_limits import DEFAULT_LIMITS, FILE_NAME, LimitError, TemplateLimits
from app.engine.template_sandbox import TemplateSandbox

LONGEST_SOURCE = 64 * 1024  # characters; the longest templates in use have about 20,000

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
NEXT_TURN = "\nUser:"  # where a model that follows the plain form begins to speak for the user

_OFFSET = re.compile(r" at \d+$")  # in words of Jinja's lexer, where we have line and column
_MARKER = "qzxmarkerxzq"  # lower-case letters: nothing a template would escape or strip
_PER_MESSAGE = 512  # bytes of a message besides its text
_LONGEST_NUMBER = 100  # digits
_LONGEST_REASON = 300  # characters of a reason that is shown


class TemplateForm(StrEnum):
    """Where the form of a prompt comes from."""

    MODEL = "model"  # the model's own template
    CHATML = "chatml"  # there is none, but the vocabulary knows ChatML's <|im_start|>
    PLAIN = "plain"  # there is none: "User: ..." and "Assistant: ..."


class _Position(int):
    """A line number that carries its column. Jinja hands it on from token to node to error."""

    column: int

    def __new__(cls, line: int, column: int) -> "_Position":
        position = super().__new__(cls, line)
        position.column = column
        return position


class _PositionLexer(Lexer):
    """Gives each token its column, and looks at the clock between tokens."""

    def __init__(self, environment: TemplateSandbox) -> None:
        super().__init__(environment)
        self._environment = environment

    def tokeniter(
        self, source: str, name: str | None, filename: str | None = None, state: str | None = None
    ) -> Iterator[tuple[int, str, str]]:
        source = source.replace("\r\n", "\n").replace("\r", "\n")
        at = line_start = 0
        try:
            for line, token, value in super().tokeniter(source, name, filename, state):
                start = max(at, source.find(value, at))  # what Jinja left out before it is white space
                line_start = max(line_start, source.rfind("\n", at, start) + 1)
                position = _Position(line, start - line_start + 1)
                if token in (TOKEN_INTEGER, TOKEN_FLOAT) and len(value) > _LONGEST_NUMBER:
                    raise TemplateSyntaxError("this number is too long", position, name, filename)
                self._environment.meter.check_time()
                yield position, token, value
                at = start + len(value)
                line_start = max(line_start, source.rfind("\n", start, at) + 1)
        except TemplateSyntaxError as mistake:
            if not isinstance(mistake.lineno, _Position):
                mistake.lineno = _Position(mistake.lineno, at - line_start + 1)
            raise


class _Sandbox(TemplateSandbox):
    """The sandbox with positions in its errors."""

    def __init__(self) -> None:
        super().__init__()
        self._position_lexer = _PositionLexer(self)

    @property
    def lexer(self) -> Lexer:
        return self._position_lexer


class ChatTemplate:
    """Turns messages into the text of a prompt. Compiled once; usable from any thread."""

    def __init__(
        self,
        source: str | None,
        *,
        bos: str,
        eos: str,
        chatml: bool = False,
        limits: TemplateLimits = DEFAULT_LIMITS,
    ) -> None:
        """Compiles the template. Raises TemplateError.

        `source` is None or blank where the model has none; then `chatml` says whether its vocabulary knows
        `<|im_start|>`. `bos` and `eos` are the texts of the tokens that begin and end a text.
        """
        if source is not None and source.strip():
            self.form = TemplateForm.MODEL
        else:
            self.form = TemplateForm.CHATML if chatml else TemplateForm.PLAIN
            source = _CHATML if chatml else _PLAIN
        self._given = {"bos_token": bos, "eos_token": eos, "tools": None, "documents": None}
        self._limits = limits
        self._accepts_first: dict[Role, bool] = {}
        self._sandbox = _Sandbox()
        try:
            with self._sandbox.limited(limits):
                self._template = _compiled(self._sandbox, source)
        except LimitError as limit:
            raise TemplateError(f"The chat template was given up: {limit}.") from None

    def render(self, messages: Sequence[Message], *, add_generation_prompt: bool = True) -> str:
        """The prompt's text, ending where the assistant is to speak if `add_generation_prompt`.

        Neighbours of one role become one message. A system message that the template does not take at the
        start, or that is not at the start, becomes part of the user's message. Where the template wants
        the user to speak first and the assistant does, an empty message of the user goes before.

        Raises TemplateError, with the line where it is known.
        """
        size = sum(4 * len(message.content or "") + _PER_MESSAGE for message in messages)
        try:
            with self._sandbox.limited(self._limits, size):
                return self._rendered(self._adapted(messages), add_generation_prompt)
        except LimitError as limit:
            line = self._line_of(limit)
            where = "" if line is None else f" on line {line}"
            raise TemplateError(f"The chat template was stopped{where}: {limit}.", line) from None

    def _adapted(self, messages: Sequence[Message]) -> list[Message]:
        turns = _merged(messages)
        keeps_system = bool(turns) and turns[0].role is Role.SYSTEM and self._takes_first(Role.SYSTEM)
        turns = _merged(
            Message(Role.USER, turn.content)
            if turn.role is Role.SYSTEM and not (keeps_system and index == 0)
            else turn
            for index, turn in enumerate(turns)
        )
        first = int(keeps_system)
        if turns[first:] and turns[first].role is Role.ASSISTANT and not self._takes_first(Role.ASSISTANT):
            turns.insert(first, Message(Role.USER))
        return turns

    def _takes_first(self, role: Role) -> bool:
        """Whether a conversation may begin with such a message, found out by trying."""
        if role not in self._accepts_first:
            try:
                text = self._rendered([Message(role, _MARKER), Message(Role.USER, "x")], True)
            except TemplateError:
                text = ""
            self._accepts_first[role] = _MARKER in text
        return self._accepts_first[role]

    def _rendered(self, messages: Sequence[Message], add_generation_prompt: bool) -> str:
        plain = [{"role": message.role.value, "content": message.content} for message in messages]
        variables = self._given | {"messages": plain, "add_generation_prompt": add_generation_prompt}
        try:
            return self._sandbox.text_of(self._template, variables)
        except RefusedError as refusal:
            sentence = f"The chat template refuses this conversation: {_reason(refusal)}."
            raise TemplateError(sentence, self._line_of(refusal)) from refusal
        except Exception as failure:
            line = self._line_of(failure)
            where = "" if line is None else f" on line {line}"
            raise TemplateError(f"The chat template failed{where}: {_reason(failure)}.", line) from failure

    def _line_of(self, failure: BaseException) -> int | None:
        """The line of the template that was being rendered."""
        numbers = [
            number
            for frame, number in walk_tb(failure.__traceback__)
            if frame.f_code.co_filename == FILE_NAME
        ]
        return self._template.get_corresponding_lineno(numbers[-1]) if numbers else None


def _compiled(sandbox: TemplateSandbox, source: str) -> Template:
    if len(source) > LONGEST_SOURCE:
        raise TemplateError(f"The chat template has more than {LONGEST_SOURCE} characters.")
    try:
        code = sandbox.compile(source, filename=FILE_NAME)
        return Template.from_code(sandbox, code, sandbox.make_globals(None))
    except TemplateSyntaxError as mistake:
        line, column = int(mistake.lineno), getattr(mistake.lineno, "column", 1)
        sentence = f"The chat template has a mistake on line {line}, column {column}: {_reason(mistake)}."
        raise TemplateError(sentence, line, column) from mistake
    except (RecursionError, MemoryError) as failure:  # Python's parser runs out of its stack
        raise TemplateError("The chat template is too deeply nested.") from failure
    except Exception as failure:
        raise TemplateError(f"The chat template cannot be compiled: {_reason(failure)}.") from failure


def _merged(messages: Iterable[Message]) -> list[Message]:
    """Joins neighbours of one role with a blank line between them."""
    merged: list[Message] = []
    for role, group in groupby(messages, key=lambda message: message.role):
        contents = [message.content for message in group if message.content]
        merged.append(Message(role, "\n\n".join(contents)))
    return merged


def _reason(failure: BaseException) -> str:
    """An exception's own words, as the end of a sentence."""
    words = str(getattr(failure, "message", None) or failure)[: 2 * _LONGEST_REASON]
    words = _OFFSET.sub("", " ".join(words.split())) or type(failure).__name__
    return (words if len(words) <= _LONGEST_REASON else words[:_LONGEST_REASON] + "…").rstrip(".")
