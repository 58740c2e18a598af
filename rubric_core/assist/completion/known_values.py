"""What the file around the cursor knows: anchors, targets, scorecards, and which scores have no band yet."""

from collections.abc import Iterable, Iterator
from itertools import chain, pairwise

from rubric_core.assist.completion.parts import TypedEntry
from rubric_core.assist.completion.place import CompletionPlace
from rubric_core.assist.completion.proposals import ProposalKind
from rubric_core.assist.cursor import Cursor
from rubric_core.schema.fields import Field, FieldType, Record
from rubric_core.schema.scales import HIGHEST, LOWEST
from rubric_core.syntax.nodes import Mapping, Sequence
from rubric_core.text.patterns import lazily

# A file can hold more anchors than anybody wants to read through.
_MOST_ANCHORS = 100
_SHAPES = {Mapping: FieldType.MAPPING, Sequence: FieldType.SEQUENCE, type(None): None}
_ANCHOR = lazily(r"(?:(?<=[\s,\[{:-])|\A)&([^\s,\[\]{}]+)")
_USUAL_WIDTH = 3
_INTEGER = lazily(r"[0-9]{1,3}\Z")

Range = tuple[int, int]


def known_values(
    place: CompletionPlace, record: Record, field: Field, cursor: Cursor
) -> Iterator[tuple[str, ProposalKind, str]]:
    """Yield the values of a field that the file knows better than the table, each with what it is."""
    if field.name == "target" and FieldType.BOOLEAN not in field.type:
        for name in sorted(cursor.analysis.project.targets or ()):
            yield name, ProposalKind.REFERENCE, "target"
    elif (record.name, field.name) == ("case", "scorecard"):
        for name in cursor.analysis.facts.suite.scorecards:
            yield name, ProposalKind.REFERENCE, "scorecard of this file"
    elif field.name == "required_min_score":
        for low, _ in _edges(place.branch.get("score_ranges")):
            yield str(low), ProposalKind.VALUE, f"lets the bands from {low} up pass"


def anchors_before(cursor: Cursor) -> dict[str, FieldType | None]:
    """Return the anchors that stand before the cursor in its YAML document, the nearest one first.

    The shape of what an anchor names is None where the text around it cannot be parsed.
    """
    found: dict[str, FieldType | None] = {}
    before = ((chunk.text, chunk.tree) for chunk in cursor.document.anchored_before(cursor.index))
    for text, tree in chain([(cursor.text[: cursor.at], cursor.chunk.tree)], before):
        known = tree.anchors if tree is not None else {}
        for name in reversed(_ANCHOR.findall(text)) if "&" in text else ():
            found.setdefault(name, _SHAPES.get(type(known.get(name)), FieldType.STRING))
        if len(found) >= _MOST_ANCHORS:
            break
    return found


def next_bounds(entries: Iterable[TypedEntry], cursor: int) -> list[int]:
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


def next_ranges(items: Iterable[TypedEntry]) -> list[Range]:
    """Return the ranges that an array lacks, lowest first; an open end is offered as one more band and as a whole."""
    taken = sorted(_read_ranges(items))
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


def _read_ranges(items: Iterable[TypedEntry]) -> list[Range]:
    """Return the ranges of an array, each with its bounds in order."""
    found: list[Range] = []
    for item in items:
        pair = item.child.get("score_range") if item.child is not None and not item.child.is_list else None
        bounds = [_integer(bound.word) for bound in pair.child.entries] if pair is not None and pair.child else []
        if len(bounds) == 2 and None not in bounds:  # noqa: PLR2004 - the two ends of a range.
            low, high = sorted(bound for bound in bounds if bound is not None)
            found.append((low, high))
    return found


def _edges(score_ranges: TypedEntry | None) -> list[Range]:
    """Return the bands above the lowest one: a gate at the start of a band splits none."""
    branch = score_ranges.child if score_ranges is not None else None
    if branch is None:
        return []
    if branch.is_list:
        return [band for band in sorted(_read_ranges(branch.entries)) if LOWEST < band[0] <= HIGHEST]
    bounds = sorted({bound for entry in branch.entries if (bound := _integer(entry.key)) is not None})
    inside = [bound for bound in bounds if bound <= HIGHEST]
    return [(low, high - 1) for low, high in pairwise([*inside, HIGHEST + 1]) if low > LOWEST]


def _integer(word: str) -> int | None:
    return int(word) if _INTEGER.match(word) else None
