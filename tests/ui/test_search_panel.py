"""The left side of Discover, as a person uses it."""

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractButton, QLabel, QLineEdit
from pytestqt.qtbot import QtBot

from app.models.hub import FoundModel, SortOrder
from app.models.hub_problems import HubError, HubProblem
from app.models.hub_query import Repository
from app.ui.chips import Chip
from app.ui.hub_trouble import HubTrouble
from app.ui.icons import Icons
from app.ui.search_delegate import SearchDelegate
from app.ui.search_panel import SearchPanel
from app.ui.search_view import SearchView
from app.ui.tasks import Tasks
from app.ui.theme import Theme
from tests.fakes.children import child
from tests.fakes.held_tasks import HeldTasks
from tests.fakes.scripted_hub import ScriptedHub, found_model
from tests.fakes.tasks import ImmediateTasks


class Opened:
    """A panel on the screen, with what it asked for."""

    def __init__(self, theme: Theme, icons: Icons, tasks: Tasks, hub: ScriptedHub, qtbot: QtBot) -> None:
        self.hub = hub
        self.qtbot = qtbot
        self.panel = SearchPanel(theme, icons, tasks, hub)
        self.opened: list[str] = []
        self.named: list[object] = []
        self.panel.opened.connect(self._open)
        self.panel.named.connect(self.named.append)
        qtbot.addWidget(self.panel)
        self.panel.resize(400, 600)
        self.panel.show()
        self.field = child(self.panel, QLineEdit, "search_field")
        self.view = child(self.panel, SearchView, "search_results")

    def _open(self, found: FoundModel) -> None:
        self.opened.append(found.repo)

    @property
    def rows(self) -> list[str]:
        """What is written in the list, while that is to be seen."""
        model = self.view.model()
        return (
            [model.index(row, 0).data() for row in range(model.rowCount())] if self.view.isVisible() else []
        )

    @property
    def is_dimmed(self) -> bool:
        delegate = self.view.itemDelegate()
        assert isinstance(delegate, SearchDelegate)
        return delegate.is_dimmed

    @property
    def asked(self) -> list[tuple[str, SortOrder]]:
        """The searches, without their later pages."""
        return [(call.subject, call.order) for call in self.hub.calls if call.page == 1]

    def type(self, text: str) -> None:
        self.field.clear()
        self.qtbot.keyClicks(self.field, text)

    def press(self, key: Qt.Key) -> None:
        self.qtbot.keyClick(self.field, key)

    def click(self, name: str) -> None:
        self.qtbot.mouseClick(child(self.panel, QAbstractButton, name), Qt.MouseButton.LeftButton)

    def text(self, name: str) -> str:
        found = child(self.panel, QLabel, name)
        return found.text() if found.isVisible() else ""


@pytest.fixture
def hub() -> ScriptedHub:
    """Three models of a family, and one of another."""
    made = ScriptedHub()
    made.list_results(
        found_model("Qwen/Qwen-7B-GGUF", downloads=300, likes=1),
        found_model("Qwen/Qwen-1B-GGUF", downloads=500, likes=3),
        found_model("bartowski/Qwen-14B-GGUF", downloads=100, likes=2),
        found_model("google/gemma-GGUF", downloads=900, likes=0),
    )
    return made


@pytest.fixture
def opened(
    theme: Theme, icons: Icons, immediate_tasks: ImmediateTasks, hub: ScriptedHub, qtbot: QtBot
) -> Iterator[Opened]:
    """A panel whose questions are answered at once."""
    made = Opened(theme, icons, immediate_tasks, hub, qtbot)
    yield made
    made.panel.close()


@pytest.fixture
def held(theme: Theme, icons: Icons, hub: ScriptedHub, qtbot: QtBot) -> Iterator[tuple[Opened, HeldTasks]]:
    """A panel whose questions wait for an answer."""
    tasks = HeldTasks()
    made = Opened(theme, icons, tasks, hub, qtbot)
    yield made, tasks
    made.panel.close()


