"""Proposals for score ranges: the next lower bound of a map, the next range of an array, the edges for a gate."""

from collections.abc import Sequence
from itertools import pairwise

from rubric_core.assist.completion.parts import TypedEntry
from rubric_core.schema.scales import HIGHEST, LOWEST
from rubric_core.text.patterns import lazily

_USUAL_WIDTH = 3
_INTEGER = lazily(r"[0-9]{1,3}\Z")

Range = tuple[int, int]


def next_bounds(entries: Sequence[TypedEntry], cursor: int) -> list[int]:
    """Return the lower bounds that a map could go on with at the cursor, the best one first."""
    keys = [(entry.start, bound) for entry in entries if (bound := _integer(entry.key)) is not None]
    taken = {bound for _, bound in keys}
    if LOWEST not in taken:
        return [LOWEST]
    above = max((bound for start, bound in keys if start < cursor), default=LOWEST)
    below = min((bound for start, bound in keys if start >= cursor and bound > above), default=HIGHEST + 1)
    free = [bound for bound in range(above + 1, below) if bound not in taken and bound <= HIGHEST]
    before = sorted(bound for bound in taken if bound <= above)
    width = before[-1] - before[-2] if len(before) > 1 else _USUAL_WIDTH
    best = min(above + width, below - 1)
    return sorted(free, key=lambda bound: (bound != best, bound))


def next_ranges(items: Sequence[TypedEntry]) -> list[Range]:
    """Return the ranges that an array lacks, lowest first; an open end is offered as one more band and as a whole."""
    taken = sorted(read_ranges(items))
    found: list[Range] = []
    reached = LOWEST - 1
    width = _USUAL_WIDTH
    for low, high in taken:
        if low > reached + 1:
            found.append((reached + 1, min(low - 1, HIGHEST)))
        if high > reached:
            reached, width = high, max(high - low + 1, 1)
    if reached < HIGHEST:
        one_more = min(reached + width, HIGHEST)
        found += dict.fromkeys(((reached + 1, one_more), (reached + 1, HIGHEST)))
    return found


def read_ranges(items: Sequence[TypedEntry]) -> list[Range]:
    """Return the ranges of an array that can be read, each with its bounds in order."""
    found: list[Range] = []
    for item in items:
        pair = item.child.get("score_range") if item.child is not None and not item.child.is_list else None
        bounds = [_integer(bound.word) for bound in pair.child.entries] if pair is not None and pair.child else []
        if len(bounds) == 2 and None not in bounds:  # noqa: PLR2004 - the two ends of a range.
            low, high = sorted(bound for bound in bounds if bound is not None)
            found.append((low, high))
    return found


def edges(score_ranges: TypedEntry | None) -> list[Range]:
    """Return the bands above the lowest one: a gate at the start of a band splits none."""
    branch = score_ranges.child if score_ranges is not None else None
    if branch is None:
        return []
    if branch.is_list:
        return [band for band in sorted(read_ranges(branch.entries)) if LOWEST < band[0] <= HIGHEST]
    bounds = sorted({bound for entry in branch.entries if (bound := _integer(entry.key)) is not None})
    inside = [bound for bound in bounds if bound <= HIGHEST]
    return [(low, high - 1) for low, high in pairwise([*inside, HIGHEST + 1]) if low > LOWEST]


def _integer(word: str) -> int | None:
    return int(word) if _INTEGER.match(word) else None
