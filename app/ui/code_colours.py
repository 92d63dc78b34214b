"""Which words of a program have which colour, by Pygments."""

from collections.abc import Callable, Iterator, Sequence

from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.token import Comment, Keyword, Name, Number, Operator, String, _TokenType
from pygments.util import ClassNotFound
from PySide6.QtCore import QObject

from app.ui.tasks import Tasks

_ROLES = (
    (Comment, "code_comment"),
    (Keyword, "code_keyword"),
    (Operator.Word, "code_keyword"),
    (Name.Tag, "code_keyword"),
    (String, "code_string"),
    (Number, "code_number"),
    (Name.Function, "code_function"),
    (Name.Class, "code_function"),
    (Name.Decorator, "code_function"),
    (Name.Attribute, "code_function"),
)
_LONGEST_REGION = 3000  # characters that are read anew while code arrives

Colouring = tuple[int, int, str]  # start in the line, length, role of the colour


class Lexers:
    """Finds the lexer of a language, in another thread: some take long to be made."""

    def __init__(self, tasks: Tasks) -> None:
        self._tasks = tasks
        self._known: dict[str, Lexer | None] = {}

    def ask(self, language: str, owner: QObject, done: Callable[[Lexer], None]) -> None:
        """Calls `done` with the lexer if there is one, perhaps at once."""
        if language in self._known:
            known = self._known[language]
            if known is not None:
                done(known)
        elif language:
            self._tasks.run(owner, lambda: _lexer(language), lambda found: self._keep(language, found, done))

    def _keep(self, language: str, found: Lexer | None, done: Callable[[Lexer], None]) -> None:
        self._known[language] = found
        if found is not None:
            done(found)


def _lexer(language: str) -> Lexer | None:
    try:
        made = get_lexer_by_name(language)
    except ClassNotFound:
        return None
    for _ in made.get_tokens("x"):  # compiles its patterns
        pass
    return made


def line_colours(lexer: Lexer, lines: Sequence[str]) -> Iterator[tuple[list[Colouring], bool]]:
    """For each line its colours, and whether a word reaches over its end into the next line."""
    found: list[Colouring] = []
    column = 0
    for kind, text in _tokens(lexer, lines):
        role = _role(kind)
        pieces = text.split("\n")
        for number, piece in enumerate(pieces):
            if number:
                yield found, bool(piece) or number < len(pieces) - 1
                found, column = [], 0
            if piece and role:
                found.append((column, len(piece), role))
            column += len(piece)


def _tokens(lexer: Lexer, lines: Sequence[str]) -> Iterator[tuple[_TokenType, str]]:
    for _, kind, text in lexer.get_tokens_unprocessed("\n".join(lines) + "\n"):
        yield kind, text


def _role(kind: _TokenType) -> str:
    return next((role for family, role in _ROLES if kind[: len(family)] == family), "")


class CodeColouring:
    """Colours lines while they arrive. What is far above is not read again, so a colour may be wrong until
    all is read at the end."""

    def __init__(self, lexer: Lexer) -> None:
        self._lexer = lexer
        self._safe = 0  # the line from which the code is read anew

    def colours(self, lines: Sequence[str]) -> tuple[int, list[list[Colouring]]]:
        """The first line whose colours may have changed, and the colours from there on."""
        first = self._safe
        region = lines[first:]
        if sum(map(len, region)) > _LONGEST_REGION:
            self._safe = len(lines)
            return first, []
        found: list[list[Colouring]] = []
        for number, (colours, reaches_over) in enumerate(line_colours(self._lexer, region)):
            found.append(colours)
            nothing_here = not region[number].strip() if number < len(region) else False
            following = region[number + 1 : number + 2]
            if nothing_here and not reaches_over and following and following[0][:1].strip():
                self._safe = first + number + 1
        return first, found

    def all_colours(self, lines: Sequence[str]) -> Iterator[list[Colouring]]:
        """The colours of every line, read from the beginning; a generator that can be paused."""
        for colours, _ in line_colours(self._lexer, lines):
            yield colours
