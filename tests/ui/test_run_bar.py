"""Run, Stop, and how far a comparison is."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.core.experiment import PlannedRun
from app.ui.comparison_state import ComparisonState, Phase
from app.ui.icons import Icons
from app.ui.run_bar import RunBar
from app.ui.theme import Theme
from app.ui.track import Track
from app.ui.widgets import ElidedLabel

WORDS = {"off": "Off", "draft max 5": "Draft Model · max 5"}
THIRD = ComparisonState(Phase.RUNNING, PlannedRun("draft max 5", "code-one", 1), 2, 10, 44.2)


class Bench:
    """A bar on the screen."""

    def __init__(self, qtbot: QtBot, theme: Theme, icons: Icons) -> None:
        self.bar = RunBar(theme, icons)
        qtbot.addWidget(self.bar)
        self.bar.resize(600, 40)
        self.bar.show()

    def show(self, state: ComparisonState, *, with_prompt: bool = False) -> None:
        self.bar.show_state(state, WORDS.__getitem__, with_prompt=with_prompt)

    def button(self, name: str) -> QPushButton:
        found = self.bar.findChild(QPushButton, name)
        assert isinstance(found, QPushButton)
        return found

    def label(self, name: str) -> QLabel:
        found = self.bar.findChild(QLabel, name)
        assert isinstance(found, QLabel)
        return found

    def box(self, name: str) -> QComboBox:
        found = self.bar.findChild(QComboBox, name)
        assert isinstance(found, QComboBox)
        return found

    @property
    def line(self) -> str:
        found = self.label("run_line")
        assert isinstance(found, ElidedLabel)
        return found.whole_text if found.isVisible() else ""

    @property
    def share(self) -> float:
        found = self.bar.findChild(Track, "run_progress")
        assert isinstance(found, Track)
        return found.segments[0].share


@pytest.fixture
def bench(qtbot: QtBot, theme: Theme, icons: Icons) -> Bench:
    return Bench(qtbot, theme, icons)


def entries(box: QComboBox) -> list[str]:
    return [box.itemText(row) for row in range(box.count())]


def test_five_repeats_of_ninety_six_tokens_are_the_usual_ones(bench: Bench) -> None:
    assert (bench.bar.repeats, bench.bar.max_tokens) == (5, 96)
    assert bench.box("repeats_box").currentText() == "Repeat 5"
    assert bench.box("answer_length_box").currentText() == "96 tokens"


def test_all_choices_are_there(bench: Bench) -> None:
    assert entries(bench.box("repeats_box")) == [f"Repeat {count}" for count in range(1, 11)]
    assert entries(bench.box("answer_length_box")) == [
        f"{count} tokens" for count in (32, 64, 96, 128, 256, 512)
    ]


def test_a_choice_outlasts_a_run(bench: Bench) -> None:
    bench.box("repeats_box").setCurrentIndex(9)
    bench.box("answer_length_box").setCurrentIndex(0)
    bench.show(THIRD)
    bench.show(ComparisonState())

    assert (bench.bar.repeats, bench.bar.max_tokens) == (10, 32)


def test_run_asks_for_a_run_and_stop_for_its_end(qtbot: QtBot, bench: Bench) -> None:
    with qtbot.waitSignal(bench.bar.run_requested):
        qtbot.mouseClick(bench.button("run_button"), Qt.MouseButton.LeftButton)
    bench.show(THIRD)
    assert not bench.button("run_button").isVisible()

    with qtbot.waitSignal(bench.bar.stop_requested):
        qtbot.mouseClick(bench.button("stop_run_button"), Qt.MouseButton.LeftButton)


def test_escape_stops_while_it_runs(qtbot: QtBot, bench: Bench) -> None:
    bench.bar.activateWindow()
    with qtbot.assertNotEmitted(bench.bar.stop_requested):
        qtbot.keyClick(bench.bar, Qt.Key.Key_Escape)
    bench.show(THIRD)

    with qtbot.waitSignal(bench.bar.stop_requested):
        qtbot.keyClick(bench.bar, Qt.Key.Key_Escape)


def test_a_run_says_which_of_how_many_what_it_is_and_how_long_it_takes(bench: Bench) -> None:
    bench.show(THIRD)

    assert bench.line == "Run 3 of 10 · Draft Model · max 5"
    assert bench.label("time_left").text() == "45 s left"
    assert bench.share == pytest.approx(0.2)
    assert not bench.box("repeats_box").isVisible(), "nothing can be chosen meanwhile"


def test_where_there_are_several_the_prompt_is_named(bench: Bench) -> None:
    bench.show(THIRD, with_prompt=True)

    assert bench.line == "Run 3 of 10 · code-one · Draft Model · max 5"


def test_before_the_first_answer_has_ended_no_time_is_told(bench: Bench) -> None:
    bench.show(ComparisonState(Phase.RUNNING, PlannedRun("off", "code-one", 0), 0, 10))

    assert bench.line == "Run 1 of 10 · Off"
    assert not bench.label("time_left").isVisible()


@pytest.mark.parametrize(
    ("phase", "words"),
    [
        (Phase.LOADING_DRAFT, "Loading the draft model…"),
        (Phase.WARMING_UP, "Warming up…"),
        (Phase.WEIGHING, "Looking at the differences…"),
        (Phase.STOPPING, "Stopping…"),
    ],
)
def test_what_is_no_run_is_told_in_words_alone(bench: Bench, phase: Phase, words: str) -> None:
    bench.show(ComparisonState(phase, PlannedRun("off", "code-one", 0), 4, 10, 12.0))

    assert bench.line == words
    assert not bench.label("time_left").isVisible()
    assert bench.button("stop_run_button").isEnabled() is (phase is not Phase.STOPPING)


def test_a_reason_stands_where_the_choices_were_and_nothing_can_be_run(bench: Bench) -> None:
    bench.bar.set_reason("Load a model to compare.")

    assert bench.label("run_reason").text() == "Load a model to compare."
    assert bench.label("run_reason").isVisible()
    assert not bench.button("run_button").isEnabled()
    assert bench.button("run_button").accessibleDescription() == "Load a model to compare."

    bench.bar.set_reason("")

    assert bench.button("run_button").isEnabled()
    assert bench.box("repeats_box").isVisible()


def test_while_it_runs_progress_goes_before_a_reason(bench: Bench) -> None:
    bench.bar.set_reason("A comparison is running.")
    bench.show(THIRD)

    assert bench.line
    assert not bench.label("run_reason").isVisible()


def test_nothing_moves_when_a_run_begins(bench: Bench) -> None:
    before = bench.bar.sizeHint(), bench.button("run_button").width()
    bench.show(THIRD)

    assert (bench.bar.sizeHint(), bench.button("stop_run_button").width()) == before


def test_the_focus_stays_on_the_button_that_is_there(qtbot: QtBot, bench: Bench) -> None:
    bench.bar.activateWindow()
    bench.button("run_button").setFocus()
    bench.show(THIRD)
    assert bench.bar.focusWidget() is bench.button("stop_run_button")

    bench.show(ComparisonState())

    assert bench.bar.focusWidget() is bench.button("run_button")


def test_bars_of_one_window_have_names_of_their_own(qtbot: QtBot, theme: Theme, icons: Icons) -> None:
    made = RunBar(theme, icons, "suite_")
    qtbot.addWidget(made)

    assert made.objectName() == "suite_run_bar"
    assert made.findChild(QWidget, "suite_run_button") is not None


def test_a_bar_may_begin_with_fewer_repeats(qtbot: QtBot, theme: Theme, icons: Icons) -> None:
    made = RunBar(theme, icons, repeats=2)
    qtbot.addWidget(made)

    assert made.repeats == 2


def test_a_warm_up_tells_how_much_of_the_prompt_is_read(bench: Bench) -> None:
    bench.show(ComparisonState(Phase.WARMING_UP, PlannedRun("off", "code-one", 0), 0, 10, read=0.4))

    assert bench.line == "Warming up… 40 % of the prompt are read"
