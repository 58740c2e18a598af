"""Where a problem points when what it speaks of is not there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rubric_core.rules.record_words import first_key
from rubric_core.syntax.scalars import is_null

if TYPE_CHECKING:
    from rubric_core.syntax.nodes import Mapping, Node, Pair


def place_of_missing(mapping: Mapping, pair: Pair | None = None) -> Node:
    """Return the place of a field that is missing: the first key of its mapping.

    Where the field is there but holds nothing, `pair` is given: then it is its value, or its key where that is null.
    """
    if pair is None:
        return first_key(mapping)
    return pair.key if is_null(pair.value) else pair.value
