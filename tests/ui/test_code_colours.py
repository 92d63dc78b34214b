"""Which words of a program have which colour."""

from pygments.lexer import Lexer
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from app.ui.code_colours import CodeColouring, Lexers, line_colours
from tests.fakes.tasks import ImmediateTasks

PROGRAM = [
    "def area(side: int) -> float:",
    '    """A text',
    '    in two lines."""',
    "    return side * 2.5  # why not",
    "",
    "",
    'print("done")',
]


def lexer_for(language: str, tasks: ImmediateTasks) -> Lexer | None:
    found: list[Lexer] = []
    Lexers(tasks).ask(language, tasks, found.append)
    return found[0] if found else None


def words(line: str, colours: list[tuple[int, int, str]]) -> list[tuple[str, str]]:
    return [(line[start : start + length], role) for start, length, role in colours]


def test_words_have_the_roles_of_what_they_are(immediate_tasks: ImmediateTasks) -> None:
    lexer = lexer_for("python", immediate_tasks)
    assert lexer is not None
    found = [
        words(line, colours) for line, (colours, _) in zip(PROGRAM, line_colours(lexer, PROGRAM), strict=True)
    ]
    assert ("def", "code_keyword") in found[0]
    assert ("area", "code_function") in found[0]
    assert "".join(text for text, _ in found[2]).strip() == 'in two lines."""'
    assert {role for _, role in found[2]} == {"code_string"}
    assert ("2.5", "code_number") in found[3]
    assert ("# why not", "code_comment") in found[3]
    assert found[4] == []


def test_an_unknown_language_has_no_colours(immediate_tasks: ImmediateTasks) -> None:
    assert lexer_for("no such language", immediate_tasks) is None
    assert lexer_for("", immediate_tasks) is None


def test_a_lexer_is_looked_for_once(immediate_tasks: ImmediateTasks, qtbot: QtBot) -> None:
    lexers, found, owner = Lexers(immediate_tasks), list[Lexer](), QObject()
    lexers.ask("python", owner, found.append)
    lexers.ask("python", owner, found.append)
    assert found[0] is found[1]


def test_lines_that_arrive_get_the_colours_that_they_have_in_the_end(immediate_tasks: ImmediateTasks) -> None:
    lexer = lexer_for("python", immediate_tasks)
    assert lexer is not None
    program = PROGRAM * 5
    colouring = CodeColouring(lexer)
    arrived: dict[int, list[tuple[int, int, str]]] = {}
    firsts = []
    for count in range(1, len(program) + 1):
        first, colours = colouring.colours(program[:count])
        firsts.append(first)
        arrived.update(enumerate(colours, first))
    assert [arrived[number] for number in range(len(program))] == list(colouring.all_colours(program))
    assert firsts[-1] > 0  # not everything was read again


def test_a_long_stretch_without_a_safe_place_waits_for_the_end(immediate_tasks: ImmediateTasks) -> None:
    lexer = lexer_for("python", immediate_tasks)
    assert lexer is not None
    program = ["x = 1"] * 2000
    colouring = CodeColouring(lexer)
    assert colouring.colours(program) == (0, [])
    first, colours = colouring.colours([*program, "y = 2"])
    assert (first, len(colours)) == (2000, 1)
