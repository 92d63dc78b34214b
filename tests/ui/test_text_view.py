"""Text to be read and selected: links, tooltips, copying."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, Qt, QUrl, Slot
from PySide6.QtGui import QDesktopServices, QGuiApplication, QHelpEvent, QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.core.chat import DraftSpan
from app.ui.draft_marks import DraftMarks
from app.ui.markdown_parts import Alignment, BlockKind, Place, Run, TableBlock, TextBlock
from app.ui.markdown_stream import MarkdownStream
from app.ui.prose_view import ProseView
from app.ui.text_formats import TextFormats
from app.ui.theme import Theme

RULE_BLOCK = TextBlock((), BlockKind.RULE)


class Opened(QObject):
    """Takes the place of the browser."""

    def __init__(self) -> None:
        super().__init__()
        self.addresses: list[str] = []

    @Slot(QUrl)
    def open(self, address: QUrl) -> None:
        self.addresses.append(address.toString())


@pytest.fixture
def opened(qapp: QApplication) -> Iterator[Opened]:
    made = Opened()
    for scheme in ("https", "http", "mailto", "file"):
        QDesktopServices.setUrlHandler(scheme, made, "open")  # type: ignore[arg-type]
    yield made
    for scheme in ("https", "http", "mailto", "file"):
        QDesktopServices.unsetUrlHandler(scheme)


def shown(theme: Theme, qtbot: QtBot, text: str, spans: tuple[DraftSpan, ...] = ()) -> ProseView:
    """A view of some Markdown."""
    stream, marks = MarkdownStream(), DraftMarks()
    stream.add(text)
    stream.end()
    marks.add(spans, text)
    view = ProseView(theme, marks)
    qtbot.addWidget(view)
    view.resize(400, 300)
    formats = TextFormats(theme)
    view.show_marks(formats.mark)
    for events in iter(stream.advance, None):
        view.write([event for event in events if isinstance(event, TextBlock)], formats)
    view.show()
    return view


def place_of(view: ProseView, word: str) -> QPoint:
    cursor = view.document().find(word)
    cursor.setPosition(cursor.selectionStart() + 1)
    return view.cursorRect(cursor).center()


@pytest.fixture
def tips(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The tooltips that were shown."""
    seen: list[str] = []
    monkeypatch.setattr("app.ui.text_view.QToolTip.showText", lambda at, text, widget: seen.append(text))
    return seen


def click(view: ProseView, word: str) -> None:
    at = place_of(view, word).toPointF()
    left = Qt.MouseButton.LeftButton
    for kind, held in (
        (QEvent.Type.MouseButtonPress, left),
        (QEvent.Type.MouseButtonRelease, Qt.MouseButton.NoButton),
    ):
        event = QMouseEvent(
            kind, at, view.viewport().mapToGlobal(at), left, held, Qt.KeyboardModifier.NoModifier
        )
        QApplication.sendEvent(view.viewport(), event)


def hover(view: ProseView, word: str) -> None:
    at = place_of(view, word)
    event = QHelpEvent(QEvent.Type.ToolTip, at, view.viewport().mapToGlobal(at))
    QApplication.sendEvent(view.viewport(), event)


def test_a_click_on_a_link_opens_it(theme: Theme, qtbot: QtBot, opened: Opened) -> None:
    view = shown(theme, qtbot, "See [this page](https://example.org/a?b=c) please.")
    click(view, "page")
    assert opened.addresses == ["https://example.org/a?b=c"]
    click(view, "please")
    assert len(opened.addresses) == 1


def test_only_the_web_and_mail_are_opened(theme: Theme, qtbot: QtBot, opened: Opened) -> None:
    view = shown(theme, qtbot, "x")
    for address in ("file:///etc/passwd", "https://example.org", "mailto:a@b.c", "javascript:1"):
        view.anchorClicked.emit(QUrl(address))
    assert opened.addresses == ["https://example.org", "mailto:a@b.c"]


def test_hovering_tells_a_links_address(theme: Theme, qtbot: QtBot, tips: list[str]) -> None:
    view = shown(theme, qtbot, "See [this page](https://example.org/?a=1&b=2) please.")
    hover(view, "please")
    assert tips == []
    hover(view, "page")
    assert tips == ["<qt>https://example.org/?a=1&amp;b=2</qt>"]


