"""An answer's text on the screen, at once and while it arrives."""

from collections.abc import Sequence

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from PySide6.QtGui import QTextDocument
from pytestqt.qtbot import QtBot

from app.core.chat import DraftSpan
from app.settings import ThemeChoice
from app.ui.answer_body import AnswerBody
from app.ui.answer_tools import AnswerTools
from app.ui.code_block import CodeBlock
from app.ui.draft_marks import DraftMarks
from app.ui.icons import Icons
from app.ui.markdown_parts import Run, TextBlock
from app.ui.prose_view import ProseView
from app.ui.text_view import TextView
from app.ui.theme import Theme
from tests.fakes.tasks import ImmediateTasks
from tests.ui.markdown_samples import ANSWER, split_texts

with_fixtures = settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])


def tools_of(theme: Theme, icons: Icons, tasks: ImmediateTasks, *, visualize: bool = False) -> AnswerTools:
    made = AnswerTools(theme, icons, tasks)
    made.set_visualize(visualize)
    return made


def shown(tools: AnswerTools, pieces: Sequence[str], spans: Sequence[DraftSpan] = ()) -> AnswerBody:
    """A body that was given its text in pieces."""
    body = AnswerBody(tools)
    body.height_at(600)
    at = 0
    for piece in pieces:
        body.take(piece, [span for span in spans if at <= span.start < at + len(piece)])
        at += len(piece)
        body.refresh()
        tools.slices.finish()
    body.end()
    body.refresh()
    tools.slices.finish()
    return body


def views_of(body: AnswerBody) -> list[TextView]:
    views: list[TextView] = []
    for widget in body.widgets:
        if isinstance(widget, ProseView):
            views.append(widget)
        elif isinstance(widget, CodeBlock):
            views += widget.view.views
    return views


def marked_text(view: TextView) -> list[str]:
    """What is marked in a document, piece by piece."""
    raw = view.document().toRawText().encode("utf-16-le")
    return [raw[2 * start : 2 * end].decode("utf-16-le") for start, end, _ in view.marks]


def coloured(document: QTextDocument) -> str:
    """All characters that have the background of the draft's."""
    found = ""
    block = document.begin()
    while block.isValid():
        for stretch in block.layout().formats():
            if stretch.format.fontUnderline():
                raw = block.text().encode("utf-16-le")
                found += raw[2 * stretch.start : 2 * (stretch.start + stretch.length)].decode("utf-16-le")
        block = block.next()
    return found


@with_fixtures
@given(split_texts())
@example(["``` |\n`", "``\n"])
def test_pieces_look_like_the_whole(
    theme: Theme, icons: Icons, immediate_tasks: ImmediateTasks, qtbot: QtBot, pieces: list[str]
) -> None:
    tools = tools_of(theme, icons, immediate_tasks)
    streamed, whole = shown(tools, pieces), shown(tools, ["".join(pieces)])
    assert streamed.shown_text == whole.shown_text
    assert [type(widget) for widget in streamed.widgets] == [type(widget) for widget in whole.widgets]
    assert streamed.height() == whole.height()
    assert streamed.text == "".join(pieces)


@with_fixtures
@given(split_texts(), st.integers(1, 5), st.integers(0, 3))
def test_what_is_marked_is_what_the_draft_supplied(
    theme: Theme,
    icons: Icons,
    immediate_tasks: ImmediateTasks,
    qtbot: QtBot,
    pieces: list[str],
    length: int,
    gap: int,
) -> None:
    text = "".join(pieces)
    spans = [
        DraftSpan(start, min(length, len(text) - start), 1, 1, None)
        for start in range(0, len(text), length + gap)
    ]
    marks = DraftMarks()
    marks.add(spans, text)
    inside = {place for first, last, _ in marks.within(0, len(text)) for place in range(first, last)}
    body = shown(tools_of(theme, icons, immediate_tasks, visualize=True), [text], spans)
    for widget in body.widgets:
        if isinstance(widget, ProseView):
            expected = "".join(_marked(run, inside) for run in _runs(widget))
            assert "".join(marked_text(widget)) == expected
            assert coloured(widget.document()) == expected
        elif isinstance(widget, CodeBlock):
            expected = "".join(
                character
                for line in widget.lines
                if line.source is not None
                for place, character in enumerate(line.text, line.source)
                if place in inside
            )
            assert "".join("".join(marked_text(view)) for view in widget.view.views) == expected


def _runs(view: ProseView) -> list[Run]:
    runs: list[Run] = []
    for block in view.blocks:
        cells = (
            (block.runs,) if isinstance(block, TextBlock) else (cell for row in block.rows for cell in row)
        )
        for cell in cells:
            runs += cell
    return runs


def _marked(run: Run, inside: set[int]) -> str:
    if run.source is None:
        return ""
    if run.length != len(run.text):
        return run.text if any(run.source + place in inside for place in range(run.length)) else ""
    text = run.text.replace("\n", "\u2028")
    return "".join(character for place, character in enumerate(text, run.source) if place in inside)


