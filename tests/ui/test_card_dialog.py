"""The model card in its window: text at once, pictures on demand, trouble in words."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QBuffer, QIODevice, Qt
from PySide6.QtGui import QColor, QImage, QImageWriter
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from app.settings import ThemeChoice
from app.ui import card_view
from app.ui.card_dialog import CardDialog
from app.ui.card_picture import UnreadablePicture, decode
from app.ui.hub_trouble import HubTrouble
from app.ui.icons import Icons
from app.ui.prose_view import ProseView
from app.ui.tasks import Tasks
from app.ui.theme import Theme
from tests.fakes.children import child
from tests.fakes.scripted_hub import ScriptedHub, hub_model
from tests.fakes.tasks import ImmediateTasks

MODEL = hub_model()


def picture(width: int, height: int, kind: str = "PNG") -> bytes:
    """A red picture's file."""
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(QColor("red"))
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    assert QImageWriter(buffer, kind.encode()).write(image)
    return bytes(buffer.data().data())


class Shown:
    """Opens dialogs and operates them."""

    def __init__(self, theme: Theme, icons: Icons, hub: ScriptedHub, qtbot: QtBot) -> None:
        self.hub = hub
        self._theme, self._icons, self._qtbot = theme, icons, qtbot
        self.dialog: CardDialog

    def open(self, card: str, tasks: Tasks) -> CardDialog:
        self.hub.cards[MODEL.repo] = card
        self.dialog = CardDialog(self._theme, self._icons, tasks, self.hub, MODEL)
        self.dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)  # the bot does that
        self._qtbot.addWidget(self.dialog)
        self.dialog.resize(700, 500)
        self.dialog.show()
        self._qtbot.waitExposed(self.dialog)
        self.dialog.view.finish_work()
        return self.dialog

    def button(self, name: str) -> QPushButton:
        return child(self.dialog, QPushButton, name)

    def click(self, name: str) -> None:
        self._qtbot.mouseClick(self.button(name), Qt.MouseButton.LeftButton)


@pytest.fixture
def shown(theme: Theme, icons: Icons, qtbot: QtBot) -> Iterator[Shown]:
    """A hub, and what opens cards."""
    made = Shown(theme, icons, ScriptedHub(), qtbot)
    yield made
    made.dialog.close()


def test_a_card_is_shown_as_markdown(shown: Shown, immediate_tasks: ImmediateTasks) -> None:
    dialog = shown.open("# Title\n\nSome **text**.\n\n```python\nx = 1\n```\n", immediate_tasks)
    assert dialog.view.text == "Title\nSome text.\nx = 1"
    prose = dialog.view.findChildren(ProseView)
    assert {view.accessibleName() for view in prose} == {"Model card"}
    assert not shown.button("show_pictures_button").isVisible()


def test_html_neither_runs_nor_shows(shown: Shown, immediate_tasks: ImmediateTasks) -> None:
    dialog = shown.open("<div><script>alert(1)</script><b>Words</b></div>", immediate_tasks)
    assert dialog.view.text == "Words"


def test_a_repository_without_a_card_says_so(shown: Shown, immediate_tasks: ImmediateTasks) -> None:
    dialog = shown.open("", immediate_tasks)
    message = child(dialog, QLabel, "card_message")
    assert (message.text(), message.isVisible()) == ("This repository has no model card.", True)


def test_without_a_network_it_says_so_and_tries_again(shown: Shown, immediate_tasks: ImmediateTasks) -> None:
    shown.hub.fail("card")
    dialog = shown.open("Words", immediate_tasks)
    assert child(dialog, HubTrouble, "card_trouble").isVisible()
    shown.click("card_trouble_retry_button")
    dialog.view.finish_work()
    assert dialog.view.text == "Words"


def test_a_table_of_all_files_is_one_table(shown: Shown, immediate_tasks: ImmediateTasks) -> None:
    address = "https://huggingface.co/bartowski/Qwen2.5-Coder-7B-Instruct-GGUF/blob/main/"
    rows = [f"| [file-{number}.gguf]({address}file-{number}.gguf) | good |\n" for number in range(120)]
    dialog = shown.open("| Name | Quality |\n| --- | --- |\n" + "".join(rows), immediate_tasks)
    assert dialog.view.text.count("Quality") == 1
    assert dialog.view.text.count("good") == 120


