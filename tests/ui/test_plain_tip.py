"""Tooltips with words of strangers."""

from pathlib import Path

import pytest
from PySide6.QtGui import Qt, QTextDocument
from PySide6.QtWidgets import QComboBox, QListView, QToolButton
from pytestqt.qtbot import QtBot

from app.core.errors import FileProblem
from app.core.options import SpeculationMode, SpeculationOptions
from app.models.library import UnusableFile
from app.settings import ModelConfig
from app.ui.draft_candidates import Candidate, Unreadable
from app.ui.draft_list import DraftList
from app.ui.icons import Icons
from app.ui.model_bar import ModelBar
from app.ui.model_picker import ModelPicker
from app.ui.models_table import ModelColumn, ModelsTable
from app.ui.plain_tip import plain_tip
from app.ui.session_state import Running, Setup
from app.ui.speculation_panel import SpeculationPanel
from app.ui.theme import Theme
from app.ui.unusable_table import UnusableTable
from tests.fakes.children import child
from tests.fakes.local_models import local_model
from tests.fakes.setups import loaded

NAME = "<img src=x>"
MODEL = local_model(NAME, path=Path("/m") / NAME, publisher=NAME)
TIP = Qt.ItemDataRole.ToolTipRole


def test_usual_names_stay_as_they_are(qapp: object) -> None:
    assert plain_tip("model-Q4_K_M.gguf\n1 < 2 & 3 > 2") == "model-Q4_K_M.gguf\n1 < 2 & 3 > 2"


@pytest.mark.parametrize("text", ["<b>bold</b>", "<img src='/etc/x.png'> &amp;", "a <i>b</i>\nc"])
def test_markup_is_shown_and_not_obeyed(text: str, qapp: object) -> None:
    shown = QTextDocument()
    shown.setHtml(plain_tip(text))
    assert shown.toPlainText() == text


def is_plain(tip: str) -> bool:
    """Whether the name is there, letter for letter, when it is shown."""
    shown = QTextDocument()
    if Qt.mightBeRichText(tip):
        shown.setHtml(tip)
    else:
        shown.setPlainText(tip)
    return NAME in shown.toPlainText()


def test_lists_of_models_obey_no_names(qtbot: QtBot, theme: Theme) -> None:
    table, drafts, unusable = ModelsTable(), DraftList(lambda _: None), UnusableTable()
    table.show_models((MODEL,))
    drafts.show_candidates((Candidate(MODEL.path, None, Unreadable(f"{NAME} is damaged.")),), None)
    unusable.show_files((UnusableFile(MODEL.path, FileProblem.DAMAGED, "Bad.", 5, managed=False),))
    for column in (ModelColumn.NAME, ModelColumn.PUBLISHER):
        assert is_plain(table.index(0, column).data(TIP))
    assert is_plain(drafts.index(0).data(TIP))
    assert is_plain(unusable.index(0, 0).data(TIP))
    picker = ModelPicker()
    qtbot.addWidget(picker)
    picker.show_models((MODEL,))
    assert is_plain(child(picker, QListView, "model_picker_list").model().index(0, 0).data(TIP))


def test_nor_does_what_shows_the_model_in_use(qtbot: QtBot, theme: Theme, icons: Icons) -> None:
    options = SpeculationOptions(mode=SpeculationMode.DRAFT_MODEL)
    setup = Setup(MODEL, MODEL, ModelConfig(speculation=options, draft=MODEL.path))
    running = Running(setup, loaded())
    bar, panel = ModelBar(theme, icons), SpeculationPanel(theme)
    for made in (bar, panel):
        qtbot.addWidget(made)
    bar.show_state(running)
    assert is_plain(child(bar, QToolButton, "model_picker_button").toolTip())
    panel.show_running(running)
    assert is_plain(child(panel, QComboBox, "draft_source_box").toolTip())
