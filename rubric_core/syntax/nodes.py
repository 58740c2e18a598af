"""The nodes of a parsed text, which never change once they are made.

Offsets count code points from the start of the chunk. The classes are written by hand, with slots, because a large
suite has hundreds of thousands of nodes.
"""

from __future__ import annotations

import collections.abc
import gc
from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum
from types import MappingProxyType
from typing import NamedTuple

from rubric_core.syntax.block_scalars import decode_block_scalar
from rubric_core.text.spans import Span


class ScalarStyle(Enum):
    """How a scalar is written."""

    PLAIN = "plain"
    SINGLE = "single-quoted"
    DOUBLE = "double-quoted"
    LITERAL = "literal"
    FOLDED = "folded"


class Origin(NamedTuple):
    """The place of the text that an alias or a merge key repeats; `chunk` is None for the chunk of the alias."""

    chunk: object | None
    span: Span
    anchor: str


class Meta(NamedTuple):
    """Rare attributes of nodes: an anchor, a tag, the origin of an alias's copy, the merge keys as written."""

    anchor: str | None = None
    tag: str | None = None
    origin: Origin | None = None
    merges: tuple[Pair, ...] = ()
    alias: str | None = None


class Node:
    """A stretch of YAML. `start` and `end` leave out anchors, tags, comments and trailing white space."""

    __slots__ = ("end", "meta", "start")

    start: int
    end: int
    meta: Meta | None

    @property
    def span(self) -> Span:
        """Return where the node is."""
        return Span(self.start, self.end)

    @property
    def origin(self) -> Origin | None:
        """Return the anchored text that this node repeats, if it was reached through an alias."""
        return self.meta.origin if self.meta else None


class Scalar(Node):
    """A single value. `value` is its text after YAML's unfolding and unescaping, not yet a number or a boolean."""

    __slots__ = ("style", "value")

    def __init__(self, start: int, end: int, value: str, style: ScalarStyle, meta: Meta | None = None) -> None:
        self.start = start
        self.end = end
        self.value = value
        self.style = style
        self.meta = meta

    def __repr__(self) -> str:
        return f"Scalar({self.start}, {self.end}, {self.value!r})"

    @property
    def is_plain(self) -> bool:
        """Return whether the value has no quotes and so may be a number, a boolean or null."""
        return self.style is ScalarStyle.PLAIN


class BlockScalar(Scalar):
    """A literal or folded scalar, whose value is decoded at its first use: most are never used."""

    __slots__ = ("_value", "parent_indent", "raw")

    def __init__(  # noqa: PLR0913, PLR0917 - the fields of a node, set on the hot path.
        self, start: int, end: int, raw: str, parent_indent: int, style: ScalarStyle, meta: Meta | None = None
    ) -> None:
        self.start = start
        self.end = end
        self.raw = raw
        self.parent_indent = parent_indent
        self.style = style
        self.meta = meta
        self._value: str | None = None

    @property
    def value(self) -> str:  # type: ignore[override]
        """Return the text after YAML's dedenting, folding and chomping."""
        if self._value is None:
            self._value = decode_block_scalar(self.raw, self.parent_indent)
        return self._value

    @property
    def keeps_blank_lines(self) -> bool:
        """Return whether the blank lines below belong to the value, as for `|+`."""
        return "+" in self.raw[:3]

    def copy(self, start: int, end: int, meta: Meta) -> BlockScalar:
        """Return the same text at another place; it is decoded once for all copies."""
        copy = BlockScalar(start, end, self.raw, self.parent_indent, self.style, meta)
        copy._value = self.value
        return copy


