"""The text of a criterion, a score range, a red flag or a bonus: where it stands, and whether it is a placeholder."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rubric_core.syntax.nodes import BlockScalar, Mapping, Node, Pair, Scalar, Sequence
from rubric_core.syntax.scalars import is_blank
from rubric_core.text.patterns import lazily

if TYPE_CHECKING:
    from collections.abc import Iterable

OUTCOME_KEYS = ("expected_outcome", "description")
"""The names of the text, the one that is read first in front."""

# The first characters of a placeholder. Most texts start differently, which is quicker to see.
_PLACEHOLDER_STARTS = frozenset("tTfF.\u2026 \t\r\n")
# `TODO` alone, or in front of a colon, also with a name as in `TODO(ann): ...`. Any other text is one that is meant.
_PLACEHOLDER = lazily(
    r"\s*(?:(?:todo|tbd|fixme)(?:\([^)\n]*\))?\s*(?::.*|[.!?\u2026]*)|\.{3,}|\u2026+)\s*\Z", re.IGNORECASE | re.DOTALL
)


def is_placeholder(text: str) -> bool:
    """Return whether a text only holds a place, such as `TODO`, `TBD`, `...` or `TODO: what the answer must do`."""
    return text[:1] in _PLACEHOLDER_STARTS and _PLACEHOLDER.match(text) is not None


def holds_placeholder(node: Node) -> bool:
    """Return whether a node is a string that only holds a place. A block scalar is not decoded for it."""
    if isinstance(node, BlockScalar):
        return _PLACEHOLDER.match(node.raw, node.raw.find("\n") + 1) is not None
    return isinstance(node, Scalar) and is_placeholder(node.value)


def is_placeholder_message(node: Node) -> bool:
    """Return whether what is said in a message only holds a place; `...` and several lines may well be meant there."""
    if not holds_placeholder(node) or not isinstance(node, Scalar):
        return False
    said = node.value.strip()
    return "\n" not in said and said[0].isalpha()


def content_rank(node: Node) -> int:
    """Return how much a value says: 0 for nothing (null, blank or empty), 1 for a placeholder, 2 for anything else."""
    if is_blank(node) or (isinstance(node, Mapping) and not node.pairs):
        return 0
    if isinstance(node, Sequence) and not node.items:
        return 0
    return 1 if holds_placeholder(node) else 2


def first_filled(mapping: Mapping, keys: Iterable[str]) -> Pair | None:
    """Return the first of some keys that holds more than a blank; the first that is there where none does."""
    first: Pair | None = None
    for key in keys:
        pair = mapping.index.get(key)
        if pair is not None:
            if not is_blank(pair.value):
                return pair
            first = first or pair
    return first


def has_other_text(mapping: Mapping) -> bool:
    """Return whether a repeated key, which is not read, holds a text: nothing may be written in its place."""
    return any(pair.name in OUTCOME_KEYS and not is_blank(pair.value) for pair in mapping.duplicates)
