"""Files that cannot be used: listed below the models, with the reason."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import (
    QAbstractButton,
)

from app.ui.unusable_section import UnusableSection, UnusableView
from tests.fakes.children import child
from tests.fakes.library_places import Places
from tests.fakes.opened_models_page import OpenedModelsPage
from tests.fakes.tiny_gguf import truncate_file


class TestUnusable:
    def section(self, opened: OpenedModelsPage) -> tuple[UnusableSection, UnusableView]:
        section = opened.page.findChild(UnusableSection)
        assert section is not None
        view = section.findChild(UnusableView)
        assert view is not None
        return section, view

    def test_broken_files_are_listed_with_the_reason(self, places: Places, opened: OpenedModelsPage) -> None:
        places.put("good.gguf")
        truncate_file(places.put("bad.gguf"), 0.5)
        opened.show()
        section, view = self.section(opened)
        assert section.isVisible()
        assert opened.names() == ["good"]
        index = view.model().index(0, 0)
        assert index.data() == "bad.gguf"
        assert "incomplete" in index.data(Qt.ItemDataRole.AccessibleTextRole)

    def test_without_any_there_is_no_section(self, places: Places, opened: OpenedModelsPage) -> None:
        places.put("good.gguf")
        opened.show()
        assert not self.section(opened)[0].isVisible()

    def test_they_can_be_shown_and_deleted(self, places: Places, opened: OpenedModelsPage) -> None:
        path = truncate_file(places.put("bad.gguf"), 0.5)
        opened.show()
        section, view = self.section(opened)
        place = view.button_place(0, "show_in_folder").center()
        opened.qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
        assert opened.shown_in_folder == [path]
        place = view.button_place(0, "more").center()
        opened.qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
        opened.menu_action("delete_action").trigger()
        confirm = child(opened.dialog(), QAbstractButton, "confirm_delete_button")
        opened.qtbot.mouseClick(confirm, Qt.MouseButton.LeftButton)
        assert not path.exists()
        assert not section.isVisible()

    def test_a_long_reason_makes_a_higher_row(self, places: Places, opened: OpenedModelsPage) -> None:
        (places.managed / "m.gguf.part1of2").write_bytes(b"")
        opened.show()
        view = self.section(opened)[1]
        opened.qtbot.waitUntil(lambda: view.viewport().width() > 1000)
        low = view.rowHeight(0)
        opened.page.resize(600, 720)
        opened.qtbot.waitUntil(lambda: view.rowHeight(0) > low)

    def test_its_model_keeps_the_rules(self, places: Places, opened: OpenedModelsPage) -> None:
        opened.show()
        model = self.section(opened)[1].model()
        tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
        truncate_file(places.put("bad.gguf"), 0.5)
        places.library.refresh()
        assert model.rowCount() == 1
        tester.deleteLater()
