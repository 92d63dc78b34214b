"""The search for drafts on the hub: what is asked, in what order, and what is dropped."""

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.core.compatibility import Incompatible, Rule
from app.core.errors import FileProblem, ModelFileError
from app.models.draft_facts import Outlook, facts_of_hub
from app.models.hub import HubModel
from app.models.hub_problems import HubError, HubProblem
from app.ui.draft_search import (
    Checked,
    Checking,
    DoesNotFit,
    DraftSearch,
    Failed,
    Found,
    Hopeless,
    Idle,
    Looking,
    NotChecked,
    SearchState,
    Unusable,
    Verdict,
)
from tests.fakes.advisor import FakeAdvisor
from tests.fakes.draft_hub import DRAFT, SECOND, TARGET, THIRD, DraftHub, repository
from tests.fakes.held_tasks import HeldTasks
from tests.fakes.tiny_gguf import truncate_file

UNFIT = Incompatible(Rule.TEXT, 152_064, 151_936, "a", "b", 139)


class Bench:
    def __init__(self, folder: Path, *, check_all: bool = False) -> None:
        self.hub = DraftHub(folder)
        self.advisor = FakeAdvisor()
        self.tasks = HeldTasks()
        self.search = DraftSearch(self.hub, self.advisor, self.tasks, check_all=check_all)

    def begin(self, model: HubModel = TARGET) -> None:
        self.search.begin(facts_of_hub(model), lambda: self.hub.header(model, model.models[0]))

    def unfit(self, *models: HubModel) -> None:
        self.advisor.answers |= {self.hub.header_of(model): UNFIT for model in models}

    @property
    def verdicts(self) -> list[Verdict]:
        return [finding.verdict for finding in self.search.findings]

    def state(self) -> SearchState:
        return self.search.state

    @property
    def current(self) -> str:
        assert self.search.current is not None
        return self.search.current.suggestion.model.repo


