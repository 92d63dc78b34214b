"""From nothing on the disk to a drafted answer, through Discover; run as a program of its own.

    python -m tests.fakes.discover_journey SCREENSHOTS_FOLDER

HF_ENDPOINT names the hub, SLIPSTREAM_HOME where the program keeps its things, DISPLAY the screen. Ends with
exit code 0, or with what went wrong.
"""

import sys
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QLineEdit, QListView, QWidget

from app.bootstrap import window
from app.models.download import Finished
from app.ui.application import make_application
from app.ui.models_view import ModelsView
from app.ui.rail import PageName
from app.ui.repository_pane import RepositoryPane
from app.ui.session_state import Running
from tests.fakes.children import child
from tests.fakes.window_journey import PROMPT, Visitor, until

WORDS = "smollm2 1.7b"
CHECKED = "same vocabulary, checked"


def discover_visit(visitor: Visitor) -> None:
    """Search, pick, download the pair, load it from My Models with its draft, chat."""
    main = visitor.main
    downloads = main.services.downloads
    visitor.page(PageName.DISCOVER)
    results = child(main, QListView, "search_results")
    until(lambda: results.model().rowCount() > 1, "the hub's models are listed", 30)
    visitor.look("discover")
    field = child(main, QLineEdit, "search_field")
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, WORDS)
    QTest.keyClick(field, Qt.Key.Key_Return)
    until(lambda: results.model().rowCount() == 1, "the search finds one", 30)
    place = results.visualRect(results.model().index(0, 0))
    QTest.mouseClick(results.viewport(), Qt.MouseButton.LeftButton, pos=place.center())
    line = child(main, QLabel, "draft_offer_line")
    until(lambda: CHECKED in line.text(), "the draft's vocabulary is checked")
    visitor.look("discover-repository")
    both = child(main, QAbstractButton, "download_both_button")
    child(main, RepositoryPane, "repository_pane").show_part(both)
    visitor.press("download_both_button")
    until(lambda: len(downloads.downloads) == 2, "both are wanted", 10)
    visitor.look("discover-downloading")
    until(lambda: all(isinstance(row.state, Finished) for row in downloads.downloads), "both have come")
    until(lambda: len(main.services.library.listing.models) == 2, "both are listed", 30)
    visitor.look("discover-done")
    visitor.page(PageName.MODELS)
    table = child(main, ModelsView, "models_table")
    until(lambda: table.model().rowCount() == 2, "both are in My Models", 20)
    dialog = visitor.open_config()
    visitor.choose_draft(dialog)
    visitor.type_number(dialog, "context_length_field", "2k")
    visitor.press("inference_tab_button", dialog)
    visitor.type_number(dialog, "temperature_field", "0")
    visitor.type_number(dialog, "max_tokens_field", "64")
    visitor.press("load_model_button", dialog)
    until(lambda: isinstance(main.services.session.state, Running), "the model is loaded")
    assert visitor.running().has_draft, visitor.running().loaded
    drafted = visitor.ask(PROMPT)
    assert drafted.answer is not None and drafted.answer.stats is not None
    assert drafted.answer.stats.accepted > 0
    assert child(main, QWidget, "discover_page") is main.discover_page


def main() -> int:
    """The visit."""
    application = make_application(sys.argv[:1])
    with window(application) as opened:
        QTest.qWaitForWindowExposed(opened)
        discover_visit(Visitor(opened, Path(sys.argv[1]), "first"))
    QApplication.processEvents()
    return 0


if __name__ == "__main__":
    sys.exit(main())
