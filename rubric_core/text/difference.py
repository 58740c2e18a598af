"""The differences of two texts, line by line, in a time that is linear in their length."""

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import accumulate
from typing import NamedTuple, TypeVar

from rubric_core.text.lines import split_lines
from rubric_core.text.spans import Edit

Item = TypeVar("Item", bound=Hashable)

# Comparing each line of a stretch with each line of another takes quadratic time, so larger ones are not compared.
_MOST_COMPARED = 10_000


class Stretch(NamedTuple):
    """Items from `first` up to `last`, which items from `new_first` up to `new_last` of the other list replace."""

    first: int
    last: int
    new_first: int
    new_last: int


def changed_stretches(old: Sequence[Item], new: Sequence[Item]) -> Iterator[Stretch]:
    """Yield the stretches of two lists that differ, in their order.

    The lists are aligned at the items that each of them has exactly once. A moved item counts as changed, and so may
    an item that is repeated.
    """
    places, new_places = _unique_items(old), _unique_items(new)
    at, new_at = 0, 0
    for item, new_place in new_places.items():
        place = places.get(item, -1)
        if place >= at:
            yield from _trimmed(old, new, Stretch(at, place, new_at, new_place))
            at, new_at = place + 1, new_place + 1
    yield from _trimmed(old, new, Stretch(at, len(old), new_at, len(new)))


def _unique_items(items: Sequence[Item]) -> dict[Item, int]:
    counts = Counter(items)
    return {item: place for place, item in enumerate(items) if counts[item] == 1}


def _trimmed(old: Sequence[Item], new: Sequence[Item], stretch: Stretch) -> Iterator[Stretch]:
    """Yield a stretch without the equal items at its ends, if anything is left."""
    first, last, new_first, new_last = stretch
    while first < last and new_first < new_last and old[first] == new[new_first]:
        first, new_first = first + 1, new_first + 1
    while first < last and new_first < new_last and old[last - 1] == new[new_last - 1]:
        last, new_last = last - 1, new_last - 1
    if first < last or new_first < new_last:
        yield Stretch(first, last, new_first, new_last)


def line_edits(before: str, after: str) -> Iterator[Edit]:
    """Yield the edits that lead from one text to another, line by line, so that cursors elsewhere stay in place."""
    old, new = split_lines(before), split_lines(after)
    starts = [*accumulate(map(len, old), initial=0)]
    for first, last, new_first, new_last in changed_lines(old, new):
        yield Edit(starts[first], starts[last], "".join(new[new_first:new_last]))


def changed_lines(old: Sequence[str], new: Sequence[str]) -> Iterator[Stretch]:
    """Yield the lines that differ, in their order; short stretches are compared line by line."""
    for stretch in changed_stretches(old, new):
        yield from _compared(old, new, stretch)


def _compared(old: Sequence[str], new: Sequence[str], stretch: Stretch) -> Iterator[Stretch]:
    """Yield the parts of a stretch that differ; all of it if comparing would take long."""
    first, last, new_first, new_last = stretch
    if (last - first) * (new_last - new_first) > _MOST_COMPARED:
        yield stretch
        return
    matcher = SequenceMatcher(None, old[first:last], new[new_first:new_last], autojunk=False)
    for tag, start, end, new_start, new_end in matcher.get_opcodes():
        if tag != "equal":
            yield Stretch(first + start, first + end, new_first + new_start, new_first + new_end)