@pytest.fixture
def bench(qtbot: QtBot, tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def test_first_it_looks_then_it_checks_the_likeliest(bench: Bench) -> None:
    assert bench.state() == Idle()
    bench.begin()
    assert bench.state() == Looking()

    bench.tasks.release()
    assert bench.verdicts == [Checking(), NotChecked(), NotChecked()]
    assert bench.current == DRAFT.repo

    bench.tasks.release_all()
    assert bench.verdicts == [Checked(), NotChecked(), NotChecked()], "one that fits is enough"
    assert len(bench.hub.asked("header")) == 2, "the target's and the draft's"


def test_what_does_not_fit_gives_way_to_the_next(bench: Bench) -> None:
    bench.unfit(DRAFT)

    bench.begin()
    bench.tasks.release_all()

    assert bench.verdicts == [DoesNotFit(UNFIT), Checked(), NotChecked()]
    assert bench.current == SECOND.repo


def test_in_the_end_none_may_fit(bench: Bench) -> None:
    bench.unfit(DRAFT, SECOND, THIRD)

    bench.begin()
    bench.tasks.release_all()

    assert bench.verdicts == [DoesNotFit(UNFIT)] * 3
    assert bench.search.current is None


def test_all_can_be_checked(qtbot: QtBot, tmp_path: Path) -> None:
    bench = Bench(tmp_path, check_all=True)
    bench.unfit(SECOND)

    bench.begin()
    bench.tasks.release_all()

    assert bench.verdicts == [Checked(), DoesNotFit(UNFIT), Checked()]


def test_a_chosen_one_is_offered_and_checked_next(bench: Bench) -> None:
    bench.begin()
    bench.tasks.release_all()

    bench.search.choose(bench.search.findings[2].suggestion)
    assert bench.current == THIRD.repo
    bench.tasks.release_all()

    assert bench.verdicts == [Checked(), NotChecked(), Checked()]


def test_a_draft_with_a_broken_header_is_unusable(bench: Bench) -> None:
    truncate_file(bench.hub.header_of(DRAFT), 100)

    bench.begin()
    bench.tasks.release_all()

    assert isinstance(bench.verdicts[0], Unusable)
    assert bench.current == SECOND.repo


def test_without_the_targets_header_all_are_likely_and_none_is_asked_for(bench: Bench) -> None:
    def broken() -> Path:
        raise ModelFileError(Path("/m/a.gguf"), FileProblem.DAMAGED, "a.gguf is damaged.")

    bench.search.begin(facts_of_hub(TARGET), broken)
    bench.tasks.release_all()

    assert bench.verdicts == [NotChecked("a.gguf is damaged.")] * 3
    assert bench.hub.asked("header") == []
    assert bench.current == DRAFT.repo


OF_ONE = [
    HubProblem.GATED,
    HubProblem.UNAUTHORISED,
    HubProblem.FORBIDDEN,
    HubProblem.NOT_FOUND,
    HubProblem.CHANGED,
    HubProblem.NOT_THE_ANSWER,
    HubProblem.BAD_NAME,
]


def first_file(model: HubModel) -> str:
    return f"{model.repo}/{model.models[0].files[0].path}"


@pytest.mark.parametrize("problem", OF_ONE)
def test_what_one_repository_refuses_says_nothing_about_the_others(
    problem: HubProblem, qtbot: QtBot, tmp_path: Path
) -> None:
    bench = Bench(tmp_path, check_all=True)
    bench.hub.fail("header", HubError(problem, "Not this one."), subject=first_file(DRAFT))

    bench.begin()
    bench.tasks.release_all()

    assert bench.verdicts == [NotChecked("Not this one."), Checked(), Checked()]
    bench.search.again()
    bench.tasks.release_all()
    assert bench.verdicts == [Checked()] * 3


def test_one_that_is_gated_gives_way_to_the_next(bench: Bench) -> None:
    bench.hub.fail("header", HubError(HubProblem.GATED, "Accept its licence."), subject=first_file(DRAFT))

    bench.begin()
    bench.tasks.release()
    bench.tasks.release()
    assert bench.verdicts == [NotChecked("Accept its licence."), Checking(), NotChecked()]
    assert bench.current == SECOND.repo, "nothing has gone wrong with that one yet"

    bench.tasks.release_all()
    assert bench.verdicts == [NotChecked("Accept its licence."), Checked(), NotChecked()]


@pytest.mark.parametrize("problem", OF_ONE)
def test_whatever_keeps_the_targets_header_away_all_stay_likely(problem: HubProblem, bench: Bench) -> None:
    bench.hub.fail("header", HubError(problem, "Not the target."), subject=first_file(TARGET))

    bench.begin()
    bench.tasks.release_all()

    assert bench.verdicts == [NotChecked("Not the target.")] * 3
    assert bench.hub.asked("header") == [first_file(TARGET)]
    assert bench.current == DRAFT.repo


def test_a_line_that_drops_later_leaves_what_is_known(bench: Bench) -> None:
    bench.unfit(DRAFT)
    bench.hub.fail("header", HubError(HubProblem.RATE_LIMITED, "Later."), subject=first_file(SECOND))

    bench.begin()
    bench.tasks.release_all()

    assert bench.verdicts == [DoesNotFit(UNFIT), NotChecked("Later."), NotChecked("Later.")]
    assert first_file(THIRD) not in bench.hub.asked("header")


def test_a_dropped_line_leaves_them_likely_until_asked_again(bench: Bench) -> None:
    bench.hub.fail("header")
    bench.begin()
    bench.tasks.release_all()
    assert all(isinstance(verdict, NotChecked) and verdict.sentence for verdict in bench.verdicts)

    bench.search.again()
    bench.tasks.release_all()
    assert bench.verdicts[0] == Checked()


def test_a_search_that_failed_can_be_repeated(bench: Bench) -> None:
    bench.hub.fail("search")
    bench.begin()
    bench.tasks.release_all()
    state = bench.state()
    assert isinstance(state, Failed)
    assert "network" in state.sentence

    bench.search.again()
    bench.tasks.release_all()
    assert isinstance(bench.state(), Found)


def test_a_hopeless_search_asks_nobody(bench: Bench) -> None:
    bench.begin(repository("Qwen/Qwen2.5-0.5B-Instruct-GGUF", 0.494, 491_000_000))

    assert bench.state() == Hopeless(Outlook.TOO_SMALL)
    assert bench.tasks.waiting == 0
    assert bench.hub.calls == []


def test_what_an_older_search_brings_is_dropped(bench: Bench) -> None:
    other = repository("bartowski/Meta-Llama-3.1-8B-Instruct-GGUF", 8.03, 4_900_000_000)
    bench.begin()
    bench.begin(other)

    bench.tasks.release_all()

    assert bench.state() == Found(())
    assert "Qwen2.5-Coder-0.5B" not in bench.hub.asked("search"), "nobody waits for that any more"


def test_stopped_it_forgets_all(bench: Bench) -> None:
    bench.begin()
    bench.tasks.release()
    bench.search.stop()

    bench.tasks.release_all()

    assert bench.state() == Idle()
    assert bench.search.current is None
    assert bench.hub.asked("header") == []