def test_hovering_tells_where_text_came_from(theme: Theme, qtbot: QtBot, tips: list[str]) -> None:
    view = shown(theme, qtbot, "Draft and own", (DraftSpan(0, 5, 12, 3, 0.87),))
    hover(view, "own")
    assert tips == []
    hover(view, "Draft")
    assert tips == ["<qt>Round 12 · position 3 · 87.0 %</qt>"]
    view.show_marks(None)
    hover(view, "Draft")
    assert len(tips) == 1


def test_nothing_is_loaded(theme: Theme, qtbot: QtBot) -> None:
    view = shown(theme, qtbot, "x")
    assert view.loadResource(2, QUrl("https://example.org/a.png")) is None


def test_copying_takes_text_without_its_look(theme: Theme, qtbot: QtBot) -> None:
    view = shown(theme, qtbot, "Some **bold** text")
    view.selectAll()
    data = view.createMimeDataFromSelection()
    assert data.text() == "Some bold text"
    assert not data.hasHtml()


def test_text_is_selected_and_copied_with_the_keyboard(theme: Theme, qtbot: QtBot) -> None:
    view = shown(theme, qtbot, "Some **bold** text")
    assert view.accessibleName() == "Answer"
    view.activateWindow()
    qtbot.waitUntil(view.isActiveWindow)
    view.clearFocus()
    view.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(view.hasFocus)
    control, shift = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
    QTest.keyClick(view, Qt.Key.Key_Right, control | shift)
    QTest.keyClick(view, Qt.Key.Key_C, control)
    assert QGuiApplication.clipboard().text().strip() == "Some"
    QTest.keyClick(view, Qt.Key.Key_A, control)
    QTest.keyClick(view, Qt.Key.Key_C, control)
    assert QGuiApplication.clipboard().text() == "Some bold text"


def test_the_wheel_is_left_to_what_is_around(theme: Theme, qtbot: QtBot) -> None:
    view = shown(theme, qtbot, "x")
    event = QWheelEvent(
        QPointF(5, 5),
        QPointF(5, 5),
        QPoint(0, -120),
        QPoint(0, -120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    view.wheelEvent(event)
    assert not event.isAccepted()


def test_it_wraps_whatever_is_too_wide(theme: Theme, qtbot: QtBot) -> None:
    view = shown(theme, qtbot, "x" * 500)
    assert view.heightForWidth(200) > 3 * view.heightForWidth(2000)
    assert view.document().size().width() <= 2000


def test_runs_of_every_script_are_shown(theme: Theme, qtbot: QtBot) -> None:
    text = "日本語 ไทย עברית 👨‍👩‍👧 e\u0301"
    view = ProseView(theme, DraftMarks())
    qtbot.addWidget(view)
    view.write([TextBlock((Run(text, 0, len(text)),))], TextFormats(theme))
    assert view.toPlainText() == text


def test_a_rule_is_drawn_even_behind_a_table(theme: Theme, qtbot: QtBot) -> None:
    formats, colour = TextFormats(theme), theme.colours.line
    table = TableBlock((((Run("a", None, 0),),),), (Alignment.LEFT,))
    for blocks in ([RULE_BLOCK], [table, RULE_BLOCK], [table, RULE_BLOCK, RULE_BLOCK]):
        view = ProseView(theme, DraftMarks())
        qtbot.addWidget(view)
        view.resize(300, 200)
        view.write([*blocks, TextBlock((Run("end", None, 0),))], formats)
        image = view.grab().toImage()
        lines = [y for y in range(200) if image.pixelColor(250, y) == colour]
        assert len(lines) == blocks.count(RULE_BLOCK)


def test_quotes_have_a_bar_for_each_depth(theme: Theme, qtbot: QtBot) -> None:
    view = ProseView(theme, DraftMarks())
    qtbot.addWidget(view)
    view.resize(300, 200)
    quotes = [TextBlock((Run("x", None, 0),), place=Place(quotes=depth)) for depth in (1, 2, 0)]
    view.write(quotes, TextFormats(theme))
    image = view.grab().toImage()
    bars = [sum(image.pixelColor(x, y) == theme.colours.line for y in range(200)) for x in (1, 17, 33)]
    assert bars[0] > bars[1] > bars[2] == 0
