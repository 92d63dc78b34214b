"""Models are looked at one by one, and again when files change."""

from pathlib import Path

import pytest
from msgspec.structs import replace
from pytestqt.qtbot import QtBot

from app.core.advice import DraftSize
from app.core.compatibility import Incompatible, Rule
from app.models.library import Listing
from app.ui.draft_candidates import Identifying, OtherVocabulary, Suitable, Unreadable, Verdict
from app.ui.draft_checks import DraftChecks
from app.ui.library_service import LibraryService
from tests.fakes.advisor import FakeAdvisor
from tests.fakes.held_tasks import HeldTasks
from tests.fakes.listed_models import ListedModels, library_of, preferences_in
from tests.fakes.local_models import local_model

TARGET = local_model("7b", path=Path("/m/7b.gguf"), parameters=7_600_000_000, size_bytes=4_700_000_000)
FIRST = local_model("0.5b", path=Path("/m/0.5b.gguf"), parameters=500_000_000, size_bytes=470_000_000)
SECOND = local_model("1b", path=Path("/m/1b.gguf"), parameters=1_200_000_000, size_bytes=900_000_000)
UNFIT = Incompatible(Rule.TEXT, 10, 10, "a", "b", 139)


class Bench:
    """A library with a target and two other models, and the checks over it."""

    def __init__(self, folder: Path) -> None:
        self.models = ListedModels(TARGET, SECOND, FIRST)
        self.library: LibraryService = library_of(self.models, preferences_in(folder), folder)
        self.advisor = FakeAdvisor({SECOND.path: UNFIT})
        self.tasks = HeldTasks()
        self.checks = DraftChecks(TARGET, self.library, self.advisor, self.tasks)

    def change(self, listing: Listing) -> None:
        self.models.listing = listing
        self.library.refresh()

    def verdicts(self) -> dict[str, Verdict]:
        return {row.path.name: row.verdict for row in self.checks.candidates if row.path != TARGET.path}


@pytest.fixture
def bench(qtbot: QtBot, tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def test_nothing_is_read_before_it_is_wanted(bench: Bench) -> None:
    assert bench.tasks.waiting == 0
    assert bench.verdicts() == {"0.5b.gguf": Identifying(), "1b.gguf": Identifying()}


def test_one_file_at_a_time_the_best_size_first(bench: Bench) -> None:
    bench.checks.start()
    assert bench.tasks.waiting == 1

    bench.tasks.release()
    assert bench.verdicts() == {"0.5b.gguf": Suitable(DraftSize.SUITS), "1b.gguf": Identifying()}

    bench.tasks.release()
    assert bench.verdicts() == {"0.5b.gguf": Suitable(DraftSize.SUITS), "1b.gguf": OtherVocabulary(UNFIT)}
    assert bench.tasks.waiting == 0
    assert bench.advisor.compared == [FIRST.path, SECOND.path], "and never the target with itself"


def test_a_file_that_cannot_be_read_is_told_and_the_others_go_on(bench: Bench) -> None:
    bench.advisor.answers[FIRST.path] = "0.5b.gguf is damaged."
    bench.checks.start()
    bench.tasks.release_all()

    assert bench.verdicts() == {
        "0.5b.gguf": Unreadable("0.5b.gguf is damaged."),
        "1b.gguf": OtherVocabulary(UNFIT),
    }


def test_only_what_changed_on_the_disk_is_looked_at_again(bench: Bench) -> None:
    bench.checks.start()
    bench.tasks.release_all()
    bench.advisor.compared.clear()
    bench.advisor.answers.clear()

    bench.change(Listing(models=(TARGET, FIRST, replace(SECOND, modified=SECOND.modified + 1))))
    assert bench.verdicts()["1b.gguf"] == Identifying()
    bench.tasks.release_all()

    assert bench.advisor.compared == [SECOND.path]
    assert bench.verdicts()["1b.gguf"] == Suitable(DraftSize.SUITS)


def test_another_target_in_its_place_makes_every_answer_stale(bench: Bench) -> None:
    bench.checks.start()
    bench.tasks.release_all()
    bench.advisor.compared.clear()

    bench.change(Listing(models=(replace(TARGET, modified=1.0), FIRST, SECOND)))
    bench.tasks.release_all()

    assert bench.advisor.compared == [FIRST.path, SECOND.path]


def test_an_answer_on_a_file_that_changed_meanwhile_is_dropped(bench: Bench) -> None:
    bench.checks.start()
    bench.change(Listing(models=(TARGET, replace(FIRST, modified=1.0), SECOND)))

    bench.tasks.release()
    assert bench.advisor.compared == [], "the first question was taken back"
    bench.tasks.release_all()

    assert bench.verdicts()["0.5b.gguf"] == Suitable(DraftSize.SUITS)


def test_no_more_files_are_read_once_nobody_looks(bench: Bench) -> None:
    bench.checks.start()
    bench.checks.stop()
    bench.tasks.release_all()

    assert bench.advisor.compared == []

    bench.checks.start()
    bench.tasks.release_all()
    assert bench.advisor.compared == [FIRST.path, SECOND.path]


def test_every_one_of_two_hundred_models_is_looked_at_once(qtbot: QtBot, tmp_path: Path) -> None:
    many = [replace(FIRST, info=replace(FIRST.info, path=Path(f"/m/{n}.gguf"))) for n in range(200)]
    bench = Bench(tmp_path)
    bench.change(Listing(models=(TARGET, *many)))
    bench.checks.start()
    bench.tasks.release_all()

    assert all(isinstance(verdict, Suitable) for verdict in bench.verdicts().values())
    assert len(bench.advisor.compared) == 200
