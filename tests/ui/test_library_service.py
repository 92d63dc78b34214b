"""The library that follows the disk and the settings."""

from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event

import pytest
from pytestqt.qtbot import QtBot

from app.models.header_index import HeaderIndex
from app.models.library import Listing, LocalLibrary, LocalModel
from app.models.model_deletion import Deletion
from app.ui.library_service import LibraryService
from app.ui.tasks import Tasks
from tests.fakes.held_tasks import HeldTasks
from tests.fakes.library_places import Places
from tests.fakes.tiny_gguf import truncate_file


@pytest.fixture
def threaded(tmp_path: Path, qtbot: QtBot) -> Iterator[Places]:
    """The same with work done in threads."""
    made = Places(tmp_path, Tasks(threads=2))
    yield made
    made.close()


def told(library: LibraryService) -> list[Listing]:
    """The listings that are told from now on."""
    seen: list[Listing] = []
    library.listing_changed.connect(seen.append)
    return seen


class TestLooking:
    def test_nothing_is_listed_before_the_first_look(self, places: Places) -> None:
        places.put("m.gguf")
        assert not places.library.has_looked
        assert places.library.listing == Listing()

    def test_a_look_tells_what_is_there(self, places: Places) -> None:
        path, listings = places.put("m.gguf"), told(places.library)
        places.library.refresh()
        assert places.library.has_looked
        assert places.listed() == [path]
        assert listings == [places.library.listing]

    def test_nothing_new_is_not_told_again(self, places: Places, qtbot: QtBot) -> None:
        places.put("m.gguf")
        places.library.refresh()
        listings = told(places.library)
        with qtbot.waitSignal(places.library.looked):
            places.library.refresh()
        assert listings == []

    def test_even_an_empty_folder_is_told_once(self, places: Places) -> None:
        listings = told(places.library)
        places.library.refresh()
        places.library.refresh()
        assert len(listings) == 1

    def test_a_model_is_found_by_any_of_its_files(self, places: Places) -> None:
        path = places.put("m.gguf")
        places.library.refresh()
        found = places.library.find(path)
        assert isinstance(found, LocalModel)
        assert found.path == path
        assert places.library.find(path.with_name("other.gguf")) is None

    def test_progress_is_told(self, threaded: Places, qtbot: QtBot) -> None:
        threaded.put("m.gguf")
        with qtbot.waitSignal(threaded.library.progressed) as signal:
            threaded.library.refresh()
        assert signal.args == [0, 1]
        qtbot.waitUntil(lambda: threaded.library.has_looked)

    def test_a_wish_during_a_look_becomes_one_more_look(
        self, threaded: Places, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        going, go_on = Event(), Event()
        looks = []
        scan = LocalLibrary.scan

        def slow(library: LocalLibrary, *arguments: object, **options: object) -> Listing:
            looks.append(arguments)
            going.set()
            assert go_on.wait(60)
            return scan(library, *arguments, **options)  # type: ignore[arg-type]

        monkeypatch.setattr(LocalLibrary, "scan", slow)
        listed: list[list[Path]] = []
        threaded.library.looked.connect(lambda: listed.append(threaded.listed()))
        threaded.library.refresh()
        assert going.wait(60)
        path = threaded.put("late.gguf")
        for _ in range(5):
            threaded.library.refresh()
        go_on.set()
        qtbot.waitUntil(lambda: bool(listed))
        assert listed == [[path]], "it is told once all is seen that was there when a look was wanted"
        assert len(looks) == 2
        with qtbot.waitSignal(threaded.library.looked):
            threaded.library.refresh()
        assert len(looks) == 3

    def test_following_growth_wants_no_look_while_one_is_under_way(
        self, tmp_path: Path, qtbot: QtBot
    ) -> None:
        tasks = HeldTasks()
        places = Places(tmp_path, tasks)
        looked: list[bool] = []
        places.library.looked.connect(lambda: looked.append(True))
        places.library.follow_growth(True)
        places.library._poll.setInterval(1)
        qtbot.wait(20)
        places.library._poll.stop()
        tasks.release()
        assert (looked, tasks.waiting) == ([True], 0)
        places.close()

    def test_what_is_told_of_files_is_made_once_for_each_listing(self, places: Places) -> None:
        places.put("m.gguf")
        places.library.refresh()
        files = places.library.files
        places.library.refresh()
        assert places.library.files is files
        places.put("n.gguf")
        places.library.refresh()
        assert places.library.files is not files


class TestFollowingTheDisk:
    def test_a_new_file_is_noticed(self, threaded: Places, qtbot: QtBot) -> None:
        threaded.put("publisher/model/first.gguf")
        threaded.library.refresh()
        qtbot.waitUntil(lambda: len(threaded.listed()) == 1)
        second = threaded.put("publisher/model/second.gguf")
        qtbot.waitUntil(lambda: second in threaded.listed())

    def test_so_is_a_file_in_a_new_folder(self, threaded: Places, qtbot: QtBot) -> None:
        threaded.library.refresh()
        qtbot.waitUntil(lambda: threaded.library.has_looked)
        path = threaded.put("publisher/model/first.gguf")
        qtbot.waitUntil(lambda: threaded.listed() == [path])

    def test_so_is_one_that_goes(self, threaded: Places, qtbot: QtBot) -> None:
        path = threaded.put("m.gguf")
        threaded.library.refresh()
        qtbot.waitUntil(lambda: threaded.listed() == [path])
        path.unlink()
        qtbot.waitUntil(lambda: threaded.listed() == [])

    def test_one_that_grows_is_noticed_while_somebody_looks(
        self, places: Places, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = places.put("m.gguf")
        whole = path.read_bytes()
        truncate_file(path, 0.5)
        places.library._poll.setInterval(1)
        places.library.follow_growth(True)
        assert [file.path for file in places.library.listing.unusable] == [path]
        with path.open("r+b") as file:
            file.write(whole)
        qtbot.waitUntil(lambda: places.listed() == [path])
        places.library.follow_growth(False)
        assert not places.library._poll.isActive()

    def test_nothing_is_followed_after_the_end(self, places: Places, qtbot: QtBot) -> None:
        places.library.refresh()
        places.library.close()
        listings = told(places.library)
        places.put("m.gguf")
        places.library.refresh()
        places.library.follow_growth(True)
        assert listings == []
        assert not places.library._poll.isActive()


class TestFollowingTheSettings:
    def test_a_folder_is_added_and_removed(self, places: Places) -> None:
        ours, theirs = places.put("a.gguf"), places.put("b.gguf", managed=False)
        places.library.refresh()
        assert places.library.add_folder(places.other)
        assert places.listed() == [ours, theirs]
        assert [model.managed for model in places.library.listing.models] == [True, False]
        assert not places.library.add_folder(places.other)
        assert not places.library.add_folder(places.managed)
        places.library.remove_folder(places.other)
        assert places.listed() == [ours]

    def test_another_models_folder(self, places: Places) -> None:
        places.put("a.gguf")
        path = places.put("b.gguf", managed=False)
        places.library.refresh()
        places.preferences.update(models_folder=places.other)
        assert places.library.models_folder == places.other
        assert [(model.path, model.managed) for model in places.library.listing.models] == [(path, True)]

    def test_a_look_at_the_old_folders_is_dropped(
        self, threaded: Places, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        threaded.put("old.gguf")
        path = threaded.put("new.gguf", managed=False)
        going, go_on = Event(), Event()
        scan = LocalLibrary.scan

        def slow(
            library: LocalLibrary, folders: tuple[Path, ...], managed: Path, **options: Callable[..., object]
        ) -> Listing:
            if managed == threaded.managed:
                going.set()
                assert go_on.wait(60)
            return scan(library, folders, managed, **options)  # type: ignore[arg-type]

        monkeypatch.setattr(LocalLibrary, "scan", slow)
        listings = told(threaded.library)
        threaded.library.refresh()
        assert going.wait(60)
        threaded.preferences.update(models_folder=threaded.other)
        qtbot.waitUntil(lambda: threaded.listed() == [path])
        go_on.set()
        threaded.tasks.finish()
        assert [[model.path for model in listing.models] for listing in listings] == [[path]]

    def test_hidden_files_are_not_listed(self, places: Places) -> None:
        path = places.put("a.gguf")
        broken = truncate_file(places.put("b.gguf"), 0.5)
        places.library.refresh()
        places.library.hide(places.library.listing.models[0])
        assert places.listed() == []
        assert places.library.find(path) is None
        places.library.hide(places.library.listing.unusable[0])
        assert places.library.listing.unusable == ()
        assert places.library.hidden_count == 2
        assert path.exists()
        assert places.preferences.settings.hidden_files == (path, broken)
        places.library.show_hidden()
        assert places.listed() == [path]
        assert places.library.hidden_count == 0

    def test_a_file_that_comes_anew_is_listed_again_at_once(self, places: Places) -> None:
        path, other = places.put("a.gguf"), places.put("b.gguf")
        places.library.refresh()
        for model in places.library.listing.models:
            places.library.hide(model)
        path.unlink()
        places.library.refresh()
        places.put("a.gguf")
        places.library.unhide([path])
        assert places.listed() == [path]
        assert places.preferences.settings.hidden_files == (other,)

    def test_nothing_hidden_is_just_a_look(self, places: Places, qtbot: QtBot) -> None:
        places.library.refresh()
        path = places.put("a.gguf")
        with qtbot.assertNotEmitted(places.preferences.changed):
            places.library.unhide([path])
        assert places.listed() == [path]


class TestDeleting:
    def test_what_would_go_is_told_before(self, places: Places) -> None:
        path = places.put("publisher/m/a.gguf")
        places.library.refresh()
        plans: list[Deletion] = []
        places.library.plan_deletion(places.library.listing.models[0], plans.append)
        assert plans == [Deletion((path,), path.stat().st_size)]

    def test_file_folder_and_row_go(self, places: Places) -> None:
        places.put("publisher/m/a.gguf")
        places.library.refresh()
        ends: list[str] = []
        places.library.delete(places.library.listing.models[0], ends.append)
        assert ends == [""]
        assert places.listed() == []
        assert list(places.managed.iterdir()) == []

    def test_a_failure_is_a_sentence(self, places: Places, monkeypatch: pytest.MonkeyPatch) -> None:
        path = places.put("m.gguf")
        places.library.refresh()

        def refuse(*_: object, **__: object) -> None:
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr(Path, "unlink", refuse)
        ends: list[str] = []
        places.library.delete(places.library.listing.models[0], ends.append)
        assert ends == [f"{path} could not be deleted: Permission denied."]
        assert places.listed() == [path]


def test_several_services_may_share_an_index(tmp_path: Path, qtbot: QtBot) -> None:
    """As the window and its advisor do."""
    index = HeaderIndex(tmp_path / "index")
    places = Places(tmp_path)
    path = places.put("m.gguf")
    LocalLibrary(index).scan((), places.managed)
    assert HeaderIndex(tmp_path / "index").read(path).path == path
    places.close()
