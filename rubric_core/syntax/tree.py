"""What parsing one chunk gives: nodes and problems, never an exception."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import collections.abc

    from rubric_core.syntax.nodes import Mapping, Node
    from rubric_core.text.spans import Span


@dataclass(frozen=True, slots=True)
class SyntaxProblem:
    """Text that is not YAML (RB001), or that goes over a limit (RB008)."""

    span: Span
    message: str
    code: str = "RB001"


class Tree(NamedTuple):
    """The outcome of parsing one chunk.

    `root` is None for text without content and for broken text. `unfinished` tells that the text ended inside
    quotes or brackets: then the next chunk may be its continuation. `external` names the anchors that were
    looked up outside of the chunk. `duplicates` are the mappings in which a key is repeated. `sizes` tells how many
    nodes stand below each anchor, `repeats` how many nodes the aliases repeat or would repeat.
    """

    root: Node | None
    problems: tuple[SyntaxProblem, ...] = ()
    anchors: collections.abc.Mapping[str, Node] = MappingProxyType({})
    unfinished: bool = False
    external: frozenset[str] = frozenset()
    duplicates: tuple[Mapping, ...] = ()
    sizes: collections.abc.Mapping[str, int] = MappingProxyType({})
    repeats: int = 0
