"""The line that says what the chosen source of drafts is expected to gain."""

from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from app.core.options import DraftLength, SpeculationMode, SpeculationOptions
from app.core.pair_expectation import ExpectedGain, Grounds, NoGain, RuleOfThumb
from app.models.library import Listing
from app.ui.outlooks import Outlooks
from app.ui.pair_outlook import PairOutlook
from app.ui.theme import Theme
from tests.fakes.advisor import FakeAdvisor
from tests.fakes.children import child
from tests.fakes.held_tasks import HeldTasks
from tests.fakes.load_dialogs import DRAFT as CHOSEN
from tests.fakes.load_dialogs import DRAFTING
from tests.fakes.load_dialogs import Bench as DialogBench
from tests.fakes.local_models import local_model

DRAFT = Path("/m/0.5b.gguf")
WITH_DRAFT = SpeculationOptions(mode=SpeculationMode.DRAFT_MODEL)
LOOKUP = SpeculationOptions(mode=SpeculationMode.PROMPT_LOOKUP)


class Bench:
    def __init__(self, qtbot: QtBot) -> None:
        self.advisor, self.tasks = FakeAdvisor(), HeldTasks()
        self.outlooks = Outlooks(Path("/m/7b.gguf"), self.advisor, self.tasks)
        self.part = PairOutlook(self.outlooks)
        qtbot.addWidget(self.part)
        self.advisor.outlooks = {
            DRAFT: ExpectedGain(1.3, 1.8, Grounds.ANSWERS, 12),
            None: ExpectedGain(1.0, 3.2, Grounds.COSTS),
        }

    @property
    def line(self) -> QLabel:
        return child(self.part, QLabel, "pair_outlook")


@pytest.fixture
def bench(qtbot: QtBot) -> Bench:
    return Bench(qtbot)


def test_it_takes_no_room_before_anything_is_known(bench: Bench) -> None:
    bench.part.show_choice(WITH_DRAFT, DRAFT)

    assert bench.part.isHidden()


def test_it_tells_of_the_chosen_draft_once_that_is_known(bench: Bench) -> None:
    bench.part.show_choice(WITH_DRAFT, DRAFT)
    bench.outlooks.look_at(DRAFT)
    bench.tasks.release_all()

    assert not bench.part.isHidden()
    assert "1.3–1.8×" in bench.line.text()
    assert bench.line.property("tone") == "text"


def test_lookup_is_asked_about_when_it_is_chosen(bench: Bench) -> None:
    bench.part.show_choice(WITH_DRAFT, None)
    assert bench.tasks.waiting == 0

    bench.part.show_choice(LOOKUP, None)
    bench.tasks.release_all()

    assert "up to 3.2×" in bench.line.text()


@pytest.mark.parametrize(("options", "draft"), [(SpeculationOptions(), DRAFT), (WITH_DRAFT, None)])
def test_with_nothing_chosen_there_is_nothing_to_say(
    bench: Bench, options: SpeculationOptions, draft: Path | None
) -> None:
    bench.outlooks.look_at(DRAFT, None)
    bench.tasks.release_all()
    bench.part.show_choice(LOOKUP, None)
    bench.part.show_choice(options, draft)

    assert bench.part.isHidden()


def test_what_cannot_pay_is_a_warning(bench: Bench) -> None:
    bench.advisor.outlooks[DRAFT] = NoGain(3, 2.6, 1.5, Grounds.COSTS)
    bench.outlooks.look_at(DRAFT)
    bench.tasks.release_all()
    bench.part.show_choice(WITH_DRAFT, DRAFT)

    assert bench.line.text().startswith("Will not help on this machine")
    assert bench.line.property("tone") == "warning"


def test_a_rule_of_thumb_is_left_to_others(bench: Bench) -> None:
    bench.advisor.outlooks[DRAFT] = RuleOfThumb()
    bench.outlooks.look_at(DRAFT)
    bench.tasks.release_all()
    bench.part.show_choice(WITH_DRAFT, DRAFT)

    assert bench.part.isHidden()


def test_a_fixed_length_is_told_what_it_gains_itself(bench: Bench) -> None:
    bench.advisor.fixed_outlooks = {
        3: ExpectedGain(0.8, 1.4, Grounds.COSTS),
        7: ExpectedGain(0.6, 0.9, Grounds.COSTS),
    }
    fixed = replace(LOOKUP, draft_length=DraftLength.FIXED)
    bench.part.show_choice(fixed, None)
    bench.tasks.release_all()
    assert "0.8–1.4×" in bench.line.text()

    bench.part.show_choice(replace(fixed, max_draft_tokens=7), None)
    bench.tasks.release_all()
    assert bench.line.text().startswith("Likely slower here: 0.6–0.9×")
    assert bench.line.property("tone") == "warning"

    bench.part.show_choice(LOOKUP, None)
    bench.tasks.release_all()
    assert "up to 3.2×" in bench.line.text()


def test_of_numbers_that_do_not_hold_together_nothing_is_told(bench: Bench) -> None:
    bench.part.show_choice(LOOKUP, None)
    bench.tasks.release_all()
    bench.part.show_choice(replace(LOOKUP, draft_length=DraftLength.FIXED, max_draft_tokens=0), None)
    bench.tasks.release_all()

    assert bench.part.isHidden()


class TestInTheLoadDialog:
    @pytest.fixture
    def dialogs(self, qtbot: QtBot, theme: Theme, tmp_path: Path) -> DialogBench:
        return DialogBench(qtbot, theme, tmp_path)

    def test_the_saved_draft_is_told_of(self, dialogs: DialogBench) -> None:
        dialogs.advisor.outlooks[CHOSEN.path] = ExpectedGain(1.3, 1.8, Grounds.ANSWERS, 12)
        dialogs.open(DRAFTING)

        assert "1.3–1.8×" in dialogs.text("pair_outlook")
        assert dialogs.part(QLabel, "pair_outlook").isVisible()

    def test_the_settings_on_the_page_count(self, dialogs: DialogBench) -> None:
        dialogs.open(DRAFTING)
        dialogs.type("cpu_threads_field", "3")

        assert dialogs.advisor.foreseen[-1][0] == CHOSEN.path
        assert dialogs.advisor.foreseen[-1][1].threads == 3

    def test_so_does_the_length_while_it_is_typed(self, dialogs: DialogBench) -> None:
        dialogs.advisor.fixed_outlooks = {
            3: ExpectedGain(1.2, 1.6, Grounds.COSTS),
            16: ExpectedGain(0.5, 1.9, Grounds.COSTS),
        }
        fixed = replace(DRAFTING.speculation, draft_length=DraftLength.FIXED)
        dialogs.open(replace(DRAFTING, speculation=fixed))
        assert "1.2–1.6×" in dialogs.text("pair_outlook")

        dialogs.type("max_draft_tokens_field", "16")
        assert "0.5–1.9×" in dialogs.text("pair_outlook")

    def test_a_rule_of_thumb_is_told_only_where_nothing_more_is_known(self, dialogs: DialogBench) -> None:
        small = local_model("1.5b", path=Path("/m/1.5b.gguf"), parameters=1_540_000_000)
        dialogs.models.listing = Listing(models=(small, CHOSEN))
        dialogs.library.refresh()
        dialogs.open(DRAFTING, model=small)
        assert "as a rule of thumb" in dialogs.text("speculation_note")

        dialogs.dialog.close()
        dialogs.advisor.outlooks[CHOSEN.path] = ExpectedGain(1.1, 1.4, Grounds.SIZES)
        dialogs.open(DRAFTING, model=small)
        assert "as a rule of thumb" not in dialogs.text("speculation_note")
