"""How often, and after which waits, something is tried again."""

from collections.abc import Sequence

from app.models.hub_problems import HubError

LONGEST_WAIT = 3600.0  # seconds; whoever asks for more gets nothing without a person


class Patience:
    """One wait for each trouble in a row; `enough` bytes end the row. None: nothing does."""

    def __init__(self, pauses: Sequence[float], enough: int | None) -> None:
        self._pauses = tuple(pauses)
        self._enough = enough
        self._gained = 0
        self._row = 0

    @property
    def attempt(self) -> int:
        """Which try in a row comes next, from 1 on; 0 without trouble."""
        return self._row

    @property
    def attempts(self) -> int:
        """How many there are in a row."""
        return len(self._pauses)

    def gain(self, count: int) -> None:
        """So many bytes came."""
        self._gained += count
        if self._row and self._enough is not None and self._gained >= self._enough:
            self._row = 0

    def lose_hope(self) -> None:
        """From now on bytes do not end the row: they have to come again after every trouble."""
        self._enough = None

    def wait_after(self, error: HubError) -> float | None:
        """For how many seconds to wait before the next try; None where there is to be none."""
        if not error.problem.may_pass or self._row >= len(self._pauses):
            return None
        if self._row == 0:
            self._gained = 0
        wait = error.wait_seconds or self._pauses[self._row]
        if wait > LONGEST_WAIT:
            return None
        self._row += 1
        return wait
