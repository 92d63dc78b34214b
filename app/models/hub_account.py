"""Who this computer is for the hub. The token lies where the hub's own library and its programs keep it."""

import os
from pathlib import Path

from app.models.hub import LONGEST_TOKEN, TokenSource
from app.models.hub_answers import not_the_answer
from app.models.hub_problems import HubError, HubProblem
from app.models.hub_session import hub_api
from app.models.hub_words import hub_errors

_VARIABLES = ("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN")


class HubAccount:
    """The `Account`, through the hub's own library. No method writes a token anywhere but to its place."""

    def __init__(self, endpoint: str | None = None) -> None:
        self._endpoint = endpoint

    def token_source(self) -> TokenSource:
        """Where the token comes from. Asks no network: the library may, to renew a token."""
        if any(os.environ.get(name, "").strip() for name in _VARIABLES):
            return TokenSource.ENVIRONMENT
        return TokenSource.STORED if _stored_token() else TokenSource.NONE

    def check(self, token: str) -> str:
        """The name of the user that a token belongs to. Raises HubError."""
        return self._name(_sound(token))

    def keep(self, token: str) -> str:
        """Checks a token and stores it; gives the user's name. Raises HubError."""
        from huggingface_hub import login

        sound = _sound(token)
        name = self._name(sound)
        with hub_errors():
            login(sound, add_to_git_credential=False)
        return name

    def user(self) -> str:
        """Asks the hub for the user of the token in force. Raises HubError."""
        return self._name(None)

    def forget(self) -> None:
        """Removes the stored token from this computer; others that `hf auth login` has kept stay.

        Raises HubError where it cannot.
        """
        from huggingface_hub import constants, logout
        from huggingface_hub.utils import get_stored_tokens  # type: ignore[attr-defined]

        token = _stored_token()
        with hub_errors():
            for name, stored in get_stored_tokens().items():
                if stored == token:
                    try:
                        logout(name)
                    except OSError:
                        # Comes last, and is about git or about a token in the environment, unless:
                        if get_stored_tokens().get(name) == token:
                            raise
            Path(constants.HF_TOKEN_PATH).unlink(missing_ok=True)

    def _name(self, token: str | None) -> str:
        with hub_errors():
            answer: object = hub_api(self._endpoint).whoami(token)
        name = answer.get("name") if isinstance(answer, dict) else None
        if not isinstance(name, str) or not name:
            raise not_the_answer()
        return name


def _stored_token() -> str:
    from huggingface_hub import constants

    try:
        return Path(constants.HF_TOKEN_PATH).read_text(encoding="utf-8", errors="replace").strip()
    except OSError:  # there is none that anybody could use
        return ""


def _sound(token: str) -> str:
    """The token without what was copied along. Says what is wrong without saying what it is."""
    stripped = token.strip()
    if not stripped:
        raise HubError(HubProblem.UNAUTHORISED, "Paste a token first.")
    printable = stripped.isascii() and stripped.isprintable() and " " not in stripped
    if not printable or len(stripped) > LONGEST_TOKEN:
        raise HubError(
            HubProblem.UNAUTHORISED,
            "This is no token: tokens are one word and begin with hf_. Copy it again.",
        )
    if stripped.startswith("api_org"):
        raise HubError(
            HubProblem.UNAUTHORISED,
            "This token belongs to an organisation. Use one of your own, made under your name.",
        )
    return stripped
