"""The right side of Discover to the eye, the hand and the keyboard."""

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QFontMetrics, QWheelEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QLineEdit, QScrollArea, QTableView, QWidget

from app.settings import ThemeChoice
from app.ui.files_delegate import FilesDelegate
from app.ui.files_table import FileColumn, FileRole
from app.ui.row_delegate import PADDING
from app.ui.theme import Theme
from tests.fakes.children import child
from tests.fakes.opened_discover_page import (
    CODER,
    DRAFT,
    GEMMA,
    OpenedDiscoverPage,
)
from tests.fakes.scripted_hub import found_model, hub_model, remote_model


class TestTheLook:
    MANY = tuple(remote_model(f"Q{bits}_K", 1000 + bits) for bits in range(30))

    def open_many(self, discover: OpenedDiscoverPage) -> QScrollArea:
        """Opens a repository whose table is higher than the page."""
        discover.add(hub_model(found_model("x/many"), *self.MANY))
        discover.show()
        discover.open("x/many")
        pane = child(discover.page, QScrollArea, "repository_pane")
        discover.qtbot.waitUntil(lambda: pane.verticalScrollBar().maximum() > 0)
        return pane

    def test_it_works_in_the_smallest_window(self, discover: OpenedDiscoverPage) -> None:
        discover.page.resize(896, 480)
        discover.show()
        discover.open(CODER)
        pane = child(discover.page, QScrollArea, "repository_pane")
        content = pane.widget()
        assert content is not None
        assert content.width() <= pane.viewport().width()
        model = discover.files.model()
        widths = [discover.files.columnWidth(column) for column in range(model.columnCount())]
        assert sum(widths) <= discover.files.viewport().width()
        discover.press(1)
        assert len(discover.requests()) == 1

    def test_the_word_on_quality_gives_way_first(self, discover: OpenedDiscoverPage) -> None:
        discover.show()
        discover.open(CODER)
        assert not discover.files.isColumnHidden(FileColumn.QUALITY)
        discover.page.resize(700, 480)
        assert discover.files.isColumnHidden(FileColumn.QUALITY)
        discover.page.resize(1216, 720)
        assert not discover.files.isColumnHidden(FileColumn.QUALITY)

    def test_recommended_is_left_out_where_it_would_be_cut(
        self, discover: OpenedDiscoverPage, theme: Theme, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """It is said above the table, and seen."""
        painted: list[tuple[str, int]] = []
        monkeypatch.setattr(
            FilesDelegate,
            "paint_text",
            lambda _self, _painter, place, text, *_, **__: painted.append((text, place.width())),
        )
        discover.show()
        discover.open(CODER)
        for width in range(800, 1216, 8):
            discover.page.resize(width, 720)
            discover.files.viewport().grab()
        words = [(text, room) for text, room in painted if text.startswith("good")]
        assert {text for text, _ in words} == {"good", "good, recommended"}
        metrics = QFontMetrics(theme.body_font())
        assert all(metrics.horizontalAdvance(text) <= room for text, room in words)

    @pytest.mark.parametrize("choice", [ThemeChoice.DARK, ThemeChoice.LIGHT])
    def test_the_empty_part_of_a_track_is_seen_in_a_marked_row(
        self, discover: OpenedDiscoverPage, theme: Theme, choice: ThemeChoice
    ) -> None:
        theme.choose(choice)
        discover.show()
        discover.open(DRAFT)
        discover.press(0)
        discover.transfers.running("draft-Q4_K_M.gguf").hold(491_000_000 // 2)
        discover.qtbot.waitUntil(lambda: discover.column(FileColumn.ACTION) == ["50 %"])
        assert discover.files.model().index(0, 0).data(FileRole.IS_RECOMMENDED)
        image = discover.files.viewport().grab().toImage()
        cell = discover.files.visualRect(discover.files.model().index(0, FileColumn.ACTION))
        end = cell.right() - PADDING
        middle = cell.center().y()
        row, empty, full = (image.pixelColor(end - back, middle).lightnessF() for back in (-4, 8, 48))
        assert abs(empty - row) > 0.1
        assert abs(empty - full) > 0.1

    def test_the_wheel_over_a_long_table_is_for_the_page(self, discover: OpenedDiscoverPage) -> None:
        self.open_many(discover)
        middle = QPointF(discover.files.viewport().rect().center())
        there = QPointF(discover.files.viewport().mapToGlobal(middle.toPoint()))
        turned = QWheelEvent(
            middle,
            there,
            QPoint(0, -120),
            QPoint(0, -120),
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(discover.files.viewport(), turned)
        assert not turned.isAccepted()  # so that it goes to what is around the table

    def test_the_keyboard_brings_rows_into_sight(self, discover: OpenedDiscoverPage) -> None:
        pane = self.open_many(discover)
        rows = self.MANY
        discover.files.setFocus()
        for _ in range(29):
            discover.qtbot.keyClick(discover.files, Qt.Key.Key_Down)
        place = discover.files.viewport().mapTo(pane.viewport(), discover.files.place_of(rows[29]).center())
        assert pane.viewport().rect().contains(place)

    def test_a_marked_row_and_its_button_are_painted_in_both_themes(
        self, discover: OpenedDiscoverPage, theme: Theme
    ) -> None:
        discover.show()
        discover.open(CODER)
        for choice in (ThemeChoice.DARK, ThemeChoice.LIGHT):
            theme.choose(choice)
            image = discover.files.viewport().grab().toImage()
            button = discover.files.button_place(0)
            ratio = image.devicePixelRatio()
            painted = image.pixelColor(
                (button.topLeft() + (button.center() - button.topLeft()) / 6).toPointF().toPoint() * ratio
            )
            assert painted == theme.colours.accent

    def test_every_control_has_a_name(self, discover: OpenedDiscoverPage) -> None:
        discover.show()
        discover.open(GEMMA)
        controls: list[QWidget] = [
            *discover.page.findChildren(QAbstractButton),
            *discover.page.findChildren(QLineEdit),
            *discover.page.findChildren(QTableView),
        ]
        foreign = ("QLineEditIconButton", "QTableCornerButton")
        own = [control for control in controls if not any(control.inherits(kind) for kind in foreign)]
        assert [made for made in own if not (made.objectName() and made.accessibleName())] == []

    def test_focus_goes_to_the_search_field(self, discover: OpenedDiscoverPage) -> None:
        discover.show()
        discover.page.activateWindow()
        discover.page.take_focus()
        discover.qtbot.waitUntil(discover.field().hasFocus)

    def test_the_downloads_are_brought_into_sight(self, discover: OpenedDiscoverPage) -> None:
        pane = self.open_many(discover)
        discover.press(0)
        discover.page.show_downloads()
        panel = child(discover.page, QWidget, "downloads_panel")
        assert pane.viewport().rect().contains(panel.mapTo(pane.viewport(), panel.rect().center()))
