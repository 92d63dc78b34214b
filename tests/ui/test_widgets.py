"""The small parts: what they say and how they give way."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QTextDocument
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPlainTextEdit, QPushButton, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from app.settings import ThemeChoice
from app.ui.icons import Icons
from app.ui.notice import Notice
from app.ui.theme import Theme
from app.ui.toggle import ToggleSwitch
from app.ui.widgets import Card, ElidedLabel, Tag, button, column, icon_button, label, row, set_property
from tests.fakes.children import child


def test_markup_in_a_name_is_shown_as_it_is(theme: Theme) -> None:
    for made in (label("<b>x</b>"), Tag("<b>x</b>"), ElidedLabel("<b>x</b>")):
        assert made.textFormat() is Qt.TextFormat.PlainText


def test_a_label_has_the_size_that_was_asked_for(theme: Theme, qtbot: QtBot) -> None:
    sizes = []
    for size in ("small", "body", "heading", "title"):
        made = label("Text", size=size)
        qtbot.addWidget(made)
        made.ensurePolished()
        sizes.append(made.fontInfo().pixelSize())
    assert sizes == [12, 13, 15, 20]


def test_a_narrow_label_shows_an_ellipsis_and_keeps_the_whole_text_at_hand(
    theme: Theme, qtbot: QtBot
) -> None:
    made = ElidedLabel("Qwen2.5-Coder 1.5B Instruct")
    qtbot.addWidget(made)
    made.show()
    made.resize(80, 20)
    assert made.text().endswith("…")
    assert made.toolTip() == made.whole_text == "Qwen2.5-Coder 1.5B Instruct"
    made.resize(600, 20)
    assert made.text() == "Qwen2.5-Coder 1.5B Instruct"
    assert made.toolTip() == ""


def test_markup_in_a_tooltip_is_shown_as_it_is(theme: Theme, icons: Icons, qtbot: QtBot) -> None:
    name = "<img src=x> & <b>more</b>"
    elided = ElidedLabel(name)
    for made in (elided, icon_button(icons.icon("close"), "close_button", name)):
        qtbot.addWidget(made)
        made.resize(40, 20)
        made.show()
        shown = QTextDocument()
        shown.setHtml(made.toolTip())
        assert shown.toPlainText() == name
    assert elided.accessibleName() == name


def test_buttons_can_be_found_by_automation_and_screen_readers(theme: Theme, qtbot: QtBot) -> None:
    made = button("Load Model", "load_model_button", kind="primary")
    qtbot.addWidget(made)
    assert made.objectName() == "load_model_button"
    assert made.accessibleName() == "Load Model"


def test_layouts_take_widgets_layouts_gaps_and_stretches(theme: Theme, qtbot: QtBot) -> None:
    card = Card()
    qtbot.addWidget(card)
    inner = row(QLabel("a"), 12, QLabel("b"), None)
    card.setLayout(column(inner, QLabel("c"), spacing=4, margins=(1, 2, 3, 4)))
    assert inner.count() == 4
    layout = card.layout()
    assert layout is not None and layout.count() == 2
    assert layout.contentsMargins().bottom() == 4


def test_a_changed_property_changes_the_look(theme: Theme, qtbot: QtBot) -> None:
    made = label("x")
    qtbot.addWidget(made)
    made.ensurePolished()
    set_property(made, "text_size", "title")
    assert made.fontInfo().pixelSize() == 20


def test_a_switch_is_operated_with_mouse_and_keyboard(theme: Theme, qtbot: QtBot) -> None:
    made = ToggleSwitch(theme, "speculation_switch", "Speculative Decoding")
    qtbot.addWidget(made)
    qtbot.mouseClick(made, Qt.MouseButton.LeftButton)
    assert made.isChecked()
    QTest.keyClick(made, Qt.Key.Key_Space)
    assert not made.isChecked()


def test_a_switch_looks_different_when_on(theme: Theme, qtbot: QtBot) -> None:
    made = ToggleSwitch(theme, "switch", "Switch")
    qtbot.addWidget(made)
    off = made.grab().toImage()
    made.setChecked(True)
    assert made.grab().toImage() != off


def test_a_notice_speaks_offers_and_goes(theme: Theme, icons: Icons, qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    notice = Notice(theme, icons, parent)
    assert notice.sentence == ""
    pressed: list[str] = []
    notice.tell("The engine stopped.", tone="bad", details=("last line",))
    offered = notice.offer("Reload model", "notice_reload_button", lambda: pressed.append("reload"))
    assert notice.sentence == "The engine stopped."
    offered.click()
    assert pressed == ["reload"]
    notice.tell("Something else.")
    QApplication.processEvents()
    assert notice.findChild(QWidget, "notice_reload_button") is None
    with qtbot.waitSignal(notice.dismissed):
        child(notice, QToolButton, "notice_close_button").click()
    assert notice.sentence == ""


def test_details_are_shown_on_demand(theme: Theme, icons: Icons, qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    notice = Notice(theme, icons, parent)
    notice.tell("It failed.", details=("first", "second"))
    details = child(notice, QPlainTextEdit, "notice_details")
    assert details.isHidden()
    child(notice, QPushButton, "notice_details_button").click()
    assert not details.isHidden()
    assert details.toPlainText() == "first\nsecond"


def test_an_icon_is_drawn_in_the_colour_of_its_role(theme: Theme, icons: Icons) -> None:
    image = icons.icon("dot", "accent").pixmap(16, 16).toImage()
    assert image.pixelColor(8, 8).name() == theme.colours.accent.name()


def test_another_theme_draws_icons_anew(theme: Theme, icons: Icons) -> None:
    before = icons.icon("dot", "accent")
    assert icons.icon("dot", "accent") is before
    theme.choose(ThemeChoice.LIGHT)
    image = icons.icon("dot", "accent").pixmap(16, 16).toImage()
    assert image.pixelColor(8, 8).name() == theme.colours.accent.name()
