"""The machine's memory."""

import pytest
from pytestqt.qtbot import QtBot

from app.ui.memory_bar import MemoryBar, gigabytes, memory_text
from app.ui.theme import Theme
from app.ui.track import Segment
from tests.fakes.readings import machine_sample


@pytest.fixture
def bar(theme: Theme, qtbot: QtBot) -> MemoryBar:
    made = MemoryBar(theme)
    qtbot.addWidget(made)
    return made


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0, "0 MB"),
        (310_400_000, "310 MB"),
        (999_000_000, "999 MB"),
        (1_000_000_000, "1.0 GB"),
        (4_060_000_000, "4.1 GB"),
        (99_900_000_000, "99.9 GB"),
        (512_300_000_000, "512 GB"),
    ],
)
def test_sizes_are_short(count: int, text: str) -> None:
    assert memory_text(count) == text


def test_gigabytes_have_no_unit() -> None:
    assert gigabytes(23_000_000_000) == "23.0"


def test_engine_others_and_free_fill_the_bar(bar: MemoryBar) -> None:
    bar.show_sample(machine_sample(engine=4.6, peak=5.75, used=11.5, total=23.0))
    assert bar.figures == "engine 4.6 · 11.5 of 23.0 GB"
    assert bar.track.segments == (Segment(0.2, "accent"), Segment(0.3, "faint"))
    assert bar.track.mark == 0.25
    assert bar.accessibleDescription() == "engine 4.6 · 11.5 of 23.0 GB, the engine's peak is 5.8 GB"


def test_without_an_engine_there_is_no_part_and_no_peak(bar: MemoryBar) -> None:
    bar.show_sample(machine_sample(engine=4.6))
    bar.show_sample(machine_sample(engine=None, used=4.6))
    assert bar.figures == "used 4.6 of 23.0 GB"
    assert bar.track.segments == (Segment(0.0, "accent"), Segment(0.2, "faint"))
    assert bar.track.mark is None
    assert bar.accessibleDescription() == "used 4.6 of 23.0 GB"


def test_a_mapped_model_is_part_of_what_is_used(bar: MemoryBar) -> None:
    bar.show_sample(machine_sample(engine=4.6, droppable=4.6, used=2.3))
    assert bar.figures == "engine 4.6 · 6.9 of 23.0 GB"
    assert bar.track.segments == (Segment(0.2, "accent"), Segment(0.1, "faint"))


def test_a_small_engine_is_named_in_its_unit(bar: MemoryBar) -> None:
    bar.show_sample(machine_sample(engine=0.31, peak=0.35))
    assert bar.figures == "engine 310 MB · 7.9 of 23.0 GB"
