"""The draft picker: choosing by mouse and keyboard, reasons, and states of nothing."""

from pathlib import Path

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QAbstractButton, QLabel, QListView
from pytestqt.qtbot import QtBot

from app.core.compatibility import Incompatible, Rule
from app.core.pair_expectation import ExpectedGain, Grounds, NoGain
from app.models.library import Listing
from app.ui.draft_list import DraftList, DraftRole
from app.ui.draft_picker import DraftPicker
from app.ui.theme import Theme
from tests.fakes.advisor import FakeAdvisor
from tests.fakes.children import child
from tests.fakes.held_tasks import HeldTasks
from tests.fakes.listed_models import ListedModels, library_of, preferences_in
from tests.fakes.local_models import local_model

TARGET = local_model("7b", path=Path("/m/7b.gguf"), parameters=7_600_000_000, size_bytes=4_700_000_000)
FIRST = local_model("0.5b", path=Path("/m/0.5b.gguf"), parameters=500_000_000, size_bytes=470_000_000)
SECOND = local_model("1b", path=Path("/m/1b.gguf"), parameters=1_200_000_000, size_bytes=900_000_000)
ALIEN = local_model("alien", path=Path("/m/alien.gguf"), parameters=400_000_000, size_bytes=400_000_000)
UNFIT = Incompatible(Rule.TEXT, 10, 10, "a", "b", 139)


class Bench:
    """A picker over a library."""

    def __init__(self, qtbot: QtBot, theme: Theme, folder: Path) -> None:
        self.models = ListedModels(TARGET, SECOND, FIRST, ALIEN)
        self.library = library_of(self.models, preferences_in(folder), folder)
        self.tasks = HeldTasks()
        self.advisor = FakeAdvisor({ALIEN.path: UNFIT})
        self.picker = DraftPicker(TARGET, theme, self.library, self.advisor, self.tasks)
        qtbot.addWidget(self.picker)
        found = self.picker.findChild(QListView, "draft_model_picker")
        assert found is not None
        self.view = found
        self.tester = QAbstractItemModelTester(
            self.view.model(), QAbstractItemModelTester.FailureReportingMode.Fatal
        )

    def show(self) -> None:
        self.picker.show()
        self.tasks.release_all()

    def rows(self) -> list[str]:
        model = self.view.model()
        return [
            model.index(row, 0).data(Qt.ItemDataRole.AccessibleTextRole) for row in range(model.rowCount())
        ]

    def index(self, path: Path) -> QModelIndex:
        model = self.view.model()
        assert isinstance(model, DraftList)
        row = model.row_of(path)
        assert row is not None
        return model.index(row)

    def explanation(self) -> QLabel:
        found = self.picker.findChild(QLabel, "no_draft_explanation")
        assert found is not None
        return found


@pytest.fixture
def bench(qtbot: QtBot, theme: Theme, tmp_path: Path) -> Bench:
    return Bench(qtbot, theme, tmp_path)


def test_every_model_is_listed_with_its_figures_and_its_reason(bench: Bench) -> None:
    bench.show()

    assert bench.rows() == [
        "0.5b, 500M · Q4_K_M · 470 MB, good size",
        "1b, 1.2B · Q4_K_M · 900 MB, good size",
        "alien, 400M · Q4_K_M · 400 MB, differs at token 139: 'a' and 'b'",
        "7b, 7.6B · Q4_K_M · 4.70 GB, this is the model itself",
    ]


def test_the_tooltip_has_the_whole_reason_and_tells_files_of_one_name_apart(bench: Bench) -> None:
    bench.show()

    told = bench.index(ALIEN.path).data(Qt.ItemDataRole.ToolTipRole)
    assert told == f"differs at token 139: 'a' and 'b'\n400M · Q4_K_M · 400 MB\n{ALIEN.path}"


def test_files_are_identified_while_the_picker_is_shown(bench: Bench) -> None:
    assert bench.tasks.waiting == 0
    bench.picker.show()

    assert "identifying…" in bench.rows()[0]


def test_a_click_chooses(qtbot: QtBot, bench: Bench) -> None:
    bench.show()
    place = bench.view.visualRect(bench.index(SECOND.path)).center()

    with qtbot.waitSignal(bench.picker.draft_chosen):
        qtbot.mouseClick(bench.view.viewport(), Qt.MouseButton.LeftButton, pos=place)

    assert bench.picker.draft == SECOND.path
    assert bench.index(SECOND.path).data(DraftRole.IS_CHOSEN)


def test_a_model_that_cannot_draft_cannot_be_chosen(qtbot: QtBot, bench: Bench) -> None:
    bench.show()
    bench.picker.set_draft(FIRST.path)
    place = bench.view.visualRect(bench.index(ALIEN.path)).center()

    with qtbot.assertNotEmitted(bench.picker.draft_chosen):
        qtbot.mouseClick(bench.view.viewport(), Qt.MouseButton.LeftButton, pos=place)

    assert bench.picker.draft == FIRST.path


def test_arrow_keys_reach_every_row_and_choose_those_that_can_draft(qtbot: QtBot, bench: Bench) -> None:
    bench.show()
    assert bench.picker.draft is None, "showing the list chooses nothing"

    qtbot.keyClick(bench.view, Qt.Key.Key_Space)
    assert bench.picker.draft == FIRST.path
    qtbot.keyClick(bench.view, Qt.Key.Key_Down)
    assert bench.picker.draft == SECOND.path
    qtbot.keyClick(bench.view, Qt.Key.Key_Down)
    assert bench.view.currentIndex() == bench.index(ALIEN.path)
    assert bench.picker.draft == SECOND.path


