"""Where each chunk starts, counted in code points or in lines, brought up to date only as far as it is asked for."""

from bisect import bisect_right
from itertools import accumulate

# What is looked for is mostly near the last edit, so sums are made for this many things at a time.
_AT_ONCE = 256


class RunningTotals:
    """The sums of the sizes before each of a list of things whose sizes change now and then.

    An edit changes the size of one chunk, and the next edit is mostly in the same place: sums behind it are not
    made until something asks for them.
    """

    __slots__ = ("_sizes", "_totals", "_valid", "total")

    def __init__(self, sizes: list[int]) -> None:
        self._sizes = sizes
        self._totals = [0] * len(sizes)
        # How many of the sums are right; the first is always 0.
        self._valid = 1
        self.total = sum(sizes)
        """The sum of all sizes."""

    def before(self, index: int) -> int:
        """Return the sum of the sizes before an index."""
        if index >= self._valid:
            if index >= len(self._sizes):
                raise IndexError(f"There is nothing at {index} of {len(self._sizes)}.")
            last = self._valid - 1
            self._totals[last : index + 1] = accumulate(self._sizes[last:index], initial=self._totals[last])
            self._valid = index + 1
        return self._totals[index]

    def totals(self) -> list[int]:
        """Return the sums before each of the things; the list is not the caller's to change."""
        self.before(len(self._sizes) - 1)
        return self._totals

    def find(self, value: int) -> int:
        """Return the index of the thing that holds a value; one past the end belongs to the last thing."""
        while self._totals[self._valid - 1] <= value and self._valid < len(self._sizes):
            self.before(min(self._valid + _AT_ONCE, len(self._sizes)) - 1)
        return max(bisect_right(self._totals, value, 0, self._valid) - 1, 0)

    def replace(self, start: int, stop: int, sizes: list[int]) -> None:
        """Put other sizes in the place of some."""
        before = self._sizes[start:stop]
        if before == sizes:
            return
        self._sizes[start:stop] = sizes
        self.total += sum(sizes) - sum(before)
        right = start + 1
        if stop - start != len(sizes):
            self._totals[start:stop] = [0] * len(sizes)
            # What is first now may have stood further down.
            self._totals[0] = 0
            right = start
        self._valid = max(min(self._valid, right), 1)
