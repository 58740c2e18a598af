"""Where chunks start is added up only as far as it is asked for, and is always right."""

from __future__ import annotations

from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric_core.syntax.chunk_list import RunningTotals


@pytest.mark.parametrize(("value", "index"), [(-1, 0), (0, 0), (2, 0), (3, 2), (4, 3), (6, 3), (7, 3), (99, 3)])
def test_a_value_is_found_in_the_thing_that_holds_it(value: int, index: int) -> None:
    """Things without a size hold nothing; what lies outside belongs to the first or the last thing."""
    assert RunningTotals([3, 0, 1, 3]).find(value) == index


def test_equal_sizes_change_nothing() -> None:
    """Replacing a chunk by one of the same size keeps all sums."""
    totals = RunningTotals([1, 2, 3])
    totals.replace(1, 2, [2])
    assert (totals.before(2), totals.total) == (3, 6)


def test_asking_beyond_the_end_disturbs_nothing() -> None:
    """A wrong question is refused, and the next one is answered as ever."""
    totals = RunningTotals([1, 2, 3])
    with pytest.raises(IndexError):
        totals.before(3)
    assert (totals.before(2), totals.total, totals.totals()) == (3, 6, [0, 1, 3])


@given(st.lists(st.integers(0, 5), min_size=1, max_size=8), st.data())
def test_sums_stay_right_through_changes(sizes: list[int], data: st.DataObject) -> None:
    """After any replacement and in any order of questions, the sums are those of the sizes as they are now."""
    totals = RunningTotals(list(sizes))
    for _ in range(data.draw(st.integers(1, 6))):
        start = data.draw(st.integers(0, len(sizes) - 1))
        stop = data.draw(st.integers(start, len(sizes)))
        new = data.draw(st.lists(st.integers(0, 5), min_size=stop - start == len(sizes), max_size=3))
        totals.replace(start, stop, new)
        sizes[start:stop] = new
        expected = list(accumulate(sizes, initial=0))
        index = data.draw(st.integers(0, len(sizes) - 1))
        assert totals.before(index) == expected[index]
        value = data.draw(st.integers(0, expected[-1]))
        assert totals.find(value) == max(place for place, before in enumerate(expected[:-1]) if before <= value)
        assert totals.total == expected[-1]