class TestPictures:
    CARD = "![one](1.png)\n\nWords\n\n![two](2.png) ![again](1.png)"

    def test_none_is_loaded_unless_asked_for(self, shown: Shown, immediate_tasks: ImmediateTasks) -> None:
        dialog = shown.open(self.CARD, immediate_tasks)
        assert shown.hub.asked("picture") == []
        assert not any(view.isVisible() for view in dialog.view.pictures)
        assert shown.button("show_pictures_button").text() == "Show pictures (2)"

    def test_they_are_loaded_once_each_and_scaled_to_the_width(
        self, shown: Shown, immediate_tasks: ImmediateTasks
    ) -> None:
        shown.hub.pictures |= {"1.png": picture(2000, 1000), "2.png": picture(50, 20)}
        dialog = shown.open(self.CARD, immediate_tasks)
        shown.click("show_pictures_button")
        assert shown.hub.asked("picture") == ["1.png", "2.png"]
        large, small, again = dialog.view.pictures
        assert large.width() < 700
        assert large.height() == again.height() == round(large.width() / 2)
        assert small.height() == 20
        middle = large.grab().toImage().pixelColor(large.width() // 2, large.height() // 2)
        assert middle == QColor("red")
        assert not shown.button("show_pictures_button").isVisible()

    def test_one_that_does_not_come_says_so_in_short_and_the_others_come(
        self, shown: Shown, immediate_tasks: ImmediateTasks
    ) -> None:
        shown.hub.pictures["2.png"] = picture(50, 20)
        dialog = shown.open(self.CARD, immediate_tasks)
        shown.click("show_pictures_button")
        views = dialog.view.pictures
        assert [view.text for view in views[:2]] == ["The picture “one” is not shown", ""]
        assert views[0].toolTip() == "There is no such picture."
        assert views[0].accessibleDescription() == (
            "The picture “one” is not shown. There is no such picture."
        )

    def test_what_is_no_picture_is_not_shown(self, shown: Shown, immediate_tasks: ImmediateTasks) -> None:
        shown.hub.pictures |= {"1.png": b"<svg xmlns='http://www.w3.org/2000/svg'/>", "2.png": b""}
        dialog = shown.open(self.CARD, immediate_tasks)
        shown.click("show_pictures_button")
        assert dialog.view.pictures[0].toolTip() == "It is of a kind that is not shown here."
        assert dialog.view.pictures[1].toolTip() == "It is of a kind that is not shown here."

    def test_no_more_are_loaded_than_there_is_room_for(
        self, shown: Shown, immediate_tasks: ImmediateTasks, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(card_view, "_MOST_PIXELS", 2000)
        shown.hub.pictures |= {f"{name}.png": picture(50, 20) for name in "1234"}
        dialog = shown.open("![one](1.png) ![again](1.png) ![two](2.png) ![three](3.png) ![four](4.png)",
                            immediate_tasks)  # fmt: skip
        shown.click("show_pictures_button")
        tips = [view.toolTip() for view in dialog.view.pictures]
        assert tips == ["", "", "", *["The card has too many large pictures."] * 2]
        assert shown.hub.asked("picture") == ["1.png", "2.png", "3.png"]

    def test_they_come_through_threads(self, shown: Shown, tasks: Tasks, qtbot: QtBot) -> None:
        shown.hub.pictures |= {"1.png": picture(20, 10), "2.png": picture(50, 20)}
        dialog = shown.open(self.CARD, tasks)
        qtbot.waitUntil(lambda: shown.button("show_pictures_button").isVisible())
        dialog.view.finish_work()
        shown.click("show_pictures_button")
        qtbot.waitUntil(lambda: all(view.text == "" for view in dialog.view.pictures))

    def test_a_closed_dialog_wants_no_more(self, shown: Shown, tasks: Tasks, qtbot: QtBot) -> None:
        shown.open(self.CARD, tasks).close()
        tasks.finish()
        assert shown.hub.asked("picture") == []


@pytest.mark.parametrize("kind", ["PNG", "JPG", "BMP"])
def test_pictures_of_usual_kinds_are_decoded(qapp: object, kind: str) -> None:
    assert decode(picture(30, 20, kind)).size().toTuple() == (30, 20)


@pytest.mark.parametrize(
    ("width", "height", "kept"),
    [
        (2880, 1000, (1440, 500)),
        (1440, 8000, (720, 4000)),
        (144, 40_000, (14, 4000)),
        (1, 9000, (1, 4000)),
        (9000, 1, (1440, 1)),
        (1440, 4000, (1440, 4000)),
    ],
)
def test_large_pictures_are_made_smaller(
    width: int, height: int, kept: tuple[int, int], qapp: object
) -> None:
    assert decode(picture(width, height)).size().toTuple() == kept


@pytest.mark.parametrize(
    "content", [b"", b"GIF89a", b"<html>", picture(30, 20)[:40], b"\x89PNG" + bytes(100)]
)
def test_broken_pictures_are_refused(qapp: object, content: bytes) -> None:
    with pytest.raises(UnreadablePicture):
        decode(content)


def test_a_card_takes_the_colours_of_another_theme(
    shown: Shown, immediate_tasks: ImmediateTasks, theme: Theme
) -> None:
    dialog = shown.open("Words", immediate_tasks)
    dark = dialog.grab().toImage()
    theme.choose(ThemeChoice.LIGHT)
    dialog.view.finish_work()
    light = dialog.grab().toImage()
    assert dark.pixelColor(5, 200).lightness() < 100 < light.pixelColor(5, 200).lightness()
