"""Aliases and merge keys: copies of anchored nodes at the place of the alias."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from rubric_core.syntax.nodes import (
    BlockScalar,
    Mapping,
    Meta,
    Node,
    Origin,
    Pair,
    Scalar,
    ScalarStyle,
    Sequence,
    SyntaxProblem,
    children,
)
from rubric_core.text.spans import Span

# Finds an anchor in earlier chunks: its node, the chunk of the node, and how many nodes are below it.
AnchorLookup = Callable[[str], "tuple[Node, object, int] | None"]
# A collection has this end while its children are being read; an alias to it would contain itself.
UNFINISHED_END = -1
# Long text counts as several nodes, since rules read it once for each alias.
_CODE_POINTS_PER_NODE = 200
# Sizes are capped, because each anchor in a chain of them can double the size.
_LARGEST_SIZE = 1 << 40
_TOO_MANY = (
    "The aliases of this text repeat more nodes than the limit allows, so this one is not followed; "
    "write fewer or smaller ones."
)
_MERGE_TAGS = (None, "!!merge")


class AliasResolver:
    """The anchors of one text, and how many nodes its aliases repeat.

    `sizes` has the number of nodes below each anchor, including those that aliases inside it repeat. `repeats` counts
    what all aliases would repeat if each was followed, so that it depends on the text alone.
    """

    __slots__ = ("_allowed", "_depth_limit", "_lookup", "_metas", "anchors", "external", "problems", "repeats", "sizes")

    def __init__(self, lookup: AnchorLookup | None, allowed: int, depth_limit: int) -> None:
        self.anchors: dict[str, Node] = {}
        self.sizes: dict[str, int] = {}
        self.external: set[str] = set()
        self.problems: list[SyntaxProblem] = []
        self.repeats = 0
        self._lookup = lookup
        self._allowed = allowed
        self._depth_limit = depth_limit
        self._metas: dict[tuple[str, int], Meta] = {}

    def define(self, name: str, node: Node) -> None:
        """Record the node of an anchor, in place of an earlier one with the same name."""
        self.anchors[name] = node
        self.measure(name, node, 0)

    def measure(self, name: str, node: Node, size: int) -> None:
        """Record how many nodes are below an anchored node, when its end is read."""
        self.sizes[name] = min(size + (node.end - node.start) // _CODE_POINTS_PER_NODE, _LARGEST_SIZE)

    def resolve(self, name: str, place: Span, depth: int) -> Node:
        """Return a copy of the anchored node at the place of its alias, or an empty scalar."""
        source, chunk, size = self._find(name)
        if source is None:
            self._report(place, f"The alias `*{name}` has no anchor; write `&{name}` in front of a value above it.")
        elif source.end == UNFINISHED_END:
            self._report(place, f"The alias `*{name}` refers to itself; move it out of the value of `&{name}`.")
        else:
            was_over = self.repeats > self._allowed
            self.repeats += size
            # A copy of a short scalar costs no more than its alias.
            if not size or self.repeats <= self._allowed:
                copy = self._copy(source, _Place(place, chunk, name, self._metas), depth)
                if copy is not None:
                    return copy
                message = f"This alias nests deeper than {self._depth_limit} levels; flatten what it refers to."
                self._report(place, message, "RB008")
            elif not was_over:
                self._report(place, _TOO_MANY, "RB008")
        return Scalar(place.start, place.end, "", ScalarStyle.PLAIN, Meta(alias=name))

    def _find(self, name: str) -> tuple[Node | None, object | None, int]:
        source = self.anchors.get(name)
        if source is not None:
            return source, None, self.sizes.get(name, 0)
        # Recorded for an unknown anchor too: the chunk must be read again when an edit adds it.
        self.external.add(name)
        external = self._lookup(name) if self._lookup else None
        return external if external is not None else (None, None, 0)

    def _report(self, place: Span, message: str, code: str = "RB001") -> None:
        self.problems.append(SyntaxProblem(place, message, code))

    def _copy(self, source: Node, place: _Place, depth: int) -> Node | None:
        """Copy a node without recursion, level by level; None if it nests too deeply."""
        top = place.shell(source)
        top.meta = (top.meta or Meta())._replace(alias=place.anchor)
        level = [(source, top)]
        while level:
            depth += 1
            below: list[tuple[Node, Node]] = []
            for original, copy in level:
                _copy_children(original, copy, place, below)
            level = below
            if level and depth >= self._depth_limit:
                return None
        return top


class _Place(NamedTuple):
    """Where a copy is: the span of its alias, and the anchor that it copies.

    All copies of a node share their meta, one of `metas`, which takes more memory than the rest of a node.
    """

    span: Span
    chunk: object | None
    anchor: str
    metas: dict[tuple[str, int], Meta]

    def shell(self, node: Node) -> Node:
        """Return the copy of one node, without its children."""
        start, end = self.span
        key = self.anchor, id(node)
        meta = self.metas.get(key)
        if meta is None:
            meta = self.metas[key] = self._meta(node)
        if isinstance(node, BlockScalar):
            return node.copy(start, end, meta)
        if isinstance(node, Scalar):
            return Scalar(start, end, node.value, node.style, meta)
        flow = isinstance(node, (Mapping, Sequence)) and node.flow
        copy = Mapping(start, flow) if isinstance(node, Mapping) else Sequence(start, flow)
        copy.end = end
        copy.meta = meta
        return copy

    def _meta(self, node: Node) -> Meta:
        """Return the tag of a copy and the place of its text, through any number of aliases."""
        meta = node.meta
        inner = meta.origin if meta is not None else None
        if meta is None or inner is None:
            tag = meta.tag if meta is not None else None
            return Meta(None, tag, Origin(self.chunk, Span(node.start, node.end), self.anchor))
        if inner.chunk is None and self.chunk is not None:
            return Meta(None, meta.tag, Origin(self.chunk, inner.span, inner.anchor))
        # A copy of a copy keeps the origin of the first one.
        return meta if meta.alias is None else Meta(None, meta.tag, inner)


def _copy_children(original: Node, copy: Node, place: _Place, below: list[tuple[Node, Node]]) -> None:
    """Fill the copy of a collection; add the children that are collections to `below`, with their copies."""
    if isinstance(original, Mapping) and isinstance(copy, Mapping):
        for pair in original.pairs:
            copy.add(Pair(place.shell(pair.key), place.shell(pair.value)))
    elif isinstance(original, Sequence) and isinstance(copy, Sequence):
        copy.items = [place.shell(item) for item in original.items]
    pairs = zip(children(original), children(copy), strict=True)
    below += [(child, new) for child, new in pairs if not isinstance(child, Scalar)]


def is_merge_key(key: Node) -> bool:
    """Return whether a key is the merge key: `<<` without quotes."""
    if not isinstance(key, Scalar) or key.style is not ScalarStyle.PLAIN or key.value != "<<":
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
    """Return whether an alias could not be followed, which has been reported already."""
    return node.meta is not None and node.meta.alias is not None and node.meta.origin is None
