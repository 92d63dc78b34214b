"""What is remembered of a comparison."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QAbstractButton, QWidget
from pytestqt.qtbot import QtBot

from app.core.options import DraftLength, SpeculationMode
from app.settings import ModelConfig
from app.ui.comparing import Comparing
from app.ui.icons import Icons
from app.ui.notice import Notice
from app.ui.preferences import Preferences
from app.ui.side import off_side, side_of
from app.ui.theme import Theme
from tests.fakes.children import child
from tests.fakes.listed_models import preferences_in
from tests.fakes.session import FakeSession
from tests.fakes.setups import DRAFT, TARGET, drafted_setup, plain_setup


class Page(QObject):
    """Of Compare, what the rest of the window hears of."""

    remember_requested = Signal(object)
    remark_made = Signal(str)
    withdrawn = Signal(str)


class StrictSession(FakeSession):
    """Cannot draft with a model that is not in memory."""

    def adjust(self, config: ModelConfig) -> bool:
        super().adjust(config)
        return config.draft is None or self.state.setup.draft is not None  # type: ignore[union-attr]


class Bench:
    """A page, a session and the saved settings."""

    def __init__(self, theme: Theme, icons: Icons, folder: Path, window: QWidget) -> None:
        self.page, self.session = Page(), StrictSession()
        self.preferences: Preferences = preferences_in(folder)
        self.notice = Notice(theme, icons, window)
        self.comparing = Comparing(
            self.session,  # type: ignore[arg-type]
            self.preferences,
            self.page,  # type: ignore[arg-type]
            self.notice,
        )

    @property
    def saved(self) -> ModelConfig:
        return self.preferences.settings.configs[TARGET.path]


@pytest.fixture
def bench(theme: Theme, icons: Icons, tmp_path: Path, qtbot: QtBot) -> Iterator[Bench]:
    window = QWidget()
    qtbot.addWidget(window)
    made = Bench(theme, icons, tmp_path, window)
    yield made
    made.preferences.close()


def test_the_better_side_is_saved_and_in_force_at_once(bench: Bench) -> None:
    bench.session.run(drafted_setup(draft_length=DraftLength.FIXED, max_draft_tokens=3))
    config = drafted_setup(draft_length=DraftLength.FIXED, max_draft_tokens=5).config
    bench.page.remember_requested.emit(side_of(config, DRAFT))
    assert bench.saved.speculation.max_draft_tokens == 5
    assert bench.saved.draft == DRAFT.path
    assert bench.session.adjusted[-1].speculation.max_draft_tokens == 5
    assert bench.notice.sentence == ""


def test_turning_it_off_keeps_the_numbers_and_the_draft_for_later(bench: Bench) -> None:
    setup = drafted_setup(draft_length=DraftLength.FIXED, max_draft_tokens=7)
    bench.session.run(setup)
    bench.preferences.remember(TARGET.path, setup.config)
    bench.page.remember_requested.emit(off_side())
    assert bench.saved.speculation.mode is SpeculationMode.OFF
    assert bench.saved.speculation.max_draft_tokens == 7
    assert bench.saved.draft == DRAFT.path


def test_other_settings_of_the_model_stay_as_they_are(bench: Bench) -> None:
    setup = drafted_setup()
    bench.session.run(setup)
    bench.preferences.remember(TARGET.path, replace(setup.config, system_prompt="Be brief."))
    bench.page.remember_requested.emit(off_side())
    assert bench.saved.system_prompt == "Be brief."


def test_a_draft_that_is_not_in_memory_is_offered_with_a_reload(bench: Bench, qtbot: QtBot) -> None:
    bench.session.run(plain_setup())
    bench.page.remember_requested.emit(side_of(drafted_setup().config, DRAFT))
    assert bench.saved.draft == DRAFT.path
    assert f"{DRAFT.name} · {DRAFT.info.quantisation} is not in memory" in bench.notice.sentence
    with qtbot.waitSignal(bench.comparing.reload_requested):
        child(bench.notice, QAbstractButton, "load_remembered_button").click()
    assert bench.notice.sentence == ""


def test_the_offer_goes_when_the_settings_are_others_or_the_model_is(bench: Bench) -> None:
    bench.session.run(plain_setup())
    bench.page.remember_requested.emit(side_of(drafted_setup().config, DRAFT))
    assert bench.notice.sentence
    bench.page.remember_requested.emit(off_side())
    assert bench.notice.sentence == ""
    bench.page.remember_requested.emit(side_of(drafted_setup().config, DRAFT))
    bench.session.run(drafted_setup())
    assert bench.notice.sentence == ""


def test_without_a_model_there_is_nothing_to_remember_it_for(bench: Bench) -> None:
    bench.page.remember_requested.emit(off_side())
    assert bench.preferences.settings.configs == {}


def test_what_the_page_remarks_is_said_until_it_takes_it_back(bench: Bench) -> None:
    bench.page.remark_made.emit("Not kept.")
    assert bench.notice.sentence == "Not kept."
    assert bench.notice.property("notice") == "muted"
    bench.page.withdrawn.emit("Something else.")
    assert bench.notice.sentence == "Not kept."
    bench.page.withdrawn.emit("Not kept.")
    assert bench.notice.sentence == ""
