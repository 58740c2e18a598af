"""Parsing one chunk: by the fast path if the text is of the common kind, else by the complete parser."""

from rubric_core.syntax.aliases import AnchorLookup
from rubric_core.syntax.block_parser import parse_common
from rubric_core.syntax.limits import DEFAULT_LIMITS, Limits
from rubric_core.syntax.nodes import Mapping, Tree, walk


def parse(
    text: str,
    *,
    lookup: AnchorLookup | None = None,
    limits: Limits = DEFAULT_LIMITS,
    repeats: int | None = None,
) -> Tree:
    """Return the nodes and the problems of one chunk. `repeats` is how many nodes its aliases may repeat."""
    # The fast path has a depth limit of its own, below the default; only the complete parser checks a lower one.
    common = parse_common(text) if limits.depth >= DEFAULT_LIMITS.depth else None
    if common is not None:
        return Tree(common.root, duplicates=common.duplicates, is_common=True)
    # Most files do not need the complete parser, which takes long to import.
    from rubric_core.syntax.complete_parser import parse_complete  # noqa: PLC0415 - see the line above.

    tree = parse_complete(text, lookup=lookup, limits=limits, repeats=repeats)
    repeating = [node for node in walk(tree.root) if isinstance(node, Mapping) and node.duplicates] if tree.root else []
    return tree._replace(duplicates=tuple(repeating)) if repeating else tree
