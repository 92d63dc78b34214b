"""Which bytes of a file are there."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator


class ByteRanges:
    """Separate ranges in rising order; those that touch become one.

    A range goes from its first byte to the one after its last.
    """

    def __init__(self, ranges: Iterable[tuple[int, int]] = ()) -> None:
        self._starts: list[int] = []
        self._stops: list[int] = []
        self._total = 0
        for start, stop in ranges:
            self.add(start, stop)

    @property
    def total(self) -> int:
        """How many bytes there are in all."""
        return self._total

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return zip(self._starts, self._stops, strict=True)

    def add(self, start: int, stop: int) -> None:
        """These bytes are there, whatever was before. Nothing where the range is empty."""
        if start >= stop:
            return
        first = bisect_left(self._stops, start)  # it and those up to `last` touch what is added
        last = bisect_right(self._starts, stop)
        if first < last:
            start, stop = min(start, self._starts[first]), max(stop, self._stops[last - 1])
        self._replace(first, last, [(start, stop)])

    def remove(self, start: int, stop: int) -> None:
        """These bytes are not there, whatever was before."""
        if start >= stop:
            return
        first = bisect_right(self._stops, start)
        last = bisect_left(self._starts, stop)
        if first >= last:
            return
        left = [(self._starts[first], start), (stop, self._stops[last - 1])]
        self._replace(first, last, [piece for piece in left if piece[0] < piece[1]])

    def reach(self, position: int) -> int:
        """How far all bytes from `position` on are there; `position` itself where that one is missing."""
        index = bisect_right(self._starts, position) - 1
        return max(position, self._stops[index]) if index >= 0 else position

    def touches(self, start: int, stop: int) -> bool:
        """Whether any of these bytes is there."""
        index = bisect_right(self._stops, start)
        return index < len(self._starts) and self._starts[index] < stop

    def first_gap(self, size: int) -> tuple[int, int] | None:
        """The first range below `size` that is missing."""
        start = self.reach(0)
        if start >= size:
            return None
        index = bisect_right(self._starts, start)
        return start, min(size, self._starts[index]) if index < len(self._starts) else size

    def _replace(self, first: int, last: int, ranges: list[tuple[int, int]]) -> None:
        self._total -= sum(self._stops[first:last]) - sum(self._starts[first:last])
        self._total += sum(stop - start for start, stop in ranges)
        self._starts[first:last] = [start for start, _ in ranges]
        self._stops[first:last] = [stop for _, stop in ranges]
