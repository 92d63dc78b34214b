"""The card for the token: it says what is, keeps what is good, and gives nothing away."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QAbstractButton, QLabel, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from app.models.hub import TokenSource
from app.models.hub_answers import TOKENS_ADDRESS
from app.models.hub_problems import HubError, HubProblem
from app.ui.theme import Theme
from app.ui.token_card import TokenCard
from tests.fakes.held_tasks import HeldTasks
from tests.fakes.scripted_account import ScriptedAccount
from tests.fakes.tasks import ImmediateTasks

TOKEN = ScriptedAccount.TOKEN


class Opened:
    """The card on the screen."""

    def __init__(self, qtbot: QtBot, account: ScriptedAccount, network: ImmediateTasks) -> None:
        self.account = account
        self.addresses: list[str] = []
        self.card = TokenCard(account, ImmediateTasks(), network, self.addresses.append)
        qtbot.addWidget(self.card)
        self.card.show()
        qtbot.waitExposed(self.card)

    @property
    def field(self) -> QLineEdit:
        found = self.card.findChild(QLineEdit, "token_field")
        assert found is not None
        return found

    def button(self, name: str) -> QAbstractButton:
        found = self.card.findChild(QAbstractButton, f"{name}_token_button")
        assert found is not None
        return found

    def text(self, name: str) -> str:
        found = self.card.findChild(QLabel, f"token_{name}")
        assert found is not None
        return found.text() if found.isVisible() else ""


Open = Callable[..., Opened]


@pytest.fixture
def open_card(qtbot: QtBot, theme: Theme) -> Open:
    def make(source: TokenSource = TokenSource.NONE, network: ImmediateTasks | None = None) -> Opened:
        return Opened(qtbot, ScriptedAccount(source), network or ImmediateTasks())

    return make


class TestWhatIs:
    @pytest.mark.parametrize(
        ("source", "says", "can_check", "can_remove"),
        [
            (TokenSource.NONE, "No token is kept. Most models need none.", False, False),
            (TokenSource.STORED, "A token is kept on this computer.", True, True),
            (TokenSource.ENVIRONMENT, "comes from HF_TOKEN in the environment", True, False),
        ],
    )
    def test_is_said(
        self, source: TokenSource, says: str, can_check: bool, can_remove: bool, open_card: Open
    ) -> None:
        opened = open_card(source)

        assert says in opened.text("state")
        assert opened.button("check").isVisible() is can_check
        assert opened.button("remove").isVisible() is can_remove

    def test_is_looked_at_again_when_the_page_comes_back(self, open_card: Open) -> None:
        opened = open_card()
        opened.card.hide()
        opened.account.source = TokenSource.STORED
        opened.card.show()

        assert "A token is kept" in opened.text("state")

    def test_is_checked_when_asked(self, open_card: Open) -> None:
        opened = open_card(TokenSource.STORED)
        opened.button("check").click()

        assert opened.text("result") == "Signed in as ann."

    def test_the_page_where_tokens_are_made_is_opened(self, open_card: Open) -> None:
        opened = open_card()
        opened.button("make").click()

        assert opened.addresses == [TOKENS_ADDRESS]


class TestKeeping:
    @pytest.mark.parametrize("with_key", [True, False])
    def test_a_good_token_is_kept_and_the_field_emptied(
        self, with_key: bool, open_card: Open, qtbot: QtBot
    ) -> None:
        opened = open_card()
        qtbot.keyClicks(opened.field, TOKEN)
        if with_key:
            qtbot.keyClick(opened.field, Qt.Key.Key_Return)
        else:
            opened.button("keep").click()

        assert opened.account.kept == [TOKEN]
        assert opened.text("result") == "Signed in as ann."
        assert "A token is kept" in opened.text("state")
        opened.field.undo()
        assert opened.field.text() == ""

    def test_an_empty_field_keeps_nothing(self, open_card: Open, qtbot: QtBot) -> None:
        opened = open_card()
        opened.field.setText("  ")
        qtbot.keyClick(opened.field, Qt.Key.Key_Return)

        assert not opened.button("keep").isEnabled()
        assert opened.account.kept == []

    def test_what_is_wrong_is_said_and_can_be_tried_again(self, open_card: Open) -> None:
        opened = open_card()
        opened.account.error = HubError(HubProblem.UNAUTHORISED, "It is not accepted.")
        opened.field.setText(TOKEN)
        opened.button("keep").click()
        assert opened.text("result") == "It is not accepted."
        assert opened.field.text() == TOKEN

        opened.account.error = None
        opened.button("keep").click()
        assert opened.account.kept == [TOKEN]

    def test_meanwhile_nothing_else_can_be_asked(self, open_card: Open) -> None:
        network = HeldTasks()
        opened = open_card(TokenSource.STORED, network)
        opened.field.setText(TOKEN)
        opened.button("keep").click()
        for name in ("keep", "check", "remove"):
            assert not opened.button(name).isEnabled()
        assert opened.text("result") == "One moment…"

        network.release_all()
        assert opened.button("check").isEnabled()
        assert opened.text("result") == "Signed in as ann."

    def test_a_kept_token_is_removed(self, open_card: Open) -> None:
        opened = open_card(TokenSource.STORED)
        opened.button("remove").click()

        assert opened.account.source is TokenSource.NONE
        assert opened.text("result") == "The token is removed from this computer."
        assert "No token" in opened.text("state")

    def test_one_that_cannot_be_removed_is_still_there(self, open_card: Open) -> None:
        opened = open_card(TokenSource.STORED)
        opened.account.error = HubError(HubProblem.UNWRITABLE, "It cannot be removed.")
        opened.button("remove").click()

        assert opened.text("result") == "It cannot be removed."
        assert "A token is kept" in opened.text("state")


class TestTheFocus:
    """What cannot be used for a moment would hand it on, to the next control of the window."""

    @pytest.mark.parametrize("error", [HubError(HubProblem.UNAUTHORISED, "No."), None])
    @pytest.mark.parametrize("name", ["field", "keep", "check", "remove"])
    def test_it_stays_in_the_card_while_something_is_asked(
        self, name: str, error: HubError | None, open_card: Open, qtbot: QtBot
    ) -> None:
        network = HeldTasks()
        opened = open_card(TokenSource.STORED, network)
        opened.account.error = error
        opened.field.setText(TOKEN)
        if name == "field":
            opened.field.setFocus()
            qtbot.keyClick(opened.field, Qt.Key.Key_Return)
        else:
            opened.button(name).setFocus()
            qtbot.keyClick(opened.button(name), Qt.Key.Key_Space)
        assert opened.card.focusWidget() is opened.field
        network.release_all()
        assert opened.card.focusWidget() is opened.field

    def test_nothing_is_typed_over_a_token_that_is_being_checked(self, open_card: Open, qtbot: QtBot) -> None:
        network = HeldTasks()
        opened = open_card(network=network)
        opened.field.setText(TOKEN)
        opened.button("keep").click()
        qtbot.keyClicks(opened.field, "x")
        qtbot.keyClick(opened.field, Qt.Key.Key_Return)
        assert opened.field.text() == TOKEN
        network.release_all()
        qtbot.keyClicks(opened.field, "x")
        assert (opened.account.kept, opened.field.text()) == ([TOKEN], "x")


class TestSecrecy:
    def test_the_token_is_seen_only_when_asked(self, open_card: Open) -> None:
        opened = open_card()
        assert not opened.button("show").isEnabled()
        opened.field.setText(TOKEN)
        assert opened.field.echoMode() is QLineEdit.EchoMode.Password

        opened.button("show").click()
        assert opened.field.echoMode() is QLineEdit.EchoMode.Normal
        assert opened.button("show").text() == "Hide"
        opened.button("keep").click()
        assert opened.field.echoMode() is QLineEdit.EchoMode.Password

    def test_what_was_typed_goes_with_the_page(self, open_card: Open) -> None:
        opened = open_card()
        opened.field.setText(TOKEN)
        opened.card.hide()

        assert opened.field.text() == ""

    @pytest.mark.parametrize("error", [HubError(HubProblem.UNAUTHORISED, "No."), None])
    def test_what_was_typed_does_not_outlive_the_page_while_it_is_checked(
        self, error: HubError | None, open_card: Open
    ) -> None:
        network = HeldTasks()
        opened = open_card(network=network)
        opened.account.error = error
        opened.field.setText(TOKEN)
        opened.button("keep").click()
        opened.card.hide()
        network.release_all()

        assert opened.field.text() == ""

    def test_a_fault_of_the_program_does_not_keep_it_either(
        self, open_card: Open, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(_: str) -> str:
            raise TypeError("a mistake")

        network = HeldTasks()
        opened = open_card(network=network)
        monkeypatch.setattr(opened.account, "keep", fail)
        opened.field.setText(TOKEN)
        opened.button("keep").click()
        opened.card.hide()
        with pytest.raises(TypeError, match="a mistake"):
            network.release_all()
        opened.card.show()

        assert opened.field.text() == ""
        assert not opened.field.isReadOnly()

    def test_no_property_nor_tooltip_nor_sentence_has_it(self, open_card: Open) -> None:
        opened = open_card()
        opened.field.setText(TOKEN)
        opened.button("keep").click()
        opened.field.setText(TOKEN)

        for widget in (opened.card, *opened.card.findChildren(QWidget)):
            told = [widget.toolTip(), widget.accessibleName(), widget.accessibleDescription()]
            told += [
                str(widget.property(bytes(name.data()).decode())) for name in widget.dynamicPropertyNames()
            ]
            told += [widget.text()] if isinstance(widget, QLabel | QAbstractButton) else []
            assert not any(TOKEN in text for text in told)
        interface = QAccessible.queryAccessibleInterface(opened.field)
        assert TOKEN not in interface.text(QAccessible.Text.Value)


def test_every_control_has_a_name_for_screen_readers(open_card: Open) -> None:
    opened = open_card(TokenSource.STORED)
    controls = [opened.field, *opened.card.findChildren(QAbstractButton)]

    assert len({control.objectName() for control in controls}) == len(controls) == 6
    assert all(control.accessibleName() for control in controls)
