"""Aliases and merge keys: copies of anchored nodes at the place of the alias."""

from __future__ import annotations

from collections.abc import Callable

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
)
from rubric_core.text.spans import Span

# How to find an anchor of text that is further up: its node, the chunk that the node is in, and how many nodes
# are below it.
AnchorLookup = Callable[[str], "tuple[Node, object, int] | None"]
# A collection has this end while its children are being read; an alias to it would contain itself.
UNFINISHED_END = -1
# Rules read the text of a scalar in each place where an alias repeats it.
_CODE_POINTS_PER_NODE = 200
# A chain of anchors doubles its size with each of them; beyond this it makes no difference.
_LARGEST_SIZE = 1 << 40
_TOO_MANY = (
    "The aliases of this text repeat more nodes than the limit allows, so this one is not followed; "
    "write fewer or smaller ones."
)
_MERGE_TAGS = (None, "!!merge")


class AliasResolver:
    """The anchors of one text, and how many nodes its aliases repeat.

    `sizes` has how many nodes are below an anchor, with those that aliases inside of it repeat; long text counts
    as some more. `repeats` counts what all aliases would repeat if each was followed. So both depend on the text alone.
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
        """Note the node of an anchor; one further up with the same name is hidden by it."""
        self.anchors[name] = node
        self.measure(name, node, 0)

    def measure(self, name: str, node: Node, size: int) -> None:
        """Note how many nodes are below an anchored one, which ends here."""
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
        # An anchor that is not there yet may come, so that the text depends on it all the same.
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


class _Place:
    """Where a copy is: the span of its alias, and the anchor that it goes back to."""

    __slots__ = ("_metas", "anchor", "chunk", "end", "start")

    def __init__(self, span: Span, chunk: object | None, anchor: str, metas: dict[tuple[str, int], Meta]) -> None:
        self.start, self.end = span
        self.chunk = chunk
        self.anchor = anchor
        # The copies that several aliases make of a node are alike in this, and it takes more memory than the rest.
        self._metas = metas

    def shell(self, node: Node) -> Node:
        """Return the copy of one node, without its children."""
        key = self.anchor, id(node)
        meta = self._metas.get(key)
        if meta is None:
            meta = self._metas[key] = self._meta(node)
        if isinstance(node, BlockScalar):
            return node.copy(self.start, self.end, meta)
        if isinstance(node, Scalar):
            return Scalar(self.start, self.end, node.value, node.style, meta)
        flow = isinstance(node, (Mapping, Sequence)) and node.flow
        copy = Mapping(self.start, flow) if isinstance(node, Mapping) else Sequence(self.start, flow)
        copy.end = self.end
        copy.meta = meta
        return copy

    def _meta(self, node: Node) -> Meta:
        """Return what a copy keeps: its tag, and where its text is, through all aliases in between."""
        meta = node.meta
        if meta is None:
            return Meta(None, None, Origin(self.chunk, Span(node.start, node.end), self.anchor))
        inner = meta.origin
        if inner is None:
            return Meta(None, meta.tag, Origin(self.chunk, Span(node.start, node.end), self.anchor))
        if inner.chunk is None and self.chunk is not None:
            return Meta(None, meta.tag, Origin(self.chunk, inner.span, inner.anchor))
        # A copy of a copy is the same; only the alias that it was written with is no longer its own.
        return meta if meta.alias is None else Meta(None, meta.tag, inner)


def _copy_children(original: Node, copy: Node, place: _Place, below: list[tuple[Node, Node]]) -> None:
    """Fill the copy of a collection; children with children of their own go to `below`."""
    shell = place.shell
    if isinstance(original, Mapping) and isinstance(copy, Mapping):
        for pair in original.pairs:
            key = shell(pair.key)
            value = shell(pair.value)
            copy.add(Pair(key, value))
            below += [(child, new) for child, new in ((pair.key, key), (pair.value, value)) if _is_collection(child)]
    elif isinstance(original, Sequence) and isinstance(copy, Sequence):
        copy.items = [shell(item) for item in original.items]
        below += [(child, new) for child, new in zip(original.items, copy.items, strict=True) if _is_collection(child)]


def _is_collection(node: Node) -> bool:
    return not isinstance(node, Scalar)


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