def test_text_streams_into_marks_as_well(
    theme: Theme, icons: Icons, immediate_tasks: ImmediateTasks, qtbot: QtBot
) -> None:
    spans = [DraftSpan(start, 3, 1, 1, None) for start in range(0, len(ANSWER) - 3, 5)]
    tools = tools_of(theme, icons, immediate_tasks, visualize=True)
    pieces = [ANSWER[start : start + 5] for start in range(0, len(ANSWER), 5)]
    streamed, whole = shown(tools, pieces, spans), shown(tools, [ANSWER], spans)
    assert [marked_text(view) for view in views_of(streamed)] == [
        marked_text(view) for view in views_of(whole)
    ]
    assert [coloured(view.document()) for view in views_of(streamed)] == [
        coloured(view.document()) for view in views_of(whole)
    ]
    assert any(coloured(view.document()) for view in views_of(streamed))


def test_colours_come_and_go_without_moving_anything(
    theme: Theme, icons: Icons, immediate_tasks: ImmediateTasks, qtbot: QtBot
) -> None:
    tools = tools_of(theme, icons, immediate_tasks)
    body = shown(
        tools, [ANSWER], [DraftSpan(2, 4, 1, 1, None), DraftSpan(ANSWER.index("sorted"), 6, 2, 1, None)]
    )
    places = [widget.geometry() for widget in body.widgets]
    assert not any(coloured(view.document()) for view in views_of(body))
    for shown_now in (True, False, True):
        tools.set_visualize(shown_now)
        for _ in body.showing_marks():
            pass
        found = [coloured(view.document()) for view in views_of(body)]
        assert ("Sort" in found and "sorted" in found) == shown_now
        body.settle()
        assert [widget.geometry() for widget in body.widgets] == places


def test_a_finished_paragraph_is_not_touched_again(
    theme: Theme, icons: Icons, immediate_tasks: ImmediateTasks, qtbot: QtBot
) -> None:
    tools = tools_of(theme, icons, immediate_tasks)
    body = AnswerBody(tools)
    body.height_at(600)
    body.take("First.\n\nSecond is", ())
    body.refresh()
    tools.slices.finish()
    first, live = body.widgets
    assert isinstance(first, ProseView) and isinstance(live, ProseView)
    changes: list[int] = []
    first.document().contentsChange.connect(lambda *_: changes.append(1))
    body.take(" not finished", ())
    body.refresh()
    tools.slices.finish()
    assert live.toPlainText() == "Second is not finished"
    assert changes == []


def test_many_paragraphs_share_few_views(
    theme: Theme, icons: Icons, immediate_tasks: ImmediateTasks, qtbot: QtBot
) -> None:
    tools = tools_of(theme, icons, immediate_tasks)
    body = shown(tools, [f"Paragraph {number}.\n\n" for number in range(300)])
    assert len(body.widgets) == 1


def test_live_code_in_an_item_becomes_the_finished_one(
    theme: Theme, icons: Icons, immediate_tasks: ImmediateTasks, qtbot: QtBot
) -> None:
    tools = tools_of(theme, icons, immediate_tasks)
    body = AnswerBody(tools)
    body.height_at(600)
    body.take("1. Do:\n\n   ```py\n   x = 1\n", ())
    body.refresh()
    tools.slices.finish()
    [live] = [widget for widget in body.widgets if isinstance(widget, CodeBlock)]
    body.take("   y = 2\n   ```\n2. Next\n3. Last\n", ())
    body.refresh()
    tools.slices.finish()
    [code] = [widget for widget in body.widgets if isinstance(widget, CodeBlock)]
    assert code is live
    assert code.code == "x = 1\ny = 2"
    assert code.x() > 0


def test_another_theme_keeps_text_marks_and_places(
    theme: Theme, icons: Icons, immediate_tasks: ImmediateTasks, qtbot: QtBot
) -> None:
    tools = tools_of(theme, icons, immediate_tasks, visualize=True)
    body = shown(tools, [ANSWER], [DraftSpan(2, 4, 1, 1, None)])
    before = body.shown_text, [widget.geometry() for widget in body.widgets]
    assert coloured(views_of(body)[0].document()) == "Sort"
    theme.choose(ThemeChoice.LIGHT)
    for _ in body.restyling():
        pass
    body.settle()
    assert (body.shown_text, [widget.geometry() for widget in body.widgets]) == before
    assert coloured(views_of(body)[0].document()) == "Sort"
    stretch = views_of(body)[0].document().begin().layout().formats()[0]
    assert stretch.format.underlineColor() == theme.colours.accent


def test_an_empty_thought_is_not_shown(
    theme: Theme, icons: Icons, immediate_tasks: ImmediateTasks, qtbot: QtBot
) -> None:
    body = shown(tools_of(theme, icons, immediate_tasks), ["<think>\n\n</think>\n\nYes."])
    assert body.shown_text == "Yes."


def test_a_line_without_end_is_shown_in_parts(
    theme: Theme, icons: Icons, immediate_tasks: ImmediateTasks, qtbot: QtBot
) -> None:
    body = shown(tools_of(theme, icons, immediate_tasks), ["0123456789" * 20_000])
    assert body.shown_text.replace("\n", "") == "0123456789" * 20_000
    assert len(body.widgets) > 20