def test_setting_a_draft_is_no_choice_by_the_person(qtbot: QtBot, bench: Bench) -> None:
    bench.show()

    with qtbot.assertNotEmitted(bench.picker.draft_chosen):
        bench.picker.set_draft(SECOND.path)

    assert bench.picker.candidate is not None
    assert bench.picker.candidate.model == SECOND


def test_the_choice_and_the_place_survive_a_change_of_the_library(bench: Bench) -> None:
    bench.show()
    bench.picker.set_draft(SECOND.path)
    bench.view.setCurrentIndex(bench.index(SECOND.path))

    bench.models.listing = Listing(models=(TARGET, SECOND))
    bench.library.refresh()
    bench.tasks.release_all()

    assert bench.picker.draft == SECOND.path
    assert bench.view.currentIndex() == bench.index(SECOND.path)


def test_a_draft_that_is_gone_stays_chosen_and_says_so(bench: Bench) -> None:
    bench.show()
    bench.picker.set_draft(FIRST.path)

    bench.models.listing = Listing(models=(TARGET, SECOND))
    bench.library.refresh()
    bench.tasks.release_all()

    assert bench.rows()[0] == "0.5b.gguf, it is no longer among your models"
    assert bench.picker.candidate is not None
    assert bench.picker.candidate.model is None


def test_without_any_that_can_draft_it_explains_what_one_would_be(bench: Bench) -> None:
    bench.show()
    assert bench.explanation().isHidden()

    bench.models.listing = Listing(models=(TARGET, ALIEN))
    bench.library.refresh()
    bench.tasks.release_all()

    assert not bench.explanation().isHidden()
    assert "smaller model of the same family" in bench.explanation().text()
    assert len(bench.rows()) == 2, "and the reasons are still there to read"


def test_every_kind_of_row_is_painted(bench: Bench, theme: Theme) -> None:
    bench.show()
    bench.picker.set_draft(Path("/m/gone.gguf"))
    bench.picker.resize(400, 400)

    picture = bench.picker.grab().toImage()

    assert not picture.isNull()
    blank = QImage(picture.size(), picture.format())
    blank.fill(picture.pixelColor(0, 0))
    assert picture != blank


def test_a_draft_can_be_looked_for_elsewhere_at_any_time(qtbot: QtBot, bench: Bench) -> None:
    bench.show()
    find = child(bench.picker, QAbstractButton, "find_draft_button")
    assert find.property("kind") == "quiet", "there are some that can draft"

    with qtbot.waitSignal(bench.picker.find_requested):
        qtbot.mouseClick(find, Qt.MouseButton.LeftButton)

    bench.models.listing = Listing(models=(TARGET, ALIEN))
    bench.library.refresh()
    bench.tasks.release_all()
    assert find.property("kind") == "plain"


def test_rows_say_what_those_that_can_draft_are_expected_to_gain(bench: Bench) -> None:
    bench.advisor.outlooks = {
        FIRST.path: ExpectedGain(1.3, 1.8, Grounds.ANSWERS, 12),
        SECOND.path: NoGain(3, 2.6, 1.5, Grounds.COSTS),
        ALIEN.path: ExpectedGain(9.0, 9.0, Grounds.SIZES),
    }
    bench.show()

    assert [row.split(", ")[2] for row in bench.rows()] == [
        "1.3–1.8× measured",
        "will not help here",
        "differs at token 139: 'a' and 'b'",
        "this is the model itself",
    ]
    bench.picker.resize(400, 400)
    assert not bench.picker.grab().toImage().isNull()


@pytest.mark.parametrize("is_chosen", [False, True])
def test_a_tag_has_its_own_ground_so_that_it_can_be_read_in_a_chosen_row_too(
    bench: Bench, theme: Theme, is_chosen: bool
) -> None:
    bench.advisor.outlooks = {SECOND.path: NoGain(3, 2.6, 1.5, Grounds.COSTS)}
    bench.picker.set_draft(SECOND.path if is_chosen else FIRST.path)
    bench.picker.resize(400, 400)
    bench.show()

    place = bench.view.visualRect(bench.index(SECOND.path))
    row = bench.view.viewport().grab(place).toImage()
    colours = [row.pixelColor(x, y) for x in range(row.width()) for y in range(row.height())]
    soft, panel = theme.colours.warning_soft, theme.colours.panel
    share = soft.alphaF()
    pairs = zip(soft.getRgb()[:3], panel.getRgb()[:3], strict=True)  # type: ignore[index]
    ground = [share * front + (1 - share) * behind for front, behind in pairs]
    alike = [
        colour
        for colour in colours
        if all(abs(a - b) <= 2 for a, b in zip(colour.getRgb()[:3], ground, strict=True))  # type: ignore[index]
    ]
    assert len(alike) > 300


def test_gains_are_asked_about_while_the_picker_is_shown(bench: Bench) -> None:
    bench.picker.outlooks.look_at()
    assert bench.tasks.waiting == 0

    bench.show()
    assert bench.picker.outlooks.of(FIRST.path) is not None
    assert bench.picker.outlooks.of(ALIEN.path) is None


def test_changed_files_may_gain_something_else(bench: Bench) -> None:
    bench.show()
    bench.advisor.outlooks = {FIRST.path: ExpectedGain(1.3, 1.8, Grounds.ANSWERS, 12)}

    bench.models.listing = Listing(models=(TARGET, FIRST))
    bench.library.refresh()
    bench.tasks.release_all()

    assert "1.3–1.8× measured" in bench.rows()[0]
