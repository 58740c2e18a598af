"""Names that refer to something: the nearest known one, and the edit that writes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rubric_core.rules.problem import Fix
from rubric_core.schema.suggest import closest
from rubric_core.syntax.edits import replace_text
from rubric_core.text.patterns import lazily

if TYPE_CHECKING:
    from collections.abc import Collection

    from rubric_core.syntax.nodes import Scalar
    from rubric_core.text.spans import Edit

_SIMPLE = lazily(r"[\w.\-/]+\Z")
_MOST_NAMED = 5


def replace_name(node: Scalar, name: str) -> Edit:
    """Write another name in the place of one, in its quotes; a name that brackets could cut apart gets some."""
    return replace_text(node, name, flow=not _SIMPLE.match(name))


def suggestion(written: str, known: Collection[str]) -> tuple[str, str | None]:
    """Return how a message about an unknown name ends, and the known name that is probably meant."""
    meant = closest(written, known)
    if meant is not None:
        return f"did you mean `{meant}`?", meant
    listed = ", ".join(f"`{name}`" for name in list(known)[:_MOST_NAMED])
    rest = len(known) - _MOST_NAMED
    return f"there is {listed}" + (f" and {rest} more." if rest > 0 else "."), None


def renaming(node: Scalar, meant: str | None) -> list[Fix]:
    """Return the fix that writes the name that is meant, if there is one."""
    return [Fix(f"Change to `{meant}`", (replace_name(node, meant),))] if meant is not None else []
