"""The rail chooses pages."""

from PySide6.QtWidgets import QToolButton
from pytestqt.qtbot import QtBot

from app.ui.icons import Icons
from app.ui.rail import PageName, Rail
from app.ui.theme import Theme
from tests.fakes.children import child


def test_a_button_chooses_its_page(theme: Theme, icons: Icons, qtbot: QtBot) -> None:
    rail = Rail(theme, icons)
    qtbot.addWidget(rail)
    for page in PageName:
        with qtbot.waitSignal(rail.page_chosen) as chosen:
            child(rail, QToolButton, f"{page.value}_page_button").click()
        assert chosen.args == [page]


def test_the_page_that_is_shown_is_marked(theme: Theme, icons: Icons, qtbot: QtBot) -> None:
    rail = Rail(theme, icons)
    qtbot.addWidget(rail)
    rail.set_current(PageName.MODELS)
    marked = [button.objectName() for button in rail.findChildren(QToolButton) if button.isChecked()]
    assert marked == ["models_page_button"]