class TestTheFirstVisit:
    def test_nothing_is_asked_before_the_page_is_seen(self, opened: Opened) -> None:
        assert opened.hub.calls == []

    def test_then_it_shows_what_is_downloaded_most(self, opened: Opened) -> None:
        opened.panel.begin()
        assert opened.rows[0] == "gemma-GGUF"
        assert opened.text("search_caption") == "Most downloaded on Hugging Face"
        opened.panel.begin()
        assert opened.asked == [("", SortOrder.DOWNLOADS)]

    def test_words_that_were_put_there_before_are_searched_for_instead(self, opened: Opened) -> None:
        opened.panel.set_words("gemma")
        assert opened.hub.calls == []
        opened.panel.begin()
        assert opened.asked == [("gemma", SortOrder.BEST_MATCH)]


class TestSearching:
    def test_it_searches_when_the_typing_pauses(self, opened: Opened) -> None:
        opened.type("gem ma")
        assert opened.asked == []
        opened.qtbot.waitUntil(lambda: opened.asked == [("gem ma", SortOrder.BEST_MATCH)])

    def test_enter_searches_at_once_and_only_once(self, opened: Opened) -> None:
        opened.type("  qwen   7b ")
        opened.press(Qt.Key.Key_Return)
        opened.press(Qt.Key.Key_Return)
        assert opened.asked == [("qwen 7b", SortOrder.BEST_MATCH)]
        assert opened.rows == ["Qwen-7B-GGUF"]
        assert opened.text("search_caption") == ""

    def test_escape_clears_the_field(self, opened: Opened) -> None:
        opened.type("gemma")
        opened.press(Qt.Key.Key_Escape)
        assert opened.field.text() == ""
        opened.press(Qt.Key.Key_Return)
        assert opened.asked == [("", SortOrder.DOWNLOADS)]

    def test_the_cross_in_the_field_clears_it(self, opened: Opened) -> None:
        cross = child(opened.panel, QAction, "clear_search_field")
        assert not cross.isVisible()
        opened.type("gemma")
        assert cross.isVisible()
        cross.trigger()
        assert opened.field.text() == ""

    def test_a_chip_sorts_anew(self, opened: Opened) -> None:
        opened.panel.search_for("qwen")
        opened.click("search_order_likes")
        assert opened.asked[-1] == ("qwen", SortOrder.LIKES)
        assert opened.rows[:3] == ["Qwen-1B-GGUF", "Qwen-14B-GGUF", "Qwen-7B-GGUF"]
        assert child(opened.panel, Chip, "search_order_likes").isChecked()

    def test_nothing_found_says_what_to_try(self, opened: Opened) -> None:
        opened.panel.search_for("xyz")
        assert opened.text("search_message") == "Nothing found for “xyz”."
        assert "GGUF" in opened.text("search_message_text")

    def test_results_of_before_stay_dimmed_until_others_come(self, held: tuple[Opened, HeldTasks]) -> None:
        opened, tasks = held
        opened.panel.search_for("gemma")
        assert opened.text("search_message") == "Searching…"
        tasks.release_all()
        opened.panel.search_for("qwen")
        assert (opened.rows[0], opened.is_dimmed) == ("gemma-GGUF", True)
        tasks.release_all()
        assert (opened.rows[0], opened.is_dimmed) == ("Qwen-7B-GGUF", False)

    def test_it_says_that_it_searches_after_a_failure_too(self, held: tuple[Opened, HeldTasks]) -> None:
        opened, tasks = held
        opened.hub.fail("search")
        opened.panel.search_for("qwen")
        tasks.release_all()
        assert opened.panel.has_failed
        opened.click("search_trouble_retry_button")
        assert opened.text("search_message") == "Searching…"


