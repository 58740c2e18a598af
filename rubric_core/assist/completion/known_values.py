"""Values that the file and its project define: anchors, targets, scorecards, paths, and scores without a band."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import TYPE_CHECKING

from rubric_core.analysis.counted_facts import CASES_IN_LISTS
from rubric_core.assist.completion.branches import Branch, TypedEntry, field_of, record_of
from rubric_core.assist.completion.place import CompletionKind, CompletionPlace
from rubric_core.assist.completion.proposals import ProposalKind
from rubric_core.assist.cursor import Cursor
from rubric_core.assist.names.occurrences import NameKind
from rubric_core.dialects.parts import NOTES, PATHS
from rubric_core.schema.fields import Field, FieldType, Record, Role
from rubric_core.schema.scales import FILE_URL, HIGHEST, LOWEST
from rubric_core.syntax.nodes import Mapping, Scalar, Sequence
from rubric_core.text.lines import line_end, line_start
from rubric_core.text.patterns import lazily

if TYPE_CHECKING:
    from rubric_core.assist.notes import NamedByKey

# A file can hold more anchors than anybody wants to read through.
_MOST_ANCHORS = 100
_SHAPES = {Mapping: FieldType.MAPPING, Sequence: FieldType.SEQUENCE, type(None): None}
_ANCHOR = lazily(r"(?:(?<=[\s,\[{:-])|\A)&([^\s,\[\]{}]+)")
_USUAL_WIDTH = 3
_MOST_NAMES = 100
_MOST_PATHS = 200
_CASE_ID = lazily(r"^[ ]*-?[ ]*id:[ ]+[\"']?([\w.-]+)", re.MULTILINE)
_INTEGER = lazily(r"[0-9]{1,3}\Z")

Range = tuple[int, int]
KnownWord = tuple[str, ProposalKind, str]
"""A word to insert, what it is, and that in words."""


def known_values(place: CompletionPlace, record: Record, field: Field, cursor: Cursor) -> Iterator[KnownWord]:
    """Yield the values of a field that follow from the file or its project rather than from the table."""
    named = NOTES.of(cursor.dialect).named_by.get(field.name)
    if named is not None and field.accepts(FieldType.STRING) and not field.accepts(FieldType.SEQUENCE):
        yield from _names(cursor, named)
    elif record.name.startswith("evaluator") and field.name == record.name_key and not field.required:
        for name in _names_of_results(cursor, field):
            yield name, ProposalKind.REFERENCE, "name of other results"
    elif (record.name, field.name) == ("case", "scorecard"):
        for name in cursor.analysis.facts.suite.scorecards:
            yield name, ProposalKind.REFERENCE, "scorecard of this file"
    elif field.role is Role.GATE:
        for low in _bounds_inside(place.branch.get("score_ranges")):
            yield cursor.dialect.table.gates.written(low), ProposalKind.VALUE, f"lets the bands from {low} up pass"


def known_items(listed: Branch, cursor: Cursor) -> Iterator[KnownWord]:
    """Yield the names that can be items of a list, each with what it is."""
    owner = listed.owner
    field = field_of(owner) if owner is not None and not owner.branch.is_list else None
    if field is None:
        return
    named = NOTES.of(cursor.dialect).named_by.get(field.name)
    # The list in which the suite describes what others name has a record for its items.
    if named is not None and field.record != named.kind.value and field.accepts(FieldType.SEQUENCE):
        taken = {entry.word for entry in listed.entries if entry.has_text}
        yield from (item for item in _names(cursor, named) if item[0] not in taken)


def _names(cursor: Cursor, named: NamedByKey) -> Iterator[KnownWord]:
    """Yield the names of a kind that the project has, and those of this file."""
    names: dict[str, str] = {}
    if named.kind is NameKind.TARGET:
        names = dict.fromkeys(sorted(cursor.analysis.project.targets or ()), named.noun)
    own = _ids_of_cases(cursor) if named.kind is NameKind.CASE else _labels(cursor, named.kind)
    for name in own:
        names.setdefault(name, f"{named.noun} of this file")
    yield from ((name, ProposalKind.REFERENCE, detail) for name, detail in names.items())


def _labels(cursor: Cursor, kind: NameKind) -> Iterator[str]:
    """Yield what tests call the items of the list that defines names of a kind: their label or id, or what they are."""
    places = NOTES.of(cursor.dialect).suite_names
    key = next((place.path[0] for place in places if place.kind is kind and place.defines), None)
    for _, entry in cursor.suite_entries():
        if entry.name == key and isinstance(entry.value, Sequence):
            for item in entry.value.items:
                label = (item.get("label") or item.get("id")) if isinstance(item, Mapping) else item
                if isinstance(label, Scalar) and label.value:
                    yield label.value


def _ids_of_cases(cursor: Cursor) -> list[str]:
    """Return the ids of the other cases, read from their texts, because not all of them have been parsed."""
    texts = (
        chunk.text for chunk in cursor.document.chunks if chunk.kind in CASES_IN_LISTS and chunk is not cursor.chunk
    )
    matches = (_CASE_ID.search(text) for text in texts)
    return [match[1] for match in islice(filter(None, matches), _MOST_NAMES)]


def _names_of_results(cursor: Cursor, field: Field) -> list[str]:
    """Return the names that other assertions of the file have: results of one name are shown together."""
    pattern = re.compile(rf"(?:^|[\s{{,]){field.name}:[ ]+([\w-]+)", re.MULTILINE)
    here = line_start(cursor.text, cursor.at)
    counts: Counter[str] = Counter()
    for chunk in cursor.document.chunks:
        if field.name in chunk.text:
            text = chunk.text
            if chunk is cursor.chunk:
                text = text[:here] + text[line_end(text, cursor.at) :]
            counts.update(pattern.findall(text))
    return [name for name, _ in counts.most_common(_MOST_NAMES)]


def anchors_before(cursor: Cursor) -> dict[str, FieldType | None]:
    """Return the anchors before the cursor in its document, the nearest one first; an unknown shape is None."""
    shapes: dict[str, FieldType | None] = {}
    before = ((chunk.text, chunk.tree) for chunk in cursor.document.anchored_before(cursor.index))
    for text, tree in chain([(cursor.text[: cursor.at], cursor.chunk.tree)], before):
        anchors = tree.anchors if tree is not None else {}
        for name in reversed(_ANCHOR.findall(text)) if "&" in text else ():
            shapes.setdefault(name, _SHAPES.get(type(anchors.get(name)), FieldType.STRING))
        if len(shapes) >= _MOST_ANCHORS:
            break
    return shapes


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
    ranges: list[Range] = []
    reached = LOWEST - 1
    width = _USUAL_WIDTH
    for low, high in taken:
        if low > reached + 1:
            ranges.append((reached + 1, min(low - 1, HIGHEST)))
        if high > reached:
            reached, width = high, max(high - low + 1, 1)
    if reached < HIGHEST:
        one_more = min(reached + width, HIGHEST)
        ranges += dict.fromkeys(((reached + 1, one_more), (reached + 1, HIGHEST)))
    return ranges


def _read_ranges(items: Iterable[TypedEntry]) -> list[Range]:
    """Return the ranges of an array, each with its bounds in order."""
    ranges: list[Range] = []
    for item in items:
        pair = item.child.get("score_range") if item.child is not None and not item.child.is_list else None
        bounds = [_integer(bound.word) for bound in pair.child.entries] if pair is not None and pair.child else []
        if len(bounds) == 2 and None not in bounds:  # noqa: PLR2004 - the two ends of a range.
            low, high = sorted(bound for bound in bounds if bound is not None)
            ranges.append((low, high))
    return ranges


def _bounds_inside(score_ranges: TypedEntry | None) -> list[int]:
    """Return the lower bounds of the bands above the lowest score: a gate at the start of a band splits none."""
    branch = score_ranges.child if score_ranges is not None else None
    if branch is None:
        return []
    if branch.is_list:
        bounds = {low for low, _ in _read_ranges(branch.entries)}
    else:
        bounds = {bound for entry in branch.entries if (bound := _integer(entry.key)) is not None}
    return sorted(bound for bound in bounds if LOWEST < bound <= HIGHEST)


def _integer(word: str) -> int | None:
    return int(word) if _INTEGER.match(word) else None


def paths_at(place: CompletionPlace, cursor: Cursor) -> Iterator[KnownWord]:
    """Yield the values that a path at a place can have; a folder ends with a slash."""
    entry = place.entry
    written = entry.word if entry is not None and entry.has_text else ""
    typed = written[: max(cursor.at - entry.text_start - len(entry.quote), 0)] if entry is not None else ""
    prefix = PATHS.of(cursor.dialect).prefix
    prefix = prefix if typed.startswith(prefix) else ""
    if not prefix and not _wants_path(place, NOTES.of(cursor.dialect).path_keys):
        return
    folder, slash, _ = typed.removeprefix(FILE_URL).rpartition("/")
    for name in cursor.analysis.project.entries(f"{folder}{slash}")[:_MOST_PATHS]:
        path = f"{prefix}{folder}{slash}{name}"
        yield path, ProposalKind.FILE, "folder" if name.endswith("/") else "file"


def _wants_path(place: CompletionPlace, path_keys: frozenset[str]) -> bool:
    """Return whether the value at a place is a path by its key, or by the type of the part that it belongs to."""
    listed: Branch | None = place.branch
    if place.kind is CompletionKind.KEY:
        # Behind the dash of an item.
        listed = place.branch.owner.branch if place.branch.owner is not None else None
    owner = listed.owner if listed is not None and listed.is_list else place.entry
    if owner is None or field_of(owner) is None:
        return False
    record, kind = record_of(owner.branch), owner.branch.get("type")
    is_value_of_part = record is not None and record.name == "content-part" and owner.key == "value"
    return owner.key in path_keys or (is_value_of_part and kind is not None and kind.word == "file")
