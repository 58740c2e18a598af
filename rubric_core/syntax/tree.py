"""What parsing one chunk gives: nodes and problems, never an exception."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rubric_core.syntax.nodes import Mapping, Node
    from rubric_core.text.spans import Span


@dataclass(frozen=True, slots=True)
class SyntaxProblem:
    """Text that is not YAML (RB001), or that goes over a limit (RB008)."""

    span: Span
    message: str
    code: str = "RB001"


@dataclass(frozen=True, slots=True)
class Tree:
    """The outcome of parsing one chunk.

    `root` is None for text without content and for broken text. `unfinished` tells that the text ended inside
    quotes or brackets: then the next chunk may be its continuation. `external` names the anchors that were
    looked up outside of the chunk. `duplicates` are the mappings in which a key is repeated.
    """

    root: Node | None
    problems: tuple[SyntaxProblem, ...] = ()
    anchors: dict[str, Node] = field(default_factory=dict)
    unfinished: bool = False
    external: frozenset[str] = frozenset()
    duplicates: tuple[Mapping, ...] = ()