class Pair:
    """One `key: value` of a mapping. `name` is the key's text, or None where the key is a collection."""

    __slots__ = ("_key", "name", "value")

    name: str | None
    _key: Node | int

    def __init__(self, key: Node, value: Node) -> None:
        self._key = key
        self.name = key.value if isinstance(key, Scalar) else None
        self.value = value

    @property
    def key(self) -> Node:
        """Return the node of the key."""
        key = self._key
        if isinstance(key, int):
            name = self.name or ""
            key = self._key = Scalar(key, key + len(name), name, ScalarStyle.PLAIN)
        return key

    @property
    def key_start(self) -> int:
        """Return where the key starts."""
        key = self._key
        return key if isinstance(key, int) else key.start

    @property
    def span(self) -> Span:
        """Return the stretch from the key to the end of the value."""
        return Span(self.key.start, max(self.key.end, self.value.end))

    def __repr__(self) -> str:
        return f"Pair({self.key!r}, {self.value!r})"


class PlainPair(Pair):
    """A pair whose key is a plain word. The key's node is made at its first use: most are never used."""

    __slots__ = ()

    def __init__(self, start: int, name: str, value: Node) -> None:
        self._key = start
        self.name = name
        self.value = value


class Mapping(Node):
    """A mapping. `pairs` are in the order of the text, merged ones last; where a key is repeated the first counts."""

    __slots__ = ("duplicates", "flow", "index", "pairs")

    def __init__(self, start: int, flow: bool) -> None:  # noqa: FBT001 - a field of a node.
        self.start = start
        self.end = start
        self.flow = flow
        self.pairs: list[Pair] = []
        self.index: dict[str, Pair] = {}
        self.duplicates: list[Pair] = []
        self.meta = None

    def __repr__(self) -> str:
        return f"Mapping({self.start}, {self.end}, {self.pairs!r})"

    def get(self, name: str) -> Node | None:
        """Return the value of a key, or None."""
        pair = self.index.get(name)
        return pair.value if pair else None

    def add(self, pair: Pair) -> None:
        """Append a pair while the tree is being built."""
        self.pairs.append(pair)
        name = pair.name
        if name is None:
            return
        if name in self.index:
            self.duplicates.append(pair)
        else:
            self.index[name] = pair


class Sequence(Node):
    """A list."""

    __slots__ = ("flow", "items")

    def __init__(self, start: int, flow: bool) -> None:  # noqa: FBT001 - a field of a node.
        self.start = start
        self.end = start
        self.flow = flow
        self.items: list[Node] = []
        self.meta = None

    def __repr__(self) -> str:
        return f"Sequence({self.start}, {self.end}, {self.items!r})"


def children(node: Node) -> Iterator[Node]:
    """Yield the nodes directly below a node, in the order of the text."""
    if isinstance(node, Mapping):
        for pair in node.pairs:
            yield pair.key
            yield pair.value
    elif isinstance(node, Sequence):
        yield from node.items


def walk(node: Node) -> Iterator[Node]:
    """Yield a node and everything below it, without recursion: user text may nest deeply."""
    stack = [node]
    while stack:
        top = stack.pop()
        yield top
        stack.extend(reversed(list(children(top))))


class SyntaxProblem(NamedTuple):
    """Text that is not YAML (RB001), or that goes over a limit (RB008)."""

    span: Span
    message: str
    code: str = "RB001"


class Tree(NamedTuple):
    """The result of parsing one chunk.

    `root` is None for text without content and for invalid text. `unfinished`: the text ends inside quotes or brackets,
    so the next chunk may continue it. `external` names the anchors that were looked up in other chunks. `duplicates`
    are the mappings with a repeated key. `sizes` has how many nodes are below each anchor, `repeats` how many nodes the
    aliases repeat or would repeat. `is_common`: the fast path has read it.
    """

    root: Node | None
    problems: tuple[SyntaxProblem, ...] = ()
    anchors: collections.abc.Mapping[str, Node] = MappingProxyType({})
    unfinished: bool = False
    external: frozenset[str] = frozenset()
    duplicates: tuple[Mapping, ...] = ()
    sizes: collections.abc.Mapping[str, int] = MappingProxyType({})
    repeats: int = 0
    is_common: bool = False


@contextmanager
def collector_paused() -> Iterator[None]:
    """Switch the garbage collector off: it would scan trees many times, and they have hardly any cycles."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