class TestTrouble:
    def test_no_network_is_said_and_the_search_goes_on_when_tried_again(self, opened: Opened) -> None:
        opened.hub.fail("search")
        opened.panel.search_for("qwen")
        assert opened.text("search_trouble_title") == "No connection to Hugging Face"
        assert "models on this computer keep working" in opened.text("search_trouble_sentence")
        opened.click("search_trouble_retry_button")
        assert opened.rows[0] == "Qwen-7B-GGUF"

    def test_coming_back_to_the_page_tries_again(self, opened: Opened) -> None:
        opened.hub.fail("search")
        opened.panel.begin()
        assert opened.rows == []
        opened.panel.begin()
        assert opened.rows[0] == "gemma-GGUF"

    def test_what_will_not_pass_is_not_asked_for_again_by_itself(self, opened: Opened) -> None:
        opened.hub.fail("search", HubError(HubProblem.OFFLINE_MODE, "HF_HUB_OFFLINE is set."))
        opened.panel.begin()
        opened.panel.begin()
        assert opened.asked == [("", SortOrder.DOWNLOADS)]

    def test_what_is_told_of_one_repository_is_not_told_here_as_well(self, opened: Opened) -> None:
        opened.panel.search_for("qwen")
        opened.hub.fail("search", HubError(HubProblem.HIDDEN, "nobody/nothing does not exist."))
        opened.type("nobody/nothing")
        opened.press(Qt.Key.Key_Return)
        assert opened.text("search_message") == "Nothing found for “nobody/nothing”."
        assert not child(opened.panel, HubTrouble, "search_trouble").isVisible()
        assert opened.rows == []
        assert opened.named == [Repository("nobody/nothing")]

    def test_an_address_where_no_model_is_is_said_and_not_tried_again(self, opened: Opened) -> None:
        opened.hub.fail("search", HubError(HubProblem.NOT_FOUND, "This is the address of a data set."))
        opened.panel.search_for("https://huggingface.co/datasets/a/b")
        assert opened.text("search_trouble_sentence") == "This is the address of a data set."
        assert not child(opened.panel, QAbstractButton, "search_trouble_retry_button").isVisible()

    def test_results_of_before_give_way_to_an_error(self, opened: Opened) -> None:
        opened.panel.search_for("qwen")
        opened.hub.fail("search")
        opened.panel.search_for("gemma")
        assert opened.rows == []
        assert child(opened.panel, HubTrouble, "search_trouble").isVisible()

    def test_a_fault_of_the_program_does_not_leave_it_searching(self, opened: Opened) -> None:
        opened.hub.fail("search", TypeError("a mistake"))
        with pytest.raises(TypeError):
            opened.panel.search_for("qwen")
        assert opened.panel.has_failed
        assert "Something in Slipstream went wrong" in opened.text("search_trouble_sentence")


class TestMorePages:
    @pytest.fixture
    def hub(self) -> ScriptedHub:
        made = ScriptedHub(page_size=20)
        made.list_results(*(found_model(f"someone/model-{number:02}") for number in range(50)))
        return made

    def test_they_come_as_the_reader_scrolls(self, opened: Opened) -> None:
        opened.panel.search_for("model")
        assert len(opened.rows) == 20
        bar = opened.view.verticalScrollBar()
        bar.setValue(bar.maximum() - 10)
        assert len(opened.rows) == 40
        bar.setValue(bar.maximum())
        bar.setValue(bar.maximum())
        assert opened.rows[-1] == "Those are all 50."
        assert opened.hub.asked("search") == ["model"] * 3

    def test_a_window_that_is_not_full_asks_for_more(self, opened: Opened) -> None:
        opened.panel.resize(400, 2000)
        opened.panel.search_for("model")
        assert len(opened.rows) >= 40

    def test_one_that_fails_is_tried_again_by_its_row(self, opened: Opened) -> None:
        opened.panel.search_for("model")
        opened.hub.fail("search")
        bar = opened.view.verticalScrollBar()
        bar.setValue(bar.maximum())
        assert opened.rows[-1] == "The rest did not come. Retry"
        assert len(opened.rows) == 21
        opened.view.scrollToBottom()
        place = opened.view.visualRect(opened.view.model().index(20, 0)).center()
        opened.qtbot.mouseClick(opened.view.viewport(), Qt.MouseButton.LeftButton, pos=place)
        assert len(opened.rows) == 40
        assert opened.opened == []


