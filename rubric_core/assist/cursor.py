"""The cursor: its chunk, the path of nodes down to a key, a value or a dash, and the case and criterion around it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from rubric_core.analysis.analysis import Analysis
from rubric_core.analysis.chunk_facts import cases_of
from rubric_core.assist.by_chunk import ChunkView
from rubric_core.dialects.dialect import Dialect
from rubric_core.dialects.registry import CASE_LIST_NAMES
from rubric_core.schema.fields import Field, FieldType, Record
from rubric_core.syntax.chunks import Chunk, ChunkKind
from rubric_core.syntax.document import Document
from rubric_core.syntax.edits import dash_of
from rubric_core.syntax.nodes import Mapping, Node, Pair, Scalar, Sequence, Tree
from rubric_core.syntax.scalars import YamlVersion
from rubric_core.text.lines import line_break_of, line_end, line_start
from rubric_core.text.spans import Edit, Span
from rubric_core.views.bands import Band, BandsView
from rubric_core.views.cases import CaseView
from rubric_core.views.criteria import CriteriaView, CriterionView
from rubric_core.views.files import PlacedPair

if TYPE_CHECKING:
    _Descent = tuple["CursorPart | None", Node | None, Record | None]


class CursorPart(Enum):
    """The part of a collection that the cursor is on."""

    KEY = "the key of a pair"
    VALUE = "a scalar"
    DASH = "the dash of an item"
    BRACKET = "a bracket or a comma of a list"
    ALIAS = "an alias, or the `<<` that merges it"


class PathStep(NamedTuple):
    """A collection on the path. `record` is that of the mapping, or of the items of the list.

    `pair` and `field` are the pair that the path goes through and its field in the table; a list has none.
    """

    node: Mapping | Sequence
    record: Record | None
    pair: Pair | None = None
    field: Field | None = None


class Cursor:
    """A place in a chunk. Nodes, spans and `at` count from the start of the chunk, which is at `base` in the text.

    `steps` are the collections around the cursor, outermost first, and `node` is what the last one leads to. `part` is
    None on blank space and in text that cannot be parsed. The parser may join the chunk with others later: offsets stay
    valid, and `is_current` states whether the nodes do.
    """

    def __init__(self, analysis: Analysis, chunk: Chunk, tree: Tree, base: int, at: int) -> None:
        self.analysis = analysis
        self.chunk = chunk
        self.tree = tree
        self.base = base
        self.at = at
        self.text = chunk.text
        self.steps: list[PathStep] = []
        self.node: Node | None = None
        self.part: CursorPart | None = self._descend(tree.root) if tree.root is not None else None

    @property
    def document(self) -> Document:
        """Return the document that the cursor is in."""
        return self.analysis.document

    @property
    def is_current(self) -> bool:
        """Return whether the chunk is still part of the document."""
        return self.chunk in self.document.indices

    @property
    def index(self) -> int:
        """Return the index of the chunk."""
        return self.document.index_of(self.chunk)

    @property
    def version(self) -> YamlVersion:
        """Return the YAML version of the chunk."""
        return self.document.version(self.chunk)

    @property
    def line_break(self) -> str:
        """Return the line break of the chunk."""
        return line_break_of(self.text)

    @property
    def last(self) -> PathStep:
        """Return the collection that holds the node."""
        return self.steps[-1]

    @property
    def record(self) -> str:
        """Return the name of the record of the last collection, or of its items; "" without one."""
        return self.last.record.name if self.last.record is not None else ""

    def node_below(self, index: int) -> Node | None:
        """Return the node that a step leads to."""
        return self.steps[index + 1].node if index + 1 < len(self.steps) else self.node

    def is_on(self, item: Node, keys: Collection[str]) -> bool:
        """Return whether the cursor is on an item of a list as a whole, or on one of some keys of it."""
        last = self.last
        return self.node is item or (last.node is item and last.pair is not None and (last.pair.name or "") in keys)

    def suite_entries(self) -> tuple[PlacedPair, ...]:
        """Return the top-level entries of the YAML document."""
        self.analysis.read_top_entries_first()
        return self.analysis.facts.entries_of(self.chunk.section)

    def absolute(self, edits: Iterable[Edit]) -> tuple[Edit, ...]:
        """Return edits of the chunk as edits of the whole text, in the order of the text."""
        return tuple(sorted(edit.shifted(self.base) for edit in edits))

    @property
    def dialect(self) -> Dialect:
        """Return the dialect of the file."""
        return self.analysis.facts.suite.dialect

    # The path

    def _descend(self, root: Node) -> CursorPart | None:
        """Go down to the node under the cursor; return the part of it that the cursor is on."""
        following: Node | None = root
        record, part = self._root_record(root), None
        while following is not None:
            self.node = node = following
            if node.origin is not None:
                return CursorPart.ALIAS if self.steps else None
            if isinstance(node, Mapping):
                part, following, record = self._in_mapping(node, record)
            elif isinstance(node, Sequence):
                part, following, record = self._in_sequence(node, record)
            else:
                return CursorPart.VALUE if self.steps else None
        return part

    def _in_mapping(self, mapping: Mapping, record: Record | None) -> _Descent:
        pair = next((own for own in _own_pairs(mapping) if _holds(own, self.at)), None)
        field = field_of_key(record, pair.name if pair is not None else None)
        self.steps.append(PathStep(mapping, record, pair, field))
        self.node = None
        if pair is None:
            return None, None, None
        is_on_key, is_on_value = _holds(pair.key, self.at), _holds(pair.value, self.at)
        is_merge = pair in _merges(mapping)
        self.node = pair.key if is_on_key and not is_merge else pair.value
        if is_merge and (is_on_key or is_on_value) and not (isinstance(pair.value, Mapping) and is_on_value):
            return CursorPart.ALIAS, None, None
        if is_on_key or not is_on_value:
            return CursorPart.KEY if is_on_key else None, None, None
        if is_merge:
            return None, pair.value, record
        if isinstance(pair.value, Sequence):
            return None, pair.value, record_of_value(field, pair.name, FieldType.SEQUENCE, self.dialect)
        below = record_of_value(field, pair.name, FieldType.MAPPING, self.dialect)
        return None, pair.value, exact_record(below, _type_of(pair.value), self.dialect)

    def _in_sequence(self, sequence: Sequence, record: Record | None) -> _Descent:
        self.steps.append(PathStep(sequence, record))
        inner = next((item for item in sequence.items if _holds(item, self.at)), None)
        if inner is not None:
            below = None if isinstance(inner, Sequence) else exact_record(record, _type_of(inner), self.dialect)
            return None, inner, below
        if sequence.flow:
            return CursorPart.BRACKET, None, None
        self.node = next((item for item in sequence.items if item.start > self.at), None)
        is_dash = self.node is not None and dash_of(self.text, self.node) == self.at
        return CursorPart.DASH if is_dash else None, None, None

    def _root_record(self, root: Node) -> Record | None:
        """Return the record of the root, or of its items."""
        dialect, place = self.dialect, self.chunk.place
        if self.chunk.kind is ChunkKind.ITEM and place is not None:
            field = dialect.suite.get(place.key)
            below = dialect.below(field, FieldType.SEQUENCE) if field is not None else None
            return below or (dialect.case if place.key in CASE_LIST_NAMES else None)
        if self.chunk.kind in {ChunkKind.LINE, ChunkKind.CASE} or isinstance(root, Sequence):
            return dialect.raw_case
        return dialect.suite

    # The case, the criterion and the score range, including the rest of their last lines

    def holds(self, span: Span, *, flow: bool) -> bool:
        """Return whether the cursor is in a span or, in block style, in the rest of its last line."""
        return span.start <= self._content <= (span.end if flow else line_end(self.text, span.end))

    @cached_property
    def _content(self) -> int:
        """Return the cursor, moved from the white space or the dash at the start of a line to the text behind."""
        start, end = line_start(self.text, self.at), line_end(self.text, self.at)
        content = end - len(self.text[start:end].lstrip(" -"))
        return max(self.at, content) if content < end else self.at

    @cached_property
    def case(self) -> CaseView | None:
        """Return the case that the cursor is in."""
        for node in cases_of(self.chunk, self.tree.root)[1]:
            if isinstance(node, Mapping) and node.origin is None and self.holds(node.span, flow=node.flow):
                return CaseView(node, self.version, self.dialect)
        return None

    @cached_property
    def criteria(self) -> CriteriaView | None:
        """Return the list of criteria that the cursor is in: one of the case or of the suite's evaluators."""
        case, view = self.case, ChunkView(self.chunk, self.tree, self.version, self.dialect)
        lists = case.all_criteria() if case else view.suite_criteria()
        # The innermost one: the list of an evaluator is inside of the list that its strings are in.
        around = sorted(filter(self._is_in_list, lists), key=lambda listed: listed.pair.span.start, reverse=True)
        return around[0] if around else None

    def _is_in_list(self, criteria: CriteriaView) -> bool:
        if criteria.pair.key.origin is not None:
            return False
        if criteria.field is None:
            # Strings between evaluators.
            flow = getattr(criteria.node, "flow", False)
            return any(self.holds(criterion.node.span, flow=flow) for criterion in criteria.criteria)
        return self.holds(criteria.pair.span, flow=criteria.owner.flow)

    @cached_property
    def criterion(self) -> CriterionView | None:
        """Return the criterion that the cursor is in."""
        if self.criteria is None:
            return None
        flow = getattr(self.criteria.node, "flow", False)
        own = (criterion for criterion in self.criteria.readable if criterion.node.origin is None)
        return next((criterion for criterion in own if self.holds(criterion.node.span, flow=flow)), None)

    @cached_property
    def bands(self) -> BandsView | None:
        """Return the score ranges that the cursor is in, their key included."""
        bands, fields = (self.criterion.bands, self.criterion.fields) if self.criterion is not None else (None, None)
        if bands is None or fields is None or bands.pair.key.origin or bands.node.origin:
            return None
        return bands if self.holds(bands.pair.span, flow=fields.flow) else None

    @cached_property
    def band(self) -> Band | None:
        """Return the score range that the cursor is in."""
        if self.bands is None:
            return None
        flow = getattr(self.bands.node, "flow", False)
        return next((band for band in self.bands.bands if self.holds(band.whole.span, flow=flow)), None)


