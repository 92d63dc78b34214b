"""The token for Hugging Face: whether there is one, where it comes from, a new one, and none any more."""

from collections.abc import Callable

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices, QHideEvent, QShowEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from app.core.errors import SlipstreamError
from app.models.hub import LONGEST_TOKEN, Account, TokenSource
from app.models.hub_answers import TOKENS_ADDRESS
from app.models.model_names import printable
from app.ui.settings_card import SettingsCard
from app.ui.tasks import Result, Tasks
from app.ui.widgets import Tone, button, column, label, row, set_property


def _open_address(address: str) -> None:
    QDesktopServices.openUrl(QUrl(address))


class TokenCard(SettingsCard):
    """A token is in the field until it is kept or the page goes, and nowhere else in the window.

    `tasks` is for what asks this computer alone, `network` for what asks the hub.
    """

    def __init__(
        self,
        account: Account,
        tasks: Tasks,
        network: Tasks,
        open_address: Callable[[str], None] = _open_address,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__("token_card", parent)
        self._account = account
        self._tasks = tasks
        self._network = network
        self._source = TokenSource.NONE
        self._is_asking = False
        self.add_heading(
            self.tr("Hugging Face"),
            self.tr(
                "A token is needed for models whose licence you have to accept, and for private ones. It is "
                "kept where Hugging Face's own programs keep it, and sent to Hugging Face alone."
            ),
        )
        self._state = label(wrap=True)
        self._state.setObjectName("token_state")
        self._check = button(self.tr("Check"), "check_token_button", small=True)
        self._check.setAccessibleName(self.tr("Check the token"))
        self._check.clicked.connect(self._check_kept)
        self._remove = button(self.tr("Remove"), "remove_token_button", kind="quiet", small=True)
        self._remove.setAccessibleName(self.tr("Remove the token"))
        self._remove.clicked.connect(self._forget)
        state = row(self._state, self._remove, self._check)
        state.setStretchFactor(self._state, 1)
        self._field = self._make_field()
        self._reveal = button(self.tr("Show"), "show_token_button", kind="quiet", small=True)
        self._reveal.setCheckable(True)
        self._reveal.setAccessibleName(self.tr("Show the token"))
        self._reveal.toggled.connect(self._show_signs)
        self._keep = button(self.tr("Check and keep"), "keep_token_button")
        self._keep.clicked.connect(self._keep_typed)
        self._result = label(size="small", wrap=True)
        self._result.setObjectName("token_result")
        make = button(self.tr("Make a token on huggingface.co"), "make_token_button", small=True)
        make.setToolTip(TOKENS_ADDRESS)
        make.clicked.connect(lambda: open_address(TOKENS_ADDRESS))
        self.add(state)
        self.add(column(row(self._field, self._reveal, self._keep), self._result, row(make, None), spacing=6))
        self._say("")
        self._show_source(TokenSource.NONE)

    def take_focus(self) -> None:
        """Puts the cursor where a token is pasted."""
        self._field.setFocus(Qt.FocusReason.OtherFocusReason)

    def showEvent(self, event: QShowEvent) -> None:
        """Looks again: other programs keep and remove tokens too."""
        super().showEvent(event)
        self._tasks.run(self, self._account.token_source, self._show_source, self._take_failure)

    def hideEvent(self, event: QHideEvent) -> None:
        """Keeps nothing that was typed."""
        super().hideEvent(event)
        if not self._is_asking:
            self._empty()

    def _make_field(self) -> QLineEdit:
        made = QLineEdit()
        made.setObjectName("token_field")
        made.setAccessibleName(self.tr("Access token"))
        made.setPlaceholderText(self.tr("Paste a token: hf_…"))
        made.setEchoMode(QLineEdit.EchoMode.Password)
        made.setMaxLength(LONGEST_TOKEN)
        made.setInputMethodHints(Qt.InputMethodHint.ImhSensitiveData | Qt.InputMethodHint.ImhNoPredictiveText)
        made.textChanged.connect(self._set_enabled)
        made.returnPressed.connect(self._keep_typed)
        return made

    def _show_signs(self, shown: bool) -> None:
        self._field.setEchoMode(QLineEdit.EchoMode.Normal if shown else QLineEdit.EchoMode.Password)
        self._reveal.setText(self.tr("Hide") if shown else self.tr("Show"))

    def _empty(self) -> None:
        self._field.setText("")  # unlike clear(), leaves nothing to undo
        self._reveal.setChecked(False)

    def _keep_typed(self) -> None:
        if not self._keep.isEnabled():
            return
        token = self._field.text()
        self._ask(self._network, lambda: self._account.keep(token), self._take_kept)

    def _check_kept(self) -> None:
        self._ask(self._network, self._account.user, self._take_user)

    def _forget(self) -> None:
        self._ask(self._tasks, self._account.forget, self._take_forgotten)

    def _ask(self, tasks: Tasks, work: Callable[[], Result], done: Callable[[Result], None]) -> None:
        self._is_asking = True
        self._say(self.tr("One moment…"), "muted")
        self._set_enabled()
        tasks.run(self, work, done, self._take_failure)

    def _take_kept(self, user: str) -> None:
        self._empty()
        self._take_user(user)

    def _take_user(self, user: str) -> None:
        self._settle(self.tr("Signed in as {name}.").format(name=printable(user, 100)), "good")

    def _take_forgotten(self, _: None) -> None:
        self._settle(self.tr("The token is removed from this computer."), "muted")

    def _take_failure(self, error: Exception) -> None:
        if not isinstance(error, SlipstreamError):
            self._rest()
            raise error
        self._settle(str(error), "bad")

    def _settle(self, sentence: str, tone: Tone) -> None:
        self._rest(sentence, tone)
        self._tasks.run(self, self._account.token_source, self._show_source, self._take_failure)

    def _rest(self, sentence: str = "", tone: Tone = "muted") -> None:
        """Nothing is being asked any more; what was typed goes if the page has gone meanwhile."""
        self._is_asking = False
        self._say(sentence, tone)
        if not self.isVisible():
            self._empty()
        self._set_enabled()

    def _show_source(self, source: TokenSource) -> None:
        self._source = source
        if source is TokenSource.NONE:
            text = self.tr("No token is kept. Most models need none.")
        elif source is TokenSource.STORED:
            text = self.tr("A token is kept on this computer.")
        else:
            text = self.tr(
                "The token comes from HF_TOKEN in the environment. It goes before one that is kept here."
            )
        self._state.setText(text)
        self._set_enabled()

    def _say(self, sentence: str, tone: Tone = "muted") -> None:
        self._result.setText(sentence)
        set_property(self._result, "tone", tone)
        self._result.setVisible(bool(sentence))

    def _set_enabled(self) -> None:
        """What has the focus and cannot be used any more gives it to the field: else it would be lost."""
        idle = not self._is_asking
        usable = {
            self._keep: idle and bool(self._field.text().strip()),
            self._reveal: bool(self._field.text()),
            self._check: idle and self._source is not TokenSource.NONE,
            self._remove: idle and self._source is TokenSource.STORED,
        }
        focused = self.window().focusWidget()
        if any(one is focused and not can_be_used for one, can_be_used in usable.items()):
            self.take_focus()
        for one, can_be_used in usable.items():
            one.setEnabled(can_be_used)
        self._field.setReadOnly(not idle)  # disabled, it would lose the focus
        self._check.setVisible(self._source is not TokenSource.NONE)
        self._remove.setVisible(self._source is TokenSource.STORED)
