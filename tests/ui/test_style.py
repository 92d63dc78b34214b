"""What the style sheet does to widgets that are Qt's own."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import (
    QApplication,
    QFileDialog,
    QMessageBox,
    QProxyStyle,
    QStyle,
    QStyleHintReturn,
    QStyleOption,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.settings import ThemeChoice
from app.ui.theme import Theme
from tests.fakes.children import child

TOOLS = ("backButton", "forwardButton", "toParentButton", "newFolderButton", "listModeButton")


@pytest.fixture(params=[ThemeChoice.DARK, ThemeChoice.LIGHT])
def dressed(request: pytest.FixtureRequest, qapp: QApplication) -> Iterator[Theme]:
    made = Theme(qapp, request.param)
    yield made
    made.deleteLater()


def test_every_picture_is_there(dressed: Theme, qapp: QApplication) -> None:
    pictures = re.findall(r'url\("([^"]+)"\)', qapp.styleSheet())

    assert len(pictures) >= 5
    assert [picture for picture in pictures if not Path(picture).is_file()] == []


def test_the_file_dialogs_tools_show_their_pictures(dressed: Theme, qtbot: QtBot, tmp_path: Path) -> None:
    dialog = QFileDialog(None, "", str(tmp_path))
    qtbot.addWidget(dialog)
    dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
    dialog.show()

    for name in TOOLS:
        tool = child(dialog, QToolButton, name)
        assert tool.width() - 2 >= tool.iconSize().width(), name
        assert tool.width() == tool.height(), name
    up = child(dialog, QToolButton, "toParentButton").grab().toImage()
    inks = {up.pixel(x, y) for x in range(up.width()) for y in range(up.height())}
    assert dressed.colours.muted.rgb() in inks


class StyleOfADesktop(QProxyStyle):
    """As many desktops want it: stock icons on the buttons of dialogs."""

    def styleHint(  # noqa: N802
        self,
        hint: QStyle.StyleHint,
        option: QStyleOption | None = None,
        widget: QWidget | None = None,
        returned: QStyleHintReturn | None = None,
    ) -> int:
        if hint is QStyle.StyleHint.SH_DialogButtonBox_ButtonsHaveIcons:
            return 1
        return super().styleHint(hint, option, widget, returned)


def test_buttons_of_messages_have_no_stock_icons(dressed: Theme, qapp: QApplication, qtbot: QtBot) -> None:
    qapp.setStyle(StyleOfADesktop("Fusion"))
    buttons = QMessageBox.StandardButton
    box = QMessageBox(QMessageBox.Icon.NoIcon, "", "Delete it?", buttons.Ok | buttons.Cancel | buttons.Save)
    qtbot.addWidget(box)
    box.show()

    assert all(button.icon().isNull() for button in box.buttons())
    qapp.setStyle("Fusion")