def cursor_at(analysis: Analysis, offset: int) -> Cursor | None:
    """Return the cursor at an offset; None outside of the text and in YAML documents that are not eval suites."""
    if offset < 0 or not analysis.is_ours():
        return None
    document = analysis.document
    # Reading a chunk may join it with the next one, so its place is looked up afterwards.
    analysis.check_first(Span(offset, offset))
    index = document.read(document.chunk_at(offset))
    chunk, base = document.chunks[index], document.start_of(index)
    if offset > base + len(chunk.text) or not analysis.owns(chunk):
        return None
    return Cursor(analysis, chunk, document.tree(index), base, offset - base)


def _holds(node: Node | Pair, at: int) -> bool:
    return node.span.start <= at <= node.span.end


def _merges(mapping: Mapping) -> tuple[Pair, ...]:
    return tuple(mapping.meta.merges) if mapping.meta is not None else ()


def _own_pairs(mapping: Mapping) -> Iterator[Pair]:
    """Yield the pairs and merge keys that are written in a mapping: what a merge key adds is elsewhere."""
    return (pair for pair in (*_merges(mapping), *mapping.pairs) if pair.key.origin is None)


# The record of what is below a key or a dash; completion asks the same of text that is half typed


def field_of_key(record: Record | None, key: str | None) -> Field | None:
    """Return the field that a key of a record means."""
    return record.get(key) or record.entry if record is not None and key is not None else None


def record_of_value(field: Field | None, key: str | None, shape: FieldType, dialect: Dialect) -> Record | None:
    """Return the record of the mapping that is below a key, or of the items of the list."""
    return dialect.below(field, shape) if field is not None and field.accepts(shape, key) else None


def exact_record(record: Record | None, kind: str | None, dialect: Dialect) -> Record | None:
    """Return the record of a mapping, which for an evaluator is the one of its own type."""
    return dialect.evaluator(kind) if record is not None and record.name == "evaluator" else record


def _type_of(node: Node) -> str | None:
    kind = node.get("type") if isinstance(node, Mapping) else None
    return kind.value if isinstance(kind, Scalar) else None
