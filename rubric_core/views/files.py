"""A file as a whole: facts that need more than one chunk."""

from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from rubric_core.dialects.dialect import Dialect
from rubric_core.dialects.recognition import DialectMark
from rubric_core.syntax.chunks import Chunk
from rubric_core.syntax.nodes import Node, Pair, Scalar


class PlacedPair(NamedTuple):
    """A top-level entry of a YAML document and the chunk that it is in."""

    chunk: Chunk
    pair: Pair


class PlacedId(NamedTuple):
    """The id of a case and the chunk that it is in."""

    chunk: Chunk
    node: Scalar


class PlacedNode(NamedTuple):
    """Any node and the chunk that it is in."""

    chunk: Chunk
    node: Node


class PlacedReference(NamedTuple):
    """A reference to another part of the file, such as `#/templates/tone`, and the chunk that it is in."""

    chunk: Chunk
    node: Scalar


class FileView(NamedTuple):
    """The file as a whole, for rules that compare its parts.

    Attributes:
        documents: The top-level entries of each YAML document that is ours, in the order of the text.
        repeated_ids: The ids that more than one case has, each with all its places in the order of the text.
        ids: Every id of a case.
        case_count: How many cases there are.
        case_over_limit: The first case beyond the limit.
        dialect: The dialect that was recognised.
        marks: The words that indicate a dialect, each once, in no order.
        variables: The variables that any case has; None where other files may have more.
        metrics: The names of metrics that assertions have; None if unknown or not requested.
        references: The references to other parts of the file, if the dialect has a key for them.
        cases_by_variable: How many cases have each variable; None if that is irrelevant for the prompts.
        is_named: Whether a suite names the file as one with tests.
    """

    documents: tuple[tuple[PlacedPair, ...], ...]
    repeated_ids: dict[str, tuple[PlacedId, ...]]
    ids: Collection[str]
    case_count: int
    case_over_limit: PlacedNode | None
    dialect: Dialect
    marks: Collection[DialectMark]
    variables: frozenset[str] | None = None
    metrics: frozenset[str] | None = None
    references: tuple[PlacedReference, ...] = ()
    cases_by_variable: Mapping[str, int] | None = None
    is_named: bool = False

    def entries(self) -> Iterator[PlacedPair]:
        """Yield the top-level entries of all documents."""
        return (entry for entries in self.documents for entry in entries)

    def under(self, *names: str) -> Iterator[PlacedPair]:
        """Yield the top-level entries of all documents that have one of some names."""
        return (entry for entry in self.entries() if entry.pair.name in names)
