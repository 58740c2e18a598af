"""Where the cursor is: the chunk, and the way from its root down to a key, a value or the dash of an item."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from rubric_core.analysis.facts import CASES_IN_LISTS
from rubric_core.assist.hover.markup import Block, as_markdown, as_plain
from rubric_core.schema.evaluators import evaluator_record
from rubric_core.schema.fields import FieldType
from rubric_core.schema.records import CASE_LIST_NAMES, record_below
from rubric_core.syntax.chunks import ChunkKind
from rubric_core.syntax.nodes import Mapping, Node, Pair, Scalar, Sequence
from rubric_core.text.lines import line_start
from rubric_core.text.spans import Span

if TYPE_CHECKING:
    from rubric_core.analysis.analysis import Analysis
    from rubric_core.schema.fields import Field, Record
    from rubric_core.syntax.chunks import Chunk
    from rubric_core.syntax.scalars import YamlVersion
    from rubric_core.syntax.tree import Tree
    from rubric_core.views.files import PlacedPair


class Hover(NamedTuple):
    """What is said about a stretch of the text."""

    span: Span
    blocks: tuple[Block, ...]

    @property
    def markdown(self) -> str:
        """Return it as Markdown."""
        return as_markdown(self.blocks)

    @property
    def plain(self) -> str:
        """Return it as plain text."""
        return as_plain(self.blocks)


class HoverChunk(NamedTuple):
    """The chunk under the cursor. `at` counts from its start, `base` is where it starts in the whole text."""

    analysis: Analysis
    chunk: Chunk
    tree: Tree
    base: int
    at: int

    @property
    def text(self) -> str:
        """Return the text of the chunk."""
        return self.chunk.text

    @property
    def version(self) -> YamlVersion:
        """Return the YAML version that gives the scalars their meaning."""
        return self.analysis.document.version(self.chunk)

    @property
    def is_broken(self) -> bool:
        """Tell whether the chunk cannot be parsed."""
        return self.tree.root is None and bool(self.tree.problems)

    def hover(self, span: Span, *blocks: Block) -> Hover:
        """Return what is said about a stretch of the chunk."""
        return Hover(span.shifted(self.base), blocks)


def spot_at(analysis: Analysis, offset: int) -> HoverChunk | None:
    """Return the chunk at an offset; None outside of the text and in YAML documents that are not ours."""
    if offset < 0 or not analysis.is_ours():
        return None
    document = analysis.document
    analysis.attend(Span(offset, offset))
    index = document.read(document.chunk_at(offset))
    chunk = document.chunks[index]
    base = document.start_of(index)
    if offset > base + len(chunk.text) or not analysis.owns(chunk):
        return None
    return HoverChunk(analysis, chunk, document.tree(index), base, offset - base)


def suite_entries(spot: HoverChunk) -> tuple[PlacedPair, ...]:
    """Return the top-level entries around the cursor; those that the analysis has not come to yet are read first."""
    analysis, document = spot.analysis, spot.analysis.document
    if not analysis.is_complete:
        unread = (
            document.start_of(index)
            for index, chunk in enumerate(tuple(document.chunks))
            if chunk.kind not in CASES_IN_LISTS and chunk not in analysis.facts.outlines
        )
        for start in tuple(unread):
            analysis.attend(Span(start, start))
    return analysis.facts.entries_of(spot.chunk.section)


class CollectionPart(Enum):
    """What of a collection the cursor is on."""

    KEY = "the key of a pair"
    VALUE = "a scalar"
    DASH = "the dash of an item"
    BRACKET = "a bracket or a comma of a list"
    ALIAS = "an alias, or the `<<` that merges it"


class PathStep(NamedTuple):
    """A collection on the way down. `record` is that of the mapping, or of the items of the list.

    `pair` and `field` are the pair that the way goes through and what the table says of it; a list has none.
    """

    node: Mapping | Sequence
    record: Record | None
    pair: Pair | None = None
    field: Field | None = None


class HoverPlace(NamedTuple):
    """The node under the cursor, and the way down to it, outermost first."""

    part: CollectionPart
    node: Node
    steps: tuple[PathStep, ...]

    @property
    def last(self) -> PathStep:
        """Return the collection that holds the node."""
        return self.steps[-1]

    def step_of(self, *records: str) -> int | None:
        """Return the place of the innermost mapping that is one of some records."""
        for index in range(len(self.steps) - 1, -1, -1):
            step = self.steps[index]
            if isinstance(step.node, Mapping) and step.record is not None and step.record.name in records:
                return index
        return None

    def node_below(self, index: int) -> Node:
        """Return the node that a step leads to."""
        return self.steps[index + 1].node if index + 1 < len(self.steps) else self.node


def place_at(spot: HoverChunk) -> HoverPlace | None:
    """Find what is under the cursor; None on blank space and in text that is broken."""
    root = spot.tree.root
    if root is None:
        return None
    node: Node = root
    record = _first_record(spot, root)
    steps: list[PathStep] = []
    while True:
        if node.origin is not None:
            return HoverPlace(CollectionPart.ALIAS, node, tuple(steps)) if steps else None
        if isinstance(node, Mapping):
            found = _pair_at(node, spot.at)
            if found is None:
                return None
            pair, part = found
            step = PathStep(node, record, pair, _field_of(record, pair))
            steps.append(step)
            if part is not None:
                return HoverPlace(part, pair.value if part is CollectionPart.ALIAS else pair.key, tuple(steps))
            node, record = pair.value, _record_of_value(step)
        elif isinstance(node, Sequence):
            steps.append(PathStep(node, record))
            inner = next((item for item in node.items if _holds(item, spot.at)), None)
            if inner is None:
                return _beside_items(spot, node, tuple(steps))
            node, record = inner, exact_record(record, inner)
        else:
            return HoverPlace(CollectionPart.VALUE, node, tuple(steps)) if steps else None


def _holds(node: Node, at: int) -> bool:
    return node.start <= at <= node.end


def _first_record(spot: HoverChunk, root: Node) -> Record | None:
    """Return the record of the root, or of its items. In a later dialect the table does not hold."""
    records = spot.analysis.facts.suite.dialect.records
    if records is None:
        return None
    if spot.chunk.kind is ChunkKind.ITEM:
        place = spot.chunk.place
        return records["case"] if place is not None and place.key in CASE_LIST_NAMES else None
    if spot.chunk.kind is ChunkKind.LINE:
        return records["case"]
    return records["suite"] if isinstance(root, Mapping) else None


def _pair_at(mapping: Mapping, at: int) -> tuple[Pair, CollectionPart | None] | None:
    """Return the pair at an offset and what of it is there; None for the part means that it is inside the value."""
    for merge in mapping.meta.merges if mapping.meta is not None else ():
        if _holds(merge.key, at) or _holds(merge.value, at):
            return merge, CollectionPart.ALIAS
    for pair in mapping.pairs:
        # What a merge key brings along stands elsewhere.
        if pair.key.origin is None:
            if _holds(pair.key, at):
                return pair, CollectionPart.KEY
            if _holds(pair.value, at):
                return pair, None
    return None


def _field_of(record: Record | None, pair: Pair) -> Field | None:
    if record is None or pair.name is None:
        return None
    return record.get(pair.name) or record.entry


def _record_of_value(step: PathStep) -> Record | None:
    field, pair = step.field, step.pair
    if field is None or pair is None or field.record is None:
        return None
    if isinstance(pair.value, Sequence):
        return record_below(field, FieldType.SEQUENCE)
    if not field.accepts(FieldType.MAPPING, pair.name):
        return None
    return exact_record(record_below(field, FieldType.MAPPING), pair.value)


def exact_record(record: Record | None, node: Node) -> Record | None:
    """Return the record of a mapping; for an evaluator, the one of its own type."""
    if record is None or not isinstance(node, Mapping):
        return record if isinstance(node, Scalar) else None
    if record.name != "evaluator":
        return record
    kind = node.get("type")
    return evaluator_record(kind.value if isinstance(kind, Scalar) else None)


def _beside_items(spot: HoverChunk, sequence: Sequence, steps: tuple[PathStep, ...]) -> HoverPlace | None:
    """Return what is under a cursor that is in a list but in none of its items."""
    text, at = spot.text, spot.at
    if sequence.flow:
        return HoverPlace(CollectionPart.BRACKET, sequence, steps)
    # A dash in a comment has something else before it on its line.
    if text[at : at + 1] != "-" or text[line_start(text, at) : at].strip(" \t-"):
        return None
    item = next((item for item in sequence.items if item.start > at), None)
    return HoverPlace(CollectionPart.DASH, item, steps) if item is not None else None