class TestOpening:
    def click_second(self, opened: Opened, click: Callable[..., None]) -> None:
        place = opened.view.visualRect(opened.view.model().index(1, 0)).center()
        click(opened.view.viewport(), Qt.MouseButton.LeftButton, pos=place)

    def test_a_click_opens_at_once(self, opened: Opened) -> None:
        opened.panel.search_for("qwen")
        self.click_second(opened, opened.qtbot.mouseClick)
        assert opened.opened == ["Qwen/Qwen-1B-GGUF"]

    def test_what_is_open_is_opened_again_by_a_click_or_enter(self, opened: Opened) -> None:
        """It may have changed on the hub."""
        opened.panel.search_for("qwen")
        self.click_second(opened, opened.qtbot.mouseClick)
        self.click_second(opened, opened.qtbot.mouseClick)
        assert opened.opened == ["Qwen/Qwen-1B-GGUF"] * 2
        opened.qtbot.keyClick(opened.view, Qt.Key.Key_Return)
        assert opened.opened == ["Qwen/Qwen-1B-GGUF"] * 3

    def test_a_double_click_opens_once(self, opened: Opened) -> None:
        opened.panel.search_for("qwen")
        self.click_second(opened, opened.qtbot.mouseClick)
        for act in (opened.qtbot.mouseDClick, opened.qtbot.mouseRelease):
            self.click_second(opened, act)
        assert opened.opened == ["Qwen/Qwen-1B-GGUF"]

    def test_a_press_that_takes_long_opens_once(self, opened: Opened) -> None:
        opened.panel.search_for("qwen")
        self.click_second(opened, opened.qtbot.mousePress)
        opened.qtbot.waitUntil(lambda: bool(opened.opened))
        self.click_second(opened, opened.qtbot.mouseRelease)
        assert opened.opened == ["Qwen/Qwen-1B-GGUF"]

    def test_the_arrow_keys_open_what_they_rest_on(self, opened: Opened) -> None:
        opened.panel.search_for("qwen")
        for _ in range(3):
            opened.press(Qt.Key.Key_Down)
        opened.press(Qt.Key.Key_Up)
        assert opened.opened == []
        opened.qtbot.waitUntil(lambda: opened.opened == ["Qwen/Qwen-1B-GGUF"])
        assert opened.field.text() == "qwen"

    def test_what_is_open_is_marked_in_later_results_and_not_opened_again(self, opened: Opened) -> None:
        opened.panel.mark_opened("qwen/qwen-1b-gguf")
        opened.panel.search_for("qwen")
        assert opened.view.currentIndex().data() == "Qwen-1B-GGUF"
        opened.panel.search_for("gemma")
        assert not opened.view.currentIndex().isValid()
        assert opened.opened == []

    def test_the_name_of_a_repository_opens_it_on_enter(self, opened: Opened) -> None:
        opened.type("google/gemma-GGUF")
        opened.press(Qt.Key.Key_Return)
        assert [str(named.repo) for named in opened.named] == ["google/gemma-GGUF"]  # type: ignore[attr-defined]

    def test_a_name_that_is_being_typed_opens_nothing(self, opened: Opened) -> None:
        opened.type("google/gemma")
        opened.qtbot.waitUntil(lambda: opened.asked == [("google/gemma", SortOrder.BEST_MATCH)])
        assert opened.named == []

    def test_an_address_opens_its_repository_by_itself(self, opened: Opened) -> None:
        opened.field.setText("https://huggingface.co/google/gemma-GGUF/tree/main")
        opened.qtbot.waitUntil(lambda: len(opened.named) == 1)

    @pytest.mark.parametrize("mirror", ["https://mirror.example/hub", "http://127.0.0.1:8080/"])
    def test_an_address_of_the_mirror_in_use_does_too(
        self, mirror: str, opened: Opened, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("HF_ENDPOINT", mirror)
        opened.field.setText(f"{mirror.rstrip('/')}/google/gemma-GGUF/tree/main")
        opened.qtbot.waitUntil(lambda: opened.named == [Repository("google/gemma-GGUF")])
