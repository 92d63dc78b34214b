"""Expected gains are asked one after the other, and anew when settings or files change."""

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.core.errors import FileProblem, ModelFileError
from app.core.options import LoadOptions
from app.core.pair_expectation import DraftLengths, ExpectedGain, Grounds, PairExpectation
from app.ui.outlooks import Outlooks
from tests.fakes.advisor import FakeAdvisor
from tests.fakes.held_tasks import HeldTasks

TARGET, FIRST, SECOND = Path("/m/7b.gguf"), Path("/m/0.5b.gguf"), Path("/m/1b.gguf")
MEASURED = ExpectedGain(1.3, 1.8, Grounds.ANSWERS, 12)
GUESSED = ExpectedGain(1.0, 1.4, Grounds.SIZES)


class Foreseeing(FakeAdvisor):
    """Files in `broken` cannot be read."""

    def __init__(self) -> None:
        super().__init__()
        self.broken: set[Path | None] = set()
        self.fault: Exception | None = None

    def expectation(
        self, target: Path, draft: Path | None, options: LoadOptions, lengths: DraftLengths
    ) -> PairExpectation:
        assert target == TARGET
        if self.fault is not None:
            raise self.fault
        if draft in self.broken:
            self.foreseen.append((draft, options))
            raise ModelFileError(draft or TARGET, FileProblem.DAMAGED, "It is damaged.")
        return super().expectation(target, draft, options, lengths)


class Bench:
    def __init__(self) -> None:
        self.advisor, self.tasks = Foreseeing(), HeldTasks()
        self.outlooks = Outlooks(TARGET, self.advisor, self.tasks)
        self.changes = 0
        self.advisor.outlooks = {FIRST: MEASURED, SECOND: GUESSED}
        self.outlooks.outlook_changed.connect(self._count)

    def _count(self) -> None:
        self.changes += 1

    @property
    def drafts(self) -> list[Path | None]:
        return [draft for draft, _ in self.advisor.foreseen]


@pytest.fixture
def bench(qtbot: QtBot) -> Bench:
    return Bench()


def test_one_after_the_other_in_the_order_wanted(bench: Bench) -> None:
    bench.outlooks.look_at(FIRST, SECOND)
    assert bench.tasks.waiting == 1
    assert bench.outlooks.of(FIRST) is None

    bench.tasks.release()
    assert (bench.outlooks.of(FIRST), bench.outlooks.of(SECOND)) == (MEASURED, None)
    assert bench.changes == 1

    bench.tasks.release_all()
    assert bench.outlooks.of(SECOND) == GUESSED
    assert bench.drafts == [FIRST, SECOND]


def test_what_is_known_is_not_asked_again(bench: Bench) -> None:
    bench.outlooks.look_at(FIRST)
    bench.tasks.release_all()
    bench.outlooks.look_at(FIRST, SECOND)
    bench.tasks.release_all()

    assert bench.drafts == [FIRST, SECOND]


def test_prompt_lookup_has_a_place_of_its_own(bench: Bench) -> None:
    bench.advisor.outlooks[None] = GUESSED
    bench.outlooks.look_at(None)
    bench.tasks.release_all()

    assert bench.outlooks.of(None) == GUESSED


def test_other_settings_are_asked_about_while_the_old_answer_stays(bench: Bench) -> None:
    bench.outlooks.look_at(FIRST)
    bench.tasks.release_all()
    bench.advisor.outlooks[FIRST] = GUESSED

    bench.outlooks.set_load(LoadOptions(threads=3))
    assert bench.outlooks.of(FIRST) == MEASURED

    bench.tasks.release_all()
    assert bench.outlooks.of(FIRST) == GUESSED
    assert bench.advisor.foreseen[-1] == (FIRST, LoadOptions(threads=3))


def test_so_is_another_length(bench: Bench) -> None:
    bench.outlooks.look_at(FIRST)
    bench.tasks.release_all()
    bench.advisor.fixed_outlooks = {3: GUESSED}

    bench.outlooks.set_lengths(DraftLengths(3, is_fixed=True))
    bench.tasks.release_all()
    assert bench.outlooks.of(FIRST) == GUESSED

    bench.outlooks.set_lengths(DraftLengths())
    bench.tasks.release_all()
    assert bench.outlooks.of(FIRST) == MEASURED


def test_the_same_settings_are_no_new_question(bench: Bench) -> None:
    bench.outlooks.look_at(FIRST)
    bench.tasks.release_all()
    bench.outlooks.set_load(LoadOptions())
    bench.outlooks.set_lengths(DraftLengths())

    assert bench.tasks.waiting == 0


def test_an_answer_to_older_settings_is_dropped(bench: Bench) -> None:
    bench.outlooks.look_at(FIRST)
    bench.outlooks.set_load(LoadOptions(threads=3))

    bench.tasks.release()
    assert bench.outlooks.of(FIRST) is None

    bench.tasks.release()
    assert bench.outlooks.of(FIRST) == MEASURED
    assert [load.threads for _, load in bench.advisor.foreseen] == [0, 3]
    assert bench.tasks.waiting == 0


def test_changed_files_are_looked_at_again_and_the_same_answer_is_no_news(bench: Bench) -> None:
    bench.outlooks.look_at(FIRST)
    bench.tasks.release_all()
    bench.outlooks.refresh()
    bench.tasks.release_all()

    assert bench.drafts == [FIRST, FIRST]
    assert bench.changes == 1


def test_of_a_file_that_cannot_be_read_nothing_is_known_and_the_others_go_on(bench: Bench) -> None:
    bench.outlooks.look_at(FIRST, SECOND)
    bench.tasks.release_all()
    bench.advisor.broken = {FIRST}
    bench.outlooks.refresh()
    bench.tasks.release_all()

    assert (bench.outlooks.of(FIRST), bench.outlooks.of(SECOND)) == (None, GUESSED)


def test_any_other_fault_is_the_programs(bench: Bench) -> None:
    bench.advisor.fault = ZeroDivisionError()
    bench.outlooks.look_at(FIRST)
    with pytest.raises(ZeroDivisionError):
        bench.tasks.release_all()
