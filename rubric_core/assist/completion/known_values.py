"""Values that the file around the cursor defines: anchors, targets, scorecards, and which scores have no band yet."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain, islice, pairwise

from rubric_core.analysis.counted_facts import CASES_IN_LISTS
from rubric_core.assist.completion.parts import Branch, TypedEntry, field_of
from rubric_core.assist.completion.place import CompletionPlace
from rubric_core.assist.completion.proposals import ProposalKind
from rubric_core.assist.cursor import Cursor
from rubric_core.assist.words import case_noun
from rubric_core.schema.fields import Field, FieldType, Record, Role
from rubric_core.schema.scales import HIGHEST, LOWEST
from rubric_core.syntax.nodes import Mapping, Scalar, Sequence
from rubric_core.text.lines import line_end, line_start
from rubric_core.text.patterns import lazily

# A file can hold more anchors than anybody wants to read through.
_MOST_ANCHORS = 100
_SHAPES = {Mapping: FieldType.MAPPING, Sequence: FieldType.SEQUENCE, type(None): None}
_ANCHOR = lazily(r"(?:(?<=[\s,\[{:-])|\A)&([^\s,\[\]{}]+)")
_USUAL_WIDTH = 3
_MOST_NAMES = 100
_CASE_ID = lazily(r"^[ ]*-?[ ]*id:[ ]+[\"']?([\w.-]+)", re.MULTILINE)
# Where one target or provider is named, and where several are, with what they are called there.
_TARGET_KEYS = {"target": "target", "use_target": "target", "provider": "provider", "grader": "provider"}
_TARGET_LISTS = {"targets": "target", "providers": "provider"}
_INTEGER = lazily(r"[0-9]{1,3}\Z")

Range = tuple[int, int]


def known_values(
    place: CompletionPlace, record: Record, field: Field, cursor: Cursor
) -> Iterator[tuple[str, ProposalKind, str]]:
    """Yield the values of a field that the file knows better than the table, each with what it is."""
    if field.name in _TARGET_KEYS and FieldType.STRING in field.type:
        yield from _targets(cursor, _TARGET_KEYS[field.name])
    elif record.name.startswith("evaluator") and field.name == record.name_key and not field.required:
        yield from (
            (name, ProposalKind.REFERENCE, "name of other results") for name in _names_of_results(cursor, field)
        )
    elif (record.name, field.name) == ("case", "scorecard"):
        for name in cursor.analysis.facts.suite.scorecards:
            yield name, ProposalKind.REFERENCE, "scorecard of this file"
    elif field.role is Role.GATE:
        for low, _ in _edges(place.branch.get("score_ranges")):
            yield cursor.dialect.table.gates.written(low), ProposalKind.VALUE, f"lets the bands from {low} up pass"


def known_items(listed: Branch, cursor: Cursor) -> Iterator[tuple[str, ProposalKind, str]]:
    """Yield the names that can be items of a list, each with what it is."""
    owner = listed.owner
    field = field_of(owner) if owner is not None and not owner.branch.is_list else None
    if field is None:
        return
    taken = {entry.word for entry in listed.entries if entry.has_text}
    if field.name in _TARGET_LISTS:
        yield from (item for item in _targets(cursor, _TARGET_LISTS[field.name]) if item[0] not in taken)
    elif field.name == "prompts" and owner is not None and owner.branch.record is not cursor.dialect.suite:
        for name in _labels(cursor, "prompts"):
            if name not in taken:
                yield name, ProposalKind.REFERENCE, "prompt of this file"
    elif field.name == "depends_on":
        for name in _ids_of_cases(cursor):
            if name not in taken:
                yield name, ProposalKind.REFERENCE, f"{case_noun(cursor.dialect)} of this file"


def _targets(cursor: Cursor, noun: str) -> Iterator[tuple[str, ProposalKind, str]]:
    """Yield the targets or providers of the project, and those that this file describes itself."""
    names = dict.fromkeys(sorted(cursor.analysis.project.targets or ()), noun)
    for label in _labels(cursor, "providers"):
        names.setdefault(label, f"{noun} of this file")
    yield from ((name, ProposalKind.REFERENCE, detail) for name, detail in names.items())


def _labels(cursor: Cursor, key: str) -> Iterator[str]:
    """Yield what tests call the items of a list at the top: their label, their id, or what they are."""
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
    """Return the anchors that are before the cursor in its YAML document, the nearest one first.

    The shape of what an anchor names is None where the text around it cannot be parsed.
    """
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
