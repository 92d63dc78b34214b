"""Who fetches which bytes of a file, and which of them are there."""

from collections.abc import Iterable
from threading import Condition

from app.models.byte_ranges import ByteRanges
from app.models.part_file import Claim

LONGEST_STRETCH = 64 << 20  # bytes
_WORTH_SHARING = 4  # blocks that a connection still has before it


class Stretch:
    """Bytes that one connection is to fetch. Only Stretches changes it.

    Up to `recorded` they are noted as written, up to `position` they have come; `stop` may come nearer.
    """

    def __init__(self, start: int, stop: int) -> None:
        self.recorded = start
        self.position = start
        self.stop = stop


class Stretches:
    """The plan of one file, for all connections and for the thread that computes the digest.

    Bytes are given out in the order of the file, so that the digest can follow closely. `claims`, in rising
    order, are there, but are checked as the digest reaches them.
    """

    def __init__(self, size: int, claims: Iterable[Claim], *, block_bytes: int, connections: int) -> None:
        self._size = size
        self._block = block_bytes
        self._connections = connections
        self._changed = Condition()
        self._held = ByteRanges()  # on the disk and noted
        self._given = ByteRanges()  # held, or somebody's to fetch
        self._unchecked = {claim.start: claim for claim in claims}  # in rising order
        self._active: list[Stretch] = []
        self._here = 0
        self._has_ended = False
        self.is_one_stream = False  # the server gives the whole file or nothing
        for claim in self._unchecked.values():
            self._held.add(claim.start, claim.stop)
            self._given.add(claim.start, claim.stop)
            self._here += claim.length

    @property
    def here(self) -> int:
        """How many bytes of the file are there now, noted or not."""
        return self._here

    @property
    def is_whole(self) -> bool:
        """Whether nothing is left to fetch, as far as is known."""
        with self._changed:
            return self._held.total == self._size

    @property
    def has_ended(self) -> bool:
        """Whether nobody is to go on."""
        return self._has_ended

    def end(self) -> None:
        """Nobody is to go on: those who wait return."""
        with self._changed:
            self._has_ended = True
            self._changed.notify_all()

    def take(self) -> Stretch | None:
        """The next bytes to fetch. Waits while others fetch all that is missing; None at the end."""
        with self._changed:
            while not self._has_ended:
                stretch = self._next() or self._share()
                if stretch is not None:
                    self._given.add(stretch.position, stretch.stop)
                    self._active.append(stretch)
                    return stretch
                self._changed.wait()
        return None

    def come(self, stretch: Stretch, count: int) -> int:
        """So many bytes have come; returns how many of them are the stretch's to write: 0 at the end."""
        with self._changed:
            count = 0 if self._has_ended else max(0, min(count, stretch.stop - stretch.position))
            stretch.position += count
            self._here += count
            return count

    def lose(self, stretch: Stretch, count: int) -> None:
        """The last bytes that had come could not be written."""
        with self._changed:
            stretch.position -= count
            self._here -= count

    def hold(self, stretch: Stretch) -> None:
        """All that has come is written and noted."""
        with self._changed:
            self._held.add(stretch.recorded, stretch.position)
            stretch.recorded = stretch.position
            self._changed.notify_all()

    def give_back(self, stretch: Stretch) -> None:
        """Nobody fetches it any more; what is not held is missing again."""
        with self._changed:
            self._active.remove(stretch)
            self._given.remove(stretch.recorded, stretch.stop)
            self._here -= stretch.position - stretch.recorded
            self._changed.notify_all()

    def widen(self, stretch: Stretch) -> bool:
        """Makes a stretch the whole file; False where something else is there or under way."""
        with self._changed:
            if stretch.position != 0 or self._here or self._active != [stretch]:
                return False
            stretch.stop = self._size
            self._given.add(0, self._size)
            self.is_one_stream = True
            return True

    def next_to_read(self, position: int) -> tuple[int, Claim | None] | None:
        """Waits for the byte at `position`: how far one may read from there, and the claim that this checks.

        None where nobody is to go on.
        """
        with self._changed:
            while not self._has_ended:
                reach = self._held.reach(position)
                claim = self._unchecked.get(position)
                if claim is not None:
                    return claim.stop, claim
                if reach > position:
                    return min(reach, next(iter(self._unchecked), reach)), None
                self._changed.wait()
        return None

    def confirm(self, claim: Claim) -> None:
        """A claim was checked: its bytes are right."""
        with self._changed:
            del self._unchecked[claim.start]

    def forget(self, start: int, stop: int) -> None:
        """These bytes are not what was noted: they are missing."""
        with self._changed:
            self._unchecked.pop(start, None)
            self._held.remove(start, stop)
            self._given.remove(start, stop)
            self._here -= stop - start
            self._changed.notify_all()

    def _next(self) -> Stretch | None:
        gap = self._given.first_gap(self._size)
        if gap is None:
            return None
        share = (self._size - self._given.total) // self._connections
        length = max(self._block, min(share, LONGEST_STRETCH))
        whole_blocks = -(-(gap[0] + length) // self._block) * self._block
        return Stretch(gap[0], min(gap[1], whole_blocks))

    def _share(self) -> Stretch | None:
        """The second half of what a slow connection still has before it."""
        slowest = max(self._active, key=lambda stretch: stretch.stop - stretch.position, default=None)
        if slowest is None or self.is_one_stream:
            return None
        if slowest.stop - slowest.position < _WORTH_SHARING * self._block:
            return None
        middle = (slowest.position + slowest.stop) // (2 * self._block) * self._block
        stretch = Stretch(middle, slowest.stop)
        slowest.stop = middle
        return stretch
