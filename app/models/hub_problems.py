"""What goes wrong between this computer and the hub, and while a file comes in: a kind and one sentence."""

from enum import StrEnum

from app.core.errors import SlipstreamError


class HubProblem(StrEnum):
    """The kinds of trouble."""

    NO_NETWORK = "no_network"  # no connection, no name resolution, or the line dropped
    OFFLINE_MODE = "offline_mode"  # HF_HUB_OFFLINE is set
    STALLED = "stalled"  # connected, and silent for too long
    UNAUTHORISED = "unauthorised"  # 401: no token, or one that is not accepted
    HIDDEN = "hidden"  # there is no such repository, or it is private: the hub does not say which
    GATED = "gated"  # the licence has to be accepted at `address`
    FORBIDDEN = "forbidden"  # 403
    NOT_FOUND = "not_found"  # 404
    RATE_LIMITED = "rate_limited"  # 429: `wait_seconds` says for how long
    SERVER = "server"  # 5xx
    NOT_THE_ANSWER = "not_the_answer"  # a login page or other text in place of what was asked for
    CHANGED = "changed"  # the file on the hub is another one now
    CHECKSUM = "checksum"  # the bytes are not the right ones, or not the same ones twice
    DISK_FULL = "disk_full"
    UNWRITABLE = "unwritable"  # the folder cannot be written
    NAME_CLASH = "name_clash"  # another file has the name
    IN_USE = "in_use"  # somebody else is writing the same file
    BAD_NAME = "bad_name"  # a name that must not, or cannot, become a file here
    FAULT = "fault"  # a mistake of this program's own

    @property
    def may_pass(self) -> bool:
        """True where trying again in a while, without a person, makes sense."""
        return self in (
            HubProblem.NO_NETWORK,
            HubProblem.STALLED,
            HubProblem.RATE_LIMITED,
            HubProblem.SERVER,
        )

    @property
    def needs_token(self) -> bool:
        """True where another token, or a first one, may help."""
        return self in (
            HubProblem.UNAUTHORISED,
            HubProblem.HIDDEN,
            HubProblem.GATED,
            HubProblem.FORBIDDEN,
        )

    @property
    def may_end(self) -> bool:
        """False where the same question gets the same answer as long as this program runs."""
        return self not in (
            HubProblem.OFFLINE_MODE,
            HubProblem.NOT_FOUND,
            HubProblem.NAME_CLASH,
            HubProblem.BAD_NAME,
        )


class HubError(SlipstreamError):
    """Trouble of a kind. `str()` says what happened and what to do.

    Where a token is given is for the window or the terminal to say: see `needs_token`.
    `address` is a page to open (where a licence is accepted), `wait_seconds` what the hub asked for.
    """

    def __init__(
        self,
        problem: HubProblem,
        sentence: str,
        *,
        address: str | None = None,
        wait_seconds: float | None = None,
    ) -> None:
        super().__init__(sentence)
        self.problem = problem
        self.address = address
        self.wait_seconds = wait_seconds
