"""What refactors share: the usual indentation, and checks of nodes."""

from rubric_core.syntax.nodes import Node, Scalar

USUAL_STEP = 2


def is_own_text(node: Node) -> bool:
    """Return whether a node has no alias, no anchor, no tag and no merge key."""
    return node.meta is None


def quote_of(node: Node) -> str:
    """Return the quotes around a scalar of one line, or nothing."""
    return {"single-quoted": "'", "double-quoted": '"'}.get(node.style.value, "") if isinstance(node, Scalar) else ""
