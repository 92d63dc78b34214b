"""An account in memory: what it answers is what a test says."""

from app.models.hub import TokenSource
from app.models.hub_problems import HubError


class ScriptedAccount:
    """The `Account`. One token is good: `TOKEN`, which is Ann's."""

    TOKEN = "hf_annsOwnToken"

    def __init__(self, source: TokenSource = TokenSource.NONE) -> None:
        self.source = source
        self.kept: list[str] = []
        self.error: HubError | None = None  # raised by every call that may

    def token_source(self) -> TokenSource:
        """Where the token comes from."""
        return self.source

    def check(self, token: str) -> str:
        """Ann, unless something is wrong."""
        if self.error is not None:
            raise self.error
        return "ann"

    def keep(self, token: str) -> str:
        """Notes the token."""
        name = self.check(token)
        self.kept.append(token)
        self.source = TokenSource.STORED
        return name

    def user(self) -> str:
        """Ann, unless something is wrong."""
        return self.check("")

    def forget(self) -> None:
        """There is none any more."""
        self.check("")
        self.source = TokenSource.NONE
