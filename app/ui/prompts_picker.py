"""Choosing the prompts of a suite run."""

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct
from PySide6.QtCore import QPoint, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

from app.core.prompts import Prompt, PromptFileError, Suite, suite_from_file
from app.models.model_names import printable
from app.ui.compare_services import CompareServices
from app.ui.field_button import FieldButton
from app.ui.plain_tip import plain_tip


class _Choice(Struct, frozen=True):
    name: str  # for object names
    text: str
    prompts: tuple[Prompt, ...]


class PromptsPicker(FieldButton):
    """One of each kind, all, one kind, or a file of one's own, which is read when it is chosen."""

    prompts_chosen = Signal()  # by the person
    file_read = Signal(str, str)  # the name and the title of a suite of the person's own
    problem_occurred = Signal(str)  # a file that cannot be used, in a sentence

    def __init__(self, services: CompareServices, name: str, parent: QWidget | None = None) -> None:
        super().__init__(services.theme, services.icons, name, parent)
        self._tasks = services.tasks
        self._choices = self._built_in(services.suites)
        self._file: _Choice | None = None
        self._chosen = self._choices[0]
        self._dialog: QFileDialog | None = None
        self._menu = QMenu(self)
        self._menu.setObjectName(f"{name}_menu")
        self.clicked.connect(self._show_menu)
        self._show()

    @property
    def prompts(self) -> tuple[Prompt, ...]:
        """What is chosen."""
        return self._chosen.prompts

    def open_file(self, path: Path) -> None:
        """Takes the prompts of a file: a suite in TOML, or one prompt of plain text."""
        self._tasks.run(self, lambda: suite_from_file(path), self._take, self._fail)

    def _built_in(self, suites: Sequence[Suite]) -> tuple[_Choice, ...]:
        each = tuple(suite.prompts[0] for suite in suites)
        every = tuple(prompt for suite in suites for prompt in suite.prompts)
        first = [
            _Choice("each", self.tr("One prompt of each kind"), each),
            _Choice("all", self.tr("All {count} prompts").format(count=len(every)), every),
        ]
        counted = self.tr("{title} · {count} prompts")
        kinds = [
            _Choice(
                f"kind_{suite.name}",
                counted.format(title=suite.title, count=len(suite.prompts)),
                suite.prompts,
            )
            for suite in suites
        ]
        return (*first, *kinds)

    def _show_menu(self) -> None:
        self._menu.clear()
        for number, choice in enumerate(self._choices):
            if number == 2:
                self._menu.addSeparator()
            self._add(choice)
        self._menu.addSeparator()
        if self._file is not None:
            self._add(self._file)
        action = self._menu.addAction(self.tr("A file of yours…"))
        action.setObjectName("choose_prompts_file_action")
        action.triggered.connect(self.choose_file)
        self._menu.setMinimumWidth(self.width())
        self._menu.popup(self.mapToGlobal(QPoint(0, self.height() + 2)))

    def _add(self, choice: _Choice) -> None:
        action = self._menu.addAction(choice.text.replace("&", "&&"))
        action.setObjectName(f"choose_prompts_{choice.name}_action")
        action.setCheckable(True)
        action.setChecked(choice == self._chosen)
        action.setData(choice.name)
        action.triggered.connect(self._choose)

    def _choose(self) -> None:
        action = self.sender()
        assert isinstance(action, QAction)
        known = self._choices if self._file is None else (*self._choices, self._file)
        self._set(next(choice for choice in known if choice.name == action.data()))

    def choose_file(self) -> None:
        """Asks for a file."""
        if self._dialog is not None:
            self._dialog.deleteLater()
        dialog = self._dialog = QFileDialog(self, self.tr("Choose a file with prompts"))
        dialog.setObjectName("prompts_file_dialog")
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilters([self.tr("Prompts (*.toml *.txt *.md)"), self.tr("All files (*)")])
        dialog.fileSelected.connect(lambda chosen: self.open_file(Path(chosen)))
        dialog.open()

    def _take(self, suite: Suite) -> None:
        text, prompts = printable(suite.title), suite.prompts
        if len(prompts) > 1:
            text = self.tr("{title} · {count} prompts").format(title=text, count=len(prompts))
        self._file = _Choice("file", text, prompts)
        self.file_read.emit(suite.name, printable(suite.title))
        self._set(self._file)

    def _fail(self, error: Exception) -> None:
        if not isinstance(error, PromptFileError):
            raise error
        self.problem_occurred.emit(printable(str(error)))

    def _set(self, choice: _Choice) -> None:
        self._chosen = choice
        self._show()
        self.prompts_chosen.emit()

    def _show(self) -> None:
        self.setText(self._chosen.text)
        self.setAccessibleName(self.tr("Prompts: {choice}").format(choice=self._chosen.text))
        self.setToolTip(plain_tip(", ".join(prompt.id for prompt in self._chosen.prompts)))
        self.updateGeometry()
        self.update()
