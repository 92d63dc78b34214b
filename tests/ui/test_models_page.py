"""My Models, as a person uses it: with the mouse, the keyboard, and a disk that changes."""

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import (
    QAbstractButton,
    QFileDialog,
    QLabel,
    QLineEdit,
    QToolButton,
    QWidget,
)

from app.models.model_folders import Keeper, OfferedFolder
from app.settings import ThemeChoice
from app.ui.models_table import ModelColumn
from app.ui.models_view import CONFIGURE, LOAD, MORE
from app.ui.notice import Notice
from app.ui.row_delegate import PADDING
from app.ui.theme import Theme
from tests.fakes.children import child
from tests.fakes.library_places import Places
from tests.fakes.opened_models_page import OpenedModelsPage
from tests.fakes.tiny_gguf import truncate_file


class TestTheList:
    def test_models_are_listed_with_their_number_and_size(
        self, places: Places, opened: OpenedModelsPage
    ) -> None:
        size = sum(places.put(f"{name}.gguf").stat().st_size for name in ("b", "a"))
        opened.show()
        assert opened.names() == ["a", "b"]
        assert opened.text("models_total") == f"2 models · {size / 1000:.0f} kB"
        assert opened.text("no_models_title") == ""

    def test_its_model_keeps_the_rules(self, places: Places, opened: OpenedModelsPage) -> None:
        tester = QAbstractItemModelTester(
            opened.view.model(), QAbstractItemModelTester.FailureReportingMode.Fatal
        )
        places.put("a.gguf")
        opened.show()
        opened.type_filter("a")
        tester.deleteLater()

    def test_it_follows_the_disk_and_keeps_the_selection(
        self, places: Places, opened: OpenedModelsPage
    ) -> None:
        places.put("b.gguf")
        opened.show()
        opened.view.selectRow(0)
        places.put("a.gguf")
        places.library.refresh()
        assert opened.names() == ["a", "b"]
        assert [index.row() for index in opened.view.selectionModel().selectedRows()] == [1]

    def test_a_filter_narrows_it_while_typing(self, places: Places, opened: OpenedModelsPage) -> None:
        for name in ("apple", "pear"):
            places.put(f"{name}.gguf")
        opened.show()
        opened.type_filter("pea")
        assert opened.names() == ["pear"]
        assert opened.text("models_total") == "1 of 2 models"
        opened.type_filter("plum")
        assert opened.text("no_models_title") == "No model found"
        opened.click("clear_filter_button")
        assert opened.names() == ["apple", "pear"]

    def test_a_filter_is_cleared_at_its_end(self, places: Places, opened: OpenedModelsPage) -> None:
        places.put("apple.gguf")
        opened.show()
        clear = child(opened.page, QAction, "clear_models_filter")
        assert not clear.isVisible()
        opened.type_filter("plum")
        assert clear.isVisible()
        field = child(opened.page, QLineEdit, "models_filter")
        button = child(field, QToolButton, "")
        assert abs(button.geometry().center().y() - field.rect().center().y()) <= 1
        opened.qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        assert opened.names() == ["apple"]
        assert not clear.isVisible()

    def test_a_selected_row_s_tag_stands_out(
        self, places: Places, opened: OpenedModelsPage, theme: Theme
    ) -> None:
        places.put("a.gguf")
        opened.show()
        opened.view.selectRow(0)
        cell = opened.view.visualRect(opened.view.model().index(0, ModelColumn.ARCH))
        image = opened.view.viewport().grab(cell).toImage()
        ratio = image.devicePixelRatio()
        in_tag = QPoint(round((PADDING + 4) * ratio), image.height() // 2)
        assert image.pixelColor(round(6 * ratio), image.height() // 2) == theme.colours.raised
        assert image.pixelColor(in_tag) == theme.colours.panel

    def test_a_header_sorts(self, places: Places, opened: OpenedModelsPage) -> None:
        places.put("a.gguf", layers=4)
        places.put("b.gguf", layers=2)
        opened.show()
        header = opened.view.horizontalHeader()
        for expected in (["b", "a"], ["a", "b"]):
            place = QPoint(header.sectionViewportPosition(ModelColumn.SIZE) + 20, header.height() // 2)
            opened.qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=place)
            assert opened.names() == expected

    def test_columns_go_where_there_is_no_room(self, places: Places, opened: OpenedModelsPage) -> None:
        places.put("a.gguf")
        opened.show()
        assert not opened.view.isColumnHidden(ModelColumn.MODIFIED)
        opened.page.resize(760, 600)
        assert opened.view.isColumnHidden(ModelColumn.MODIFIED)
        assert not opened.view.isColumnHidden(ModelColumn.NAME)
        assert opened.view.columnWidth(ModelColumn.NAME) >= 200

    def test_the_disk_is_followed_only_while_it_is_shown(
        self, places: Places, opened: OpenedModelsPage
    ) -> None:
        opened.show()
        assert places.library._poll.isActive()
        opened.page.hide()
        assert not places.library._poll.isActive()

    def test_every_control_has_a_name(self, places: Places, opened: OpenedModelsPage) -> None:
        places.put("a.gguf")
        opened.show()
        controls: list[QWidget] = [
            *opened.page.findChildren(QAbstractButton),
            *opened.page.findChildren(QLineEdit),
            opened.view,
        ]
        own = [control for control in controls if not control.inherits("QLineEditIconButton")]
        own = [control for control in own if not control.inherits("QTableCornerButton")]
        unnamed = [control for control in own if not (control.objectName() and control.accessibleName())]
        assert unnamed == []
        names = {control.objectName() for control in own}
        assert {"models_table", "models_filter", "add_folder_button"} <= names


class TestEmpty:
    def test_it_says_where_models_are_looked_for(self, places: Places, opened: OpenedModelsPage) -> None:
        opened.show()
        assert opened.text("no_models_title") == "No models yet"
        assert str(places.managed) in opened.text("no_models_text")
        assert opened.text("models_total") == ""

    def test_the_folder_is_opened_and_made_if_need_be(self, places: Places, opened: OpenedModelsPage) -> None:
        places.managed.rmdir()
        opened.show()
        opened.click("open_models_folder_button")
        assert opened.shown_in_folder == [places.managed]
        assert places.managed.is_dir()

    def test_a_folder_that_cannot_be_made(self, places: Places, opened: OpenedModelsPage) -> None:
        places.managed.rmdir()
        places.managed.touch()
        opened.show()
        opened.click("open_models_folder_button")
        assert str(places.managed) in opened.notice("models_notice")
        assert opened.shown_in_folder == []

    def test_before_the_first_look_it_says_that_it_looks(
        self, places: Places, opened: OpenedModelsPage
    ) -> None:
        title = opened.page.findChild(QLabel, "no_models_title")
        assert title is not None
        assert title.text() == "Looking for models…"
        places.library.progressed.emit(3, 20)
        text = opened.page.findChild(QLabel, "no_models_text")
        assert text is not None
        assert text.text() == "Reading 3 of 20 files"


class TestActing:
    def test_the_buttons_of_a_row(self, places: Places, opened: OpenedModelsPage) -> None:
        for name in "ab":
            places.put(f"{name}.gguf")
        opened.show()
        opened.click_in_row(1, LOAD)
        assert [model.name for model in opened.loads] == ["b"]
        opened.click_in_row(0, CONFIGURE)
        assert [model.name for model in opened.configures] == ["a"]
        opened.click_in_row(0, MORE)
        opened.menu_action("configure_action").trigger()
        assert [model.name for model in opened.configures] == ["a", "a"]

    def test_a_button_that_the_mouse_left_is_not_clicked(
        self, places: Places, opened: OpenedModelsPage
    ) -> None:
        places.put("a.gguf")
        opened.show()
        viewport = opened.view.viewport()
        opened.qtbot.mousePress(
            viewport, Qt.MouseButton.LeftButton, pos=opened.view.button_place(0, LOAD).center()
        )
        opened.qtbot.mouseRelease(
            viewport, Qt.MouseButton.LeftButton, pos=opened.view.button_place(0, CONFIGURE).center()
        )
        assert (opened.loads, opened.configures) == ([], [])

    def test_a_double_click_on_a_row_loads_it(self, places: Places, opened: OpenedModelsPage) -> None:
        places.put("a.gguf")
        opened.show()
        place = opened.view.visualRect(opened.view.model().index(0, ModelColumn.NAME)).center()
        opened.qtbot.mouseClick(opened.view.viewport(), Qt.MouseButton.LeftButton, pos=place)
        opened.qtbot.mouseDClick(opened.view.viewport(), Qt.MouseButton.LeftButton, pos=place)
        assert [model.name for model in opened.loads] == ["a"]

    def test_enter_loads_the_current_row(self, places: Places, opened: OpenedModelsPage) -> None:
        for name in "ab":
            places.put(f"{name}.gguf")
        opened.show()
        opened.view.setFocus()
        opened.qtbot.keyClick(opened.view, Qt.Key.Key_Down)
        opened.qtbot.keyClick(opened.view, Qt.Key.Key_Down)
        opened.qtbot.keyClick(opened.view, Qt.Key.Key_Return)
        assert [model.name for model in opened.loads] == ["b"]

    def test_the_menu(self, places: Places, opened: OpenedModelsPage) -> None:
        path = places.put("a.gguf")
        opened.show()
        for name in ("load_action", "show_in_folder_action", "copy_path_action"):
            opened.view.menu_requested.emit(opened.view.model().index(0, 0), QPoint(5, 5))
            opened.menu_action(name).trigger()
        assert [model.path for model in opened.loads] == [path]
        assert opened.shown_in_folder == [path]
        assert QGuiApplication.clipboard().text() == str(path)

    def test_a_model_in_use_cannot_be_deleted(self, places: Places, opened: OpenedModelsPage) -> None:
        target, draft = places.put("a.gguf"), places.put("b.gguf")
        places.put("c.gguf")
        opened.show()
        opened.page.set_loaded(target, draft)
        enabled = []
        for row in range(3):
            opened.click_in_row(row, MORE)
            enabled.append(opened.menu_action("delete_action").isEnabled())
        assert enabled == [False, False, True]


class TestFolders:
    def test_one_is_added_through_a_dialog(self, places: Places, opened: OpenedModelsPage) -> None:
        places.put("a.gguf", managed=False)
        opened.show()
        opened.click("add_folder_button")
        dialog = opened.page.findChild(QFileDialog, "add_folder_dialog")
        assert dialog is not None
        dialog.fileSelected.emit(str(places.other))
        dialog.close()
        assert opened.names() == ["a"]
        assert places.preferences.settings.extra_folders == (places.other,)
        assert opened.notice("models_notice") == ""

    def test_one_without_models_or_known_already_is_told(
        self, places: Places, opened: OpenedModelsPage
    ) -> None:
        opened.show()
        opened.page.add_folder(places.other)
        assert opened.notice("models_notice") == f"No new models were found in {places.other}."
        opened.page.add_folder(places.other)
        assert opened.notice("models_notice") == f"{places.other} is already listed."

    def test_a_missing_one_is_told_and_can_be_removed(self, places: Places, opened: OpenedModelsPage) -> None:
        gone = places.other / "gone"
        places.library.add_folder(gone)
        opened.show()
        assert str(gone) in opened.notice("missing_folder_notice")
        opened.click("remove_folder_button")
        assert places.preferences.settings.extra_folders == ()
        assert opened.notice("missing_folder_notice") == ""

    def test_another_program_s_is_offered(self, places: Places, opened: OpenedModelsPage) -> None:
        places.put("a.gguf", managed=False)
        opened.offered = (OfferedFolder(Keeper.LM_STUDIO, places.other),)
        opened.show()
        assert "LM Studio keeps a model in" in opened.notice("folder_offer")
        opened.click("accept_folder_button")
        assert opened.names() == ["a"]
        assert opened.notice("folder_offer") == ""

    def test_an_offer_is_declined_for_good(self, places: Places, opened: OpenedModelsPage) -> None:
        places.put("a.gguf", managed=False)
        opened.offered = (OfferedFolder(Keeper.HUGGING_FACE, places.other),)
        opened.show()
        offer = opened.page.findChild(Notice, "folder_offer")
        assert offer is not None
        opened.qtbot.mouseClick(
            child(offer, QAbstractButton, "notice_close_button"), Qt.MouseButton.LeftButton
        )
        assert opened.notice("folder_offer") == ""
        assert places.preferences.settings.declined_folders == (places.other,)
        assert opened.names() == []


def test_models_can_be_discovered_with_some_and_with_none(places: Places, opened: OpenedModelsPage) -> None:
    opened.show()
    with opened.qtbot.waitSignal(opened.page.discover_requested):
        opened.click("discover_first_model_button")
    header = child(opened.page, QAbstractButton, "discover_models_button")
    assert header.property("kind") == "plain", "one button stands out"

    places.put("a.gguf")
    places.library.refresh()
    assert header.property("kind") == "primary"
    with opened.qtbot.waitSignal(opened.page.discover_requested):
        opened.click("discover_models_button")


def test_both_themes_paint(places: Places, opened: OpenedModelsPage, theme: Theme) -> None:
    places.put("a.gguf")
    truncate_file(places.put("bad.gguf"), 0.5)
    opened.show()
    opened.page.set_loaded(places.managed / "a.gguf", None)
    dark = opened.page.grab().toImage()
    theme.choose(ThemeChoice.LIGHT)
    light = opened.page.grab().toImage()
    middle = opened.view.mapTo(opened.page, opened.view.button_place(0, LOAD).topLeft() - QPoint(20, 5))
    assert dark.pixelColor(middle).lightness() < 100 < light.pixelColor(middle).lightness()
