"""Searching the hub from the window: pages when they are wanted, and never an answer to an older question."""

from threading import Event

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from app.models.hub import FoundModel, SortOrder
from app.models.hub_problems import HubError, HubProblem
from app.ui.hub_search import HubSearch
from app.ui.tasks import Tasks
from tests.fakes.held_tasks import HeldTasks
from tests.fakes.scripted_hub import ScriptedHub, found_model
from tests.fakes.tasks import ImmediateTasks


class Heard:
    """What a search has told."""

    def __init__(self, search: HubSearch) -> None:
        self.pages: list[tuple[list[str], bool]] = []
        self.failures: list[tuple[HubProblem, bool]] = []
        self.ends = 0
        search.page_received.connect(self._page)
        search.failed.connect(self._failure)
        search.ended.connect(self._end)

    def _page(self, page: tuple[FoundModel, ...], first: bool) -> None:
        self.pages.append(([found.name for found in page], first))

    def _failure(self, error: HubError, first: bool) -> None:
        self.failures.append((error.problem, first))

    def _end(self) -> None:
        self.ends += 1


@pytest.fixture
def hub() -> ScriptedHub:
    """Finds models a to e, two on a page."""
    made = ScriptedHub(page_size=2)
    made.list_results(*(found_model(f"someone/{letter}") for letter in "abcde"))
    return made


def test_pages_come_one_by_one_when_asked_for(hub: ScriptedHub, immediate_tasks: ImmediateTasks) -> None:
    search = HubSearch(hub, immediate_tasks)
    heard = Heard(search)
    search.begin("someone", SortOrder.BEST_MATCH)
    assert heard.pages == [(["a", "b"], True)]
    search.more()
    search.more()
    assert heard.pages[1:] == [(["c", "d"], False), (["e"], False)]
    assert heard.ends == 0
    search.more()
    assert heard.ends == 1
    search.more()
    assert (len(heard.pages), heard.ends) == (3, 1)


def test_nothing_found_is_an_empty_first_page(hub: ScriptedHub, immediate_tasks: ImmediateTasks) -> None:
    search = HubSearch(hub, immediate_tasks)
    heard = Heard(search)
    search.begin("xyz", SortOrder.BEST_MATCH)
    assert (heard.pages, heard.ends) == ([([], True)], 1)


def test_a_page_with_nothing_on_it_is_passed_over(hub: ScriptedHub, immediate_tasks: ImmediateTasks) -> None:
    hub.script_search("x", [[], [found_model("x/1")], [], [found_model("x/2")]])
    search = HubSearch(hub, immediate_tasks)
    heard = Heard(search)
    search.begin("x", SortOrder.BEST_MATCH)
    search.more()
    assert heard.pages == [(["1"], True), (["2"], False)]


def test_an_answer_to_an_earlier_search_is_dropped(hub: ScriptedHub) -> None:
    tasks = HeldTasks()
    search = HubSearch(hub, tasks)
    heard = Heard(search)
    search.begin("someone/a", SortOrder.BEST_MATCH)
    search.begin("someone/b", SortOrder.BEST_MATCH)
    tasks.release_all()
    assert heard.pages == [(["b"], True)]


def test_no_second_page_is_asked_for_while_one_is_on_its_way(hub: ScriptedHub) -> None:
    tasks = HeldTasks()
    search = HubSearch(hub, tasks)
    search.begin("someone", SortOrder.BEST_MATCH)
    tasks.release_all()
    search.more()
    search.more()
    assert (tasks.waiting, search.is_busy) == (1, True)


def test_a_failed_page_is_asked_for_again_and_none_comes_twice(
    hub: ScriptedHub, immediate_tasks: ImmediateTasks
) -> None:
    search = HubSearch(hub, immediate_tasks)
    heard = Heard(search)
    search.begin("someone", SortOrder.BEST_MATCH)
    hub.fail("search")
    search.more()
    assert heard.failures == [(HubProblem.NO_NETWORK, False)]
    search.again()
    assert [names for names, _ in heard.pages] == [["a", "b"], ["c", "d"]]


def test_a_search_that_fails_at_once_says_so_and_can_be_tried_again(
    hub: ScriptedHub, immediate_tasks: ImmediateTasks
) -> None:
    hub.fail("search")
    search = HubSearch(hub, immediate_tasks)
    heard = Heard(search)
    search.begin("someone", SortOrder.BEST_MATCH)
    assert (heard.failures, heard.pages) == ([(HubProblem.NO_NETWORK, True)], [])
    search.again()
    assert heard.pages == [(["a", "b"], True)]


def test_a_fault_of_the_program_ends_the_search_and_is_not_hidden(
    hub: ScriptedHub, immediate_tasks: ImmediateTasks
) -> None:
    hub.fail("search", TypeError("a mistake"))
    search = HubSearch(hub, immediate_tasks)
    heard = Heard(search)
    with pytest.raises(TypeError, match="a mistake"):
        search.begin("someone", SortOrder.BEST_MATCH)
    assert (heard.failures, search.is_busy) == ([(HubProblem.FAULT, True)], False)
    search.again()
    assert heard.pages == [(["a", "b"], True)]


def test_one_thread_at_a_time_takes_pages(hub: ScriptedHub, tasks: Tasks, qtbot: QtBot) -> None:
    """The scripted hub notices where two do."""
    search = HubSearch(hub, tasks)
    heard = Heard(search)
    search.page_received.connect(search.more)
    for words in ("someone/a", "someone/b", "someone"):
        search.begin(words, SortOrder.LIKES)
    qtbot.waitUntil(lambda: heard.ends == 1)
    assert [name for names, _ in heard.pages for name in names] == list("abcde")


def test_searches_that_nobody_waits_for_any_more_are_not_made(hub: ScriptedHub, qtbot: QtBot) -> None:
    """With all threads busy, the last of several searches is the next that is asked for."""
    free = Event()
    tasks = Tasks(threads=1)
    tasks.run(hub_owner := QObject(), lambda: free.wait(5), lambda _: None)
    search = HubSearch(hub, tasks)
    for words in ("so", "some", "someone"):
        search.begin(words, SortOrder.BEST_MATCH)
    with qtbot.waitSignal(search.page_received):
        free.set()
    assert hub.asked("search") == ["someone"]
    tasks.finish()
    del hub_owner
