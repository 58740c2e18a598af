"""How the rules about score ranges name scores and ranges, in messages and in the text that fixes insert."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rubric_core.syntax.nodes import Scalar

if TYPE_CHECKING:
    from rubric_core.syntax.nodes import Node
    from rubric_core.views.bands import Band

# Longer text would hide the sentence that it is quoted in.
_QUOTED_LENGTH = 30


def in_words(low: int, high: int) -> str:
    """Return scores as messages name them: `3`, or `3-5`."""
    return str(low) if low == high else f"{low}-{high}"


def name_of(band: Band) -> str:
    """Return the scores of a range as messages name it: the bounds as they are written, in order."""
    low, high = sorted((band.lower or 0, band.upper or 0))
    return in_words(low, high)


def as_written(text: str, node: Node) -> str:
    """Return a node's text in code marks, on one line and short enough for a message."""
    # Where an alias stands, its name would tell the reader nothing.
    own = node.value if isinstance(node, Scalar) and node.origin is not None else text[node.start : node.end]
    written = " ".join(own.split())
    return f"`{written}`" if len(written) <= _QUOTED_LENGTH else f"`{written[:_QUOTED_LENGTH]}...`"


def placeholder(low: int, high: int) -> str:
    """Return the text to insert where a range has none. It names the scores, so that no two are the same."""
    return f"TODO: describe an answer that scores {in_words(low, high)}"
