"""What loading takes, item by item, beside what is free."""

import pytest
from PySide6.QtCore import QTimer
from pytestqt.qtbot import QtBot

from app.core.estimate import MemoryEstimate
from app.ui.memory_card import MemoryCard
from app.ui.theme import Theme
from app.ui.track import Track
from tests.fakes.advisor import memory

GB = 1_000_000_000
ALONE = MemoryEstimate(memory(3 * GB, GB // 2, GB // 2), None, certain=True)
WITH_DRAFT = MemoryEstimate(ALONE.target, memory(GB // 2, GB // 20), certain=True)


class Machine:
    """How much is free."""

    def __init__(self, free: int) -> None:
        self.free = free

    def __call__(self) -> int:
        return self.free


def card_of(
    qtbot: QtBot, theme: Theme, free: int, loaded: int | None = None
) -> tuple[MemoryCard, Machine, Track]:
    machine = Machine(free)
    card = MemoryCard(theme, loaded, machine)
    qtbot.addWidget(card)
    bar = card.findChild(Track, "memory_bar")
    assert bar is not None
    return card, machine, bar


def test_items_of_a_target_and_its_draft(qtbot: QtBot, theme: Theme) -> None:
    card, _, bar = card_of(qtbot, theme, 10 * GB)
    card.show_estimate(WITH_DRAFT)

    assert card.words == (
        "4.55 GB of 10.0 GB free\n"
        "Target 3.00 GB · target's cache 500 MB · draft 500 MB · draft's cache 50.0 MB · buffers 500 MB"
    )
    assert [(segment.role, segment.share) for segment in bar.segments] == [
        ("chart_1", 0.3),
        ("chart_2", 0.05),
        ("chart_3", 0.05),
        ("chart_5", 0.005),
        ("chart_4", 0.05),
    ]
    assert not card.is_too_much


def test_without_a_draft_there_is_none_in_the_list(qtbot: QtBot, theme: Theme) -> None:
    card, _, _ = card_of(qtbot, theme, 10 * GB)
    card.show_estimate(ALONE)

    assert card.words == "4.00 GB of 10.0 GB free\nTarget 3.00 GB · target's cache 500 MB · buffers 500 MB"


def test_too_much_is_a_warning_with_both_figures(qtbot: QtBot, theme: Theme) -> None:
    card, _, _ = card_of(qtbot, theme, 2 * GB)
    card.show_estimate(ALONE)

    assert card.is_too_much
    assert "Needs 4.00 GB, and 2.00 GB is free." in card.words


def test_what_fits_once_the_loaded_model_is_ejected_is_not_too_much(qtbot: QtBot, theme: Theme) -> None:
    card, _, bar = card_of(qtbot, theme, 2 * GB, loaded=6 * GB)
    card.show_estimate(ALONE)

    assert not card.is_too_much
    assert "4.00 GB of 2.00 GB free" in card.words
    assert "After Eject of the loaded model: 8.00 GB free" in card.words
    assert bar.mark == 0.25, "what is free now, on a bar of what will be"


def test_too_much_even_after_eject(qtbot: QtBot, theme: Theme) -> None:
    card, _, _ = card_of(qtbot, theme, 2 * GB, loaded=GB)
    card.show_estimate(ALONE)

    assert card.is_too_much
    assert "Needs 4.00 GB, and 3.00 GB will be free after Eject." in card.words


def test_what_is_unknown_is_said_and_is_no_refusal(qtbot: QtBot, theme: Theme) -> None:
    card, _, _ = card_of(qtbot, theme, 10 * GB)
    card.show_estimate(MemoryEstimate(memory(3 * GB, None), None, certain=False))

    assert "at least 3.00 GB of 10.0 GB free" in card.words
    assert "target's cache –" in card.words
    assert "Not all of it can be told: the file lacks the attention heads." in card.words
    assert "The processor is not fully known" in card.words
    assert not card.is_too_much


def test_an_estimate_that_failed_says_why(qtbot: QtBot, theme: Theme) -> None:
    card, _, bar = card_of(qtbot, theme, 10 * GB)
    card.show_estimate(ALONE)
    card.show_failure("The file is damaged.")

    assert card.words == "10.0 GB free\nThe file is damaged."
    assert bar.segments == ()
    assert not card.is_too_much


def test_free_memory_is_followed_while_shown(qtbot: QtBot, theme: Theme) -> None:
    card, machine, _ = card_of(qtbot, theme, 10 * GB)
    (timer,) = card.findChildren(QTimer)
    card.show_estimate(ALONE)
    card.show()
    assert timer.isActive()

    machine.free = GB
    with qtbot.waitSignal(card.fit_changed):
        timer.timeout.emit()

    assert card.is_too_much
    card.hide()
    assert not timer.isActive()


@pytest.mark.parametrize("width", [300, 900])
def test_the_legend_takes_as_many_lines_as_it_needs(qtbot: QtBot, theme: Theme, width: int) -> None:
    card, _, _ = card_of(qtbot, theme, 10 * GB)
    card.show_estimate(WITH_DRAFT)
    card.resize(width, 300)
    card.show()

    legend = card.legend
    assert legend.height() >= legend.heightForWidth(legend.width()) > 0
    assert (legend.heightForWidth(legend.width()) > 18) is (width == 300)
