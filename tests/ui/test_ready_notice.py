"""What is said of downloads that have come."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton
from pytestqt.qtbot import QtBot

from app.models.download import Transferring
from app.models.hub import HubModel
from app.models.library import LocalModel
from app.ui.icons import Icons
from app.ui.notice import Notice
from app.ui.ready_notice import ReadyNotice
from app.ui.session_state import Empty, Running, Setup
from app.ui.theme import Theme
from tests.fakes.children import child
from tests.fakes.draft_hub import DRAFT, SECOND, TARGET, THIRD
from tests.fakes.listed_downloads import ListedDownloads
from tests.fakes.listed_models import ListedModels, library_of, preferences_in
from tests.fakes.local_models import local_model
from tests.fakes.scripted_hub import hub_model, remote_model
from tests.fakes.setups import drafted_setup, loaded, plain_setup


def path_of(model: HubModel) -> Path:
    return Path("/models") / model.models[0].files[0].name


def setup_of(target: HubModel, draft: HubModel | None = None) -> Setup:
    setup = plain_setup() if draft is None else drafted_setup()
    used = None if draft is None else local_model(path=path_of(draft))
    return replace(setup, target=local_model(path=path_of(target)), draft=used)


class Bench:
    """A notice over downloads that come when the test says so."""

    def __init__(self, qtbot: QtBot, theme: Theme, icons: Icons, folder: Path) -> None:
        self.qtbot = qtbot
        self.notice = Notice(theme, icons)
        qtbot.addWidget(self.notice)
        self.models = ListedModels()
        self.library = library_of(self.models, preferences_in(folder), folder)
        self.downloads = ListedDownloads()
        self.ready = ReadyNotice(self.downloads.service, self.library, self.notice)
        self.downloads.service.download_finished.connect(self.ready.add)
        self.loads: list[Path] = []
        self.ready.load_requested.connect(self.loads.append)

    def finish(self, *models: HubModel) -> None:
        """These have come, and no others are in the list."""
        self.downloads.finish(*models)

    def list_models(self, *models: LocalModel) -> None:
        self.models.listing = replace(self.models.listing, models=models)
        self.library.refresh()

    def press(self, name: str) -> None:
        self.qtbot.mouseClick(child(self.notice, QAbstractButton, name), Qt.MouseButton.LeftButton)

    @property
    def buttons(self) -> list[str]:
        found = self.notice.findChildren(QAbstractButton)
        return [each.text() for each in found if not each.objectName().startswith("notice_")]


@pytest.fixture
def bench(qtbot: QtBot, theme: Theme, icons: Icons, tmp_path: Path) -> Iterator[Bench]:
    made = Bench(qtbot, theme, icons, tmp_path)
    yield made
    made.downloads.close()


class TestSaying:
    def test_one_can_be_loaded(self, bench: Bench) -> None:
        bench.finish(DRAFT)
        assert bench.notice.sentence == f"{title(DRAFT)} is ready."
        assert bench.buttons == ["Load"]
        bench.press("load_ready_button")
        assert bench.loads == [path_of(DRAFT)]
        assert bench.notice.sentence == ""

    def test_two_that_come_one_after_the_other_are_told_together(self, bench: Bench) -> None:
        bench.finish(DRAFT)
        bench.finish(DRAFT, TARGET)
        assert bench.notice.sentence == f"{title(DRAFT)} and {title(TARGET)} are ready."
        assert bench.buttons == ["Go to My Models"]
        with bench.qtbot.waitSignal(bench.ready.models_page_requested):
            bench.press("see_ready_button")
        assert bench.notice.sentence == ""

    def test_of_many_some_are_counted(self, bench: Bench) -> None:
        bench.finish(DRAFT, TARGET, THIRD)
        names = [title(model) for model in (DRAFT, TARGET, THIRD)]
        assert bench.notice.sentence == f"{names[0]}, {names[1]} and {names[2]} are ready."
        bench.finish(DRAFT, TARGET, THIRD, SECOND)
        assert bench.notice.sentence == f"{names[0]}, {names[1]} and 2 more are ready."

    def test_an_image_half_cannot_be_loaded(self, bench: Bench) -> None:
        bench.finish(hub_model(None, remote_model("F16", 50, stem="mmproj")))
        assert bench.buttons == ["Go to My Models"]

    def test_what_was_read_is_not_told_again(self, bench: Bench) -> None:
        bench.finish(DRAFT)
        child(bench.notice, QAbstractButton, "notice_close_button").click()
        bench.finish(DRAFT, TARGET)
        assert bench.notice.sentence == f"{title(TARGET)} is ready."


class TestGoing:
    def test_it_goes_when_the_model_is_loaded_from_elsewhere(self, bench: Bench) -> None:
        bench.finish(DRAFT)
        bench.ready.show_state(Empty())
        bench.ready.show_state(Running(setup_of(THIRD), loaded()))
        assert bench.notice.sentence == f"{title(DRAFT)} is ready."
        bench.ready.show_state(Running(setup_of(DRAFT), loaded()))
        assert bench.notice.sentence == ""

    def test_what_is_not_loaded_stays(self, bench: Bench) -> None:
        bench.finish(DRAFT, TARGET, THIRD)
        bench.ready.show_state(Running(setup_of(TARGET, DRAFT), loaded()))
        assert bench.notice.sentence == f"{title(THIRD)} is ready."
        assert bench.buttons == ["Load"]

    def test_it_goes_with_the_row(self, bench: Bench) -> None:
        bench.finish(DRAFT, TARGET)
        bench.finish(TARGET)
        assert bench.notice.sentence == f"{title(TARGET)} is ready."
        bench.downloads.tell((TARGET, TARGET.models[0], Transferring()))
        assert bench.notice.sentence == ""

    def test_it_goes_with_the_file(self, bench: Bench) -> None:
        bench.finish(DRAFT)
        bench.list_models(local_model(path=path_of(DRAFT)))
        assert bench.notice.sentence == f"{title(DRAFT)} is ready."
        bench.list_models()
        assert bench.notice.sentence == ""

    def test_something_else_that_is_said_stays(self, bench: Bench) -> None:
        bench.finish(DRAFT)
        bench.ready.forget()
        bench.notice.tell("Something else.")
        bench.finish()
        bench.ready.show_state(Running(setup_of(DRAFT), loaded()))
        assert bench.notice.sentence == "Something else."


def title(model: HubModel) -> str:
    return model.found.name
