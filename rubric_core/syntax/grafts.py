"""Aliases and merge keys: copies of anchored nodes that stand where the alias stands."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from rubric_core.syntax.nodes import BlockScalar, Mapping, Meta, Node, Origin, Pair, Scalar, Sequence, Style
from rubric_core.syntax.tree import SyntaxProblem
from rubric_core.text.spans import Span

if TYPE_CHECKING:
    from rubric_core.syntax.limits import Limits

# How to find an anchor of text that stands further up: its node, and the chunk that the node is in.
AnchorLookup = Callable[[str], "tuple[Node, object] | None"]
# A collection has this end while its children are being read; an alias to it would contain itself.
UNFINISHED_END = -1
_SMALLEST_BUDGET = 10_000
# A copy takes about 100 bytes and a microsecond, and a few chunks may each use all of this.
_LARGEST_BUDGET = 150_000
_MERGE_TAGS = (None, "!!merge")


class _LimitError(Exception):
    """A copy goes over a limit; the text of the exception is for the user."""


class Grafts:
    """The anchors of one text, and what its aliases may still cost."""

    __slots__ = ("_allowed", "_budget", "_limits", "_lookup", "anchors", "external", "problems")

    def __init__(self, size: int, lookup: AnchorLookup | None, limits: Limits) -> None:
        self.anchors: dict[str, Node] = {}
        self.external: set[str] = set()
        self.problems: list[SyntaxProblem] = []
        self._lookup = lookup
        self._limits = limits
        self._allowed = min(max(_SMALLEST_BUDGET, limits.alias_expansion * size), _LARGEST_BUDGET)
        self._budget = self._allowed

    def resolve(self, name: str, place: Span, depth: int) -> Node:
        """Return a copy of the anchored node at the place of its alias, or an empty scalar."""
        source, chunk = self._find(name)
        if source is None:
            self._report(place, f"The alias `*{name}` has no anchor; write `&{name}` in front of a value above it.")
        elif source.end == UNFINISHED_END:
            self._report(place, f"The alias `*{name}` refers to itself; move it out of the value of `&{name}`.")
        elif self._budget > 0:
            try:
                return self._copy(source, _Place(place, chunk, name), depth)
            except _LimitError as over:
                self._report(place, str(over), "RB008")
        return Scalar(place.start, place.end, "", Style.PLAIN, Meta(alias=name))

    def _find(self, name: str) -> tuple[Node | None, object | None]:
        source = self.anchors.get(name)
        if source is not None:
            return source, None
        # An anchor that is not there yet may come, so that the text depends on it all the same.
        self.external.add(name)
        found = self._lookup(name) if self._lookup else None
        return found if found is not None else (None, None)

    def _report(self, place: Span, message: str, code: str = "RB001") -> None:
        self.problems.append(SyntaxProblem(place, message, code))

    def _copy(self, source: Node, place: _Place, depth: int) -> Node:
        """Copy a node without recursion, level by level."""
        top = place.shell(source)
        top.meta = (top.meta or Meta())._replace(alias=place.anchor)
        budget = self._budget - 1
        level = [(source, top)]
        while level:
            depth += 1
            below: list[tuple[Node, Node]] = []
            for original, copy in level:
                budget -= _copy_children(original, copy, place, below)
                if budget < 0:
                    self._budget = 0
                    raise _LimitError(
                        f"The aliases up to here repeat more than {self._allowed:,} nodes, which is the limit; "
                        "write fewer or smaller ones."
                    )
            level = below
            if level and depth >= self._limits.depth:
                # What was copied in vain was work, too.
                self._budget = budget
                raise _LimitError(
                    f"This alias nests deeper than {self._limits.depth} levels; flatten what it refers to."
                )
        self._budget = budget
        return top


class _Place:
    """Where a copy stands: the span of its alias, and the anchor that it goes back to."""

    __slots__ = ("anchor", "chunk", "end", "start")

    def __init__(self, span: Span, chunk: object | None, anchor: str) -> None:
        self.start, self.end = span
        self.chunk = chunk
        self.anchor = anchor

    def shell(self, node: Node) -> Node:
        """Return the copy of one node, without its children."""
        meta = self._meta(node)
        if isinstance(node, BlockScalar):
            return BlockScalar(self.start, self.end, node.raw, node.parent_indent, node.style, meta)
        if isinstance(node, Scalar):
            return Scalar(self.start, self.end, node.value, node.style, meta)
        flow = isinstance(node, (Mapping, Sequence)) and node.flow
        copy = Mapping(self.start, flow) if isinstance(node, Mapping) else Sequence(self.start, flow)
        copy.end = self.end
        copy.meta = meta
        return copy

    def _meta(self, node: Node) -> Meta:
        """Return what a copy keeps: its tag, and where its text stands, through all aliases in between."""
        meta = node.meta
        if meta is None:
            return Meta(None, None, Origin(self.chunk, Span(node.start, node.end), self.anchor))
        inner = meta.origin
        if inner is None:
            return Meta(None, meta.tag, Origin(self.chunk, Span(node.start, node.end), self.anchor))
        if inner.chunk is None and self.chunk is not None:
            return Meta(None, meta.tag, Origin(self.chunk, inner.span, inner.anchor))
        # A copy of a copy says the same; only the alias that it was written with is no longer its own.
        return meta if meta.alias is None else Meta(None, meta.tag, inner)


def _copy_children(original: Node, copy: Node, place: _Place, below: list[tuple[Node, Node]]) -> int:
    """Fill the copy of a collection and return how many children it got; those with children go to `below`."""
    shell = place.shell
    if isinstance(original, Mapping) and isinstance(copy, Mapping):
        for pair in original.pairs:
            key = shell(pair.key)
            value = shell(pair.value)
            copy.add(Pair(key, value))
            below += [(child, new) for child, new in ((pair.key, key), (pair.value, value)) if _is_collection(child)]
        return 2 * len(original.pairs)
    if isinstance(original, Sequence) and isinstance(copy, Sequence):
        copy.items = [shell(item) for item in original.items]
        below += [(child, new) for child, new in zip(original.items, copy.items, strict=True) if _is_collection(child)]
        return len(original.items)
    return 0


def _is_collection(node: Node) -> bool:
    return not isinstance(node, Scalar)


def is_merge_key(key: Node) -> bool:
    """Tell whether a key is the merge key: `<<` without quotes."""
    if not isinstance(key, Scalar) or key.style is not Style.PLAIN or key.value != "<<":
        return False
    return key.meta is None or key.meta.tag in _MERGE_TAGS


def merge_into(mapping: Mapping, merges: list[Pair]) -> list[SyntaxProblem]:
    """Append the pairs that merge keys bring; a key that is already there wins."""
    problems: list[SyntaxProblem] = []
    for merge in merges:
        value = merge.value
        sources = value.items if isinstance(value, Sequence) else [value]
        for source in sources:
            if isinstance(source, Mapping):
                for pair in source.pairs:
                    if pair.name is None or pair.name not in mapping.index:
                        mapping.add(pair)
            elif not _is_unresolved(source):
                span = source.span if source.end > source.start else merge.key.span
                problems.append(SyntaxProblem(span, "`<<` can merge only a mapping or a list of mappings."))
    meta = mapping.meta or Meta()
    mapping.meta = meta._replace(merges=tuple(merges))
    return problems


def _is_unresolved(node: Node) -> bool:
    """Tell whether an alias could not be followed, which has been reported already."""
    return node.meta is not None and node.meta.alias is not None and node.meta.origin is None
